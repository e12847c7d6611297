"""How hard a conversation presses an agent to give way: length, mood, recent violations, and what the user says."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

import re2

from mage_ml.runtime.evaluators.normalise import normalised

_MAX_CHARS: Final = 4_000
_LATEST: Final = 6
_TURNS_SCALE: Final = 20.0
_VIOLATIONS_SCALE: Final = 2.0
_CUES_SCALE: Final = 1.5
_RAISED: Final = 0.3
_HIGH: Final = 0.6


class PressureLevel(StrEnum):
    """How hard, in three steps."""

    CALM = "calm"
    RAISED = "raised"
    HIGH = "high"


class PressureCue(StrEnum):
    """What in a user's words presses."""

    ANGER = "anger"
    THREAT = "threat"
    URGENCY = "urgency"
    AUTHORITY = "authority"
    PRECEDENT = "precedent"
    """Others got it; it was promised before."""
    PLEADING = "pleading"


_CUES: Final = MappingProxyType(
    {
        PressureCue.ANGER: re2.compile(
            r"(?i)\b(?:ridiculous|outrageous|unacceptable|useless|incompetent|fed up|furious|angry|terrible|worst|joke"
            r"|scam|liars?|disgusting|sick of)\b|!{2,}|荒唐|离谱|垃圾|骗子|气死|愤怒|忍无可忍|太差|差劲|无法接受"
            r"|恶心|！{2,}"
        ),
        PressureCue.THREAT: re2.compile(
            r"(?i)\b(?:lawyer|lawsuit|sue|court|legal action|chargeback|bad review|report you|complain(?:t|ts)?"
            r"|regulator"
            r"|social media|press|newspaper|consumer protection|or else)\b"
            r"|律师|起诉|法院|投诉|曝光|差评|媒体|消协|工商|报警|拒付|12315"
        ),
        PressureCue.URGENCY: re2.compile(
            r"(?i)\b(?:immediately|right now|urgent(?:ly)?|asap|at once|this minute|no time|hurry|deadline"
            r"|last chance|today or)\b|立刻|马上|立即|赶紧|紧急|尽快|现在就|没时间|最后一次"
        ),
        PressureCue.AUTHORITY: re2.compile(
            r"(?i)\b(?:i am (?:the |a |your )?(?:manager|ceo|admin(?:istrator)?|director|boss|supervisor|developer"
            r"|police|lawyer)|your (?:manager|boss|supervisor) (?:said|told|approved|agreed)|(?:has|have|was|were)"
            r" (?:already )?(?:authori[sz]ed|approved)|override|vip|head office|on behalf of)\b"
            r"|我是(?:经理|老板|主管|领导|管理员|警察|律师|总监)|你们(?:经理|领导|主管|老板)(?:说|答应|同意|批准)"
            r"|总部|特批|已经(?:批准|授权)"
        ),
        PressureCue.PRECEDENT: re2.compile(
            r"(?i)\b(?:last time|other (?:customers?|agents?|people|stores?)|everyone else|your colleague"
            r"|always (?:did|do"
            r"|got|get)|you (?:already )?promised|competitors?)\b|上次|别人都|其他(?:客户|客服|店)|你们同事|答应过"
            r"|承诺过|别家|一直都"
        ),
        PressureCue.PLEADING: re2.compile(
            r"(?i)\b(?:please,? please|begging|i beg|just this once|only this time|make an exception|exception"
            r"|no one will"
            r" know|nobody will know|between us|help me out|desperate)\b|求求|拜托|就这一次|破例|通融|例外|没人知道"
            r"|帮帮忙|网开一面"
        ),
    }
)


@dataclass(frozen=True, slots=True)
class Situation:
    """Where an agent stands when it is about to write.

    Attributes:
        agent_id: The agent.
        task: Its task, for scopes.
        turn: Number of the turn, from 1; 0 when unknown.
        sentiment: Of the user, -1.0 (angry) to 1.0 (content); 0.0 when unknown.
        user: The user's messages so far, the oldest first; the latest six are read.
        recent: Constraint id -> how often it was broken or vetoed lately in this conversation.
    """

    agent_id: str
    task: str = ""
    turn: int = 0
    sentiment: float = 0.0
    user: tuple[str, ...] = ()
    recent: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pressure:
    """How hard a conversation presses.

    Attributes:
        score: 0 to 1.
        cues: What was found in the user's words.
    """

    score: float
    cues: tuple[PressureCue, ...] = ()

    @property
    def level(self) -> PressureLevel:
        """The score in three steps."""
        if self.score >= _HIGH:
            return PressureLevel.HIGH
        return PressureLevel.RAISED if self.score >= _RAISED else PressureLevel.CALM


def pressure_of(situation: Situation) -> Pressure:
    """How hard a conversation presses: four signs, each of which can only add, combined as independent doubts.

    A sign alone reaches: length 0.35 (after dozens of turns), mood 0.5, recent violations 0.7, the user's words 0.6.
    """
    cues = cues_in(situation.user)
    parts = (
        0.35 * (1.0 - math.exp(-max(0, situation.turn - 1) / _TURNS_SCALE)),
        0.5 * min(1.0, max(0.0, -situation.sentiment)),
        0.7 * (1.0 - math.exp(-sum(max(0, count) for count in situation.recent.values()) / _VIOLATIONS_SCALE)),
        0.6 * (1.0 - math.exp(-len(cues) / _CUES_SCALE)),
    )
    calm = math.prod(1.0 - part for part in parts)
    return Pressure(1.0 - calm, cues)


def cues_in(user: tuple[str, ...]) -> tuple[PressureCue, ...]:
    """What presses in the latest six of a user's messages, in English and Chinese."""
    texts = [normalised(text[-_MAX_CHARS:]) for text in user[-_LATEST:]]
    return tuple(cue for cue, pattern in _CUES.items() if any(pattern.search(text) for text in texts))
