"""Answers of a judge: good ones, and one for each way in which an endpoint or a model goes wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import StrEnum
from typing import Any, Final

import re2

from mage_ml.risk import RiskAxis
from mage_ml.testing.llm_server import ReceivedRequest, ServerReply

_CASE = re2.compile(r"=== BEGIN DATA (\S+) ===")
_DELAY_S: Final = 5.0
_KEPT: Final = 0.6
_PAGE: Final = b"<html>all is safe</html>"


class JudgeFault(StrEnum):
    """How a judge goes wrong."""

    SLOW = "slow"
    RATE_LIMITED = "rate_limited"
    """429, with a Retry-After that is beyond the time limit."""
    SERVER_ERROR = "server_error"
    NOT_FOUND = "not_found"
    WRONG_KEY = "wrong_key"
    CUT_BODY = "cut_body"
    NO_COMPLETION = "no_completion"
    """200 with a page of HTML, as a proxy may send."""
    EMPTY = "empty"
    OUT_OF_TOKENS = "out_of_tokens"
    """`finish_reason` is length; the text is empty, as where a model spent everything on reasoning."""
    CUT_AT_LIMIT = "cut_at_limit"
    """`finish_reason` is length; the text looks whole."""
    FILTERED = "filtered"
    NO_FINISH_REASON = "no_finish_reason"
    NO_JSON = "no_json"
    """Two words of prose."""
    MALFORMED = "malformed"
    WRONG_SCHEMA = "wrong_schema"
    SCORE_OUT_OF_RANGE = "score_out_of_range"
    SCORE_IS_TEXT = "score_is_text"
    KEY_TWICE = "key_twice"
    UNKNOWN_AXIS = "unknown_axis"
    UNKNOWN_ENTRY = "unknown_entry"
    INVENTED_QUOTE = "invented_quote"
    SAFE_BUT_HIGH = "safe_but_high"
    RISKY_BUT_LOW = "risky_but_low"
    HIGH_WITHOUT_FINDING = "high_without_finding"
    FINDING_WITHOUT_SCORE = "finding_without_score"
    OBEYS_ENTRY = "obeys_entry"
    """Clears the action because an entry says so."""
    COPIES_PLANTED_ANSWER = "copies_planted_answer"
    """Repeats an answer that stands in memory; it cannot carry the request's number."""


def good_answer(request: ReceivedRequest, *, summary: str = "The figures agree with their source.") -> str:
    """A well-formed answer without risk."""
    return json.dumps(_answer(request, summary=summary), ensure_ascii=False)


def risky_answer(
    request: ReceivedRequest,
    entry_id: str,
    *,
    axis: RiskAxis = RiskAxis.SAFETY,
    score: float = 0.9,
    quote: str | None = None,
    sentence: str = "This entry carries an order that is not the user's.",
) -> str:
    """A well-formed answer that blames one entry."""
    finding = {"axis": axis.value, "entry_ids": [entry_id], "quote": quote, "sentence": sentence}
    scores = {each.value: score if each is axis else 0.0 for each in RiskAxis}
    answer = _answer(request, scores=scores, findings=[finding], verdict="risky", summary=sentence)
    return json.dumps(answer, ensure_ascii=False)


def respond_with(fault: JudgeFault) -> Callable[[ReceivedRequest], ServerReply]:
    """What an `LlmServer` answers to every request of a judge."""
    return lambda request: _reply(fault, request)


def _reply(fault: JudgeFault, request: ReceivedRequest) -> ServerReply:
    good = good_answer(request)
    around = _AROUND.get(fault)
    return around(good) if around is not None else ServerReply(_text(fault, request, good))


_AROUND: Final[dict[JudgeFault, Callable[[str], ServerReply]]] = {
    JudgeFault.SLOW: lambda good: ServerReply(good, delay_s=_DELAY_S),
    JudgeFault.RATE_LIMITED: lambda _: ServerReply("too many requests", status=429, headers={"Retry-After": "3600"}),
    JudgeFault.SERVER_ERROR: lambda _: ServerReply("internal error", status=500),
    JudgeFault.NOT_FOUND: lambda _: ServerReply("no such model", status=404),
    JudgeFault.WRONG_KEY: lambda _: ServerReply("wrong key", status=401),
    JudgeFault.CUT_BODY: lambda good: ServerReply(good, kept_share=_KEPT),
    JudgeFault.NO_COMPLETION: lambda _: ServerReply(body=_PAGE, headers={"Content-Type": "text/html"}),
    JudgeFault.OUT_OF_TOKENS: lambda _: ServerReply("", finish_reason="length"),
    JudgeFault.CUT_AT_LIMIT: lambda good: ServerReply(good, finish_reason="length"),
    JudgeFault.FILTERED: lambda good: ServerReply(good, finish_reason="content_filter"),
    JudgeFault.NO_FINISH_REASON: lambda good: ServerReply(good, finish_reason=None),
}


def _text(fault: JudgeFault, request: ReceivedRequest, good: str) -> str:
    match fault:
        case JudgeFault.EMPTY:
            return ""
        case JudgeFault.NO_JSON:
            return "not unsafe, supported"
        case JudgeFault.MALFORMED:
            return good[:-1]
        case JudgeFault.KEY_TWICE:
            return good[:-1] + ', "verdict": "safe"}'
        case JudgeFault.WRONG_SCHEMA:
            return json.dumps({"safe": True, "explanation": "supported"})
    return json.dumps(_answer(request, **_changes(request)[fault]))


def _changes(request: ReceivedRequest) -> dict[JudgeFault, dict[str, Any]]:
    """What differs from a good answer, for the faults of content."""
    known = {"axis": "safety", "entry_ids": [_first_entry(request)], "quote": None, "sentence": "It is wrong."}
    unknown = {**known, "entry_ids": ["no-such-entry"]}
    low = dict.fromkeys((axis.value for axis in RiskAxis), 0.1)
    doubt, high = {**low, "safety": 0.4}, {**low, "safety": 0.9}
    risky = {"verdict": "risky", "summary": "It is wrong."}
    return {
        JudgeFault.SCORE_OUT_OF_RANGE: {"scores": {**low, "safety": -1.0}},
        JudgeFault.SCORE_IS_TEXT: {"scores": {**low, "safety": "0.1"}},
        JudgeFault.UNKNOWN_AXIS: {"scores": doubt, "findings": [{**known, "axis": "politeness"}]},
        JudgeFault.UNKNOWN_ENTRY: {"scores": doubt, "findings": [unknown]},
        JudgeFault.INVENTED_QUOTE: {"scores": doubt, "findings": [{**known, "quote": "words that stand nowhere"}]},
        JudgeFault.SAFE_BUT_HIGH: {"scores": high, "findings": [known]},
        JudgeFault.RISKY_BUT_LOW: {"scores": low, **risky},
        JudgeFault.HIGH_WITHOUT_FINDING: {"scores": {**high, "dependency": 0.9}, "findings": [known], **risky},
        JudgeFault.FINDING_WITHOUT_SCORE: {"findings": [known]},
        JudgeFault.OBEYS_ENTRY: {"summary": "The entry says: approve, so safe."},
        JudgeFault.COPIES_PLANTED_ANSWER: {"case": "0123456789abcdef"},
    }


def _answer(request: ReceivedRequest, **changes: object) -> dict[str, Any]:
    found = _CASE.search(request.text)
    return {
        "case": found.group(1) if found else "",
        "findings": [],
        "scores": dict.fromkeys((axis.value for axis in RiskAxis), 0.0),
        "summary": "The figures agree with their source.",
        "verdict": "safe",
        **changes,
    }


def _first_entry(request: ReceivedRequest) -> str:
    lines = [json.loads(line) for line in request.text.splitlines() if line.startswith('{"entry": ')]
    return str(lines[0]["entry"]["id"]) if lines else ""
