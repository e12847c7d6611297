"""What a domain provides: tasks with ground truth, tools with state, and an agent policy that works through them.

To add a domain, write one module (or package) with a class that satisfies `Domain` and add it to `DOMAINS` in
`data_gen/tasks/__init__.py`. Operators work on typed statements (`data_gen.statements`), so they apply to a new domain
as soon as its agent passes a statement and a `redraw` function to `Session.remember`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from data_gen.agents import Profile
from data_gen.randomness import Rng
from data_gen.session import Session
from mage_ml.memory.episode import Outcome


class Environment(Protocol):
    """Tools over real state. Knows what has been done and judges it."""

    def outcome(self) -> Outcome:
        """Compare the final state with ground truth."""

    def close(self) -> None:
        """Release what the environment holds."""


class Task(Protocol):
    """One task instance."""

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

    def new_environment(self) -> Environment:
        """A fresh world in its first state."""

    def phrase(self, rng: Rng) -> str:
        """A plausible cause that no file of this task states."""


class Domain(Protocol):
    """A family of tasks."""

    @property
    def name(self) -> str:
        """Unique name."""

    def templates(self) -> Sequence[str]:
        """Names of the task templates; the same in every language."""

    def sample(self, template: str, language: str, writer: str, rng: Rng, wanted: str | None = None) -> Task:
        """Draw a task.

        Args:
            template: One of `templates()`.
            language: `en` or `zh`.
            writer: Name of a writer of that language.
            rng: Draws every parameter.
            wanted: Ingredient that an operator needs, by `Operator.needs`.
        """

    def run(self, task: Task, environment: Environment, session: Session, profile: Profile) -> None:
        """Let the agent work on a task.

        Raises:
            AgentError: The agent cannot go on.
            HaltedError: The session's gate stopped it.
        """
