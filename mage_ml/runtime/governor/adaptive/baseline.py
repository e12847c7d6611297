"""Allow-list baselines: templates of answers that are known to be safe, drawn from accepted ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import re2

from mage_ml.errors import ConfigError
from mage_ml.runtime.governor.clauses import sentences_of
from mage_ml.runtime.governor.constraint import Constraint, ConstraintState, Scope, Severity
from mage_ml.runtime.governor.local_text import LocalText
from mage_ml.runtime.governor.templates import Template
from mage_ml.runtime.governor.validator_specs import AllowListSpec

_DATE = re2.compile(r"[0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{4}年[0-9]{1,2}月[0-9]{1,2}日")
_NUMBER = re2.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?%?")
_BRACES = re2.compile(r"[{}]")
_MAX_TEMPLATES: Final = 500


def templates_from(accepted: Iterable[str], *, least: int = 2, max_templates: int = _MAX_TEMPLATES) -> tuple[str, ...]:
    """Templates of the sentences that were accepted more than once, the most frequent first.

    Dates and numbers become slots and nothing else does: a slot for names or free text would let through what nobody
    has accepted. A number as such is not checked by an allow-list; add a constraint for amounts.

    Args:
        accepted: Outputs that people accepted.
        least: How often a sentence has to occur.
        max_templates: The most that are made.
    """
    counted: Counter[str] = Counter()
    for output in accepted:
        counted.update({_generalised(sentence) for sentence in sentences_of(output)})
    found = [
        text
        for text, count in sorted(counted.items(), key=lambda pair: (-pair[1], pair[0]))
        if count >= least and _is_template(text)
    ]
    return tuple(found[:max_templates])


def allow_list(
    templates: Sequence[str], *, constraint_id: str = "known_safe_answers", scope: Scope | None = None
) -> Constraint:
    """A constraint that lets only known-safe answers pass; proposed, so it is switched off until somebody accepts it.

    Args:
        templates: The templates.
        constraint_id: Its id.
        scope: Where it would hold.

    Raises:
        ConfigError: There are no templates.
    """
    if not templates:
        raise ConfigError("no templates: no sentence was accepted often enough; lower `least`, or give more outputs")
    return Constraint(
        id=constraint_id,
        text=LocalText(en="Say only what is known to be safe.", zh="只说已知安全的内容。"),
        remedy=LocalText(en="use one of the known answers", zh="使用已知的答复之一"),
        scope=scope or Scope(),
        validator=AllowListSpec(kind="allow_list", templates=tuple(templates), per="sentence"),
        severity=Severity.BLOCK,
        state=ConstraintState(active=False),
    )


def _generalised(sentence: str) -> str:
    text = " ".join(_BRACES.sub("", sentence).split())
    parts, last, slots = [], 0, 0
    for match in _DATE.finditer(text):
        before, slots = _numbered(text[last : match.start()], slots)
        parts += [before, f"{{d{slots}:date}}"]
        slots, last = slots + 1, match.end()
    rest, _ = _numbered(text[last:], slots)
    return "".join((*parts, rest))


def _numbered(text: str, slots: int) -> tuple[str, int]:
    parts, last = [], 0
    for match in _NUMBER.finditer(text):
        parts += [text[last : match.start()], f"{{n{slots}:number}}"]
        slots, last = slots + 1, match.end()
    return "".join((*parts, text[last:])), slots


def _is_template(text: str) -> bool:
    try:
        Template(text)
    except ConfigError:  # slots alone
        return False
    return len(text) <= 2000
