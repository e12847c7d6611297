"""What was spent and what may be: counted before a request leaves, so that threads together never exceed it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from mage_ml.forking import fork_safe_lock
from mage_ml.runtime.evaluators.base import NotAskedError
from mage_ml.runtime.evaluators.judge.settings import JudgeBudget, JudgePrices


class Spent(BaseModel):
    """What has been spent, requests under way included at the most they can cost.

    Attributes:
        calls: Requests, each retry counted.
        tokens_read: Tokens of questions.
        tokens_written: Tokens of answers.
        cost: Money in the unit of the prices; 0 without prices.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    calls: Annotated[int, Field(ge=0)] = 0
    tokens_read: Annotated[int, Field(ge=0)] = 0
    tokens_written: Annotated[int, Field(ge=0)] = 0
    cost: Annotated[float, Field(ge=0.0)] = 0.0

    @property
    def tokens(self) -> int:
        """Tokens of questions and answers together."""
        return self.tokens_read + self.tokens_written


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request.

    Attributes:
        tokens_read: Of the question.
        tokens_written: Of the answer.
    """

    tokens_read: int
    tokens_written: int


class Ledger:
    """One budget and what was taken from it. Safe to share between threads.

    Args:
        name: Whose budget it is, for messages.
        budget: The limits.
        prices: For the cost; `None` for no cost.
    """

    def __init__(self, name: str, budget: JudgeBudget, prices: JudgePrices | None) -> None:
        self._name = name
        self._budget = budget
        self._prices = prices
        self._lock = fork_safe_lock()
        self._calls = self._read = self._written = 0

    def reserve(self, most: Usage) -> None:
        """Set aside what one request can cost at the most.

        Raises:
            NotAskedError: It does not fit; nothing was set aside.
        """
        with self._lock:
            calls, read, written = self._calls + 1, self._read + most.tokens_read, self._written + most.tokens_written
            self._check("calls", calls, self._budget.calls)
            self._check("tokens", read + written, self._budget.tokens)
            self._check("cost", self._cost(read, written), self._budget.cost)
            self._calls, self._read, self._written = calls, read, written

    def settle(self, most: Usage, used: Usage, *, calls: int = 1) -> None:
        """Put what a request really used in the place of what was set aside.

        Args:
            most: What was set aside.
            used: What it used.
            calls: 0 for a request that never left.
        """
        with self._lock:
            self._calls += calls - 1
            self._read += used.tokens_read - most.tokens_read
            self._written += used.tokens_written - most.tokens_written

    @property
    def spent(self) -> Spent:
        """What has been spent so far."""
        with self._lock:
            return Spent(
                calls=self._calls,
                tokens_read=self._read,
                tokens_written=self._written,
                cost=self._cost(self._read, self._written),
            )

    def _cost(self, read: int, written: int) -> float:
        if self._prices is None:
            return 0.0
        return (read * self._prices.per_million_read + written * self._prices.per_million_written) / 1e6

    def _check(self, what: str, wanted: float, limit: float | None) -> None:
        if limit is not None and wanted > limit:
            raise NotAskedError(f"budget: {wanted:,g} {what} of {self._name} would exceed its limit of {limit:,g}")


class Purse:
    """Several ledgers that each request is taken from, all or none.

    Args:
        ledgers: The narrowest first.
    """

    def __init__(self, ledgers: Sequence[Ledger]) -> None:
        self._ledgers = tuple(ledgers)

    def reserve(self, most: Usage) -> None:
        """Set aside what one request can cost at the most.

        Raises:
            NotAskedError: A budget does not allow it; nothing was set aside.
        """
        taken: list[Ledger] = []
        try:
            for ledger in self._ledgers:
                ledger.reserve(most)
                taken.append(ledger)
        except NotAskedError:
            for ledger in taken:
                ledger.settle(most, Usage(0, 0), calls=0)
            raise

    def settle(self, most: Usage, used: Usage, *, calls: int = 1) -> None:
        """Put what a request really used in the place of what was set aside."""
        for ledger in self._ledgers:
            ledger.settle(most, used, calls=calls)
