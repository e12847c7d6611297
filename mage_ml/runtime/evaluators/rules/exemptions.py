"""Exemptions: findings that somebody has looked at and allows, in a stated scope and until a stated day.

An exempted finding stays in the evidence, with score 0 and the reason, so that the decision and the audit show it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Annotated, Any, Final, Self

import re2
from pydantic import AfterValidator, Field, model_validator

from mage_ml.config import Config
from mage_ml.memory import MemoryEntry, Source
from mage_ml.risk import Evidence
from mage_ml.runtime.evaluators.rules.ids import EVERY_RULE, RulePattern
from mage_ml.runtime.evaluators.rules.scope import Scope

Today = Callable[[], date]
"""The day it is, for expiry."""

MAX_PATTERN_CHARS: Final = 1_000
MAX_TEXT_CHARS: Final = 20_000


def today_utc() -> date:
    """The day it is in UTC."""
    return datetime.now(UTC).date()


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> Any:  # noqa: ANN401 - re2 has no types
    options = re2.Options()
    options.log_errors = False
    return re2.compile(pattern, options)


def _is_pattern(pattern: str) -> str:
    try:
        _compiled(pattern)
    except re2.error as error:
        what = (
            error.args[0].decode("utf-8", "replace") if error.args and isinstance(error.args[0], bytes) else str(error)
        )
        raise ValueError(f"not a valid RE2 pattern: {what}; see https://github.com/google/re2/wiki/Syntax") from error
    return pattern


class ExemptionScope(Config):
    """Which findings an exemption is about. All that is given has to match; at least one has to be given."""

    tools: Annotated[
        tuple[str, ...], Field(description="Tools that the action calls; * and ? are wildcards, case does not matter.")
    ] = ()
    sources: Annotated[tuple[Source, ...], Field(description="Sources of the entry that the finding blames.")] = ()
    origins: Annotated[
        tuple[str, ...], Field(description="Origins of the entry that the finding blames; * and ? are wildcards.")
    ] = ()
    agents: Annotated[
        tuple[str, ...], Field(description="Agents: of the blamed entry, or of the action where no entry is blamed.")
    ] = ()
    text: Annotated[
        Annotated[str, AfterValidator(_is_pattern)] | None,
        Field(
            max_length=MAX_PATTERN_CHARS,
            description="RE2 pattern for the blamed words; for the whole entry, or the action, where none are named.",
        ),
    ] = None

    @model_validator(mode="after")
    def _is_bounded(self) -> Self:
        if not (self.tools or self.sources or self.origins or self.agents or self.text):
            raise ValueError(
                "an exemption without a scope would switch the rule off; name tools, sources, origins, agents or a "
                "text pattern, or set enabled: false for the rule"
            )
        return self


class Exemption(Config):
    """Findings that are allowed for a while."""

    rules: Annotated[tuple[RulePattern, ...], Field(min_length=1, description="Rule ids, or * for every rule.")]
    scope: Annotated[ExemptionScope, Field(description="Which findings of these rules.")]
    expires: Annotated[date, Field(description="Last day on which it holds (UTC), as 2026-12-31.")]
    reason: Annotated[str, Field(min_length=3, max_length=500, description="Why; shown with every exempted finding.")]
    author: Annotated[str, Field(max_length=200, description="Who decided it.")] = ""

    def is_expired(self, today: date) -> bool:
        """Whether its last day is over."""
        return today > self.expires

    def covers(self, scope: Scope, evidence: Evidence) -> bool:
        """Whether a finding is exempted, its expiry aside."""
        if EVERY_RULE not in self.rules and evidence.found_by not in self.rules:
            return False
        wanted, action = self.scope, scope.action
        if wanted.tools and not _matches(action.tool_name or "", wanted.tools):
            return False
        entry = _blamed(scope, evidence)
        if wanted.sources and (entry is None or entry.source not in wanted.sources):
            return False
        if wanted.origins and (entry is None or not _matches(entry.origin or "", wanted.origins)):
            return False
        if wanted.agents and not _matches(entry.agent_id if entry is not None else action.agent_id, wanted.agents):
            return False
        return wanted.text is None or bool(_compiled(wanted.text).search(_blamed_words(scope, entry, evidence)))


def exempted(evidence: Evidence, exemption: Exemption) -> Evidence:
    """The finding with score 0 and the exemption in its message."""
    by = f" by {exemption.author}" if exemption.author else ""
    note = (
        f"Exempted{by} until {exemption.expires.isoformat()}: {exemption.reason} (it would score {evidence.score:.2f})"
    )
    return evidence.model_copy(update={"score": 0.0, "message": f"{evidence.message} {note}".strip()})


def expired_exemptions(exemptions: Sequence[Exemption], today: date) -> dict[str, str]:
    """Exemptions that are over, by name as in coverage, each with one sentence; for coverage and for `policy lint`."""
    return {
        f"rules.exemptions.{number}": (
            f"expired on {item.expires.isoformat()} and is ignored ({', '.join(item.rules)}: {item.reason}); "
            "renew or remove it"
        )
        for number, item in enumerate(exemptions)
        if item.is_expired(today)
    }


def first_covering(exemptions: Iterable[Exemption], scope: Scope, evidence: Evidence) -> Exemption | None:
    """The first exemption in a list that covers a finding."""
    return next((item for item in exemptions if item.covers(scope, evidence)), None)


def _blamed(scope: Scope, evidence: Evidence) -> MemoryEntry | None:
    for name in evidence.entry_ids[:1]:
        if name in scope.snapshot:
            return scope.snapshot.entry(name)
    return None


def _blamed_words(scope: Scope, entry: MemoryEntry | None, evidence: Evidence) -> str:
    if entry is None:
        return scope.said[:MAX_TEXT_CHARS]
    return scope.read(entry).text[slice(*evidence.span)] if evidence.span else scope.read(entry).text[:MAX_TEXT_CHARS]


def _matches(name: str, patterns: Iterable[str]) -> bool:
    lowered = name.lower()
    return any(fnmatchcase(lowered, pattern.lower()) for pattern in patterns)
