"""Whether the pending action breaks a rule that trusted text lays down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import re2

from mage_ml.memory import Source
from mage_ml.runtime.evaluators.rules import constraint_words as words
from mage_ml.runtime.evaluators.rules.constraint_words import Constraint, Force, constraints_in
from mage_ml.runtime.evaluators.rules.figures import figures_in
from mage_ml.runtime.evaluators.rules.order_verbs import tool_tokens
from mage_ml.runtime.evaluators.rules.reading import stem
from mage_ml.runtime.evaluators.rules.scope import Argument, Scope

_OVER: Final = 1.0005
_GRAVE: Final = frozenset({"send", "pay", "delete", "grant"})
_CAP_BROKEN: Final = 0.86
_FORBIDDEN: Final = 0.86
_NOT_AMONG: Final = 0.78
_NO_APPROVAL: Final = 0.66
_AMOUNT_KEY = re2.compile(
    r"(?i)(?:^|_)(?:amount|sum|total|value|price|cost|refund|payment|budget|discount|fee|quantity|qty|count|limit)(?:$|_)"
    r"|金额|数额|总额|价格|数量|退款额|折扣"
)
_EMAIL = re2.compile(r"(?i)[a-z0-9._%+\-]+@[a-z0-9.\-]+\.[a-z]{2,}")
_DOMAIN = re2.compile(r"(?i)(?:^|[^a-z0-9._%+\-])@?((?:[a-z0-9\-]+\.)+[a-z]{2,})\b")
_ANYTHING: Final = frozenset(
    ["anyth", "everyth", "any", "all", "file", "mail", "email", "message", "data", "money", "agent", "user"]
)


@dataclass(frozen=True, slots=True)
class Breach:
    """How an action breaks a rule.

    Attributes:
        score: How grave it is, on the common scale.
        how: What the action does, as in `The action goes to ...`.
    """

    score: float
    how: str


def broken_by(scope: Scope, rule: Constraint) -> Breach | None:
    """How the action breaks a rule; `None` when it does not."""
    match rule.force:
        case Force.AT_MOST | Force.APPROVAL:
            over = _above_cap(scope, rule)
            if over is None:
                return None
            if rule.force is Force.AT_MOST:
                return Breach(_CAP_BROKEN, f"passes on {over!r}")
            return None if _is_approved(scope) else Breach(_NO_APPROVAL, f"passes on {over!r} without approval at hand")
        case Force.NEVER if not rule.conditional:
            return _forbidden(scope, rule)
        case Force.ONLY if not rule.conditional:
            return _not_among(scope, rule)
    return None


def _above_cap(scope: Scope, rule: Constraint) -> str | None:
    if rule.cap is None or not scope.action.tool_name:
        return None
    for argument in scope.arguments:
        if not _is_capped(scope, rule, argument):
            continue
        for figure in figures_in(argument.text)[:4]:
            comparable = not figure.unit or not rule.cap.unit or figure.unit == rule.cap.unit
            if comparable and figure.number > rule.cap.number * _OVER:
                return f"{argument.key} {argument.text}"[:60]
    return None


def _is_capped(scope: Scope, rule: Constraint, argument: Argument) -> bool:
    """Whether an argument is what a rule limits: its key says so, and the tool does what the rule is about."""
    key_words = {stem(token) for token in tool_tokens(argument.key)}
    if rule.counted and rule.counted.isascii():
        return stem(rule.counted) in key_words
    topic = words.topic_of(rule.reach)
    about = bool(words.deeds_in(rule.reach) & scope.kinds) or bool((scope.tool_words | key_words) & topic)
    return about and bool(_AMOUNT_KEY.search(argument.key)) and len(argument.text) <= 32


def _is_approved(scope: Scope) -> bool:
    """Whether somebody other than the agent has given an approval that is at hand."""
    return any(
        words.APPROVAL.search(scope.read(entry).plain[: words.MAX_CHARS]) and not constraints_in(scope.read(entry).text)
        for entry in scope.relevant
        if entry.source in (Source.USER, Source.SYSTEM, Source.TOOL)
    )


def _forbidden(scope: Scope, rule: Constraint) -> Breach | None:
    if not scope.action.tool_name or not words.deeds_in(rule.reach) & scope.kinds & _GRAVE:
        return None
    targets = [value for value in rule.values if value in rule.reach and ("@" in value or "/" in value or "." in value)]
    targets += [match.group(1).lower() for match in _DOMAIN.finditer(rule.reach)]
    lowered = [argument.text.lower() for argument in scope.arguments]
    if targets:
        hit = next((text for text in lowered if any(_ends_in(text, target) for target in targets)), None)
        return Breach(_FORBIDDEN, f"goes to {hit[:60]!r}") if hit else None
    objects = {word for word in words.topic_of(rule.reach) if word not in _ANYTHING and word not in scope.tool_words}
    objects -= {stem(token) for token in rule.kinds}
    named = [word for word in objects if any(_has_word(text, word) for text in lowered)]
    whole = not objects or (len(objects) == 1 and bool(objects & scope.kinds))
    if whole or (named and len(named) >= 0.5 * len(objects)):
        return Breach(_FORBIDDEN, f"calls {scope.action.tool_name!r}")
    return None


def _not_among(scope: Scope, rule: Constraint) -> Breach | None:
    """An address outside those that a rule allows as the only ones."""
    if not scope.action.tool_name or not rule.kinds & scope.kinds & {"send", "grant"}:
        return None
    allowed = {match.group(1).lower() for match in _DOMAIN.finditer(rule.text)}
    allowed |= {value for value in rule.values if "@" in value}
    if not allowed:
        return None
    for argument in scope.arguments:
        for match in _EMAIL.finditer(argument.text if len(argument.text) <= 200 else ""):
            address = match.group(0).lower()
            if not any(_ends_in(address, target) for target in allowed) and not scope.request.mentions(address):
                return Breach(_NOT_AMONG, f"goes to {address!r}")
    return None


def _ends_in(text: str, target: str) -> bool:
    return text == target or text.endswith(("@" + target, "." + target)) or f"{target} " in f"{text} "


def _has_word(text: str, word: str) -> bool:
    return word in text if not word.isascii() else any(stem(token) == word for token in tool_tokens(text))
