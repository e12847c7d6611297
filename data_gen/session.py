"""One run: an agent that acts on what it reads back from its memory, step by step, before a gate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Protocol

from pydantic import JsonValue

from data_gen.agent_memory import AgentMemory, ListMemory
from data_gen.randomness import Rng, rng_for
from data_gen.statements import Statement, Write
from mage_ml.memory.entry import MemoryEntry, Source, Status
from mage_ml.memory.snapshot import PendingAction

MAX_ATTEMPTS: Final = 4
DEFAULT_AGENT: Final = "agent"
OWN_SOURCES: Final = (Source.LLM_REASONING, Source.AGENT)
_EPOCH: Final = 1_750_000_000
_PAUSE: Final = 86_400


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
    """A change to one write, made as it is stored.

    Attributes:
        slot: The write.
        apply: Gives the entry to store in its place.
        also: Changes to further writes of the same run.
    """

    slot: str
    apply: Callable[[Write], MemoryEntry]
    also: tuple[Edit, ...] = ()

    def all(self) -> tuple[Edit, ...]:
        """This change and the further ones."""
        return (self, *(found for edit in self.also for found in edit.all()))


class AgentError(Exception):
    """The agent cannot go on: a run that ends so has failed and is no data."""


class HaltedError(Exception):
    """The gate stopped the run. Carries the ruling."""

    def __init__(self, ruling: Ruling) -> None:
        super().__init__(ruling.message)
        self.ruling = ruling


class Session:
    """Memory, gate and record of one run: of one agent or several, in one sitting or several.

    All of them share one memory. Each entry names the agent whose memory holds it (`acting_as`). What a reader sees is
    the context: everything stored, but for what was let go (`forget`) by a summary or the end of a sitting, and what a
    guard took out. What was let go stays in memory and can be recalled.

    An agent sets `on_warning` (called after a warning: notes are no longer to be trusted) and `run_tool` (runs a tool
    again on a redirect, and remembers what it returned).

    Args:
        seed: Seed of the run.
        memory: Where entries go.
        gate: Asked before each action.
        edit: The write to change, or several.
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
        self.originals: dict[str, MemoryEntry] = {}
        self.agent_id = DEFAULT_AGENT
        self.sitting = 1
        self._forgotten: set[str] = set()
        self._gate: Gate = gate if gate is not None else OpenGate()
        self._edits = {found.slot: found for found in edit.all()} if edit is not None else {}
        self._start = _EPOCH + seed % 9_000_000

    def rng(self, *names: str | int) -> Rng:
        """The generator of a named decision in this run."""
        return rng_for(self.seed, *names)

    @contextmanager
    def acting_as(self, agent_id: str) -> Iterator[None]:
        """Let another agent act and write for a while."""
        before, self.agent_id = self.agent_id, agent_id
        try:
            yield
        finally:
            self.agent_id = before

    def visible(self) -> list[MemoryEntry]:
        """The context: entries that are in force and have not been let go."""
        return [entry for entry in self.stored() if entry.id not in self._forgotten]

    def stored(self) -> list[MemoryEntry]:
        """Persistent memory: all entries in force; quarantined and superseded ones are hidden."""
        return [entry for entry in self.memory.entries() if entry.status in (Status.ACTIVE, Status.SUSPECT)]

    def forget(self, entry_ids: Iterable[str]) -> None:
        """Let entries go from the context: they were condensed. They stay in memory."""
        self._forgotten.update(entry_ids)

    def next_sitting(self) -> None:
        """Begin a new session with an empty context; memory persists, and steps count on."""
        self.sitting += 1
        self.forget(entry.id for entry in self.memory.entries())
        self._start += _PAUSE

    def recall(self, slot: str, entry: MemoryEntry) -> MemoryEntry:
        """Bring a stored entry back into the context, as memory holds it now."""
        return self.remember(
            slot,
            entry.content,
            Source.RETRIEVED,
            depends_on=(entry.id,),
            tool_name="search_memory",
            origin=f"own memory: {entry.agent_id}" if entry.source in OWN_SOURCES else entry.origin,
            confidence=entry.confidence,
        )

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
                "agent_id": self.agent_id,
                "step": number,
                "timestamp": float(self._start + 17 * number),
                "depends_on": tuple(dict.fromkeys(depends_on)),
                **fields,
            }
        )
        write = Write(slot, entry, statement, redraw, tool_name or self._tool_behind(entry))
        if slot in self._edits and slot not in self.originals:
            self.originals[slot] = entry
            entry = self._edits[slot].apply(write)
        self.writes.append(write)
        self.memory.append(entry)
        return entry

    def _tool_behind(self, entry: MemoryEntry) -> str | None:
        tools = {known.id: known.tool_name for known in self.memory.entries() if known.tool_name}
        return next((tools[parent] for parent in entry.depends_on if parent in tools), None)

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
