"""What a number or period stands for in its clause: a level, the level before, a change, or the base of comparison."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from mage_ml.memory.facts import lexicon
from mage_ml.memory.facts.clauses import Clause
from mage_ml.memory.facts.lexer import TokenKind
from mage_ml.memory.facts.lexicon import Cue

_MAX_TRAIL: Final = 40
_TRAILING: Final = frozenset({"", "in", "for", "of", "during", "at", "as of", "的", "在", "（", "("})
_APPROXIMATE: Final = frozenset(
    {
        "",
        "a",
        "the",
        "about",
        "around",
        "roughly",
        "nearly",
        "almost",
        "exactly",
        "only",
        "some",
        "approximately",
        "just",
    }
)
_SOFT_CUES: Final = frozenset({Cue.SKIP, Cue.HARD})
_FILLERS: Final = frozenset({"about", "only", "roughly", "的", "约", "大约", "仅", "只"})


class Change(NamedTuple):
    """The statement that something rose or fell, with the periods that it may be about."""

    action: str
    start: int
    end: int
    times: tuple[str, ...]


class Role(StrEnum):
    """What a number is to its attribute."""

    LEVEL = "level"
    PREVIOUS = "previous"
    DELTA = "delta"
    NONE = "none"


def change_in(clause: Clause) -> Change | None:
    """The change that a clause states; `None` when it states none, denies one, or states two."""
    changes = [
        (index, token)
        for index, token in enumerate(clause.tokens)
        if token.kind in (TokenKind.RISE, TokenKind.FALL) and _is_change(clause, index)
    ]
    if len({token.kind for _, token in changes}) != 1:
        return None
    index, token = changes[0]
    if index and clause.tokens[index - 1].name == Cue.NOT:
        return None
    times = tuple(
        period.name
        for place, period in enumerate(clause.tokens)
        if period.kind is TokenKind.PERIOD and not _is_base(clause, place)
    )
    return Change("rise" if token.kind is TokenKind.RISE else "fall", token.start, token.end, times)


def _is_change(clause: Clause, index: int) -> bool:
    """`up` and `down` speak of a change only beside a number: follow up, down payment."""
    token = clause.tokens[index]
    if token.name not in ("up", "down"):
        return True
    following = clause.tokens[index + 1] if index + 1 < len(clause.tokens) else None
    if following is None:
        return False
    tight = clause.gap_after(index).strip().lower() in _APPROXIMATE
    return tight and (following.kind is TokenKind.NUMBER or following.name in (Cue.FROM, Cue.BY))


def role_of(clause: Clause, index: int, change: Change | None) -> Role:
    """What a number is to the attribute that it belongs to."""
    if _counts_something_else(clause, index):
        return Role.NONE
    lead = index - 1
    while lead >= 0 and (clause.tokens[lead].name in _FILLERS or clause.tokens[lead].name in _SOFT_CUES):
        lead -= 1
    if lead < 0:
        return Role.LEVEL
    token = clause.tokens[lead]
    gap = clause.text[token.end : clause.tokens[index].start].strip().lower()
    tight = gap in _APPROXIMATE or gap in _FILLERS or lead < index - 1
    if token.kind in (TokenKind.RISE, TokenKind.FALL):
        reaches = token.name.endswith((" to", "至", "到"))
        return Role.LEVEL if reaches or change is None else Role.DELTA
    if token.kind is TokenKind.PERIOD and _is_base(clause, lead):
        return Role.PREVIOUS
    if not tight:
        return Role.LEVEL
    if token.name in (Cue.NOT, Cue.BOUND):
        return Role.NONE
    if token.name in (Cue.FROM, Cue.COMPARE):
        return Role.PREVIOUS
    return Role.DELTA if token.name == Cue.BY and change is not None else Role.LEVEL


def _counts_something_else(clause: Clause, index: int) -> bool:
    """`4.5 out of 5`, `500 or more`, `2 nights`: not a value of the attribute."""
    token = clause.tokens[index]
    gap = clause.gap_after(index)
    following = clause.tokens[index + 1] if index + 1 < len(clause.tokens) else None
    if following is not None and following.name == Cue.BOUND_AFTER and not gap.strip():
        return True
    after_number = index > 0 and clause.tokens[index - 1].kind is TokenKind.NUMBER
    if after_number and clause.gap_before(index).strip().lower() in ("of", "out of"):
        return True
    if token.unit or not token.name.replace(".", "").isdigit() or not gap.startswith(" "):
        return False
    word = gap.split(maxsplit=1)[0].strip(".'\"*").lower() if gap.strip() else ""
    return word.isalpha() and word.isascii() and word not in lexicon.HARD_WORDS and word not in lexicon.SKIP_WORDS


def trailing_period(clause: Clause, index: int) -> int | None:
    """The period directly behind a number: `120k in Q2`."""
    following = index + 1
    if following < len(clause.tokens) and clause.tokens[following].kind is TokenKind.PAREN:
        following += 1
    if following >= len(clause.tokens) or clause.tokens[following].kind is not TokenKind.PERIOD:
        return None
    gap = clause.text[clause.tokens[index].end : clause.tokens[following].start]
    return following if len(gap) < _MAX_TRAIL and gap.strip(" (（").lower() in _TRAILING else None


def period_for(clause: Clause, index: int, claimed: dict[int, int | None], role: Role) -> int | None:
    """The period of a number that none follows directly: the last one before it, otherwise the first after it.

    A value before a change takes what it is compared with; every other value never does.
    """
    free = [
        place
        for place, token in enumerate(clause.tokens)
        if token.kind is TokenKind.PERIOD and place not in claimed.values()
    ]
    if role is Role.PREVIOUS:
        base = [place for place in free if place < index and _is_base(clause, place)]
        return base[-1] if base else None
    own = [place for place in free if not _is_base(clause, place)]
    before = [place for place in own if place < index]
    return before[-1] if before else own[0] if own else None


def _is_base(clause: Clause, place: int) -> bool:
    """Whether a period is what something is compared with: over Q1, from last quarter, 较上季度."""
    if place == 0:
        return False
    before = clause.tokens[place - 1]
    gap = clause.gap_before(place).strip().lower()
    return gap in _APPROXIMATE and (
        before.name in (Cue.COMPARE, Cue.FROM) or clause.text[before.start : before.end] == "over"
    )
