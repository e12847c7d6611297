"""The repository domain as the generator sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from data_gen.agents import Profile
from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.session import Session
from data_gen.tasks.base import Environment, Task
from data_gen.tasks.software_repo.forge import Forge
from data_gen.tasks.software_repo.policy import RepoAgent
from data_gen.tasks.software_repo.sampling import OFFERS, TEMPLATES, sample_task
from data_gen.tasks.software_repo.task import RepoTask

NAME: Final = "software_repo"


class SoftwareRepoDomain:
    """Maintenance of a repository on a small forge; see `Domain`."""

    name = NAME
    offers = OFFERS

    def templates(self) -> Sequence[str]:
        """Names of the task templates."""
        return TEMPLATES

    def sample(self, template: str, language: str, writer: str, rng: Rng, wanted: Sequence[Need] = ()) -> RepoTask:
        """Draw a task."""
        return sample_task(template, language, writer, rng, frozenset(wanted))

    def run(self, task: Task, environment: Environment, session: Session, profile: Profile) -> None:
        """Let the scripted agent work on a task.

        Raises:
            TypeError: A task or environment of another domain.
            AgentError: The agent cannot go on.
            HaltedError: The session's gate stopped it.
        """
        if not isinstance(task, RepoTask) or not isinstance(environment, Forge):
            raise TypeError(f"expected a repository task and a forge, found {type(task).__name__}")
        RepoAgent(task, environment, session, profile).run()


DOMAIN: Final = SoftwareRepoDomain()
