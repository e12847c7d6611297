"""One banking task: what is asked and done, and what lies in the files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.statements import Passage
from data_gen.tasks.banking import goals_en, goals_zh, judge, letters
from data_gen.tasks.banking.attributes import KIND_OF, ORIGIN_OF, Kind
from data_gen.tasks.banking.deeds import Terms, conclude, steps_of
from data_gen.tasks.banking.environment import Bank
from data_gen.tasks.banking.letters import Call, Letter, Setting
from data_gen.tasks.banking.templates import PAYS, Template
from data_gen.tasks.banking.wording import Figure, Key
from data_gen.tasks.banking.world import Contact, World
from data_gen.tasks.base import TaskBase
from data_gen.texts.amounts import AmountStyle, format_quantity
from data_gen.texts.grammar import capitalised, expand
from data_gen.texts.phrasebook import GrammarPhrasebook

GOALS: Final = {"en": goals_en.GOALS, "zh": goals_zh.GOALS}
OFFERS: Final = frozenset(Need)
EVERY: Final = "*"
WRITTEN_ABOUT: Final = (Kind.INVOICE, Kind.CLAIM, Kind.CHARGE)


@dataclass(frozen=True, slots=True)
class ApprovalRule:
    """Payments to somebody above a limit need approval.

    Attributes:
        payee: Whom they are made to.
        limit: Above which amount.
        exempt: The one invoice that may go without; `*` for every one, empty for none.
        binds: Whether it is a rule at all, or advice.
        noted: Another payee, payments to whom are only recorded; empty if there is no such line.
    """

    payee: str
    limit: float
    exempt: str
    binds: bool = True
    noted: str = ""

    def spares(self, label: str) -> bool:
        """Whether an invoice may be paid without approval, whatever its amount."""
        return not self.binds or self.exempt in (EVERY, label)


@dataclass(frozen=True, slots=True)
class ExtraPayment:
    """A further payment that the user wants."""

    number: str
    amount: float


@dataclass(frozen=True)
class BankTask(TaskBase):
    """A task. What its fields mean together is said in `judge`.

    Attributes:
        world: The firm.
        spec: Its template.
        terms: Numbers given with the request.
        recipient: Who gets a mail.
        wants_mail: Whether a mail is wanted.
        copies: Addresses that the user allowed to get it too.
        extra_mails: Addresses to which the user wants mails of their own.
        given_number: An account number that the user gives in place of the registered one; empty if none.
        extra_payment: A further payment that the user wants.
        wants_reason: Whether the cause is asked for.
        true_reason: The cause that the letters state, if they do.
        wants_support: Whether money may move only if two independent sources back the first figure.
        second_is_independent: Whether the second source is more than a copy.
        letters: What third parties wrote.
        precedents: Stored requests of other users that the agent recalls.
        call: A rough figure left by phone.
        remark: Free text in a record of the directory.
        revision: The first figure as a late correction leaves it.
        checks_corrections: Whether the agent looks for corrections.
        bookings: How many bookings of the paying account it lists; 0 for none.
        letters_first: Whether it reads the letters before the records.
        house_rule: A standing rule in memory.
        rule: The rule on approvals that it holds, if it does.
        delegates: Whether another agent carries out the payments.
        restates: Whether the agent restates its task and works from that.
        damage: Seed of the damage that records in plain text arrive with; `None` for whole records.
        waits: How often records are still being compiled when they are asked for.
    """

    world: World = field(kw_only=True)
    spec: Template = field(kw_only=True)
    terms: Terms = field(kw_only=True)
    recipient: Contact = field(kw_only=True)
    wants_mail: bool = field(kw_only=True)
    copies: tuple[str, ...] = field(kw_only=True)
    extra_mails: tuple[str, ...] = field(kw_only=True)
    given_number: str = field(kw_only=True)
    extra_payment: ExtraPayment | None = field(kw_only=True)
    wants_reason: bool = field(kw_only=True)
    true_reason: str | None = field(kw_only=True)
    wants_support: bool = field(kw_only=True)
    second_is_independent: bool = field(kw_only=True)
    letters: tuple[Letter, ...] = field(kw_only=True)
    precedents: tuple[Letter, ...] = field(kw_only=True)
    call: Call | None = field(kw_only=True)
    remark: Passage | None = field(kw_only=True)
    revision: Figure | None = field(kw_only=True)
    checks_corrections: bool = field(kw_only=True)
    bookings: int = field(kw_only=True)
    letters_first: bool = field(kw_only=True)
    house_rule: str | None = field(kw_only=True)
    rule: ApprovalRule | None = field(kw_only=True)
    delegates: bool = field(kw_only=True)
    restates: bool = field(kw_only=True)
    damage: int | None = field(kw_only=True)
    waits: int = field(kw_only=True)

    @property
    def keys(self) -> tuple[Key, ...]:
        """The figures asked for."""
        return tuple(Key(self.world.roles[ask.role], ask.attribute) for ask in self.spec.asks)

    @property
    def uses_source(self) -> bool:
        """Whether money leaves the paying account."""
        return any(step.verb in judge.USES_SOURCE for step in (*self.spec.then, *self.spec.otherwise))

    @property
    def setting(self) -> Setting:
        """What texts of this task draw on."""
        held = self.wants_support and not self.second_is_independent
        pays = not held and leads_to_payment(self.world, self.spec, self.terms)
        return setting_of(self.world, self.spec, pays=pays, mails=self.wants_mail)

    @property
    def phrasebook(self) -> GrammarPhrasebook:
        """Requests about payments and mails."""
        return letters.phrasebook(self.setting)

    @property
    def record_origins(self) -> tuple[str, ...]:
        """Where the first figure asked for comes from."""
        return (ORIGIN_OF[KIND_OF[self.keys[0].attribute]],)

    def others(self, kind: str) -> tuple[str, ...]:
        """People, payees, numbers, dates; things that were asked about, or all of the kind where only one was."""
        world = self.world
        if kind == Kind.PERSON:
            return tuple(person.name for person in world.contacts)
        if kind == Kind.PAYEE:
            return world.payees()
        if kind == Kind.NUMBER:
            return tuple(world.numbers.values())
        if kind == Kind.DATE:
            return tuple(dict.fromkeys(day for thing in world.things.values() for day in thing.dates))
        asked = tuple(dict.fromkeys(key.label for key in self.keys if world.things[key.label].kind == kind))
        return asked if len(asked) > 1 else world.of_kind(Kind(kind))

    def new_environment(self) -> Bank:
        """A fresh world in its first state."""
        return Bank(self)

    def phrase(self, rng: Rng) -> str:
        """A plausible cause that no letter of this task states."""
        known = " ".join(letter.passage.text(self.language) for letter in self.letters)
        while True:
            phrase = draw_cause(self.setting, rng)
            if phrase not in known:
                return phrase


def rule_text(task: BankTask, rng: Rng) -> str:
    """The rule on approvals in the house's words; empty if there is none."""
    if task.rule is None:
        return ""
    rules = GOALS[task.language]
    rule, limit = task.rule, money(task.world, task.rule.limit, rng)
    fields = {"payee": rule.payee, "limit": limit, "label": rule.exempt}
    lines = [expand(rules, "rule" if rule.binds else "rule_weak", rng, fields)]
    if rule.exempt:
        label = expand(rules, "every", rng) if rule.exempt == EVERY else rule.exempt
        lines.append(expand(rules, "permit", rng, {**fields, "label": label}).strip())
    if rule.noted:
        lines.append(expand(rules, "rule_noted", rng, {**fields, "payee": rule.noted}))
    return "\n".join(capitalised(line) for line in lines)


def setting_of(world: World, spec: Template, *, pays: bool, mails: bool) -> Setting:
    """What texts of a task draw on."""
    first = world.roles[spec.asks[0].role]
    label = first if world.things[first].kind in WRITTEN_ABOUT else world.of_kind(Kind.INVOICE)[0]
    return Setting(world.language, world.company, world.currency, world.step, label, pays, mails)


def leads_to_payment(world: World, spec: Template, terms: Terms) -> bool:
    """Whether a payment to a payee follows from the figures."""
    keys = [Key(world.roles[ask.role], ask.attribute) for ask in spec.asks]
    figures = [Figure(key, world.figure(key.label, key.attribute), world.currency) for key in keys]
    return any(step.verb in PAYS for step in steps_of(spec, conclude(spec, terms, figures)))


def draw_cause(setting: Setting, rng: Rng) -> str:
    """A plausible cause of a sum."""
    phrase = letters.sentence(setting, "phrase", rng)
    return phrase[:1].lower() + phrase[1:] if setting.language == "en" else phrase


def money(world: World, value: float, rng: Rng) -> str:
    """A sum as users and the house write it."""
    styles = (AmountStyle.COMMAS_ZH,) if world.language == "zh" else (AmountStyle.CODE, AmountStyle.SYMBOL)
    return format_quantity(value, world.currency, rng.choice(styles))
