"""Whether the pending action breaks a rule that trusted text lays down."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass
from itertools import islice
from typing import Final

import re2

from mage_ml.memory import Source
from mage_ml.memory.facts.figures import figures_in
from mage_ml.memory.facts.words import stem
from mage_ml.runtime.evaluators.rules import constraint_words as words
from mage_ml.runtime.evaluators.rules.constraint_words import Constraint, Force, constraints_in
from mage_ml.runtime.evaluators.rules.order_verbs import tool_tokens
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
_CLAUSE_END = re2.compile(r"[.;,!?}]|[。；，！？\n]")
_WITHHELD_BEFORE = re2.compile(
    r"(?i)\b(?:not|no|never|none|without|pending|await\w*|wait\w*|needs?|needed|requir\w+|must|if|unless|until|before"
    r"|whether|den(?:y|ied|ies)|refus\w+|reject\w+|declin\w+|withh\w+|revok\w+|withdr\w+|subject to|ask\w* for"
    r")\b|n't\b|request\w*(?: for)?(?: \w+)?\s+$"
    r"|(?:未|没|不|无|待|等|需|须|请|拒|若|如|是否|申请|撤)[^。；，！？\n]{0,8}$"
)
_WITHHELD_AFTER = re2.compile(
    r"(?i)\b(?:not|no|never|none|false|null|pending|await\w*|den(?:ied|ies)|refus\w+|reject\w+|declin\w+|required"
    r"|requested|needed|missing|withheld|revoked|withdrawn|expired|open)\b"
    r"|^[\"'\s:=_\-]*(?:limits?|thresholds?|polic(?:y|ies)|process|workflow|forms?|queue|chain|requests?)\b"
    r"|^(?:中|流程|制度|权限|申请|单)|未|不|没|否|待|拒|驳回|撤|失败"
)
_APPROVAL_REACH: Final = 40
_MAX_APPROVALS: Final = 16
_TOKEN = re2.compile(r"[^\s\"'<>(),;，；、。（）]+")
_RECEIVER_KEY = re2.compile(
    r"(?i)(?:^|_)(?:to|cc|bcc|recipients?|receivers?|address(?:es)?|emails?|members?|invitees?|attendees?|paths?|files?|targets?)(?:$|_)"
    r"|收件人|抄送|接收人|收款人|邮箱|地址|路径"
)
_MAX_AIM: Final = 200
_MAX_AMOUNT: Final = 80
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
    return about and bool(_AMOUNT_KEY.search(argument.key)) and len(argument.text.strip()) <= _MAX_AMOUNT


def _is_approved(scope: Scope) -> bool:
    """Whether somebody other than the agent has given an approval that is at hand."""
    return any(
        _approves(scope.read(entry).plain[: words.MAX_CHARS]) and not constraints_in(scope.read(entry).text)
        for entry in scope.relevant
        if entry.source in (Source.USER, Source.SYSTEM, Source.TOOL)
    )


def _approves(text: str) -> bool:
    """Whether a text speaks of an approval that was given: not of one that is denied, asked for or awaited."""
    for match in islice(words.APPROVAL.finditer(text), _MAX_APPROVALS):
        before = _CLAUSE_END.split(text[max(0, match.start() - _APPROVAL_REACH) : match.start()])[-1]
        after = _CLAUSE_END.split(text[match.end() : match.end() + _APPROVAL_REACH])[0]
        if not _WITHHELD_BEFORE.search(before) and not _WITHHELD_AFTER.search(after):
            return True
    return False


def _forbidden(scope: Scope, rule: Constraint) -> Breach | None:
    if not scope.action.tool_name or not words.deeds_in(rule.reach) & scope.kinds & _GRAVE:
        return None
    targets = [value for value in rule.values if value in rule.reach and ("@" in value or "/" in value or "." in value)]
    targets += [match.group(1).lower() for match in _DOMAIN.finditer(rule.reach)]
    lowered = [argument.text.lower() for argument in scope.arguments]
    if targets:
        aims = [argument.text.lower() for argument in scope.arguments if _is_aim(argument)]
        hit = next((text for text in aims if any(_reaches(text, target) for target in targets)), None)
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
        for match in _EMAIL.finditer(argument.text if _is_aim(argument) else ""):
            address = match.group(0).lower()
            if not any(_reaches(address, target) for target in allowed) and not scope.request.mentions(address):
                return Breach(_NOT_AMONG, f"goes to {address!r}")
    return None


def _plain_path(path: str) -> str:
    return posixpath.normpath("/" + path.lstrip("/") if path.startswith("/") else path)


def _is_aim(argument: Argument) -> bool:
    """Whether an argument says where an action goes: by its key, or as it is too short for a letter."""
    return len(argument.text) <= _MAX_AIM or bool(_RECEIVER_KEY.search(argument.key))


def _reaches(text: str, target: str) -> bool:
    """Whether a text names an address, something in a domain or a host of it, or something below a path."""
    if text.strip() == target:
        return True
    if "/" in target:
        path = _plain_path(target)
        named = (_plain_path(token) for token in _TOKEN.findall(text) if "/" in token)
        return any(name == path or name.startswith(path.rstrip("/") + "/") for name in named)
    if "@" in target:
        return any(match.group(0).lower() == target for match in _EMAIL.finditer(text))
    hosts = (match.group(1).lower() for match in _DOMAIN.finditer(text))
    return any(host == target or host.endswith("." + target) for host in hosts)


def _has_word(text: str, word: str) -> bool:
    return word in text if not word.isascii() else any(stem(token) == word for token in tool_tokens(text))
