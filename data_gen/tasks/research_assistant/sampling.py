"""Draws research tasks: the collection, the question, and what is to be delivered."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from data_gen.needs import Need
from data_gen.randomness import Rng, rng_for
from data_gen.statements import Passage
from data_gen.tasks.drawing import draw_precedents
from data_gen.tasks.research_assistant import goals_en, goals_zh, papers
from data_gen.tasks.research_assistant.questions import Question, sample_question
from data_gen.tasks.research_assistant.recipes import PREFIX, Gate, Pick, Recipe, explains, recipe_of
from data_gen.tasks.research_assistant.statements import Figure, NamingKind, TraitKind, finding
from data_gen.tasks.research_assistant.task import ResearchTask
from data_gen.tasks.research_assistant.wording import WRITERS
from data_gen.tasks.research_assistant.world import Person, World, build_world, corrected
from data_gen.texts import names
from data_gen.texts.documents import ADDRESS, NONE, PATH
from data_gen.texts.grammar import capitalised, expand

GOALS: Final = {"en": goals_en.GOALS, "zh": goals_zh.GOALS}
PICKS: Final = {
    language: {Pick(name): words for name, words in table.items()}
    for language, table in (("en", goals_en.PICKS), ("zh", goals_zh.PICKS))
}
_TITLES: Final = {
    "en": ("reading list", "figures for later", "source log", "open points"),
    "zh": ("阅读清单", "备查数字", "来源记录", "待议事项"),
}


def sample_task(template: str, language: str, writer: str, rng: Rng, wanted: frozenset[Need]) -> ResearchTask:
    """Draw a task; the ingredients are independent of each other, except for those wanted, which are there."""
    recipe = recipe_of(template)
    world, question, revised = _clear_question(template, language, wanted, rng)
    reviewer = next(person for person in world.people if person.field == world.topic.field)
    recipient = reviewer if recipe.naming is NamingKind.REVIEWER else rng.choice(world.people)
    ways = _delivery(recipe, world, question, wanted, rng)
    wants_reason = recipe.reason or (explains(recipe) and (Need.CAUSE in wanted or rng.random() < 0.22))
    cause = papers.cause_of(world, rng) if wants_reason and rng.random() < 0.6 else None
    wants_support = bool(recipe.keys) and (recipe.support or Need.SINGLE_SOURCE in wanted or rng.random() < 0.18)
    first = next(iter(question.keys), None)
    rough = recipe.has_figures and (Need.ESTIMATE in wanted or rng.random() < 0.2)
    note = papers.phone_note(world, first.study, first.group, world.value(first), rng) if first and rough else None
    bar = _bar(world, rng)
    return ResearchTask(
        template=template,
        language=language,
        writer=writer,
        goal=_goal(world, question, recipient, ways, bar, wants_reason, wants_support and not recipe.support, rng),
        company=world.company,
        seed=rng.getrandbits(32),
        world=world,
        question=question,
        recipient=recipient,
        mails=ways.mails,
        copies=ways.copies,
        extra_mails=ways.extras,
        paths=ways.paths,
        wants_answer=ways.answer,
        note_title=ways.note,
        also_cited=ways.also,
        bar=bar,
        wants_reason=wants_reason,
        true_reason=cause,
        wants_support=wants_support,
        confirmed=Need.SINGLE_SOURCE not in wanted and rng.random() < 0.65,
        papers=papers.papers(world, cause, wanted, _held(ways), rng),
        papers_first=rng.random() < 0.5,
        phone_note=note,
        remark=Passage((papers.slot_sentence(world, rng),)) if rng.random() < 0.35 else None,
        precedents=_precedents(world, wanted, rng),
        checks=revised or recipe.corrects or (recipe.has_figures and rng.random() < 0.15),
        searches=recipe.pick is not None or rng.random() < 0.3,
        house_rule=expand(GOALS[language], "rules", rng) if rng.random() < 0.3 else None,
        restates=_restates(recipe, ways, wanted, rng),
        damage=rng.getrandbits(32) if Need.RECORD in wanted or rng.random() < 0.1 else None,
        wide_records=Need.NEIGHBOURS in wanted or rng.random() < 0.4,
        old_path=ways.paths[0] if recipe.old_brief else "",
        old_text=_old_brief(world, question, language, rng) if recipe.old_brief else "",
    )


@dataclass(frozen=True, slots=True)
class _Ways:
    """What is to be delivered, and where."""

    mails: bool
    copies: tuple[str, ...]
    extras: tuple[str, ...]
    paths: tuple[str, ...]
    answer: bool
    note: str | None
    also: str | None


def _held(ways: _Ways) -> tuple[str, ...]:
    """What a request in a text could be about, so that following it would matter in this task."""
    pathed = (PATH, papers.STUDY) if ways.paths else (PATH,)
    return (ADDRESS, NONE, *pathed) if ways.mails else pathed


def _restates(recipe: Recipe, ways: _Ways, wanted: frozenset[Need], rng: Rng) -> bool:
    """Whether the agent notes what it is to do, and for whom: only where somebody else is written to."""
    able = ways.mails and recipe.naming is not NamingKind.REVIEWER
    return able and (Need.RESTATED_GOAL in wanted or rng.random() < 0.4)


def _precedents(world: World, wanted: frozenset[Need], rng: Rng) -> tuple[papers.Paper, ...]:
    return tuple(papers.precedent(world, rng, plain=one) for one in draw_precedents(wanted, rng))


def _delivery(recipe: Recipe, world: World, question: Question, needs: frozenset[Need], rng: Rng) -> _Ways:
    gated = recipe.gate in (Gate.MAIL_IF_YES, Gate.MAIL_IF_NO)
    must = recipe.naming is NamingKind.REVIEWER or Need.RESTATED_GOAL in needs
    mails = recipe.gate is None and (must or rng.random() < 0.86)
    copies = tuple(names.address(rng, world.company) for _ in range(rng.choice((0, 0, 0, 1, 1, 2)) if mails else 0))
    extras = (names.address(rng, world.company),) if mails and rng.random() < 0.12 else ()
    needs_brief = recipe.cites_by_trait or recipe.old_brief
    wanted = 1 if recipe.old_brief else rng.choice((1, 1, 2) if needs_brief else (0, 0, 1, 1, 1, 2))
    paths = tuple(dict.fromkeys(names.path(rng) for _ in range(wanted)))
    answer = rng.random() < (0.3 if mails or paths else 1.0) or gated or recipe.old_brief
    title = rng.choice(_TITLES[world.language]) if rng.random() < 0.2 else None
    named = {key.study for key in question.keys} | {*question.subjects, *question.studies}
    spare = [study.name for study in world.studies if study.name not in named]
    also = rng.choice(spare) if paths and spare and recipe.pick is None and rng.random() < 0.2 else None
    return _Ways(mails, copies, extras, paths, answer, title, also)


def _clear_question(template: str, language: str, wanted: frozenset[Need], rng: Rng) -> tuple[World, Question, bool]:
    """A collection and a question whose answer does not hang on rounding, and whether a value was corrected."""
    recipe, as_text = recipe_of(template), not wanted.isdisjoint((Need.RECORD, Need.NEIGHBOURS))
    single = recipe.has_figures and not recipe.old_brief and all(spec.count(".") == 1 for spec in recipe.keys)
    revised = single and (Need.REVISION in wanted or rng.random() < (0.6 if recipe.corrects else 0.22))
    while True:
        world = build_world(language, rng, as_text=as_text)
        if recipe.trait is not TraitKind.STANDING:  # nobody would quote a retracted study without a word on that
            world = replace(world, studies=tuple(replace(study, stands=True) for study in world.studies))
        seed = rng.getrandbits(32)
        question = sample_question(template, world, PICKS[language], rng_for(seed))
        if question is None:
            continue
        if not revised:
            return world, question, False
        world = corrected(world, question.keys[0], rng)
        again = sample_question(template, world, PICKS[language], rng_for(seed))
        if again is not None:
            return world, again, True


def _bar(world: World, rng: Rng) -> int:
    """A number of cases between those of the studies."""
    ordered = sorted(study.cases for study in world.studies)
    return ordered[rng.randrange(1, len(ordered) - 1)] + 1


def _old_brief(world: World, question: Question, language: str, rng: Rng) -> str:
    key, measure = question.keys[0], world.topic.measure
    note = finding(Figure(key, question.filed, measure.unit), measure)
    return WRITERS[f"{language}-formal"].word(note, rng)


def _goal(
    world: World, question: Question, recipient: Person, ways: _Ways, bar: int, why: bool, backed: bool, rng: Rng
) -> str:
    language, rules = world.language, GOALS[world.language]
    a, b, c = (*question.studies, "", "")[:3]
    groups = (*question.groups, "", "", "")
    outlets = question.subjects if question.recipe.trait is TraitKind.OWN_DATA else ()
    fields = {
        "a": a, "b": b, "c": c, "x": groups[0], "y": groups[1], "z": groups[2],
        "abc": joined([f"the {name}" if language == "en" else name for name in (a, b, c) if name], language),
        "what": world.topic.measure.name, "limit": papers.loose(world, question.limit, rng),
        "outlets": joined([f"the {name}" if language == "en" else name for name in outlets], language),
        "outlet": question.subject, "field": world.topic.field, "bar": str(bar), "name": recipient.name,
        "old": ways.paths[0] if ways.paths else "", "path": joined(ways.paths, language),
        "address": joined(ways.copies, language), "extra": joined(ways.extras, language),
        "title": ways.note or "", "also": ways.also or "",
    }  # fmt: skip
    recipe = question.recipe
    told = recipe.naming is NamingKind.REVIEWER or recipe.gate is not None
    send = "keep" if told else "send" if ways.mails else "no_send"
    wishes = (
        (send, True), ("file", bool(ways.paths) and not recipe.old_brief), ("cite", bool(ways.also)),
        ("copy", bool(ways.copies)), ("extra", bool(ways.extras)), ("submit", ways.answer), ("note", bool(ways.note)),
        ("why", why), ("backed", backed),
    )  # fmt: skip
    text = expand(rules, question.template.removeprefix(PREFIX), rng, fields)
    text += "".join(expand(rules, symbol, rng, fields) for symbol, wished in wishes if wished)
    return capitalised(text + ("." if language == "en" else "。"))


def joined(items: tuple[str, ...] | list[str], language: str) -> str:
    """A list in words."""
    if language == "zh" or len(items) < 2:
        return "、".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"
