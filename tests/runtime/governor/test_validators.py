"""How constraints are checked; a validator that gives no verdict never lets an output pass."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from mage_ml.errors import EvaluatorError
from mage_ml.memory import Snapshot
from mage_ml.risk import Assessment, Coverage, Evidence, RiskAxis
from mage_ml.runtime.governor import (
    ConstraintGovernor,
    GovernorContext,
    GovernorSetup,
    Outcome,
    Resources,
    Ruling,
    Verdict,
)
from mage_ml.runtime.governor.context import Question
from mage_ml.runtime.governor.templates import Template
from mage_ml.runtime.governor.validator_specs import OwnSpec

from .make import at, constraint_set


def ruled(
    validator: dict[str, Any], output: str, context: GovernorContext | None = None, resources: Resources | None = None
) -> Ruling:
    one = {"id": "a", "text": {"en": "The rule.", "zh": "规则。"}, "validator": validator}
    with ConstraintGovernor(constraint_set(one), GovernorSetup(resources=resources or Resources())) as governor:
        return governor.check_and_enforce("agent", output, context or at())


def passes(validator: dict[str, Any], output: str, context: GovernorContext | None = None) -> bool:
    return ruled(validator, output, context).outcome is Outcome.PASS


GIFT = {"kind": "regex", "forbid": [r"(?i)\bgift", "礼品"], "unless": [r"(?i)\bcannot\b", "不能|无法"]}


@pytest.mark.parametrize(
    ("output", "kept"),
    [
        ("Have a gift.", False),
        ("We cannot send a gift.", True),
        ("We cannot refund it, but here is a gift.", False),
        ("I cannot do that. Take this gift.", False),
        ("无法赠送礼品。", True),
        ("无法退款，但可以送礼品。", False),
        ("Z2lmdCB2b3VjaGVyIGZvciB5b3UgYWxsIHRvZGF5", False),
        ("a gi\u00adft", False),
    ],
)
def test_an_exception_reaches_no_further_than_its_clause(output: str, kept: bool) -> None:
    assert passes(GIFT, output) is kept


def test_an_exception_can_reach_the_sentence_or_the_whole_output() -> None:
    text = "We cannot refund it, but here is a gift."
    assert passes({**GIFT, "within": "sentence"}, text)
    assert not passes({**GIFT, "within": "sentence"}, "We cannot. Here is a gift.")
    assert passes({**GIFT, "within": "output"}, "We cannot. Here is a gift.")


def test_required_words_have_to_be_there() -> None:
    assert passes({"kind": "regex", "require": ["(?i)next step|下一步"]}, "下一步是核实。")
    found = ruled({"kind": "regex", "require": ["(?i)next step"]}, "Hello.").findings[0]
    assert found.explanation == "something required is missing"


def test_cel_compares_facts_and_fails_closed_where_they_are_missing() -> None:
    limit = {"kind": "cel", "allow": "double(arguments.amount) <= double(facts.paid)"}
    assert passes(limit, "refund", at(arguments={"amount": 40}, facts={"paid": 40.0}))
    assert not passes(limit, "refund", at(arguments={"amount": 41}, facts={"paid": 40}))
    missing = ruled(limit, "refund", at(arguments={"amount": 41}))
    assert not missing.allowed
    assert "KeyError" in missing.findings[0].failed
    assert not ruled({"kind": "cel", "allow": "size(output)"}, "x").allowed


TEMPLATES = {
    "kind": "allow_list",
    "templates": [
        "Your order {order:number} will arrive on {day:date}.",
        "Thank you, {customer}!",
        "您的订单{order:number}预计{day:date}送达。",
    ],
}


@pytest.mark.parametrize(
    ("output", "kept"),
    [
        ("Thank you, Mei Lin! Your order 17 will arrive on 2026-05-03.", True),
        ("your ORDER 1,700 will   arrive on May 3, 2026", True),
        ("您的订单17预计2026年5月3日送达。", True),
        ("Your order 17 will arrive on 2026-05-03. And a gift.", False),
        ("Your order 17 will arrive soon.", False),
    ],
)
def test_only_answers_that_are_known_to_be_safe_pass_an_allow_list(output: str, kept: bool) -> None:
    assert passes(TEMPLATES, output) is kept


def test_a_template_matches_its_punctuation_literally() -> None:
    assert Template("Call 1.800 (free)?").fits("call 1.800 (FREE)!")
    assert not Template("Call 1.800").fits("Call 1x800")


def test_a_knowledge_base_in_python_is_asked_with_plain_data() -> None:
    seen: list[Mapping[str, Any]] = []

    def policy(question: Mapping[str, Any]) -> Verdict:
        seen.append(question)
        return Verdict(violated="gift" in question["output"], offending="gift")

    resources = Resources(knowledge={"policy": policy})
    spec = {"kind": "knowledge", "source": "policy", "options": {"clause": "3.2"}}
    assert not ruled(spec, "a gift", at(facts={"vip": True}), resources).allowed
    assert ruled(spec, "hello", None, resources).outcome is Outcome.PASS
    assert (seen[0]["constraint"], seen[0]["options"], seen[0]["facts"]) == ("a", {"clause": "3.2"}, {"vip": True})


@pytest.mark.parametrize("answer", [None, True, {"violated": False}, "ok"])
def test_whatever_is_no_verdict_is_a_failure_and_lets_nothing_pass(answer: object) -> None:
    resources = Resources(knowledge={"policy": lambda _: answer}, own={"mine": lambda *_: answer})  # type: ignore[dict-item, return-value]
    for spec in ({"kind": "knowledge", "source": "policy"}, {"kind": "own", "name": "mine"}):
        ruling = ruled(spec, "hello", None, resources)
        assert not ruling.allowed
        assert "expected a Verdict" in ruling.findings[0].failed


@contextmanager
def endpoint(status: int, body: bytes, delay_s: float = 0.0) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    asked: list[dict[str, Any]] = []
    release = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            data = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append({**data, "authorization": self.headers.get("Authorization")})
            release.wait(delay_s)
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/check?v=1", asked
    finally:
        release.set()
        server.shutdown()
        server.server_close()
        thread.join()


def test_an_http_knowledge_base_gives_verdicts() -> None:
    resources = Resources(environ={"TOKEN": "s3cret"})
    with endpoint(200, b'{"violated": true, "offending": "gift", "explanation": "not in the policy"}') as (url, asked):
        ruling = ruled({"kind": "knowledge", "url": url, "secret_env": "TOKEN"}, "a gift", None, resources)
    assert ruling.outcome is Outcome.REGENERATE
    assert "not in the policy" in ruling.feedback
    assert (asked[0]["output"], asked[0]["authorization"]) == ("a gift", "Bearer s3cret")
    with endpoint(200, b'{"violated": false}') as (url, _):
        assert ruled({"kind": "knowledge", "url": url}, "hello").outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (500, b'{"violated": false}'),
        (302, b'{"violated": false}'),
        (200, b""),
        (200, b"fine"),
        (200, b"{}"),
        (200, b'{"violated": "no"}'),
        (200, b'{"violated": false, "safe": true}'),
        (200, b'[{"violated": false}]'),
    ],
)
def test_an_endpoint_that_gives_no_verdict_lets_nothing_pass(status: int, body: bytes) -> None:
    with endpoint(status, body) as (url, _):
        ruling = ruled({"kind": "knowledge", "url": url}, "hello")
    assert not ruling.allowed
    assert ruling.findings[0].failed


def test_an_endpoint_that_is_slow_or_gone_lets_nothing_pass() -> None:
    with endpoint(200, b'{"violated": false}', delay_s=5.0) as (url, _):
        assert "timed out" in ruled({"kind": "knowledge", "url": url, "timeout_s": 0.1}, "x").findings[0].failed
    assert not ruled({"kind": "knowledge", "url": url}, "hello").allowed


class Judge:
    """Scores outputs that hold a word; can be told not to answer."""

    name = "judge"

    def __init__(self, coverage: Coverage) -> None:
        self.coverage = coverage
        self.seen: list[Snapshot] = []

    def assess(self, snapshot: Snapshot) -> Assessment:
        self.seen.append(snapshot)
        bad = 0.9 if "gift" in snapshot.action.content else 0.1
        found = Evidence(axis=RiskAxis.SAFETY, score=bad, found_by=self.name, message="offers a gift")
        return Assessment.from_evidence([found], self.coverage)


def test_an_evaluator_can_be_the_judge_and_sees_the_constraint_as_an_instruction() -> None:
    judge = Judge(Coverage(ran=("judge",)))
    resources = Resources(judge=judge)
    assert "offers a gift" in ruled({"kind": "llm"}, "a gift", None, resources).feedback
    assert ruled({"kind": "llm"}, "hello", None, resources).outcome is Outcome.PASS
    assert ruled({"kind": "llm", "threshold": 0.95}, "a gift", None, resources).outcome is Outcome.PASS
    ruled({"kind": "llm"}, "x", at(user="你好"), resources)
    assert judge.seen[0].entries[0].is_trusted
    assert judge.seen[0].goal == "Does the reply keep this rule: The rule."
    assert judge.seen[-1].goal == "这条回复是否遵守以下规则：规则。"


@pytest.mark.parametrize(
    "coverage", [Coverage(), Coverage(skipped={"judge": "budget"}), Coverage(ran=("judge",), failed={"judge": "cut"})]
)
def test_a_judge_that_did_not_run_lets_nothing_pass(coverage: Coverage) -> None:
    ruling = ruled({"kind": "llm"}, "hello", None, Resources(judge=Judge(coverage)))
    assert not ruling.allowed
    assert "gave no verdict" in ruling.findings[0].failed


def test_a_function_can_be_the_judge() -> None:
    def judge(question: Question, words: str) -> Verdict:
        return Verdict(violated="free" in question.utterance.text, explanation=words)

    spec = {"kind": "llm", "question": {"en": "Is it free?", "zh": "是否免费？"}}
    assert ruled(spec, "free of charge", None, Resources(judge=judge)).findings[0].explanation == "Is it free?"


def test_an_ensemble_needs_as_many_as_it_says_and_a_failure_counts_against_the_output() -> None:
    def fails(question: Question, spec: OwnSpec) -> Verdict:
        raise EvaluatorError("down")

    resources = Resources(own={"fails": fails})
    parts = [
        {"kind": "regex", "forbid": ["gift"]},
        {"kind": "regex", "forbid": ["free"]},
        {"kind": "own", "name": "fails"},
    ]
    two = {"kind": "ensemble", "of": parts[:2], "need": 2}
    assert ruled(two, "a gift").outcome is Outcome.PASS
    assert not ruled(two, "a free gift").allowed
    assert not ruled({"kind": "ensemble", "of": parts, "need": 2}, "a gift", None, resources).allowed
    assert not ruled({"kind": "ensemble", "of": parts, "need": 1}, "hello", None, resources).allowed
    assert ruled({"kind": "ensemble", "of": parts, "need": 2}, "hello", None, resources).outcome is Outcome.PASS


def test_an_output_that_is_too_long_to_be_read_does_not_leave() -> None:
    ruling = ruled({"kind": "regex", "forbid": ["gift"]}, "x" * 200_001)
    assert not ruling.allowed
    assert "200,001 characters" in ruling.findings[0].failed
