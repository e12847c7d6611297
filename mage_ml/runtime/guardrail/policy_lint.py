"""What is allowed in a policy but probably not meant."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path

from mage_ml.errors import ConfigError
from mage_ml.memory import ActionType
from mage_ml.risk import RiskAxis
from mage_ml.runtime.guardrail.policy_file import PolicySource, parse_policy_source, policy_text
from mage_ml.runtime.guardrail.policy_matrix import tool_matches
from mage_ml.runtime.guardrail.policy_terms import DecisionAction, FailMode, Mode

_HARMLESS = (ActionType.INTERNAL_REASONING.value, ActionType.READ.value)


class Level(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    """The policy is refused."""
    WARNING = "warning"
    """It loads, but something in it has no effect or loosens more than it seems to."""


@dataclass(frozen=True, slots=True)
class LintFinding:
    """One finding about a policy.

    Attributes:
        level: How bad it is.
        text: One line, beginning with file and line.
    """

    level: Level
    text: str


def lint_policy(
    source: Path | str | None, *, tools: Sequence[str] = (), today: datetime.date | None = None
) -> tuple[LintFinding, ...]:
    """Check a policy: what `load_policy` refuses, and what it accepts although it is probably not meant.

    Args:
        source: File or preset.
        tools: Names of the tools that the agent has; without them no pattern is checked against them.
        today: Day on which exemptions are looked at; without it they are not.
    """
    try:
        text, name = policy_text(source)
        parsed = parse_policy_source(text, name)
    except ConfigError as error:
        return tuple(LintFinding(Level.ERROR, line) for line in str(error).splitlines())
    found = [*_rows(parsed), *_overrides(parsed, tools), *_tool_types(parsed, tools), *_rules(parsed, today)]
    return tuple(
        LintFinding(Level.WARNING, f"{name}:{line}: {message}") for line, message in sorted(found, key=lambda x: x[0])
    )


_Warnings = Iterator[tuple[int, str]]


def _rows(parsed: PolicySource) -> _Warnings:
    policy = parsed.policy
    if policy.mode is not Mode.ENFORCE:
        yield parsed.line("mode"), f"mode {policy.mode}: nothing is blocked"
    for name, row in policy.actions.items():
        consequential = name not in _HARMLESS
        if consequential and row.fail is FailMode.OPEN:
            text = f"{name} fails open: when a check or the audit log fails, the action goes ahead"
            yield parsed.line("actions", name, "fail"), text
        for axis in RiskAxis:
            ladder = getattr(row, axis.value)
            if consequential and not ladder:
                yield parsed.line("actions", name), f"{name} has no ladder for {axis}: no such risk ever stops it"
            if ladder and ladder[0].do is DecisionAction.PROCEED:
                text = f"the rung at {ladder[0].at:g} changes nothing: without it, it is proceed as well"
                yield parsed.line("actions", name, axis.value, 0), text
    for number, name in enumerate(policy.tiers.settle_quiet):
        if name not in _HARMLESS:
            yield parsed.line("tiers", "settle_quiet", number), f"quiet rules settle {name} without the classifier"


def _overrides(parsed: PolicySource, tools: Sequence[str]) -> _Warnings:
    earlier: list[str] = []
    for number, override in enumerate(parsed.policy.overrides):
        if all(getattr(override, axis.value) is None for axis in RiskAxis):
            yield parsed.line("overrides", number), "this override gives no ladder, so it changes nothing"
        for place, pattern in enumerate(override.tools):
            line = parsed.line("overrides", number, "tools", place)
            above = next((other for other in earlier if _covers(other, pattern)), None)
            if above is not None:
                yield (
                    line,
                    f"{pattern!r} is never reached: {above!r} of an earlier override comes first",
                )
            yield from _unmatched(pattern, tools, line)
        earlier += override.tools


def _tool_types(parsed: PolicySource, tools: Sequence[str]) -> _Warnings:
    types = parsed.policy.tools
    for kind in ("read", "write", "critical"):
        for place, pattern in enumerate(getattr(types, kind)):
            line = parsed.line("tools", kind, place)
            yield from _unmatched(pattern, tools, line)
            above = next((other for other in types.write if _covers(other, pattern)), None)
            if kind == "read" and above is not None:
                yield line, f"{pattern!r} has no effect: {above!r} under write wins"


def _rules(parsed: PolicySource, today: datetime.date | None) -> _Warnings:
    rules = parsed.policy.rules
    for name, setting in rules.rules.items():
        if not setting.enabled or setting.weight == 0.0:
            yield parsed.line("rules", "rules", name), f"rule {name} is switched off"
    for number, exemption in enumerate(getattr(rules, "exemptions", ())):
        if today is not None and exemption.expires < today:
            text = f"this exemption expired on {exemption.expires}; it has no effect any more"
            yield parsed.line("rules", "exemptions", number), text


def _unmatched(pattern: str, tools: Sequence[str], line: int) -> _Warnings:
    if tools and not any(tool_matches(tool, (pattern,)) for tool in tools):
        yield line, f"{pattern!r} matches none of the {len(tools)} tools given"


def _covers(wide: str, narrow: str) -> bool:
    """Whether one pattern matches all that another does; a wildcard of the narrow one counts as a character."""
    if "[" in wide or "[" in narrow:
        return wide == narrow
    return fnmatchcase(narrow.lower(), wide.lower()) and ("?" not in wide or "*" not in narrow)
