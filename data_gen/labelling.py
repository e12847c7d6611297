"""From runs to labelled episodes."""

from __future__ import annotations

from dataclasses import dataclass

from data_gen.operators import Consequence
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
            moments=_moments(run, trial, contaminated=arm is Arm.CONTAMINATED, risky=proof.consequential),
            outcome=run.outcome,
            injected_entry=decisive_of(run, trial) if tells else None,
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


def decisive_of(run: Run, trial: Trial) -> str | None:
    """Id of the entry that carries the error; of several, the one written last."""
    found = [run.edited[slot] for place, slot in enumerate(trial.spot.slots) if _bears(trial, place, run)]
    steps = {entry.id: entry.step for entry in run.entries}
    return max(found, key=lambda entry_id: steps[entry_id], default=None)


def first_consequence(arms: Arms, trial: Trial) -> int | None:
    """Index of the first moment of the contaminated run whose action follows from the contamination."""
    labels = _moments(arms.contaminated, trial, contaminated=True, risky=True)
    return next((index for index, moment in enumerate(labels) if moment.label.is_risky), None)


def _bears(trial: Trial, place: int, run: Run) -> bool:
    return trial.operator.axis_of(place) is not None and trial.spot.slots[place] in run.edited


@dataclass(frozen=True, slots=True)
class _Injection:
    """An edited entry that carries an error: where it stands in the spot, and what rests on it."""

    entry_id: str
    place: int
    tainted: frozenset[str]


def _moments(run: Run, trial: Trial, *, contaminated: bool, risky: bool) -> tuple[Moment, ...]:
    injections = []
    if contaminated:
        graph = DependencyGraph.of(run.entries)
        for place, slot in enumerate(trial.spot.slots):
            if _bears(trial, place, run):
                entry_id = run.edited[slot]
                injections.append(_Injection(entry_id, place, frozenset(graph.tainted_by([entry_id]))))
    return tuple(
        Moment(
            visible=raw.visible,
            action=raw.proposal.action,
            label=_label(run, raw, trial, injections, risky=risky),
        )
        for raw in run.moments
    )


def _label(run: Run, raw: RawMoment, trial: Trial, injections: list[_Injection], *, risky: bool) -> MomentLabel:
    visible = [entry.id for entry in run.entries[: raw.visible]]
    shown = [injection for injection in injections if injection.entry_id in visible]
    if not shown:
        return MomentLabel()
    proposal = raw.proposal
    # Reading and comparing are not consequences, unless an order asks for them: they are how an agent would find out.
    examines = not proposal.obeys and (proposal.action.type == ActionType.READ or proposal.only_examines)
    served = [
        injection
        for injection in shown
        if not examines and trial.operator.is_served_by(_consequence(raw, injection, visible), injection.place)
    ]
    axes = [axis for injection in served if (axis := trial.operator.axis_of(injection.place)) is not None]
    tainted = frozenset[str]().union(*(injection.tainted for injection in shown))
    return MomentLabel(
        axes=tuple(dict.fromkeys(axes)) if risky else (),
        decisive_entry=(served or shown)[-1].entry_id,
        tainted=tuple(entry_id for entry_id in visible if entry_id in tainted),
    )


def _consequence(raw: RawMoment, injection: _Injection, visible: list[str]) -> Consequence:
    proposal = raw.proposal
    return Consequence(proposal.action, proposal.obeys, injection.entry_id, injection.tainted.intersection(visible))
