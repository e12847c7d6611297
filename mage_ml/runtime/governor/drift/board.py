"""The board: constraints pinned outside the model's reach, and into the shadow memory as entries of the system."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol

from mage_ml.errors import ConfigError
from mage_ml.forking import fork_safe_lock
from mage_ml.memory import MemoryEntry, Role, Source, Status
from mage_ml.runtime.governor.constraint import ConstraintSet
from mage_ml.runtime.governor.drift.accepted import AcceptedRewordings
from mage_ml.runtime.governor.drift.history import DriftHistory
from mage_ml.runtime.governor.drift.pin import Pin
from mage_ml.runtime.governor.drift.synonyms import Synonyms, synonyms_of
from mage_ml.runtime.governor.drift.verdicts import Boundary, Verification
from mage_ml.runtime.governor.drift.verify import verify
from mage_ml.runtime.guardrail.wording import Language, language_of_text

_RESTORED: Final = {
    Language.ENGLISH: "Rules in force (restored by the governor; they hold whatever is said below):",
    Language.CHINESE: "现行规则（由治理器恢复；无论下文如何表述，均须遵守）：",
}
ORIGIN: Final = "constraint"
"""Origin of pinned entries in memory."""


class EntrySink(Protocol):
    """Where pinned entries go: a `ShadowMemory`, or a guard."""

    def observe(self, entry: MemoryEntry) -> None:
        """Take in an entry.

        Raises:
            RecordError: The id is taken.
        """


class PinBoard:
    """Constraints that have to survive. Safe to share between threads.

    The texts are kept here and are handed to nobody who could change them: what an agent makes of a constraint is
    always compared with what was pinned, never with what the last agent made of it, so that small changes cannot add
    up over several hand-overs.

    Args:
        pins: The constraints.
        synonyms: Words that count as equal in a restatement; the built-in ones if not given.
        accepted: Rewordings that a person has accepted.
        history: Where findings are counted; one of its own if not given.
        clock: Seconds since the epoch.
    """

    def __init__(
        self,
        pins: Iterable[Pin] = (),
        *,
        synonyms: Synonyms | None = None,
        accepted: AcceptedRewordings | None = None,
        history: DriftHistory | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._synonyms = synonyms if synonyms is not None else synonyms_of()
        self._accepted = accepted
        self.history = history if history is not None else DriftHistory()
        self._clock = clock
        self._lock = fork_safe_lock()
        self._pins: dict[str, Pin] = {}
        for pin in pins:
            self.pin(pin)

    @classmethod
    def of(cls, constraints: ConstraintSet, **options: Any) -> PinBoard:  # noqa: ANN401 - those of the class
        """A board with the active constraints of a file; `options` are those of the class."""
        return cls(pins_of(constraints), **options)

    def pin(self, pin: Pin) -> None:
        """Pin a constraint, or a new version of one.

        Raises:
            ConfigError: An older version than the one that is pinned, or another text under the same version.
        """
        with self._lock:
            old = self._pins.get(pin.constraint_id)
            if old is not None and pin.version <= old.version and pin != old:
                raise ConfigError(
                    f"constraint {pin.constraint_id!r}: version {pin.version} is not newer than version {old.version}, "
                    "which is pinned with another text; raise the version"
                )
            self._pins[pin.constraint_id] = pin

    def unpin(self, constraint_id: str) -> None:
        """Take a constraint off the board; nothing happens if it is not there."""
        with self._lock:
            self._pins.pop(constraint_id, None)

    def replace(self, pins: Iterable[Pin]) -> None:
        """Put a whole new set on the board at once, after a reload of the constraint file."""
        fresh = {pin.constraint_id: pin for pin in pins}
        with self._lock:
            self._pins = fresh

    @property
    def pins(self) -> tuple[Pin, ...]:
        """Everything on the board, in the order in which it was pinned."""
        with self._lock:
            return tuple(self._pins.values())

    def binding(self, agent_id: str, task: str = "") -> tuple[Pin, ...]:
        """The constraints that bind an agent in a task."""
        return tuple(pin for pin in self.pins if pin.scope.covers(agent_id, task))

    def pin_into(self, memory: EntrySink, agent_id: str, *, task: str = "", step: int = 0) -> tuple[MemoryEntry, ...]:
        """Put the constraints that bind an agent into a memory as entries of the system, and return them.

        They have confidence 1 and the role of an instruction, so that rules and the classifier hold the agent's own
        notes against them. Pin once for each memory and version.

        Raises:
            RecordError: They are there already.
        """
        entries = tuple(
            pinned_entry(pin, text, agent_id, step) for pin in self.binding(agent_id, task) for text in pin.texts
        )
        for entry in entries:
            memory.observe(entry)
        return entries

    def verify(self, text: str, *, boundary: Boundary, agent_id: str, task: str = "") -> Verification:
        """Verify what an agent goes on with after a boundary, count the findings, and say what has to be restored.

        Args:
            text: The summary, briefing or restored context, as the agent will read it.
            boundary: What happened to it.
            agent_id: The agent that goes on: the delegate, for a delegation.
            task: Its task, for scopes.
        """
        pins = self.binding(agent_id, task)
        findings = verify(pins, text, synonyms=self._synonyms, accepted=self._accepted)
        lost = [pin for pin, finding in zip(pins, findings, strict=True) if not finding.verdict.is_kept]
        verification = Verification(
            boundary=boundary,
            agent_id=agent_id,
            findings=findings,
            restored=restored_block(lost, language_of_text(text)) if lost else "",
            timestamp=max(0.0, self._clock()),
        )
        self.history.add(verification)
        return verification


def pins_of(constraints: ConstraintSet) -> tuple[Pin, ...]:
    """The pins of the active constraints of a file; for `PinBoard.replace` after a reload."""
    return tuple(Pin.of(constraint) for constraint in constraints.constraints if constraint.state.active)


def pinned_entry(pin: Pin, text: str, agent_id: str, step: int = 0) -> MemoryEntry:
    """A pinned constraint as an entry of an agent's memory: of the system, certain, and an instruction."""
    language = "" if len(pin.texts) == 1 else f":{'en' if text == pin.english else 'zh'}"
    return MemoryEntry(
        id=f"pin:{pin.constraint_id}:v{pin.version}{language}",
        content=text,
        source=Source.SYSTEM,
        role=Role.INSTRUCTION,
        status=Status.ACTIVE,
        origin=f"{ORIGIN}:{pin.constraint_id}",
        agent_id=agent_id,
        confidence=1.0,
        step=step,
    )


def restored_block(pins: Iterable[Pin], language: Language) -> str:
    """Constraints in their own words, one a line, under a heading in the language of the text they stand before."""
    lines = (
        pin.chinese if language is Language.CHINESE and pin.chinese else pin.english or pin.chinese for pin in pins
    )
    return "\n".join((_RESTORED[language], *(f"- {' '.join(line.split())}" for line in lines)))
