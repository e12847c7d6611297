"""The travel domain as the generator sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from data_gen.agents import Profile
from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.session import Session
from data_gen.tasks.base import Environment, Task
from data_gen.tasks.travel_booking.environment import TravelEnvironment
from data_gen.tasks.travel_booking.policy import TravelAgent
from data_gen.tasks.travel_booking.sampling import sample_task, suits
from data_gen.tasks.travel_booking.shapes import TEMPLATES
from data_gen.tasks.travel_booking.task import TravelTask

NAME: Final = "travel_booking"


class TravelBookingDomain:
    """Journeys under a company's rules; see `Domain`."""

    name = NAME
    offers = frozenset(Need)

    def templates(self) -> Sequence[str]:
        """Names of the task templates."""
        return TEMPLATES

    def suits(self, template: str, needs: Sequence[Need]) -> bool:
        """Whether a template can hold some ingredients."""
        return suits(template, frozenset(needs))

    def sample(self, template: str, language: str, writer: str, rng: Rng, wanted: Sequence[Need] = ()) -> TravelTask:
        """Draw a task."""
        return sample_task(template, language, writer, rng, frozenset(wanted))

    def run(self, task: Task, environment: Environment, session: Session, profile: Profile) -> None:
        """Let the scripted agent work on a task.

        Raises:
            TypeError: A task or environment of another domain.
            AgentError: The agent cannot go on.
            HaltedError: The session's gate stopped it.
        """
        if not isinstance(task, TravelTask) or not isinstance(environment, TravelEnvironment):
            raise TypeError(f"expected a travel task and environment, found {type(task).__name__}")
        TravelAgent(task, environment, session, profile).run()


DOMAIN: Final = TravelBookingDomain()
