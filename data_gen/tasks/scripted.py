"""A domain put together from its parts: templates, a sampler, and a scripted agent over simulated tools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from data_gen.agents import Profile
from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.session import Session
from data_gen.tasks.base import Environment, Task


class Worker(Protocol):
    """A scripted agent with its task before it."""

    def run(self) -> None:
        """Work on the task to its end."""


@dataclass(frozen=True)
class ScriptedDomain:
    """A family of tasks; see `Domain`.

    Attributes:
        name: Unique name.
        offers: What a task can hold.
        template_names: Names of the task templates.
        draw: Draws a task: template, language, writer, random numbers, needs.
        task_type: What it draws.
        environment_type: What those tasks are worked on in.
        agent: Makes the agent: task, environment, session, profile.
        fits: Whether a template can meet some needs; every template can meet all without it.
    """

    name: str
    offers: frozenset[Need]
    template_names: tuple[str, ...]
    draw: Callable[[str, str, str, Rng, frozenset[Need]], Task]
    task_type: type[Task]
    environment_type: type[Environment]
    agent: Callable[[Any, Any, Session, Profile], Worker]
    fits: Callable[[str, frozenset[Need]], bool] | None = None

    def templates(self) -> Sequence[str]:
        """Names of the task templates."""
        return self.template_names

    def suits(self, template: str, needs: Sequence[Need]) -> bool:
        """Whether a template can meet some needs."""
        return self.fits is None or self.fits(template, frozenset(needs))

    def sample(self, template: str, language: str, writer: str, rng: Rng, wanted: Sequence[Need] = ()) -> Task:
        """Draw a task."""
        return self.draw(template, language, writer, rng, frozenset(wanted))

    def run(self, task: Task, environment: Environment, session: Session, profile: Profile) -> None:
        """Let the scripted agent work on a task.

        Raises:
            TypeError: A task or environment of another domain.
            AgentError: The agent cannot go on.
            HaltedError: The session's gate stopped it.
        """
        for found, expected in ((task, self.task_type), (environment, self.environment_type)):
            if not isinstance(found, expected):
                raise TypeError(f"{self.name}: expected {expected.__name__}, found {type(found).__name__}")
        self.agent(task, environment, session, profile).run()
