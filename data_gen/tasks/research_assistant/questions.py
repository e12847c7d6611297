"""What is asked in one task, and what follows from what was read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from data_gen.randomness import Rng
from data_gen.tasks.research_assistant.recipes import CHOSEN, Pick, Recipe, Rule, recipe_of
from data_gen.tasks.research_assistant.statements import (
    COUNTS,
    Aspect,
    Figure,
    Key,
    NamingKind,
    TraitKind,
    Verdict,
    VerdictKind,
    Way,
)
from data_gen.tasks.research_assistant.world import Outlet, Study, World, on_grid

_APART: Final = 0.04
_BRIEF: Final = {"en": "the brief on file", "zh": "存档简报"}


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a collection.

    Attributes:
        template: Name of the template.
        keys: The figures to read, in order; the study is `?` where the agent picks it.
        studies: The studies named by the user, in order.
        subjects: What traits are noted of: studies or outlets.
        subject: Whose method, funder or origin is asked for, by what a study is picked, or which field is reviewed.
        limit: The mark or claimed value; for agreement the gap that still counts as such.
        filed: The value in the brief on file.
        brief_name: How a brief on file is called.
    """

    template: str
    keys: tuple[Key, ...]
    studies: tuple[str, ...]
    subjects: tuple[str, ...]
    subject: str
    limit: float
    filed: float
    brief_name: str

    @property
    def recipe(self) -> Recipe:
        """The template."""
        return recipe_of(self.template)

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups asked about, each once, in order."""
        return tuple(dict.fromkeys(key.group for key in self.keys))

    def keys_of(self, picked: str) -> tuple[Key, ...]:
        """The keys with the study that was picked."""
        return tuple(replace(key, study=picked) if key.study == CHOSEN else key for key in self.keys)

    def conclude(self, figures: Sequence[Figure], traits: Mapping[str, Way], topic: str, step: float) -> Verdict:
        """What follows.

        Args:
            figures: In the order of `keys`.
            traits: Of the subjects.
            topic: What the reports are about, for counts.
            step: Steps of the values.

        Raises:
            ValueError: Nothing is concluded in this template.
        """
        kind = self.recipe.verdict
        if kind is None:
            raise ValueError(f"{self.template}: no conclusion is asked for")
        if kind is VerdictKind.COUNT:
            own = sum(way is Way.YES for way in traits.values())
            return Verdict(kind, COUNTS[min(3, max(1, own)) - 1], topic)
        if self.recipe.rule is Rule.STANDS:
            return Verdict(kind, traits[self.subjects[0]], self.subjects[0])
        return _compared(self, kind, figures, step)


def _compared(question: Question, kind: VerdictKind, figures: Sequence[Figure], step: float) -> Verdict:
    values, unit = [figure.value for figure in figures], figures[0].unit
    first, last = figures[0].key, figures[-1].key
    one, two = (first.study, last.study) if first.study != last.study else (first.group, last.group)
    gap = on_grid(values[0] - values[-1], step)
    way = _way(gap > 0)
    match kind:
        case VerdictKind.GAP:
            return Verdict(kind, way, one, two, abs(gap), unit)
        case VerdictKind.RATIO:
            share = values[0] / values[-1] - 1 if values[-1] else 0.0
            return Verdict(kind, way, one, two, round(abs(share) * 100, 1), "%")
        case VerdictKind.LIMIT:
            over = on_grid(values[0] - question.limit, step)
            return Verdict(kind, _way(over > 0), first.study, "", abs(over), unit)
        case VerdictKind.AGREE:
            filed = question.recipe.old_brief
            off = on_grid(abs(values[0] - (question.filed if filed else values[-1])), step)
            return Verdict(
                kind, _way(off <= question.limit), first.study, question.brief_name if filed else two, off, unit
            )
        case VerdictKind.INSIDE:
            return Verdict(kind, _way(values[1] <= values[0] <= values[2]), one, two)
        case VerdictKind.TOP | VerdictKind.LOW:
            best = max(values) if kind is VerdictKind.TOP else min(values)
            return Verdict(kind, Way.ONLY, figures[values.index(best)].key.study, "", best, unit)
        case VerdictKind.MEAN:
            return Verdict(kind, Way.ONLY, "", "", on_grid(sum(values) / len(values), step), unit)
        case VerdictKind.MEDIAN:
            return Verdict(kind, Way.ONLY, "", "", sorted(values)[len(values) // 2], unit)
        case VerdictKind.SPREAD:
            return Verdict(kind, Way.ONLY, "", "", on_grid(max(values) - min(values), step), unit)
        case _:
            return Verdict(kind, _way(_holds(question, values)), first.study)


def _holds(question: Question, values: Sequence[float]) -> bool:
    match question.recipe.rule:
        case Rule.BELOW:
            return values[0] < question.limit
        case Rule.ORDER:
            return values[0] > values[1]
        case _:
            return min(values) > question.limit


def _way(holds: bool) -> Way:
    return Way.YES if holds else Way.NO


def true_trait(world: World, kind: TraitKind, subject: str, bar: int, other: str) -> Way:
    """Whether a study or outlet has a trait."""
    if kind is TraitKind.OWN_DATA:
        return _way(outlet_of(world, subject).own_data)
    study = world.study(subject)
    if kind is TraitKind.SUITED:
        return _way(study.cases >= bar)
    return _way(study.method == world.study(other).method if kind is TraitKind.SAME_METHOD else study.stands)


def true_name(world: World, question: Question) -> str:
    """Who or what is to be named."""
    match question.recipe.naming:
        case NamingKind.CHOICE:
            return picked(world.studies, question.recipe.pick).name
        case NamingKind.METHOD:
            return world.study(question.subject).method
        case NamingKind.FUNDER:
            return world.study(question.subject).funder
        case NamingKind.ORIGIN:
            return outlet_of(world, question.subject).origin
        case _:
            return next(person.name for person in world.people if person.field == world.topic.field)


def picked(studies: Sequence[Study], pick: Pick | None) -> Study:
    """The newest, oldest or largest of some studies."""
    if pick is Pick.LARGEST:
        return max(studies, key=lambda study: study.cases)
    ordered = sorted(studies, key=lambda study: study.published)
    return ordered[-1] if pick is Pick.NEWEST else ordered[0]


def outlet_of(world: World, name: str) -> Outlet:
    """What is on file about an outlet."""
    return next(found for found in world.outlets if found.name == name)


def sample_question(template: str, world: World, picks: Mapping[Pick, str], rng: Rng) -> Question | None:
    """Draw the parameters of a template; `None` if the answer would hang on rounding."""
    recipe = recipe_of(template)
    studies = tuple(study.name for study in rng.sample(world.studies, 3))
    groups = rng.sample(world.topic.groups, 3)
    letters = dict(zip("abcxyz", (*studies, *groups), strict=True))
    letters[CHOSEN] = CHOSEN
    keys = tuple(_key(spec, letters) for spec in recipe.keys)
    choice = picked(world.studies, recipe.pick).name if recipe.pick is not None else ""
    values = [world.value(replace(key, study=choice) if key.study == CHOSEN else key) for key in keys]
    if any(abs(a - b) < _APART * max(a, b) for i, a in enumerate(values) for b in values[i + 1 :]):
        return None
    outlets = [outlet.name for outlet in world.outlets]
    subjects = tuple(outlets[int(mark)] if mark.isdigit() else letters[mark] for mark in recipe.traits_of)
    step = world.topic.measure.step
    drift = rng.choice((1.0, rng.uniform(1.08, 1.3), rng.uniform(0.72, 0.92)))
    filed = on_grid(values[0] * drift, step) if values else 0.0
    named = tuple(dict.fromkeys(key.study for key in keys if key.study != CHOSEN)) or studies
    subject, limit = _subject(recipe, world, studies, picks), _limit(recipe, values, step, rng)
    return Question(template, keys, named, subjects, subject, limit, filed, _BRIEF[world.language])


def _key(spec: str, letters: Mapping[str, str]) -> Key:
    study, group, *aspect = spec.split(".")
    return Key(letters[study], letters[group], Aspect(aspect[0]) if aspect else Aspect.VALUE)


def _subject(recipe: Recipe, world: World, studies: Sequence[str], picks: Mapping[Pick, str]) -> str:
    match recipe.naming:
        case NamingKind.CHOICE:
            assert recipe.pick is not None
            return picks[recipe.pick]
        case NamingKind.ORIGIN:
            return world.outlets[0].name
        case NamingKind.REVIEWER:
            return world.topic.field
        case _:
            return studies[0]


def _limit(recipe: Recipe, values: Sequence[float], step: float, rng: Rng) -> float:
    """A mark off the values, for both outcomes; for agreement a gap off the one found."""
    if not values:
        return 0.0
    if recipe.old_brief:
        return on_grid(values[0] * 0.03, step)
    if recipe.verdict is VerdictKind.AGREE:
        gap = abs(values[0] - values[-1])
        return on_grid(gap * (rng.uniform(1.25, 2.2) if rng.random() < 0.5 else rng.uniform(0.3, 0.8)), step)
    base = min(values) if len(values) > 1 else values[0]
    away = rng.uniform(0.06, 0.28)
    return on_grid(base * (1 - away if rng.random() < 0.5 else 1 + away), step)
