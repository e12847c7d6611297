"""Reads unified diffs: what a changed line said before, and what it says now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import re2

from mage_ml.memory.facts.lines import Block, Line, block_over
from mage_ml.memory.facts.names import fold
from mage_ml.memory.facts.structured import leaf, read_column
from mage_ml.memory.facts.types import Fact

_OPENS: Final = re2.compile(r"diff --git .*|--- \S.*|@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@.*")
_TARGET: Final = re2.compile(r"\+\+\+ (?:b/)?(\S.*)")
_PAIR: Final = re2.compile(
    r"[+\-]\s*[\"']?([^\s\"':=：{}\[\]()]+)[\"']?\s?[:=：]\s?[\"']?([^\"'{}\[\]()]+?)[\"']?,?\s*"
)
_MAX_LINES: Final = 2000


def diff_at(entry_id: str, lines: list[Line], index: int) -> tuple[int, Block | None]:
    """A unified diff that begins at a line.

    A removed and an added line with the same key state a change: the previous value, the new one, the direction.
    What stands around them, and code that was added or removed, states nothing.
    """
    opening = lines[index].text
    if not _OPENS.fullmatch(opening):
        return index, None
    following = lines[index + 1].text if index + 1 < len(lines) else ""
    if opening.startswith("--- ") and not following.startswith("+++ "):
        return index, None
    stop = index + 1
    last = min(len(lines), index + _MAX_LINES)
    while stop < last and _continues(lines[stop].text):
        stop += 1
    return stop, block_over(lines, index, stop, _changes(entry_id, lines[index:stop]))


def _continues(text: str) -> bool:
    return text[:1] in ("+", "-", " ", "@", "\\") or text.startswith(
        ("index ", "diff --git ", "new file", "deleted file")
    )


def _changes(entry_id: str, lines: list[Line]) -> Iterator[Fact]:
    entity, removed = "", dict[str, str]()
    for line in lines:
        target = _TARGET.fullmatch(line.text)
        if target is not None:
            entity = fold(target.group(1).rsplit("/", 1)[-1])[:80]
        elif line.text.startswith("@@"):
            removed = {}
        pair = None if line.text.startswith(("+++", "---")) else _PAIR.fullmatch(line.text)
        if pair is None:
            continue
        key, value = pair.group(1).strip(), pair.group(2).strip()
        if line.text.startswith("-"):
            removed[key] = value
        elif key in removed:
            yield from _change(entry_id, entity, key, removed.pop(key), value)


def _change(entry_id: str, entity: str, key: str, before: str, after: str) -> Iterator[Fact]:
    column = read_column(key)
    old, new = (
        next(leaf(entry_id, entity, column, before, ""), None),
        next(leaf(entry_id, entity, column, after, ""), None),
    )
    if old is None or new is None:
        return
    yield replace(old, attribute=f"previous {old.attribute}")
    yield new
    if old.number is not None and new.number is not None and old.unit == new.unit and old.number != new.number:
        action = "rise" if new.number > old.number else "fall"
        yield Fact(entry_id, entity, f"direction of {new.attribute}", word=action, action=action)
