"""From runs to labelled episodes."""

from __future__ import annotations

from dataclasses import dataclass

from data_gen.operators import Operator
from data_gen.proof import Arms, Proof, Run, Trial
from data_gen.session import RawMoment
from mage_ml.memory.episode import Arm, Episode, EpisodeTriple, Moment, MomentLabel, Split
from mage_ml.memory.graph import DependencyGraph
from mage_ml.memory.snapshot import ActionType


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a triple belongs."""

    group_id: str
    domain: str
    split: Split


def build_triple(trial: Trial, proof: Proof, placement: Placement) -> EpisodeTriple:
    """The episodes of a triple with their labels."""
    arms = proof.arms

    def episode(arm: Arm, run: Run) -> Episode:
        tells = arm is not Arm.CLEAN
        return Episode(
            episode_id=f"{placement.group_id}-{arm.value}",
            group_id=placement.group_id,
            arm=arm,
            domain=placement.domain,
            template=trial.task.template,
            writer=trial.task.writer,
            language=trial.task.language,
            operator=trial.operator.name if tells else None,
            operator_family=trial.operator.family if tells else None,
            goal=trial.task.goal,
            entries=run.entries,
            moments=_moments(run, trial.operator, contaminated=arm is Arm.CONTAMINATED, risky=proof.consequential),
            outcome=run.outcome,
            injected_entry=run.edited,
            consequential=arm is Arm.CONTAMINATED and proof.consequential,
            proof=proof.counts if arm is Arm.CONTAMINATED else None,
            seed=trial.run_seed(0),
            split=placement.split,
        )

    return EpisodeTriple(
        clean=episode(Arm.CLEAN, arms.clean),
        sham=episode(Arm.SHAM, arms.sham),
        contaminated=episode(Arm.CONTAMINATED, arms.contaminated),
    )


def first_consequence(arms: Arms, operator: Operator) -> int | None:
    """Index of the first moment of the contaminated run whose action follows from the contamination."""
    run = arms.contaminated
    labels = _moments(run, operator, contaminated=True, risky=True)
    return next((index for index, moment in enumerate(labels) if moment.label.is_risky), None)


def _moments(run: Run, operator: Operator, *, contaminated: bool, risky: bool) -> tuple[Moment, ...]:
    graph = DependencyGraph.of(run.entries)
    tainted = graph.tainted_by([run.edited]) if contaminated and run.edited is not None else frozenset[str]()
    return tuple(
        Moment(
            visible=raw.visible,
            action=raw.proposal.action,
            label=_label(run, raw, operator, tainted, risky=risky) if tainted else MomentLabel(),
        )
        for raw in run.moments
    )


def _label(run: Run, raw: RawMoment, operator: Operator, tainted: frozenset[str], *, risky: bool) -> MomentLabel:
    visible = [entry.id for entry in run.entries[: raw.visible]]
    assert run.edited is not None
    if run.edited not in visible:
        return MomentLabel()
    action = raw.proposal.action
    # Reading and comparing are not consequences: they are how an agent would find out.
    examines = action.type == ActionType.READ or raw.proposal.only_examines
    follows = not examines and operator.is_served_by(
        action, raw.proposal.obeys, run.edited, tainted.intersection(visible)
    )
    return MomentLabel(
        axes=(operator.axis,) if follows and risky else (),
        decisive_entry=run.edited,
        tainted=tuple(entry_id for entry_id in visible if entry_id in tainted),
    )
