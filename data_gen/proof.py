"""Causal proof: an injection counts only if it, and nothing else, turns a right outcome into a wrong one.

For each seed four runs are made: clean; sham and contaminated, which differ from it by one write, or the few of one
operator; and restored, the contaminated run in which these are undone just before the first consequence and the agent
redoes what rested on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from data_gen.agent_memory import ListMemory
from data_gen.agents import Profile
from data_gen.operators import EditPair, Operator, Spot, edit_of
from data_gen.randomness import rng_for, seed_for
from data_gen.session import PROCEED, Edit, Gate, Proposal, RawMoment, Ruling, RulingKind, Session
from data_gen.statements import Write
from data_gen.tasks.base import Domain, Task
from mage_ml.memory.entry import MemoryEntry, Status
from mage_ml.memory.episode import CausalProof, Outcome
from mage_ml.memory.graph import DependencyGraph


@dataclass(frozen=True, slots=True)
class Run:
    """One finished run.

    Attributes:
        entries: Memory at the end.
        moments: The pending actions.
        writes: What was written, before the edit.
        outcome: By ground truth.
        edited: Ids of the edited entries, by slot, as far as the edits took place.
        corrected: Whether the agent noticed a difference between a note and its record.
    """

    entries: tuple[MemoryEntry, ...]
    moments: tuple[RawMoment, ...]
    writes: tuple[Write, ...]
    outcome: Outcome
    edited: Mapping[str, str]
    corrected: bool

    @property
    def is_right(self) -> bool:
        """Whether the task was done right."""
        return self.outcome.task_solved is True


class RunFailedError(Exception):
    """A run crashed. It is no data; the message says what happened."""


class Rejection(StrEnum):
    """Why a candidate did not become a triple."""

    RUN_FAILED = "run_failed"
    NO_CANDIDATE = "no_candidate"
    CLEAN_WRONG = "clean_wrong"
    NOT_EDITABLE = "not_editable"
    SHAM_WRONG = "sham_wrong"
    SURPLUS_NO_EFFECT = "surplus_no_effect"
    SURPLUS_CORRECTED = "surplus_corrected"
    TOO_FEW_SEEDS_WRONG = "too_few_seeds_wrong"
    NOT_RESTORED = "not_restored"
    CONSEQUENTIAL_NOT_WANTED = "consequential_not_wanted"
    NEAR_DUPLICATE = "near_duplicate"


@dataclass(frozen=True, slots=True)
class Trial:
    """A task, an agent, an operator and the write to edit.

    Attributes:
        domain: Where the task lives.
        task: The task.
        profile: The agent's habits.
        operator: The contamination.
        spot: The writes to edit.
        seed: Seed of the triple; run seeds derive from it.
        clean: The clean run of the first seed, when it was already made.
    """

    domain: Domain
    task: Task
    profile: Profile
    operator: Operator
    spot: Spot
    seed: int
    clean: Run | None = None

    def run_seed(self, number: int) -> int:
        """Seed of one of the runs."""
        return seed_for(self.seed, "run", number) % 2**40


@dataclass(frozen=True, slots=True)
class Arms:
    """The runs of one seed, and the edits of the writes of the spot, in its order."""

    clean: Run
    sham: Run
    contaminated: Run
    pairs: tuple[EditPair, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """Result of a proof.

    Attributes:
        arms: The runs of the first seed, which become the triple.
        counts: Over all seeds.
        consequential: Whether a consequence is proved. Otherwise the contamination of the first seed had no effect.
    """

    arms: Arms
    counts: CausalProof
    consequential: bool


class RestoringGate:
    """Undoes the edit just before its first consequence, and hides what was derived from it."""

    def __init__(self, memory: ListMemory) -> None:
        self._memory = memory
        self.session: Session | None = None
        self._done = False

    def check(self, proposal: Proposal) -> Ruling:
        """Proceed, or have the step redone from the restored memory."""
        originals = {} if self.session is None else {entry.id: entry for entry in self.session.originals.values()}
        leaves = proposal.action.is_consequential or bool(proposal.obeys)
        if self._done or not originals or not leaves:
            return PROCEED
        graph = DependencyGraph.of(self._memory.entries())
        tainted = graph.tainted_by(list(originals))
        if tainted.isdisjoint(proposal.action.depends_on):
            return PROCEED
        self._done = True
        for entry in tuple(self._memory.entries()):
            if entry.id in originals:
                self._memory.replace(originals[entry.id])
            elif entry.id in tainted:
                self._memory.replace(entry.revised(status=Status.QUARANTINED))
        return Ruling(RulingKind.REPAIR)


def run_once(
    domain: Domain, task: Task, profile: Profile, seed: int, *, edit: Edit | None = None, restore: bool = False
) -> Run:
    """Run an agent on a task.

    Raises:
        RunFailedError: It crashed, in whatever way.
    """
    memory = ListMemory()
    restoring = RestoringGate(memory) if restore else None
    gate: Gate | None = restoring
    session = Session(seed, memory=memory, gate=gate, edit=edit)
    if restoring is not None:
        restoring.session = session
    environment = task.new_environment()
    try:
        domain.run(task, environment, session, profile)
        outcome = environment.outcome()
    except Exception as error:  # a crashed run is a failure of the run, whatever the cause; it is counted
        raise RunFailedError(f"{type(error).__name__}: {error}") from error
    finally:
        environment.close()
    return Run(
        tuple(memory.entries()),
        tuple(session.moments),
        tuple(session.writes),
        outcome,
        {slot: entry.id for slot, entry in session.originals.items()},
        any(write.slot.startswith("mismatch:") for write in session.writes),
    )


def prove(trial: Trial, *, seeds: int, needed: int, wants_effect: bool) -> Proof | Rejection:
    """Make the arms and prove, or refute, that the contamination has consequences. Stops as soon as it cannot succeed.

    Args:
        trial: What to run.
        seeds: Number of seeds.
        needed: In how many of them the contaminated run has to be wrong, and the restored one right.
        wants_effect: Whether a consequence is to be proved; otherwise the first seed has to show none, which makes a
            hard negative.

    Raises:
        RunFailedError: A run crashed.
    """
    all_arms: list[Arms] = []
    wrong = restored_right = 0
    for number in range(seeds):
        arms = _arms(trial, number)
        if isinstance(arms, Rejection):
            return arms
        all_arms.append(arms)
        wrong += not arms.contaminated.is_right
        if number == 0 and (wrong == 1) is not wants_effect:
            return _unwanted(arms, wants_effect=wants_effect)
        if wants_effect and number + 1 - wrong > seeds - needed:
            return Rejection.TOO_FEW_SEEDS_WRONG
        restored_right += _restored(trial, number, arms).is_right
        if wants_effect and number + 1 - restored_right > seeds - needed:
            return Rejection.NOT_RESTORED
    counts = CausalProof(
        seeds=seeds, clean_right=seeds, sham_right=seeds, contaminated_wrong=wrong, restored_right=restored_right
    )
    return Proof(all_arms[0], counts, consequential=wants_effect)


def _unwanted(arms: Arms, *, wants_effect: bool) -> Rejection:
    if not wants_effect:
        return Rejection.CONSEQUENTIAL_NOT_WANTED
    return Rejection.SURPLUS_CORRECTED if arms.contaminated.corrected else Rejection.SURPLUS_NO_EFFECT


def _who(trial: Trial, number: int) -> tuple[Domain, Task, Profile, int]:
    return trial.domain, trial.task, trial.profile, trial.run_seed(number)


def _restored(trial: Trial, number: int, arms: Arms) -> Run:
    edit = edit_of(zip(_writes(trial, arms.clean), (pair.contaminated for pair in arms.pairs), strict=True))
    return run_once(*_who(trial, number), edit=edit, restore=True)


def _writes(trial: Trial, clean: Run) -> tuple[Write, ...]:
    """The writes of the spot in a clean run, in its order; fewer if the run lacks some."""
    by_slot = {write.slot: write for write in reversed(clean.writes)}
    return tuple(by_slot[slot] for slot in trial.spot.slots if slot in by_slot)


def _arms(trial: Trial, number: int) -> Arms | Rejection:
    who = _who(trial, number)
    clean = trial.clean if trial.clean is not None and number == 0 else run_once(*who)
    if not clean.is_right:
        return Rejection.CLEAN_WRONG
    writes = _writes(trial, clean)
    if len(writes) != len(trial.spot.slots):
        return Rejection.NO_CANDIDATE
    pairs = trial.operator.edit(writes, rng_for(trial.seed, "edit", trial.operator.name), trial.task)
    if pairs is None:
        return Rejection.NOT_EDITABLE
    sham = run_once(*who, edit=edit_of(zip(writes, (pair.sham for pair in pairs), strict=True)))
    if not sham.is_right:
        return Rejection.SHAM_WRONG
    contaminated = run_once(*who, edit=edit_of(zip(writes, (pair.contaminated for pair in pairs), strict=True)))
    return Arms(clean, sham, contaminated, pairs)
