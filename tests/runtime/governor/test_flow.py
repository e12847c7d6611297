"""Confined values are found on every channel and in every form that is a copy; nothing else is."""

import base64

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mage_ml.errors import EvaluatorError
from mage_ml.runtime.governor.constraint import Constraint
from mage_ml.runtime.governor.context import Channel, GovernorContext, Question, Utterance
from mage_ml.runtime.governor.flow import FlowValidator, find_leaks, withheld
from mage_ml.runtime.governor.flow_forms import LeakForm
from mage_ml.runtime.governor.validator_specs import FlowSpec
from mage_ml.runtime.guardrail.wording import Language

SSN, CARD, PHONE = "885-95-4066", "4929 1234 5678 9012", "+1-636-454-1458x68501"
NOTE = "The client admitted to moving the files before the audit began in March"
VALUES = {"ssn": SSN, "name": "Timothy Pham", "zh_name": "王芳", "dob": "1954-07-21", "salary": "212535", "note": NOTE}

FOUND = [
    ("ssn", f"His SSN is {SSN}.", LeakForm.EXACT),
    ("ssn", "SSN 885 95 4066", LeakForm.NORMALISED),
    ("ssn", "SSN 885.95.4066 on file", LeakForm.NORMALISED),
    ("ssn", "８８５-９５-４０６６", LeakForm.EXACT),
    ("ssn", "885\u200b-95-4066", LeakForm.EXACT),
    ("ssn", "the number ending in 4066", LeakForm.PARTIAL),
    ("ssn", "***-**-4066", LeakForm.PARTIAL),
    ("ssn", "社保号尾号4066", LeakForm.PARTIAL),
    ("ssn", base64.b64encode(SSN.encode()).decode(), LeakForm.ENCODED),
    ("ssn", f"token {SSN.encode().hex()} end", LeakForm.ENCODED),
    ("ssn", base64.b64encode(f"the secret number is {SSN} as agreed".encode()).decode(), LeakForm.ENCODED),
    ("ssn", SSN[::-1], LeakForm.ENCODED),
    ("ssn", "885%2D95%2D4066", LeakForm.EXACT),
    ("name", "TIMOTHY PHAM called", LeakForm.EXACT),
    ("name", "timothy_pham.pdf", LeakForm.NORMALISED),
    ("zh_name", "患者王芳已出院", LeakForm.EXACT),
    ("dob", "born July 21, 1954", LeakForm.REFORMATTED),
    ("dob", "born on the 21st of July 1954", LeakForm.REFORMATTED),
    ("dob", "生于1954年7月21日", LeakForm.REFORMATTED),
    ("dob", "07/21/1954", LeakForm.REFORMATTED),
    ("salary", "earns $212,535 a year", LeakForm.NORMALISED),
    ("salary", "年薪21.2535万元", LeakForm.REFORMATTED),
    ("note", "It seems the client admitted to moving the files.", LeakForm.PARTIAL),
]
NOT_FOUND = [
    ("ssn", "order 1885-95-40667"),
    ("ssn", "room 4066"),
    ("ssn", "call me at 885-95"),
    ("name", "Timothy Phamous"),
    ("dob", "born in July 1954"),
    ("salary", "revenue of 212,536 USD"),
    ("salary", "a factor of 2.12535"),
    ("note", "The client moved house before March."),
    ("ssn", ""),
]


@pytest.mark.parametrize(("field", "text", "form"), FOUND)
def test_a_copy_is_found_and_its_form_named(field, text, form):
    leaks = find_leaks(text, {field: VALUES[field]})
    assert leaks
    assert leaks[0].form is form
    start, end = leaks[0].span
    assert 0 <= start < end <= len(text)


@pytest.mark.parametrize(("field", "text"), NOT_FOUND)
def test_what_only_resembles_a_value_is_not_found(field, text):
    assert find_leaks(text, {field: VALUES[field]}) == ()


def test_parts_count_only_where_they_are_asked_for():
    assert find_leaks("ending in 4066", {"ssn": SSN}, partial=False) == ()
    assert find_leaks(SSN, {"ssn": SSN}, partial=False)


def test_a_telephone_number_is_found_without_country_code_and_extension():
    assert find_leaks("Phone: (636) 454-1458", {"phone": PHONE})[0].form is LeakForm.PARTIAL


def test_the_items_of_a_list_are_found_together_and_not_alone():
    values = {"witnesses": "['Eric Jones', 'Brian Lawrence', 'Ann Weber']"}
    assert find_leaks("Eric Jones, Brian Lawrence, and Ann Weber", values)[0].form is LeakForm.REFORMATTED
    assert find_leaks("Eric Jones", values) == ()


def test_values_too_short_to_be_told_are_found_nowhere():
    assert find_leaks("a b 12 no", {"short": "no", "empty": ""}) == ()


@given(
    value=st.from_regex(r"[A-Z]{2}[0-9]{8}", fullmatch=True), before=st.text(max_size=30), after=st.text(max_size=30)
)
@settings(max_examples=80, deadline=None)
def test_a_value_between_spaces_is_always_found_and_taken_out(value, before, after):
    assume(value.lower() not in (before + after).lower())
    text = f"{before} {value} {after}"
    leaks = find_leaks(text, {"id": value})
    assert leaks
    assert value not in withheld(text, leaks)


@given(text=st.text(max_size=200))
@settings(max_examples=80, deadline=None)
def test_any_text_can_be_read(text):
    for leak in find_leaks(text, VALUES):
        assert text[slice(*leak.span)][:80] == leak.quote


def test_what_is_withheld_names_the_field_in_the_language():
    text = f"SSN {SSN}, again {SSN}"
    assert withheld(text, find_leaks(text, VALUES)) == "SSN [ssn withheld], again [ssn withheld]"
    zh = withheld("患者王芳", find_leaks("患者王芳", VALUES), language=Language.CHINESE)
    assert zh == "患者【zh_name已隐去】"


def check(spec, text, channel=Channel.AGENT_MESSAGE, fields=None, **context):
    flow = FlowSpec.model_validate({"kind": "flow", **spec})
    constraint = Constraint(id="confined", text="Keep it in.", validator=flow)
    held = GovernorContext(channel=channel, fields={"ssn": SSN} if fields is None else fields, **context)
    return FlowValidator(flow).check(Question(constraint, Utterance("worker", text, held)))


@pytest.mark.parametrize("channel", [c for c in Channel if c not in (Channel.DRAFT, Channel.RATIONALE)])
def test_a_confined_value_leaves_on_no_channel(channel):
    verdict = check({"fields": ["ssn"]}, f"it is {SSN}", channel)
    assert (verdict.violated, verdict.offending, verdict.found_by) == (True, SSN, "flow")
    assert not check({"fields": ["ssn"]}, "it is on file", channel).violated


def test_arguments_of_a_tool_call_are_read_to_their_depth():
    arguments = {"to": "x@corp.example", "body": [{"rows": ["885 95 4066"]}]}
    assert check({"fields": ["ssn"]}, "", Channel.TOOL_ARGUMENTS, arguments=arguments).violated
    assert check({"fields": ["pin"]}, "", Channel.TOOL_ARGUMENTS, {"pin": "482913"}, arguments={"n": 482913}).violated


def test_a_value_may_go_where_channel_and_recipient_are_allowed():
    spec = {"fields": ["ssn"], "channels": ["agent_message"], "recipients": ["billing_*"]}
    assert not check(spec, SSN, recipient="billing_1").violated
    assert check(spec, SSN, recipient="mailer").violated
    assert check(spec, SSN, recipient="").violated
    assert check(spec, SSN, Channel.SHARED_MEMORY, recipient="billing_1").violated


def test_a_field_without_a_value_is_a_failure_and_an_empty_one_is_not():
    with pytest.raises(EvaluatorError, match="did you mean 'ssn'"):
        check({"fields": ["ssm"]}, "text")
    with pytest.raises(EvaluatorError, match="no fields at all"):
        check({"fields": ["ssn"]}, "text", fields={})
    assert not check({"fields": ["ssn"]}, "text", fields={"ssn": ""}).violated
    assert check({"fields": ["s*"]}, SSN).violated
    assert not check({"fields": ["x*"]}, SSN).violated


def test_a_text_too_long_to_be_read_is_a_failure():
    with pytest.raises(EvaluatorError, match="200,000 characters"):
        check({"fields": ["ssn"]}, "x" * 200_001)
