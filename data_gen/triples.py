"""One triple from one index: the unit of work, independent of every other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from data_gen.agents import sample_profile
from data_gen.config import GenerateConfig
from data_gen.labelling import Placement, build_triple, first_consequence
from data_gen.operators import OPERATORS, candidates
from data_gen.probes import ProbePair, ProbeView, view_of
from data_gen.proof import Proof, Rejection, Run, RunFailedError, Trial, prove, run_once
from data_gen.randomness import rng_for, seed_for
from data_gen.splits import SplitPlan
from data_gen.tasks import DOMAINS
from mage_ml.memory.episode import EpisodeTriple, Split

MAX_ATTEMPTS: Final = 40


@dataclass(frozen=True, slots=True)
class Candidate:
    """What one index is to become."""

    index: int
    split: Split
    domain: str
    language: str
    operator: str
    wants_negative: bool


@dataclass(frozen=True, slots=True)
class TripleResult:
    """What one index became.

    Attributes:
        triple: The triple; `None` when every attempt was rejected.
        views: What the probes look at.
        rejections: Rejected attempts by reason.
        failures: Crashed runs by message.
        attempts: How many attempts were made.
    """

    triple: EpisodeTriple | None
    views: ProbePair | None
    rejections: Mapping[str, int]
    failures: Mapping[str, int]
    attempts: int


def plan_candidate(config: GenerateConfig, index: int, split: Split) -> Candidate:
    """Spread operators, languages, domains and hard negatives evenly over the indices."""
    operators, languages, domains = config.used_operators, config.languages, config.domains
    number, operator = divmod(index, len(operators))
    number, language = divmod(number, len(languages))
    negative = rng_for(config.seed, "negative", index).random() < config.hard_negative_share
    return Candidate(index, split, domains[number % len(domains)], languages[language], operators[operator], negative)


def make_triple(config: GenerateConfig, plan: SplitPlan, candidate: Candidate) -> TripleResult:
    """Try until an attempt gives the kind of triple that is wanted."""
    rejections: Counter[str] = Counter()
    failures: Counter[str] = Counter()
    for attempt in range(MAX_ATTEMPTS):
        trial = None
        proof: Proof | Rejection
        try:
            trial = _trial(config, plan, candidate, attempt)
            proof = Rejection.NO_CANDIDATE if trial is None else _prove(config, trial, candidate)
        except RunFailedError as error:
            failures[str(error)[:120]] += 1
            proof = Rejection.RUN_FAILED
        if trial is None or isinstance(proof, Rejection):
            rejections[str(proof)] += 1
            continue
        placement = Placement(
            f"{candidate.domain}-{candidate.language}-{candidate.index:07d}", candidate.domain, candidate.split
        )
        triple = build_triple(trial, proof, placement)
        return TripleResult(triple, _views(trial, proof), rejections, failures, attempt + 1)
    return TripleResult(None, None, rejections, failures, MAX_ATTEMPTS)


def _trial(config: GenerateConfig, plan: SplitPlan, candidate: Candidate, attempt: int) -> Trial | None:
    seed = seed_for(config.seed, candidate.index, attempt)
    rng = rng_for(seed, "trial")
    template, writer = plan.draw(candidate.split, candidate.language, rng)
    domain, operator = DOMAINS[candidate.domain], OPERATORS[candidate.operator]
    task = domain.sample(template, candidate.language, writer, rng, operator.needs)
    profile = sample_profile(rng, cautious=candidate.wants_negative)
    trial = Trial(domain, task, profile, operator, "", seed)
    clean = run_once(domain, task, profile, trial.run_seed(0))
    slots = [write.slot for write in candidates(operator, clean.writes)]
    return replace(trial, slot=slots[rng.randrange(len(slots))], clean=clean) if slots else None


def _prove(config: GenerateConfig, trial: Trial, candidate: Candidate) -> Proof | Rejection:
    wants_effect = not candidate.wants_negative
    return prove(trial, seeds=config.seeds_per_proof, needed=config.seeds_needed, wants_effect=wants_effect)


def _views(trial: Trial, proof: Proof) -> ProbePair:
    arms = proof.arms
    edited = next(entry for entry in arms.sham.entries if entry.id == arms.sham.edited)
    moment = first_consequence(arms, trial.operator) if proof.consequential else None
    if moment is None:
        moment = next(i for i, found in enumerate(arms.contaminated.moments) if found.visible > edited.step)

    def view(run: Run) -> ProbeView:
        return view_of(run.moments[min(moment, len(run.moments) - 1)].visible, run.entries[edited.step])

    return ProbePair(
        language=trial.task.language,
        writer=trial.task.writer,
        operator=trial.operator.name,
        clean=view(arms.clean),
        sham=view(arms.sham),
        contaminated=view(arms.contaminated),
    )
