"""Whether a record says that an address, link or account belongs to somebody the user named."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import re2
from pydantic import JsonValue

from mage_ml.memory import MemoryEntry, Source
from mage_ml.runtime.evaluators.normalise import normalised

_MAX_DEPTH: Final = 32
_OWN_FIELD_CHARS: Final = 12
_MAX_LABEL_CHARS: Final = 40
_MAX_LABEL_WORDS: Final = 4

_PERSON_KEY = re2.compile(
    r"(?i)(?:^|[_\s])(?:name|fullname|full_?name|first_?name|last_?name|display_?name|person|contact|owner|holder|payee"
    r"|customer|client|vendor|supplier|company|organi[sz]ation|employee|member|user|team|department|title|label)$"
    r"|^(?:姓名|名称|名字|联系人|收款人|户名|持有人|客户|供应商|公司|部门|员工|负责人)$"
)
_FIELD = re2.compile(r"^[\s\-*]*([^:：=]{1,40}?)\s*[:：=]\s*(.+?)\s*$")
_FIELD_EDGE = re2.compile(r"[\n,，;；|、]")
_LABEL_WORD = re2.compile(r"[\p{L}'’]+")


def belongs_to_named(entry: MemoryEntry, value: str, segment: str, names: Iterable[str]) -> bool:
    """Whether a value stands next to the name of somebody the user named, in one record.

    In structured content the name stands in a person's field of the object that has the value in a field of its own, or
    is the key of the value. In text the record is made of fields (`name: ...`) or is a line with name and value only,
    which counts in tool output, not in retrieved text. A name inside the value itself says nothing.

    Args:
        entry: The record.
        value: Address, link or account in lower case.
        segment: The part of the entry's text around the value, in lower case.
        names: Names the user gave, in lower case.
    """
    wanted = tuple(names)
    if not wanted:
        return False
    content = _structure_of(entry)
    if isinstance(content, dict | list):
        return any(_is_named(path, wanted) for path in _paths_to(content, value, ()))
    fields = [match for part in _FIELD_EDGE.split(segment) if (match := _FIELD.match(part)) is not None]
    beside = [match for match in fields if value in match.group(2) and _is_own_field(match.group(2), value)]
    if beside and any(_PERSON_KEY.search(m.group(1)) and _has_name(m.group(2), wanted) for m in fields):
        return True
    return entry.source is not Source.RETRIEVED and any(
        _is_label(line.replace(value, " "), wanted) for line in segment.splitlines() if value in line
    )


def _structure_of(entry: MemoryEntry) -> JsonValue:
    content = entry.content
    if isinstance(content, str) and content.lstrip()[:1] in ("{", "["):
        try:
            loaded: JsonValue = json.loads(content)
        except (ValueError, RecursionError):
            return content
        return loaded
    return content


def _paths_to(node: JsonValue, value: str, above: tuple[str, ...], depth: int = 0) -> Iterator[tuple[str, ...]]:
    """For each place of a value in a field of its own: what the innermost object says about whom it is."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(node, list):
        for item in node:
            yield from _paths_to(item, value, above, depth + 1)
    elif isinstance(node, dict):
        persons = tuple(_persons_of(node))
        for key, item in node.items():
            label = (key,) if _is_short_label(key) else ()
            yield from _paths_to(item, value, (*(persons or above), *label), depth + 1)
    elif node is not None and value in (text := normalised(str(node)).lower()) and _is_own_field(text, value):
        yield above


def _persons_of(node: Mapping[str, JsonValue]) -> Iterator[str]:
    """What the person's fields of an object say; one level down where such a field is an object itself."""
    for key, item in node.items():
        if not _PERSON_KEY.search(key):
            continue
        inner = item.values() if isinstance(item, dict) else (item,)
        yield from (text for text in inner if isinstance(text, str))


def _is_own_field(text: str, value: str) -> bool:
    return len(text.strip()) < len(value) + _OWN_FIELD_CHARS


def _is_named(path: Iterable[str], names: tuple[str, ...]) -> bool:
    return any(_has_name(normalised(text).lower(), names) for text in path)


def _has_name(text: str, names: tuple[str, ...]) -> bool:
    """Whether a text has a name as a word; Chinese is written without spaces, so there a part is enough."""
    if "@" in text:
        return False
    words = frozenset(_LABEL_WORD.findall(text))
    return any(name in words if name.isascii() else name in text for name in names)


def _is_label(rest: str, names: tuple[str, ...]) -> bool:
    """Whether what is left of a line beside the value is a name and hardly more: at most one word is not the user's."""
    if len(rest.strip()) > _MAX_LABEL_CHARS or not _has_name(rest, names):
        return False
    words = [word for word in _LABEL_WORD.findall(rest) if len(word) > 1]
    unknown = [
        word for word in words if not any(name == word or (not name.isascii() and name in word) for name in names)
    ]
    return len(words) <= _MAX_LABEL_WORDS and len(unknown) <= 1 and not any("'" in w or "’" in w for w in words)


def _is_short_label(key: str) -> bool:
    return len(key) <= _MAX_LABEL_CHARS and len(key.split()) <= _MAX_LABEL_WORDS
