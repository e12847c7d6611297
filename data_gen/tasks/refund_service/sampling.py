"""Draws complaints: world, rules, texts and goal."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from data_gen.needs import Need
from data_gen.randomness import Rng, rng_for
from data_gen.statements import Passage
from data_gen.tasks.drawing import draw_precedents
from data_gen.tasks.refund_service.attributes import Attr, Unit, unit_of
from data_gen.tasks.refund_service.goals import GOALS, WAYS, WRONGS
from data_gen.tasks.refund_service.papers import Complaint, draw_cause, memo, message, papers, precedent, slot_sentence
from data_gen.tasks.refund_service.recipes import CHECKED, RECIPES, REFUNDS, Recipe, Settlement
from data_gen.tasks.refund_service.statements import Rule, RuleKind, Strength, rule_note
from data_gen.tasks.refund_service.task import RefundTask
from data_gen.tasks.refund_service.wording import WRITERS
from data_gen.tasks.refund_service.world import World, build_world, payout
from data_gen.texts import names
from data_gen.texts.grammar import expand
from data_gen.texts.names import pick


def _grievance(
    world: World, recipe: Recipe, wanted: frozenset[Need], rng: Rng
) -> tuple[Complaint, tuple[Rule, ...], bool]:
    """What the customer complains about, the rules that bind the agents, and whether one asks for a kind tone."""
    first = world.purchases[0]
    named = first.items[: recipe.grievance.items]
    complaint = Complaint(first.order, named, upset=rng.random() < 0.55, deadline=rng.randint(2, 9))
    rules = _rules(world, recipe, complaint, wanted, rng)
    protects = any(rule.kind is RuleKind.TONE and rule.strength is Strength.BINDING for rule in rules)
    if protects and rng.random() < 0.85:
        complaint = replace(complaint, upset=True)
    return complaint, rules, protects


def sample_task(template: str, language: str, writer: str, rng: Rng, wanted: frozenset[Need]) -> RefundTask:
    """Draw a task; the ingredients are independent of each other, except for those wanted, which are there."""
    recipe = RECIPES[template]
    as_text = not wanted.isdisjoint((Need.RECORD, Need.NEIGHBOURS)) or rng.random() < 0.45
    world = build_world(recipe, language, rng, as_text=as_text)
    complaint, rules, protects = _grievance(world, recipe, wanted, rng)
    wants_cause = Need.CAUSE in wanted or rng.random() < 0.2
    cause = draw_cause(language, rng) if wants_cause and rng.random() < 0.7 else None
    wants_support = Need.SINGLE_SOURCE in wanted or rng.random() < 0.14
    told = draw_precedents(wanted, rng)
    warns = protects or rng.random() < 0.15
    replies = recipe.settlement in (Settlement.TELL, Settlement.RETURN, Settlement.WINDOW) or rng.random() < 0.94
    copies = rng.choice((0, 0, 0, 1, 1)) if replies else 0
    task = RefundTask(
        template=template,
        language=language,
        writer=writer,
        goal="",
        company=world.company,
        world=world,
        recipe=recipe,
        complaint=complaint,
        message=message(world, complaint, rng),
        rules=rules,
        house_rules=_house_rules(rules, language, rng, warns=warns),
        warns=warns,
        replies=replies,
        copies=tuple(names.address(rng, world.company) for _ in range(copies)),
        extras=(names.address(rng, world.company),) if replies and rng.random() < 0.12 else (),
        payout=payout(rng) if recipe.settlement in REFUNDS and rng.random() < 0.2 else "",
        wants_cause=wants_cause,
        cause=cause,
        wants_support=wants_support,
        is_backed=Need.SINGLE_SOURCE not in wanted and rng.random() < 0.7,
        wants_priority=Need.NEGATION in wanted or rng.random() < 0.4,
        papers=papers(world, cause, wanted, rng),
        papers_first=rng.random() < 0.4,
        precedents=tuple(precedent(world, rng, plain=plain) for plain in told),
        remark=Passage((slot_sentence(world, rng),)) if rng.random() < 0.35 else None,
        memo=None,
        revision=None,
        checks_updates=rng.random() < 0.1,
        restates=Need.RESTATED_GOAL in wanted or rng.random() < 0.5,
        damage=rng.getrandbits(32) if Need.RECORD in wanted or rng.random() < 0.1 else None,
        wide_records=Need.NEIGHBOURS in wanted or rng.random() < 0.4,
        waits=rng.choice((1, 2)) if rng.random() < 0.08 else 0,
        next_day=_may_wait(recipe, wanted) and not (wants_cause or wants_support or told) and rng.random() < 0.3,
    )
    return _finished(task, wanted, rng)


def _may_wait(recipe: Recipe, wanted: frozenset[Need]) -> bool:
    """Whether the dialogue agent may work the next day: short cases, and none whose texts the policy agent recalls."""
    short = recipe.settlement not in CHECKED and len(recipe.grievance.parts) < MANY_PARTS
    return short and wanted.isdisjoint((Need.PRECEDENT, Need.LOOP))


def _finished(task: RefundTask, wanted: frozenset[Need], rng: Rng) -> RefundTask:
    """The task with its rough figure, its correction and the goal in words."""
    key = task.keys[0]
    found = memo(task.world, key, rng) if Need.ESTIMATE in wanted or rng.random() < 0.15 else None
    before = None
    if unit_of(key.attr) is not Unit.PERCENT and (Need.REVISION in wanted or rng.random() < 0.18):
        before = _before(task.world.facts[key], key.attr, rng)
    checks = before is not None or task.checks_updates
    task = replace(task, memo=found, revision=before, checks_updates=checks)
    return replace(task, goal=_goal(task, rng))


def _before(value: float, attr: Attr, rng: Rng) -> float:
    if unit_of(attr) is Unit.DAYS:
        return value + rng.choice((-2, -1, 1, 2, 3))
    factor = rng.uniform(0.72, 0.93) if rng.random() < 0.5 else rng.uniform(1.08, 1.3)
    return round(value * factor, 2)


def _rules(world: World, recipe: Recipe, complaint: Complaint, wanted: frozenset[Need], rng: Rng) -> tuple[Rule, ...]:
    """The rules of the case; those wanted are such that the case turns on them."""
    customer, days = world.customers[0].name, "days" if world.language == "en" else "天"
    due = recipe.due([world.facts[key] for key in recipe.keys(complaint.order, complaint.items, world.clause)])
    pays = recipe.settlement is not Settlement.RETURN
    kinds = {kind for kind in RuleKind if rng.random() < 0.28}
    tight = rng.random() < 0.5
    if not wanted.isdisjoint((Need.RULE, Need.SUBJECT)):
        tight = True
        turning = [RuleKind.TONE, *([RuleKind.CAP] * 2 if pays else [])]
        kinds.add(rng.choice([*turning, *([RuleKind.PROMISE] * 2 if recipe.settlement in REFUNDS else [])]))
    if Need.PERMISSION in wanted:
        kinds.add(RuleKind.PERMIT)
    if not pays:
        kinds -= {RuleKind.CAP, RuleKind.PROMISE, RuleKind.PERMIT}
    found = []
    for kind in RuleKind:
        strength = Strength.BINDING if kind in kinds else _other_strength(kind, complaint, rng)
        if strength is None or (kind is RuleKind.PERMIT and not pays):
            continue
        elsewhere = strength is Strength.BINDING and not wanted and rng.random() < _ELSEWHERE
        subject = world.customers[rng.randint(1, len(world.customers) - 1)].name if elsewhere else customer
        if kind is RuleKind.PROMISE:
            gap = rng.randint(2, 6) if tight else rng.randint(-2, 5)
            found.append(Rule(kind, subject, float(max(2, complaint.deadline + gap)), days, strength))
        elif kind is RuleKind.CAP:
            factor = rng.uniform(0.4, 0.88) if tight else rng.uniform(0.5, 1.9)
            found.append(Rule(kind, subject, round(max(1.0, due * factor), 2), world.currency, strength))
        elif kind is RuleKind.TONE:
            found.append(Rule(kind, subject, strength=strength))
        else:
            order = world.purchases[0 if rng.random() < 0.6 else 1].order
            found.append(Rule(kind, order, strength=strength))
    rng.shuffle(found)
    return tuple(found)


def _other_strength(kind: RuleKind, complaint: Complaint, rng: Rng) -> Strength | None:
    """What else than a rule may be handed over: usual practice, a remark, a permission for all; mostly nothing."""
    draw = rng.random()
    if kind is RuleKind.PERMIT:
        return Strength.WIDE if draw < 0.1 else None
    if draw < 0.08 and (kind is not RuleKind.TONE or not complaint.upset):
        return Strength.SOFT
    return Strength.REMARK if draw > 0.9 else None


MANY_PARTS: Final = 3
_ELSEWHERE: Final = 0.12
"""How often a rule binds somebody else than the customer of the case."""
_CODES: Final = {RuleKind.PROMISE: "C1", RuleKind.CAP: "C2", RuleKind.TONE: "C3", RuleKind.PERMIT: "C2"}


def _house_rules(rules: tuple[Rule, ...], language: str, rng: Rng, *, warns: bool) -> str:
    """The rules as the case begins with them."""
    writer = WRITERS[f"{language}-formal"]
    stop = "." if language == "en" else "。"
    lines = [expand(GOALS[language], "house", rng)]
    mark = ": " if language == "en" else "："
    for rule in rules:
        text = writer.word(rule_note(rule), rng_for(rng.getrandbits(40)))
        code = "" if rule.strength is Strength.REMARK else f"{_CODES[rule.kind]}{mark}"
        lines.append(f"{code}{text}{stop}")
    if warns:
        lines.append(expand(GOALS[language], "practice", rng))
    return "\n".join(lines)


def _goal(task: RefundTask, rng: Rng) -> str:
    language, world = task.language, task.world
    fields = {
        "case": world.case,
        "customer": world.customers[0].name,
        "clause": world.clause,
        "person": world.person,
        "address": "、".join(task.copies) if language == "zh" else " and ".join(task.copies),
        "extra": "".join(task.extras),
        "payout": task.payout,
        "other": world.purchases[1].order,
        "wrong": pick(WRONGS[language][task.recipe.wrong], rng),
    }
    way = pick(WAYS[language][task.recipe.settlement], rng)
    fields["way"] = way.replace("{person}", world.person)
    wishes = [
        ("copy", bool(task.copies)),
        ("extra", bool(task.extras)),
        ("payout", bool(task.payout)),
        ("why", task.wants_cause),
        ("support", task.wants_support),
        ("high", task.wants_priority),
        ("both", any(rule.kind is RuleKind.PERMIT for rule in task.rules)),
        ("silent", not task.replies),
    ]
    parts = [expand(GOALS[language], "head", rng, fields)]
    parts += [expand(GOALS[language], symbol, rng, fields) for symbol, wished in wishes if wished]
    return "".join(parts)
