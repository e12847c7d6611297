"""What a job consists of: what is looked up, what follows from it, what is done. Recipes are data; jobs are drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from data_gen.tasks.software_repo.attributes import MEANINGS, Attribute, Flag, Measure
from data_gen.tasks.software_repo.findings import Amount, Topic, Value

BODY: Final = "@body"
"""Argument that stands for a text with the findings to tell."""


class Area(StrEnum):
    """Kinds of record; each has a tool of its own."""

    CONFIG = "config"
    PLAN = "plan"
    ADVISORY = "advisory"
    MANIFEST = "manifest"
    LOG = "log"
    METRICS = "metrics"
    INCIDENT = "incident"
    ISSUE = "issue"
    PULL = "pull"
    OWNERS = "owners"
    KEYS = "keys"
    ROSTER = "roster"
    RELEASE = "release"
    POLICY = "policy"
    BENCHMARK = "benchmark"
    EXPERIMENT = "experiment"


class Rule(StrEnum):
    """How a conclusion follows from findings."""

    SUM = "sum"
    DIFFERENCE = "difference"
    DOUBLE = "double"
    TRIPLE = "triple"
    QUOTIENT = "quotient"
    LARGER = "larger"
    SMALLER = "smaller"
    NEWER = "newer"
    MOST = "most"
    LEAST = "least"
    AT_LEAST = "at_least"
    AT_MOST = "at_most"


@dataclass(frozen=True, slots=True)
class Look:
    """Something to look up.

    Attributes:
        key: Its name in the job.
        topic: What it is.
        area: The kind of record.
        item: The record.
        path: The field, as `read_record` takes it.
    """

    key: str
    topic: Topic
    area: Area
    item: str
    path: str


@dataclass(frozen=True, slots=True)
class Infer:
    """Something that follows from what was looked up."""

    key: str
    topic: Topic
    rule: Rule
    inputs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Do:
    """Something to do.

    Attributes:
        tool: The tool.
        arguments: By name; `$key` stands for a finding, `@body` for a text with all that is told.
        when: The finding, a yes or no, on which it depends; empty if it is done in any case.
        unless: Whether it is done when that does not hold.
    """

    tool: str
    arguments: Mapping[str, str]
    when: str = ""
    unless: bool = False


@dataclass(frozen=True, slots=True)
class Job:
    """A job with all names filled in; a recipe is one with `{role}` in their place."""

    name: str
    looks: tuple[Look, ...] = ()
    infers: tuple[Infer, ...] = ()
    acts: tuple[Do, ...] = ()
    tells: tuple[str, ...] = ()

    def finding(self, key: str) -> Look | Infer:
        """What a key stands for."""
        return next(found for found in self.findings if found.key == key)

    @property
    def findings(self) -> tuple[Look | Infer, ...]:
        """What is looked up, and what follows from it."""
        return (*self.looks, *self.infers)

    def filled(self, roles: Mapping[str, str]) -> Job:
        """The job with names for its roles."""

        def topic(found: Topic) -> Topic:
            return Topic(found.attribute, tuple(part.format(**roles) for part in found.subject))

        return Job(
            self.name,
            tuple(
                Look(k.key, topic(k.topic), k.area, k.item.format(**roles), k.path.format(**roles)) for k in self.looks
            ),
            tuple(Infer(k.key, topic(k.topic), k.rule, k.inputs) for k in self.infers),
            tuple(
                Do(a.tool, {n: v.format(**roles) for n, v in a.arguments.items()}, a.when, a.unless) for a in self.acts
            ),
            self.tells,
        )

    @property
    def measures(self) -> tuple[Look, ...]:
        """What is looked up and is a number."""
        return tuple(look for look in self.looks if isinstance(MEANINGS[look.topic.attribute].kind, Measure))

    @property
    def decides(self) -> bool:
        """Whether a yes or no is among the findings."""
        return any(isinstance(MEANINGS[found.topic.attribute].kind, Flag) for found in self.findings)


@dataclass
class Values:
    """The findings of a job by key, each worked out when first asked for."""

    job: Job
    look: Callable[[Look], Value]
    known: dict[str, Value] = field(default_factory=dict)

    def of(self, key: str) -> Value:
        """The value of a finding."""
        if key not in self.known:
            found = self.job.finding(key)
            value = self.look(found) if isinstance(found, Look) else self._conclusion(found)
            self.known[key] = value
        return self.known[key]

    def _conclusion(self, infer: Infer) -> Value:
        inputs = [(self.job.finding(key).topic.subject[0], self.of(key)) for key in infer.inputs]
        return conclude(infer.rule, [name for name, _ in inputs], [value for _, value in inputs])


def conclude(rule: Rule, subjects: Sequence[str], values: Sequence[Value]) -> Value:
    """What follows from some values, given whose they are."""
    if rule is Rule.NEWER:
        return max((str(value) for value in values), key=lambda text: tuple(int(part) for part in text.split(".")))
    amounts = [value for value in values if isinstance(value, Amount)]
    numbers = [amount.number for amount in amounts]
    if rule in (Rule.MOST, Rule.LEAST):
        return subjects[numbers.index(max(numbers) if rule is Rule.MOST else min(numbers))]
    if rule in (Rule.AT_LEAST, Rule.AT_MOST):
        return numbers[0] >= numbers[1] if rule is Rule.AT_LEAST else numbers[0] <= numbers[1]
    unit = "" if rule is Rule.QUOTIENT else amounts[0].unit
    return Amount(_COMPUTED[rule](numbers), unit)


_COMPUTED: Final[Mapping[Rule, Callable[[Sequence[float]], float]]] = MappingProxyType(
    {
        Rule.SUM: lambda numbers: round(sum(numbers), 1),
        Rule.DIFFERENCE: lambda numbers: round(abs(numbers[0] - numbers[1]), 1),
        Rule.DOUBLE: lambda numbers: 2 * numbers[0],
        Rule.TRIPLE: lambda numbers: 3 * numbers[0],
        Rule.QUOTIENT: lambda numbers: float(math.ceil(numbers[0] / max(1.0, numbers[1]))),
        Rule.LARGER: max,
        Rule.SMALLER: min,
    }
)


def written(value: Value) -> str:
    """A value as an argument of a tool."""
    if isinstance(value, Amount):
        return value.written()
    return str(value).lower() if isinstance(value, bool) else value


def is_wanted(act: Do, of: Callable[[str], Value]) -> bool:
    """Whether findings call for an act."""
    return not act.when or (of(act.when) is True) is not act.unless


def arguments_of(act: Do, of: Callable[[str], Value], body: Callable[[], str]) -> dict[str, str]:
    """The arguments of an act, with findings and text in their places."""

    def value(text: str) -> str:
        if text == BODY:
            return body()
        return written(of(text[1:])) if text.startswith("$") else text

    return {name: value(text) for name, text in act.arguments.items()}


def look(key: str, attribute: Attribute, area: Area, item: str, path: str, subject: str = "") -> Look:
    """Something to look up; whose it is are the words of `subject`, or the item."""
    return Look(key, Topic(attribute, tuple((subject or item).split())), area, item, path)


def infer(key: str, attribute: Attribute, rule: Rule, *inputs: str, subject: str) -> Infer:
    """Something to conclude."""
    return Infer(key, Topic(attribute, tuple(subject.split())), rule, inputs)


def do(tool: str, when: str = "", *, unless: bool = False, **arguments: str) -> Do:
    """Something to do."""
    return Do(tool, arguments, when, unless)


def job(name: str, *parts: Look | Infer | Do, tells: tuple[str, ...]) -> Job:
    """A recipe from its parts."""
    return Job(
        name,
        tuple(part for part in parts if isinstance(part, Look)),
        tuple(part for part in parts if isinstance(part, Infer)),
        tuple(part for part in parts if isinstance(part, Do)),
        tells,
    )
