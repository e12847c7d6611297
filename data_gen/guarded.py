"""Closed loop: an agent of a domain works under a guard, and what the guard decides changes what it does.

The guard is known by protocol only; `mage_ml.runtime.guard.MageGuard` satisfies it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from data_gen.agents import PROFILES, Habit, Profile
from data_gen.operators import Spot, edit_of, find_operator
from data_gen.proof import Proof, Trial, prove, run_once
from data_gen.randomness import rng_for, seed_for
from data_gen.session import Edit, HaltedError, Proposal, RawMoment, Ruling, RulingKind, Session
from data_gen.tasks import find_domain
from data_gen.tasks.base import Domain, Environment, Task
from data_gen.writers import writers_of
from mage_ml.errors import ConfigError
from mage_ml.memory.entry import MemoryEntry
from mage_ml.memory.episode import Outcome
from mage_ml.memory.snapshot import PendingAction


class VerificationLike(Protocol):
    """A tool call that would settle a doubt."""

    @property
    def tool_name(self) -> str:
        """The tool to run again."""

    @property
    def arguments(self) -> Mapping[str, JsonValue]:
        """Its arguments."""

    @property
    def entry_ids(self) -> Sequence[str]:
        """The entries in doubt."""


class DecisionLike(Protocol):
    """What a guard decides."""

    @property
    def action(self) -> str:
        """`proceed`, `warn`, `repair`, `redirect` or `halt`."""

    @property
    def allowed(self) -> bool:
        """Whether the action may go ahead as it is."""

    @property
    def message(self) -> str:
        """Text for the agent's context."""

    @property
    def verification(self) -> VerificationLike | None:
        """What to do first, on a redirect."""


class StoreLike(Protocol):
    """The agent's memory as the guard repairs it."""

    def list(self) -> Iterable[MemoryEntry]:
        """Everything in order, whatever its status."""


class GuardLike(Protocol):
    """A guard around one run."""

    @property
    def memory(self) -> StoreLike:
        """The memory that the agent reads."""

    def observe(self, entry: MemoryEntry) -> None:
        """Take in an entry that the agent writes."""

    def check(self, action: PendingAction) -> DecisionLike:
        """Decide about an action before it is taken."""


class GuardedMemory:
    """The agent writes through the guard, and reads what the guard has left standing."""

    def __init__(self, guard: GuardLike) -> None:
        self._guard = guard

    def append(self, entry: MemoryEntry) -> None:
        """Store an entry."""
        self._guard.observe(entry)

    def entries(self) -> Sequence[MemoryEntry]:
        """Everything stored, in order."""
        return tuple(self._guard.memory.list())


class GuardGate:
    """Puts each action to the guard and keeps its decisions."""

    def __init__(self, guard: GuardLike) -> None:
        self._guard = guard
        self.decisions: list[DecisionLike] = []

    def check(self, proposal: Proposal) -> Ruling:
        """What the agent has to do about a decision."""
        decision = self._guard.check(proposal.action)
        self.decisions.append(decision)
        kind = RulingKind(str(decision.action))
        if decision.allowed and kind is not RulingKind.WARN:
            return Ruling(RulingKind.PROCEED)
        if kind is RulingKind.PROCEED:
            return Ruling(RulingKind.HALT, decision.message)  # never go ahead without leave
        task = decision.verification
        if kind is not RulingKind.REDIRECT or task is None:
            return Ruling(kind, decision.message)
        return Ruling(kind, decision.message, tuple(task.entry_ids), task.tool_name, dict(task.arguments))


@dataclass(frozen=True, slots=True)
class GuardedRun:
    """A run under a guard.

    Attributes:
        outcome: By ground truth, of what was done until the end or the halt.
        halted: Why it was stopped; `None` when it ran to its end.
        decisions: The guard's decisions in order.
        entries: Memory at the end.
        moments: The pending actions.
        environment: The world at the end: what was sent and written.
    """

    outcome: Outcome
    halted: str | None
    decisions: tuple[DecisionLike, ...]
    entries: tuple[MemoryEntry, ...]
    moments: tuple[RawMoment, ...]
    environment: Environment


@dataclass(frozen=True, slots=True)
class GuardedCase:
    """A task for an agent, with a proven contamination and its harmless twin.

    Attributes:
        domain: Where the task lives.
        task: The task.
        profile: The agent's habits.
        seed: Seed of the run.
        sham: The harmless edit.
        contaminated: The contamination.
        proof: What was proved without a guard.
    """

    domain: Domain
    task: Task
    profile: Profile
    seed: int
    sham: Edit
    contaminated: Edit
    proof: Proof


def run_guarded(case: GuardedCase, guard: GuardLike, edit: Edit | None = None) -> GuardedRun:
    """Run a case under a guard.

    Args:
        case: Task, agent and seed.
        guard: Fresh, with the task's goal.
        edit: `case.sham`, `case.contaminated`, or nothing for the clean arm.

    Raises:
        AgentError: The agent could not go on.
    """
    gate = GuardGate(guard)
    memory = GuardedMemory(guard)
    session = Session(case.seed, memory=memory, gate=gate, edit=edit)
    environment = case.task.new_environment()
    halted: str | None = None
    try:
        case.domain.run(case.task, environment, session, case.profile)
    except HaltedError as stop:
        halted = stop.ruling.message or "halted"
    return GuardedRun(
        environment.outcome(),
        halted,
        tuple(gate.decisions),
        tuple(memory.entries()),
        tuple(session.moments),
        environment,
    )


def find_case(
    operator: str,
    *,
    seed: int = 0,
    language: str = "en",
    domain: str = "sales_report",
    habit: Habit = Habit.HASTY,
    proof_seeds: int = 5,
    max_attempts: int = 100,
) -> GuardedCase:
    """Find a task in which a contamination, unguarded, provably leads to a wrong outcome.

    Args:
        operator: Name of the operator.
        seed: Different seeds find different cases.
        language: `en` or `zh`.
        domain: Name of the domain.
        habit: The agent's habits.
        proof_seeds: Seeds of the proof, of which four in five have to go wrong.
        max_attempts: How many tasks to try.

    Raises:
        ConfigError: None was found.
    """
    kind, world = find_operator(operator), find_domain(domain)
    for attempt in range(max_attempts):
        rng = rng_for(seed, "case", operator, language, attempt)
        template, writer = rng.choice(list(world.templates())), rng.choice(writers_of(language))
        task = world.sample(template, language, writer, rng, kind.needs)
        trial = Trial(world, task, PROFILES[habit], kind, Spot(()), seed_for(seed, operator, language, attempt))
        clean = run_once(world, task, trial.profile, trial.run_seed(0))
        found = kind.spots(clean.writes)
        if not found:
            continue
        trial = Trial(world, task, trial.profile, kind, rng.choice(found), trial.seed, clean)
        proof = prove(trial, seeds=proof_seeds, needed=-(-4 * proof_seeds // 5), wants_effect=True)
        if isinstance(proof, Proof):
            return _case(trial, proof)
    raise ConfigError(f"no proven case of {operator!r} in {max_attempts} attempts; try another seed")


def _case(trial: Trial, proof: Proof) -> GuardedCase:
    pairs = proof.arms.pairs
    by_slot = {write.slot: write for write in reversed(proof.arms.clean.writes)}
    writes = [by_slot[slot] for slot in trial.spot.slots]
    return GuardedCase(
        domain=trial.domain,
        task=trial.task,
        profile=trial.profile,
        seed=trial.run_seed(0),
        sham=edit_of(zip(writes, (pair.sham for pair in pairs), strict=True)),
        contaminated=edit_of(zip(writes, (pair.contaminated for pair in pairs), strict=True)),
        proof=proof,
    )
