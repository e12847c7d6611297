"""What a session says by itself, beside what the guard's decisions say, in both languages."""

from __future__ import annotations

from typing import Final

import re2

from mage_ml.memory import MemoryEntry
from mage_ml.memory.notices import MARK_EN, MARK_ZH
from mage_ml.memory.stores.base import HIDDEN_STATUSES
from mage_ml.runtime.guardrail.wording import Language, language_of_text

# Nothing of what an entry says may find its way into the text that stands for it.
_HIDDEN: Final = re2.compile(
    r"\[memory guard\] Entry [a-z]+-[0-9a-f]+ was taken out of memory; do not rely on what it said\."
    r"|\[记忆守护\] 条目 [a-z]+-[0-9a-f]+ 已移出记忆，请勿依赖其内容。"
)


def hidden_text(entry_id: str, language: Language) -> str:
    """What the agent reads in place of an entry that it may not read."""
    if language is Language.CHINESE:
        return f"{MARK_ZH} 条目 {entry_id} 已移出记忆，请勿依赖其内容。"
    return f"{MARK_EN} Entry {entry_id} was taken out of memory; do not rely on what it said."


def is_hidden_text(text: str) -> bool:
    """Whether a text is exactly what stands in place of an entry: it says nothing, whoever wrote it."""
    return _HIDDEN.fullmatch(text.strip()) is not None


def shown_text(entry: MemoryEntry, language: Language) -> str:
    """What the agent may read of an entry."""
    return hidden_text(entry.id, language) if entry.status in HIDDEN_STATUSES else entry.text


def standing_note(entry: MemoryEntry, language: Language) -> str:
    """What the guard has noted on an entry that stays in memory; empty for none."""
    if not entry.annotations or entry.status in HIDDEN_STATUSES:
        return ""
    separator = "；" if language is Language.CHINESE else "; "
    notes = separator.join(note.rstrip(".。") for note in entry.annotations[-2:])
    if language is Language.CHINESE:
        return f"{MARK_ZH} 条目 {entry.id}：{notes}。"
    return f"{MARK_EN} Entry {entry.id}: {notes}."


def failure_text(stopped: bool, language: Language) -> str:
    """Says that the guard itself failed, and what follows."""
    if language is Language.CHINESE:
        then = "该操作不会执行。" if stopped else "请谨慎，并回到原始记录核对。"
        return f"{MARK_ZH} 检查未能完成。{then}"
    then = "This action will not be taken." if stopped else "Take care; check the original records."
    return f"{MARK_EN} The check could not be made. {then}"


def gap_text(language: Language) -> str:
    """Says that part of the conversation is unknown to the guard, so that nothing with an effect goes ahead."""
    if language is Language.CHINESE:
        return f"{MARK_ZH} 部分对话未能读入，因此该操作不会执行。"
    return f"{MARK_EN} Part of the conversation could not be read, so this action will not be taken."


def verified_text(tool_name: str, result: str, language: Language) -> str:
    """What came of a verification, for the model, after the text of the redirect."""
    if language is Language.CHINESE:
        return f"\n已重新调用 {tool_name}，结果如下：\n{result}"
    return f"\n{tool_name} was run again. Its result:\n{result}"


__all__ = [
    "Language",
    "failure_text",
    "gap_text",
    "hidden_text",
    "is_hidden_text",
    "language_of_text",
    "shown_text",
    "standing_note",
    "verified_text",
]
