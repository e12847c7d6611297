"""A constraint is called kept only where every word of its restatement is accounted for."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mage_ml.errors import ConfigError
from mage_ml.runtime.governor.drift import AcceptedRewordings, Aspect, Pin, Rewording, Verdict, synonyms_of, verify

CAP, CAP_ZH = "Refunds of at most 500 USD per order.", "退款金额不得超过500元。"
SHARE, SHARE_ZH = "Never share customer data with third parties.", "不得将客户数据发送给外部供应商。"
ONLY, ONLY_ZH = "Only the finance team may approve refunds.", "只能由财务部审批退款。"
APPROVE, APPROVE_ZH = "Transfers above 10,000 EUR need approval.", "超过1000元的付款必须经主管批准。"
FILES = "Do not delete files in /srv/prod."
DAYS = "Never promise a delivery date earlier than 5 days."
ANN = "Mail reports to ann@corp.example only."
MOVE = "Do not move money from savings to checking."

KEPT = [
    (CAP, "Refunds may not exceed $500 per order."),
    (CAP, "Constraints so far:\n- Refunds of at most 500 USD per order.\n- Answer politely."),
    (CAP, "rule 2: REFUNDS OF AT MOST 500 USD PER ORDER"),
    (SHARE, "Customer data must not be shared with third parties."),
    (SHARE, "Do not disclose client information to third parties."),
    (APPROVE, "Transfers of more than 10,000 EUR require authorization."),
    (APPROVE, "No transfers above 10,000 EUR without approval."),
    ("The agent must log every refund.", "Rule 3: the agent has to log every refund."),
    (FILES, "Under no circumstances delete files in /srv/prod."),
    ("Do not mention competitor names.", "Competitor names must not be mentioned."),
    ("The discount is capped at 15%.", "The discount must not exceed 15%."),
    (CAP_ZH, "退款金额最多500元。"),
    (CAP_ZH, "规则：退款金额上限为500元。"),
    (SHARE_ZH, "禁止将客户数据发给外部供应商。"),
    ("不得向客户透露内部价格。", "严禁向顾客泄露内部价格。"),
    (APPROVE_ZH, "超过1,000元的付款须经主管批准。"),
    ("不要删除 /srv/prod 下的文件。", "严禁删除 /srv/prod 下的文件。"),
]
CHANGED = [
    (CAP, "Refunds of at most 5,000 USD per order.", Verdict.WEAKENED, Aspect.VALUE),
    (CAP, "Refunds of roughly 500 USD per order.", Verdict.WEAKENED, Aspect.FORCE),
    (CAP, "Refunds of at least 500 USD per order.", Verdict.WEAKENED, Aspect.FORCE),
    (CAP, "Refunds of at most 500 USD per order no longer apply.", Verdict.WEAKENED, Aspect.FORCE),
    (CAP, "The customer likes blue.", Verdict.DROPPED, Aspect.TEXT),
    (SHARE, "Try not to share customer data with third parties.", Verdict.WEAKENED, Aspect.FORCE),
    (SHARE, "Share customer data with third parties.", Verdict.WEAKENED, Aspect.FORCE),
    (ONLY, "The finance team may approve refunds.", Verdict.WIDENED, Aspect.SCOPE),
    (ANN, "Mail reports to bob@corp.example only.", Verdict.MISBOUND, Aspect.SUBJECT),
    (
        "Never warn Ann Weber about rude words.",
        "Never warn Bo Lind about rude words.",
        Verdict.MISBOUND,
        Aspect.SUBJECT,
    ),
    (CAP_ZH, "退款金额不得超过5000元。", Verdict.WEAKENED, Aspect.VALUE),
    (CAP_ZH, "退款金额尽量不超过500元。", Verdict.WEAKENED, Aspect.FORCE),
    (CAP_ZH, "客户喜欢蓝色。", Verdict.DROPPED, Aspect.TEXT),
    (ONLY_ZH, "财务部可以审批退款。", Verdict.WIDENED, Aspect.SCOPE),
    ("不得警告王芳注意语气。", "不得警告李娜注意语气。", Verdict.MISBOUND, Aspect.SUBJECT),
]
NOT_KEPT = [
    (CAP, "Refunds of at most 500 EUR per order."),
    (CAP, "Refunds of at most 500 USD per day."),
    (CAP, "Refunds of at most 400 USD per order."),
    (CAP, "The customer claims refunds of at most 500 USD per order."),
    (CAP, "Old rules:\n- Refunds of at most 500 USD per order."),
    (CAP, "Refunds of at most 500 USD per order. Managers may exceed this limit."),
    (CAP, "Refunds of at most 500 USD per order, unless the customer is angry."),
    (CAP, "Is it refunds of at most 500 USD per order?"),
    (CAP, "~~Refunds of at most 500 USD per order~~"),
    (CAP, "Refunds of at most 500 USD per order. This is only a guideline."),
    (CAP, "It is not true that refunds of at most 500 USD per order."),
    (CAP, "Refunds of at most 500 USD per order were approved yesterday."),
    (CAP, "Refunds up to 500 USD per order need no approval."),
    (CAP, "每单退款不超过500美元。"),
    (SHARE, "Never share customer data with competitors."),
    (SHARE, "Never share third parties with customer data."),
    (SHARE, "Never hesitate to share customer data with third parties."),
    (SHARE, "The agent never shared customer data with third parties."),
    (ONLY, "Only the sales team may approve refunds."),
    (ONLY, "The finance team may only approve refunds."),
    (APPROVE, "Transfers above 10,000 EUR need no approval."),
    (APPROVE, "Transfers above 100,000 EUR need approval."),
    (APPROVE, "Transfers above 10,000 EUR got approval."),
    ("The agent must log every refund.", "The agent should log every refund."),
    ("The agent must log every refund.", "The agent must log refunds."),
    ("The customer must not tell the price.", "The customer must not be told the price."),
    ("The supervisor must inform the agent before paying.", "The agent must inform the supervisor before paying."),
    (FILES, "Do not delete files in /srv/test."),
    (FILES, "Delete files in /srv/prod."),
    ("Do not delete or move files in /srv/prod.", "Do not delete and move files in /srv/prod."),
    (MOVE, "Do not move money from checking to savings."),
    (MOVE, "Do not move money to savings from checking."),
    (ANN, "Mail reports to ann@corp.example and bob@corp.example only."),
    (ANN, "Mail reports to ann@corp.example.evil.test only."),
    (DAYS, "Never promise a delivery date later than 5 days."),
    ("Never share your password.", "Never share their password."),
    ("Never send mail to managers.", "Never send mail for managers."),
    ("The agent must never log passwords.", "The agent must never not log passwords."),
    ("The agent must never log passwords.", "Passwords must never be logged, not even once, by no agent but admins."),
    (CAP_ZH, "退款金额可以超过500元。"),
    (CAP_ZH, "退款金额不得低于500元。"),
    (CAP_ZH, "退款金额不得超过500元，特殊情况除外。"),
    (CAP_ZH, "客户说退款金额不得超过500元。"),
    (CAP_ZH, "退款金额不得超过500元。上述规则仅供参考。"),
    (CAP_ZH, "是否退款金额不得超过500元？"),
    (CAP_ZH, "退款金额不得超过500元已作废。"),
    (CAP_ZH, "运费金额不得超过500元。"),
    (CAP_ZH, "Refunds of at most 500 CNY."),
    (SHARE_ZH, "可以将客户数据发送给外部供应商。"),
    (SHARE_ZH, "不得将供应商数据发送给外部客户。"),
    (SHARE_ZH, "不得不将客户数据发送给外部供应商。"),
    (SHARE_ZH, "不得将客户数据发送给竞争对手。"),
    (APPROVE_ZH, "超过1000元的付款无需经主管批准。"),
    (APPROVE_ZH, "超过1000元的付款已经主管批准。"),
    (ONLY_ZH, "只能由销售部审批退款。"),
    (ONLY_ZH, "财务部只能审批退款。"),
    ("每次回复不超过200字。", "每天回复不超过200字。"),
]


def verdict_on(rule, text, **options):
    (finding,) = verify([Pin.of_text("rule", rule)], text, **options)
    return finding


@pytest.mark.parametrize(("rule", "text"), KEPT)
def test_a_restatement_that_says_the_same_is_kept(rule, text):
    assert verdict_on(rule, text).verdict.is_kept


@pytest.mark.parametrize(("rule", "text", "verdict", "aspect"), CHANGED)
def test_a_change_gets_its_name_and_its_aspect(rule, text, verdict, aspect):
    finding = verdict_on(rule, text)
    assert (finding.verdict, finding.aspect) == (verdict, aspect)


@pytest.mark.parametrize(("rule", "text"), [*NOT_KEPT, *((rule, text) for rule, text, *_ in CHANGED)])
def test_what_differs_or_is_not_stated_is_never_kept(rule, text):
    assert not verdict_on(rule, text).verdict.is_kept


RULES = sorted({rule for rule, _ in (*KEPT, *NOT_KEPT)})


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_in_its_own_words_is_preserved_and_the_span_shows_it(rule):
    text = f"Summary.\n- {rule}\nEnd of the summary."
    finding = verdict_on(rule, text)
    start, end = finding.span
    assert finding.verdict is Verdict.PRESERVED
    assert text[start:end].strip("- ") == rule.rstrip(".。")


@given(rule=st.sampled_from(RULES), other=st.sampled_from(RULES))
@settings(max_examples=60, deadline=None)
def test_no_rule_is_kept_by_another_rule(rule, other):
    if rule != other:
        assert not verdict_on(rule, other).verdict.is_kept


@given(rule=st.sampled_from(RULES), noise=st.text(max_size=80))
@settings(max_examples=60, deadline=None)
def test_any_text_gets_a_verdict_and_noise_keeps_nothing(rule, noise):
    assert verdict_on(rule, noise).verdict in (Verdict.DROPPED, Verdict.UNVERIFIABLE, Verdict.WEAKENED)


@given(number=st.integers(min_value=1, max_value=10**7), other=st.integers(min_value=1, max_value=10**7))
@settings(max_examples=80, deadline=None)
def test_a_limit_is_kept_exactly_where_its_figure_is(number, other):
    kept = verdict_on(f"Refunds of at most {number} USD.", f"Refunds of no more than {other:,} USD.").verdict
    assert kept.is_kept is (number == other)
    if other > number:
        assert kept is Verdict.WEAKENED


def test_a_sentence_that_keeps_one_rule_is_not_held_against_another():
    pins = [Pin.of_text("ann", "Pay Ann Weber at most 50 USD."), Pin.of_text("bo", "Pay Bo Lind at most 80 USD.")]
    findings = verify(pins, "Pay Ann Weber no more than 50 USD. Pay Bo Lind no more than 80 USD.")
    assert [finding.verdict for finding in findings] == [Verdict.PARAPHRASED] * 2


def test_a_looser_sentence_overrules_one_that_keeps_the_rule():
    finding = verdict_on(CAP, f"{CAP} Refunds of at most 900 USD per order.")
    assert (finding.verdict, finding.quote) == (Verdict.WEAKENED, "Refunds of at most 900 USD per order")


def test_a_rule_of_several_sentences_is_lost_with_any_of_them():
    rule = "Refunds of at most 500 USD per order. Never promise a date."
    assert verdict_on(rule, rule).verdict is Verdict.PRESERVED
    assert not verdict_on(rule, "Refunds of at most 500 USD per order.").verdict.is_kept


def test_a_rule_in_both_languages_is_kept_in_either():
    pin = Pin("cap", "Refunds of at most 500 CNY.", "退款不得超过500元。")
    for text in ("Refunds of no more than 500 CNY.", "退款最多500元。"):
        (finding,) = verify([pin], text)
        assert finding.verdict.is_kept


def test_disguised_letters_are_read_as_what_they_look_like():
    assert verdict_on(SHARE, "Nеver shаre customer d\u200bata with third parties.").verdict is Verdict.PRESERVED


def test_a_rule_that_may_stand_in_the_unread_rest_is_unverifiable():
    finding = verdict_on(CAP, "The weather was fine that day. " * 10_000 + CAP)
    assert finding.verdict is Verdict.UNVERIFIABLE


def test_an_accepted_wording_keeps_a_rule_as_a_paraphrase():
    pin = Pin("cap", "Refunds of at most 500 USD per order.", wordings=("Half a grand is the ceiling for any refund",))
    (finding,) = verify([pin], "Half a grand is the ceiling for any refund.")
    assert finding.verdict is Verdict.PARAPHRASED


PROMISE = Rewording(
    "Promise Ann Weber the money no sooner than in 5 days", "Ann Weber may expect it in 5 days or later"
)


def test_an_accepted_rewording_serves_for_other_names_and_figures_and_for_no_change_of_them():
    accepted = AcceptedRewordings([PROMISE])
    rule = "Promise Bo Lind the money no sooner than in 9 days"
    assert verdict_on(rule, "Bo Lind may expect it in 9 days or later", accepted=accepted).verdict.is_kept
    assert not verdict_on(rule, "Bo Lind may expect it in 9 days or later").verdict.is_kept
    for changed in ("Al Kern may expect it in 9 days or later", "Bo Lind may expect it in 8 days or later"):
        assert not verdict_on(rule, changed, accepted=accepted).verdict.is_kept
    assert not verdict_on(rule, "Bo Lind might expect it in 9 days or later", accepted=accepted).verdict.is_kept


@pytest.mark.parametrize("restated", ["Ann Weber may expect it in 6 days or later", "Ann Weber is a customer"])
def test_a_rewording_with_other_figures_or_none_cannot_be_accepted(restated):
    with pytest.raises(ConfigError, match="cannot be accepted"):
        AcceptedRewordings([Rewording(PROMISE.rule, restated)])


def test_words_of_a_trade_count_as_equal_once_the_host_says_so():
    rule, said = "Never dun a debtor.", "Never chase a debtor."
    assert not verdict_on(rule, said).verdict.is_kept
    assert verdict_on(rule, said, synonyms=synonyms_of(verbs=("dun|chase",))).verdict.is_kept


@pytest.mark.parametrize("groups", [("alone",), ("dun|chase", "chase|hunt")])
def test_a_group_of_one_word_or_a_word_in_two_groups_is_refused(groups):
    with pytest.raises(ConfigError, match="synonym group"):
        synonyms_of(verbs=groups)


def test_a_pin_without_any_text_is_refused():
    with pytest.raises(ConfigError, match="no text to be pinned"):
        Pin("empty", " ")
