"""What a constraint file may say about how a constraint is checked: one type for each kind of validator."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Final, Literal, Self
from urllib.parse import urlsplit

import re2
from pydantic import AfterValidator, BeforeValidator, Field, JsonValue, field_validator, model_validator

from mage_ml.config import Config, nearest
from mage_ml.runtime.governor.local_text import LocalText

MAX_CEL_CHARS: Final = 2000
"""Longer expressions are refused: the parser of the CEL library recurses, and a very long sum would end the process."""


def checked_pattern(pattern: str) -> str:
    """A pattern, if RE2 takes it.

    Raises:
        ValueError: It does not, or the pattern matches the empty text and would match everywhere.
    """
    try:
        compiled = re2.compile(pattern)
    except re2.error as error:
        reason = f"RE2 does not take {pattern!r}: {error}"
        raise ValueError(f"{reason}; it has no look-around and no back-references") from error
    if compiled.search(""):
        raise ValueError(f"{pattern!r} matches the empty text, so it would match everywhere")
    return pattern


Pattern = Annotated[str, Field(min_length=1, max_length=2000), AfterValidator(checked_pattern)]
Expression = Annotated[str, Field(min_length=1, max_length=MAX_CEL_CHARS)]


class Within(StrEnum):
    """How far an exception reaches."""

    CLAUSE = "clause"
    """To the next comma, "but" or full stop."""
    SENTENCE = "sentence"
    OUTPUT = "output"


class RegexSpec(Config):
    """Patterns that may not occur, or have to."""

    kind: Literal["regex"] = Field(description="Which kind of validator this is.")
    forbid: Annotated[tuple[Pattern, ...], Field(description="RE2 patterns that may not occur.")] = ()
    unless: Annotated[
        tuple[Pattern, ...], Field(description="A forbidden match is allowed where one of these matches beside it.")
    ] = ()
    within: Annotated[Within, Field(description="How near `unless` has to be: clause, sentence or output.")] = (
        Within.CLAUSE
    )
    require: Annotated[tuple[Pattern, ...], Field(description="RE2 patterns that all have to occur.")] = ()

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not (self.forbid or self.require):
            raise ValueError("expected patterns in `forbid` or in `require`")
        if self.unless and not self.forbid:
            raise ValueError("`unless` makes exceptions from `forbid`, which is empty")
        return self


class CelSpec(Config):
    """An expression that is true where the constraint is kept."""

    kind: Literal["cel"] = Field(description="Which kind of validator this is.")
    allow: Annotated[Expression, Field(description="CEL expression, true where the constraint is kept.")]


class AllowListSpec(Config):
    """Templates of known-safe answers; whatever fits none breaks the constraint."""

    kind: Literal["allow_list"] = Field(description="Which kind of validator this is.")
    templates: Annotated[
        tuple[Annotated[str, Field(min_length=1, max_length=2000)], ...],
        Field(
            min_length=1, description="Texts with slots: {name}, {name:number}, {name:date}, {name:word}, {name:text}."
        ),
    ]
    per: Annotated[Literal["sentence", "output"], Field(description="What has to fit a template.")] = "sentence"


class ClassifierSpec(Config):
    """A trained text classifier; see `mage-ml train --task constraint`."""

    kind: Literal["classifier"] = Field(description="Which kind of validator this is.")
    model: Annotated[str, Field(min_length=1, description="Folder of the model, relative to the constraint file.")]
    threshold: Annotated[
        float | None,
        Field(gt=0.0, lt=1.0, description="Score from which the constraint is broken; by default the model's own."),
    ] = None
    per: Annotated[Literal["sentence", "output"], Field(description="What is scored; the highest score counts.")] = (
        "sentence"
    )


class KnowledgeSpec(Config):
    """A knowledge base that is asked: a Python function of the host's, or an HTTP endpoint."""

    kind: Literal["knowledge"] = Field(description="Which kind of validator this is.")
    source: Annotated[str | None, Field(min_length=1, description="Name of a function that the host registered.")] = (
        None
    )
    url: Annotated[str | None, Field(description="HTTP endpoint that is posted the question as JSON.")] = None
    timeout_s: Annotated[float, Field(gt=0.0, le=30.0, description="Seconds to wait for the endpoint.")] = 2.0
    secret_env: Annotated[
        str | None, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", description="Environment variable with a bearer token.")
    ] = None
    options: Annotated[dict[str, JsonValue], Field(description="Passed on with each question.")] = Field(
        default_factory=dict
    )

    @field_validator("url")
    @classmethod
    def _is_http(cls, value: str | None) -> str | None:
        if value is None:
            return None
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("expected an address such as https://host/path")
        if parts.username is not None or parts.password is not None:
            raise ValueError("an address with a password in it; use secret_env")
        return value

    @model_validator(mode="after")
    def _asks_one(self) -> Self:
        if (self.source is None) == (self.url is None):
            raise ValueError("expected either `source` or `url`")
        return self


class JudgeSpec(Config):
    """A question to an LLM judge that the host provides."""

    kind: Literal["llm"] = Field(description="Which kind of validator this is.")
    question: Annotated[
        LocalText | None,
        Field(description="What the judge is asked; by default whether the constraint's text is kept."),
    ] = None
    threshold: Annotated[float, Field(gt=0.0, lt=1.0, description="Score from which the constraint is broken.")] = 0.5


class FlowSpec(Config):
    """Values that may not leave a channel; checked by the information-flow checker."""

    kind: Literal["flow"] = Field(description="Which kind of validator this is.")
    fields: Annotated[
        tuple[Annotated[str, Field(min_length=1)], ...],
        Field(
            min_length=1,
            description="Names of the fields whose values are confined; `*` at the end stands for any rest.",
        ),
    ]
    channels: Annotated[
        tuple[Annotated[str, Field(min_length=1)], ...],
        Field(description="Channels they may appear in; none when empty."),
    ] = ()
    recipients: Annotated[
        tuple[Annotated[str, Field(min_length=1)], ...], Field(description="Agents or addresses that may receive them.")
    ] = ()
    partial: Annotated[bool, Field(description="Whether parts that identify, such as the last four digits, count.")] = (
        True
    )


class OwnSpec(Config):
    """A validator of the host's own, registered by name."""

    kind: Literal["own"] = Field(description="Which kind of validator this is.")
    name: Annotated[str, Field(min_length=1, description="Name it is registered under.")]
    options: Annotated[dict[str, JsonValue], Field(description="Passed to it.")] = Field(default_factory=dict)


SimpleSpec = Annotated[
    RegexSpec | CelSpec | AllowListSpec | ClassifierSpec | KnowledgeSpec | JudgeSpec | FlowSpec | OwnSpec,
    Field(discriminator="kind"),
]


class EnsembleSpec(Config):
    """Several validators; the constraint is broken where enough of them say so. One that fails counts as saying so."""

    kind: Literal["ensemble"] = Field(description="Which kind of validator this is.")
    of: Annotated[tuple[SimpleSpec, ...], Field(min_length=2, description="The validators.")]
    need: Annotated[int, Field(ge=1, description="How many have to find a violation.")] = 1

    @model_validator(mode="after")
    def _can_be_reached(self) -> Self:
        if self.need > len(self.of):
            raise ValueError(f"`need` is {self.need}, but there are {len(self.of)} validators")
        return self


def _known(data: Any) -> Any:  # noqa: ANN401 - pydantic passes the raw input
    """Name a misspelt kind or field before the union does: it could only list what there is."""
    if not isinstance(data, Mapping):
        return data
    kind = data.get("kind")
    if not isinstance(kind, str):
        raise ValueError(f"expected `kind`, one of {', '.join(sorted(_KINDS))}")
    if kind not in _KINDS:
        raise ValueError(f"unknown kind {kind!r}; {nearest(kind, list(_KINDS))}")
    fields = _KINDS[kind].model_fields
    for name in data:
        if name not in fields:
            raise ValueError(f"unknown field {name!r} of kind {kind}; {nearest(str(name), list(fields))}")
    return data


_KINDS: Final[Mapping[str, type[Config]]] = {
    "regex": RegexSpec,
    "cel": CelSpec,
    "allow_list": AllowListSpec,
    "classifier": ClassifierSpec,
    "knowledge": KnowledgeSpec,
    "llm": JudgeSpec,
    "flow": FlowSpec,
    "own": OwnSpec,
    "ensemble": EnsembleSpec,
}
ValidatorSpec = Annotated[
    RegexSpec
    | CelSpec
    | AllowListSpec
    | ClassifierSpec
    | KnowledgeSpec
    | JudgeSpec
    | FlowSpec
    | OwnSpec
    | EnsembleSpec,
    Field(discriminator="kind"),
    BeforeValidator(_known),
]
