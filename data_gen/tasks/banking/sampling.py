"""Draws banking tasks."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.statements import Passage
from data_gen.tasks.banking import letters, texts_world
from data_gen.tasks.banking.attributes import Attribute, Kind
from data_gen.tasks.banking.deeds import Terms
from data_gen.tasks.banking.letters import Call, Setting
from data_gen.tasks.banking.lexicon import METRICS, TENTATIVE
from data_gen.tasks.banking.task import (
    EVERY,
    GOALS,
    ApprovalRule,
    BankTask,
    ExtraPayment,
    draw_cause,
    leads_to_payment,
    money,
    setting_of,
)
from data_gen.tasks.banking.templates import BY_NAME, Take, Template, Verb, Verdict, suits
from data_gen.tasks.banking.wording import Figure, Key
from data_gen.tasks.banking.world import World, amount, build_world
from data_gen.tasks.drawing import draw_precedents
from data_gen.texts import names
from data_gen.texts.grammar import capitalised, expand

_NEEDS_MAIL: Final = (Need.CAUSE, Need.TWO_DOCUMENTS)


def _mails(spec: Template, wanted: frozenset[Need], rng: Rng) -> bool:
    must = not (spec.then or spec.otherwise) or not wanted.isdisjoint(_NEEDS_MAIL)
    return must or rng.random() < 0.72 or (Need.RESTATED_GOAL in wanted and not spec.pays)


def sample_task(name: str, language: str, writer: str, rng: Rng, wanted: frozenset[Need]) -> BankTask:
    """Draw a task; the ingredients are independent of each other, except for those wanted, which are there."""
    spec = BY_NAME[name]
    world = _world(spec, language, wanted, rng)
    terms = _terms(world, rng)
    mails = _mails(spec, wanted, rng)
    explains = mails and suits(name, frozenset({Need.CAUSE})) and (Need.CAUSE in wanted or rng.random() < 0.2)
    support = bool(spec.payments) and (Need.SINGLE_SOURCE in wanted or rng.random() < 0.15)
    independent = Need.SINGLE_SOURCE not in wanted and rng.random() < 0.7
    pays = leads_to_payment(world, spec, terms) and not (support and not independent)
    setting = setting_of(world, spec, pays=pays, mails=mails)
    reason = draw_cause(setting, rng) if explains and rng.random() < 0.7 else None
    single = spec.payments == 1 and spec.verdict not in (Verdict.MOST, Verdict.LEAST) and len(spec.then) == 1
    plain_rule = wanted.isdisjoint((Need.RULE, Need.SUBJECT, Need.PERMISSION, Need.NAME))
    rule = _rule(spec, world, terms, wanted, rng) if pays else None
    task = BankTask(
        template=name,
        language=language,
        writer=writer,
        goal="",
        company=world.company,
        world=world,
        spec=spec,
        terms=terms,
        recipient=world.contacts[0],
        wants_mail=mails,
        copies=tuple(names.address(rng, world.company) for _ in range(rng.choice((0, 0, 0, 1, 1, 2)) if mails else 0)),
        extra_mails=(names.address(rng, world.company),) if mails and rng.random() < 0.16 else (),
        given_number=_number(world, rng) if single and plain_rule and rng.random() < 0.2 else "",
        extra_payment=_extra(world, rng) if spec.pays and rng.random() < 0.14 else None,
        wants_reason=explains,
        true_reason=reason,
        wants_support=support,
        second_is_independent=independent,
        letters=letters.letters(setting, reason, wanted, rng),
        precedents=tuple(letters.precedent(setting, rng, plain=plain) for plain in draw_precedents(wanted, rng)),
        call=_call(world, spec, setting, rng) if Need.ESTIMATE in wanted or rng.random() < 0.2 else None,
        remark=Passage((letters.slot_sentence(setting, rng),)) if rng.random() < 0.4 else None,
        revision=_revision(world, spec, wanted, rng),
        checks_corrections=rng.random() < 0.15,
        bookings=rng.randint(3, 6) if rng.random() < 0.25 else 0,
        letters_first=rng.random() < 0.5,
        house_rule=expand(GOALS[language], "house", rng) if rng.random() < 0.3 else None,
        rule=rule,
        delegates=rule is not None and (not plain_rule or rng.random() < 0.6),
        restates=Need.RESTATED_GOAL in wanted or rng.random() < 0.4,
        damage=rng.getrandbits(32) if Need.RECORD in wanted or rng.random() < 0.1 else None,
        waits=rng.choice((1, 2)) if rng.random() < 0.1 else 0,
    )
    return replace(task, goal=_goal(task, rng))


def _number(world: World, rng: Rng) -> str:
    return texts_world.account_number(world.language, world.currency, rng)


def _extra(world: World, rng: Rng) -> ExtraPayment:
    return ExtraPayment(_number(world, rng), amount(world.step, rng, 60, 900))


def _world(spec: Template, language: str, wanted: frozenset[Need], rng: Rng) -> World:
    one_payee = spec.payments > 1 and (Need.PERMISSION in wanted or rng.random() < 0.35)
    as_text = not wanted.isdisjoint((Need.RECORD, Need.NEIGHBOURS)) or rng.random() < 0.15
    coarse = language == "zh" and Need.FIGURE in wanted  # 万 is where a Chinese scale slips
    return build_world(spec, language, rng, one_payee=one_payee, as_text=as_text, coarse=coarse)


def _terms(world: World, rng: Rng) -> Terms:
    percent = rng.choice((5, 10, 15, 20, 25, 30, 40))
    volume = float(100 * rng.randint(5, 90))
    return Terms(amount(world.step, rng, 200, 3000), volume, percent, rng.choice((3, 4, 5, 6)))


def _rule(spec: Template, world: World, terms: Terms, wanted: frozenset[Need], rng: Rng) -> ApprovalRule | None:
    """A rule that binds the payment, more often than not."""
    if wanted.isdisjoint((Need.RULE, Need.SUBJECT, Need.PERMISSION)) and rng.random() >= 0.3:
        return None
    invoices = [world.roles[role] for role, kind in spec.roles.items() if kind is Kind.INVOICE]
    payee = world.things[invoices[0]].payee
    paid = [label for label in invoices if world.things[label].payee == payee]
    smallest = min(world.figure(label, Attribute.DUE) for label in paid)
    part = {Verdict.PART: 1 / terms.parts, Verdict.SHARE: terms.percent / 100, Verdict.REST: 0.2}
    limit = smallest * part.get(spec.verdict, 0.4) * rng.uniform(0.4, 0.85) if spec.verdict else smallest * 0.7
    limit = smallest * rng.uniform(1.2, 2) if not wanted and rng.random() < 0.3 else limit
    rounded = max(1.0, round(limit / 100)) * 100 if limit >= 150 else max(10.0, round(limit, -1))
    both = spec.payments > 1 and len(paid) > 1
    exempt = both and (Need.PERMISSION in wanted or rng.random() < 0.35)
    label = rng.choice(paid) if exempt else ""
    free = not wanted and rng.random() < 0.2
    others = [name for name in world.payees() if name not in {thing.payee for thing in world.things.values()}]
    noted = rng.choice(others or [""]) if rng.random() < 0.3 else ""
    return ApprovalRule(payee, rounded, EVERY if free and both else label, not (free and not both), noted)


def _call(world: World, spec: Template, setting: Setting, rng: Rng) -> Call:
    """A rough figure for the first one asked for, well off the mark."""
    ask = spec.asks[0]
    label = world.roles[ask.role]
    value = world.figure(label, ask.attribute)
    factor = rng.uniform(0.7, 0.93) if rng.random() < 0.5 else rng.uniform(1.07, 1.4)
    rough = round(max(world.step, world.step * round(value * factor / world.step)), 2)
    author = names.person(world.language, rng)
    fields = {
        "author": author,
        "label": label,
        "metric": METRICS[world.language][ask.attribute][0],
        "amount": letters.loose_amount(setting, rough, rng),
        "unsure": names.pick(TENTATIVE[world.language], rng),
    }
    return Call(author, letters.sentence(setting, "voicemail", rng, fields))


def _revision(world: World, spec: Template, wanted: frozenset[Need], rng: Rng) -> Figure | None:
    """The first figure as a late correction leaves it, where one is possible and drawn."""
    key = Key(world.roles[spec.asks[0].role], spec.asks[0].attribute)
    if key.attribute not in (Attribute.DUE, Attribute.CLAIMED) or not (Need.REVISION in wanted or rng.random() < 0.25):
        return None
    value = world.figure(key.label, key.attribute) * rng.uniform(1.06, 1.4)
    return Figure(key, round(world.step * round(value / world.step), 2), world.currency)


def _goal(task: BankTask, rng: Rng) -> str:
    world, rules = task.world, GOALS[task.language]
    extra = task.extra_payment
    chinese = task.language == "zh"
    foreign = {"USD": "美元", "EUR": "欧元"}[world.foreign] if chinese else world.foreign
    volume = f"{task.terms.volume:,.0f}{'' if chinese else ' '}{foreign}"
    fields = {
        **{role: f"{label}" for role, label in world.roles.items()},
        "given": money(world, task.terms.given, rng), "volume": volume, "foreign": foreign,
        "percent": str(task.terms.percent), "parts": str(task.terms.parts), "source": world.source,
        "name": task.recipient.name, "address": ("、" if chinese else " and ").join(task.copies),
        "first": world.roles[task.spec.asks[0].role],
        "own": "".join(task.extra_mails),
        "number": task.given_number, "sum": money(world, extra.amount, rng) if extra else "",
    }  # fmt: skip
    own = task.uses_source and not any(
        step.verb is Verb.EXCHANGE and step.take is Take.VERDICT for step in task.spec.then
    )
    text = expand(rules, task.template, rng, fields) + expand(rules, "from" if own else "plain", rng, fields)
    wishes = [
        ("given_number", bool(task.given_number)), ("support", task.wants_support), ("mail", task.wants_mail),
        ("no_mail", not task.wants_mail), ("copy", bool(task.copies)), ("own_mail", bool(task.extra_mails)),
        ("why", task.wants_reason),
    ]  # fmt: skip
    text += "".join(expand(rules, symbol, rng, fields) for symbol, wished in wishes if wished)
    if extra is not None:
        text += expand(rules, "extra_payment", rng, {**fields, "number": extra.number})
    return capitalised(text)
