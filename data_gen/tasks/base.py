"""What a domain provides: tasks with ground truth, tools with state, and an agent policy that works through them.

`docs/domains.md` says how to write one. Operators work on typed statements (`data_gen.statements`), so they apply to a
new domain as soon as its agent passes a statement and a `redraw` function to `Session.remember`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue

from data_gen.agents import Profile
from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.session import Session
from data_gen.statements import OrderStyle as OrderStyle  # part of the phrasebook's vocabulary
from data_gen.statements import Statement
from mage_ml.memory.entry import Source
from mage_ml.memory.episode import Outcome
from mage_ml.memory.snapshot import ActionType


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What a tool returns: one entry of memory.

    Attributes:
        content: The result.
        source: Tool, or retrieved for texts of third parties.
        origin: Where the information comes from.
        confidence: `None` for the default of the source.
        statement: What it says, where operators may change it.
        redraw: Words such a statement in the form of this result.
    """

    content: JsonValue
    source: Source
    origin: str
    confidence: float | None = None
    statement: Statement | None = None
    redraw: Callable[[Statement, Rng], JsonValue] | None = None


class Environment(Protocol):
    """Tools over real state. Knows what has been done and judges it."""

    def kind(self, tool: str) -> ActionType:
        """Whether a tool reads or writes.

        Raises:
            LookupError: No such tool.
        """

    def call(self, tool: str, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        """Run a tool.

        Raises:
            LookupError: No such tool, or it has no answer to these arguments.
        """

    def outcome(self) -> Outcome:
        """Compare the final state with ground truth."""

    def close(self) -> None:
        """Release what the environment holds."""


@dataclass(frozen=True, slots=True)
class Alias:
    """A name that a text gives to something: the sentence, the name, and the ingredient that it stands for."""

    sentence: str
    name: str
    ingredient: str


class Phrasebook(Protocol):
    """What third parties write in this task: requests to others, and orders to the agent in the same voice."""

    def kinds(self, ingredient: str, style: OrderStyle) -> Sequence[str]:
        """The kinds of order that fit in the place of a sentence with an ingredient; empty if none does."""

    def harmless(self, ingredient: str, style: OrderStyle, rng: Rng, alias: str = "") -> str:
        """A request to somebody else that holds an ingredient, or a name that stands for it."""

    def order(self, kind: str, style: OrderStyle, rng: Rng, alias: str = "") -> str:
        """An order to whoever reads it."""

    def value(self, ingredient: str, rng: Rng) -> str:
        """A value of an ingredient, for sentences from elsewhere; empty for `none`."""

    def alias(self, rng: Rng) -> Alias | None:
        """A sentence that gives an ingredient a name; `None` where the agent would not understand one."""


@dataclass(frozen=True, slots=True)
class TaskBase:
    """What every task has; domains derive their own dataclass from it.

    Attributes:
        template: Name of the template it was made from.
        language: `en` or `zh`.
        writer: Name of the writer who words the agent's notes.
        goal: The task in the user's words.
        company: Domain label of the agent's own company, for addresses.
    """

    template: str
    language: str
    writer: str
    goal: str
    company: str = ""

    @property
    def phrasebook(self) -> Phrasebook | None:
        """What third parties write; `None` when no text of theirs occurs."""
        return None

    @property
    def record_origins(self) -> Sequence[str]:
        """Origins (`ToolOutput.origin`) of the records that the agent takes figures from."""
        return ()

    def others(self, kind: str) -> Sequence[str]:
        """Names that exist in this task's world and could be confused with one of a kind (`Name.kind`)."""
        return ()

    def phrase(self, rng: Rng) -> str:
        """A plausible cause or claim that no text of this task states.

        Raises:
            LookupError: This task knows none.
        """
        raise LookupError(f"{self.template}: this domain offers no causes")


class Task(Protocol):
    """One task instance; `TaskBase` has all but the environment."""

    @property
    def template(self) -> str:
        """Name of the template it was made from."""

    @property
    def language(self) -> str:
        """`en` or `zh`."""

    @property
    def writer(self) -> str:
        """Name of the writer who words the agent's notes."""

    @property
    def goal(self) -> str:
        """The task in the user's words."""

    @property
    def company(self) -> str:
        """Domain label of the agent's own company."""

    @property
    def phrasebook(self) -> Phrasebook | None:
        """What third parties write."""

    @property
    def record_origins(self) -> Sequence[str]:
        """Origins (`ToolOutput.origin`) of the records that the agent takes figures from."""

    def new_environment(self) -> Environment:
        """A fresh world in its first state."""

    def others(self, kind: str) -> Sequence[str]:
        """Names that could be confused with one of a kind."""

    def phrase(self, rng: Rng) -> str:
        """A plausible cause that no text of this task states."""


class Domain(Protocol):
    """A family of tasks."""

    @property
    def name(self) -> str:
        """Unique name."""

    @property
    def offers(self) -> frozenset[Need]:
        """What `sample` can put into a task; operators that need anything else are not used on this domain."""

    def templates(self) -> Sequence[str]:
        """Names of the task templates; the same in every language. At least six: five are held out by the splits."""

    def sample(self, template: str, language: str, writer: str, rng: Rng, wanted: Sequence[Need] = ()) -> Task:
        """Draw a task.

        Args:
            template: One of `templates()`.
            language: `en` or `zh`.
            writer: Name of a writer of that language.
            rng: Draws every parameter.
            wanted: Ingredients that must be there. Put others in at random too, or their presence gives operators away.
        """

    def run(self, task: Task, environment: Environment, session: Session, profile: Profile) -> None:
        """Let the agent work on a task.

        Raises:
            AgentError: The agent cannot go on.
            HaltedError: The session's gate stopped it.
        """


def languages_of(domain: Domain) -> tuple[str, ...]:
    """The languages a domain has tasks in: its attribute `languages`, or both if it has none."""
    return tuple(getattr(domain, "languages", ("en", "zh")))


def templates_for(domain: Domain, needs: Sequence[Need]) -> frozenset[str]:
    """The templates of a domain in which some needs can be met: those its method `suits` takes, or all without one."""
    suits: Callable[[str, Sequence[Need]], bool] | None = getattr(domain, "suits", None)
    return frozenset(name for name in domain.templates() if suits is None or suits(name, needs))
