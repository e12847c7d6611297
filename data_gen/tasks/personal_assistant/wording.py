"""The assistant's writers: frames by register, from which the grammars of all statements are put together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from data_gen.tasks.personal_assistant import words_en, words_zh
from data_gen.tasks.personal_assistant.sorts import FLAG_WORDS
from data_gen.texts.grammar import Rules
from data_gen.writers import REGISTERS, build_writers


@dataclass(frozen=True, slots=True)
class Frames:
    """How one register words statements.

    Attributes:
        value: Frames for names and figures, with `{topic}` and `{value}`.
        figure: Further ones for figures only.
        flag: Frames for yes and no, with `{topic}` and a `W` for the word.
        doubt: Frames for guesses and what was settled, with a `W`.
        change: Frames for figures that changed.
        rules: The other symbols.
    """

    value: tuple[str, ...]
    figure: tuple[str, ...]
    flag: tuple[str, ...]
    doubt: tuple[str, ...]
    change: tuple[str, ...]
    rules: Rules


def _rules(frames: Frames, language: str, common: Rules, sure: tuple[tuple[str, str], ...]) -> Rules:
    rules: dict[str, tuple[str, ...]] = {**common, **frames.rules}
    rules["name"] = frames.value
    rules["figure"] = (*frames.value, *frames.figure)
    rules["revised"] = (*frames.value, *frames.change)
    rules["guess"] = tuple(frame.replace("W", unsure) for frame in frames.doubt for unsure, _ in sure)
    # Firm words stand on ordinary figures too, so that they are no sign of a guess that lost its doubt.
    rules["settled"] = tuple(frame.replace("W", firm) for frame in frames.doubt for _, firm in sure)
    rules["figure"] = (*rules["figure"], *rules["figure"], *rules["settled"][:: len(sure) - 1])
    for family, pairs in FLAG_WORDS[language].items():
        for place, answer in enumerate(("yes", "no")):
            rules[f"{family}_{answer}"] = tuple(f.replace("W", pair[place]) for f in frames.flag for pair in pairs)
    return rules


def _grammars(language: str) -> Mapping[str, Rules]:
    words = words_en if language == "en" else words_zh
    return {
        register: _rules(Frames(**words.REGISTER_FRAMES[register]), language, words.COMMON, words.SURE)
        for register in REGISTERS
    }


WRITERS: Final = build_writers({language: _grammars(language) for language in ("en", "zh")})
