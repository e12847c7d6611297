"""What a test reads off a run."""

from __future__ import annotations

from collections.abc import Iterable

from mage_ml.memory.notices import MARK_EN, MARK_ZH
from tests.integrations.world import RunRecord


def said(messages: Iterable[object]) -> str:
    return "\n".join(getattr(item, "text", "") for item in messages)


def marks_in(messages: Iterable[object]) -> list[str]:
    """Texts that hold a notice of the guard."""
    texts = (getattr(item, "text", "") for item in messages)
    return [text for text in texts if MARK_EN in text or MARK_ZH in text]


def without_marks(messages: Iterable[object]) -> str:
    """What is said but for the guard's own texts, which quote what they warn of."""
    texts = (getattr(item, "text", "") for item in messages)
    return "\n".join(text for text in texts if MARK_EN not in text and MARK_ZH not in text)


def ended_by_the_guard(record: RunRecord, mark: str = MARK_EN) -> bool:
    """Whether the run ended with the guard's text, as the answer or as what was raised."""
    return mark in (record.answer if record.error is None else str(record.error))
