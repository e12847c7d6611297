"""CEL expressions over an output and its context: compiled once, checked for unknown names when they are loaded.

The library is `common-expression-language` (Rust; half a microsecond for a short expression, where the pure-Python
`cel-python` takes three hundred). Two things to know: its `size` of a text counts bytes of UTF-8, not characters as the
CEL specification says, so `chars` is added; and its parser recurses, so the length of an expression is bounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from mage_ml.config import nearest
from mage_ml.errors import ConfigError, EvaluatorError
from mage_ml.extras import require
from mage_ml.runtime.governor.constraint import ConstraintSet
from mage_ml.runtime.governor.validator_specs import MAX_CEL_CHARS, CelSpec, EnsembleSpec, ValidatorSpec

VARIABLES: Final = {
    "output": "text of the output",
    "agent": "id of the agent",
    "task": "name of the task; empty when unknown",
    "channel": "channel of the output",
    "user": "the user's last message",
    "history": "texts of the conversation so far, the oldest first",
    "turn": "number of the turn, from 1; 0 when unknown",
    "sentiment": "-1.0 (angry) to 1.0 (content); 0.0 when unknown",
    "intents": "intents of the user's message",
    "arguments": "arguments of the tool call, when the output is one",
    "facts": "whatever the host passes along, by name",
}
OWN_FUNCTIONS: Final = {"chars": "characters of a text", "lower": "a text in lower case"}
FUNCTIONS: Final = frozenset(
    {
        *OWN_FUNCTIONS,
        *("size", "contains", "startsWith", "endsWith", "matches", "int", "uint", "double", "string", "bytes"),
        *("timestamp", "duration", "type", "dyn", "getFullYear", "getMonth", "getDate", "getDayOfMonth"),
        *("getDayOfWeek", "getDayOfYear", "getHours", "getMinutes", "getSeconds", "getMilliseconds"),
    }
)


class Expression:
    """A compiled expression.

    Args:
        text: In CEL.

    Raises:
        ConfigError: It is no CEL, too long, or names something that does not exist.
        MissingExtraError: The library is not installed.
    """

    def __init__(self, text: str) -> None:
        cel = _library()
        if len(text) > MAX_CEL_CHARS:
            raise ConfigError(f"an expression of {len(text):,} characters; at most {MAX_CEL_CHARS:,} are read")
        try:
            self._program = cel.compile(text)
            used = self._program.references()
        except ValueError as error:
            raise ConfigError(f"{text[:80]!r} is not CEL: {_first_line(error)}") from error
        self.text = text
        _refuse_unknown(text, used)

    def value(self, activation: Any) -> Any:  # noqa: ANN401 - CEL is dynamically typed
        """The value for an activation.

        Raises:
            EvaluatorError: It has none: a missing fact, types that do not fit, an overflow.
        """
        try:
            return self._program.execute(activation)
        except Exception as error:
            raise EvaluatorError(f"CEL {self.text[:80]!r}: {type(error).__name__}: {_first_line(error)}") from error

    def holds(self, activation: Any) -> bool:  # noqa: ANN401 - an activation of the library
        """Whether it is true.

        Raises:
            EvaluatorError: It has no value, or one that is neither true nor false.
        """
        try:  # as in `value`, without the call: this runs once for each CEL trigger
            value = self._program.execute(activation)
        except Exception:
            value = self.value(activation)
        if value is not True and value is not False:
            raise EvaluatorError(f"CEL {self.text[:80]!r}: gave {value!r:.40}; expected true or false")
        return value


def activation(variables: Mapping[str, object]) -> Any:  # noqa: ANN401 - an activation of the library
    """Variables made ready once for many expressions.

    Raises:
        EvaluatorError: A value is of a type that CEL does not have.
    """
    try:
        return _library().Context(variables=dict(variables), functions={"chars": len, "lower": str.lower})
    except Exception as error:
        raise EvaluatorError(f"CEL: the context cannot be read: {type(error).__name__}: {error}") from error


def expressions_of(constraints: ConstraintSet) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every expression of a constraint set with its place."""
    for index, constraint in enumerate(constraints.constraints):
        here = ("constraints", index)
        for place, trigger in enumerate(constraint.triggers):
            if trigger.cel is not None:
                yield (*here, "triggers", place, "cel"), trigger.cel
        yield from _of_validator(constraint.validator, (*here, "validator"))
    for index, rule in enumerate(constraints.arbitration):
        if rule.when is not None:
            yield ("arbitration", index, "when"), rule.when


def _of_validator(spec: ValidatorSpec, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(spec, CelSpec):
        yield (*path, "allow"), spec.allow
    elif isinstance(spec, EnsembleSpec):
        for index, part in enumerate(spec.of):
            yield from _of_validator(part, (*path, "of", index))


def _refuse_unknown(text: str, used: Mapping[str, list[str]]) -> None:
    # Names that a comprehension binds are listed as variables, too; evaluating finds the rest out.
    bound = _bound(text)
    for name in used["variables"]:
        if name not in VARIABLES and name not in bound:
            raise ConfigError(f"unknown name {name!r} in {text[:80]!r}; {nearest(name, list(VARIABLES))}")
    for name in used["functions"]:
        if name.isidentifier() and not name.startswith("_") and name not in FUNCTIONS:
            raise ConfigError(f"unknown function {name!r} in {text[:80]!r}; {nearest(name, sorted(FUNCTIONS))}")


def _bound(text: str) -> frozenset[str]:
    words = []
    for macro in (".all(", ".exists(", ".exists_one(", ".map(", ".filter("):
        for part in text.split(macro)[1:]:
            words.extend(part.split(",")[:2])
    return frozenset(word.strip() for word in words)


def _library() -> Any:  # noqa: ANN401 - imported on demand
    return require("cel", extra="governor", purpose="evaluate CEL expressions of constraints")


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0][:200] if str(error).strip() else ""
