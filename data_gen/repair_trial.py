"""What a repair costs and what it saves: ways to remove a known poison from an agent's memory, compared.

The poison is known here, so that the figures are about the repair alone and not about its detection. Just before the
first consequence the memory is repaired, once, and the agent goes on from it. Which entries are really poisoned is
told by the clean run of the same seed: an entry that stands there word for word is clean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from data_gen.agent_memory import ListMemory
from data_gen.guarded import GuardedCase
from data_gen.proof import run_once
from data_gen.session import PROCEED, AgentError, HaltedError, Proposal, Ruling, RulingKind, Session
from mage_ml.memory.entry import MemoryEntry, Status
from mage_ml.memory.graph import DependencyGraph
from mage_ml.memory.snapshot import PendingAction, Snapshot
from mage_ml.runtime.guardrail import causal_quarantine


class Strategy(StrEnum):
    """How a memory is repaired."""

    NOTHING = "nothing"
    """The poison stays."""
    DELETION = "deletion"
    """The poisoned entry goes, what was derived from it stays."""
    CAUSAL = "causal"
    """The poisoned entry goes, and what was derived from it without independent support."""
    DESCENDANTS = "descendants"
    """The poisoned entry goes, and everything derived from it."""
    ROLLBACK = "rollback"
    """The poisoned entry goes, and everything written after it."""


@dataclass(frozen=True, slots=True)
class RepairRun:
    """A run with one repair.

    Attributes:
        recovered: Whether the outcome was right.
        halted: Whether the agent could not go on from the repaired memory.
        removed: Entries taken out of use.
        poisoned: Of these, the ones that do not stand word for word in the clean run.
        left: Poisoned entries that were in memory at the repair and stayed in use.
    """

    recovered: bool
    halted: bool
    removed: int
    poisoned: int
    left: int

    @property
    def collateral(self) -> int:
        """Clean entries that went."""
        return self.removed - self.poisoned


def run_repaired(case: GuardedCase, strategy: Strategy) -> RepairRun | None:
    """Run the contaminated arm of a case with one repair just before the first consequence.

    Args:
        case: Task, agent, seed and contamination.
        strategy: How to repair.

    Returns:
        What came of it; `None` when no action of the run rests on the poison. An agent that cannot go on from what is
        left has not recovered.
    """
    clean = run_once(case.domain, case.task, case.profile, case.seed)
    memory = ListMemory()
    gate = _RepairingGate(memory, strategy, case.task.goal, frozenset(_print_of(entry) for entry in clean.entries))
    session = Session(case.seed, memory=memory, gate=gate, edit=case.contaminated)
    gate.session = session
    environment = case.task.new_environment()
    halted = False
    try:
        case.domain.run(case.task, environment, session, case.profile)
    except (HaltedError, AgentError):
        halted = True
    finally:
        outcome = environment.outcome()
        environment.close()
    if not gate.done:
        return None
    return RepairRun(outcome.task_solved is True and not halted, halted, gate.removed, gate.poisoned, gate.left)


class _RepairingGate:
    """Repairs memory once, before the first action that leaves the agent and rests on the poison."""

    def __init__(self, memory: ListMemory, strategy: Strategy, goal: str, clean: frozenset[str]) -> None:
        self.session: Session | None = None
        self.done = False
        self.removed = self.poisoned = self.left = 0
        self._memory = memory
        self._strategy = strategy
        self._goal = goal
        self._clean = clean

    def check(self, proposal: Proposal) -> Ruling:
        """Proceed, or have the step done again from the repaired memory."""
        poison = {entry.id for entry in self.session.originals.values()} if self.session is not None else set()
        leaves = proposal.action.is_consequential or bool(proposal.obeys)
        if self.done or not poison or not leaves:
            return PROCEED
        tainted = DependencyGraph.of(self._memory.entries()).tainted_by(poison)
        if tainted.isdisjoint((*proposal.action.depends_on, *proposal.obeys)):
            return PROCEED
        self.done = True
        entries = tuple(self._memory.entries())
        condemned = _CHOICES[self._strategy](entries, poison, proposal.action, self._goal)
        for entry in entries:
            is_poisoned = _print_of(entry) not in self._clean
            if entry.id in condemned:
                self.removed += 1
                self.poisoned += is_poisoned
                self._memory.replace(entry.revised(status=Status.QUARANTINED))
            else:
                self.left += is_poisoned
        return Ruling(RulingKind.REPAIR) if condemned else PROCEED


def _print_of(entry: MemoryEntry) -> str:
    return f"{entry.source}|{entry.tool_name}|{entry.text}"


def _causal(entries: Sequence[MemoryEntry], poison: Iterable[str], action: PendingAction, goal: str) -> frozenset[str]:
    return causal_quarantine(Snapshot.of(entries, action, goal=goal), poison)


def _after(entries: Sequence[MemoryEntry], poison: Iterable[str], _: PendingAction, __: str) -> frozenset[str]:
    names = [entry.id for entry in entries]
    return frozenset(names[min(map(names.index, poison)) :])


_Choice = Callable[[Sequence[MemoryEntry], Iterable[str], PendingAction, str], frozenset[str]]
_CHOICES: Final[dict[Strategy, _Choice]] = {
    Strategy.NOTHING: lambda entries, poison, action, goal: frozenset(),
    Strategy.DELETION: lambda entries, poison, action, goal: frozenset(poison),
    Strategy.CAUSAL: _causal,
    Strategy.DESCENDANTS: lambda entries, poison, action, goal: DependencyGraph.of(entries).tainted_by(poison),
    Strategy.ROLLBACK: _after,
}
