"""Reads facts from one entry: by keys where the content is structured, by clause where it is prose."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from typing import Any, Final

import re2

from mage_ml.memory.entry import MemoryEntry
from mage_ml.memory.facts import lexicon
from mage_ml.memory.facts.quantities import (
    Period,
    Quantity,
    find_periods,
    find_quantities,
    parse_period,
    parse_quantity,
)
from mage_ml.memory.facts.types import Fact

MAX_FACTS_PER_ENTRY: Final = 200
MAX_PROSE_CHARS: Final = 20_000

_CANONICAL: Final = {word: name for name, words in lexicon.ATTRIBUTES.items() for word in words}


def _word_pattern(words: list[str] | tuple[str, ...]) -> str:
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return "|".join(rf"\b{re2.escape(word)}\b" if word.isascii() else re2.escape(word) for word in ordered)


_ATTRIBUTE = re2.compile(f"(?i){_word_pattern(list(_CANONICAL))}")
_RISE = re2.compile(f"(?i){_word_pattern(lexicon.RISE)}")
_FALL = re2.compile(f"(?i){_word_pattern(lexicon.FALL)}")
_STOP_ZH = re2.compile("|".join(sorted(lexicon.STOP_WORDS_ZH, key=lambda word: -len(word))))
_CLAUSE = re2.compile(r"[^,;。；，\n!?！？]+(?:[,.]\d[^,;。；，\n!?！？]*)*")
_ADDRESS = re2.compile(r"[A-Za-z0-9._%+\-]+@[A-Za-z0-9.\-]+\.[A-Za-z]{2,}|https?://[^\s'\"<>）)，。]+")
_WORD = re2.compile(r"[A-Za-z][A-Za-z0-9_\-]*|[\p{Han}]+")
_CHANGE: Final = {"rise": 1.0, "fall": -1.0}


def extract_facts(entry: MemoryEntry) -> tuple[Fact, ...]:
    """The facts an entry states, at most 200, in order of appearance.

    JSON content, and text that parses as JSON, is read by its keys. Prose longer than 20,000 characters is read up to
    there.
    """
    content = entry.content
    if isinstance(content, str):
        structured = _parse_json(content)
        facts = _from_prose(entry.id, content[:MAX_PROSE_CHARS]) if structured is None else _walk(entry.id, structured)
    else:
        facts = _walk(entry.id, content)
    kept: dict[Fact, None] = {}
    for fact in facts:
        kept[fact] = None
        if len(kept) == MAX_FACTS_PER_ENTRY:
            break
    return tuple(kept)


def canonical_attribute(name: str) -> str:
    """The canonical name of an attribute where the lexicon knows it, otherwise the name in lower case."""
    folded = _fold(name).replace("_", " ")
    return _CANONICAL.get(folded) or _CANONICAL.get(folded.replace(" ", "_")) or folded


def _parse_json(text: str) -> Any | None:  # noqa: ANN401 - arbitrary JSON is the point
    stripped = text.strip()
    if not stripped or stripped[0] not in "{[":
        return None
    try:
        return json.loads(stripped)
    except (ValueError, RecursionError):
        return None


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().lower()


def _walk(
    entry_id: str,
    node: Any,
    entity: str = "",
    time: str = "",
    attribute: str = "",
    depth: int = 0,  # noqa: ANN401
) -> Iterator[Fact]:
    if depth > 8:
        return
    if isinstance(node, dict):
        entity, time = _named_entity(node) or entity, _named_time(node) or time
        for key, value in node.items():
            folded = _fold(str(key))
            if isinstance(value, dict | list):
                yield from _walk(entry_id, value, _child_entity(folded, value, entity), time, folded, depth + 1)
            elif folded not in lexicon.TIME_KEYS and _fold(str(value)) != entity:
                yield from _leaf(entry_id, entity, canonical_attribute(folded), value, time)
    elif isinstance(node, list):
        for item in node:
            if isinstance(item, dict | list):
                yield from _walk(entry_id, item, entity, time, attribute, depth + 1)


def _child_entity(key: str, value: Any, entity: str) -> str:  # noqa: ANN401
    # {"north": {"revenue": 3}}: the key names the entity. {"rows": [...]}: it does not.
    return key if isinstance(value, dict) and not entity and key not in _CANONICAL else entity


def _named_entity(node: dict[str, Any]) -> str:
    for key in lexicon.ENTITY_KEYS:
        value = node.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
            return _entity_name(str(value))
    return ""


def _named_time(node: dict[str, Any]) -> str:
    for key in lexicon.TIME_KEYS:
        value = node.get(key)
        if isinstance(value, str | int) and not isinstance(value, bool):
            return parse_period(str(value)) or _fold(str(value))[:40]
    return ""


def _leaf(entry_id: str, entity: str, attribute: str, value: Any, time: str) -> Iterator[Fact]:  # noqa: ANN401
    if isinstance(value, bool):
        yield Fact(entry_id, entity, attribute, word=str(value).lower(), time=time)
    elif isinstance(value, int | float):
        yield Fact(entry_id, entity, attribute, number=float(value), time=time)
    elif isinstance(value, str) and value.strip():
        quantity = parse_quantity(value)
        if quantity is not None:
            yield Fact(entry_id, entity, attribute, number=quantity.number, unit=quantity.unit, time=time)
        elif len(value) <= 80:
            yield Fact(entry_id, entity, attribute, word=_fold(value), time=time)


def _from_prose(entry_id: str, text: str) -> Iterator[Fact]:
    carried = ""
    for match in _CLAUSE.finditer(text):
        clause, offset = match.group(0), match.start()
        periods = find_periods(clause)
        quantities = find_quantities(clause, periods)
        attributes = list(_ATTRIBUTE.finditer(clause))
        entity = _entity_in(clause, periods, quantities)
        if attributes and (quantities or _ADDRESS.search(clause)):
            yield from _clause_facts(entry_id, clause, offset, entity or carried, periods, quantities, attributes)
        carried = entity or carried


def _clause_facts(
    entry_id: str,
    clause: str,
    offset: int,
    entity: str,
    periods: list[Period],
    quantities: list[Quantity],
    attributes: list[Any],
) -> Iterator[Fact]:
    action = "rise" if _RISE.search(clause) else "fall" if _FALL.search(clause) else ""
    for index, quantity in enumerate(quantities):
        attribute = _nearest_attribute(attributes, quantity.span)
        time = _nearest_period(periods, quantity.span)
        change = bool(action) and (quantity.unit == "%" or attribute == "growth")
        name = "growth" if change and quantity.unit == "%" else attribute
        # "rose from 100 to 120": the second number is the level now, the first the level before.
        before = bool(action) and not change and index == 0 and _follows_from(clause, quantity.span[0])
        yield Fact(
            entry_id,
            entity,
            f"previous {name}" if before else name,
            number=abs(quantity.number) * _CHANGE[action] if change else quantity.number,
            unit=quantity.unit,
            time=time,
            span=(offset + quantity.span[0], offset + quantity.span[1]),
        )
    if action:
        attribute = canonical_attribute(attributes[0].group(0))
        time = periods[0].name if periods else ""
        yield Fact(entry_id, entity, f"direction of {attribute}", word=action, time=time, span=(offset, offset))
    for found in _ADDRESS.finditer(clause):
        attribute = _nearest_attribute(attributes, found.span())
        span = (offset + found.start(), offset + found.end())
        yield Fact(entry_id, entity, attribute, word=_fold(found.group(0)), span=span)


def _follows_from(clause: str, start: int) -> bool:
    lead = clause[max(0, start - 6) : start].lower().rstrip(" $€£¥￥")
    return lead.endswith(("from", "从", "由"))


def _nearest_attribute(attributes: list[Any], span: tuple[int, int]) -> str:
    before = [match for match in attributes if match.end() <= span[0] + 1]
    chosen = before[-1] if before else attributes[0]
    return canonical_attribute(chosen.group(0))


def _nearest_period(periods: list[Period], span: tuple[int, int]) -> str:
    if not periods:
        return ""
    return min(periods, key=lambda period: min(abs(period.span[0] - span[1]), abs(span[0] - period.span[1]))).name


def _entity_in(clause: str, periods: list[Period], quantities: list[Quantity]) -> str:
    """What a clause is about: its content words once numbers, periods, attributes and function words are gone."""
    blank = list(clause)
    spans = [period.span for period in periods] + [quantity.span for quantity in quantities]
    for pattern in (_ATTRIBUTE, _RISE, _FALL, _ADDRESS):
        spans += [match.span() for match in pattern.finditer(clause)]
    for start, end in spans:
        blank[start:end] = " " * (end - start)
    return _entity_name("".join(blank))


def _entity_name(text: str) -> str:
    words = []
    for match in _WORD.finditer(_fold(text).replace("'s", " ").replace("’s", " ")):
        word = match.group(0)
        if word.isascii():
            if word not in lexicon.STOP_WORDS and word not in lexicon.CORRECTIONS and len(word) > 1:
                words.append(word)
        else:
            words += [part for part in _STOP_ZH.sub(" ", word).split() if part]
    return " ".join(words[:4])
