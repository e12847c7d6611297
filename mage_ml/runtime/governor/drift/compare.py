"""One sentence against one rule: what it makes of it, and whether it speaks of it at all.

A sentence keeps a rule only if everything in both is accounted for: the same figures on the same side, the same force,
the same names in the same order, the same deeds, and no word left over in either. Anything less is a change that can
be named, or else cannot be settled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from mage_ml.runtime.governor.drift.accepted import AcceptedRewordings
from mage_ml.runtime.governor.drift.reading import Bound, RuleReading
from mage_ml.runtime.governor.drift.verdicts import Aspect, Verdict
from mage_ml.runtime.governor.drift.words import SURNAMES, Mark

_SAME: Final = 1e-9
_SAME_TOPIC: Final = 0.6
_SOME_TOPIC: Final = 0.34
_FAINT_TOPIC: Final = 0.2
_MAX_REPLACED: Final = 6
_LOOSENED: Final = frozenset({Mark.SOFT, Mark.LIFTED, Mark.WIDE})
_COUNTED: Final = _LOOSENED | {Mark.NO_APPROVAL, Mark.NEGATED_TWICE}
_LOOSE: Final = frozenset({Mark.SOFT, Mark.LIFTED, Mark.WIDE, Mark.ALLOWED})


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a sentence makes of a rule.

    Attributes:
        verdict: What became of it; `DROPPED` when the sentence does not speak of it.
        aspect: What changed.
        how: What was found, as it follows "the text states it".
        closeness: How much of the rule the sentence holds, 0 to 1.
        is_rule: Whether the sentence itself says how something is to be done, however loosely.
        overrules: Whether it loosens the rule even where another sentence keeps it.
    """

    verdict: Verdict
    aspect: Aspect | None = None
    how: str = ""
    closeness: float = 0.0
    is_rule: bool = False
    overrules: bool = False


def compare(rule: RuleReading, said: RuleReading, accepted: AcceptedRewordings | None = None) -> Comparison:
    """Compare a sentence with a rule; a rewording that a person has accepted keeps it."""
    close = _closeness(rule, said)
    if rule.text and rule.text == said.text:
        if said.is_assertion:
            return Comparison(Verdict.PRESERVED, None, "in its own words", 1.0)
        return Comparison(Verdict.UNVERIFIABLE, Aspect.FORCE, "as a question, or struck out", 1.0)
    if accepted is not None and said.is_assertion and accepted.knows(rule, said):
        return Comparison(Verdict.PARAPHRASED, None, "in an accepted rewording", close)
    if not _speaks_of(rule, said, close):
        return Comparison(Verdict.DROPPED, closeness=close)
    for check in (_loosened, _rebound, _changed_value, _lost_force):
        found = check(rule, said)
        if found is not None:
            verdict, aspect, how = found
            against = check in (_loosened, _changed_value) and verdict is not Verdict.UNVERIFIABLE
            return Comparison(verdict, aspect, how, close, said.binds or bool(said.marks & _LOOSE), against)
    left = _left_over(rule, said)
    if not left and said.is_assertion:
        return Comparison(Verdict.PARAPHRASED, None, "in other words", close)
    how = f"in words that cannot be settled ({left})" if left else "as a question, or struck out"
    return Comparison(Verdict.UNVERIFIABLE, Aspect.TEXT, how, close, said.binds)


def is_near(rule: RuleReading, said: RuleReading) -> bool:
    """Whether a sentence may bear on a rule at all: a cheap test that spares most comparisons."""
    if not rule.topic.isdisjoint(said.topic) or rule.text == said.text:
        return True
    return bool(rule.limits) and bool(said.bounds) and _equal_figures(rule.limits, said.bounds)


_Change = tuple[Verdict, Aspect, str]


def _closeness(rule: RuleReading, said: RuleReading) -> float:
    return len(rule.topic & said.topic) / len(rule.topic) if rule.topic else 0.0


def _speaks_of(rule: RuleReading, said: RuleReading, close: float) -> bool:
    """Whether a sentence is about a rule: by its topic, or as it binds the same names or figures in the same way."""
    same_figures = bool(rule.limits and said.bounds) and _equal_figures(rule.limits, said.bounds)
    if close < _FAINT_TOPIC and not same_figures:
        return False
    others = _names_others(rule, said)
    if others and not _equal_bounds(rule.bounds, said.bounds):
        return False  # a rule for somebody else
    if close >= _SAME_TOPIC:
        return True
    loose = not said.marks.isdisjoint(_LOOSENED)
    like = said.binds and rule.force == said.force and [b.mark for b in rule.limits] == [b.mark for b in said.limits]
    if same_figures:
        return like or close >= _SOME_TOPIC
    if not rule.limits and (said.binds or loose) and not rule.names.isdisjoint(said.names):
        return True
    return like if others else close >= _SOME_TOPIC and (like or loose)


def _names_others(rule: RuleReading, said: RuleReading) -> bool:
    """Whether both name somebody or something, and nobody in common."""
    return bool(rule.names and said.names) and rule.names.isdisjoint(said.names)


def _loosened(rule: RuleReading, said: RuleReading) -> _Change | None:
    extra = said.marks - rule.marks
    if Mark.LIFTED in extra:
        return Verdict.WEAKENED, Aspect.FORCE, "as lifted or past"
    if Mark.ALLOWED in extra and rule.force & {Mark.APPROVAL, Mark.MUST}:
        return Verdict.WEAKENED, Aspect.FORCE, "as something that may be done"
    if Mark.SOFT in extra:
        return Verdict.WEAKENED, Aspect.FORCE, "as a wish, a habit or a rough figure"
    if Mark.WIDE in extra and (Mark.ONLY in rule.marks or Mark.NEVER not in rule.marks):
        return Verdict.WIDENED, Aspect.SCOPE, "for more cases"
    return None


def _rebound(rule: RuleReading, said: RuleReading) -> _Change | None:
    """Other names with the same force, or exactly one run of words replaced by another and all else as it was."""
    if rule.force != said.force or not _equal_bounds(rule.bounds, said.bounds):
        return None
    if _names_others(rule, said):
        old, new = (", ".join(sorted(reading.names)) for reading in (rule, said))
        return Verdict.MISBOUND, Aspect.SUBJECT, f"for {new!r} instead of {old!r}"
    if rule.deeds != said.deeds:
        return None
    match = SequenceMatcher(None, rule.content, said.content, autojunk=False)
    changes = [change for change in match.get_opcodes() if change[0] != "equal"]
    if len(changes) != 1 or changes[0][0] != "replace":
        return _in_other_order(rule, said)
    _, start, stop, begin, end = changes[0]
    if stop - start > _MAX_REPLACED or end - begin > _MAX_REPLACED or len(rule.content) == stop - start:
        return None
    old, new = _joined(rule.content[start:stop]), _joined(said.content[begin:end])
    named = _is_name(rule, rule.content[start:stop]) and _is_name(said, said.content[begin:end])
    verdict = Verdict.MISBOUND if named else Verdict.UNVERIFIABLE
    return verdict, Aspect.SUBJECT, f"with {new!r} in the place of {old!r}"


def _is_name(reading: RuleReading, words: tuple[str, ...]) -> bool:
    """Whether some words are a name by their form: a capital, a code, or two or three characters after a surname."""
    if all(not word.isascii() for word in words):
        return 2 <= len(words) <= 4 and words[0] in SURNAMES
    return any(word.split(" ")[-1] in reading.names for word in words)


def _in_other_order(rule: RuleReading, said: RuleReading) -> _Change | None:
    if rule.content == said.content or Counter(rule.content) != Counter(said.content):
        return None
    return Verdict.UNVERIFIABLE, Aspect.SUBJECT, "with its parts in another order"


def _changed_value(rule: RuleReading, said: RuleReading) -> _Change | None:
    if not rule.limits:
        same = _equal_figures(rule.bounds, said.bounds)
        return None if same else (Verdict.UNVERIFIABLE, Aspect.VALUE, "with other figures")
    if len(rule.limits) != len(said.limits):
        return None
    for old, new in zip(rule.limits, said.limits, strict=True):
        if {old.mark, new.mark} in ({Mark.AT_LEAST, Mark.ABOVE}, {Mark.AT_MOST, Mark.BELOW}):
            return Verdict.UNVERIFIABLE, Aspect.VALUE, f"as {new.mark.value!r} instead of {old.mark.value!r}"
        if old.mark is not new.mark:
            return Verdict.WEAKENED, Aspect.FORCE, f"as {new.mark.value!r} instead of {old.mark.value!r}"
        if old.unit != new.unit:
            return Verdict.UNVERIFIABLE, Aspect.VALUE, f"in {new.unit or 'no unit'} instead of {old.unit or 'no unit'}"
        if not _equal(old, new):
            looser = (new.number > old.number) == (old.mark in (Mark.AT_MOST, Mark.BELOW))
            said_so = f"with {new.number:,.10g} instead of {old.number:,.10g}"
            return (Verdict.WEAKENED if looser else Verdict.UNVERIFIABLE), Aspect.VALUE, said_so
    return None


def _lost_force(rule: RuleReading, said: RuleReading) -> _Change | None:
    if rule.limits and not said.limits:
        return Verdict.WEAKENED, Aspect.FORCE, "without its limit"
    if len(rule.limits) != len(said.limits):
        return Verdict.UNVERIFIABLE, Aspect.VALUE, "with another number of limits"
    missing = rule.force - said.force
    if Mark.ONLY in missing and said.force <= {Mark.ALLOWED}:
        return Verdict.WIDENED, Aspect.SCOPE, "without its restriction to one case"
    if missing and not said.force:
        named = " and ".join(sorted(mark.value for mark in missing))
        return Verdict.WEAKENED, Aspect.FORCE, f"without its {named!r}"
    if rule.force != said.force:
        return Verdict.UNVERIFIABLE, Aspect.FORCE, "with another kind of force"
    return None


def _left_over(rule: RuleReading, said: RuleReading) -> str:
    """What stands in one of the two and not in the other; empty when everything is accounted for."""
    if not rule.binds:
        return "the rule itself has no word that binds"
    missing, extra = Counter(rule.content) - Counter(said.content), Counter(said.content) - Counter(rule.content)
    lost, new = rule.deeds - said.deeds, said.deeds - rule.deeds
    parts = [
        f"{label} {', '.join(repr(word) for word in words)}"
        for label, words in (("without", (*missing, *sorted(lost))), ("new", (*extra, *sorted(new))))
        if words
    ]
    marks = (said.marks ^ rule.marks) & _COUNTED
    if marks:
        parts.append(f"marks {', '.join(sorted(mark.value for mark in marks))}")
    if not _equal_bounds(rule.bounds, said.bounds):
        parts.append("figures on another side")
    linked = dict(rule.links)
    changed = [word for word, link in sorted(said.links) if linked.get(word, link) != link]
    if changed:
        parts.append(f"another preposition before {', '.join(map(repr, changed))}")
    return "; ".join(parts)[:160]


def _equal(one: Bound, other: Bound) -> bool:
    return one.unit == other.unit and abs(one.number - other.number) <= _SAME * max(abs(one.number), 1.0)


def _equal_figures(wanted: Iterable[Bound], found: tuple[Bound, ...]) -> bool:
    return all(any(_equal(one, other) for other in found) for one in wanted)


def _equal_bounds(one: tuple[Bound, ...], other: tuple[Bound, ...]) -> bool:
    return len(one) == len(other) and all(a.mark is b.mark and _equal(a, b) for a, b in zip(one, other, strict=True))


def _joined(words: tuple[str, ...]) -> str:
    return ("" if all(not word.isascii() for word in words) else " ").join(words)
