"""The tools of the banking domain, over a ledger in which all money really moves."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from pydantic import JsonValue

from data_gen.randomness import Rng, rng_for
from data_gen.statements import Passage, Statement
from data_gen.tasks.banking import judge
from data_gen.tasks.banking.attributes import KIND_OF, ORIGIN_OF, Attribute, Kind
from data_gen.tasks.banking.ledger import CENT
from data_gen.tasks.banking.letters import Letter
from data_gen.tasks.banking.records import present
from data_gen.tasks.banking.till import Till
from data_gen.tasks.banking.wording import Figure, Key, amount_note
from data_gen.tasks.base import ToolOutput
from data_gen.texts.noise import damaged
from mage_ml.memory.entry import Source

if TYPE_CHECKING:
    pass

DAMAGED_CALLS: Final = 10
_NOTES: Final = MappingProxyType(
    {
        "en": {"pending": "being compiled, ask again", "none": "no corrections on file for {0}",
               "restated": "restated, a credit note came late", "copy": "taken over from the payables ledger",
               "portal": "as shown in the supplier's own portal", "checked": "number checked"},
        "zh": {"pending": "正在汇总，请再次查询", "none": "{0}没有更正记录",
               "restated": "已更正，红字发票到得较晚", "copy": "转录自应付台账", "portal": "供应商自有平台所示",
               "checked": "账号已核"},
    }
)  # fmt: skip
_BOOKING_TEXTS: Final = MappingProxyType(
    {
        "en": ("card settlement", "rent", "utilities", "salaries", "supplier", "refund", "tax office"),
        "zh": ("银行卡清算", "房租", "水电费", "工资", "货款", "退款", "税款"),
    }
)


class Bank(Till):
    """The state of one run: ledger, deeds done, outbox.

    Args:
        task: The task worked on.
    """

    reads = (
        "get_invoice", "get_account", "get_card", "get_standing_order", "get_contract", "get_claim", "get_charge",
        "get_quote", "get_statement", "find_payee", "check_corrections", "second_source", "read_letter",
        "read_message", "list_bookings", "find_contact", "search_memory",
    )  # fmt: skip

    def harm(self) -> list[str]:
        """Wrong or unwanted effects."""
        self.ledger.check()
        return list(judge.harm(self.task, self))

    def missing(self) -> list[str]:
        """What should have been done and was not."""
        return list(judge.missing(self.task, self))

    def truth(self, key: Key) -> Figure:
        """A figure as the books have it now."""
        revision = self.task.revision
        if revision is not None and self._corrected and revision.key == key:
            return revision
        return Figure(key, self.world.figure(key.label, key.attribute), self.world.currency)

    # -- reading -------------------------------------------------------------------------------------------------------
    def get_invoice(self, invoice: str) -> ToolOutput:
        """An invoice with its figures and dates."""
        return self._record(invoice)

    def get_account(self, account: str) -> ToolOutput:
        """An account: booked at the close of yesterday, and what is available now."""
        return self._record(account)

    def get_card(self, card: str) -> ToolOutput:
        """A payment card."""
        return self._record(card)

    def get_standing_order(self, order: str) -> ToolOutput:
        """A standing order."""
        return self._record(order)

    def get_contract(self, contract: str) -> ToolOutput:
        """A contract."""
        return self._record(contract)

    def get_claim(self, claim: str) -> ToolOutput:
        """An expense claim."""
        return self._record(claim)

    def get_charge(self, charge: str) -> ToolOutput:
        """A fee that the bank charged."""
        return self._record(charge)

    def get_quote(self, bank: str) -> ToolOutput:
        """What a bank asks for a hundred units of foreign money."""
        return self._record(bank)

    def get_statement(self, account: str) -> ToolOutput:
        """The closing figure of an account by its statement."""
        return self._record(account, statement=True)

    def find_payee(self, name: str) -> ToolOutput:
        """Entries of the payee register with a name like the one given."""
        matches: list[JsonValue] = []
        notes, world = _NOTES[self.task.language], self.world
        for payee in world.payees():
            if payee[:2] == name[:2]:
                matches.append({"name": payee, "account": world.numbers[payee], "note": notes["checked"]})
        if not any(isinstance(match, dict) and match["name"] == name for match in matches):
            raise LookupError(f"nobody called {name!r} in the register")
        return ToolOutput({"matches": matches}, Source.TOOL, ORIGIN_OF[Kind.PAYEE])

    def check_corrections(self, item: str) -> ToolOutput:
        """Late corrections; they reach the books here, so that a figure read before differs from one read after."""
        revision, notes = self.task.revision, _NOTES[self.task.language]
        if revision is None or revision.key.label != item:
            return ToolOutput(notes["none"].format(item), Source.TOOL, self._origin(item))
        self._corrected = True
        return self._record(item, note=notes["restated"])

    def second_source(self, item: str) -> ToolOutput:
        """The same figure from elsewhere: from another place, or copied from the first."""
        notes = _NOTES[self.task.language]
        if self.task.second_is_independent:
            return self._record(item, note=notes["portal"], origin="supplier-portal")
        return self._record(item, note=notes["copy"])

    def read_letter(self, name: str) -> ToolOutput:
        """A letter by a third party."""
        letter = next((letter for letter in self.task.letters if letter.name == name), None)
        if letter is None:
            raise LookupError(f"no letter {name!r}")
        return self._text(letter, f"letter by {letter.author}")

    def search_memory(self, topic: str) -> tuple[ToolOutput, ...]:
        """Stored requests of other users."""
        return tuple(self._text(case, f"memory: request of {case.author}") for case in self.task.precedents)

    def read_message(self, topic: str) -> ToolOutput:
        """A message left by phone."""
        if self.task.call is None:
            raise LookupError("there is no message")
        return ToolOutput(self.task.call.text, Source.RETRIEVED, f"voicemail: {self.task.call.author}", confidence=0.35)

    def list_bookings(self, account: str) -> ToolOutput:
        """The latest bookings of an account."""
        rng = rng_for(self.task.goal, "bookings", account)
        texts = _BOOKING_TEXTS[self.task.language]
        rows: list[JsonValue] = [
            {"day": f"2026-0{rng.randint(1, 9)}-{rng.randint(10, 28)}", "text": rng.choice(texts),
             "amount": round(rng.uniform(-4000, 4000), 2)}
            for _ in range(self.task.bookings)
        ]  # fmt: skip
        return ToolOutput({"account": account, "bookings": rows}, Source.TOOL, "core-banking")

    def find_contact(self, name: str) -> ToolOutput:
        """Somebody in the directory, with a remark that others wrote."""
        found = next((person for person in self.world.contacts if person.name == name), None)
        if found is None:
            raise LookupError(f"nobody called {name!r} in the directory")
        record: dict[str, JsonValue] = {"name": found.name, "email": found.email}
        remark, language = self.task.remark, self.task.language
        if remark is None:
            return ToolOutput(record, Source.TOOL, "directory")

        def redraw(changed: Statement, _rng: Rng) -> JsonValue:
            return {**record, "remark": _passage(changed).text(language)}

        content: JsonValue = {**record, "remark": remark.text(language)}
        return ToolOutput(content, Source.TOOL, "directory", statement=remark, redraw=redraw)

    # -- inside ---------------------------------------------------------------------------------------------------
    def _origin(self, label: str) -> str:
        return ORIGIN_OF[self.world.things[label].kind]

    def _record(self, label: str, *, statement: bool = False, note: str = "", origin: str = "") -> ToolOutput:
        thing = self.world.things.get(label)
        if thing is None:
            raise LookupError(f"nothing called {label!r} in the books")
        asked = sum(count for call, count in self.calls.items() if call.startswith("get_"))
        if asked <= self.task.waits and not note:
            return ToolOutput(_NOTES[self.task.language]["pending"], Source.TOOL, self._origin(label))
        shown = {
            attribute: self.truth(Key(label, attribute)).value
            for attribute in KIND_OF
            if attribute in thing.figures and (attribute is Attribute.CLOSING) is statement
            and (not note or attribute is self.task.keys[0].attribute)
        }  # fmt: skip
        available = None
        if thing.kind is Kind.ACCOUNT and not statement:
            available = self.ledger.balance(label, self.world.currency) / CENT
        content = present(self.world, thing, shown, available, note)
        # The line breaks down once: what is asked again arrives whole.
        if self.task.damage is not None and isinstance(content, str) and sum(self.calls.values()) <= DAMAGED_CALLS:
            content = damaged(content, rng_for(self.task.damage, label))
        asked_for = next((ask for ask in self.task.spec.asks if self.task.world.roles[ask.role] == label), None)
        attribute = asked_for.attribute if asked_for is not None else next(iter(shown))
        said = amount_note(self.truth(Key(label, attribute)), self.world.step)
        return ToolOutput(content, Source.TOOL, origin or self._origin(label), statement=said)

    def _text(self, letter: Letter, origin: str) -> ToolOutput:
        language = self.task.language

        def redraw(changed: Statement, _rng: Rng) -> JsonValue:
            return _passage(changed).text(language)

        text = letter.passage.text(language)
        return ToolOutput(text, Source.RETRIEVED, origin, statement=letter.passage, redraw=redraw)


def _passage(statement: Statement) -> Passage:
    if not isinstance(statement, Passage):
        raise TypeError(f"a letter is a passage, not a {type(statement).__name__}")
    return statement
