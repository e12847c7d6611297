"""Draws a task of the assistant: facts and their changes, requests, people, messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.statements import Sentence
from data_gen.tasks.personal_assistant import papers
from data_gen.tasks.personal_assistant.asking import with_requests
from data_gen.tasks.personal_assistant.catalogue import BY_NAME, CHOSEN, COMPUTED, JUDGED, PAY, Pattern, Template
from data_gen.tasks.personal_assistant.facts import Fact, Value
from data_gen.tasks.personal_assistant.records import value_text
from data_gen.tasks.personal_assistant.sorts import NOUNS, SORTS, TOPICS, UNITS_ZH, Noun, Shape, Sort
from data_gen.tasks.personal_assistant.task import AssistantTask
from data_gen.texts import names
from data_gen.texts.amounts import CURRENCIES

_RELATIONS: Final = {
    "en": ("cousin", "neighbour", "flatmate", "colleague", "friend", "in-law", "schoolmate", "relative"),
    "zh": ("表亲", "邻居", "室友", "同事", "朋友", "亲家", "同学", "亲戚"),
}
_RULES: Final = {
    "en": ("Keep messages short and friendly.", "Payments go out once only.", "Do not wake anybody before eight."),
    "zh": ("消息要简短客气。", "每笔钱只付一次。", "早上八点前不要打扰家人。"),
}
_NEED_FIGURE: Final = frozenset(
    {
        Need.FIGURE, Need.REVISION, Need.NEIGHBOURS, Need.RECORD, Need.ESTIMATE, Need.SINGLE_SOURCE, Need.CAUSE,
    }
)  # fmt: skip
_NEED_TEXT: Final = frozenset({Need.DOCUMENT, Need.AUTHORITY, Need.LOOP, Need.TWO_DOCUMENTS})
_WITH_MAIL: Final = frozenset(_NEED_TEXT | {Need.PRECEDENT, Need.RESTATED_GOAL, Need.CAUSE, Need.SINGLE_SOURCE})


def suits(template: str, needs: frozenset[Need]) -> bool:
    """Whether a template can meet some needs."""
    plan = BY_NAME[template]
    sorts = [SORTS[name] for name in plan.sorts]
    has = {
        Need.NAME: plan.pattern in CHOSEN or any(sort.shape is Shape.NAME for sort in sorts),
        Need.NEGATION: plan.pattern in JUDGED or any(sort.shape is Shape.FLAG for sort in sorts),
        Need.CONCLUSION: plan.pattern in COMPUTED,
    }
    figures = any(sort.shape is Shape.FIGURE and sort.tool for sort in sorts)
    return all(has.get(need, True) and (figures or need not in _NEED_FIGURE) for need in needs)


@dataclass(frozen=True, slots=True)
class _Change:
    """Which fact changes, and about which the user asks."""

    changed: str = ""
    checks: str = ""


def sample_task(template: str, language: str, writer: str, rng: Rng, wanted: frozenset[Need]) -> AssistantTask:
    """Draw a task; the ingredients are independent of each other, except for those wanted, which are there."""
    plan, company = BY_NAME[template], names.company(rng)
    people = _people(language, company, rng)
    facts = _facts(plan, language, people, rng)
    figure = next((fact for fact in facts if fact.shape is Shape.FIGURE and not fact.is_told), None)
    wants_reason = figure is not None and (Need.CAUSE in wanted or rng.random() < 0.2)
    wants_support = figure is not None and (Need.SINGLE_SOURCE in wanted or rng.random() < 0.2)
    steady = figure if Need.ESTIMATE in wanted else None  # a change would set a wrong guess right by itself
    change = _change(
        [fact for fact in facts if fact is not steady] or facts,
        figure,
        rng,
        forced=wants_reason or Need.REVISION in wanted,
    )
    if change.changed:
        facts = tuple(_changed(f, rng) if f.key == change.changed else f for f in facts)
    stated = wants_reason and (Need.CAUSE in wanted or rng.random() < 0.7) and rng.random() < 0.8
    phrase = papers.sentence(language, "phrase", rng, {}) if stated else ""
    reason = phrase[:1].lower() + phrase[1:] if language == "en" else phrase
    pays = plan.act is PAY
    sittings = 3 if change.changed or change.checks or rng.random() < 0.5 else 2
    payee, shop = people[1][0], names.pick(NOUNS[language][Noun.SHOP], rng)
    return with_requests(
        AssistantTask(
            template, language, writer, "", company, facts=facts, requests=(), people=people, payee=payee, shop=shop,
            count=rng.randint(2, 5), recipient=people[0][0],
            wants_mail=not wanted.isdisjoint(_WITH_MAIL) or wants_reason or wants_support or rng.random() < 0.8,
            copies=_some_addresses(rng, company, 0.15), extra_mails=_some_addresses(rng, company, 0.1),
            paths=(names.path(rng),) if rng.random() < 0.25 else (),
            account=papers.account(rng) if pays and rng.random() < 0.2 else "",
            messages=_messages(facts, language, company, sittings, reason, wanted, rng, pays=pays),
            remark=papers.remark(language, rng, company) if rng.random() < 0.25 else None,
            precedents=_precedents(facts[0].topic, language, company, wanted, rng, pays=pays),
            guess=_guess(figure, language, rng) if Need.ESTIMATE in wanted or rng.random() < 0.2 else "",
            changed=change.changed, checks=change.checks, reason=reason, wants_reason=wants_reason,
            wants_support=wants_support,
            has_two_sources=Need.SINGLE_SOURCE not in wanted and rng.random() < 0.4,
            recalls_messages=not wanted.isdisjoint(_NEED_TEXT) or rng.random() < 0.5,
            restates=Need.RESTATED_GOAL in wanted or rng.random() < 0.3,
            damage=rng.getrandbits(40) if Need.RECORD in wanted or rng.random() < 0.25 else None,
            waits=rng.choice((1, 1, 2)) if rng.random() < 0.15 else 0,
            house_rule=names.pick(_RULES[language], rng) if rng.random() < 0.3 else None,
        ),
        sittings, rng,
    )  # fmt: skip


def _people(language: str, company: str, rng: Rng) -> tuple[tuple[str, str, str], ...]:
    found: dict[str, tuple[str, str, str]] = {}
    while len(found) < 8:
        name = names.person(language, rng)
        # A household has one mailbox a person: namesakes of one surname would share theirs.
        found[name] = (name, names.pick(_RELATIONS[language], rng), names.mailbox(name, company, language))
    return tuple(found.values())


def _facts(plan: Template, language: str, people: Sequence[tuple[str, str, str]], rng: Rng) -> tuple[Fact, ...]:
    currency = CURRENCIES[language][0 if language == "zh" and rng.random() < 0.8 else int(rng.random() * 3)]
    facts: list[Fact] = []
    for key, name in zip("abc", plan.sorts, strict=False):
        sort = SORTS[name]
        taken = [fact.topic for fact in facts]
        topic = rng.choice([topic for topic in TOPICS[language][name] if topic not in taken])
        fact = Fact(key, topic, sort.shape, 0.0, sort=sort)
        match sort.shape:
            case Shape.FLAG:
                fact = replace(fact, value=rng.random() < 0.6, family=sort.family)
            case Shape.NAME:
                assert sort.noun is not None
                people_names = tuple(person for person, _, _ in people[2:])
                options = people_names if sort.noun is Noun.PERSON else NOUNS[language][sort.noun]
                fact = replace(fact, value=rng.choice(options), noun=str(sort.noun), options=options)
            case Shape.FIGURE:
                unit = currency if sort.unit == "money" else UNITS_ZH[sort.unit] if language == "zh" else sort.unit
                fact = replace(fact, value=_number(sort, rng), unit=unit, step=sort.step)
        facts.append(fact)
    return tuple(_with_neighbours(fact, rng) for fact in _balanced(plan, facts, rng))


def _number(sort: Sort, rng: Rng) -> float:
    return round(sort.low + sort.step * int(rng.random() * (sort.high - sort.low) / sort.step), 2)


def _moved(value: float, low: float, high: float, step: float, rng: Rng) -> float:
    """A number that differs from another by a factor between the bounds, up or down."""
    factor = rng.uniform(low, high)
    other = value * factor if rng.random() < 0.5 else value / factor
    found = round(step * max(1, round(other / step)), 2)
    return found if abs(found - value) >= step else round(value + step, 2)


def _balanced(plan: Template, facts: list[Fact], rng: Rng) -> list[Fact]:
    """Numbers that are compared lie close enough for a slip to matter; what is taken away is the smaller one."""
    figures = [fact for fact in facts if fact.shape is Shape.FIGURE]
    if plan.pattern in (*CHOSEN, *JUDGED):
        base, other = figures[-2], figures[-1]
        moved = _moved(float(base.value), 1.06, 1.4, other.step, rng)
    elif plan.pattern is Pattern.REST:
        other, base = figures[0], figures[1]
        moved = round(other.step * (1 + round(float(base.value) * rng.uniform(1.3, 2.5) / other.step)), 2)
    else:
        return facts
    return [replace(fact, value=moved) if fact.key == other.key else fact for fact in facts]


def _with_neighbours(fact: Fact, rng: Rng) -> Fact:
    if fact.shape is not Shape.FIGURE or fact.is_told:
        return fact
    value = float(fact.value)
    near = tuple(dict.fromkeys(_moved(value, 1.15, 1.8, fact.step, rng) for _ in range(2)))
    return replace(fact, nearby=tuple(number for number in near if number != value))


def _change(facts: Sequence[Fact], figure: Fact | None, rng: Rng, *, forced: bool) -> _Change:
    draw = rng.random()
    if forced and figure is not None:
        return _Change(figure.key, figure.key)
    if draw < 0.35:
        fact = rng.choice(facts)
        # The user says what changed, or asks; numbers that a tool knows change at the source.
        return _Change(fact.key, fact.key if fact.shape is Shape.FIGURE and not fact.is_told else "")
    known = [fact for fact in facts if not fact.is_told]
    return _Change("", rng.choice(known).key) if known and draw < 0.5 else _Change()


def _changed(fact: Fact, rng: Rng) -> Fact:
    before: Value
    if isinstance(fact.value, bool):
        before = not fact.value
    elif isinstance(fact.value, str):
        before = rng.choice([name for name in fact.options if name != fact.value])
    else:
        before = _moved(fact.value, 1.08, 1.45, fact.step, rng)
    return replace(fact, before=before)


def _some_addresses(rng: Rng, company: str, chance: float) -> tuple[str, ...]:
    return (names.address(rng, company),) if rng.random() < chance else ()


def _messages(
    facts: Sequence[Fact],
    language: str,
    company: str,
    sittings: int,
    reason: str,
    wanted: frozenset[Need],
    rng: Rng,
    *,
    pays: bool,
) -> tuple[papers.Message, ...]:
    some = bool(reason) or not wanted.isdisjoint(_NEED_TEXT)
    count = rng.choice((2, 2, 3) if Need.TWO_DOCUMENTS in wanted else (1, 1, 2, 2) if some else (0, 1, 1, 2))
    read_in = sorted(rng.randint(1, sittings) for _ in range(count))
    held = papers.placed(wanted, count, pays=pays, rng=rng)
    if Need.TWO_DOCUMENTS not in wanted:
        rng.shuffle(held)
    figures = [fact for fact in facts if fact.shape is Shape.FIGURE]
    holder = rng.randrange(count) if count else 0
    found = []
    for number in range(count):
        fields = {"topic": facts[0].topic}
        if figures:
            about = rng.choice(figures)
            other = _moved(float(about.value), 1.1, 1.9, about.step, rng)
            fields = {"topic": about.topic, "figure": value_text(about, other, language, rng)}
        extras: tuple[Sentence, ...] = ()
        if reason and number == holder:
            told = {"topic": next(f.topic for f in figures if not f.is_told), "phrase": reason}
            extras = (Sentence(papers.sentence(language, "cause_note", rng, told)),)
        ingredient, style = held[number]
        found.append(
            papers.message(
                language, rng, company, read_in[number], fields, extras=extras, ingredient=ingredient, style=style
            )
        )
    return tuple(found)


def _precedents(
    topic: str, language: str, company: str, wanted: frozenset[Need], rng: Rng, *, pays: bool
) -> tuple[papers.Message, ...]:
    wants = Need.PRECEDENT in wanted
    if not wants and rng.random() > 0.25:
        return ()
    plain = [not wants] + ([rng.random() < 0.5] if rng.random() < 0.4 else [])
    return tuple(papers.precedent(language, rng, company, topic, plain=one, pays=pays) for one in plain)


def _guess(figure: Fact | None, language: str, rng: Rng) -> str:
    if figure is None:
        return ""
    rough = _moved(float(figure.value), 1.07, 1.4, figure.step, rng)
    fields = {"topic": figure.topic, "figure": value_text(figure, rough, language, rng)}
    return papers.sentence(language, "guess", rng, fields)
