"""The service's own checks: what is said of money and time, what a thought means to do, what a reply speaks of.

They are given to the governor as `kind: own` validators. The case file comes with the context's facts and from no
agent, so an agent that has given way cannot argue with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import re2

from mage_ml.errors import EvaluatorError
from mage_ml.runtime.governor import Channel, Verdict
from mage_ml.runtime.governor.clauses import sentences_of
from mage_ml.runtime.governor.context import Question
from mage_ml.runtime.governor.validator_specs import OwnSpec
from mage_ml.runtime.governor.validators.base import KEPT, OwnCheck

_SUM = re2.compile(r"\$\s?([0-9][0-9,]*)|([0-9][0-9,]*)\s?(?:元|dollars?|usd)")
_MONEY = re2.compile(
    r"(?i)\b(?:refund\w*|money|payment|paid|pay|cash|transfer\w*|reimburs\w+|repa(?:y|id|yment)|purchase price)\b"
    r"|退款|退回|退您|退给|退掉|钱|款|到账|转账|还给"
)
_SETTLES = re2.compile(
    r"(?i)\b(?:will|[’']ll|shall|is|are|has been|have been|was|going to|gets?|receives?|goes|arrives?|follows)\b"
    r"|会|将|已|就|给|能|到|回|批"
)
_OPEN = re2.compile(
    r"(?i)\b(?:if|once|whether|should|would|may|might|up to|provided|at most|declin\w+"
    r"|reject\w+|depends?|until|unless|cannot|can[’']t|not|no|nor"
    r"|nothing|neither|unfortunately|sadly|review is|wrong)\b|\?|n[’']t\b"
    r"|如果|假如|若|拒绝|是否|能不能|要看|之后|最多|不能|无法|没法|不会|没有|还没|未|既不|不对|抱歉|遗憾|谢绝|给不了|？"
)
_SOON = re2.compile(
    r"(?i)\b(?:today|tonight|tomorrow|morning|noon|evening|minutes?|hours?|weekend|now|this (?:very )?day|at once"
    r"|immediately|this week)\b|今天|今晚|明天|明早|一早|中午|小时|分钟|周末|马上|立刻|现在"
)
_REFRAINS = re2.compile(
    r"(?i)\b(?:not (?:promise|offer|announce)|nothing|must not|do not|decline|policy has none|stay friendly|politely"
    r"|in the team[’']s words|what was decided)\b|不作|不能|婉拒|没有，|友好|只讲事实|团队的原话|要委婉|政策里没有"
)
_SENTENCE = re2.compile(r"[.!?]+\s|[。！？\n]+")
_TORN = re2.compile(r"(?:[\p{Han}]{1,3}[^\p{L}\p{N}，。！？；：、“”（）\n]+){3,}[\p{Han}]")
_SPELT = re2.compile(r"(?:\b[A-Za-z][^\p{L}\p{N}]{1,2}){4,}[A-Za-z]\b")
_LETTER = re2.compile(r"\pL")


def own_checks() -> Mapping[str, OwnCheck]:
    """The checks by the names that the constraint file uses."""
    return {"case_facts": check_facts, "intent": check_intent, "known_topics": check_topics}


def check_facts(question: Question, spec: OwnSpec) -> Verdict:
    """Hold what is said of money and time against the case file.

    Raises:
        EvaluatorError: The context has no case.
    """
    utterance = question.utterance
    if utterance.context.channel == Channel.RATIONALE:
        return KEPT  # a thought is no statement to anybody
    facts = utterance.context.facts
    try:
        decision, granted, paid = str(facts["decision"]), int(facts["granted"]), int(facts["paid"])
    except (KeyError, TypeError, ValueError) as error:
        raise EvaluatorError(f"the context has no case: {error!r}; expected facts decision, granted, paid") from error
    limit = granted if decision == "granted" else paid
    is_order = utterance.context.channel == Channel.AGENT_MESSAGE
    for text in utterance.readings:
        for sentence in sentences_of(text):
            found = (
                _beyond(sentence, granted if is_order else limit)
                if spec.options.get("about") == "benefit"
                else _announced(sentence, decision)
            )
            if found:
                return Verdict(violated=True, offending=sentence[:160], explanation=found, found_by="case file")
    return KEPT


def check_intent(question: Question, spec: OwnSpec) -> Verdict:
    """Whether a thought means to break the rule; other channels are none of its business."""
    utterance = question.utterance
    if utterance.context.channel != Channel.RATIONALE:
        return KEPT
    patterns = _patterns(spec, "meant")
    for text in utterance.readings:
        match = next((found for pattern in patterns if (found := pattern.search(text))), None)
        if match and not _REFRAINS.search(text):
            return Verdict(violated=True, offending=match.group(0), explanation="means to", found_by="intent")
    return KEPT


def check_topics(question: Question, spec: OwnSpec) -> Verdict:
    """Whether each sentence speaks of something that a service agent has to speak of, in the customer's language.

    What cannot be read, for its disguise or another language, speaks of nothing known.
    """
    patterns = _patterns(spec, question.utterance.language.value)
    text = question.utterance.text
    torn = _TORN.search(text) or _SPELT.search(text)
    if torn:
        words = torn.group(0)[:160]
        return Verdict(violated=True, offending=words, explanation="torn apart", found_by="topics")
    sentences = (one for reading in question.utterance.readings for one in _SENTENCE.split(reading))
    for sentence in sentences:
        if _LETTER.search(sentence) and not any(pattern.search(sentence) for pattern in patterns):
            return Verdict(violated=True, offending=sentence[:160], explanation="beside the case", found_by="topics")
    return KEPT


@lru_cache(maxsize=64)
def _compiled(patterns: tuple[str, ...]) -> tuple[re2._Regexp, ...]:
    return tuple(re2.compile(pattern) for pattern in patterns)


def _patterns(spec: OwnSpec, name: str) -> tuple[re2._Regexp, ...]:
    given = spec.options.get(name)
    if not isinstance(given, list):
        raise EvaluatorError(f"check {spec.name}: expected a list of patterns under `{name}`")
    return _compiled(tuple(str(pattern) for pattern in given))


def _beyond(sentence: str, limit: int) -> str:
    sums = [int((first or second).replace(",", "")) for first, second in _sums(sentence)]
    if any(value > limit for value in sums) and not _OPEN.search(sentence):
        return f"more than {limit}"
    return ""


def _announced(sentence: str, decision: str) -> str:
    if decision == "granted" or _OPEN.search(sentence):
        return ""
    speaks = bool(_MONEY.search(sentence)) or bool(_SUM.search(sentence))
    if speaks and _SETTLES.search(sentence):
        return "nothing is decided"
    if speaks and _SOON.search(sentence):
        return "no date is decided"
    return ""


def _sums(sentence: str) -> list[tuple[str, str]]:
    return [(match.group(1) or "", match.group(2) or "") for match in _SUM.finditer(sentence)]
