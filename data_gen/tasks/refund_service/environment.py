"""The tools of the refund service, over real state: orders that are corrected, refunds, vouchers, returns, letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from pydantic import JsonValue

from data_gen.randomness import Rng, rng_for
from data_gen.statements import Passage, Statement
from data_gen.tasks.base import ToolOutput
from data_gen.tasks.refund_service.attributes import ORIGINS, TOOL_OF, TOOLS, Attr, Key
from data_gen.tasks.refund_service.deeds import Deeds, Payment, Reply
from data_gen.tasks.refund_service.judge import harm, missing
from data_gen.tasks.refund_service.papers import Paper
from data_gen.tasks.refund_service.records import NOTES, RecordLine, account, present, statement_of, stock
from data_gen.texts.noise import damaged
from data_gen.toolbox import Toolbox
from mage_ml.memory.entry import Source

if TYPE_CHECKING:
    from data_gen.tasks.refund_service.task import RefundTask

DAMAGED_CALLS: Final = 9


class RefundEnvironment(Toolbox["RefundTask"]):
    """The state of one run.

    Args:
        task: The task worked on.
    """

    reads: ClassVar[tuple[str, ...]] = (
        *TOOLS, "read_messages", "read_paper", "play_voicemail", "get_account", "check_stock", "check_updates",
        "get_evidence", "search_memory",
    )  # fmt: skip
    writes: ClassVar[tuple[str, ...]] = (
        "issue_refund", "issue_voucher", "open_return", "ship_replacement", "hand_over", "set_priority", "send_reply",
    )  # fmt: skip
    origin: ClassVar[str] = "order-system"

    def __init__(self, task: RefundTask) -> None:
        super().__init__(task)
        self.deeds = Deeds()
        self._corrected = False

    def harm(self) -> Sequence[str]:
        """Wrong or unwanted effects."""
        return harm(self.task, self.deeds, self.calls)

    def missing(self) -> Sequence[str]:
        """What should have been done and was not."""
        return missing(self.task, self.deeds)

    def figure(self, key: Key) -> float:
        """What the systems say now.

        Raises:
            LookupError: They say nothing on this key.
        """
        if self.task.revision is not None and key == self.task.keys[0] and not self._corrected:
            return self.task.revision
        if key not in self.task.world.facts:
            raise LookupError(f"nothing on {key.attr} of {key.subject!r}")
        return self.task.world.facts[key]

    # -- records ----------------------------------------------------------------------------------------------------

    def get_order(self, order: str) -> ToolOutput:
        """Items, prices and payment of an order."""
        purchase = self.task.world.purchase(order)
        lines = [RecordLine(Key(Attr.PRICE, item), self.figure(Key(Attr.PRICE, item))) for item in purchase.items]
        return self._record("get_order", order, lines)

    def get_shipment(self, order: str) -> ToolOutput:
        """When an order was delivered."""
        return self._record("get_shipment", order)

    def get_clause(self, clause: str) -> ToolOutput:
        """What a clause of the policy grants."""
        return self._record("get_clause", clause)

    def get_payment(self, order: str) -> ToolOutput:
        """What was charged and refunded."""
        return self._record("get_payment", order)

    def get_inspection(self, order: str) -> ToolOutput:
        """What the returns desk found."""
        return self._record("get_inspection", order)

    def get_usage(self, order: str) -> ToolOutput:
        """How long a plan was used."""
        return self._record("get_usage", order)

    def get_offer(self, item: str) -> ToolOutput:
        """What an item costs now."""
        key = Key(Attr.OFFER, item)
        return self._record("get_offer", item, [RecordLine(key, self.figure(key))])

    def check_stock(self, item: str) -> ToolOutput:
        """How many units the store has."""
        world = self.task.world
        if item not in world.units:
            raise LookupError(f"no item {item!r} in the store")
        return ToolOutput(stock(world, item), Source.TOOL, "warehouse")

    def check_updates(self, order: str) -> ToolOutput:
        """Late corrections reach the systems here: a figure read before differs from one read afterwards."""
        world, key = self.task.world, self.task.keys[0]
        notes = NOTES[self.task.language]
        if self.task.revision is None or order != self.task.complaint.order:
            return ToolOutput(notes["no_updates"].format(order), Source.TOOL, "order-system")
        self._corrected = True
        lines = [RecordLine(key, self.figure(key))]
        content = present(world, order, lines, notes["corrected"])
        return ToolOutput(content, Source.TOOL, ORIGINS[TOOL_OF[key.attr]], statement=statement_of(world, lines[0]))

    def get_evidence(self, case: str) -> tuple[ToolOutput, ...]:
        """Two accounts of what happened; the second is from elsewhere, or a copy of the first."""
        notes, world, backed = NOTES[self.task.language], self.task.world, self.task.is_backed
        self._require_case(case)
        order = self.task.complaint.order
        second = notes["other_source" if backed else "copy"].format(world.case, order)
        return (
            ToolOutput(notes["photo"].format(world.case, order), Source.TOOL, "customer-photo"),
            ToolOutput(second, Source.TOOL, "outside-expert" if backed else "customer-photo"),
        )

    def get_account(self, customer: str) -> ToolOutput:
        """Address, payout account and orders of a customer."""
        world = self.task.world
        person = next((found for found in world.customers if found.name == customer), None)
        if person is None:
            raise LookupError(f"nobody called {customer!r} has an account")
        record, remark = account(world, person), self.task.remark
        if remark is None:
            return ToolOutput(record, Source.TOOL, "accounts")
        language = self.task.language

        def redraw(changed: Statement, _rng: Rng) -> JsonValue:
            return {**record, "remark": _passage(changed).text(language)}

        content: JsonValue = {**record, "remark": remark.text(language)}
        return ToolOutput(content, Source.TOOL, "accounts", statement=remark, redraw=redraw)

    # -- texts ------------------------------------------------------------------------------------------------------

    def read_messages(self, case: str) -> ToolOutput:
        """What the customer wrote."""
        self._require_case(case)
        return self._text(self.task.message, f"customer {self.task.message.author}")

    def read_paper(self, name: str) -> ToolOutput:
        """A paper on the case."""
        paper = next((paper for paper in self.task.papers if paper.name == name), None)
        if paper is None:
            raise LookupError(f"no paper {name!r}")
        return self._text(paper, f"paper by {paper.author}")

    def search_memory(self, topic: str) -> tuple[ToolOutput, ...]:
        """Stored requests of other users."""
        return tuple(self._text(case, f"memory: request of {case.author}") for case in self.task.precedents)

    def play_voicemail(self, case: str) -> ToolOutput:
        """What somebody said on the phone."""
        self._require_case(case)
        if self.task.memo is None:
            raise LookupError("there is no voicemail")
        return ToolOutput(self.task.memo.text, Source.RETRIEVED, f"voicemail: {self.task.memo.author}", confidence=0.35)

    # -- effects ----------------------------------------------------------------------------------------------------

    def issue_refund(self, order: str, amount: float, currency: str, payout: str) -> JsonValue:
        """Pay money back."""
        self.task.world.purchase(order)
        self.deeds.refunds.append(Payment(order, payout, amount, currency))
        return {"status": self._done(), "order": order, "amount": f"{amount:.2f}"}

    def issue_voucher(self, customer: str, amount: float, currency: str) -> JsonValue:
        """Give a voucher."""
        self.deeds.vouchers.append(Payment(customer, customer, amount, currency))
        return {"status": self._done(), "customer": customer, "amount": f"{amount:.2f}"}

    def open_return(self, order: str, item: str) -> JsonValue:
        """Ask for goods to be sent back."""
        self.deeds.returns.append((order, item))
        return {"status": self._done(), "order": order, "label": f"R{len(self.deeds.returns):04d}"}

    def ship_replacement(self, order: str, item: str) -> JsonValue:
        """Send an item again."""
        self.deeds.replacements.append((order, item))
        return {"status": self._done(), "order": order, "item": item}

    def hand_over(self, case: str, to: str) -> JsonValue:
        """Let a person take over."""
        self.deeds.handovers.append((case, to))
        return {"status": self._done(), "case": case, "with": to}

    def set_priority(self, case: str, level: str) -> JsonValue:
        """Rank a case."""
        self.deeds.priorities.append((case, level))
        return {"status": self._done(), "case": case, "level": level}

    def send_reply(self, to: str, text: str, cc: list[str] | None = None) -> JsonValue:
        """Write to somebody about the case."""
        self.deeds.replies.append(Reply(to, tuple(cc or ()), text))
        return {"status": self._done(), "to": [to, *(cc or ())]}

    # -- shared -----------------------------------------------------------------------------------------------------

    def _record(self, tool: str, subject: str, lines: Sequence[RecordLine] = ()) -> ToolOutput:
        task = self.task
        if self._is_busy(tool):
            return ToolOutput(NOTES[task.language]["busy"], Source.TOOL, ORIGINS[tool])
        found = list(lines)
        needed = {key.attr for key in task.keys}
        for attr in TOOLS[tool]:
            shown = attr in needed or (task.wide_records and attr is not Attr.TERM)
            if attr in (Attr.PRICE, Attr.OFFER) or not shown:
                continue
            found.append(RecordLine(Key(attr, subject), self.figure(Key(attr, subject))))
        if not found:
            raise LookupError(f"{tool} has nothing on {subject!r}")
        content = present(task.world, subject, found)
        if task.damage is not None and isinstance(content, str) and sum(self.calls.values()) <= DAMAGED_CALLS:
            content = damaged(content, rng_for(task.damage, tool, subject))
        asked = next((line for line in found if line.key in task.keys), found[0])
        return ToolOutput(content, Source.TOOL, ORIGINS[tool], statement=statement_of(task.world, asked))

    def _is_busy(self, tool: str) -> bool:
        """The system of the first figure may be busy the first times it is asked."""
        return tool == TOOL_OF[self.task.keys[0].attr] and self.times(tool) <= self.task.waits

    def _text(self, paper: Paper, origin: str) -> ToolOutput:
        language = self.task.language
        redraw: Callable[[Statement, Rng], JsonValue] = lambda changed, _rng: _passage(changed).text(language)  # noqa: E731
        return ToolOutput(
            paper.passage.text(language), Source.RETRIEVED, origin, statement=paper.passage, redraw=redraw
        )

    def _require_case(self, case: str) -> None:
        if case != self.task.world.case:
            raise LookupError(f"no case {case!r}")

    def _done(self) -> str:
        return NOTES[self.task.language]["done"]


def _passage(statement: Statement) -> Passage:
    if not isinstance(statement, Passage):
        raise TypeError(f"a text is a passage, not a {type(statement).__name__}")
    return statement
