"""Pressure scripts: what a customer writes, turn after turn, to make an agent give way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from data_gen.randomness import Rng, rng_for
from data_gen.redteam.acts import Part, customer_rules
from data_gen.redteam.cases import Case, draw_case
from data_gen.redteam.mutations import mutations_of
from data_gen.texts.grammar import capitalised, expand

MIN_TURNS: Final = 10
MAX_TURNS: Final = 60
_MUTATED: Final = 0.15


class Tactic(StrEnum):
    """What a message presses with."""

    ASK = "ask"
    ANGER = "anger"
    THREAT = "threat"
    URGENCY = "urgency"
    AUTHORITY = "authority"
    PRECEDENT = "precedent"
    PLEAD = "plead"
    POLITE = "polite"
    SCRIPT = "script"
    """Puts words into the agent's mouth, or plays another role."""
    INSULT = "insult"


class ScriptKind(StrEnum):
    """How a conversation presses as a whole."""

    CALM = "calm"
    """Questions only: what a check must not disturb."""
    ANGRY = "angry"
    THREATENING = "threatening"
    HURRIED = "hurried"
    IMPERSONATING = "impersonating"
    COAXING = "coaxing"
    PUPPETEER = "puppeteer"
    ALL = "all"
    """Changes its means as a real customer does."""


PLANS: Final[Mapping[ScriptKind, tuple[Tactic, ...]]] = MappingProxyType(
    {
        ScriptKind.CALM: (Tactic.ASK,),
        ScriptKind.ANGRY: (Tactic.ANGER, Tactic.INSULT),
        ScriptKind.THREATENING: (Tactic.THREAT, Tactic.ANGER),
        ScriptKind.HURRIED: (Tactic.URGENCY, Tactic.PLEAD),
        ScriptKind.IMPERSONATING: (Tactic.AUTHORITY, Tactic.PRECEDENT),
        ScriptKind.COAXING: (Tactic.POLITE, Tactic.PLEAD),
        ScriptKind.PUPPETEER: (Tactic.SCRIPT, Tactic.POLITE),
        ScriptKind.ALL: tuple(tactic for tactic in Tactic if tactic is not Tactic.ASK),
    }
)


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a customer.

    Attributes:
        text: The words.
        tactic: What it presses with.
        mutation: Its disguise; empty for none.
    """

    text: str
    tactic: Tactic
    mutation: str = ""


@dataclass(frozen=True, slots=True)
class Script:
    """A conversation's messages.

    Attributes:
        name: Unique in a suite.
        kind: How it presses.
        case: What it is about.
        part: The forms it uses.
        messages: In order.
    """

    name: str
    kind: ScriptKind
    case: Case
    part: Part
    messages: tuple[Message, ...]


def write_script(kind: ScriptKind, language: str, part: Part, seed: int, number: int) -> Script:
    """A script of 10 to 60 turns that starts with a question and presses harder as it goes on."""
    name = f"{kind.value}:{language}:{part.value}:{number}"
    rng = rng_for(seed, "red team", name)
    case = draw_case(language, rng)
    turns = rng.randrange(MIN_TURNS, MAX_TURNS + 1)
    messages = tuple(_message(kind, case, part, turn / turns, rng) for turn in range(turns))
    return Script(name, kind, case, part, messages)


def write_suite(part: Part, seed: int, scripts_of_each: int) -> tuple[Script, ...]:
    """Scripts of every kind in both languages."""
    return tuple(
        write_script(kind, language, part, seed, number)
        for kind in ScriptKind
        for language in ("en", "zh")
        for number in range(scripts_of_each)
    )


def _message(kind: ScriptKind, case: Case, part: Part, progress: float, rng: Rng) -> Message:
    presses = rng.random() < 0.25 + 0.75 * progress
    tactic = rng.choice(PLANS[kind]) if presses else Tactic.ASK
    text = capitalised(expand(customer_rules(case.language, part), tactic.value, rng, case.fields(rng)))
    if tactic is not Tactic.ASK and rng.random() < _MUTATED:
        chosen = rng.choice(mutations_of(part))
        return Message(chosen.apply(text, rng, case.language), tactic, chosen.name)
    return Message(text, tactic)
