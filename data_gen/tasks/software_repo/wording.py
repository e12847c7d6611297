"""The writers of this domain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from data_gen.tasks.software_repo import words_en, words_zh
from data_gen.writers import Writer, build_writers

WRITERS: Final[Mapping[str, Writer]] = build_writers({"en": words_en.WRITERS, "zh": words_zh.WRITERS})
BRIEF_LEADS: Final = {name: words[0]["brieflead"] for name, words in (
    ("en", tuple(words_en.WRITERS.values())), ("zh", tuple(words_zh.WRITERS.values())),
)}  # fmt: skip
