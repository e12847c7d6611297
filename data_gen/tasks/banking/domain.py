"""The banking domain as the generator sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from data_gen.agents import Profile
from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.session import Session
from data_gen.tasks.banking.environment import Bank
from data_gen.tasks.banking.policy import BankAgent
from data_gen.tasks.banking.sampling import sample_task
from data_gen.tasks.banking.task import OFFERS, BankTask
from data_gen.tasks.banking.templates import TEMPLATES, suits
from data_gen.tasks.base import Environment, Task

NAME: Final = "banking"


class BankingDomain:
    """Accounts and payments over a double-entry ledger; see `Domain`."""

    name = NAME
    offers = OFFERS

    def templates(self) -> Sequence[str]:
        """Names of the task templates."""
        return TEMPLATES

    def suits(self, template: str, needs: Sequence[Need]) -> bool:
        """Whether a template can meet some needs."""
        return suits(template, needs)

    def sample(self, template: str, language: str, writer: str, rng: Rng, wanted: Sequence[Need] = ()) -> BankTask:
        """Draw a task."""
        return sample_task(template, language, writer, rng, frozenset(wanted))

    def run(self, task: Task, environment: Environment, session: Session, profile: Profile) -> None:
        """Let the scripted agent work on a task.

        Raises:
            TypeError: A task or environment of another domain.
            AgentError: The agent cannot go on.
            HaltedError: The session's gate stopped it.
        """
        if not isinstance(task, BankTask) or not isinstance(environment, Bank):
            raise TypeError(f"expected a banking task and environment, found {type(task).__name__}")
        BankAgent(task, environment, session, profile).run()


DOMAIN: Final = BankingDomain()
