"""Which constraints an output has to be checked against, at a cost that does not grow with their number.

Keywords and patterns of all constraints are one RE2 set: an output is read once, whether ten or a thousand constraints
are registered. Scopes are resolved once for each agent, task and channel. Turn counts and intents are looked up; only
CEL triggers are evaluated one by one.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import re2

from mage_ml.errors import EvaluatorError
from mage_ml.forking import fork_safe_lock
from mage_ml.runtime.governor.constraint import Constraint, ConstraintSet, Intent, Trigger
from mage_ml.runtime.governor.context import Utterance
from mage_ml.runtime.governor.expressions import Expression

IntentReader = Callable[[str], Collection[str]]
"""Tells the intents of a message."""

_MAX_SCOPES: Final = 1024
_SET_MEMORY: Final = 256 << 20
_ALWAYS: Final = ""  # matches every text: where the set does not report it, the set has failed


@dataclass(frozen=True, slots=True)
class Triggered:
    """A constraint to be checked, and why.

    Attributes:
        constraint: The constraint.
        position: Its place in the file.
        reason: The trigger, for the record.
        error: Why a trigger could not be evaluated; the constraint is then checked all the same.
    """

    constraint: Constraint
    position: int
    reason: str
    error: str = ""


class PatternSet:
    """Many RE2 patterns matched in one pass.

    Args:
        patterns: The patterns.
    """

    def __init__(self, patterns: Sequence[str]) -> None:
        options = re2.Options()
        options.max_mem = _SET_MEMORY
        options.log_errors = False
        self._single = [re2.compile(pattern) for pattern in patterns]
        self._set = re2.Set.SearchSet(options)
        self._set.Add(_ALWAYS)
        for pattern in patterns:
            self._set.Add(pattern)
        self._set.Compile()

    def matches(self, text: str) -> list[int]:
        """Positions of the patterns that match."""
        found = self._set.Match(text)
        if 0 not in found:  # it ran out of memory, and would say that nothing matches
            return [index for index, pattern in enumerate(self._single) if pattern.search(text)]
        return sorted(index - 1 for index in found if index)


class TriggerIndex:
    """Finds the constraints to be checked. Immutable but for a bounded cache; safe between threads.

    Args:
        constraints: All constraints; inactive ones are left out.
        read_intents: Tells the intents of a message in addition to the file's own; `None` for none.
    """

    def __init__(self, constraints: ConstraintSet, *, read_intents: IntentReader | None = None) -> None:
        self._constraints = constraints.constraints
        self._read_intents = read_intents
        self._intents = tuple(constraints.intents)
        self._lock = fork_safe_lock()
        self._scopes: OrderedDict[tuple[str, str, str], _Scoped] = OrderedDict()
        patterns: list[str] = []
        self._owners: list[tuple[int, str]] = []
        self._uses_intents = False
        for position, constraint in enumerate(self._constraints):
            for trigger in constraint.triggers:
                self._uses_intents |= trigger.intent is not None
                for pattern in _patterns_of(trigger):
                    patterns.append(pattern)
                    self._owners.append((position, "keyword" if trigger.keywords else "regex"))
        self._set = PatternSet(patterns)
        words = [
            (name, pattern) for name, intent in constraints.intents.items() for pattern in _intent_patterns(intent)
        ]
        self._intent_names = [name for name, _ in words]
        self._intent_set = PatternSet([pattern for _, pattern in words])

    def triggered(self, utterance: Utterance, active: Callable[[Constraint], bool]) -> list[Triggered]:
        """The constraints to be checked, in their order.

        Args:
            utterance: The output.
            active: Whether a constraint is switched on.
        """
        context = utterance.context
        scope = self._scope(utterance.agent_id, context.task, str(context.channel))
        found: dict[int, Triggered] = {
            position: Triggered(self._constraints[position], position, "always") for position in scope.always
        }
        for reading in utterance.readings:
            for index in self._set.matches(reading):
                position, kind = self._owners[index]
                if position not in found and position in scope.members:
                    found[position] = Triggered(self._constraints[position], position, kind)
        self._add_turns(scope, context.turn, found)
        if scope.intents:
            for intent in self.intents_of(utterance):
                for position in scope.intents.get(intent, ()):
                    found.setdefault(position, Triggered(self._constraints[position], position, f"intent {intent}"))
        for position, expression in scope.expressions:
            if position not in found:
                self._add_expression(position, expression, utterance, found)
        return [found[position] for position in sorted(found) if active(found[position].constraint)]

    def intents_of(self, utterance: Utterance) -> frozenset[str]:
        """The intents of the user's message and of the output: the host's, and those of the constraint file."""
        names = set(utterance.context.intents)
        for text in (utterance.context.user, utterance.text):
            if text:
                names.update(self._intent_names[index] for index in self._intent_set.matches(text))
                if self._read_intents is not None:
                    names.update(self._read_intents(text))
        return frozenset(names)

    def in_scope(self, agent_id: str, task: str = "", channel: str = "") -> tuple[Constraint, ...]:
        """The constraints that hold for an agent, triggered or not."""
        members = self._scope(agent_id, task, channel).members
        return tuple(self._constraints[position] for position in sorted(members))

    def _add_turns(self, scope: _Scoped, turn: int, found: dict[int, Triggered]) -> None:
        for first, every, position in scope.turns:
            if turn < first:
                break
            if (turn - first) % every == 0:
                found.setdefault(position, Triggered(self._constraints[position], position, f"turn {turn}"))

    def _add_expression(
        self, position: int, expression: Expression, utterance: Utterance, found: dict[int, Triggered]
    ) -> None:
        constraint = self._constraints[position]
        try:
            if expression.holds(utterance.activation):
                found[position] = Triggered(constraint, position, f"cel {expression.text[:60]}")
        except EvaluatorError as error:
            # Nobody knows whether the check is due, so it is made.
            found[position] = Triggered(constraint, position, "cel failed", str(error))

    def _scope(self, agent_id: str, task: str, channel: str) -> _Scoped:
        key = (agent_id, task, channel)
        with self._lock:
            known = self._scopes.get(key)
            if known is not None:
                self._scopes.move_to_end(key)
                return known
        fresh = _Scoped.of(self._constraints, key)
        with self._lock:
            self._scopes[key] = fresh
            if len(self._scopes) > _MAX_SCOPES:
                self._scopes.popitem(last=False)
        return fresh


@dataclass(frozen=True, slots=True)
class _Scoped:
    """The triggers of the constraints that hold for one agent, task and channel, by position of the constraint."""

    members: frozenset[int]
    always: tuple[int, ...]
    turns: tuple[tuple[int, int, int], ...]
    intents: dict[str, tuple[int, ...]]
    expressions: tuple[tuple[int, Expression], ...]

    @classmethod
    def of(cls, constraints: Sequence[Constraint], key: tuple[str, str, str]) -> _Scoped:
        members = [place for place, one in enumerate(constraints) if one.scope.covers(*key)]
        turns: list[tuple[int, int, int]] = []
        intents: dict[str, tuple[int, ...]] = {}
        expressions: list[tuple[int, Expression]] = []
        for place in members:
            for trigger in constraints[place].triggers:
                if trigger.turns is not None:
                    turns.append((trigger.turns.at_least, trigger.turns.every, place))
                elif trigger.intent is not None:
                    intents[trigger.intent] = (*intents.get(trigger.intent, ()), place)
                elif trigger.cel is not None:
                    expressions.append((place, Expression(trigger.cel)))
        always = tuple(place for place in members if not constraints[place].triggers)
        return cls(frozenset(members), always, tuple(sorted(turns)), intents, tuple(expressions))


def keyword_pattern(word: str) -> str:
    """A pattern for a keyword: in any case, from the beginning of a word, and anywhere in Chinese."""
    start = r"\b" if word[0].isascii() and (word[0].isalnum() or word[0] == "_") else ""
    return f"(?i){start}" + r"\s+".join(re2.escape(part) for part in word.split())


def _patterns_of(trigger: Trigger) -> Iterable[str]:
    if trigger.regex is not None:
        return (trigger.regex,)
    return [keyword_pattern(word) for word in trigger.keywords]


def _intent_patterns(intent: Intent) -> Iterable[str]:
    return (*(keyword_pattern(word) for word in intent.keywords), *intent.regex)
