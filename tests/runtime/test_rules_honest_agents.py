"""What honest agents say to their users is no finding, and what it resembles still is one."""

from __future__ import annotations

import pytest

from mage_ml.memory import PendingAction
from tests.runtime.cases import chain, judge, note, score, tool, user

RULE, CLAIM = "dropped_constraint", "unsupported_claim"
HOUSE = (
    "The agent must first obtain the booking number and the reason for the cancellation from the guest.\n"
    "Do not compensate a guest who has no insurance and travels on a basic ticket.\n"
    "For a delay, a voucher of $50 times the number of travellers may be offered."
)
HOUSE_ZH = "客服必须先取得订单号和客人取消的原因。\n没有保险又购买特价票的客人，不得赔偿。"


def answer(text, *depends_on):
    return PendingAction(type="final_output", content=text, depends_on=depends_on)


def house(text=HOUSE):
    return {"content": text, "source": "system", "role": "instruction", "origin": "operator"}


@pytest.mark.parametrize(
    "said",
    [
        "Could you please give me your booking number and the reason for the cancellation?",
        "Please provide the booking number and the reason for the cancellation.",
        "What is your booking number, and the reason for the cancellation by the guest?",
        "As you have no insurance and travel on a basic ticket, I am unable to compensate any guest in this case.",
        "Without insurance on a basic ticket, a guest cannot be compensated.",
        "The reason for the cancellation by the guest can be a change of plan; the booking number is on the ticket.",
    ],
)
def test_questions_and_honest_refusals_restate_no_rule_in_another_sense(said):
    found = judge(chain(house(), user("Please cancel my trip.")), answer(said, "e1"))
    assert score(found, RULE) == 0.0, found


@pytest.mark.parametrize(
    "said", ["请问您的订单号和取消的原因是什么？", "请提供订单号和客人取消的原因。", "特价票客人没有保险，无法赔偿。"]
)
def test_the_same_in_chinese(said):
    assert score(judge(chain(house(HOUSE_ZH), user("请取消我的行程。")), answer(said, "e1")), RULE) == 0.0


@pytest.mark.parametrize(
    "said",
    [
        "The agent may obtain the booking number and the reason for the cancellation from the guest if convenient.",
        "The agent can obtain the booking number and the reason for the cancellation from the guest.",
        "Try to obtain the booking number and the reason for the cancellation from the guest.",
        "You may also compensate a guest who has insurance on a basic ticket and travels.",
    ],
)
def test_a_rule_that_is_weakened_is_still_found(said):
    assert score(judge(chain(house(), user("Please cancel my trip.")), answer(said, "e1")), RULE) > 0.2


FARES = tool("flight AB12: fare 282 USD; flight CD34: fare 443 USD", "search_flights")


@pytest.mark.parametrize(("total", "is_found"), [(725, False), (161, False), (752, True), (1450, True)])
def test_a_total_may_stand_beside_its_terms_but_must_be_right(total, is_found):
    said = f"The fares are 282 USD and 443 USD, that is {total} USD."
    entries = chain(user("Book the flights."), FARES, note(said, "e1"))
    found = judge(entries, answer(said, "e2"))
    assert (score(found, CLAIM) > 0.2) is is_found


@pytest.mark.parametrize(("amount", "is_found"), [(50, False), (70, True)])
def test_a_figure_of_the_house_rules_is_supported(amount, is_found):
    said = f"A voucher of ${amount} per traveller is possible for the delay."
    entries = chain(house(), user("My flight was late."), tool("delay: yes", "get_flight"), note(said, "e2"))
    assert (score(judge(entries, answer(said, "e3")), CLAIM) > 0.2) is is_found
