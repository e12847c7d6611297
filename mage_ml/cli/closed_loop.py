"""Agents of the simulator under a live guard: what the guard prevents, and what it costs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from data_gen.guarded import GuardedCase, GuardedRun, find_case, run_guarded
from mage_ml.memory import ActionType, Arm
from mage_ml.progress import Progress, silent
from mage_ml.risk import RiskAxis
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guardrail import Decision, DecisionAction, PolicyMatrix


class Ending(StrEnum):
    """How a guarded run ended."""

    UNTOUCHED = "untouched"
    """Finished right, and the guard held nothing back."""
    WARNED = "warned, finished right"
    REPAIRED = "repaired, finished right"
    REDIRECTED = "redirected, finished right"
    HALTED = "halted"
    """Stopped before any harm."""
    WRONG = "finished wrong"
    """The guard let a wrong outcome pass."""


@dataclass(frozen=True, slots=True)
class LiveRun:
    """One guarded run.

    Attributes:
        operator: The contamination of its case.
        language: `en` or `zh`.
        arm: Which edit was made.
        ending: How it ended.
        goal: The task.
        run: The run itself.
    """

    operator: str
    language: str
    arm: Arm
    ending: Ending
    goal: str
    run: GuardedRun

    @property
    def turning_point(self) -> Decision | None:
        """The weightiest decision that was not a plain proceed."""
        found = [decision for decision in self.run.decisions if isinstance(decision, Decision)]
        held = [decision for decision in found if decision.action is not DecisionAction.PROCEED]
        return max(held, key=lambda decision: _WEIGHT[decision.action], default=None)


_WEIGHT = {action: weight for weight, action in enumerate(DecisionAction)}
_ENDING_OF = {
    DecisionAction.WARN: Ending.WARNED,
    DecisionAction.REPAIR: Ending.REPAIRED,
    DecisionAction.REDIRECT: Ending.REDIRECTED,
}


def run_live(
    operators: Sequence[str],
    languages: Sequence[str],
    seeds: Iterable[int],
    new_guard: Callable[[str], MageGuard],
    progress: Progress = silent,
) -> list[LiveRun]:
    """Run clean, sham and contaminated arms of proven cases, each under a fresh guard.

    Args:
        operators: Contaminations to try.
        languages: Languages to try.
        seeds: One case for each operator, language and seed.
        new_guard: Makes a guard for a goal.
        progress: Told how many cases are done.
    """
    plan = [(operator, language, seed) for seed in seeds for operator in operators for language in languages]
    runs: list[LiveRun] = []
    for number, (operator, language, seed) in enumerate(plan, start=1):
        case = find_case(operator, seed=seed, language=language)
        runs += [_live(case, operator, language, arm, new_guard) for arm in (Arm.CLEAN, Arm.SHAM, Arm.CONTAMINATED)]
        progress("guarding live agents", number, len(plan))
    return runs


def _live(case: GuardedCase, operator: str, language: str, arm: Arm, new_guard: Callable[[str], MageGuard]) -> LiveRun:
    edit = {Arm.CLEAN: None, Arm.SHAM: case.sham, Arm.CONTAMINATED: case.contaminated}[arm]
    run = run_guarded(case, new_guard(case.task.goal), edit)
    return LiveRun(operator, language, arm, _ending(run), case.task.goal, run)


def _ending(run: GuardedRun) -> Ending:
    if run.halted is not None and not run.outcome.harm_done:
        return Ending.HALTED
    if not run.outcome.task_solved:
        return Ending.WRONG
    # A warning on the way changes nothing that the agent does wrong or right: what held it back counts.
    actions = {DecisionAction(str(decision.action)) for decision in run.decisions}
    held = [action for action in actions if action in _ENDING_OF]
    return _ENDING_OF[max(held, key=lambda action: _WEIGHT[action])] if held else Ending.UNTOUCHED


def verify_first(policy: PolicyMatrix) -> PolicyMatrix:
    """The policy with writes in doubt sent to verification instead of repair, as in configs/policy_verify.yaml."""
    data = policy.model_dump(mode="json")
    ladders = data["actions"][ActionType.WRITE.value]
    for axis in (RiskAxis.CONSISTENCY, RiskAxis.FACTUALITY, RiskAxis.DEPENDENCY):
        for rung in ladders[axis.value]:
            if rung["do"] == DecisionAction.REPAIR.value:
                rung["do"] = DecisionAction.REDIRECT.value
    return PolicyMatrix.model_validate({**data, "version": "verify-1"})


def tally(runs: Iterable[LiveRun]) -> dict[Arm, dict[Ending, int]]:
    """How many runs of each arm ended how."""
    counts: dict[Arm, dict[Ending, int]] = {}
    for run in runs:
        by_ending = counts.setdefault(run.arm, dict.fromkeys(Ending, 0))
        by_ending[run.ending] += 1
    return counts


def one_of_each(runs: Iterable[LiveRun]) -> list[LiveRun]:
    """The first contaminated run that was repaired, redirected and halted, as far as there is one."""
    found: dict[Ending, LiveRun] = {}
    for run in runs:
        if run.arm is Arm.CONTAMINATED and run.ending in (Ending.REPAIRED, Ending.REDIRECTED, Ending.HALTED):
            found.setdefault(run.ending, run)
    return list(found.values())
