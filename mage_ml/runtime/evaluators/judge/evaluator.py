"""The judge tier: a language model reads the memory and the pending action."""

from __future__ import annotations

import asyncio
import copy
import hashlib
import os
import random
import secrets
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Final, Self

from mage_ml.cassette import Cassette, Reply, key_of
from mage_ml.errors import EvaluatorError
from mage_ml.memory import Snapshot
from mage_ml.risk import Assessment, Coverage
from mage_ml.runtime.evaluators.base import NotAskedError, PreparedCall
from mage_ml.runtime.evaluators.judge.answer import InvalidAnswerError, evidence_of, read_answer, risk_of
from mage_ml.runtime.evaluators.judge.budget import Ledger, Purse, Spent
from mage_ml.runtime.evaluators.judge.case import JudgeCase, build_case
from mage_ml.runtime.evaluators.judge.endpoint import ChatEndpoint, Timing, key_from
from mage_ml.runtime.evaluators.judge.prompt import JudgePrompt, build_prompt
from mage_ml.runtime.evaluators.judge.settings import JudgeBudget, JudgeConfig
from mage_ml.runtime.evaluators.judge.stats import JudgeCounter, JudgeStats, QuestionEnd
from mage_ml.runtime.redaction import Redactor

_NONCE_BYTES: Final = 8


def _new_nonce() -> str:
    return secrets.token_hex(_NONCE_BYTES)


class LlmJudge:
    """Asks a language model about snapshots. Safe to share between threads; holds connections until it is closed.

    An answer counts only if it is whole, fits the schema, carries the request's number, points at entries and words
    that were shown, and agrees with itself. Everything else is a failure of this tier, and never a verdict.

    One object stands for one run and its budget; `for_run` gives one for the next run with the same connections,
    limits, total budget and counts.

    Args:
        config: Which model, and the limits; read the key from the environment variable that it names.
        cassette: Answers to record or to replay. The numbers of requests are then derived from the questions.
        environ: Where the key is looked up; by default the process's environment.
        new_nonce: Gives the number of a request, which nobody can guess.
        rng: Spreads pauses between retries.
        clock: Seconds, monotonic.
        pause: Waits so many seconds.

    Raises:
        ConfigError: The key is not set.
        MissingExtraError: Without the `judge` extra.
    """

    name = "judge"

    def __init__(
        self,
        config: JudgeConfig | None = None,
        *,
        cassette: Cassette | None = None,
        environ: Mapping[str, str] | None = None,
        new_nonce: Callable[[], str] = _new_nonce,
        rng: random.Random | None = None,
        clock: Callable[[], float] = time.monotonic,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self.config = config = config or JudgeConfig()
        key = key_from(config, os.environ if environ is None else environ)
        self._cassette = cassette
        self._new_nonce = new_nonce
        self._clock = clock
        self._counter = JudgeCounter()
        self._endpoint = ChatEndpoint(config, key, Timing(clock, pause, rng or random.Random()), self._counter)
        # Tags are numbered before they are sent, so the key of their hashes never matters to anybody else.
        self._redactor = Redactor(config.redaction.as_settings(), salt=secrets.token_bytes(32))
        self._total = Ledger("all runs", config.total_budget, config.prices)
        self._run = Ledger("this run", config.run_budget, config.prices)
        self._found_by = f"{self.name} {config.model}"

    def for_run(self, budget: JudgeBudget | None = None) -> LlmJudge:
        """A judge for another run: its own run budget, all else shared.

        Args:
            budget: The run's budget; `None` for the configured one.
        """
        other = copy.copy(self)
        other._run = Ledger("this run", budget or self.config.run_budget, self.config.prices)
        return other

    def assess(self, snapshot: Snapshot) -> Assessment:
        """Score one snapshot.

        Raises:
            NotAskedError: A budget is spent.
            EvaluatorError: There was no answer, or none that counts.
        """
        return self.prepare(snapshot).ask()

    async def aassess(self, snapshot: Snapshot) -> Assessment:
        """The same as `assess`, without holding up the event loop."""
        call = self.prepare(snapshot)
        return await asyncio.to_thread(call.ask)

    def prepare(self, snapshot: Snapshot) -> PreparedCall:
        """Choose, cut and mask what the judge is shown now; the answer may be asked for later, on any thread."""
        config = self.config
        case = build_case(
            snapshot, self._redactor, max_entries=config.max_entries, max_entry_chars=config.max_entry_chars
        )
        prompt = build_prompt(snapshot, case, config.language)
        return PreparedCall(_question_key(prompt, case), lambda: self._ask(prompt, case))

    @property
    def spent(self) -> Spent:
        """What this run has spent."""
        return self._run.spent

    @property
    def stats(self) -> JudgeStats:
        """What the judge has done so far, in all runs."""
        return self._counter.stats(self._total.spent, self._endpoint.answer_format)

    def close(self) -> None:
        """Close connections, of all runs. The judge stays usable."""
        self._endpoint.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self, prompt: JudgePrompt, case: JudgeCase) -> Assessment:
        started = self._clock()
        end = QuestionEnd.FAILED
        try:
            assessment = self._assessment(prompt, case, started + self.config.timeout_s)
            end = QuestionEnd.ANSWERED
            return assessment
        except InvalidAnswerError:
            end = QuestionEnd.INVALID
            raise
        except NotAskedError:
            end = QuestionEnd.OVER_BUDGET
            raise
        finally:
            self._counter.ended(end, max(0.0, self._clock() - started) * 1000.0)

    def _assessment(self, prompt: JudgePrompt, case: JudgeCase, deadline: float) -> Assessment:
        nonce = self._nonce(prompt)
        reply = self._reply(prompt, nonce, deadline)
        if reply.is_cut:
            raise InvalidAnswerError(
                f"judge: the answer reached its limit of {self.config.max_answer_tokens} tokens and is cut; raise "
                "max_answer_tokens"
            )
        answer = read_answer(reply.text, nonce=nonce, case=case)
        evidence = evidence_of(answer, case, self._found_by)
        blamed: dict[str, float] = {}
        for item in evidence:
            blamed[item.entry_ids[0]] = max(blamed.get(item.entry_ids[0], 0.0), item.score)
        return Assessment(
            risk=risk_of(answer),
            evidence=evidence,
            coverage=Coverage(ran=(self.name,), tokens_seen=case.tokens_seen, tokens_total=case.tokens_total),
            entry_scores=blamed,
        )

    def _nonce(self, prompt: JudgePrompt) -> str:
        if self._cassette is not None:
            return hashlib.sha256(f"{self.config.model}\n{prompt.key}".encode()).hexdigest()[: 2 * _NONCE_BYTES]
        nonce = self._new_nonce()
        if not prompt.is_free(nonce):
            raise EvaluatorError("judge: the number of the request stands in the data; it can be guessed")
        return nonce

    def _reply(self, prompt: JudgePrompt, nonce: str, deadline: float) -> Reply:
        messages, purse = prompt.messages(nonce), Purse((self._run, self._total))
        if self._cassette is None:
            return self._endpoint.ask(messages, purse, deadline)
        config = self.config
        key = key_of({"model": config.model, "temperature": config.temperature, "messages": messages})
        known = self._cassette.find(key)
        if known is not None:
            self._counter.replayed()
            return known
        reply = self._endpoint.ask(messages, purse, deadline)
        self._cassette.keep(key, reply)
        return reply


def _question_key(prompt: JudgePrompt, case: JudgeCase) -> str:
    """Names a question for a cache. What was masked or cut counts, too: places in a text depend on it."""
    digest = hashlib.sha256(prompt.key.encode())
    for shown in case.shown.values():
        digest.update(hashlib.sha256(shown.entry.text.encode()).digest())
    return digest.hexdigest()
