"""What a record can be found by, besides its own columns: entries, rules, reasons, tools."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import re2

from mage_ml.runtime.audit.record import AuditEvent

MAX_LINKS: Final = 256
_MAX_TEXT: Final = 400
_FIGURES = re2.compile(r"[0-9a-f]{12,}|[0-9]+(?:[.,][0-9]+)*")


class LinkKind(StrEnum):
    """What a link names."""

    ENTRY = "entry"
    RULE = "rule"
    REASON = "reason"
    TOOL = "tool"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Link:
    """A way to a record.

    Attributes:
        kind: What is named.
        value: Its name.
    """

    kind: LinkKind
    value: str


def links_of(event: AuditEvent) -> tuple[Link, ...]:
    """Everything that leads to an event, at most 256 links; entries come last."""
    found = dict.fromkeys(Link(kind, clean(value)) for kind, value in _found(event.payload) if value)
    return tuple(found)[:MAX_LINKS]


def general(text: str) -> str:
    """A sentence without its figures, so that the number of different ones stays small."""
    return str(_FIGURES.sub("#", clean(text)))


def clean(text: str) -> str:
    """Text that any database takes as a key: bounded, no NUL, no lone surrogate."""
    return text[:_MAX_TEXT].replace("\x00", "\ufffd").encode("utf-8", "backslashreplace").decode("utf-8")


def reasons_of(payload: dict[str, Any]) -> Iterator[str]:
    """The sentences that say why."""
    for reason in _dicts(_dict(payload.get("decision")).get("reasons")):
        if isinstance(reason.get("text"), str):
            yield reason["text"]
    if isinstance(payload.get("reason"), str):
        yield payload["reason"]


def _found(payload: dict[str, Any]) -> Iterator[tuple[LinkKind, str]]:
    decision, action = _dict(payload.get("decision")), _dict(payload.get("pending_action"))
    evidence = _dicts(decision.get("evidence"))
    for reason in _dicts(decision.get("reasons")):
        yield LinkKind.REASON, str(reason.get("kind") or "")
    yield from ((LinkKind.TEXT, general(text)) for text in reasons_of(payload))
    yield LinkKind.TOOL, str(action.get("tool_name") or payload.get("tool_name") or "")
    yield from ((LinkKind.RULE, str(item.get("found_by") or "")) for item in evidence)
    yield from ((LinkKind.RULE, name) for name in _names(payload.get("rules"), payload.get("rule")))
    for item in evidence:
        yield from ((LinkKind.ENTRY, name) for name in _names(item.get("entry_ids")))
    yield from ((LinkKind.ENTRY, str(patch.get("entry_id") or "")) for patch in _dicts(decision.get("patches")))
    yield from ((LinkKind.ENTRY, name) for name in _names(payload.get("entry_ids"), payload.get("entry_id")))
    yield from ((LinkKind.ENTRY, name) for name in _names(action.get("depends_on")))
    for entry in _dicts(_dict(payload.get("snapshot")).get("touched")):
        yield LinkKind.ENTRY, str(entry.get("id") or "")


def _names(*values: object) -> Iterable[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list | tuple):
            yield from (item for item in value if isinstance(item, str))


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _dicts(value: object) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list | tuple) else []
