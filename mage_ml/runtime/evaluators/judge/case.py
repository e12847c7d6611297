"""What the judge is shown of a snapshot: chosen, cut, masked."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import re2
from pydantic import JsonValue

from mage_ml.encoding.selection import select_entries
from mage_ml.memory import MemoryEntry, Role, Snapshot
from mage_ml.runtime.redaction import Redactor

CUT_MARK: Final = " [... {count} characters left out ...] "
_MAX_CONFLICTS: Final = 4
_HIDDEN: Final = ("Cc", "Cf", "Co", "Cn", "Zl", "Zp")
# As the redactor writes them.
_TAG = re2.compile(r"\[([^\[\]\n]{1,64}) [0-9a-f]{8}\]")


@dataclass(frozen=True, slots=True)
class ShownEntry:
    """An entry as the judge sees it.

    Attributes:
        entry: The entry.
        text: Its text as shown: masked, and without its middle where it is too long.
        is_data: Whether it is of those whose orders nobody should follow.
    """

    entry: MemoryEntry
    text: str
    is_data: bool


@dataclass(frozen=True, slots=True)
class JudgeCase:
    """A snapshot as the judge sees it.

    Attributes:
        shown: The entries, by id, in chain order.
        lines: The whole as JSON Lines: the task, the entries, the action.
        tokens_seen: Roughly how many tokens of the chosen entries and the action are shown.
        tokens_total: Roughly how many there are in them.
    """

    shown: Mapping[str, ShownEntry]
    lines: tuple[str, ...]
    tokens_seen: int
    tokens_total: int


def build_case(snapshot: Snapshot, redactor: Redactor, *, max_entries: int, max_entry_chars: int) -> JudgeCase:
    """Choose what bears on the pending action, mask what may not leave, cut what is too long.

    Args:
        snapshot: What is judged.
        redactor: Masks. Its tags are numbered anew, so that a text does not depend on the redactor's key.
        max_entries: Entries at most, chosen by graph as for the classifier.
        max_entry_chars: Characters of one entry, and of the action, at most.
    """
    entries = select_entries(snapshot, max_entries)
    action = snapshot.action
    masked = redactor.redact(
        {
            "goal": snapshot.goal,
            "entries": [_fields(snapshot, entry) for entry in entries],
            "action": {
                "type": action.type,
                "tool_name": action.tool_name,
                "arguments": action.arguments,
                "content": action.content,
                "depends_on": list(action.depends_on),
            },
        }
    )
    plain: Any = _numbered(masked)
    seen = total = 0
    shown, lines = {}, [_line({"task": _cut(plain["goal"], max_entry_chars)})]
    for entry, fields in zip(entries, plain["entries"], strict=True):
        whole = _as_text(fields["content"])
        fields["content"] = text = _cut(whole, max_entry_chars)
        seen, total = seen + rough_tokens(text), total + rough_tokens(whole)
        shown[entry.id] = ShownEntry(entry, text, is_data=not entry.is_trusted)
        lines.append(_line({"entry": fields}))
    whole = json.dumps(plain["action"], ensure_ascii=False)
    text = _cut(whole, max_entry_chars)
    seen, total = seen + rough_tokens(text), total + rough_tokens(whole)
    lines.append(_line({"next_action": plain["action"] if text == whole else text}))
    return JudgeCase(shown, tuple(lines), min(seen, total), total)


def rough_tokens(text: str) -> int:
    """Roughly how many tokens a text has: one for four ASCII characters, one for each other character."""
    plain = sum(character.isascii() for character in text)
    return (plain + 3) // 4 + len(text) - plain


def visible(text: str) -> str:
    """A text with its line breaks, control and invisible characters written as JSON escapes.

    Nothing inside can then end its line, and the judge sees what a person would not.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escaped(char) if unicodedata.category(char) in _HIDDEN else char for char in text)


def _escaped(char: str) -> str:
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else json.dumps(char)[1:-1]


def _line(value: Mapping[str, Any]) -> str:
    return visible(json.dumps(value, ensure_ascii=False))


def _fields(snapshot: Snapshot, entry: MemoryEntry) -> dict[str, JsonValue]:
    conflicts = [conflict.earlier.entry_id for conflict in snapshot.facts.conflicts_of(entry.id)][:_MAX_CONFLICTS]
    fields: dict[str, JsonValue] = {
        "id": entry.id,
        "role": (Role.INSTRUCTION if entry.is_trusted else Role.DATA).value,
        "source": entry.source.value,
        "origin": entry.origin,
        "tool_name": entry.tool_name,
        "agent_id": entry.agent_id,
        "step": entry.step,
        "confidence": round(entry.confidence, 3),
        "status": entry.status.value,
        "depends_on": list(entry.depends_on),
        "contradicts_with": list(dict.fromkeys((*entry.contradicts_with, *conflicts))),
        "content": entry.content,
    }
    return {name: value for name, value in fields.items() if value not in (None, [])}


def _as_text(content: JsonValue) -> str:
    """As `MemoryEntry.text`, after masking."""
    return content if isinstance(content, str) else json.dumps(content, ensure_ascii=False, separators=(", ", ": "))


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    head, tail = limit * 2 // 3, limit // 3
    return text[:head] + CUT_MARK.format(count=len(text) - head - tail) + text[-tail:]


def _numbered(payload: JsonValue) -> JsonValue:
    """Tags with numbers in order of their first appearance in place of keyed hashes."""
    known: dict[str, str] = {}

    def renamed(text: str) -> str:
        pieces, end = [], 0
        for match in _TAG.finditer(text):
            tag = known.setdefault(match.group(0), f"[{match.group(1)} #{len(known) + 1}]")
            pieces += [text[end : match.start()], tag]
            end = match.end()
        return "".join([*pieces, text[end:]])

    def walk(value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            return renamed(value)
        if isinstance(value, list):
            return [walk(item) for item in value]
        if isinstance(value, dict):
            return {renamed(name): walk(item) for name, item in value.items()}
        return value

    return walk(payload)
