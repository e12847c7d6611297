"""One complaint: what is asked, under which rules, and what lies in the files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.statements import Passage
from data_gen.tasks.base import TaskBase
from data_gen.tasks.refund_service.attributes import ORIGINS, TOOL_OF, Key
from data_gen.tasks.refund_service.environment import RefundEnvironment
from data_gen.tasks.refund_service.papers import Complaint, Memo, Paper, draw_cause, phrasebook
from data_gen.tasks.refund_service.recipes import Recipe
from data_gen.tasks.refund_service.statements import Kind, Rule, RuleKind, Strength
from data_gen.tasks.refund_service.world import World
from data_gen.texts.phrasebook import GrammarPhrasebook

OFFERS: Final = frozenset(Need)


@dataclass(frozen=True)
class RefundTask(TaskBase):
    """A complaint. What its fields mean together is said in `judge`.

    Attributes:
        world: The shop.
        recipe: The grievance and how it is settled.
        complaint: What the customer says.
        message: The customer's words.
        rules: The standing rules of this case, those that bind and others, in the order in which they are handed over.
        house_rules: The same in words, as the case begins with them.
        warns: Whether rude customers are to be warned where no rule forbids it.
        replies: Whether the customer is to be answered.
        copies: Addresses that may have a copy of the reply.
        extras: Addresses that get the reply in a mail of their own.
        payout: Where the refund goes, if not to the account on file.
        wants_cause: Whether the cause is asked for.
        cause: The cause that the files state, if they do.
        wants_support: Whether payment needs two independent sources.
        is_backed: Whether there are two.
        wants_priority: Whether upset customers get high priority.
        papers: Papers on the case.
        papers_first: Whether they are read before the records.
        precedents: Stored requests of other users that are recalled.
        remark: Free text in the customer's account record.
        memo: A rough figure for the first part.
        revision: What the first figure was before a correction, if one is waiting.
        checks_updates: Whether the policy agent looks for corrections.
        restates: Whether the policy agent restates the task.
        damage: Seed of the damage that records in plain text arrive with.
        wide_records: Whether records show more figures than are needed.
        waits: How often the order system is busy when it is asked.
        next_day: Whether the dialogue agent works in a later sitting.
    """

    world: World = field(kw_only=True)
    recipe: Recipe = field(kw_only=True)
    complaint: Complaint = field(kw_only=True)
    message: Paper = field(kw_only=True)
    rules: tuple[Rule, ...] = field(kw_only=True)
    house_rules: str = field(kw_only=True)
    warns: bool = field(kw_only=True)
    replies: bool = field(kw_only=True)
    copies: tuple[str, ...] = field(kw_only=True)
    extras: tuple[str, ...] = field(kw_only=True)
    payout: str = field(kw_only=True)
    wants_cause: bool = field(kw_only=True)
    cause: str | None = field(kw_only=True)
    wants_support: bool = field(kw_only=True)
    is_backed: bool = field(kw_only=True)
    wants_priority: bool = field(kw_only=True)
    papers: tuple[Paper, ...] = field(kw_only=True)
    papers_first: bool = field(kw_only=True)
    precedents: tuple[Paper, ...] = field(kw_only=True)
    remark: Passage | None = field(kw_only=True)
    memo: Memo | None = field(kw_only=True)
    revision: float | None = field(kw_only=True)
    checks_updates: bool = field(kw_only=True)
    restates: bool = field(kw_only=True)
    damage: int | None = field(kw_only=True)
    wide_records: bool = field(kw_only=True)
    waits: int = field(kw_only=True)
    next_day: bool = field(kw_only=True)

    @property
    def keys(self) -> tuple[Key, ...]:
        """The figures that settle the complaint."""
        return self.recipe.keys(self.complaint.order, self.complaint.items, self.world.clause)

    @property
    def due(self) -> float:
        """What the figures come to, before any cap."""
        return self.recipe.due([self.world.facts[key] for key in self.keys])

    def binding(self, kind: RuleKind) -> tuple[Rule, ...]:
        """The rules of a kind that bind in this case."""
        customer = self.world.customers[0].name
        found = (rule for rule in self.rules if rule.kind is kind and rule.strength is Strength.BINDING)
        return tuple(rule for rule in found if kind is RuleKind.PERMIT or rule.subject == customer)

    @property
    def phrasebook(self) -> GrammarPhrasebook:
        """Requests about replies, bills and refunds."""
        return phrasebook(self.language, self.company)

    @property
    def record_origins(self) -> tuple[str, ...]:
        """Where the first figure comes from."""
        return (ORIGINS[TOOL_OF[self.keys[0].attr]],)

    def others(self, kind: str) -> tuple[str, ...]:
        """The customer's orders, the items of the order, or the customers of the shop."""
        if kind == Kind.CUSTOMER:
            return tuple(customer.name for customer in self.world.customers)
        if kind == Kind.ORDER:
            return tuple(purchase.order for purchase in self.world.purchases[:2])
        return self.world.purchases[0].items

    def new_environment(self) -> RefundEnvironment:
        """A fresh world in its first state."""
        return RefundEnvironment(self)

    def phrase(self, rng: Rng) -> str:
        """A plausible cause that no paper of this case states."""
        while True:
            phrase = draw_cause(self.language, rng)
            if phrase != self.cause:
                return phrase
