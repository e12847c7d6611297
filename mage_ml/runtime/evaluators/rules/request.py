"""What the user asked for, as far as rules need it: words, values, names, and whether they hand over to somebody."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import re2

from mage_ml.memory.facts import values_in
from mage_ml.memory.facts.figures import Figure, figures_in
from mage_ml.memory.facts.lexicon import STOP_WORDS
from mage_ml.memory.facts.words import content_words
from mage_ml.runtime.evaluators.normalise import normalised
from mage_ml.runtime.evaluators.rules import order_words
from mage_ml.runtime.evaluators.rules.order_verbs import VERB_KIND

MAX_REQUEST_CHARS: Final = 8_000

_CAPITALISED = re2.compile(r"\b[A-Z][a-z]{2,}\b")
_NAMED_ZH = re2.compile(
    r"(?:发给|发送给|发送至|发到|转给|抄送给?|通知|联系|告知|给|向|与|请)([\p{Han}]{2,4})|([\p{Han}]{2,3})(?:的邮件|的邮箱|发来|给我发|让我|说|经理|总监|总)"
)
_DELEGATION = re2.compile(f"(?i){order_words.DELEGATION}")
_MODAL = re2.compile(rf"(?i)\b({'|'.join(order_words.VERBS_EN.values())})\b")
_ZH_KINDS = tuple((kind, re2.compile(group)) for kind, group in order_words.VERBS_ZH.items())
_NOT_NAMES: Final = frozenset(
    [
        "please",
        "could",
        "can",
        "would",
        "the",
        "this",
        "that",
        "then",
        "after",
        "before",
        "when",
        "also",
        "for",
        "from",
        "with",
        "and",
        "but",
        "send",
        "write",
        "check",
        "use",
        "report",
        "hello",
        "dear",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ]
)


@dataclass(frozen=True, slots=True)
class Request:
    """The user's own words, read once.

    Attributes:
        text: Normalised, in lower case.
        words: Content words.
        values: Identifying values.
        names: People, places and things named, in lower case.
        kinds: What it asks for, as keys of the verb table.
        delegates: Whether the user asks to do what somebody else's text says.
        figures: Numbers the user gave.
    """

    text: str
    words: frozenset[str]
    values: frozenset[str]
    names: frozenset[str]
    kinds: frozenset[str]
    delegates: bool
    figures: tuple[Figure, ...]

    def mentions(self, value: str) -> bool:
        """Whether the user wrote this value."""
        lowered = value.lower().strip()
        return lowered in self.values or (len(lowered) >= 2 and lowered in self.text)

    def names_in(self, text: str) -> frozenset[str]:
        """The names the user gave that occur in a text in lower case."""
        return frozenset(name for name in self.names if name in text)


@lru_cache(maxsize=256)
def read_request(text: str) -> Request:
    """Read the user's words; results are kept for the latest 256 requests."""
    plain = normalised(text[:MAX_REQUEST_CHARS])
    kinds = {VERB_KIND[match.group(1).lower()] for match in _MODAL.finditer(plain)}
    if not plain.isascii():
        kinds |= {kind for kind, pattern in _ZH_KINDS if pattern.search(plain)}
    return Request(
        text=plain.lower(),
        words=content_words(plain),
        values=frozenset(value.lower() for value in values_in(plain)),
        names=frozenset(_names(plain)),
        kinds=frozenset(kinds),
        delegates=bool(_DELEGATION.search(plain)),
        figures=figures_in(plain),
    )


def _names(text: str) -> set[str]:
    found = {match.group(0).lower() for match in _CAPITALISED.finditer(text)}
    found = {word for word in found if word not in _NOT_NAMES and word not in STOP_WORDS and word not in VERB_KIND}
    for match in _NAMED_ZH.finditer(text):
        name = match.group(1) or match.group(2)
        found.update(name[:size] for size in (2, 3) if len(name) >= size)
    return found
