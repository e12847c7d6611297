"""What went wrong with a request, and whether and when it is worth another try."""

from __future__ import annotations

import email.utils
import math
import random
import time
from types import ModuleType
from typing import Any, Final

from mage_ml.runtime.evaluators.judge.settings import JudgeConfig

RETRYABLE: Final = frozenset({429, 500, 502, 503})
_BAD_REQUEST: Final = frozenset({400, 422})
_SECRET_STATUS: Final = frozenset({401, 403})
_MAX_MESSAGE: Final = 200
_NEVER_SENT: Final = ("ConnectError", "ConnectTimeout")


class Refusal(Exception):
    """A request without an answer.

    Attributes:
        status: The endpoint's status; `None` where there was none.
        is_retryable: Whether another try may help.
        retry_after_s: How long the endpoint asks to wait.
        is_free: Whether it surely cost no tokens.
    """

    def __init__(
        self, message: str, *, status: int | None, is_retryable: bool, retry_after_s: float | None, is_free: bool
    ) -> None:
        super().__init__(message)
        self.status = status
        self.is_retryable = is_retryable
        self.retry_after_s = retry_after_s
        self.is_free = is_free

    @property
    def is_bad_request(self) -> bool:
        """Whether the endpoint does not accept the request as it is."""
        return self.status in _BAD_REQUEST


def explain(error: Exception, openai: ModuleType, key: str | None, config: JudgeConfig) -> Refusal:
    """What an exception of the client means.

    Args:
        error: The exception.
        openai: The client's package.
        key: Never to be part of a message.
        config: Named in messages.
    """
    if isinstance(error, openai.APIStatusError):
        return _of_status(error, key, config)
    if isinstance(error, openai.APITimeoutError) or "Timeout" in type(error).__name__:
        message = f"no answer within {config.timeout_s:g} s"
        return Refusal(message, status=None, is_retryable=False, retry_after_s=None, is_free=_never_sent(error))
    if isinstance(error, openai.APIConnectionError) or type(error).__module__.startswith("http"):
        cause = error.__cause__ or error
        message = f"the connection to {config.base_url} failed or was lost ({type(cause).__name__})"
        return Refusal(message, status=None, is_retryable=True, retry_after_s=None, is_free=_never_sent(error))
    message = f"the endpoint's answer could not be read ({type(error).__name__}: {_clean(str(error), key)})"
    return Refusal(message, status=None, is_retryable=False, retry_after_s=None, is_free=False)


def pause_before(refusal: Refusal, tries: int, config: JudgeConfig, rng: random.Random) -> float | None:
    """Seconds to wait before the next try; `None` where there should be none.

    Exponential with half of each pause left to chance; what the endpoint asks for is kept, and a little more.
    """
    if not refusal.is_retryable or tries >= config.retries:
        return None
    pause = config.first_pause_s * 2.0**tries * rng.uniform(0.5, 1.0)
    asked = refusal.retry_after_s
    return pause if asked is None else max(pause, asked * rng.uniform(1.0, 1.1))


def retry_after(value: str | None, now: float) -> float | None:
    """Seconds that a `Retry-After` header asks for: a number, or a date; `None` where it says neither.

    Args:
        value: The header.
        now: Seconds since the epoch.
    """
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        parsed = email.utils.parsedate_tz(value)
        if parsed is None:
            return None
        try:
            seconds = email.utils.mktime_tz(parsed) - now
        except (ValueError, OverflowError):
            return None
    return None if math.isnan(seconds) else max(0.0, seconds)


def _of_status(error: Any, key: str | None, config: JudgeConfig) -> Refusal:  # noqa: ANN401 - openai's exception
    status = int(error.status_code)
    said = error.body.get("message") if isinstance(error.body, dict) else None
    told = f": {_clean(str(said), key)}" if said else ""
    if status in _SECRET_STATUS:  # what it says may repeat the key
        told = f"; check the key in {config.key_variable}" if config.key_variable else "; it asks for a key"
    return Refusal(
        f"the endpoint answered {status}{told}",
        status=status,
        is_retryable=status in RETRYABLE,
        retry_after_s=retry_after(error.response.headers.get("retry-after"), time.time()),
        is_free=True,
    )


def _never_sent(error: Exception) -> bool:
    return type(error.__cause__ or error).__name__ in _NEVER_SENT


def _clean(message: str, key: str | None) -> str:
    short = " ".join(message.split())
    return (short.replace(key, "[key]") if key else short)[:_MAX_MESSAGE]
