"""Writers: the same statement in different hands. Each has a register, number formats and a grammar a domain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from data_gen.randomness import Rng
from data_gen.statements import Statement
from data_gen.texts.amounts import AmountStyle, format_period, format_quantity
from data_gen.texts.grammar import Rules, capitalised, count_forms, expand

REGISTERS: Final = ("terse", "formal", "chatty", "bullet", "table")
_LOWER_CASE: Final = ("terse", "chatty", "table")
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
        name: Register and language (`en-terse`); the same five a language in every domain.
        language: `en` or `zh`.
        rules: The grammar of a domain in this register.
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
        return statement.worded(self, rng)

    def say(self, symbol: str, rng: Rng, **fields: str) -> str:
        """One expansion of a symbol; the first letter is raised where the register does so."""
        text = expand(self.rules, symbol, rng, fields)
        return text if self.name.endswith(_LOWER_CASE) else capitalised(text)

    def amount(self, value: float, unit: str, rng: Rng) -> str:
        """A quantity as this writer gives it: money in one of two styles, anything else with its unit."""
        return format_quantity(value, unit, self.amount_styles[int(rng.random() * len(self.amount_styles))])

    def period(self, period: str, rng: Rng) -> str:
        """A quarter in words."""
        return format_period(period, self.language, rng)

    def count_forms(self, symbol: str) -> int:
        """How many surface forms a symbol has, numbers and names apart."""
        return count_forms(self.rules, symbol)


def build_writers(grammars: Mapping[str, Mapping[str, Rules]]) -> Mapping[str, Writer]:
    """The writers of a domain.

    Args:
        grammars: By language, then by register; a register that is missing gets the rules of `terse`.

    Raises:
        KeyError: A language without `terse`.
    """
    found = {}
    for language, by_register in grammars.items():
        for register in REGISTERS:
            rules = by_register.get(register) or by_register["terse"]
            name = f"{language}-{register}"
            found[name] = Writer(name, language, rules, _STYLES[language][register])
    return MappingProxyType(found)


def writers_of(language: str) -> tuple[str, ...]:
    """Names of the writers of a language."""
    return tuple(f"{language}-{register}" for register in REGISTERS)
