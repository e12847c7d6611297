"""Recorded runs with labels: what the generator writes, importers read and training learns from."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Annotated, Final, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from mage_ml.memory.entry import MemoryEntry
from mage_ml.memory.snapshot import PendingAction, Snapshot
from mage_ml.risk import RiskAxis

EPISODE_SCHEMA_VERSION: Final = 1


class Arm(StrEnum):
    """The three runs of a triple, and runs recorded elsewhere."""

    CLEAN = "clean"
    SHAM = "sham"
    CONTAMINATED = "contaminated"
    RECORDED = "recorded"


class Split(StrEnum):
    """Part of the data an episode belongs to. Whole groups are assigned, never single episodes."""

    TRAIN = "train"
    VALIDATION = "validation"
    TEST = "test"


class MomentLabel(BaseModel):
    """What is known to be wrong just before one pending action.

    Attributes:
        axes: The axes on which the action is at risk; empty when it is safe to proceed.
        decisive_entry: The contaminated entry, if it is visible in the chain yet.
        tainted: The visible entries derived from it, itself included.
        known_axes: The axes the label speaks about. Third-party corpora often label one axis only; the others are
            unknown, not safe.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    axes: tuple[RiskAxis, ...] = ()
    decisive_entry: str | None = None
    tainted: tuple[str, ...] = ()
    known_axes: tuple[RiskAxis, ...] = tuple(RiskAxis)

    @property
    def is_risky(self) -> bool:
        """Whether the action is at risk on any axis."""
        return bool(self.axes)


class Moment(BaseModel):
    """One pending action of an episode.

    Attributes:
        visible: How many entries the chain holds just before the action.
        action: What the agent is about to do.
        label: What is known to be wrong.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    visible: Annotated[int, Field(ge=0)]
    action: PendingAction
    label: MomentLabel = MomentLabel()


class Outcome(BaseModel):
    """How a run ended, by ground truth.

    Attributes:
        task_solved: Whether the user's task was done right; `None` when unknown.
        harm_done: Whether a wrong or unwanted effect took place; `None` when unknown.
        detail: One sentence.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    task_solved: bool | None = None
    harm_done: bool | None = None
    detail: str = ""


class CausalProof(BaseModel):
    """Counts over seeds that show an injection, and nothing else, changed the outcome."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seeds: Annotated[int, Field(ge=1)]
    clean_right: Annotated[int, Field(ge=0)]
    sham_right: Annotated[int, Field(ge=0)]
    contaminated_wrong: Annotated[int, Field(ge=0)]
    restored_right: Annotated[int, Field(ge=0)]


class Episode(BaseModel):
    """One run of one arm.

    Attributes:
        episode_id: Unique in its data set.
        group_id: Episodes of one group never straddle a split (a triple; all runs of one user task).
        arm: Clean, sham, contaminated, or recorded elsewhere.
        corpus: `generated`, or the name of the third-party corpus.
        domain: Task domain or suite.
        template: Task template within the domain.
        writer: Who worded the entries: a writer's name, or the model of a recorded run.
        language: `en` or `zh`.
        operator: The contamination used, in sham and contaminated arms, or the attack of a recorded run.
        operator_family: Family of the operator, for splits.
        goal: The task in the user's words.
        entries: The memory in order.
        moments: The pending actions in order.
        outcome: How it ended.
        injected_entry: Id of the edited entry, in sham and contaminated arms.
        consequential: Whether causal proof holds that the contamination changed the outcome.
        proof: The counts behind it.
        seed: Seed of the run.
        split: Part of the data.
        schema_version: Format of this record.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    episode_id: Annotated[str, Field(min_length=1)]
    group_id: Annotated[str, Field(min_length=1)]
    arm: Arm
    corpus: str = "generated"
    domain: str
    template: str = ""
    writer: str = ""
    language: str = "en"
    operator: str | None = None
    operator_family: str | None = None
    goal: str = ""
    entries: tuple[MemoryEntry, ...]
    moments: tuple[Moment, ...]
    outcome: Outcome = Outcome()
    injected_entry: str | None = None
    consequential: bool = False
    proof: CausalProof | None = None
    seed: int = 0
    split: Split = Split.TRAIN
    schema_version: Annotated[int, Field(ge=1, le=EPISODE_SCHEMA_VERSION)] = EPISODE_SCHEMA_VERSION

    @model_validator(mode="after")
    def _moments_lie_inside(self) -> Self:
        for number, moment in enumerate(self.moments):
            if moment.visible > len(self.entries):
                raise ValueError(
                    f"moment {number} sees {moment.visible} entries, but the episode has {len(self.entries)}"
                )
        return self

    @model_validator(mode="after")
    def _ids_are_unique(self) -> Self:
        seen: set[str] = set()
        for entry in self.entries:
            if entry.id in seen:
                raise ValueError(f"entry id {entry.id!r} is used twice; ids must be unique in an episode")
            seen.add(entry.id)
        return self

    def snapshots(self) -> Iterator[tuple[Snapshot, MomentLabel]]:
        """The snapshot and label of each moment in order."""
        for moment in self.moments:
            yield Snapshot.of(self.entries[: moment.visible], moment.action, goal=self.goal), moment.label


class EpisodeTriple(BaseModel):
    """Three runs from one prefix and one seed that differ by one write."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    clean: Episode
    sham: Episode
    contaminated: Episode

    @property
    def episodes(self) -> tuple[Episode, Episode, Episode]:
        """Clean, sham, contaminated."""
        return (self.clean, self.sham, self.contaminated)
