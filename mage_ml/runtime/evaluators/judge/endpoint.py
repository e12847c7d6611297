"""Asks a model over the chat-completions protocol: bounded in time, requests at once, retries and money."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Final

from mage_ml.cassette import Reply
from mage_ml.errors import ConfigError, EvaluatorError
from mage_ml.extras import require
from mage_ml.forking import fork_safe_lock
from mage_ml.runtime.evaluators.judge.answer import InvalidAnswerError
from mage_ml.runtime.evaluators.judge.budget import Purse, Usage
from mage_ml.runtime.evaluators.judge.failures import Refusal, explain, pause_before
from mage_ml.runtime.evaluators.judge.prompt import response_format
from mage_ml.runtime.evaluators.judge.settings import AnswerFormat, JudgeConfig
from mage_ml.runtime.evaluators.judge.stats import JudgeCounter

_LADDER: Final[tuple[AnswerFormat, ...]] = (AnswerFormat.JSON_SCHEMA, AnswerFormat.JSON_OBJECT, AnswerFormat.PROMPT)
_OVERHEAD_TOKENS: Final = 64
_MAX_CHARS: Final = 1_000_000
_NOTHING: Final = Usage(0, 0)


@dataclass(frozen=True, slots=True)
class Timing:
    """Where time and chance come from.

    Attributes:
        clock: Seconds, monotonic.
        pause: Waits so many seconds.
        rng: Spreads the pauses, so that many callers do not come back at once.
    """

    clock: Callable[[], float]
    pause: Callable[[float], None]
    rng: random.Random


class ChatEndpoint:
    """Asks one model. Safe to share between threads; after a fork the child makes connections of its own.

    The client's own retries are off: each request has to be paid for from the budget and to fit into the time left.

    Args:
        config: Which model, and the limits.
        key: The endpoint's key; `None` where it asks for none.
        counter: Told of requests and retries.
        timing: Where time and chance come from.

    Raises:
        MissingExtraError: Without the `judge` extra.
    """

    def __init__(self, config: JudgeConfig, key: str | None, timing: Timing, counter: JudgeCounter) -> None:
        self._config = config
        self._key = key
        self._counter = counter
        self._timing = timing
        self._openai: ModuleType = require("openai", extra="judge", purpose="ask a language model as a judge")
        self._slots = threading.BoundedSemaphore(config.max_concurrent)
        self._lock = fork_safe_lock()
        self._process = os.getpid()
        self._client: Any = None
        self._form: AnswerFormat = _LADDER[0] if config.answer_format is AnswerFormat.AUTO else config.answer_format

    @property
    def answer_format(self) -> AnswerFormat:
        """How the endpoint is held to the form of an answer by now."""
        return self._form

    def ask(self, messages: Sequence[dict[str, str]], purse: Purse, deadline: float) -> Reply:
        """One answer, retried as configured.

        Args:
            messages: The question.
            purse: Pays for each request.
            deadline: When it has to be there, by the clock.

        Raises:
            NotAskedError: A budget does not allow the request.
            EvaluatorError: No answer could be had in time.
        """
        tries = 0
        with self._slot(deadline):
            form = self._form
            while True:
                try:
                    reply = self._request(messages, form, purse, deadline)
                except Refusal as refusal:
                    if refusal.is_bad_request and (lower := self._lower(form)) is not None:
                        form = lower
                        continue
                    wait = pause_before(refusal, tries, self._config, self._timing.rng)
                    left = deadline - self._timing.clock()
                    if wait is None or wait >= left:
                        raise EvaluatorError(f"judge: {refusal}{_after(tries)}") from refusal
                    tries += 1
                    self._counter.retried()
                    self._timing.pause(wait)
                else:
                    self._form = form
                    return reply

    def close(self) -> None:
        """Close connections. The endpoint stays usable."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None and self._process == os.getpid():
            client.close()

    @contextmanager
    def _slot(self, deadline: float) -> Iterator[None]:
        slots = self._slots_here()
        if not slots.acquire(timeout=max(0.0, deadline - self._timing.clock())):
            raise EvaluatorError(
                f"judge: {self._config.max_concurrent} requests are under way, and none ended within the time limit"
            )
        try:
            yield
        finally:
            slots.release()

    def _lower(self, form: AnswerFormat) -> AnswerFormat | None:
        """The next way to ask for JSON, for endpoints that do not know this one."""
        if self._config.answer_format is not AnswerFormat.AUTO or form is _LADDER[-1]:
            return None
        return _LADDER[_LADDER.index(form) + 1]

    def _request(self, messages: Sequence[dict[str, str]], form: AnswerFormat, purse: Purse, deadline: float) -> Reply:
        config = self._config
        request: dict[str, Any] = {
            "model": config.model,
            "messages": list(messages),
            config.limit_field.value: config.max_answer_tokens,
        }
        if config.temperature is not None:
            request["temperature"] = config.temperature
        wanted = response_format(form)
        if wanted is not None:
            request["response_format"] = wanted
        left = deadline - self._timing.clock()
        if left <= 0:
            raise EvaluatorError(f"judge: no answer within {config.timeout_s:g} s")
        most = _at_most(request, config)
        purse.reserve(most)
        used = most  # what is not known counts in full
        try:
            reply = self._send(request, left, deadline)
            if reply.tokens_read is not None and reply.tokens_written is not None:
                used = Usage(reply.tokens_read, reply.tokens_written)
            return reply
        except Exception as error:
            if isinstance(error, EvaluatorError):
                raise
            refusal = explain(error, self._openai, self._key, config)
            used = _NOTHING if refusal.is_free else most
            raise refusal from error
        finally:
            purse.settle(most, used)

    def _send(self, request: dict[str, Any], left: float, deadline: float) -> Reply:
        create = self._connected().chat.completions.create
        if not self._config.stream:
            return _reply_of(create(**request, timeout=left))
        stream = create(**request, timeout=left, stream=True, stream_options={"include_usage": True})
        with stream:
            return self._read(stream, deadline)

    def _read(self, stream: Any, deadline: float) -> Reply:  # noqa: ANN401 - openai's stream
        pieces: list[str] = []
        finish, usage = None, None
        for chunk in stream:
            if self._timing.clock() > deadline:
                raise EvaluatorError(f"judge: the answer was not complete within {self._config.timeout_s:g} s")
            usage = getattr(chunk, "usage", None) or usage
            for choice in (getattr(chunk, "choices", None) or ())[:1]:
                pieces.append(choice.delta.content or "")
                finish = choice.finish_reason or finish
            if sum(map(len, pieces)) > _MAX_CHARS:
                raise InvalidAnswerError(f"judge: the answer has more than {_MAX_CHARS:,} characters")
        return _reply("".join(pieces), finish, usage)

    def _slots_here(self) -> threading.BoundedSemaphore:
        with self._lock:
            if self._process != os.getpid():  # after a fork: neither requests nor connections are this process's
                self._process = os.getpid()
                self._slots = threading.BoundedSemaphore(self._config.max_concurrent)
                self._client = None
            return self._slots

    def _connected(self) -> Any:  # noqa: ANN401 - openai's client
        with self._lock:
            if self._client is None:
                self._client = self._openai.OpenAI(
                    base_url=self._config.base_url, api_key=self._key or "none", max_retries=0
                )
            return self._client


def key_from(config: JudgeConfig, environ: Mapping[str, str]) -> str | None:
    """The endpoint's key.

    Raises:
        ConfigError: The environment variable is not set.
    """
    if config.key_variable is None:
        return None
    key = environ.get(config.key_variable, "").strip()
    if not key:
        raise ConfigError(f"judge.key_variable: the environment variable {config.key_variable} is not set")
    return key


def _at_most(request: dict[str, Any], config: JudgeConfig) -> Usage:
    """An upper bound: a token of a byte-level vocabulary has at least one byte."""
    size = sum(len(message["content"].encode()) for message in request["messages"])
    schema = len(str(request.get("response_format", "")))
    return Usage(size + schema + _OVERHEAD_TOKENS, config.max_answer_tokens)


def _reply_of(answer: Any) -> Reply:  # noqa: ANN401 - whatever the endpoint sent
    choices = getattr(answer, "choices", None)
    if not choices:
        raise InvalidAnswerError("judge: the endpoint's answer is no chat completion")
    message = getattr(choices[0], "message", None)
    if getattr(message, "refusal", None):
        raise InvalidAnswerError("judge: the model refused to answer")
    content = getattr(message, "content", None)
    text = content if isinstance(content, str) else ""
    return _reply(text, getattr(choices[0], "finish_reason", None), getattr(answer, "usage", None))


def _reply(text: str, finish: object, usage: Any) -> Reply:  # noqa: ANN401 - openai's usage
    if finish not in ("stop", "length"):
        found = "its end is missing; it may be cut" if finish is None else f"it ended with {str(finish)[:40]!r}"
        raise InvalidAnswerError(f"judge: the answer did not come to its end: {found}")
    read, written = getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
    known = all(isinstance(count, int) and count >= 0 for count in (read, written))
    return Reply(
        text=text,
        is_cut=finish == "length",
        tokens_read=read if known else None,
        tokens_written=written if known else None,
    )


def _after(tries: int) -> str:
    return f" (after {tries} retries)" if tries else ""
