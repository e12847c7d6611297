"""What the research agent concludes: read back from its own notes, derived where they do not hold it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from data_gen.desk import Look, Thought, once
from data_gen.notes import Lines
from data_gen.session import AgentError
from data_gen.statements import Statement
from data_gen.tasks.research_assistant import evidence
from data_gen.tasks.research_assistant.evidence import Evidence
from data_gen.tasks.research_assistant.judge import same_verdict
from data_gen.tasks.research_assistant.notebook import MAX_TRIES, Notebook, Reading
from data_gen.tasks.research_assistant.reading import (
    figures_in,
    read_naming,
    read_orders,
    read_reason,
    read_trait,
    read_verdict,
)
from data_gen.tasks.research_assistant.statements import (
    Key,
    TraitKind,
    Verdict,
    VerdictKind,
    Way,
    conclusion,
    finding,
    naming,
    reason,
    trait,
)
from data_gen.texts.orders import Order
from mage_ml.memory.entry import MemoryEntry

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Known(Generic[T]):
    """What was read from memory, and the entry it was read from."""

    value: T
    entry_id: str


class Findings:
    """What the agent concludes, each time read back from its own notes and derived where they do not hold it."""

    def __init__(self, book: Notebook) -> None:
        self.book = book
        self.task = book.task
        self.language = book.language

    def wanted_keys(self) -> tuple[Key, ...]:
        """The figures to read; a study that the agent has to pick is the one it noted."""
        picks = self.task.recipe.pick is not None
        return self.task.question.keys_of(self.name().value if picks else "")

    def name(self) -> Known[str]:
        """Who or what is asked for."""
        kind, subject = self.task.recipe.naming, self.task.question.subject
        assert kind is not None
        return self._known(
            f"naming:{kind}",
            lambda entry: read_naming(entry.text, kind, subject, self.language),
            lambda: evidence.of_name(self.book, kind),
            lambda found: naming(kind, subject, found),
        )

    def traits(self) -> dict[str, Known[Way]]:
        """Whether each source asked about has the trait asked for."""
        kind = self.task.recipe.trait
        return {} if kind is None else {name: self._trait(kind, name) for name in self.task.question.subjects}

    def support(self) -> Known[Way]:
        """Whether a second, separate study measured the first figure."""
        keys = self.wanted_keys()
        return self._trait(TraitKind.SUPPORT, keys[0].study if keys else self.task.question.studies[0])

    def reason(self) -> Known[str]:
        """The cause; empty if the texts tell none."""
        return self._known(
            "reason",
            lambda entry: read_reason(entry.text, self.language),
            lambda: evidence.of_reason(self.book),
            reason,
        )

    def verdict(self) -> Known[Verdict]:
        """The conclusion.

        Raises:
            AgentError: It cannot be read back.
        """
        kind = self.task.recipe.verdict
        assert kind is not None
        figured = kind not in (VerdictKind.INSIDE, VerdictKind.CLAIM, VerdictKind.COUNT)
        for _ in range(MAX_TRIES):
            for entry in self.book.own_notes(self.book.verdict_from):
                found = read_verdict(entry.text, kind, self.language, figured)
                if found is not None:
                    return self._rechecked(found, entry)
            self._conclude("verdict")
        raise AgentError("cannot read the conclusion back")

    def summarise(self) -> None:
        """Condense figures, or traits, into one entry."""
        known: dict[Key, Reading] = {}

        def think() -> Thought:
            readings = self._readings(known, "summary")
            parts: list[Statement] = [finding(reading.figure, self.book.measure) for reading in readings]
            used = [entry_id for reading in readings for entry_id in reading.used]
            kind = self.task.recipe.trait
            if kind is not None and not parts:
                traits = self.traits()
                parts = [trait(kind, name, found.value, self._other(kind)) for name, found in traits.items()]
                used = [found.entry_id for found in traits.values()]
            return Thought("", once(used), Lines(tuple(parts)))

        first = think()
        self.book.note("summary", think)
        self.book.session.forget(first.used)

    def orders(self) -> list[Order]:
        """The orders found in texts of others that the agent goes along with."""
        found = read_orders(self.book.session.visible(), self.language)
        return [order for order in found if self.book.obeys(order.kind, order.value)]

    def _trait(self, kind: TraitKind, subject: str) -> Known[Way]:
        return self._known(
            f"trait:{kind}:{subject}",
            lambda entry: read_trait(entry.text, kind, subject, self.language),
            lambda: evidence.of_trait(self.book, kind, subject),
            lambda way: trait(kind, subject, way, self._other(kind)),
        )

    def _other(self, kind: TraitKind) -> str:
        return self.task.question.studies[1] if kind is TraitKind.SAME_METHOD else ""

    def _known(
        self,
        slot: str,
        read: Callable[[MemoryEntry], T | None],
        look: Callable[[], Evidence[T]],
        word: Callable[[T], Statement],
    ) -> Known[T]:
        """Read a finding back from the newest note that states it; look at the evidence where none does, or by habit.

        Raises:
            AgentError: It cannot be read back.
        """
        for _ in range(MAX_TRIES):
            for entry in self.book.own_notes():
                found = read(entry)
                if found is None:
                    continue
                if self.book.looks_again(slot) is not Look.TRUST:
                    seen = look()
                    if seen.value != found:
                        self._disowns(slot, (*seen.used, entry.id))
                        break
                return Known(found, entry.id)

            def think() -> Thought:
                seen = look()
                return Thought("", seen.used, word(seen.value))

            look()
            self.book.note(slot, think)
        raise AgentError(f"cannot read {slot} back")

    def _disowns(self, slot: str, used: tuple[str, ...]) -> None:
        """Remark that a note does not hold; what rests on it is concluded anew."""
        self.book.say(f"mismatch:{slot}", "disowned", once(used))
        self.book.verdict_from = len(self.book.session.memory.entries())

    def _conclude(self, slot: str) -> None:
        known: dict[Key, Reading] = {}
        worked: list[str] = []

        def think() -> Thought:
            readings = self._readings(known, slot)
            used = [entry_id for reading in readings for entry_id in reading.used]
            traits = self.traits()
            used += [found.entry_id for found in traits.values()]
            if self.task.recipe.old_brief:
                used.append(self._filed().entry_id)
            used += [entry_id for entry_id in worked if self.book.entry(entry_id) is not None]
            return Thought("", once(used), conclusion(self._follows(readings), self.book.measure))

        readings = self._readings(known, slot)
        self.traits()
        if self.task.recipe.old_brief:
            self._filed()
        expression = _sum_of(self.task.recipe.verdict, [reading.figure.value for reading in readings])
        if expression and self.book.draws(0.4, "works out"):
            used = once([entry_id for reading in readings for entry_id in reading.used])
            worked.append(self.book.call(f"sum:{slot}", "calculate", {"expression": expression}, used)[0].id)
        self.book.note(slot, think)

    def _follows(self, readings: list[Reading]) -> Verdict:
        question = self.task.question
        if self.task.recipe.old_brief:
            question = replace(question, filed=self._filed().value)
        ways = {name: found.value for name, found in self.traits().items()}
        figures = [reading.figure for reading in readings]
        return question.conclude(figures, ways, self.book.measure.name, self.book.measure.step)

    def _filed(self) -> Known[float]:
        """The figure in the brief on file."""
        if not self.book.records("read_brief"):
            self.book.call("old brief", "read_brief", {"path": self.task.old_path}, (self.book.goal_id,))
        entry = self.book.records("read_brief")[0]
        figures = figures_in(entry, self.language)
        if not figures:
            raise AgentError("cannot read the brief on file")
        return Known(figures[0].value, entry.id)

    def _readings(self, known: dict[Key, Reading], purpose: str) -> list[Reading]:
        """The figures asked for; those already read stand unless their entries are gone or notes are distrusted."""
        keys = self.wanted_keys()
        for key in keys:
            reading = known.get(key)
            gone = reading is None or any(self.book.entry(entry_id) is None for entry_id in reading.used)
            if gone or self.book.session.distrusts_notes:
                known[key] = self.book.reading(key, purpose)
        return [known[key] for key in keys]

    def _rechecked(self, found: Verdict, entry: MemoryEntry) -> Known[Verdict]:
        if self.book.looks_again("verdict") is Look.TRUST:
            return Known(found, entry.id)
        readings = [self.book.reading(key, "recheck") for key in self.wanted_keys()]
        if same_verdict(found, self._follows(readings)):
            return Known(found, entry.id)
        used = [entry_id for reading in readings for entry_id in reading.used]
        self._disowns("verdict", (*used, entry.id))
        self._conclude("verdict:again")
        return self.verdict()


def _sum_of(kind: VerdictKind | None, values: list[float]) -> str:
    """What the agent has the calculator work out for a conclusion; empty where there is nothing to work out."""
    if len(values) < 2:
        return ""
    match kind:
        case VerdictKind.MEAN:
            return f"({' + '.join(f'{value:g}' for value in values)}) / {len(values)}"
        case VerdictKind.SPREAD | VerdictKind.GAP | VerdictKind.AGREE:
            return f"{max(values):g} - {min(values):g}"
        case VerdictKind.RATIO:
            return f"{values[0]:g} / {values[-1]:g} - 1"
        case _:
            return ""
