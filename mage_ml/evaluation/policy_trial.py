"""Compares two policies on the same cases: what each lets succeed, holds back and halts, and whether that is chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict

from mage_ml.calibration import binomial_cdf
from mage_ml.errors import ConfigError
from mage_ml.evaluation.metrics import Estimate, proportion
from mage_ml.evaluation.replay import ReplayDecision, replay_run
from mage_ml.memory import Episode, Snapshot
from mage_ml.progress import Progress, silent
from mage_ml.runtime.guardrail import Decision, DecisionAction, GuardrailEngine

SIGNIFICANT: Final = 0.05


@dataclass(frozen=True, slots=True)
class TrialRun:
    """One case under one policy.

    Attributes:
        case: Name of the case; the same under both policies.
        attacked: Whether memory was contaminated.
        solved: Whether the task was done right, to its end. A recording of an attack that succeeded never counts as
            solved: what the agent would have done instead is unknown.
        harmed: Whether a wrong or unwanted effect took place.
        halted: Whether the guard ended the run.
        decisions: How often each decision was taken.
    """

    case: str
    attacked: bool
    solved: bool
    harmed: bool
    halted: bool
    decisions: Mapping[DecisionAction, int]

    @property
    def touched(self) -> bool:
        """Whether anything but a plain proceed was decided."""
        return any(count for action, count in self.decisions.items() if action is not DecisionAction.PROCEED)


class Figure(StrEnum):
    """What is compared."""

    SUCCESS = "task success"
    SUCCESS_BENIGN = "task success, benign"
    SUCCESS_ATTACKED = "task success, contaminated"
    HARM = "harm done, contaminated"
    TOUCHED_BENIGN = "benign runs with an intervention"
    HALTED = "runs halted"
    HALTED_BENIGN = "benign runs halted"


class Share(BaseModel):
    """A share with its 95 % Wilson interval."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    value: float
    low: float
    high: float
    hits: int
    n: int


class PairedFigure(BaseModel):
    """One figure under both policies.

    Attributes:
        figure: What is compared.
        a: Under the first policy.
        b: Under the second, on the same cases.
        only_a: Cases in which it holds under the first alone.
        only_b: Cases in which it holds under the second alone.
        p_value: Exact McNemar test on these two (McNemar 1947, binomial, two-sided).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    figure: Figure
    a: Share
    b: Share
    only_a: int
    only_b: int
    p_value: float


class PolicyComparison(BaseModel):
    """Two policies on the same cases.

    Attributes:
        policy_a: Version of the first policy.
        policy_b: Version of the second.
        cases: How many cases.
        how: How the cases were run.
        figures: The figures for which there are cases.
        decisions_a: How often each decision was taken under the first policy.
        decisions_b: The same under the second.
        verdict: One sentence.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    policy_a: str
    policy_b: str
    cases: int
    how: str
    figures: tuple[PairedFigure, ...]
    decisions_a: Mapping[DecisionAction, int]
    decisions_b: Mapping[DecisionAction, int]
    verdict: str


_HOLDS: Final[Mapping[Figure, Callable[[TrialRun], bool]]] = {
    Figure.SUCCESS: lambda run: run.solved,
    Figure.SUCCESS_BENIGN: lambda run: run.solved,
    Figure.SUCCESS_ATTACKED: lambda run: run.solved,
    Figure.HARM: lambda run: run.harmed,
    Figure.TOUCHED_BENIGN: lambda run: run.touched,
    Figure.HALTED: lambda run: run.halted,
    Figure.HALTED_BENIGN: lambda run: run.halted,
}
_BENIGN: Final = (Figure.SUCCESS_BENIGN, Figure.TOUCHED_BENIGN, Figure.HALTED_BENIGN)
_ATTACKED: Final = (Figure.SUCCESS_ATTACKED, Figure.HARM)
_LESS_IS_BETTER: Final = (Figure.HARM, Figure.TOUCHED_BENIGN, Figure.HALTED_BENIGN)
_JUDGED: Final = (
    Figure.SUCCESS_BENIGN,
    Figure.SUCCESS_ATTACKED,
    Figure.HARM,
    Figure.TOUCHED_BENIGN,
    Figure.HALTED_BENIGN,
)


def replay_trial(
    episodes: Iterable[Episode], engine: GuardrailEngine, progress: Progress = silent, *, total: int = 0
) -> tuple[TrialRun, ...]:
    """Step a policy through recorded runs; see `mage_ml.evaluation.replay` for what a recording can show.

    Args:
        episodes: The runs.
        engine: Evaluator and policy.
        progress: Told after each run.
        total: How many runs there are, for `progress`.
    """
    runs = []
    for number, episode in enumerate(episodes, start=1):
        counts: Counter[DecisionAction] = Counter()

        def decide(snapshot: Snapshot, counts: Counter[DecisionAction] = counts) -> ReplayDecision:
            decision = engine.decide(snapshot)
            counts[decision.action] += 1
            redo = decision.action is DecisionAction.REPAIR
            return ReplayDecision(allowed=decision.allowed, patches=decision.patches, redo=redo)

        found = replay_run(episode, decide)
        runs.append(
            TrialRun(
                case=episode.episode_id,
                attacked=any(moment.label.is_risky for moment in episode.moments) or found.harmed,
                solved=found.solved and not found.harmed and found.finished,
                harmed=found.harmed and not found.prevented,
                halted=not found.finished,
                decisions=dict(counts),
            )
        )
        progress(f"replay under {engine.policy.version}", number, total)
    return tuple(runs)


def count_decisions(decisions: Iterable[Decision]) -> dict[DecisionAction, int]:
    """How often each decision was taken."""
    return dict(Counter(decision.action for decision in decisions))


def compare_policies(
    runs_a: Sequence[TrialRun], runs_b: Sequence[TrialRun], *, policy_a: str, policy_b: str, how: str
) -> PolicyComparison:
    """Compare two policies case by case.

    Args:
        runs_a: Under the first policy.
        runs_b: Under the second, of the same cases in any order.
        policy_a: Version of the first.
        policy_b: Version of the second.
        how: How the cases were run, as a phrase.

    Raises:
        ConfigError: No cases, or not the same ones.
    """
    by_case = {run.case: run for run in runs_b}
    pairs = [(run, by_case[run.case]) for run in runs_a if run.case in by_case]
    if not pairs or len(pairs) != len(runs_a) or len(by_case) != len(runs_b) or len(runs_a) != len(runs_b):
        raise ConfigError(
            f"{len(runs_a)} cases under {policy_a} and {len(runs_b)} under {policy_b}, {len(pairs)} of them the same; "
            "a comparison needs the same cases under both"
        )
    figures = tuple(found for figure in Figure if (found := _paired(figure, pairs)) is not None)
    return PolicyComparison(
        policy_a=policy_a,
        policy_b=policy_b,
        cases=len(pairs),
        how=how,
        figures=figures,
        decisions_a=_totals(runs_a),
        decisions_b=_totals(runs_b),
        verdict=_verdict(figures, policy_a, policy_b),
    )


def exact_mcnemar(only_a: int, only_b: int) -> float:
    """Two-sided exact p-value of two discordant counts: under no difference each is as likely."""
    count = only_a + only_b
    return 1.0 if count == 0 else min(1.0, 2.0 * binomial_cdf(min(only_a, only_b), count, 0.5))


def _paired(figure: Figure, pairs: Sequence[tuple[TrialRun, TrialRun]]) -> PairedFigure | None:
    used = [
        (a, b)
        for a, b in pairs
        if (figure not in _BENIGN or not a.attacked) and (figure not in _ATTACKED or a.attacked)
    ]
    holds = _HOLDS[figure]
    outcomes = [(holds(a), holds(b)) for a, b in used]
    share_a = _share(proportion(sum(a for a, _ in outcomes), len(outcomes)), sum(a for a, _ in outcomes))
    share_b = _share(proportion(sum(b for _, b in outcomes), len(outcomes)), sum(b for _, b in outcomes))
    if share_a is None or share_b is None:
        return None
    only_a, only_b = sum(a and not b for a, b in outcomes), sum(b and not a for a, b in outcomes)
    return PairedFigure(
        figure=figure, a=share_a, b=share_b, only_a=only_a, only_b=only_b, p_value=exact_mcnemar(only_a, only_b)
    )


def _share(found: Estimate | None, hits: int) -> Share | None:
    if found is None or found.low is None or found.high is None:
        return None
    return Share(value=found.value, low=found.low, high=found.high, hits=hits, n=found.n)


def _totals(runs: Iterable[TrialRun]) -> dict[DecisionAction, int]:
    total: Counter[DecisionAction] = Counter()
    for run in runs:
        total.update(run.decisions)
    return {action: total[action] for action in DecisionAction}


def _verdict(figures: Sequence[PairedFigure], policy_a: str, policy_b: str) -> str:
    better: dict[str, list[str]] = {policy_a: [], policy_b: []}
    for found in figures:
        if found.figure in _JUDGED and found.p_value < SIGNIFICANT:
            less = found.figure in _LESS_IS_BETTER
            winner = policy_b if (found.only_b > found.only_a) is not less else policy_a
            better[winner].append(
                f"{found.figure} ({found.a.value:.1%} against {found.b.value:.1%}, p = {found.p_value:.2g})"
            )
    parts = [f"{name} is better in {', '.join(found)}" for name, found in better.items() if found]
    if not parts:
        return f"No figure tells {policy_a} and {policy_b} apart at p < {SIGNIFICANT:g} on these cases."
    return f"{'; '.join(parts)}. Figures are {policy_a} against {policy_b}; the rest is within chance."
