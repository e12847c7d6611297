"""Which model judges, how it is asked, and what that may cost."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Final, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from mage_ml.config import Config, nearest
from mage_ml.runtime.redaction import AuditSettings, ContentMode, PatternName
from mage_ml.runtime.redaction.patterns import refused

_DEFAULTS: Final = AuditSettings(content=ContentMode.REDACTED)


class AnswerFormat(StrEnum):
    """How the endpoint is held to the form of an answer; what it answers is checked in any case."""

    AUTO = "auto"
    """The strictest that the endpoint accepts, found out with the first questions."""
    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    PROMPT = "prompt"
    """The prompt alone asks for JSON."""


class JudgeLanguage(StrEnum):
    """Language of the judge's instructions and of the sentences it writes."""

    GOAL = "goal"
    """Chinese where the task (or, without one, the action) holds Chinese characters, otherwise English."""
    ENGLISH = "en"
    CHINESE = "zh"


class LimitField(StrEnum):
    """What an endpoint calls the longest answer."""

    MAX_TOKENS = "max_tokens"
    MAX_COMPLETION_TOKENS = "max_completion_tokens"


def _known(labels: type[StrEnum], what: str) -> Any:  # noqa: ANN401 - a pydantic validator
    def check(value: object) -> object:
        names = [label.value for label in labels]
        if isinstance(value, str) and value not in names:
            raise ValueError(f"unknown {what} {value!r}; {nearest(value, names)}")
        return value

    return BeforeValidator(check)


def _is_re2(pattern: str) -> str:
    problem = refused(pattern)
    if problem is not None:
        raise ValueError(f"not a usable RE2 pattern: {problem}")
    return pattern


def _is_endpoint(url: str) -> str:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ValueError("expected the address of an endpoint up to its version, such as http://127.0.0.1:8000/v1")
    if parts.username or parts.password:
        raise ValueError("the address holds a user name or password; put the key into an environment variable")
    return url.rstrip("/")


class JudgeBudget(Config):
    """What may be spent; `None` for no limit. A question whose worst case would exceed a limit is not asked."""

    calls: Annotated[int | None, Field(ge=1, description="Requests, each retry counted.")] = None
    tokens: Annotated[
        int | None,
        Field(ge=1, description="Tokens read and written; where the endpoint reports none, the most it can be."),
    ] = None
    cost: Annotated[float | None, Field(gt=0.0, description="Money, in the unit of the prices.")] = None


class JudgePrices(Config):
    """Prices in any one currency."""

    per_million_read: Annotated[float, Field(ge=0.0, description="For a million tokens of questions.")]
    per_million_written: Annotated[float, Field(ge=0.0, description="For a million tokens of answers.")]


class JudgeRedaction(Config):
    """What is masked before a question leaves. Equal values get equal tags, so the judge can still compare them."""

    enabled: Annotated[bool, Field(description="Whether anything is masked.")] = True
    patterns: Annotated[
        tuple[Annotated[PatternName, _known(PatternName, "pattern")], ...],
        Field(description="What is masked wherever it stands: email, phone, card, id_number, key."),
    ] = tuple(PatternName)
    own_patterns: Annotated[
        Mapping[str, Annotated[str, AfterValidator(_is_re2)]],
        Field(description="RE2 patterns of your own, by the name that is put in place of a match."),
    ] = {}
    fields: Annotated[
        tuple[str, ...], Field(description="Fields of entries and arguments that are masked whole, and their echoes.")
    ] = _DEFAULTS.fields

    def as_settings(self) -> AuditSettings:
        """The same in the terms of the redactor."""
        return AuditSettings(
            content=ContentMode.REDACTED if self.enabled else ContentMode.FULL,
            patterns=self.patterns,
            own_patterns=self.own_patterns,
            fields=self.fields,
        )


class JudgeConfig(Config):
    """The third tier: a language model behind any endpoint that speaks the chat-completions protocol."""

    base_url: Annotated[
        str, AfterValidator(_is_endpoint), Field(description="Address of the endpoint, up to its version (`/v1`).")
    ] = "http://127.0.0.1:8000/v1"
    model: Annotated[str, Field(min_length=1, description="Name of the model.")] = "local"
    key_variable: Annotated[
        str | None,
        Field(min_length=1, description="Environment variable with the endpoint's key; `None` where it asks for none."),
    ] = None
    answer_format: Annotated[
        AnswerFormat,
        _known(AnswerFormat, "answer format"),
        Field(description="auto, json_schema, json_object or prompt: how the endpoint is held to the answer's form."),
    ] = AnswerFormat.AUTO
    language: Annotated[
        JudgeLanguage,
        _known(JudgeLanguage, "language"),
        Field(description="goal, en or zh: language of the instructions and of what the judge writes."),
    ] = JudgeLanguage.GOAL
    stream: Annotated[bool, Field(description="Whether the answer is read as it is written.")] = False
    temperature: Annotated[
        float | None, Field(ge=0.0, le=2.0, description="Sampling temperature; `None` where a model takes none.")
    ] = 0.0
    max_answer_tokens: Annotated[
        int, Field(ge=64, le=65_536, description="Longest answer in tokens, reasoning included; longer is a failure.")
    ] = 2048
    limit_field: Annotated[
        LimitField,
        _known(LimitField, "field"),
        Field(description="max_tokens or max_completion_tokens: what the endpoint calls the longest answer."),
    ] = LimitField.MAX_TOKENS
    max_entries: Annotated[
        int, Field(ge=2, le=128, description="Entries shown, chosen by graph as for the classifier.")
    ] = 24
    max_entry_chars: Annotated[
        int, Field(ge=200, le=100_000, description="An entry longer than this is shown by its start and end.")
    ] = 4000
    timeout_s: Annotated[
        float, Field(gt=0.0, le=600.0, description="Seconds for one question: waiting, retries and pauses included.")
    ] = 12.0
    retries: Annotated[
        int, Field(ge=0, le=10, description="Retries after 429, 500, 502, 503 and lost connections.")
    ] = 2
    first_pause_s: Annotated[
        float, Field(gt=0.0, le=60.0, description="Longest pause before the first retry; it doubles with each.")
    ] = 0.5
    max_concurrent: Annotated[int, Field(ge=1, le=256, description="Requests under way at the same time.")] = 4
    run_budget: Annotated[JudgeBudget, Field(description="What one guarded run may spend.")] = JudgeBudget()
    total_budget: Annotated[JudgeBudget, Field(description="What all runs of this judge may spend together.")] = (
        JudgeBudget()
    )
    prices: Annotated[JudgePrices | None, Field(description="Needed for a budget in money.")] = None
    redaction: Annotated[JudgeRedaction, Field(description="What is masked before a question leaves.")] = (
        JudgeRedaction()
    )

    @model_validator(mode="after")
    def _money_has_prices(self) -> Self:
        if self.prices is None and (self.run_budget.cost is not None or self.total_budget.cost is not None):
            raise ValueError("a budget has `cost`, but no `prices` are given; add prices, or limit calls or tokens")
        return self
