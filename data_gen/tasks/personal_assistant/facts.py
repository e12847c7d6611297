"""Facts of one task, what follows from them, and how they are read back from lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import re2

from data_gen.notes import Note
from data_gen.statements import Name, Quantity, StatementRole, Turn
from data_gen.tasks.personal_assistant.catalogue import CHOSEN, JUDGED, Pattern
from data_gen.tasks.personal_assistant.sorts import FLAG_WORDS, Family, Noun, Shape, Sort
from data_gen.texts.figures import find_figures

TENTATIVE: Final = {
    "en": ("perhaps", "roughly", "at a guess", "supposedly", "possibly"),
    "zh": ("大概", "也许", "约莫", "估计", "可能"),
}
# Units that nobody in these households uses, but that a slip of the pen can bring in.
_ODD_UNITS: Final = re2.compile(r"(\d[\d,]*(?:\.\d+)?) ?(mi\b|lb\b|months\b|英里|市斤)")
Value = float | str | bool


@dataclass(frozen=True, slots=True)
class Reading:
    """A value as it was read, its unit, and the entries behind it."""

    value: Value
    unit: str = ""
    used: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of the household.

    Attributes:
        key: `a`, `b` or `c`; conclusions have names.
        topic: What it is about; no topic of a task is part of another.
        shape: What its value is.
        value: The true value at the end.
        unit: Its unit in the task's language.
        before: The value before a change, if it changed.
        nearby: Other numbers in the same record.
        sort: Its sort; `None` for conclusions.
        family: Kind of yes and no, for flags.
        noun: Kind of name, for names.
        options: The names that it could have, for names.
        step: Step of its numbers.
    """

    key: str
    topic: str
    shape: Shape
    value: Value
    unit: str = ""
    before: Value | None = None
    nearby: tuple[float, ...] = ()
    sort: Sort | None = None
    family: Family | None = None
    noun: str = ""
    options: tuple[str, ...] = ()
    step: float = 1.0

    @property
    def is_told(self) -> bool:
        """Whether the user says it, and no tool knows it."""
        return self.sort is not None and not self.sort.tool

    def note(self, reading: Reading, *, role: StatementRole = StatementRole.FACT, revised: bool = False) -> Note:
        """The note that states a reading of it."""
        words = {"topic": self.topic}
        match self.shape:
            case Shape.FLAG:
                symbol, other = ("yes", "no") if reading.value else ("no", "yes")
                turns = {Turn.OPPOSITE: f"{self.family}_{other}"}
                return Note(f"{self.family}_{symbol}", words=words, turns=turns, kind=role)
            case Shape.NAME:
                return Note("name", nouns={"value": Name(str(reading.value), self.noun)}, words=words, kind=role)
            case Shape.FIGURE:
                before = float(self.before) if revised and isinstance(self.before, (int, float)) else None
                value = Quantity(float(reading.value), reading.unit, self.step, before, self.nearby)
                symbol = "revised" if revised else "figure"
                return Note(symbol, numbers={"value": value}, words=words, kind=role)

    def read(self, text: str, language: str) -> Reading | None:
        """What a text says about it in its first line about it; a guess says nothing."""
        for line in text.split("\n"):
            folded = line.lower()
            if self.topic.lower() not in folded or any(cue in folded for cue in TENTATIVE[language]):
                continue
            found = self._read_line(line, folded.replace(self.topic.lower(), " "), language)
            if found is not None:
                return found
        return None

    def _read_line(self, line: str, rest: str, language: str) -> Reading | None:
        if self.shape is Shape.FIGURE:
            figures = [found for found in find_figures(line) if found.unit]
            if figures:
                return Reading(figures[0].value, figures[0].unit)
            odd = _ODD_UNITS.search(line)
            return Reading(float(odd.group(1).replace(",", "")), odd.group(2)) if odd else None
        if self.shape is Shape.NAME:
            named = [name for name in self.options if name.lower() in rest]
            return Reading(named[0]) if named else None
        assert self.family is not None
        for yes, no in FLAG_WORDS[language][self.family]:
            if yes in rest or no in rest:
                return Reading(yes in rest)
        return None


def conclusion_of(pattern: Pattern, figures: Sequence[Fact], language: str) -> Fact | None:
    """The fact that is concluded, without its value; `None` if the pattern concludes nothing."""
    if pattern in (Pattern.VALUE, Pattern.PLAIN):
        return None
    topic = CONCLUDED[language][pattern]
    first = figures[0]
    blank = Fact("conclusion", topic, Shape.FIGURE, 0.0, first.unit, step=first.step)
    if pattern in CHOSEN:
        options = tuple(fact.topic for fact in figures)
        return replace(blank, shape=Shape.NAME, value="", noun="choice", options=options)
    if pattern in JUDGED:
        family = Family.FITS if pattern is Pattern.FITS else Family.ABOVE
        return replace(blank, shape=Shape.FLAG, value=False, family=family)
    if pattern in (Pattern.SPLIT, Pattern.SUM) or first.unit not in ("kg", "公斤"):
        step = 0.01 if pattern is Pattern.SPLIT else min(fact.step for fact in figures)
        return replace(blank, step=step)
    return replace(blank, step=0.5)


def conclude(pattern: Pattern, figures: Sequence[Fact], readings: Sequence[Reading], count: int) -> Reading:
    """What follows from readings of the figures."""
    values, unit = [float(reading.value) for reading in readings], readings[0].unit
    match pattern:
        case Pattern.SUM:
            return Reading(round(sum(values), 2), unit)
        case Pattern.SPLIT:
            return Reading(round(values[0] / count, 2), unit)
        case Pattern.REST:
            return Reading(max(0.0, round(values[0] - values[1], 2)), unit)
        case Pattern.TIMES:
            return Reading(round(values[0] * count, 2), unit)
        case Pattern.LOWEST:
            return Reading(figures[values.index(min(values))].topic)
        case Pattern.HIGHEST:
            return Reading(figures[values.index(max(values))].topic)
        case Pattern.FITS:
            return Reading(values[0] <= values[1])
        case Pattern.ABOVE:
            return Reading(values[0] >= values[1])
        case _:
            raise ValueError(f"{pattern} concludes nothing")


CONCLUDED: Final = {
    "en": {
        Pattern.SUM: "the joint total", Pattern.SPLIT: "a single share", Pattern.REST: "the remainder",
        Pattern.TIMES: "the multiple", Pattern.LOWEST: "the lower one", Pattern.HIGHEST: "the higher one",
        Pattern.FITS: "that figure", Pattern.ABOVE: "the use made of it",
    },
    "zh": {
        Pattern.SUM: "合计", Pattern.SPLIT: "每份", Pattern.REST: "余下部分", Pattern.TIMES: "总数",
        Pattern.LOWEST: "较低的一项", Pattern.HIGHEST: "较高的一项", Pattern.FITS: "这个数目",
        Pattern.ABOVE: "使用情况",
    },
}  # fmt: skip
BRIEF_TOPIC: Final = {"en": "the person to write to", "zh": "收信人"}
PERSON_KIND: Final = str(Noun.PERSON)
