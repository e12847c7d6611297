"""Makes the validators that a constraint file asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from mage_ml.config import nearest
from mage_ml.errors import ConfigError, MageError
from mage_ml.runtime.evaluators.base import Evaluator
from mage_ml.runtime.governor.constraint_file import ConstraintSource
from mage_ml.runtime.governor.context import Question
from mage_ml.runtime.governor.validator_specs import (
    AllowListSpec,
    CelSpec,
    ClassifierSpec,
    EnsembleSpec,
    FlowSpec,
    JudgeSpec,
    KnowledgeSpec,
    OwnSpec,
    RegexSpec,
    ValidatorSpec,
)
from mage_ml.runtime.governor.validators.base import KEPT, OwnCheck, OwnChecks, Validator, Verdict
from mage_ml.runtime.governor.validators.classifier import ClassifierValidator
from mage_ml.runtime.governor.validators.judge import JudgeCall, JudgeValidator
from mage_ml.runtime.governor.validators.knowledge import FunctionKnowledge, HttpKnowledge, KnowledgeBase
from mage_ml.runtime.governor.validators.pattern import AllowListValidator, CelValidator, RegexValidator


@dataclass(frozen=True, slots=True)
class Resources:
    """What the host lends to validators.

    Attributes:
        knowledge: Knowledge bases by name, for `kind: knowledge`.
        judge: The LLM judge, for `kind: llm`; `None` for none.
        own: Validators of the host's own by name, for `kind: own`.
        environ: Where secrets are looked up; `None` for the process's environment.
    """

    knowledge: Mapping[str, KnowledgeBase] = field(default_factory=dict)
    judge: JudgeCall | Evaluator | None = None
    own: OwnChecks = field(default_factory=dict)
    environ: Mapping[str, str] | None = None


def build_validators(source: ConstraintSource, resources: Resources) -> dict[str, Validator]:
    """The validators of a constraint file, by id of the constraint.

    Raises:
        ConfigError: One line for each that cannot be made, with file and line: an unknown name, a missing judge, a
            model that cannot be opened.
    """
    built: dict[str, Validator] = {}
    problems = []
    for index, constraint in enumerate(source.constraints.constraints):
        try:
            built[constraint.id] = build_validator(constraint.validator, resources, source.folder)
        except MageError as error:
            place = f"{source.name}:{source.line('constraints', index, 'validator')}"
            problems.append(f"{place}: {constraint.id}: {error}")
    if problems:
        raise ConfigError("\n".join(problems))
    return built


def build_validator(spec: ValidatorSpec, resources: Resources, folder: Path) -> Validator:
    """One validator.

    Args:
        spec: What it is.
        resources: What the host lends.
        folder: Folder that paths are relative to.

    Raises:
        MageError: It cannot be made.
    """
    match spec:
        case RegexSpec():
            return RegexValidator(spec)
        case CelSpec():
            return CelValidator(spec)
        case AllowListSpec():
            return AllowListValidator(spec)
        case ClassifierSpec():
            return ClassifierValidator(spec, folder)
        case FlowSpec():
            from mage_ml.runtime.governor.flow import FlowValidator

            return FlowValidator(spec)
        case EnsembleSpec():
            return _EnsembleValidator([build_validator(part, resources, folder) for part in spec.of], spec.need)
    return _lent(spec, resources)


def _lent(spec: KnowledgeSpec | JudgeSpec | OwnSpec, resources: Resources) -> Validator:
    """A validator that asks something of the host's."""
    if isinstance(spec, OwnSpec):
        return _OwnValidator(spec, _named(spec.name, resources.own))
    if isinstance(spec, JudgeSpec):
        if resources.judge is None:
            raise ConfigError("kind llm needs a judge; give the governor one with Resources(judge=...)")
        return JudgeValidator(spec, resources.judge)
    if spec.url is not None:
        return HttpKnowledge(spec, resources.environ)
    return FunctionKnowledge(spec, resources.knowledge)


class _OwnValidator:
    """A function of the host's.

    Args:
        spec: Its name and options.
        check: The function.
    """

    def __init__(self, spec: OwnSpec, check: OwnCheck) -> None:
        self._spec = spec
        self._check = check

    def check(self, question: Question) -> Verdict:
        """Ask it."""
        return self._check(question, self._spec)


class _EnsembleValidator:
    """Several validators; broken where enough say so. One that fails counts as saying so.

    Args:
        parts: The validators.
        need: How many have to find a violation.
    """

    def __init__(self, parts: list[Validator], need: int) -> None:
        self._parts = parts
        self._need = need

    def check(self, question: Question) -> Verdict:
        """Ask them in order, until the answer is settled."""
        broken: list[Verdict] = []
        failures: list[Exception] = []
        for part in self._parts:
            try:
                verdict = part.check(question)
            except Exception as error:
                failures.append(error)
                continue
            if verdict.violated:
                broken.append(verdict)
                if len(broken) >= self._need:
                    return max(broken, key=lambda one: one.score)
        if len(broken) + len(failures) >= self._need:
            raise failures[0]
        return KEPT


def _named(name: str, known: OwnChecks) -> OwnCheck:
    if name not in known:
        hint = nearest(name, list(known)) if known else "the host registered none"
        raise ConfigError(f"unknown validator {name!r}; {hint}")
    return known[name]
