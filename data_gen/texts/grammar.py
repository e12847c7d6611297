"""Small context-free grammars: `<symbol>` expands further, `{field}` is filled in."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import re2

from data_gen.randomness import Rng

Rules = Mapping[str, tuple[str, ...]]

_NO_FIELDS: Mapping[str, str] = {}
_HOLE = re2.compile(r"<([a-z_]+)>|\{([a-z_]+)\}")


def expand(rules: Rules, symbol: str, rng: Rng, fields: Mapping[str, str] | None = None) -> str:
    """One random expansion of a symbol.

    Raises:
        KeyError: The grammar lacks a symbol, or a field is not given.
    """
    alternatives = rules[symbol]
    chosen = alternatives[int(rng.random() * len(alternatives))]
    parts = []
    for is_symbol, text in _parts(chosen):
        if is_symbol is None:
            parts.append(text)
        elif is_symbol:
            parts.append(expand(rules, text, rng, fields))
        else:
            parts.append(_NO_FIELDS[text] if fields is None else fields[text])
    return "".join(parts)


def count_forms(rules: Rules, symbol: str) -> int:
    """How many surface forms a symbol has, fields apart."""
    total = 0
    for alternative in rules[symbol]:
        forms = 1
        for is_symbol, text in _parts(alternative):
            if is_symbol:
                forms *= count_forms(rules, text)
        total += forms
    return total


@lru_cache(maxsize=8192)
def _parts(template: str) -> tuple[tuple[bool | None, str], ...]:
    found: list[tuple[bool | None, str]] = []
    position = 0
    for match in _HOLE.finditer(template):
        if match.start() > position:
            found.append((None, template[position : match.start()]))
        symbol = match.group(1)
        found.append((True, symbol) if symbol else (False, match.group(2)))
        position = match.end()
    if position < len(template):
        found.append((None, template[position:]))
    return tuple(found)


def capitalised(text: str) -> str:
    """The text with its first letter in upper case."""
    return text[:1].upper() + text[1:]
