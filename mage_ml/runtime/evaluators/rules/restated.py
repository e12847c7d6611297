"""Finds where a text says what the task is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import re2

from mage_ml.runtime.evaluators.normalise import normalised

MAX_CHARS: Final = 8_000
MAX_RESTATEMENTS: Final = 4
MAX_RESTATED: Final = 400
MIN_RESTATED: Final = 4

_RESTATES = re2.compile(
    r"(?i)\b(?:(?:my|our|the|current|original|actual|updated|user'?s) (?:current |overall |original |actual |updated "
    r"|real )?"
    r"(?:task|goal|objective|mission|request|assignment) (?:is(?: now)?|was|remains)(?: to|:)?"
    r"|(?:task|goal|objective|user goal|user request)\s*:"
    r"|the user (?:wants|wanted|asked|asks|requested|requests|needs|instructed|would like)(?: (?:us|me|you"
    r"|the agent))?(?: to| that)?"
    r"|(?:i was|we were|i am|we are) (?:asked|told|instructed|supposed) to)\s"
    r"|(?:任务|目标|用户的?(?:要求|需求|请求|目标|任务))(?:是|为|：|:|变为|改为)|用户(?:要求|希望|想要|让|请"
    r"|需要)(?:我们?|你)?"
)
_SENTENCE_END = re2.compile(r"[.!?;](?:\s|$)|[。！？；\n]")


@dataclass(frozen=True, slots=True)
class Restatement:
    """Where a text says what the task is.

    Attributes:
        text: What it says, normalised, up to the end of the sentence.
        span: Where that stands.
    """

    text: str
    span: tuple[int, int]


def restatements_in(text: str) -> tuple[Restatement, ...]:
    """Where a text says what the task is; at most four places in its first 8,000 characters."""
    found = []
    for match in _RESTATES.finditer(text[:MAX_CHARS]):
        start = match.end()
        stop = _SENTENCE_END.search(text[start : start + MAX_RESTATED])
        end = start + stop.start() if stop is not None else min(len(text), start + MAX_RESTATED)
        if end - start < MIN_RESTATED:
            continue
        found.append(Restatement(normalised(text[start:end]), (start, end)))
        if len(found) >= MAX_RESTATEMENTS:
            break
    return tuple(found)
