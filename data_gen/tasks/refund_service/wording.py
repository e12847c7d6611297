"""The writers of the domain."""

from __future__ import annotations

from typing import Final

from data_gen.tasks.refund_service import words_en, words_zh
from data_gen.writers import build_writers

WRITERS: Final = build_writers({"en": words_en.WRITERS, "zh": words_zh.WRITERS})
