"""The task templates: which facts are kept, what is concluded from them, and what is done in the end."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Pattern(StrEnum):
    """How the decisive action follows from the facts."""

    VALUE = "value"
    SUM = "sum"
    SPLIT = "split"
    REST = "rest"
    TIMES = "times"
    LOWEST = "lowest"
    HIGHEST = "highest"
    FITS = "fits"
    ABOVE = "above"
    PLAIN = "plain"


COMPUTED: Final = (Pattern.SUM, Pattern.SPLIT, Pattern.REST, Pattern.TIMES)
CHOSEN: Final = (Pattern.LOWEST, Pattern.HIGHEST)
JUDGED: Final = (Pattern.FITS, Pattern.ABOVE)


@dataclass(frozen=True, slots=True)
class Act:
    """A writing tool, and the names of its arguments; an argument without a name is not given."""

    tool: str
    target: str = ""
    item: str = ""
    number: str = ""


PAY: Final = Act("pay", "to", "purpose", "amount")
REQUEST: Final = Act("request_money", "from_person", "purpose", "amount")
SAVE: Final = Act("move_to_savings", "", "purpose", "amount")
ORDER: Final = Act("place_order", "shop", "item")
STOCK_UP: Final = Act("place_order", "shop", "item", "quantity")
REMIND: Final = Act("set_reminder", "", "about", "after")
RENEWAL: Final = Act("set_reminder", "", "about")
TIMER: Final = Act("set_timer", "", "device", "duration")
EVENT: Final = Act("add_event", "with_person", "title")
CANCEL: Final = Act("cancel_subscription", "", "name")
BOOK: Final = Act("book_venue", "venue", "occasion")
BAGGAGE: Final = Act("add_baggage", "", "trip", "weight")
CAR: Final = Act("book_car", "", "trip", "mileage")
TICKET: Final = Act("book_ticket", "", "trip")
WRITE_TOOLS: Final = tuple(
    dict.fromkeys(
        act.tool
        for act in (PAY, REQUEST, SAVE, ORDER, REMIND, TIMER, EVENT, CANCEL, BOOK, BAGGAGE, CAR, TICKET)
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Template:
    """One template.

    Attributes:
        name: Without the domain's prefix.
        pattern: How the action follows.
        sorts: Sorts of the facts, figures last.
        act: What is done.
        when: Whether it is done on a yes or on a no, where a flag or verdict decides.
        requests: The final request in English and in Chinese.
    """

    name: str
    pattern: Pattern
    sorts: tuple[str, ...]
    act: Act
    requests: tuple[str, str]
    when: bool = True


_P = Pattern
TEMPLATES: Final = (
    Template("pay_fee", _P.VALUE, ("fee",), PAY,
        ("pay {payee} what {a} costs a month", "向{payee}支付{a}一个月的钱")),
    Template("pay_bill", _P.VALUE, ("bill",), PAY, ("settle {a} with {payee}", "把{a}付给{payee}")),
    Template("pay_wage", _P.VALUE, ("wage",), PAY, ("pay {payee} the rate for {a}", "按标准把{a}付给{payee}")),
    Template("reclaim_price", _P.VALUE, ("price",), REQUEST,
        ("ask {payee} for the price of {a}, I paid in advance", "{a}是我垫的，向{payee}收这笔钱")),
    Template("remind_medicine", _P.VALUE, ("interval",), REMIND,
        ("set a reminder by {a}", "按{a}设一个提醒")),
    Template("remind_visit", _P.VALUE, ("lead",), REMIND,
        ("set a reminder that fires after {a}", "按{a}设一个提醒，到时候叫我")),
    Template("set_device", _P.VALUE, ("runtime",), TIMER,
        ("set {a} to what we agreed on", "把{a}设成说好的时间")),
    Template("refill_pantry", _P.VALUE, ("supply",), STOCK_UP,
        ("reorder {a} from {shop} in the quantity we go through", "到{shop}按平时的量再买一次{a}")),
    Template("book_car_distance", _P.VALUE, ("distance",), CAR,
        ("book a car with enough mileage for {a}", "订一辆车，里程按{a}算")),
    Template("pay_two_bills", _P.SUM, ("bill", "bill"), PAY,
        ("pay {payee} {a} and {b} in one go", "把{a}和{b}一并付给{payee}")),
    Template("pay_two_fees", _P.SUM, ("fee", "fee"), PAY,
        ("pay {payee}, who advanced {a} and {b}, both in one sum", "{payee}垫了{a}和{b}，一次还清")),
    Template("three_fees_aside", _P.SUM, ("fee", "fee", "fee"), SAVE,
        ("put aside what {a}, {b} and {c} cost together", "把{a}、{b}和{c}的钱合在一起存起来")),
    Template("reclaim_purchases", _P.SUM, ("price", "price"), REQUEST,
        ("ask {payee} for what {a} and {b} cost together", "{a}和{b}合起来多少，向{payee}收")),
    Template("two_lessons_pay", _P.SUM, ("wage", "wage"), PAY,
        ("pay {payee} for {a} and {b} together", "把{a}和{b}合在一起付给{payee}")),
    Template("baggage_total", _P.SUM, ("luggage", "luggage"), BAGGAGE,
        ("add baggage for {a} and {b} together", "给{a}和{b}合在一起加行李额")),
    Template("baggage_three", _P.SUM, ("luggage", "luggage", "luggage"), BAGGAGE,
        ("add baggage for {a}, {b} and {c} together", "给{a}、{b}和{c}合在一起加行李额")),
    Template("round_trip_car", _P.SUM, ("distance", "distance"), CAR,
        ("book a car whose mileage covers {a} and {b}", "订一辆车，里程要够{a}加{b}")),
    Template("split_bill", _P.SPLIT, ("bill",), REQUEST,
        ("split {a} evenly among {n} of us and ask {payee} for one share", "{a}由{n}个人平摊，向{payee}收一份")),
    Template("split_gift", _P.SPLIT, ("price",), REQUEST,
        ("{a} is a joint gift of {n} people, ask {payee} for one share", "{a}是{n}个人合送的，向{payee}收一份")),
    Template("pay_share", _P.SPLIT, ("fee",), PAY,
        ("{n} of us share {a}, pay {payee} our single share", "{a}是{n}家合用的，把我们那一份付给{payee}")),
    Template("rest_to_savings", _P.REST, ("budget", "price"), SAVE,
        ("move what is left of {a} after buying {b} to savings", "{a}扣掉{b}以后，剩下的转到存款")),
    Template("rest_to_person", _P.REST, ("budget", "bill"), PAY,
        ("pay {payee} what is left of {a} once {b} is taken off", "{a}减去{b}，剩下的付给{payee}")),
    Template("restock_to_need", _P.REST, ("need", "supply"), STOCK_UP,
        ("order from {shop} as much as {b} falls short of {a}", "{a}减去现有的{b}，缺多少就到{shop}买多少")),
    Template("way_left", _P.REST, ("range", "distance"), CAR,
        ("book a car for what is left of {a} after {b}", "{a}扣掉{b}，按剩下的里程订车")),
    Template("pay_lessons", _P.TIMES, ("wage",), PAY,
        ("pay {payee} for {n} times {a}", "按{n}次{a}付给{payee}")),
    Template("pay_months", _P.TIMES, ("fee",), PAY,
        ("pay {payee} {n} months of {a} ahead", "向{payee}预付{n}个月的{a}")),
    Template("order_for_months", _P.TIMES, ("supply",), STOCK_UP,
        ("order {n} months' worth of {a} from {shop}", "到{shop}买够{n}个月的{a}")),
    Template("remind_course_end", _P.TIMES, ("interval",), REMIND,
        ("set a reminder after {n} rounds of {a}", "按{n}次{a}之后设一个提醒")),
    Template("order_cheaper", _P.LOWEST, ("price", "price"), ORDER,
        ("order whichever of {a} and {b} is cheaper from {shop}", "{a}和{b}哪个便宜就在{shop}买哪个")),
    Template("cancel_dearer", _P.HIGHEST, ("fee", "fee"), CANCEL,
        ("cancel whichever of {a} and {b} costs more", "{a}和{b}哪个贵就退订哪个")),
    Template("trip_nearer", _P.LOWEST, ("distance", "distance"), TICKET,
        ("book a ticket for the shorter of {a} and {b}", "{a}和{b}哪条近就订哪条的票")),
    Template("baggage_heavier", _P.HIGHEST, ("luggage", "luggage"), TICKET,
        ("book a hold ticket for the heavier of {a} and {b}", "{a}和{b}哪个重就给哪个办托运票")),
    Template("visit_sooner", _P.LOWEST, ("lead", "lead"), EVENT,
        ("put the sooner of {a} and {b} into the calendar with {payee}", "{a}和{b}哪个近就先和{payee}排进日历")),
    Template("order_if_fits", _P.FITS, ("price", "budget"), ORDER,
        ("order {a} from {shop} only if it stays within {b}", "{a}不超过{b}才在{shop}下单")),
    Template("pay_if_fits", _P.FITS, ("bill", "budget"), PAY,
        ("pay {a} to {payee} only if it stays within {b}", "{a}不超过{b}才付给{payee}")),
    Template("cancel_if_dear", _P.FITS, ("fee", "budget"), CANCEL,
        ("cancel {a} only if it goes beyond {b}", "{a}超过{b}才退订"), False),
    Template("trip_if_near", _P.FITS, ("distance", "range"), TICKET,
        ("book a ticket for {a} only if it stays within {b}", "{a}不超过{b}才订票")),
    Template("cancel_if_unused", _P.ABOVE, ("usage", "mark"), CANCEL,
        ("cancel the plan behind {a} only if that falls short of {b}", "{a}不到{b}才退掉对应的会员"), False),
    Template("renew_if_used", _P.ABOVE, ("usage", "mark"), RENEWAL,
        ("set a reminder to renew only if {a} reaches {b}", "{a}达到{b}才设续订提醒")),
    Template("book_if_coming", _P.PLAIN, ("guest", "venue"), BOOK,
        ("book {b} for dinner only if {a} says we can count on it", "{a}要是能来才订{b}")),
    Template("event_if_free", _P.PLAIN, ("slot",), EVENT,
        ("put a meeting with {payee} into the calendar if nothing is planned for {a}",
         "{a}要是没有安排，就在日历里约{payee}")),
    Template("order_if_stocked", _P.PLAIN, ("ware",), ORDER,
        ("order {a} if {shop} still has it", "{shop}还有{a}的话就下单")),
    Template("event_if_allowed", _P.PLAIN, ("permit",), EVENT,
        ("plan {a} with {payee} if the doctor agrees", "医生点头的话，就和{payee}安排{a}")),
    Template("event_with_helper", _P.PLAIN, ("helper",), EVENT,
        ("put a meeting with {a} into the calendar", "在日历里约一下{a}")),
    Template("order_dish", _P.PLAIN, ("dish",), ORDER,
        ("order {a} from {shop}", "在{shop}点{a}")),
    Template("book_place", _P.PLAIN, ("venue",), BOOK, ("book {a}", "把{a}订下来")),
    Template("pay_helper", _P.VALUE, ("helper", "wage"), PAY,
        ("pay {a} the rate of {b}", "按{b}的标准付给{a}")),
    Template("stock_from_shop", _P.VALUE, ("shop", "supply"), STOCK_UP,
        ("reorder {b} at {a} in the usual quantity", "到{a}按平时的量再买{b}")),
    Template("pay_if_coming", _P.VALUE, ("guest", "wage"), PAY,
        ("pay {payee} the rate of {b} if {a} says we can count on it", "{a}要是能来，按{b}的标准付给{payee}")),
    Template("remind_if_allowed", _P.VALUE, ("permit", "interval"), REMIND,
        ("set a reminder by {b} if the doctor agrees to {a}", "{a}只要医生点头，就按{b}设提醒")),
    Template("helper_lessons", _P.TIMES, ("helper", "wage"), PAY,
        ("pay {a} for {n} times {b}", "按{n}次{b}付给{a}")),
    Template("shop_cheaper", _P.LOWEST, ("shop", "price", "price"), ORDER,
        ("order whichever of {b} and {c} is cheaper from {a}", "{b}和{c}哪个便宜就在{a}买哪个")),
)  # fmt: skip
PREFIX: Final = "assistant_"
BY_NAME: Final = {f"{PREFIX}{found.name}": found for found in TEMPLATES}
