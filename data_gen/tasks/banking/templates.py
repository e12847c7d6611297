"""The task templates: what is looked up, what is concluded from it, and what is done then."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from data_gen.needs import Need
from data_gen.tasks.banking.attributes import KIND_OF, Attribute, Kind


class Verdict(StrEnum):
    """What is concluded from figures."""

    SUM = "sum"
    REST = "rest"
    COVER = "cover"
    MOST = "most"
    LEAST = "least"
    SHARE = "share"
    PART = "part"
    HALF = "half"
    RAISE = "raise"
    CONVERT = "convert"


class Verb(StrEnum):
    """What can be done, each with a tool of its own."""

    PAY = "make_payment"
    SCHEDULE = "schedule_payment"
    HOLD = "hold_payment"
    RECALL = "recall_payment"
    REIMBURSE = "reimburse"
    TRANSFER = "transfer_funds"
    EXCHANGE = "buy_currency"
    SET_ORDER = "change_standing_order"
    STOP_ORDER = "stop_standing_order"
    SET_CARD = "set_card_limit"
    BLOCK = "block_card"
    DISPUTE = "dispute_charge"
    BOOK = "book_adjustment"


class Take(StrEnum):
    """Where the amount of a step comes from."""

    FIRST = "first"
    SECOND = "second"
    VERDICT = "verdict"
    GIVEN = "given"
    NONE = "none"


WINNER: Final = "winner"
PAYS: Final = (Verb.PAY, Verb.SCHEDULE)


@dataclass(frozen=True, slots=True)
class Step:
    """Something to do.

    Attributes:
        verb: What.
        role: With what: a role of the template, or the winner of its ranking.
        take: Which amount.
        other: The account that money goes to, for transfers.
    """

    verb: Verb
    role: str
    take: Take = Take.NONE
    other: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """A figure to look up: of a role, an attribute."""

    role: str
    attribute: Attribute


@dataclass(frozen=True, slots=True)
class Template:
    """A kind of task.

    Attributes:
        name: Unique name.
        asks: What is looked up, in order.
        verdict: What is concluded; `None` when the figures themselves are wanted.
        then: What is done, if the conclusion is affirmative where it can be either.
        otherwise: What is done if it is not.
        same_payee: Whether both invoices or claims are of one payee.
        ordered: Whether the first figure is always the larger one.
    """

    name: str
    asks: tuple[Ask, ...]
    verdict: Verdict | None = None
    then: tuple[Step, ...] = ()
    otherwise: tuple[Step, ...] = ()
    same_payee: bool = False
    ordered: bool = False

    @property
    def roles(self) -> dict[str, Kind]:
        """The roles and the kind of thing in each, those of accounts that money only moves to included."""
        found = {ask.role: KIND_OF[ask.attribute] for ask in self.asks}
        for step in (*self.then, *self.otherwise):
            if step.other not in ("", WINNER):
                found.setdefault(step.other, Kind.ACCOUNT)
            if step.verb is Verb.TRANSFER and step.role != WINNER:
                found.setdefault(step.role, Kind.ACCOUNT)
        return found

    @property
    def pays(self) -> bool:
        """Whether payments to payees are made in some case."""
        return any(step.verb in PAYS for step in (*self.then, *self.otherwise))

    @property
    def payments(self) -> int:
        """How many payments to payees are made if all goes ahead."""
        return sum(step.verb in PAYS for step in self.then)


_A, _V, _B, _T = Attribute, Verdict, Verb, Take


def _asks(text: str) -> tuple[Ask, ...]:
    pairs = (item.split(".") for item in text.split())
    return tuple(Ask(role, Attribute(name)) for role, name in pairs)


def _move(role: str, other: str, take: Take = Take.VERDICT) -> tuple[Step, ...]:
    return (Step(Verb.TRANSFER, role, take, other),)


_PAY_FIRST, _PAY_REST = (Step(_B.PAY, "a", _T.FIRST),), (Step(_B.PAY, "a", _T.VERDICT),)
_ALL: Final = (
    # -- invoices
    Template("bank_pay_in_full", _asks("a.due"), then=_PAY_FIRST),
    Template("bank_pay_less_discount", _asks("a.due a.discount"), _V.REST, _PAY_REST, ordered=True),
    Template("bank_pay_with_late_fee", _asks("a.due a.late_fee"), _V.SUM, _PAY_REST),
    Template("bank_pay_remainder", _asks("a.due a.paid"), _V.REST, _PAY_REST, ordered=True),
    Template("bank_pay_two_at_once", _asks("a.due b.due"), _V.SUM, _PAY_REST, same_payee=True),
    Template(
        "bank_pay_two_apart", _asks("a.due b.due"),
        then=(Step(_B.PAY, "a", _T.FIRST), Step(_B.PAY, "b", _T.SECOND)),
    ),
    Template(
        "bank_pay_if_covered", _asks("x.balance a.due"), _V.COVER, (Step(_B.PAY, "a", _T.SECOND),),
        (Step(_B.HOLD, "a"),),
    ),
    Template(
        "bank_pay_if_within_limit", _asks("x.limit a.due"), _V.COVER, (Step(_B.PAY, "a", _T.SECOND),),
        (Step(_B.SCHEDULE, "a", _T.SECOND),),
    ),
    Template("bank_schedule_full", _asks("a.due"), then=(Step(_B.SCHEDULE, "a", _T.FIRST),)),
    Template(
        "bank_schedule_less_discount", _asks("a.due a.discount"), _V.REST, (Step(_B.SCHEDULE, "a", _T.VERDICT),),
        ordered=True,
    ),
    Template(
        "bank_schedule_two", _asks("a.due b.due"),
        then=(Step(_B.SCHEDULE, "a", _T.FIRST), Step(_B.SCHEDULE, "b", _T.SECOND)),
    ),
    Template("bank_pay_larger", _asks("a.due b.due"), _V.MOST, (Step(_B.PAY, WINNER, _T.VERDICT),)),
    Template("bank_pay_smaller", _asks("a.due b.due"), _V.LEAST, (Step(_B.PAY, WINNER, _T.VERDICT),)),
    Template("bank_pay_smallest_of_three", _asks("a.due b.due c.due"), _V.LEAST, (Step(_B.PAY, WINNER, _T.VERDICT),)),
    Template("bank_pay_part", _asks("a.due"), _V.PART, _PAY_REST),
    Template("bank_pay_deposit", _asks("a.due"), _V.SHARE, _PAY_REST),
    Template("bank_recall_excess", _asks("a.paid a.due"), _V.REST, (Step(_B.RECALL, "a", _T.VERDICT),), ordered=True),
    Template(
        "bank_settle_or_recall", _asks("a.paid a.due"), _V.COVER, (Step(_B.RECALL, "a", _T.VERDICT),), _PAY_REST,
    ),
    Template("bank_pay_if_agreed", _asks("k.agreed a.due"), _V.COVER, (Step(_B.PAY, "a", _T.SECOND),), (
        Step(_B.HOLD, "a"),
    )),
    Template("bank_pay_at_most_agreed", _asks("k.agreed a.due"), _V.COVER, (Step(_B.PAY, "a", _T.SECOND),), (
        Step(_B.PAY, "a", _T.FIRST),
    )),
    # -- expenses
    Template("bank_reimburse_claim", _asks("c.claimed"), then=(Step(_B.REIMBURSE, "c", _T.FIRST),)),
    Template(
        "bank_reimburse_capped", _asks("c.cap c.claimed"), _V.COVER, (Step(_B.REIMBURSE, "c", _T.SECOND),),
        (Step(_B.REIMBURSE, "c", _T.FIRST),),
    ),
    Template(
        "bank_reimburse_two", _asks("c.claimed d.claimed"), _V.SUM, (Step(_B.REIMBURSE, "c", _T.VERDICT),),
        same_payee=True,
    ),
    # -- own accounts
    Template("bank_sweep_surplus", _asks("x.balance x.minimum"), _V.REST, _move("x", "y"), ordered=True),
    Template("bank_top_up_minimum", _asks("x.minimum x.balance"), _V.REST, _move("y", "x"), ordered=True),
    Template("bank_save_share", _asks("x.inflow"), _V.SHARE, _move("x", "y")),
    Template("bank_even_out", _asks("x.balance y.balance"), _V.HALF, _move("x", "y"), ordered=True),
    Template("bank_fund_two_invoices", _asks("a.due b.due"), _V.SUM, _move("x", "y")),
    Template("bank_move_from_fuller", _asks("x.balance y.balance"), _V.MOST, _move(WINNER, "z", _T.GIVEN)),
    Template("bank_feed_emptier", _asks("x.balance y.balance"), _V.LEAST, (
        Step(_B.TRANSFER, "z", _T.GIVEN, WINNER),
    )),
    Template("bank_cover_shortfall", _asks("x.balance a.due"), _V.COVER, (), _move("y", "x")),
    # -- currency
    Template("bank_buy_currency", _asks("q.rate"), _V.CONVERT, (Step(_B.EXCHANGE, "q", _T.VERDICT),)),
    Template("bank_buy_cheaper_currency", _asks("q.rate r.rate"), _V.LEAST, (Step(_B.EXCHANGE, WINNER, _T.GIVEN),)),
    # -- standing orders
    Template("bank_order_to_contract", _asks("o.instalment k.agreed"), then=(Step(_B.SET_ORDER, "o", _T.SECOND),)),
    Template("bank_raise_order", _asks("o.instalment"), _V.RAISE, (Step(_B.SET_ORDER, "o", _T.VERDICT),)),
    Template("bank_stop_if_over", _asks("k.agreed o.instalment"), _V.COVER, (), (Step(_B.STOP_ORDER, "o"),)),
    Template(
        "bank_merge_orders", _asks("o.instalment p.instalment"), _V.SUM,
        (Step(_B.SET_ORDER, "o", _T.VERDICT), Step(_B.STOP_ORDER, "p")),
    ),
    Template("bank_stop_larger_order", _asks("o.instalment p.instalment"), _V.MOST, (Step(_B.STOP_ORDER, WINNER),)),
    # -- cards
    Template("bank_card_limit_to_spend", _asks("m.spent"), _V.RAISE, (Step(_B.SET_CARD, "m", _T.VERDICT),)),
    Template("bank_block_if_over", _asks("m.card_limit m.spent"), _V.COVER, (), (Step(_B.BLOCK, "m"),)),
    Template("bank_block_busier_card", _asks("m.spent n.spent"), _V.MOST, (Step(_B.BLOCK, WINNER),)),
    Template("bank_pool_card_limits", _asks("m.card_limit n.card_limit"), _V.SUM, (
        Step(_B.SET_CARD, "m", _T.VERDICT), Step(_B.BLOCK, "n"),
    )),
    # -- charges and reconciliation
    Template(
        "bank_dispute_excess", _asks("g.charged g.tariff"), _V.REST, (Step(_B.DISPUTE, "g", _T.VERDICT),),
        ordered=True,
    ),
    Template(
        "bank_dispute_if_over", _asks("g.tariff g.charged"), _V.COVER, (), (Step(_B.DISPUTE, "g", _T.VERDICT),),
    ),
    Template("bank_dispute_larger", _asks("g.charged h.charged"), _V.MOST, (Step(_B.DISPUTE, WINNER, _T.VERDICT),)),
    Template("bank_reconcile", _asks("x.closing x.balance"), _V.REST, (Step(_B.BOOK, "x", _T.VERDICT),), ordered=True),
    # -- questions
    Template("bank_balance", _asks("x.balance")),
    Template("bank_joint_balance", _asks("x.balance y.balance"), _V.SUM),
    Template("bank_open_items", _asks("a.due b.due"), _V.SUM),
    Template("bank_free_funds", _asks("x.balance x.minimum"), _V.REST, ordered=True),
    Template("bank_card_room", _asks("m.card_limit m.spent"), _V.REST, ordered=True),
    Template("bank_is_covered", _asks("x.balance a.due"), _V.COVER),
)  # fmt: skip
BY_NAME: Final = {template.name: template for template in _ALL}
TEMPLATES: Final = tuple(BY_NAME)

_VERDICTS_WITH_NAMES: Final = (Verdict.MOST, Verdict.LEAST)
_EXPLAINED: Final = (Kind.INVOICE, Kind.CLAIM, Kind.CHARGE)
_PAYING: Final = (Need.RULE, Need.SUBJECT, Need.PERMISSION, Need.SINGLE_SOURCE)


def suits(name: str, needs: frozenset[Need]) -> bool:
    """Whether a template can meet some needs."""
    template = BY_NAME[name]
    names = template.payments > 0 or template.verdict in _VERDICTS_WITH_NAMES
    return not (
        (Need.CONCLUSION in needs and template.verdict in (None, *_VERDICTS_WITH_NAMES))
        or (Need.NEGATION in needs and template.verdict is not Verdict.COVER)
        or (Need.NAME in needs and not names)
        or (Need.CAUSE in needs and KIND_OF[template.asks[0].attribute] not in _EXPLAINED)
        or (Need.REVISION in needs and template.asks[0].attribute not in (Attribute.DUE, Attribute.CLAIMED))
        or (not frozenset(_PAYING).isdisjoint(needs) and not template.payments)
        or (Need.PERMISSION in needs and template.payments < 2)
    )
