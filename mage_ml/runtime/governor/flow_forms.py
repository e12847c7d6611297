"""The forms in which one confined value can leave: as it is, respaced, cut, encoded, or written in another way."""

from __future__ import annotations

import ast
import base64
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

import re2

from mage_ml.memory.facts.quantities import find_quantities
from mage_ml.runtime.evaluators.normalise import normalised


class LeakForm(StrEnum):
    """In which form a value was found."""

    EXACT = "exact"
    """As it is, in whatever case."""
    NORMALISED = "normalised"
    """With other spacing, separators or look-alike characters."""
    PARTIAL = "partial"
    """A part that identifies it: the last four digits, a telephone number without its prefix, a copied passage."""
    ENCODED = "encoded"
    """In base64, base32, hexadecimal, backwards, or inside such a text."""
    REFORMATTED = "reformatted"
    """A date, an amount or a list written in another way."""


MIN_CHARS: Final = 3
"""Shorter values occur in any text; they cannot be confined."""
_MIN_COMPACT: Final = 6
_MIN_TAIL_DIGITS: Final = 8
_MIN_NATIONAL: Final = 9
_MIN_AMOUNT: Final = 10_000.0
_PASSAGE_WORDS: Final = 5
_PASSAGE_HAN: Final = 12
_MAX_PASSAGES: Final = 400
_MAX_ITEMS: Final = 32
_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip

_DATE = re2.compile(r"^\s*([0-9]{4})[-/.年]([0-9]{1,2})[-/.月]([0-9]{1,2})日?\s*$")
_WORD = re2.compile(r"[A-Za-z0-9]+|[\p{Han}]")
_PHONE_TAIL = re2.compile(r"(?i)\s*(?:x|ext\.?|分机)\s*[0-9]+\s*$")
_TAIL_CUE: Final = (
    r"(?:ending(?: in| with)?|ends? (?:in|with)|last (?:four|4)(?: digits)?(?: (?:are|is|of [a-z ]{1,24}))?"
    r"|[xX*•·]{2,}[- ]?"
    r"|尾号(?:为|是)?|末四位(?:为|是)?|后四位(?:为|是)?|最后四位(?:为|是)?)\s*[:：]?\s*"
)


@dataclass(frozen=True, slots=True)
class ValueForms:
    """What to look for.

    Attributes:
        exact: The value in lower case, normalised; empty when it is too short.
        compact: Its letters and figures alone, in lower case; empty when that is too little to tell.
        encoded: The value in base64 and hexadecimal, and backwards.
        written: A date in other notations, in lower case.
        national: A telephone number's digits without country code and extension; empty for other values.
        tail: Pattern that finds its last four digits where they are named as such; `None` without enough digits.
        amount: The value as a number, where it is large enough to be told; `None` otherwise.
        passages: Runs of words of a long text, compact.
        items: The items of a list, compact.
    """

    exact: str
    compact: str
    encoded: tuple[str, ...]
    written: tuple[str, ...]
    national: str
    tail: str | None
    amount: float | None
    passages: frozenset[str]
    items: tuple[str, ...]

    @property
    def is_confinable(self) -> bool:
        """Whether the value is long enough to be looked for."""
        return bool(self.exact)


@lru_cache(maxsize=4096)
def forms_of(value: str) -> ValueForms:
    """The forms of a value; kept for the latest 4,096."""
    plain = " ".join(normalised(value).split())
    exact = plain.lower() if len(plain) >= MIN_CHARS or _is_name(plain) else ""
    compact = compacted(plain)
    digits = "".join(filter(str.isdigit, plain))
    date = _DATE.match(plain)
    return ValueForms(
        exact=exact,
        compact=compact if len(compact) >= _MIN_COMPACT else "",
        encoded=tuple(_encodings(plain)) if exact and len(plain) >= _MIN_COMPACT else (),
        written=_dates(date.group(1), date.group(2), date.group(3)) if date else (),
        national=_national(plain),
        tail=_tail(digits) if len(digits) >= _MIN_TAIL_DIGITS and not date else None,
        amount=_amount(plain),
        passages=_passages(plain),
        items=_items(plain),
    )


def compacted(text: str) -> str:
    """Letters and figures alone, in lower case."""
    return "".join(character for character in text.lower() if character.isalnum())


def _is_name(text: str) -> bool:
    """Two Chinese characters are a whole name."""
    return len(text) == 2 and all("一" <= character <= "鿿" for character in text)


def _encodings(plain: str) -> Iterator[str]:
    for form in dict.fromkeys((plain, plain.lower(), plain.upper())):
        raw = form.encode()
        yield base64.b64encode(raw).decode().rstrip("=")
        yield base64.urlsafe_b64encode(raw).decode().rstrip("=")
        yield base64.b32encode(raw).decode().rstrip("=")
        yield raw.hex()
        yield form[::-1]


def _dates(year: str, month: str, day: str) -> tuple[str, ...]:
    number, place = int(month), int(day)
    if not (1 <= number <= len(_MONTHS) and 1 <= place <= 31):
        return ()
    name = _MONTHS[number - 1]
    ordinal = "th" if 10 < place < 14 else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    found = [f"{year}年{number}月{place}日", f"{year}年{number:02d}月{place:02d}日"]
    for day_form in (str(place), f"{place:02d}", f"{place}{ordinal}"):
        for month_form in (name, name[:3], f"{name[:3]}."):
            found += [
                f"{month_form} {day_form}, {year}",
                f"{month_form} {day_form} {year}",
                f"{day_form} {month_form} {year}",
            ]
            found += [
                f"{day_form} {month_form}, {year}",
                f"{day_form} of {month_form} {year}",
                f"{day_form}-{month_form}-{year}",
            ]
    for mark in "/.-":
        for one, other in ((f"{number:02d}", f"{place:02d}"), (str(number), str(place))):
            found += [
                f"{one}{mark}{other}{mark}{year}",
                f"{other}{mark}{one}{mark}{year}",
                f"{year}{mark}{one}{mark}{other}",
            ]
    return tuple(dict.fromkeys(found))


def _national(plain: str) -> str:
    if (
        not plain
        or plain[0] not in "+0(123456789"
        or any(character.isalpha() for character in _PHONE_TAIL.sub("", plain))
    ):
        return ""
    body = _PHONE_TAIL.sub("", plain)
    digits = "".join(filter(str.isdigit, body))
    if body.startswith("+") and len(digits) > _MIN_NATIONAL:
        return digits[-10:]
    return digits if len(digits) >= _MIN_NATIONAL and body != plain else ""


def _tail(digits: str) -> str:
    return rf"(?i){_TAIL_CUE}{digits[-4:]}\b"


def _amount(plain: str) -> float | None:
    found = find_quantities(plain)
    if len(found) != 1 or found[0].span[1] - found[0].span[0] < len(plain) - 1:
        return None
    return found[0].number if abs(found[0].number) >= _MIN_AMOUNT else None


def _passages(plain: str) -> frozenset[str]:
    words = [match.group(0).lower() for match in _WORD.finditer(plain)]
    size = _PASSAGE_HAN if sum(not word.isascii() for word in words) > len(words) / 2 else _PASSAGE_WORDS
    if len(words) <= size:
        return frozenset()
    runs = ("".join(words[place : place + size]) for place in range(min(len(words) - size + 1, _MAX_PASSAGES)))
    return frozenset(run for run in runs if len(run) >= _MIN_COMPACT * 2)


def _items(plain: str) -> tuple[str, ...]:
    """The items of a list that is written out as one, such as `['a', 'b']`; empty for anything else."""
    if not plain.startswith("["):
        return ()
    try:
        found = ast.literal_eval(plain)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return ()
    items = [compacted(str(item)) for item in found] if isinstance(found, list) else []
    return tuple(items) if 2 <= len(items) <= _MAX_ITEMS and all(len(item) >= MIN_CHARS for item in items) else ()
