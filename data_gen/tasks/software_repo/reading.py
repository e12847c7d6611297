"""How the agent, and the judge of its work, read findings back from text and records."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import re2
from pydantic import JsonValue

from data_gen.tasks.software_repo.attributes import MEANINGS, Attribute, Flag, Measure
from data_gen.tasks.software_repo.findings import Amount, Topic, Value
from data_gen.tasks.software_repo.nouns import NameKind, find_names
from data_gen.texts.figures import find_figures
from data_gen.texts.noise import legible
from data_gen.texts.orders import sentences

UNSURE: Final = {
    "en": ("rough", "unconfirmed", "preliminary", "tentative", "ballpark"),
    "zh": ("粗略", "未确认", "初步", "暂估", "大致"),
}
_COUNT: Final = re2.compile(r"(?:^|[^\w.#!/\-])(\d+)(?:$|[^\w.,\-/]|[.,](?:\D|$))")
_ASCII_WORD: Final = re2.compile(r"^[a-z ]+$")


@lru_cache(maxsize=1024)
def _words(words: tuple[str, ...]) -> Any:  # noqa: ANN401 - re2 ships no types
    ordered = sorted(set(words), key=lambda word: (-len(word), word))
    joined = "|".join(re2.escape(word) for word in ordered)
    return re2.compile(rf"(?i)\b(?:{joined})\b" if _ASCII_WORD.match(ordered[0]) else joined)


@lru_cache(maxsize=65536)
def read_finding(text: str, topic: Topic, language: str, *, guesses: bool = False) -> Value | None:
    """What a text says on a topic; `None` if it says nothing, or only guesses."""
    if not all(part in text for part in topic.subject):
        return None
    attribute = _words(MEANINGS[topic.attribute].words(language))
    for sentence in sentences(text):
        if not all(part in sentence for part in topic.subject) or not attribute.search(sentence):
            continue
        if not guesses and _words(UNSURE[language]).search(sentence):
            continue
        rest = attribute.sub(" ", sentence)
        for part in topic.subject:
            rest = rest.replace(part, " ")
        found = read_value(rest, topic.attribute, language)
        if found is not None:
            return found
    return None


def read_value(text: str, attribute: Attribute, language: str) -> Value | None:
    """The one value of the kind of an attribute in a text."""
    kind = MEANINGS[attribute].kind
    if isinstance(kind, NameKind):
        return next(iter(find_names(text, kind, language)), None)
    if isinstance(kind, Flag):
        truths = [value for value in (True, False) if _words(kind.words(value, language)).search(text)]
        return truths[0] if len(truths) == 1 else None
    return _number(text, kind, language)


def _number(text: str, kind: Measure, language: str) -> Amount | None:
    if kind.unit(language):
        found = [figure for figure in find_figures(text) if figure.unit and (figure.unit == "%") is _percent(kind)]
        return Amount(found[0].value, found[0].unit) if found else None
    match = _COUNT.search(text)
    return Amount(float(match.group(1))) if match else None


def _percent(kind: Measure) -> bool:
    return kind.units[0] == "%"


def neighbours(record: JsonValue, path: str, attribute: Attribute, language: str) -> tuple[float, ...]:
    """Other numbers of a record that a hurried reader could take for the one in a field."""
    kind, own = MEANINGS[attribute].kind, read_record(record, path, attribute, language)
    assert isinstance(kind, Measure)
    steps = path.split("|")
    if isinstance(record, dict) and len(steps) == 3:  # the same setting elsewhere: the column beside
        branch = record[steps[0]]
        assert isinstance(branch, dict)
        fields = ["|".join((steps[0], name, steps[2])) for name in branch]
        found = [read_record(record, name, attribute, language) for name in fields]
    else:
        found = [_number(text, kind, language) for text in leaves_of(record)]
    numbers = [value for value in found if isinstance(value, Amount) and value.unit == kind.unit(language)]
    return tuple(dict.fromkeys(value.number for value in numbers if value != own))


def read_record(record: JsonValue, path: str, attribute: Attribute, language: str) -> Value | None:
    """What a record says in one of its fields: a path through nested records, or the label of a line of a log."""
    if isinstance(record, str):
        lines = legible(record).split("\n")
        line = next((line for line in lines if f"{path}:" in line or f"{path}：" in line), None)
        return None if line is None else read_value(line.split(path, 1)[1], attribute, language)
    found: JsonValue = record
    for step in path.split("|"):
        if not isinstance(found, dict) or step not in found:
            return None
        found = found[step]
    return found if isinstance(found, bool) else read_value(str(found), attribute, language)


def leaves_of(record: JsonValue) -> list[str]:
    """The values of a record, however nested, as texts of one line."""
    if isinstance(record, dict):
        return [text for value in record.values() for text in leaves_of(value)]
    if isinstance(record, list):
        return [text for value in record for text in leaves_of(value)]
    return str(record).split("\n") if not isinstance(record, bool) else []
