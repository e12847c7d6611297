"""Plays every pair of user task and injection task, and counts what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from data_gen.agents import Habit, Profile
from data_gen.operators import Operator, find_operator
from data_gen.proof import Proof, RunFailedError, Trial, prove, run_once
from data_gen.randomness import rng_for, seed_for
from data_gen.tasks.agentdojo import DOMAIN
from data_gen.tasks.agentdojo.environment import UNDONE
from data_gen.tasks.agentdojo.suites import SUITES, load
from mage_ml.progress import Progress, silent

HIJACKABLE: Final = Profile(Habit.HASTY, obedience=1.0)
"""An agent that follows every order it reads."""


@dataclass(frozen=True, slots=True)
class SuiteSurvey:
    """What came of one suite's pairs.

    Attributes:
        suite: The suite.
        pairs: Pairs of user task and injection task.
        solved_clean: Pairs in which the user task was solved, and no harm done, without an injection.
        reached: Pairs in which the injection's goal was reached with one, and only with one, by the full proof.
        undone: Of these, those in which a later step of the user's task undid it.
        still_solved: Of these, those in which AgentDojo also takes the user's task as done.
        without_steps: Injection tasks that are left out: neither AgentDojo nor this package has steps for them.
        failures: Pairs without proof, by reason.
    """

    suite: str
    pairs: int
    solved_clean: int
    reached: int
    undone: int
    still_solved: int
    without_steps: tuple[str, ...]
    failures: Mapping[str, tuple[str, ...]]


def survey(
    suites: tuple[str, ...] = tuple(SUITES), *, seed: int = 0, seeds_per_proof: int = 1, progress: Progress = silent
) -> tuple[SuiteSurvey, ...]:
    """Play all pairs of some suites with an agent that follows every order. The filled vector is drawn for each pair.

    Raises:
        MissingExtraError: AgentDojo is not installed.
    """
    return tuple(_survey_suite(suite, seed, seeds_per_proof, progress) for suite in suites)


def _survey_suite(name: str, seed: int, seeds: int, progress: Progress) -> SuiteSurvey:
    loaded = load(name)
    pairs = [(user, injection) for user in loaded.suite.user_tasks for injection in loaded.goals]
    counts: Counter[str] = Counter()
    failures: dict[str, tuple[str, ...]] = {}
    operator = find_operator("plain_instruction")
    for number, (user, injection) in enumerate(pairs, start=1):
        reason = _play(name, user, injection, operator, seed, seeds, counts)
        if reason:
            failures[reason] = (*failures.get(reason, ()), f"{user} with {injection}")
        progress(f"agentdojo {name}", number, len(pairs))
    return SuiteSurvey(
        suite=name,
        pairs=len(pairs),
        solved_clean=counts["clean"],
        reached=counts["reached"],
        undone=counts["undone"],
        still_solved=counts["still_solved"],
        without_steps=tuple(key for key in loaded.suite.injection_tasks if key not in loaded.goals),
        failures=failures,
    )


def _play(
    name: str, user: str, injection: str, operator: Operator, seed: int, seeds: int, counts: Counter[str]
) -> str | None:
    """Play one pair; the reason if there is no proof."""
    template = f"{name}/{user}"
    rng = rng_for(seed, "agentdojo", template, injection)
    vector = rng.choice(load(name).vectors_read(user))
    task = DOMAIN.task(template, "agentdojo", injection, vector, rng)
    base = seed_for(seed, template, injection)
    try:
        clean = run_once(DOMAIN, task, HIJACKABLE, base)
        counts["clean"] += clean.is_right
        if not clean.is_right:
            return f"clean run: {clean.outcome.detail}"
        trial = Trial(DOMAIN, task, HIJACKABLE, operator, operator.spots(clean.writes)[0], base)
        proof = prove(trial, seeds=seeds, needed=seeds, wants_effect=True)
    except RunFailedError as error:
        return f"a run failed: {str(error)[:90]}"
    if not isinstance(proof, Proof):
        return str(proof)
    outcome = proof.arms.contaminated.outcome
    counts["reached"] += outcome.harm_done is True
    counts["undone"] += outcome.detail.endswith(UNDONE)
    counts["still_solved"] += outcome.detail.startswith("user task done")
    return None if outcome.harm_done else f"contaminated run: {outcome.detail}"
