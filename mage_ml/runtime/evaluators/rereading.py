"""Second readings of a text whose form, not whose characters, hides what it says.

Letters set apart, short lines, markup, invisible elements, JSON inside JSON strings, text stored backwards, figures for
letters. Each gives a reading of its own beside the first, because each form has honest uses in which undoing it would
spoil the text.
"""

from __future__ import annotations

import json
import quopri
from collections.abc import Collection, Iterator
from itertools import islice
from typing import Any, Final

import re2

from mage_ml.runtime.evaluators.layers import Layer, substitute

MAX_JSON_CHARS: Final = 200_000
_MAX_NESTING: Final = 3
_MAX_LEAVES: Final = 400

_REVERSED = re2.compile(r"\x{202E}[^\x{202C}\x{202E}\n]{2,}\x{202C}?")
_SPACED = re2.compile(r"(?:^|\s)(?:\S[ \t\x{3000}]{1,3}){5,}(?:\S(?:$|\n))?")
# P.l.e.a.s.e. .s.e.n.d or P-l-e-a-s-e; a name such as a.b.c is shorter.
_DOTTED = re2.compile(r"(?:^|\s)(?:[^\s.\-·*][.\-·*](?: [.\-·*])?){8,}[^\s.\-·*]?")
_DOTS: Final = str.maketrans("", "", ".-·*")
_QUOTED_PRINTABLE = re2.compile(r"(?:=[0-9A-Fa-f]{2}|=\r?\n)+")
_ONE_CODE = re2.compile(r"=[0-9A-F]{2}")
_MANY_CODES: Final = 3
# Once letters are known to stand apart, short stretches between figures and addresses count, too.
_SPACED_SHORT = re2.compile(r"(?:^|\s)(?:\S[ \t\x{3000}]{1,3}){2,}(?:\S(?:$|\n))?")
_GAP = re2.compile(r"[ \t\x{3000}]{2,3}")
# Three lines or more, each of a few letters or a single word; no tables, lists or headings.
_SHORT_LINES = re2.compile(
    r"(?:^|\n)(?:(?:[^\n|*#>\-][^\n|]{0,15}|[^\s|]{1,60})\n[ \t]?){2,}(?:[^\n|*#>\-][^\n|]{0,15}|[^\s|]{1,60})"
)
_LINE_END = re2.compile(r"\s*\n\s*")
_TAG = re2.compile(r"<!--|-->|</?[A-Za-z][^<>]{0,400}>|\*{2,3}|~~|\b_{1,2}|_{1,2}\b")
_LOOKS_MARKED = re2.compile(r"<(?:!--|/?[A-Za-z])|\*\*[^\s*]|~~[^\s~]")
_HIDDEN = re2.compile(
    r"(?i)<[a-z][^<>]{0,200}(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?:[;\"'\s]|\.0)"
    r"|\shidden(?:[\s>=]))[^<>]{0,200}>([^<]+)"
)
_FIGURED = re2.compile(r"[A-Za-z]*(?:[A-Za-z][013457@$]|[013457@$][A-Za-z])[A-Za-z013457@$]*")
_FIGURES: Final = (
    str.maketrans("013457@$", "oieastas"),
    str.maketrans("013457@$", "oleastas"),
)


def second_readings(layer: Layer, vocabulary: Collection[str]) -> Iterator[Layer]:
    """Further readings of a layer; none for ordinary text.

    Args:
        layer: A reading with its characters already undone.
        vocabulary: Words in lower case that are looked for behind figures for letters.
    """
    changed = (
        _together(layer),
        _without_dots(layer),
        _joined_lines(layer),
        _without_markup(layer),
        _from_quoted_printable(layer),
        _with_letters(layer, vocabulary),
    )
    for reading in changed:
        if reading is not layer:
            yield reading
    yield from _hidden_elements(layer)
    if '\\"' in layer.text:
        yield from _nested_json(layer)


def backwards(layer: Layer) -> Layer:
    """The reading in which stretches stored right to left are turned round; the same object when there is none."""
    return substitute(layer, "reversed", _REVERSED, lambda run: run.strip("\u202e\u202c")[::-1])


def _together(layer: Layer) -> Layer:
    if _SPACED.search(layer.text) is None:
        return layer
    return substitute(layer, "letter spacing", _SPACED_SHORT, _close_up)


def _close_up(run: str) -> str:
    lead = run[:1] if run[:1].isspace() else ""
    body = run[len(lead) :]
    words = _GAP.split(body.strip())
    tail = " " if body[-1:].isspace() else ""
    return lead + " ".join("".join(word.split()) for word in words) + tail


def _without_dots(layer: Layer) -> Layer:
    return substitute(layer, "letter spacing", _DOTTED, lambda run: run.translate(_DOTS))


def _from_quoted_printable(layer: Layer) -> Layer:
    if sum(1 for _ in islice(_ONE_CODE.finditer(layer.text), _MANY_CODES)) < _MANY_CODES:
        return layer
    return substitute(
        layer,
        "quoted printable",
        _QUOTED_PRINTABLE,
        lambda run: quopri.decodestring(run.encode()).decode("utf-8", errors="replace"),
    )


def _joined_lines(layer: Layer) -> Layer:
    if layer.text.count("\n") < 2:
        return layer
    return substitute(layer, "line breaks", _SHORT_LINES, _join)


def _join(run: str) -> str:
    pieces: list[str] = []
    end = 0
    for match in _LINE_END.finditer(run):
        if match.start() == 0:
            continue
        before, after = run[match.start() - 1], run[match.end() : match.end() + 1]
        pieces += (run[end : match.start()], " " if before.isascii() and after.isascii() else "")
        end = match.end()
    return "".join([*pieces, run[end:]])


def _without_markup(layer: Layer) -> Layer:
    if _LOOKS_MARKED.search(layer.text) is None:
        return layer
    return substitute(layer, "markup", _TAG, lambda run: "\n\n" if run[0] in "<-" else "")


def _with_letters(layer: Layer, vocabulary: Collection[str]) -> Layer:
    def undo(run: str) -> str:
        for table in _FIGURES:
            word = run.translate(table)
            if word.lower() in vocabulary:
                return word
        return run

    return substitute(layer, "figures for letters", _FIGURED, undo) if vocabulary else layer


def _hidden_elements(layer: Layer) -> Iterator[Layer]:
    for match in _HIDDEN.finditer(layer.text):
        place = layer.span(match.start(1), match.end(1))
        yield Layer(match.group(1), (*layer.tricks, "hidden element"), None, place)


def _nested_json(layer: Layer) -> Iterator[Layer]:
    text = layer.text
    if len(text) > MAX_JSON_CHARS:
        return
    for opening in ("{", "["):
        start = text.find(opening)
        if start < 0:
            continue
        try:
            value, end = json.JSONDecoder().raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        said: list[str] = []
        _strings_inside(value, said, 0)
        if said:
            yield Layer("\n\n".join(said), (*layer.tricks, "nested JSON"), None, layer.span(start, end))
            return


def _strings_inside(value: Any, said: list[str], nesting: int) -> None:  # noqa: ANN401 - arbitrary JSON
    """Collect strings that stand in JSON inside a JSON string, down to three such steps."""
    if len(said) >= _MAX_LEAVES:
        return
    if isinstance(value, dict):
        for item in value.values():
            _strings_inside(item, said, nesting)
    elif isinstance(value, list):
        for item in value:
            _strings_inside(item, said, nesting)
    elif isinstance(value, str):
        inner = _parsed(value) if nesting < _MAX_NESTING else None
        if inner is not None:
            _strings_inside(inner, said, nesting + 1)
        elif nesting:
            said.append(value)


def _parsed(text: str) -> Any:  # noqa: ANN401 - arbitrary JSON
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
