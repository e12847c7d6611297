"""Settings of the audit log, as a section of the policy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BeforeValidator, Field

from mage_ml.config import Config, nearest
from mage_ml.runtime.redaction.patterns import PatternName, refused

_SECRET_FIELDS: Final = (
    "password", "passwd", "pwd", "secret", "token", "api_key", "apikey", "access_key", "authorization",
    "密码", "口令", "密钥",
)  # fmt: skip


class ContentMode(StrEnum):
    """How much of the run's content is recorded."""

    FULL = "full"
    HASHED = "hashed"
    REDACTED = "redacted"


def _known(names: Sequence[str], what: str) -> Any:  # noqa: ANN401 - a pydantic validator
    def check(value: object) -> object:
        if isinstance(value, str) and value not in names:
            raise ValueError(f"unknown {what} {value!r}; {nearest(value, names)}")
        return value

    return BeforeValidator(check)


def _is_re2(pattern: str) -> str:
    problem = refused(pattern)
    if problem is not None:
        raise ValueError(f"not a usable RE2 pattern: {problem}")
    return pattern


_Shipped = Annotated[PatternName, _known([name.value for name in PatternName], "pattern")]


class AuditSettings(Config):
    """What is recorded of a run, and how."""

    content: Annotated[
        ContentMode,
        _known([mode.value for mode in ContentMode], "content mode"),
        Field(
            description="full: entries, arguments and messages as they are; hashed: keyed hashes instead; "
            "redacted: as they are, with personal data and keys masked."
        ),
    ] = ContentMode.FULL
    patterns: Annotated[
        tuple[_Shipped, ...], Field(description="What is masked when redacted: email, phone, card, id_number, key.")
    ] = tuple(PatternName)
    own_patterns: Annotated[
        Mapping[str, Annotated[str, AfterValidator(_is_re2)]],
        Field(description="RE2 patterns of your own, by the name that is put in place of a match."),
    ] = {}
    fields: Annotated[
        tuple[str, ...],
        Field(
            description="Fields of entries and arguments that are masked whole when redacted, and their echoes; also "
            "as the last words of a longer name, such as db_password."
        ),
    ] = _SECRET_FIELDS
    salt_variable: Annotated[
        str | None,
        Field(
            min_length=1,
            description="Environment variable with the key of the hashes; without one they are only comparable "
            "within one process.",
        ),
    ] = None
    durable: Annotated[
        bool, Field(description="Whether a decision waits until its record is on disk, safe from power failure.")
    ] = True
