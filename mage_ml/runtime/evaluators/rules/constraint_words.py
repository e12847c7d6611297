"""Finds rules that a text lays down: must, never, only, at most, needs approval; in English and Chinese."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

import re2

from mage_ml.memory.facts import values_in
from mage_ml.memory.facts.figures import Figure, figures_in
from mage_ml.memory.facts.words import content_words
from mage_ml.runtime.evaluators.normalise import normalised
from mage_ml.runtime.evaluators.rules.order_verbs import kinds_named

MAX_CHARS: Final = 8_000
MAX_CONSTRAINTS: Final = 16
MAX_SENTENCES: Final = 64
_REACH: Final = 12
_OWN_TOPIC: Final = 2


class Force(StrEnum):
    """How a rule binds."""

    NEVER = "never"
    ONLY = "only"
    AT_MOST = "at most"
    APPROVAL = "needs approval"
    MUST = "must"


@dataclass(frozen=True, slots=True)
class Constraint:
    """One rule found in a text.

    Attributes:
        force: How it binds.
        text: The sentence, normalised, in lower case.
        words: What it is about: its content words without those of force.
        kinds: The deeds it names, as keys of the verb table.
        values: Addresses, links, codes and numbers in it.
        cap: The limit it sets, for `AT_MOST` and `APPROVAL`.
        counted: The noun after a limit without a unit (`at most 5 items`); empty otherwise.
        conditional: Whether it holds under a condition only (`unless`, `without approval`, `before`).
        subject: The agent or team it binds, where it names one.
        reach: The part of the sentence that its force is about: what follows `never`, or the clause with the limit.
    """

    force: Force
    text: str
    words: frozenset[str]
    kinds: frozenset[str]
    values: frozenset[str]
    cap: Figure | None = None
    counted: str = ""
    conditional: bool = False
    subject: str = ""
    reach: str = ""


NEGATIVE = re2.compile(
    r"(?i)\b(?:not|never|no|cannot|unable|ineligible|declined?|forbidden|prohibited|under no circumstances|refrain"
    r"|avoid)\b|n't\b|无法|未能"
    r"|不得|不准|不许|严禁|禁止|切勿|请勿|绝不|不可|不能|不允许|不要|不应|不必|无需|勿|别"
)
_NEVER = re2.compile(
    r"(?i)\b(?:must not|mustn't|may not|shall not|never|do not|don't|under no circumstances|(?:is|are) (?:not allowed"
    r"|forbidden|prohibited|not permitted))\b|不得|不准|不许|严禁|禁止|切勿|请勿|绝不|不可以|不能|不允许|不要"
)
_ONLY = re2.compile(r"(?i)\b(?:only|exclusively|solely|nobody but|no one but)\b|仅限|只能|只可|只允许|仅可|只准|仅能")
_AT_MOST = re2.compile(
    r"(?i)\b(?:at most|no more than|not more than|never more than|a maximum of|maximum(?: is)?|(?:not"
    r"|never) (?:\w+ ){1,2}more than|(?:not|never) (?:exceed|pay more than"
    r"|spend more than|be (?:above|over|more than))|capped at|(?:limit|cap|ceiling|budget)(?:ed)? (?:of|is|to|at)"
    r"|up to)\s*"
    r"|(?:最多|不得超过|不得高于|不超过|不能超过|不可超过|至多|不高于|(?:上限|限额|额度|封顶)(?:为|是|：|:)?)\s*"
)
_ABOVE = re2.compile(
    r"(?i)\b(?:above|over|more than|exceeding|beyond|greater than|larger than)\s*|(?:超过|高于|大于|超出)\s*"
)
_APPROVAL = re2.compile(
    r"(?i)\b(?:needs?|requires?|must (?:have|get)|only with|subject to|without|ask for|get"
    r"|with)\s+(?:\w+(?:'s)?\s+){0,3}?"
    r"(?:approval|sign-?off|authori[sz]ation|consent|permission)\b|\bmust be (?:approved|signed off|authori[sz]ed)\b"
    r"|(?:须|需|要|必须|应|应当|未)(?:先|事先)?(?:经|由|报|获得?|取得)?[\p{Han}]{0,8}(?:批准|审批|同意|授权|核准|签字)"
)
_MUST = re2.compile(r"(?i)\b(?:must|has to|have to|always|(?:is|are) required to|shall)\b|必须|务必|一定要|应当|须")
WEAK = re2.compile(
    r"(?i)\b(?:may|might|can|could|if possible|where possible|when convenient|if convenient|optional(?:ly)?|ideally"
    r"|prefer(?:ably|red)?|try (?:not )?to|should try|as far as possible|recommended|at (?:your|its) discretion"
    r"|not mandatory"
    r"|nice to have)\b|可以|可选|尽量|尽可能|视情况|如方便|建议|最好|酌情|不强制"
)
_MODAL = re2.compile(r"(?i)\b(?:may|might|can|could)\b|可以")
_ASKS = re2.compile(
    r"(?i)^\W*(?:(?:and|so|also|then|to proceed),? )?(?:(?:could|can|would|will|may|do|does|did|is|are|was|were|have"
    r"|has) (?:you|i|we|there|it|this|that|your|the)|what|which|who"
    r"|please (?:provide|share|tell|confirm|let me|specify|choose|select))\b"
    r"|\b(?:could|can|would) you (?:please )?\w+|吗$|呢$|^请问|请(?:您)?(?:提供|告知|告诉|确认|说明)"
)
ALLOWS = re2.compile(
    r"(?i)\b(?:may|can|could|should|must|allowed to|permitted to|free to|fine to|ok(?:ay)? to|please|any|also"
    r"|everyone|anyone"
    r"|no need|without (?:\w+ ){0,2}(?:approv\w+|asking|permission|consent|limits?|restrictions?|sign-?off"
    r"|authori[sz]\w+|checking)|not (?:needed|required|necessary))\b|可以|允许|可直接|无需|不必|不用|任何|任意|均可"
    r"|都可|必须|请|应"
)
STRONG = re2.compile(f"{_NEVER.pattern}|{_MUST.pattern.removeprefix('(?i)')}|{_ONLY.pattern.removeprefix('(?i)')}")
IS_ONLY = _ONLY
APPROVAL = re2.compile(
    r"(?i)\b(?:approv\w+|sign(?:ed)?[ -]?off|authori[sz]\w+|consent\w*|permission)\b|批准|审批|同意|授权|核准|签字"
)
RULE_LIST = re2.compile(
    r"(?i)\b(?:rules?|constraints?|limits?|restrictions?|guidelines|policy|requirements"
    r"|house rules)\b[^.:\n]{0,40}[:：]"
    r"|\b(?:hand-?over|handoff|delegat\w+|briefing|summary of (?:the )?(?:rules|instructions))\b[^.:\n]{0,40}[:：]"
    r"|(?:规则|约束|限制|要求|须知|交接|注意事项)[^。：\n]{0,12}[:：]"
)
_CONDITION = re2.compile(
    r"(?i)\b(?:unless|except|without|if|when|before|until|after|once|while|where|other than|in case)\b"
    r"|除非|未经|如果|若|如|之前|以前|之后|以外|除外|时|情况下"
)
_SUBJECT = re2.compile(
    r"(?i)^\W*(?:the |each |every |all )?((?:[a-z\-]+ ){0,2}(?:agent|team|assistant|bot|department|desk)s?) (?:must"
    r"|may|shall|should"
    r"|can|is|are|has|have|only|never|needs?)\b|^[^\p{Han}]{0,3}([\p{Han}]{1,6}(?:智能体|代理|助手|团队|部门|专员"
    r"|小组))(?:必须|不得|只能|应|须|可以"
    r"|禁止|最多|不能)"
)
_COUNTED = re2.compile(r"^\s*([A-Za-z]{3,})|^\s*(?:个|次|条|份|封|家|名|位|项)([\p{Han}]{0,3})")
_MARKS = re2.compile(r"[^\p{L}\p{N}\-\s]+")
_CLAUSE = re2.compile(r"(?i)[,;:](?:\s|$)|\s(?:and|but|while)\s|[，；：]|但是?|并且?")
_WORDS = re2.compile(r"[a-z\-]{2,}|[\p{Han}]{2}")
_FILLERS: Final = frozenset({"be", "first", "also", "then", "the", "always"})
_END = re2.compile(r"[.!?;](?:\s|$)|[。！？；\n]")
_FORCE_WORDS: Final = frozenset(
    [
        "must",
        "never",
        "only",
        "always",
        "allow",
        "forbidd",
        "prohibit",
        "requir",
        "need",
        "approval",
        "most",
        "more",
        "than",
        "maximum",
        "limit",
        "exceed",
        "shall",
        "under",
        "circumstanc",
        "not",
        "don't",
        "do",
        "permitt",
        "exclusively",
    ]
)


def sentences_of(text: str) -> tuple[tuple[int, int], ...]:
    """Start and end of the sentences in the first 8,000 characters of a text; at most 64."""
    found, start = [], 0
    limit = min(len(text), MAX_CHARS)
    for match in _END.finditer(text[:limit]):
        if match.start() > start:
            found.append((start, match.start()))
        start = match.end()
        if len(found) >= MAX_SENTENCES:
            return tuple(found)
    if start < limit:
        found.append((start, limit))
    return tuple(found)


def is_question(text: str, start: int, end: int) -> bool:
    """Whether the sentence between two places asks something: a question restates no rule."""
    return text[end : end + 1] in ("?", "？") or bool(_ASKS.search(text[start:end]))


def wishes(rule: Constraint, sentence: str) -> bool:
    """Whether a sentence makes a mere wish of a rule that says must.

    A bare `may` or `can` is found in many a sentence about the same things; it does so only with the deed of the rule.
    """
    if WEAK.search(_MODAL.sub(" ", sentence)):
        return True
    if not _MODAL.search(sentence):
        return False
    force = _MUST.search(rule.text)
    deed = [word for word in _WORDS.findall(rule.text[force.end() :]) if word not in _FILLERS] if force else []
    return bool(deed) and bool(content_words(deed[0]) & topic_of(sentence))


@lru_cache(maxsize=512)
def constraints_in(text: str) -> tuple[Constraint, ...]:
    """The rules that a text lays down, at most sixteen; results are kept for the latest 512 texts."""
    plain = normalised(text[:MAX_CHARS])
    found = (read_constraint(plain[start:end]) for start, end in sentences_of(plain))
    return tuple([item for item in found if item is not None][:MAX_CONSTRAINTS])


def read_constraint(sentence: str) -> Constraint | None:
    """The rule that a sentence lays down, or `None`."""
    force, cap, counted = _force(sentence)
    if force is None:
        return None
    subject = _SUBJECT.search(sentence)
    named = (subject.group(1) or subject.group(2) or "") if subject else ""
    return Constraint(
        force=force,
        text=sentence.lower().strip(),
        words=topic_of(sentence),
        kinds=deeds_in(sentence),
        values=values_in(sentence),
        cap=cap,
        counted=counted,
        conditional=bool(_CONDITION.search(sentence)),
        subject=named.lower().strip(),
        reach=_reach(sentence, force, cap).lower(),
    )


def deeds_in(text: str) -> frozenset[str]:
    """What a text speaks of doing, as keys of the verb table; marks beside a word change nothing."""
    return frozenset(kinds_named(_MARKS.sub(" ", text)))


def topic_of(sentence: str) -> frozenset[str]:
    """What a sentence is about: its content words without those of force."""
    return frozenset(word for word in content_words(sentence) if word not in _FORCE_WORDS)


def _reach(sentence: str, force: Force, cap: Figure | None) -> str:
    """What the force of a rule is about; in "mail A, but never B" that is B alone."""
    if force is Force.NEVER:
        negation = _NEVER.search(sentence)
        return sentence[negation.end() :] if negation is not None else sentence
    if cap is None:
        return sentence
    edges = [match.span() for match in _CLAUSE.finditer(sentence)]
    start = max((stop for _, stop in edges if stop <= cap.span[0]), default=0)
    end = min((begin for begin, _ in edges if begin >= cap.span[1]), default=len(sentence))
    clause = sentence[start:end]
    return clause if deeds_in(clause) or len(topic_of(clause)) >= _OWN_TOPIC else sentence


def _force(sentence: str) -> tuple[Force | None, Figure | None, str]:
    figures = figures_in(sentence)
    if figures and _APPROVAL.search(sentence):
        above = _figure_after((match.end() for match in _ABOVE.finditer(sentence)), figures)
        if above is not None:
            return Force.APPROVAL, above, _noun_after(sentence, above)
    if figures:
        cap = _figure_after((match.end() for match in _AT_MOST.finditer(sentence)), figures)
        if cap is not None:
            return Force.AT_MOST, cap, _noun_after(sentence, cap)
    for force, pattern in ((Force.NEVER, _NEVER), (Force.ONLY, _ONLY), (Force.MUST, _MUST)):
        if pattern.search(sentence):
            return force, None, ""
    return None, None, ""


def _figure_after(ends: Iterable[int], figures: tuple[Figure, ...]) -> Figure | None:
    """The first figure that stands right after one of these places."""
    for end in ends:
        near = [figure for figure in figures if 0 <= figure.span[0] - end <= _REACH]
        if near:
            return near[0]
    return None


def _noun_after(sentence: str, figure: Figure) -> str:
    if figure.unit and figure.unit != "unit":
        return ""
    match = _COUNTED.search(sentence[figure.span[1] :])
    return (match.group(1) or match.group(2) or "").lower() if match else ""
