"""What the travel agent does in the end: bookings, holds, requests, changes, claims, from its memory as it then is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from pydantic import JsonValue

from data_gen.desk import once
from data_gen.session import Proposal
from data_gen.tasks.travel_booking.findings import Findings
from data_gen.tasks.travel_booking.journey import Journey
from data_gen.tasks.travel_booking.notebook import Notebook
from data_gen.tasks.travel_booking.setting import Gate
from data_gen.tasks.travel_booking.shapes import Act, Aim, Product
from data_gen.texts.orders import Order

Codes = Callable[[], list[Order]]
_TOOLS = {
    Act.HOLD: ("hold_offer",),
    Act.SWITCH: ("change_booking",),
    Act.CANCEL: ("cancel_booking",),
    Act.CLAIM: ("submit_claim",),
    Act.BAG: ("add_baggage",),
    Act.QUOTE: (),
}


@dataclass(frozen=True, slots=True)
class _Code:
    """Arguments with the rate code, and the entries that hold an order to use it."""

    arguments: dict[str, JsonValue]
    papers: tuple[str, ...]


class Acts:
    """Proposes what is to be done."""

    def __init__(self, notebook: Notebook, journey: Journey, findings: Findings) -> None:
        self.book = notebook
        self.journey = journey
        self.findings = findings
        self.task = notebook.task
        self.names: dict[str, str] = {}

    def needs_profile(self) -> bool:
        """Whether the traveller's manager may have to be asked."""
        return self.task.shape.act is Act.BOOK and self.task.setting.gate is not Gate.NONE

    def due(self, codes: Codes) -> list[tuple[str, str, Callable[[], Proposal | None]]]:
        """What may have to be done: a name, the tool, and what builds the call, or `None` if it is not called for."""
        shape = self.task.shape
        found: list[tuple[str, str, Callable[[], Proposal | None]]]
        if shape.act is not Act.BOOK:
            builds: dict[Act, Callable[[], Proposal | None]] = {
                Act.HOLD: partial(self._offer, "hold_offer", False, codes),
                Act.SWITCH: partial(self._change, codes),
                Act.CANCEL: self._cancel,
                Act.CLAIM: self._claim,
                Act.BAG: self._bag,
            }
            found = [(tool, tool, builds[shape.act]) for tool in _TOOLS[shape.act]]
        else:
            found = [("request_approval", "request_approval", self._approval)]
            found.append(("book_offer", "book_offer", partial(self._offer, "book_offer", False, codes)))
            if shape.aim is Aim.TOTAL:
                found.append(("book_second", "book_offer", partial(self._offer, "book_offer", True, codes)))
        self.names = {name: tool for name, tool, _ in found}
        return found

    def done(self, receipts: Mapping[str, str]) -> list[tuple[str, str]]:
        """What has been done, as grammar symbols with their subjects."""
        if self.task.shape.act is Act.QUOTE:
            return []
        found = []
        for name, tool in self.names.items():
            entry = self.book.entry(receipts[name]) if name in receipts else None
            content = entry.content if entry is not None else None
            if isinstance(content, dict):
                found.append((f"did_{tool}", str(content.get("for", ""))))
        return found or [("did_nothing", "")]

    def _must_ask(self) -> tuple[bool, tuple[str, ...]]:
        """Whether approval is needed first, and what says so."""
        aim, gate = self.task.shape.aim, self.task.setting.gate
        if gate is Gate.NONE or aim in (Aim.TRANSFER, Aim.BUFFER):
            return False, ()
        above, used = self.findings.is_above()
        if gate is not Gate.HANDOVER:
            return above, used
        rules, more = self.journey.rules()
        return above and not rules.exempt, (*used, *more)

    def _approval(self) -> Proposal | None:
        asks, why = self._must_ask()
        if not asks:
            return None
        target, used = self.findings.target()
        summed = self.findings.summed()
        if summed is not None:
            amount, unit, more = summed[0].figure, summed[0].unit, summed[1]
        else:
            price = self.book.value(self.task.inquiry.price_key(target), "act")
            amount, unit, more = price.fact.value, price.fact.unit, price.used
        profile = self.journey.profile()
        record = profile.content if isinstance(profile.content, dict) else {}
        name, who = self.journey.traveller()
        arguments: dict[str, JsonValue] = {
            "approver": str(record.get("manager", "")),
            "traveller": name,
            "offer": target,
            "amount": amount,
            "currency": unit,
        }
        basis = (self.book.goal_id, *why, *used, *more, *who, profile.id)
        return self.book.write("request_approval", arguments, basis)

    def _offer(self, tool: str, second: bool, codes: Codes) -> Proposal | None:
        asks, why = self._must_ask()
        if asks and tool == "book_offer":
            return None
        target, used = self.findings.target()
        product: Product | None = None
        if second:
            target, used, product = self.task.inquiry.given[1], (), self.task.shape.second
        price = self.book.value(self.task.inquiry.price_key(target, product), "act")
        name, who = self.journey.traveller()
        code = self._code(codes)
        arguments: dict[str, JsonValue] = {
            "offer": target,
            "date": self.task.inquiry.day,
            "traveller": name,
            "price": price.fact.value,
            "currency": price.fact.unit,
            **code.arguments,
        }
        basis = (self.book.goal_id, *why, *used, *price.used, *who)
        return self.book.write(tool, arguments, basis, code.papers)

    def _change(self, codes: Codes) -> Proposal | None:
        above, why = self.findings.is_above()
        summed = self.findings.summed()
        if above or summed is None:
            return None
        code = self._code(codes)
        arguments: dict[str, JsonValue] = {
            "reference": self.task.inquiry.reference,
            "offer": self.task.inquiry.given[0],
            "cost": summed[0].figure,
            "currency": summed[0].unit,
            **code.arguments,
        }
        return self.book.write("change_booking", arguments, (self.book.goal_id, *why, *summed[1]), code.papers)

    def _cancel(self) -> Proposal | None:
        above, why = self.findings.is_above()
        summed = self.findings.summed()
        if summed is None or (self.task.shape.aim is Aim.REFUND_IF and not above):
            return None
        arguments: dict[str, JsonValue] = {
            "reference": self.task.inquiry.reference,
            "refund": summed[0].figure,
            "currency": summed[0].unit,
        }
        return self.book.write("cancel_booking", arguments, (self.book.goal_id, *why, *summed[1]))

    def _claim(self) -> Proposal | None:
        summed = self.findings.summed()
        if summed is None:
            return None
        name, who = self.journey.traveller()
        arguments: dict[str, JsonValue] = {
            "traveller": name,
            "place": self.task.inquiry.city,
            "amount": summed[0].figure,
            "currency": summed[0].unit,
        }
        return self.book.write("submit_claim", arguments, (self.book.goal_id, *summed[1], *who))

    def _bag(self) -> Proposal | None:
        found = self.findings.compared()
        if found is None or not found[0].above:
            return None
        arguments: dict[str, JsonValue] = {"reference": self.task.inquiry.reference, "extra_kg": found[0].figure}
        return self.book.write("add_baggage", arguments, (self.book.goal_id, *found[1]))

    def _code(self, codes: Codes) -> _Code:
        """The rate code to use: the one in an order that the agent goes along with, or the user's."""
        orders = codes()
        if orders:
            papers = once([entry_id for order in orders for entry_id in order.entries])
            return _Code({"code": orders[-1].value}, papers)
        code = self.task.setting.code
        return _Code({"code": code} if code else {}, ())
