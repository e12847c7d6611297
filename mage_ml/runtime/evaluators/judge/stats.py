"""What a judge did: questions, requests, tokens, money, time."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from mage_ml.forking import fork_safe_lock
from mage_ml.runtime.evaluators.judge.budget import Spent
from mage_ml.runtime.evaluators.judge.settings import AnswerFormat
from mage_ml.runtime.evaluators.tier_stats import LatencyHistogram


class QuestionEnd(StrEnum):
    """How a question ended."""

    ANSWERED = "answered"
    INVALID = "invalid"
    """There was an answer, but not one that counts."""
    FAILED = "failed"
    """There was none."""
    OVER_BUDGET = "over_budget"
    """It was not asked."""


class JudgeStats(BaseModel):
    """What a judge has done so far, in all its runs.

    Attributes:
        questions: Snapshots it was asked about.
        answered: Questions with an answer that counts.
        invalid: Questions with an answer that does not.
        failed: Questions without an answer.
        over_budget: Questions not asked, because a budget is spent.
        replayed: Questions answered from a cassette.
        retries: Requests made again.
        spent: Requests, tokens and money, those under way at the most they can cost.
        latency_p50_ms: Half of the questions took no longer, retries included; within 10 %.
        latency_p99_ms: 99 in 100 took no longer; within 10 %.
        answer_format: How the endpoint is held to the form of an answer by now.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    questions: Annotated[int, Field(ge=0)]
    answered: Annotated[int, Field(ge=0)]
    invalid: Annotated[int, Field(ge=0)]
    failed: Annotated[int, Field(ge=0)]
    over_budget: Annotated[int, Field(ge=0)]
    replayed: Annotated[int, Field(ge=0)]
    retries: Annotated[int, Field(ge=0)]
    spent: Spent
    latency_p50_ms: float | None
    latency_p99_ms: float | None
    answer_format: AnswerFormat


class JudgeCounter:
    """Counts. Safe to share between threads; its size does not grow."""

    def __init__(self) -> None:
        self._lock = fork_safe_lock()
        self._ends = dict.fromkeys(QuestionEnd, 0)
        self._retries = self._replayed = 0
        self._latencies = LatencyHistogram()

    def retried(self) -> None:
        """A request is made again."""
        with self._lock:
            self._retries += 1

    def replayed(self) -> None:
        """A question was answered from a cassette."""
        with self._lock:
            self._replayed += 1

    def ended(self, end: QuestionEnd, latency_ms: float) -> None:
        """A question ended."""
        with self._lock:
            self._ends[end] += 1
            if end is not QuestionEnd.OVER_BUDGET:
                self._latencies.add(latency_ms)

    def stats(self, spent: Spent, answer_format: AnswerFormat) -> JudgeStats:
        """The counts so far."""
        with self._lock:
            ends = {end.value: count for end, count in self._ends.items()}
            return JudgeStats(
                **ends,
                questions=sum(ends.values()),
                replayed=self._replayed,
                retries=self._retries,
                spent=spent,
                latency_p50_ms=self._latencies.percentile(0.5),
                latency_p99_ms=self._latencies.percentile(0.99),
                answer_format=answer_format,
            )
