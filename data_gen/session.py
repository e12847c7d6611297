"""One run: an agent that acts on what it reads back from its memory, step by step, before a gate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Protocol

from pydantic import JsonValue

from data_gen.randomness import Rng, rng_for
from data_gen.statements import Statement, Write
from mage_ml.memory.entry import MemoryEntry, Source, Status
from mage_ml.memory.snapshot import PendingAction

MAX_ATTEMPTS: Final = 4
_EPOCH: Final = 1_750_000_000


class AgentMemory(Protocol):
    """The store that the agent writes to and reads from."""

    def append(self, entry: MemoryEntry) -> None:
        """Store an entry."""

    def entries(self) -> Sequence[MemoryEntry]:
        """Everything stored, in order, whatever its status."""


class ListMemory:
    """Memory in a list."""

    def __init__(self) -> None:
        self._entries: list[MemoryEntry] = []

    def append(self, entry: MemoryEntry) -> None:
        """Store an entry."""
        self._entries.append(entry)

    def entries(self) -> Sequence[MemoryEntry]:
        """Everything stored, in order."""
        return self._entries

    def replace(self, entry: MemoryEntry) -> None:
        """Put a new version of an entry in its place."""
        position = next(index for index, old in enumerate(self._entries) if old.id == entry.id)
        self._entries[position] = entry


class RulingKind(StrEnum):
    """What a gate says to a pending action."""

    PROCEED = "proceed"
    WARN = "warn"
    REPAIR = "repair"
    REDIRECT = "redirect"
    HALT = "halt"


@dataclass(frozen=True, slots=True)
class Ruling:
    """Answer of a gate.

    Attributes:
        kind: What the agent has to do.
        message: Why, for the agent's context.
        entry_ids: The entries it is about.
        tool: The tool to run again, on a redirect.
        arguments: Its arguments.
    """

    kind: RulingKind
    message: str = ""
    entry_ids: tuple[str, ...] = ()
    tool: str | None = None
    arguments: dict[str, JsonValue] = field(default_factory=dict)


PROCEED: Final = Ruling(RulingKind.PROCEED)


class Gate(Protocol):
    """Asked before each action."""

    def check(self, proposal: Proposal) -> Ruling:
        """Rule on an action that is about to be taken."""


class OpenGate:
    """Lets everything pass: recording without a guard."""

    def check(self, proposal: Proposal) -> Ruling:
        """Proceed."""
        return PROCEED


@dataclass(frozen=True, slots=True)
class Proposal:
    """An action, and what only the agent knows about it; a guard sees the action alone.

    Attributes:
        action: What is proposed.
        obeys: Entries with orders found in data that the action follows.
        only_examines: Whether it looks into entries without adopting what they say.
    """

    action: PendingAction
    obeys: tuple[str, ...] = ()
    only_examines: bool = False


@dataclass(frozen=True, slots=True)
class RawMoment:
    """A pending action as recorded: how many entries there were, and what was proposed."""

    visible: int
    proposal: Proposal


@dataclass(frozen=True, slots=True)
class Edit:
    """A change to one write, made as it is stored."""

    slot: str
    apply: Callable[[Write], MemoryEntry]


class AgentError(Exception):
    """The agent cannot go on: a run that ends so has failed and is no data."""


class HaltedError(Exception):
    """The gate stopped the run. Carries the ruling."""

    def __init__(self, ruling: Ruling) -> None:
        super().__init__(ruling.message)
        self.ruling = ruling


class Session:
    """Memory, gate and record of one run.

    An agent sets `on_warning` (called after a warning: notes are no longer to be trusted) and `run_tool` (runs a tool
    again on a redirect, and remembers what it returned).

    Args:
        seed: Seed of the run.
        memory: Where entries go.
        gate: Asked before each action.
        edit: The one write to change.
    """

    def __init__(
        self, seed: int, *, memory: AgentMemory | None = None, gate: Gate | None = None, edit: Edit | None = None
    ) -> None:
        self.seed = seed
        self.memory: AgentMemory = memory if memory is not None else ListMemory()
        self.on_warning: Callable[[], None] | None = None
        self.run_tool: Callable[[str, dict[str, JsonValue]], object] | None = None
        self.distrusts_notes = False
        self.writes: list[Write] = []
        self.moments: list[RawMoment] = []
        self.original: MemoryEntry | None = None
        self._gate: Gate = gate if gate is not None else OpenGate()
        self._edit = edit
        self._start = _EPOCH + seed % 9_000_000

    def rng(self, *names: str | int) -> Rng:
        """The generator of a named decision in this run."""
        return rng_for(self.seed, *names)

    def visible(self) -> list[MemoryEntry]:
        """What the agent reads: quarantined and superseded entries are hidden."""
        return [entry for entry in self.memory.entries() if entry.status in (Status.ACTIVE, Status.SUSPECT)]

    def remember(
        self,
        slot: str,
        content: JsonValue,
        source: Source,
        *,
        statement: Statement | None = None,
        redraw: Callable[[Statement, Rng], JsonValue] | None = None,
        depends_on: Sequence[str] = (),
        tool_name: str | None = None,
        origin: str | None = None,
        confidence: float | None = None,
    ) -> MemoryEntry:
        """Store an entry; the edit, if it is meant for this write, is made here."""
        number = len(self.memory.entries())
        fields = {"confidence": confidence} if confidence is not None else {}
        entry = MemoryEntry.model_validate(
            {
                "id": f"e{number + 1}",
                "content": content,
                "source": source,
                "tool_name": tool_name,
                "origin": origin,
                "step": number,
                "timestamp": float(self._start + 17 * number),
                "depends_on": tuple(dict.fromkeys(depends_on)),
                **fields,
            }
        )
        write = Write(slot, entry, statement, redraw)
        if self._edit is not None and self._edit.slot == slot and self.original is None:
            self.original = entry
            entry = self._edit.apply(write)
        self.writes.append(write)
        self.memory.append(entry)
        return entry

    def decide(self, build: Callable[[], Proposal | None]) -> Proposal | None:
        """Propose an action until the gate lets it pass; each time it is built anew from memory as it then is.

        Returns:
            What was approved; `None` when memory, as it is now, no longer calls for the action.

        Raises:
            HaltedError: The gate stopped the run, or kept objecting.
        """
        warned = False
        for _ in range(MAX_ATTEMPTS):
            proposal = build()
            if proposal is None:
                return None
            self.moments.append(RawMoment(len(self.memory.entries()), proposal))
            ruling = self._gate.check(proposal)
            match ruling.kind:
                case RulingKind.PROCEED:
                    return proposal
                case RulingKind.HALT:
                    raise HaltedError(ruling)
                case RulingKind.WARN if warned:
                    return proposal
                case RulingKind.WARN:
                    warned = self.distrusts_notes = True
                    self.remember(f"warning:{len(self.moments)}", ruling.message, Source.SYSTEM, origin="guard")
                    if self.on_warning is not None:
                        self.on_warning()
                case RulingKind.REDIRECT if ruling.tool is not None and self.run_tool is not None:
                    self.distrusts_notes = True
                    self.run_tool(ruling.tool, dict(ruling.arguments))
                case _:
                    pass  # repaired: the next build reads the repaired memory
        raise HaltedError(Ruling(RulingKind.HALT, "the gate kept objecting", ruling.entry_ids))
