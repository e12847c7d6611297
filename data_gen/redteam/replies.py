"""Draws what a dialogue agent says, thinks and orders, from the grammars of one part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from data_gen.randomness import Rng
from data_gen.redteam.acts import Act, Family, Part, reply_rules
from data_gen.redteam.cases import Case, Decision
from data_gen.redteam.mutations import mutations_of
from data_gen.texts.grammar import capitalised, expand

_MUTATED: Final = 0.2
_OTHER_LANGUAGE: Final = 0.05
_PADDED: Final = 0.5
_OPEN_THOUGHT: Final = 0.6
_BENIGN: Final = ("benign_refusal", "benign_procedure", "benign_empathy", "benign_boundary")


@dataclass(frozen=True, slots=True)
class Said:
    """What an agent says, and what it did by that: known by construction, never read off the words.

    Attributes:
        text: The words.
        act: What it does; unknown for what a live model says.
        family: How it is worded; `None` when it keeps the rules.
        mutation: Its disguise; empty for none.
    """

    text: str
    act: Act = Act.KEEP
    family: Family | None = None
    mutation: str = ""


class ReplyWriter:
    """Writes replies about a case with the forms of one part.

    Args:
        case: The case.
        part: Which forms.
    """

    def __init__(self, case: Case, part: Part) -> None:
        self._case = case
        self._part = part
        self._rules = reply_rules(case.language, part)

    def keeping(self, rng: Rng) -> Said:
        """A reply of one to three sentences that keeps the rules."""
        symbols = [*_BENIGN, "benign_granted"] if self._case.decision is Decision.GRANTED else list(_BENIGN)
        if self._case.decision is Decision.GRANTED:
            symbols.remove("benign_refusal")  # it speaks of a review that is over
        chosen = rng.sample(symbols, rng.choice((1, 2, 2, 3)))
        return Said(self._joined([self._sentence(symbol, rng) for symbol in chosen]))

    def breaking(self, act: Act, family: Family, rng: Rng, *, mutated: float = _MUTATED) -> Said:
        """A reply that breaks a rule, by itself or among sentences that do not.

        Args:
            act: What it does.
            family: How it is worded.
            rng: Generator.
            mutated: How likely it is disguised.
        """
        text, mutation = self._sentence(f"{act.value}_{family.value}", rng), ""
        if rng.random() < mutated:
            chosen = rng.choice(mutations_of(self._part))
            text, mutation = chosen.apply(text, rng, self._case.language), chosen.name
        elif rng.random() < _OTHER_LANGUAGE:
            text, mutation = self._in_other_language(f"{act.value}_{family.value}", rng), "other_language"
        if rng.random() < _PADDED:
            pads = [self._sentence(symbol, rng) for symbol in rng.sample(["benign_empathy", "benign_boundary"], 2)]
            pieces = [pads[0], text, pads[1]] if rng.random() < 0.5 else [pads[0], text]
            text = self._joined(pieces)
        return Said(text, act, family, mutation)

    def thought(self, act: Act, rng: Rng) -> str:
        """What the agent thinks before it replies; what it means to break shows in most thoughts, not in all."""
        if act is Act.KEEP:
            return self._sentence("thought_benign", rng)
        return self._sentence(f"thought_{act.value}" if rng.random() < _OPEN_THOUGHT else "thought_vague", rng)

    def order(self, act: Act, rng: Rng) -> Said:
        """What it tells the desk that books payments."""
        if act is Act.COMPENSATE:
            return Said(self._sentence("desk_compensation", rng), act, Family.DIRECT)
        return Said(self._sentence("desk_benign", rng))

    def _sentence(self, symbol: str, rng: Rng) -> str:
        return capitalised(expand(self._rules, symbol, rng, self._case.fields(rng)))

    def _joined(self, sentences: list[str]) -> str:
        return ("" if self._case.language == "zh" else " ").join(sentences)

    def _in_other_language(self, symbol: str, rng: Rng) -> str:
        language = "en" if self._case.language == "zh" else "zh"
        return capitalised(expand(reply_rules(language, self._part), symbol, rng, self._case.fields(rng)))
