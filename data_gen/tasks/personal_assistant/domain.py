"""The assistant's domain as the generator sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from data_gen.agents import Profile
from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.session import Session
from data_gen.tasks.base import Environment, Task
from data_gen.tasks.personal_assistant import sampling
from data_gen.tasks.personal_assistant.catalogue import BY_NAME
from data_gen.tasks.personal_assistant.environment import Household
from data_gen.tasks.personal_assistant.policy import Assistant
from data_gen.tasks.personal_assistant.task import OFFERS, AssistantTask


class PersonalAssistantDomain:
    """A household assistant over several sittings; see `Domain`."""

    name = "personal_assistant"
    offers = OFFERS

    def templates(self) -> Sequence[str]:
        """Names of the task templates."""
        return tuple(BY_NAME)

    def suits(self, template: str, needs: Sequence[Need]) -> bool:
        """Whether a template can meet some needs."""
        return sampling.suits(template, needs)

    def sample(self, template: str, language: str, writer: str, rng: Rng, wanted: Sequence[Need] = ()) -> AssistantTask:
        """Draw a task."""
        return sampling.sample_task(template, language, writer, rng, frozenset(wanted))

    def run(self, task: Task, environment: Environment, session: Session, profile: Profile) -> None:
        """Let the scripted assistant work on a task.

        Raises:
            TypeError: A task or environment of another domain.
            AgentError: The assistant cannot go on.
            HaltedError: The session's gate stopped it.
        """
        if not isinstance(task, AssistantTask) or not isinstance(environment, Household):
            raise TypeError(f"expected an assistant's task and household, found {type(task).__name__}")
        Assistant(task, environment, session, profile).run()


DOMAIN: Final = PersonalAssistantDomain()
