"""The sales-report domain as the generator sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from data_gen.agents import Profile
from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.session import Session
from data_gen.tasks.base import Environment, Task
from data_gen.tasks.sales_report.environment import SalesEnvironment
from data_gen.tasks.sales_report.policy import SalesAgent
from data_gen.tasks.sales_report.questions import TEMPLATES, suits
from data_gen.tasks.sales_report.task import OFFERS, SalesTask, sample_task

NAME: Final = "sales_report"


class SalesReportDomain:
    """Sales reports over an SQLite database; see `Domain`."""

    name = NAME
    offers = OFFERS

    def templates(self) -> Sequence[str]:
        """Names of the task templates."""
        return TEMPLATES

    def suits(self, template: str, needs: Sequence[Need]) -> bool:
        """Whether a template can meet some needs."""
        return suits(template, needs)

    def sample(self, template: str, language: str, writer: str, rng: Rng, wanted: Sequence[Need] = ()) -> SalesTask:
        """Draw a task."""
        return sample_task(template, language, writer, rng, frozenset(wanted))

    def run(self, task: Task, environment: Environment, session: Session, profile: Profile) -> None:
        """Let the scripted agent work on a task.

        Raises:
            TypeError: A task or environment of another domain.
            AgentError: The agent cannot go on.
            HaltedError: The session's gate stopped it.
        """
        if not isinstance(task, SalesTask) or not isinstance(environment, SalesEnvironment):
            raise TypeError(f"expected a sales task and environment, found {type(task).__name__}")
        SalesAgent(task, environment, session, profile).run()


DOMAIN: Final = SalesReportDomain()
