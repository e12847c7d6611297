"""Reads constraints from YAML; every mistake is named with file, line and the nearest valid name."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from mage_ml.config import MAX_YAML_CHARS, build_config, dump_config, nearest, parse_yaml
from mage_ml.errors import ConfigError
from mage_ml.runtime.governor.constraint import ConstraintSet
from mage_ml.runtime.governor.expressions import Expression, expressions_of
from mage_ml.runtime.governor.templates import Template
from mage_ml.runtime.governor.validator_specs import AllowListSpec, EnsembleSpec, ValidatorSpec

Path_ = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Mistake:
    """Something in a constraint set that fits no constraint set, although each field by itself is valid.

    Attributes:
        path: Where, as field names and positions.
        message: What was found, and what was expected.
    """

    path: Path_
    message: str


@dataclass(frozen=True, slots=True)
class ConstraintSource:
    """Constraints and where their parts stand.

    Attributes:
        constraints: The constraints.
        name: The file, for messages.
        folder: Folder that paths in the file are relative to.
        lines: Path of a field -> its line, from 1.
        text: The YAML text.
    """

    constraints: ConstraintSet
    name: str
    folder: Path
    lines: Mapping[Path_, int]
    text: str

    @property
    def digest(self) -> str:
        """SHA-256 of the text, to tell versions apart."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def line(self, *path: str | int) -> int:
        """The line of a field, or of the nearest one around it that is in the file."""
        return _line(self.lines, path)


def load_constraints(path: Path | str) -> ConstraintSource:
    """Read a constraint file.

    Raises:
        ConfigError: One line per mistake, each with file, line and the nearest valid name.
        MissingExtraError: The file has CEL expressions, and their library is not installed.
    """
    place = Path(path)
    try:
        with place.open("rb") as file:  # a bound on what is read, too: the parser refuses what is longer
            text = file.read(4 * MAX_YAML_CHARS + 4).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from error
    return parse_constraints(text, str(path), folder=place.parent)


def parse_constraints(text: str, name: str, *, folder: Path | None = None) -> ConstraintSource:
    """Read constraints from YAML text; see `load_constraints`.

    Args:
        text: The YAML.
        name: Stands for the file in messages.
        folder: Folder that paths in it are relative to; by default the working folder.
    """
    data, lines = parse_yaml(text, name)
    constraints = build_config(ConstraintSet, data, lines, name)
    mistakes = [f"{name}:{_line(lines, found.path)}: {found.message}" for found in mistakes_in(constraints)]
    if mistakes:
        raise ConfigError("\n".join(mistakes))
    return ConstraintSource(constraints, name, folder or Path(), lines, text)


def as_source(constraints: ConstraintSet | ConstraintSource, *, folder: Path | None = None) -> ConstraintSource:
    """Constraints made in Python, checked like a file.

    Raises:
        ConfigError: One line per mistake.
    """
    if isinstance(constraints, ConstraintSource):
        return constraints
    mistakes = [f"{_dotted(found.path)}: {found.message}" for found in mistakes_in(constraints)]
    if mistakes:
        raise ConfigError("\n".join(mistakes))
    return ConstraintSource(constraints, "constraints", folder or Path(), {}, dump_config(constraints))


def mistakes_in(constraints: ConstraintSet) -> Iterator[Mistake]:
    """What does not fit together: ids given twice, unknown names, expressions and templates that cannot be read."""
    ids: dict[str, int] = {}
    for index, constraint in enumerate(constraints.constraints):
        if constraint.id in ids:
            first = ids[constraint.id] + 1
            yield Mistake(("constraints", index, "id"), f"{constraint.id!r} is the id of constraint {first} already")
        ids.setdefault(constraint.id, index)
        for place, trigger in enumerate(constraint.triggers):
            if trigger.intent is not None and constraints.intents and trigger.intent not in constraints.intents:
                hint = nearest(trigger.intent, list(constraints.intents))
                yield Mistake(
                    ("constraints", index, "triggers", place, "intent"), f"unknown intent {trigger.intent!r}; {hint}"
                )
        yield from _template_mistakes(constraint.validator, ("constraints", index, "validator"))
    for index, rule in enumerate(constraints.arbitration):
        for place, known in enumerate(rule.between):
            if known not in ids:
                message = f"unknown constraint {known!r}; {nearest(known, list(ids))}"
                yield Mistake(("arbitration", index, "between", place), message)
    for path, text in expressions_of(constraints):
        try:
            Expression(text)
        except ConfigError as error:
            yield Mistake(path, str(error))


def _template_mistakes(spec: ValidatorSpec, path: Path_) -> Iterator[Mistake]:
    if isinstance(spec, EnsembleSpec):
        for index, part in enumerate(spec.of):
            yield from _template_mistakes(part, (*path, "of", index))
    elif isinstance(spec, AllowListSpec):
        for index, text in enumerate(spec.templates):
            try:
                Template(text)
            except ConfigError as error:
                yield Mistake((*path, "templates", index), str(error))


def _line(lines: Mapping[Path_, int], path: Path_) -> int:
    return next((lines[path[:cut]] for cut in range(len(path), -1, -1) if path[:cut] in lines), 1)


def _dotted(path: Path_) -> str:
    return ".".join(str(part) for part in path)
