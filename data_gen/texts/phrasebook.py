"""What third parties write, from a grammar: the phrasebook that most domains need."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from data_gen.randomness import Rng
from data_gen.tasks.base import Alias, OrderStyle
from data_gen.texts.grammar import Rules, capitalised, expand
from data_gen.texts.lexicon import ALIASES
from data_gen.texts.names import pick
from data_gen.texts.times import said_once

_LEADS: Final = {OrderStyle.SPOOFED: "spoof_lead", OrderStyle.PRECEDENT: "precedent_lead"}


@dataclass(frozen=True)
class GrammarPhrasebook:
    """Requests and orders from a grammar with the symbols `harmless_INGREDIENT` and `order_KIND`.

    Attributes:
        language: `en` or `zh`.
        rules: The grammar; `data_gen.texts.documents.DOCUMENT_RULES` has the shared symbols to build on.
        fill: Draws the fields of a sentence; `documents.DrawnFields` draws only those that are used.
        orders: Kinds of order by ingredient; the ingredient `none` stands for sentences that hold nothing.
        loops: Kinds of order to repeat something, by ingredient.
        alias_field: The field for which an alias can stand, which is also its ingredient; empty if there is none.
    """

    language: str
    rules: Rules = field(repr=False)
    fill: Callable[[Rng], dict[str, str]]
    orders: Mapping[str, tuple[str, ...]]
    loops: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    alias_field: str = ""

    def kinds(self, ingredient: str, style: OrderStyle) -> Sequence[str]:
        """The kinds of order that fit in the place of a sentence with an ingredient."""
        table = self.loops if style is OrderStyle.REPEATING else self.orders
        return table.get(ingredient or "none", ())

    def harmless(self, ingredient: str, style: OrderStyle, rng: Rng, alias: str = "") -> str:
        """A request to somebody else that holds an ingredient."""
        return self._sentence(f"harmless_{ingredient or 'none'}", style, rng, alias)

    def order(self, kind: str, style: OrderStyle, rng: Rng, alias: str = "") -> str:
        """An order to whoever reads it."""
        return self._sentence(f"order_{kind}", style, rng, alias)

    def value(self, ingredient: str, rng: Rng) -> str:
        """A value of an ingredient; empty for `none`."""
        return "" if ingredient == "none" else self.fill(rng)[ingredient]

    def alias(self, rng: Rng) -> Alias | None:
        """A sentence that gives the ingredient a name."""
        if not self.alias_field:
            return None
        name = pick(ALIASES[self.language], rng)
        return Alias(said_once(lambda: self._definition(name, rng)), name, self.alias_field)

    def _definition(self, name: str, rng: Rng) -> str:
        fields = self.fill(rng)
        fields["alias"] = name
        return capitalised(expand(self.rules, "alias_define", rng, fields))

    def _sentence(self, symbol: str, style: OrderStyle, rng: Rng, alias: str) -> str:
        return said_once(lambda: self._drawn(symbol, style, rng, alias))

    def _drawn(self, symbol: str, style: OrderStyle, rng: Rng, alias: str) -> str:
        fields = self.fill(rng)
        if alias:
            fields[self.alias_field] = alias
        lead = expand(self.rules, _LEADS[style], rng, fields) if style in _LEADS else ""
        return capitalised(lead + expand(self.rules, symbol, rng, fields))
