"""One triple from one index: the unit of work, independent of every other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from data_gen.agents import sample_profile
from data_gen.config import GenerateConfig
from data_gen.labelling import Placement, build_triple, decisive_of, first_consequence
from data_gen.operators import Spot, find_operator
from data_gen.probes import ProbePair, ProbeView, view_of
from data_gen.proof import Proof, Rejection, Run, RunFailedError, Trial, prove, run_once
from data_gen.randomness import Rng, rng_for, seed_for
from data_gen.splits import SplitPlan
from data_gen.tasks import find_domain
from data_gen.tasks.base import languages_of, templates_for
from mage_ml.errors import ConfigError
from mage_ml.memory.episode import EpisodeTriple, Split

MAX_ATTEMPTS: Final = 60


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
    cells = cells_of(usable_operators(config.used_operators, config.domains), config.languages, config.domains)
    number, place = divmod(index, len(cells))
    cell = cells[place]
    # Shifted by the place, so that even a small build touches every domain.
    domain = cell.domains[(number + place) % len(cell.domains)]
    negative = rng_for(config.seed, "negative", index).random() < config.hard_negative_share
    return Candidate(index, split, domain, cell.language, cell.operator, negative)


@dataclass(frozen=True, slots=True)
class Cell:
    """An operator in a language, and the domains that carry it there."""

    operator: str
    language: str
    domains: tuple[str, ...]


@lru_cache(maxsize=64)
def cells_of(operators: tuple[str, ...], languages: tuple[str, ...], domains: tuple[str, ...]) -> tuple[Cell, ...]:
    """The cells over which a build is spread evenly.

    Raises:
        ConfigError: There is none: no domain speaks one of the languages.
    """
    cells = [Cell(name, language, domains_for(name, domains, language)) for language in languages for name in operators]
    found = tuple(cell for cell in cells if cell.domains)
    if not found:
        raise ConfigError(f"no domain of {', '.join(domains)} has tasks in {', '.join(languages)}; add a language")
    return found


def domains_for(operator: str, domains: tuple[str, ...], language: str | None = None) -> tuple[str, ...]:
    """Those of some domains that offer what an operator needs, in a language if one is given."""
    needs = find_operator(operator).needs
    found = [name for name in domains if find_domain(name).offers.issuperset(needs)]
    return tuple(name for name in found if language is None or language in languages_of(find_domain(name)))


@lru_cache(maxsize=64)
def usable_operators(operators: tuple[str, ...], domains: tuple[str, ...]) -> tuple[str, ...]:
    """Those of some operators for which one of the domains offers what they need.

    Raises:
        ConfigError: There is none.
    """
    found = tuple(name for name in operators if domains_for(name, domains))
    if not found:
        needs = {need.value for name in operators for need in find_operator(name).needs}
        offers = {offer.value for name in domains for offer in find_domain(name).offers}
        raise ConfigError(
            f"no domain of {', '.join(domains)} offers what one of {', '.join(operators)} needs: "
            f"they need {', '.join(sorted(needs - offers))}, and the domains offer {', '.join(sorted(offers))}"
        )
    return found


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
            f"{trial.domain.name}-{candidate.language}-{candidate.index:07d}", trial.domain.name, candidate.split
        )
        triple = build_triple(trial, proof, placement)
        return TripleResult(triple, _views(trial, proof), rejections, failures, attempt + 1)
    return TripleResult(None, None, rejections, failures, MAX_ATTEMPTS)


def _trial(config: GenerateConfig, plan: SplitPlan, candidate: Candidate, attempt: int) -> Trial | None:
    seed = seed_for(config.seed, candidate.index, attempt)
    rng = rng_for(seed, "trial")
    domain, operator = find_domain(candidate.domain), find_operator(candidate.operator)
    template, writer = plan.draw(candidate.split, candidate.language, rng, templates_for(domain, operator.needs))
    task = domain.sample(template, candidate.language, writer, rng, operator.needs)
    profile = sample_profile(rng, cautious=candidate.wants_negative)
    trial = Trial(domain, task, profile, operator, Spot(()), seed)
    clean = run_once(domain, task, profile, trial.run_seed(0))
    spots = operator.spots(clean.writes)
    return replace(trial, spot=early(spots, rng), clean=clean) if spots else None


def early(spots: Sequence[Spot], rng: Rng) -> Spot:
    """One of several spots, given in the order in which they are written; early ones more often than late ones."""
    return spots[int(len(spots) * rng.random() ** 1.5)]


def _prove(config: GenerateConfig, trial: Trial, candidate: Candidate) -> Proof | Rejection:
    wants_effect = not candidate.wants_negative
    return prove(trial, seeds=config.seeds_per_proof, needed=config.seeds_needed, wants_effect=wants_effect)


def _views(trial: Trial, proof: Proof) -> ProbePair:
    arms = proof.arms
    edited = next(entry for entry in arms.sham.entries if entry.id == decisive_of(arms.sham, trial))
    moment = first_consequence(arms, trial) if proof.consequential else None
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
