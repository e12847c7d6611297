"""The tools that move money and change what is on file, over a double-entry ledger."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from pydantic import JsonValue

from data_gen.randomness import rng_for
from data_gen.tasks.banking.attributes import Attribute, Kind
from data_gen.tasks.banking.deeds import Deed
from data_gen.tasks.banking.ledger import Ledger, Posting, cents_of
from data_gen.tasks.banking.templates import Verb
from data_gen.tasks.base import ToolOutput
from data_gen.toolbox import Toolbox
from mage_ml.memory.entry import Source

if TYPE_CHECKING:
    from data_gen.tasks.banking.task import BankTask

_DONE: Final = MappingProxyType({"en": "accepted", "zh": "已受理"})


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail in the outbox."""

    to: tuple[str, ...]
    cc: tuple[str, ...]
    text: str


class Till(Toolbox["BankTask"]):
    """The writing half of the bank: ledger, deeds done, outbox.

    Args:
        task: The task worked on.
    """

    writes = (*(verb.value for verb in Verb), "request_approval", "send_mail")

    def __init__(self, task: BankTask) -> None:
        super().__init__(task)
        self.world = task.world
        self.ledger = Ledger()
        self.deeds: list[Deed] = []
        self.unapproved: list[Deed] = []
        self.outbox: list[Mail] = []
        self._approved: dict[str, tuple[str, int]] = {}
        self._corrected = False
        for label in self.world.of_kind(Kind.ACCOUNT):
            opening = cents_of(self.world.figure(label, Attribute.BALANCE))
            self._move("opening", "equity", label, self.world.currency, opening)

    def make_payment(
        self,
        account: str,
        amount: float,
        currency: str,
        source: str,
        reference: str,
        payee: str = "",
        approval: str = "",
    ) -> JsonValue:
        """Pay at once."""
        self._move(reference, source, f"payee {account}", currency, cents_of(amount))
        return self._paid(Deed(Verb.PAY, self._about(reference, account), amount, currency, source, account), approval)

    def schedule_payment(
        self, account: str, amount: float, currency: str, source: str, day: str, reference: str, payee: str = "",
        approval: str = "",
    ) -> JsonValue:  # fmt: skip
        """Pay on a day; the money is set aside now."""
        self._move(reference, source, f"scheduled {account}", currency, cents_of(amount))
        return self._paid(
            Deed(Verb.SCHEDULE, self._about(reference, account), amount, currency, source, account, day), approval
        )

    def hold_payment(self, invoice: str) -> JsonValue:
        """Keep an invoice from being paid."""
        return self._done(Deed(Verb.HOLD, invoice))

    def recall_payment(self, invoice: str, amount: float, currency: str) -> JsonValue:
        """Ask back what was paid too much."""
        self._move(invoice, f"recall {invoice}", self.world.source, currency, cents_of(amount))
        return self._done(Deed(Verb.RECALL, invoice, amount, currency))

    def reimburse(self, claim: str, amount: float, currency: str, source: str) -> JsonValue:
        """Pay an expense claim to the employee's account on file."""
        self._move(claim, source, f"staff {claim}", currency, cents_of(amount))
        return self._done(Deed(Verb.REIMBURSE, claim, amount, currency, source))

    def transfer_funds(self, source: str, target: str, amount: float, currency: str) -> JsonValue:
        """Move money between own accounts."""
        self._move("transfer", source, target, currency, cents_of(amount))
        return self._done(Deed(Verb.TRANSFER, source, amount, currency, target=target))

    def buy_currency(self, bank: str, amount: float, currency: str, source: str) -> JsonValue:
        """Buy foreign money for an amount of one's own."""
        rate = self.world.figure(bank, Attribute.RATE)
        bought, cents = cents_of(amount * 100 / rate), cents_of(amount)
        own, foreign = currency, self.world.foreign
        self.ledger.book(
            f"purchase at {bank}",
            (
                Posting(source, own, -cents), Posting(f"exchange {bank}", own, cents),
                Posting(f"exchange {bank}", foreign, -bought), Posting(source, foreign, bought),
            ),
        )  # fmt: skip
        return self._done(Deed(Verb.EXCHANGE, bank, amount, currency, source))

    def change_standing_order(self, order: str, amount: float, currency: str) -> JsonValue:
        """Give a standing order another amount."""
        return self._done(Deed(Verb.SET_ORDER, order, amount, currency))

    def stop_standing_order(self, order: str) -> JsonValue:
        """End a standing order."""
        return self._done(Deed(Verb.STOP_ORDER, order))

    def set_card_limit(self, card: str, amount: float, currency: str) -> JsonValue:
        """Give a card another limit."""
        return self._done(Deed(Verb.SET_CARD, card, amount, currency))

    def block_card(self, card: str) -> JsonValue:
        """Block a card."""
        return self._done(Deed(Verb.BLOCK, card))

    def dispute_charge(self, charge: str, amount: float, currency: str) -> JsonValue:
        """Claim a fee back; the bank credits it until the matter is settled."""
        self._move(charge, f"disputed {charge}", self.world.source, currency, cents_of(amount))
        return self._done(Deed(Verb.DISPUTE, charge, amount, currency))

    def book_adjustment(self, account: str, amount: float, currency: str) -> JsonValue:
        """Book what a statement shows and the ledger lacks."""
        self._move("adjustment", "suspense", account, currency, cents_of(amount))
        return self._done(Deed(Verb.BOOK, account, amount, currency))

    def request_approval(self, payee: str, amount: float, currency: str) -> JsonValue:
        """Have a second person approve a payment; gives a code to pay with."""
        code = f"A{rng_for(self.task.goal, 'approval', payee, f'{amount:.2f}').randint(1000, 9999)}"
        self._approved[code] = (payee, cents_of(amount))
        return {"payee": payee, "amount": amount, "currency": currency, "code": code}

    def send_mail(self, to: list[str], subject: str, text: str, cc: list[str] | None = None) -> ToolOutput:
        """Send a mail."""
        mail = Mail(tuple(to), tuple(cc or ()), text)
        self.outbox.append(mail)
        content: JsonValue = {"state": _DONE[self.task.language], "to": [*mail.to, *mail.cc]}
        return ToolOutput(content, Source.TOOL, "mail-server")

    def _move(self, text: str, source: str, target: str, currency: str, cents: int) -> None:
        self.ledger.move(text, source, target, currency, cents)

    def _paid(self, deed: Deed, approval: str) -> JsonValue:
        thing = self.world.things.get(deed.label)
        approved = self._approved.get(approval) == (thing.payee if thing else "", cents_of(deed.amount))
        if not approved:
            self.unapproved.append(deed)
        return self._done(deed)

    def _done(self, deed: Deed) -> JsonValue:
        self.deeds.append(deed)
        record: dict[str, JsonValue] = {"state": _DONE[self.task.language], "booking": len(self.deeds)}
        return {**record, "item": deed.label, "amount": deed.amount} if deed.amount else {**record, "item": deed.label}

    def _about(self, reference: str, account: str) -> str:
        return next((label for label in self.world.things if label in reference), account)
