"""Writers: the same statement in different hands. Each has a register, number formats and a grammar."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from data_gen.randomness import Rng
from data_gen.statements import Level, Reason, Statement, Summary, Support, Verdict
from data_gen.texts import en, zh
from data_gen.texts.amounts import AmountStyle, format_amount, format_percent, format_period
from data_gen.texts.documents import capitalised
from data_gen.texts.grammar import Rules, count_forms, expand
from data_gen.texts.lexicon import METRICS, VERDICTS
from data_gen.texts.names import pick

_STYLES: Final[Mapping[str, Mapping[str, tuple[AmountStyle, ...]]]] = {
    "en": {
        "terse": (AmountStyle.THOUSANDS, AmountStyle.MILLIONS),
        "formal": (AmountStyle.CODE, AmountStyle.MILLIONS_WORD),
        "chatty": (AmountStyle.SYMBOL, AmountStyle.MILLIONS),
        "bullet": (AmountStyle.CODE, AmountStyle.MILLIONS_WORD),
        "table": (AmountStyle.CODE, AmountStyle.THOUSANDS),
    },
    "zh": {
        "terse": (AmountStyle.WAN, AmountStyle.PLAIN_ZH),
        "formal": (AmountStyle.WAN, AmountStyle.COMMAS_ZH),
        "chatty": (AmountStyle.WAN, AmountStyle.PLAIN_ZH),
        "bullet": (AmountStyle.WAN, AmountStyle.COMMAS_ZH),
        "table": (AmountStyle.WAN, AmountStyle.PLAIN_ZH),
    },
}


@dataclass(frozen=True)
class Writer:
    """Puts statements into words.

    Attributes:
        name: Unique, with the language (`en-terse`).
        language: `en` or `zh`.
        rules: The grammar.
        amount_styles: The ways this writer gives sums of money.
    """

    name: str
    language: str
    rules: Rules = field(repr=False)
    amount_styles: tuple[AmountStyle, ...]

    def word(self, statement: Statement, rng: Rng) -> str:
        """Word a statement.

        Raises:
            TypeError: A passage; its author is a third party.
        """
        match statement:
            case Level():
                return self._line(_level_symbol(statement), rng, self._level_fields(statement, rng))
            case Verdict():
                return self._verdict(statement, rng)
            case Reason():
                symbol = "reason" if statement.phrase else "reason_none"
                return self._line(symbol, rng, {"phrase": statement.phrase or "", "subject": statement.subject})
            case Support():
                symbol = "support_yes" if statement.independent else "support_no"
                return self._line(symbol, rng, self._key_fields(statement.key.entity, statement.key.period, rng))
            case Summary():
                return "\n".join(self.word(level, rng) for level in statement.levels)
        raise TypeError(f"a writer cannot word a {type(statement).__name__}: its author is a third party")

    def say(self, symbol: str, rng: Rng, **fields: str) -> str:
        """One of the writer's set phrases: plan, skim, checked, greeting, and so on."""
        return self._line(symbol, rng, fields)

    def period(self, period: str, rng: Rng) -> str:
        """A period in words."""
        return format_period(period, self.language, rng)

    def count_forms(self, symbol: str) -> int:
        """How many surface forms a symbol has, numbers and names apart."""
        return count_forms(self.rules, symbol)

    def _line(self, symbol: str, rng: Rng, fields: Mapping[str, str]) -> str:
        text = expand(self.rules, symbol, rng, fields)
        return capitalised(text) if not self.name.endswith(("terse", "chatty", "table")) else text

    def _key_fields(self, entity: str, period: str, rng: Rng) -> dict[str, str]:
        return {"entity": entity, "period": format_period(period, self.language, rng)}

    def _level_fields(self, level: Level, rng: Rng) -> dict[str, str]:
        return {
            **self._key_fields(level.key.entity, level.key.period, rng),
            "metric": pick(METRICS[self.language][level.key.metric], rng),
            "amount": self._amount(level.value, level.unit, rng),
        }

    def _verdict(self, verdict: Verdict, rng: Rng) -> str:
        words = VERDICTS[self.language][verdict.kind][verdict.direction]
        periods = [format_period(period, self.language, rng) for period in verdict.periods]
        percent = verdict.unit == "%"
        fields = {
            "subject": verdict.subject,
            "other": verdict.other,
            "metric": "sales" if self.language == "en" else "销售额",
            "word": words[int(rng.random() * len(words))],
            "figure": format_percent(verdict.figure) if percent else self._amount(verdict.figure, verdict.unit, rng),
            "a": periods[0],
            "b": periods[-1],
        }
        lead = expand(self.rules, "verdict_lead", rng)
        text = lead + expand(self.rules, verdict.kind.value, rng, fields)
        if not self.name.endswith("formal"):
            return text
        return capitalised(text) + ("." if self.language == "en" else "。")

    def _amount(self, value: float, unit: str, rng: Rng) -> str:
        return format_amount(value, unit, self.amount_styles[int(rng.random() * len(self.amount_styles))])


def _level_symbol(level: Level) -> str:
    if level.tentative:
        return "tentative"
    if level.revised:
        return "revised"
    return "settled" if level.settled else "level"


def _build() -> Mapping[str, Writer]:
    found = {}
    for language, grammars in (("en", en.WRITERS), ("zh", zh.WRITERS)):
        for register, rules in grammars.items():
            name = f"{language}-{register}"
            found[name] = Writer(name, language, rules, _STYLES[language][register])
    return MappingProxyType(found)


WRITERS: Final = _build()


def writers_of(language: str) -> tuple[str, ...]:
    """Names of the writers of a language."""
    return tuple(name for name, writer in WRITERS.items() if writer.language == language)
