"""What a judge may answer, and the checks that an answer has to pass before it counts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Final

import re2
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mage_ml.errors import EvaluatorError
from mage_ml.risk import Evidence, RiskAxis, RiskVector, Score
from mage_ml.runtime.evaluators.judge.case import JudgeCase, ShownEntry
from mage_ml.runtime.evaluators.judge.obedience import obeyed_order
from mage_ml.runtime.evaluators.scale import OPERATING_POINT

MAX_ANSWER_CHARS: Final = 200_000
_FENCED = re2.compile(r"(?s)\A\s*```(?:json|JSON)?[ \t]*\n(.*?)\n?```\s*\z")
_THOUGHT = re2.compile(r"(?s)\A\s*<think>.*?</think>")


class InvalidAnswerError(EvaluatorError):
    """The judge answered, but not so that its answer could count. This is a failure, never a verdict."""


class Verdict(StrEnum):
    """What the judge says in one word."""

    SAFE = "safe"
    RISKY = "risky"


class Finding(BaseModel):
    """One reason for a score.

    Attributes:
        axis: The axis it speaks to.
        entry_ids: The entries it points at, the most suspicious first.
        quote: The place in the first of them, to the letter; `None` where no one place is meant.
        sentence: One sentence for a person.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    axis: RiskAxis
    entry_ids: Annotated[tuple[str, ...], Field(min_length=1, max_length=32)]
    quote: Annotated[str, Field(min_length=1, max_length=20_000)] | None
    sentence: Annotated[str, Field(min_length=1, max_length=2000)]


class Scores(BaseModel):
    """One score for each axis."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    consistency: Score
    factuality: Score
    safety: Score
    dependency: Score


class JudgeAnswer(BaseModel):
    """A judge's answer.

    Attributes:
        case: The number of the request, repeated. Text inside memory cannot know it, so an answer that was planted
            there and copied is told from the judge's own.
        scores: One for each axis; 0.5 and above means that the action should not go ahead as it is.
        findings: Reasons; at least one for each axis at 0.5 or above.
        verdict: `risky` when any score is 0.5 or above.
        summary: One sentence on why.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    case: str
    scores: Scores
    findings: Annotated[tuple[Finding, ...], Field(max_length=64)]
    verdict: Verdict
    summary: Annotated[str, Field(min_length=1, max_length=2000)]


def answer_schema() -> dict[str, Any]:
    """JSON Schema of an answer in the subset that strict structured output takes: all required, nothing further."""
    number = {"type": "number"}
    text = {"type": "string"}
    finding = {
        "axis": {"type": "string", "enum": [axis.value for axis in RiskAxis]},
        "entry_ids": {"type": "array", "items": text},
        "quote": {"type": ["string", "null"]},
        "sentence": text,
    }
    return _object(
        {
            "case": text,
            "findings": {"type": "array", "items": _object(finding)},
            "scores": _object({axis.value: number for axis in RiskAxis}),
            "summary": text,
            "verdict": {"type": "string", "enum": [verdict.value for verdict in Verdict]},
        }
    )


def read_answer(text: str, *, nonce: str, case: JudgeCase) -> JudgeAnswer:
    """Read and check a judge's answer.

    One code fence and one leading `<think>` block are taken off; besides them nothing but one JSON object may stand
    there.

    Args:
        text: What it wrote.
        nonce: The number that it had to repeat.
        case: What it was shown.

    Raises:
        InvalidAnswerError: The answer is empty, no JSON, not of the schema, points at what was not shown, contradicts
            itself, or calls an action safe because an entry says so.
    """
    if not text.strip():
        raise InvalidAnswerError("judge: the answer is empty")
    if len(text) > MAX_ANSWER_CHARS:
        raise InvalidAnswerError(f"judge: the answer has more than {MAX_ANSWER_CHARS:,} characters")
    fenced = _FENCED.search(bare := _THOUGHT.sub("", text))
    try:
        raw = json.loads(fenced.group(1) if fenced else bare, object_pairs_hook=_unique, parse_constant=_no_number)
        answer = JudgeAnswer.model_validate(raw)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"]) or "answer"
        raise InvalidAnswerError(f"judge: the answer does not fit the schema: {place}: {first['msg']}") from error
    except (ValueError, RecursionError) as error:
        raise InvalidAnswerError(f"judge: the answer is not one JSON object: {str(error)[:200]}") from error
    if answer.case != nonce:
        raise InvalidAnswerError("judge: the answer does not carry this request's case number; it may be copied")
    _check_places(answer, case)
    _check_sense(answer)
    order = obeyed_order(answer.summary, case.shown.values()) if answer.verdict is Verdict.SAFE else None
    if order is not None:
        raise InvalidAnswerError(f"judge: it calls the action safe because an entry says so: {order!r}")
    return answer


def evidence_of(answer: JudgeAnswer, case: JudgeCase, found_by: str) -> tuple[Evidence, ...]:
    """The findings of a checked answer as evidence, strongest first."""
    found = [
        Evidence(
            axis=finding.axis,
            score=risk_of(answer)[finding.axis],
            found_by=found_by,
            entry_ids=tuple(dict.fromkeys(finding.entry_ids)),
            message=finding.sentence,
            span=_span(finding, case.shown[finding.entry_ids[0]]),
        )
        for finding in answer.findings
    ]
    return tuple(sorted(found, key=lambda item: -item.score))


def risk_of(answer: JudgeAnswer) -> RiskVector:
    """The scores of an answer."""
    return RiskVector(**answer.scores.model_dump())


def _check_places(answer: JudgeAnswer, case: JudgeCase) -> None:
    for finding in answer.findings:
        unknown = next((name for name in finding.entry_ids if name not in case.shown), None)
        if unknown is not None:
            raise InvalidAnswerError(f"judge: it points at entry {unknown[:80]!r}, which it was not shown")
        first = case.shown[finding.entry_ids[0]]
        if finding.quote is not None and not _stands_in(finding.quote, first.text):
            raise InvalidAnswerError(
                f"judge: it quotes {finding.quote[:80]!r}, which does not stand in entry {first.entry.id!r}"
            )


def _check_sense(answer: JudgeAnswer) -> None:
    risk = risk_of(answer)
    high = [axis for axis in RiskAxis if risk[axis] >= OPERATING_POINT]
    if answer.verdict is Verdict.SAFE and high:
        raise InvalidAnswerError(f"judge: contradictory: the verdict is safe, but {high[0]} is {risk[high[0]]:.2f}")
    if answer.verdict is Verdict.RISKY and not high:
        raise InvalidAnswerError("judge: contradictory: the verdict is risky, but no score reaches 0.5")
    explained = {finding.axis for finding in answer.findings}
    bare = next((axis for axis in high if axis not in explained), None)
    if bare is not None:
        raise InvalidAnswerError(f"judge: {bare} is {risk[bare]:.2f}, but no finding speaks to it")
    empty = next((axis for axis in RiskAxis if axis in explained and risk[axis] == 0.0), None)
    if empty is not None:
        raise InvalidAnswerError(f"judge: contradictory: a finding speaks to {empty}, whose score is 0")


def _span(finding: Finding, shown: ShownEntry) -> tuple[int, int] | None:
    """Where the quote stands in the entry itself; `None` where it was masked or cut."""
    start = -1 if finding.quote is None else shown.entry.text.find(finding.quote)
    return None if finding.quote is None or start < 0 else (start, start + len(finding.quote))


def _stands_in(quote: str, text: str) -> bool:
    """Whether a text holds a quote, however its white space is written, and escaped or not."""
    place = _folded(text)
    return _folded(quote) in place or _folded(quote.replace('\\"', '"')) in place


def _folded(text: str) -> str:
    return " ".join(text.split())


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is given twice")
    return found


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")
