"""Looks at constraint files for what is valid and probably not meant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from mage_ml.errors import MageError
from mage_ml.runtime.governor.constraint import Constraint, Severity
from mage_ml.runtime.governor.constraint_file import ConstraintSource, load_constraints
from mage_ml.runtime.governor.context import GovernorContext, Question, Utterance
from mage_ml.runtime.governor.validators.build import Resources, build_validator

_SELF_CONTAINED = ("regex", "cel", "allow_list", "classifier")


class LintLevel(StrEnum):
    """How bad a remark is."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Remark:
    """One remark.

    Attributes:
        level: How bad it is.
        place: File and line.
        text: What was found, and what to do.
    """

    level: LintLevel
    place: str
    text: str


def lint_constraints(path: Path | str) -> list[Remark]:
    """Remarks about a constraint file; an error where it is refused."""
    try:
        source = load_constraints(path)
    except MageError as error:
        return [Remark(LintLevel.ERROR, "", line) for line in str(error).splitlines()]
    remarks = []
    for index, constraint in enumerate(source.constraints.constraints):
        for field, text in _remarks(constraint, source):
            place = f"{source.name}:{source.line('constraints', index, *((field,) if field else ()))}"
            remarks.append(Remark(LintLevel.WARNING, place, f"{constraint.id}: {text}"))
    if not source.constraints.constraints:
        remarks.append(Remark(LintLevel.WARNING, f"{source.name}:1", "no constraints: everything passes"))
    return remarks


def _remarks(constraint: Constraint, source: ConstraintSource) -> Iterator[tuple[str, str]]:
    for language in ("en", "zh"):
        if not getattr(constraint.text, language).strip():
            yield "text", f"no text in `{language}`; agents that work in it get the other language"
    if not constraint.state.active:
        yield "state", "switched off: it is not checked until it is switched on"
    if constraint.severity is Severity.BLOCK and constraint.remedy is None:
        yield "severity", "blocks without a `remedy`; an agent that is not told what is allowed tries other words"
    kinds = {example.allowed for example in constraint.examples}
    if kinds != {True, False}:
        wanted = ((True, "kept"), (False, "broken"))
        missing = " or ".join(word for kind, word in wanted if kind not in kinds)
        yield "examples", f"no example in which it is {missing}; `mage-ml constraints test` has nothing to go by"
    if constraint.validator.kind == "llm" and not constraint.triggers:
        yield "triggers", "asks an LLM about every output; add triggers"
    if constraint.fallback is not None and constraint.validator.kind in _SELF_CONTAINED:
        yield from _fallback_remarks(constraint, source)


def _fallback_remarks(constraint: Constraint, source: ConstraintSource) -> Iterator[tuple[str, str]]:
    try:
        validator = build_validator(constraint.validator, Resources(), source.folder)
    except MageError as error:
        yield "validator", str(error)
        return
    for text in (constraint.fallback.en, constraint.fallback.zh) if constraint.fallback is not None else ():
        if text:
            try:
                breaks = validator.check(Question(constraint, Utterance("", text, GovernorContext()))).violated
            except MageError:  # it needs facts that only a conversation has
                continue
            if breaks:
                yield "fallback", "the fallback breaks the constraint itself"
