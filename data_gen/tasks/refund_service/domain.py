"""The refund-service domain as the generator sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from data_gen.agents import Profile
from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.session import Session
from data_gen.tasks.base import Environment, Task
from data_gen.tasks.refund_service.environment import RefundEnvironment
from data_gen.tasks.refund_service.policy import RefundDesk
from data_gen.tasks.refund_service.recipes import TEMPLATES, suits
from data_gen.tasks.refund_service.sampling import sample_task
from data_gen.tasks.refund_service.task import OFFERS, RefundTask

NAME: Final = "refund_service"


class RefundServiceDomain:
    """Complaints settled by three agents; see `Domain`."""

    name = NAME
    offers = OFFERS

    def templates(self) -> Sequence[str]:
        """Names of the task templates."""
        return TEMPLATES

    def suits(self, template: str, needs: Sequence[Need]) -> bool:
        """Whether a template can meet some needs."""
        return suits(template, needs)

    def sample(self, template: str, language: str, writer: str, rng: Rng, wanted: Sequence[Need] = ()) -> RefundTask:
        """Draw a task."""
        return sample_task(template, language, writer, rng, frozenset(wanted))

    def run(self, task: Task, environment: Environment, session: Session, profile: Profile) -> None:
        """Let the three agents work on a complaint.

        Raises:
            TypeError: A task or environment of another domain.
            AgentError: The agents cannot go on.
            HaltedError: The session's gate stopped them.
        """
        if not isinstance(task, RefundTask) or not isinstance(environment, RefundEnvironment):
            raise TypeError(f"expected a refund task and environment, found {type(task).__name__}")
        RefundDesk(task, environment, session, profile).run()


DOMAIN: Final = RefundServiceDomain()
