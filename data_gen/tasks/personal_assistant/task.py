"""One task of the assistant: facts, the requests of each sitting, and what is right in the end."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.tasks.base import TaskBase
from data_gen.tasks.personal_assistant.catalogue import BY_NAME, COMPUTED, PAY, Pattern, Template
from data_gen.tasks.personal_assistant.facts import PERSON_KIND, Fact, Reading, conclude, conclusion_of
from data_gen.tasks.personal_assistant.papers import Message, phrasebook, sentence
from data_gen.tasks.personal_assistant.sorts import Noun, Shape
from data_gen.texts.phrasebook import GrammarPhrasebook

if TYPE_CHECKING:
    from data_gen.tasks.personal_assistant.environment import Household


@dataclass(frozen=True, slots=True)
class Effect:
    """What a writing tool did, or should do: the tool and its arguments, empty where it has none."""

    tool: str
    target: str = ""
    item: str = ""
    number: float = 0.0
    unit: str = ""
    account: str = ""


@dataclass(frozen=True)
class AssistantTask(TaskBase):
    """A task.

    Attributes:
        facts: The facts, with their true values at the end.
        requests: What the user says in each sitting.
        people: Everybody in the address book, with address and relation.
        payee: Who is paid, asked or met, where no fact says so.
        shop: Where things are ordered, where no fact says so.
        count: The number in the last request, where there is one.
        recipient: Who gets the message.
        wants_mail: Whether a message is wanted.
        copies: Addresses that the user allowed to get it too.
        extra_mails: Addresses to which the user wants mails of their own.
        paths: Where a copy is wanted.
        account: The account that the user named; empty for the one on file.
        messages: What people wrote, and when it is read.
        remark: The remark in the recipient's entry of the address book.
        precedents: Stored requests of other members of the household.
        guess: A rough figure for the first number that somebody left by phone.
        changed: Key of the fact that changes between the sittings; empty if none does.
        checks: Key of the fact about whose changes the user asks; empty if none.
        reason: The cause of the change that a message states.
        wants_reason: Whether the cause is asked for.
        wants_support: Whether the number of sources is asked for.
        has_two_sources: Whether there are two.
        recalls_messages: Whether the assistant recalls old messages before it acts.
        restates: Whether it restates whom to write to.
        damage: Seed of the damage that records arrive with as text; `None` for whole records.
        waits: How often a look-up is still syncing.
        house_rule: A standing rule.
    """

    facts: tuple[Fact, ...] = field(kw_only=True)
    requests: tuple[str, ...] = field(kw_only=True)
    people: tuple[tuple[str, str, str], ...] = field(kw_only=True)
    payee: str = field(kw_only=True)
    shop: str = field(kw_only=True)
    count: int = field(kw_only=True)
    recipient: str = field(kw_only=True)
    wants_mail: bool = field(kw_only=True)
    copies: tuple[str, ...] = field(kw_only=True)
    extra_mails: tuple[str, ...] = field(kw_only=True)
    paths: tuple[str, ...] = field(kw_only=True)
    account: str = field(kw_only=True)
    messages: tuple[Message, ...] = field(kw_only=True)
    remark: Message | None = field(kw_only=True)
    precedents: tuple[Message, ...] = field(kw_only=True)
    guess: str = field(kw_only=True)
    changed: str = field(kw_only=True)
    checks: str = field(kw_only=True)
    reason: str = field(kw_only=True)
    wants_reason: bool = field(kw_only=True)
    wants_support: bool = field(kw_only=True)
    has_two_sources: bool = field(kw_only=True)
    recalls_messages: bool = field(kw_only=True)
    restates: bool = field(kw_only=True)
    damage: int | None = field(kw_only=True)
    waits: int = field(kw_only=True)
    house_rule: str | None = field(kw_only=True)

    @property
    def plan(self) -> Template:
        """The template."""
        return BY_NAME[self.template]

    @property
    def figures(self) -> tuple[Fact, ...]:
        """The facts that are numbers."""
        return tuple(fact for fact in self.facts if fact.shape is Shape.FIGURE)

    @property
    def subject(self) -> Fact:
        """The fact about which reason, sources and changes are asked: the first that a tool knows, figures first."""
        known = [fact for fact in (*self.figures, *self.facts) if not fact.is_told]
        return known[0]

    @property
    def conclusion(self) -> Fact | None:
        """What is concluded, without its value."""
        return conclusion_of(self.plan.pattern, self.figures, self.language) if self.figures else None

    @property
    def phrasebook(self) -> GrammarPhrasebook:
        """Requests about messages, files and accounts."""
        return phrasebook(self.language, self.company, pays=self.plan.act is PAY)

    @property
    def record_origins(self) -> tuple[str, ...]:
        """Where the first number comes from."""
        sort = self.subject.sort
        return (sort.origin,) if sort is not None else ()

    def others(self, kind: str) -> tuple[str, ...]:
        """People of the address book, or the names that a fact could have."""
        if kind == PERSON_KIND:
            return tuple(name for name, _, _ in self.people)
        facts = (*self.facts, *((self.conclusion,) if self.conclusion is not None else ()))
        return next((fact.options for fact in facts if fact.noun == kind), ())

    def phrase(self, rng: Rng) -> str:
        """A plausible cause that no message of this task states."""
        while True:
            phrase = sentence(self.language, "phrase", rng, {})
            phrase = phrase[:1].lower() + phrase[1:] if self.language == "en" else phrase
            if phrase != self.reason:
                return phrase

    def new_environment(self) -> Household:
        """A fresh world in its first state."""
        from data_gen.tasks.personal_assistant.environment import Household

        return Household(self)

    def decide(self, readings: dict[str, Reading], conclusion: Reading | None) -> Effect | None:
        """The decisive action that some readings of the facts, and a conclusion, call for; `None` for no action."""
        plan = self.plan
        flags = [readings[fact.key].value for fact in self.facts if fact.shape is Shape.FLAG]
        if conclusion is not None and isinstance(conclusion.value, bool):
            flags.append(conclusion.value)
        if any(flag is not plan.when for flag in flags):
            return None
        act, named = plan.act, [fact for fact in self.facts if fact.shape is Shape.NAME]
        target = {"shop": self.shop, "": ""}.get(act.target, self.payee)
        item = next((f.topic for f in self.facts if f.shape is Shape.FIGURE and not f.is_told), self.facts[0].topic)
        for fact in named:
            if fact.noun == Noun.DISH:
                item = str(readings[fact.key].value)
            else:
                target = str(readings[fact.key].value)
        if plan.pattern in (Pattern.LOWEST, Pattern.HIGHEST) and conclusion is not None:
            item = str(conclusion.value)
        effect = Effect(act.tool, target if act.target else "", item, account=self.account)
        if not act.number:
            return effect
        if plan.pattern in COMPUTED:
            assert conclusion is not None
            number = conclusion
        else:
            number = next(readings[f.key] for f in self.figures if not f.is_told)
        if not number.value:
            return None  # nothing is left
        return replace(effect, number=float(number.value), unit=number.unit)

    def expected(self) -> Effect | None:
        """The decisive action by the true facts."""
        readings = {fact.key: Reading(fact.value, fact.unit) for fact in self.facts}
        return self.decide(readings, self.true_conclusion())

    def true_conclusion(self) -> Reading | None:
        """What follows from the true facts."""
        if self.conclusion is None:
            return None
        figures = self.figures
        readings = [Reading(fact.value, fact.unit) for fact in figures]
        return conclude(self.plan.pattern, figures, readings, self.count)


OFFERS: Final = frozenset(Need) - {Need.RULE, Need.SUBJECT, Need.PERMISSION}
