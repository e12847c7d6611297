"""The research domain as the generator sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from data_gen.agents import Profile
from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.session import Session
from data_gen.tasks.base import Environment, Task
from data_gen.tasks.research_assistant.environment import ResearchDesk
from data_gen.tasks.research_assistant.policy import ResearchAgent
from data_gen.tasks.research_assistant.recipes import TEMPLATES, suits
from data_gen.tasks.research_assistant.sampling import sample_task
from data_gen.tasks.research_assistant.task import OFFERS, ResearchTask

NAME: Final = "research_assistant"


class ResearchDomain:
    """Questions answered from a collection of documents; see `Domain`."""

    name = NAME
    offers = OFFERS

    def templates(self) -> Sequence[str]:
        """Names of the task templates."""
        return TEMPLATES

    def suits(self, template: str, needs: Sequence[Need]) -> bool:
        """Whether a template can meet some needs."""
        return suits(template, needs)

    def sample(self, template: str, language: str, writer: str, rng: Rng, wanted: Sequence[Need] = ()) -> ResearchTask:
        """Draw a task."""
        return sample_task(template, language, writer, rng, frozenset(wanted))

    def run(self, task: Task, environment: Environment, session: Session, profile: Profile) -> None:
        """Let the scripted agent work on a task.

        Raises:
            TypeError: A task or environment of another domain.
            AgentError: The agent cannot go on.
            HaltedError: The session's gate stopped it.
        """
        if not isinstance(task, ResearchTask) or not isinstance(environment, ResearchDesk):
            raise TypeError(f"expected a research task and desk, found {type(task).__name__}")
        ResearchAgent(task, environment, session, profile).run()


DOMAIN: Final = ResearchDomain()
