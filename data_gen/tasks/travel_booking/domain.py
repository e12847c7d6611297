"""The travel domain: journeys under a company's rules."""

from __future__ import annotations

from typing import Final

from data_gen.needs import Need
from data_gen.tasks.scripted import ScriptedDomain
from data_gen.tasks.travel_booking.environment import TravelEnvironment
from data_gen.tasks.travel_booking.policy import TravelAgent
from data_gen.tasks.travel_booking.sampling import sample_task, suits
from data_gen.tasks.travel_booking.shapes import TEMPLATES
from data_gen.tasks.travel_booking.task import TravelTask

DOMAIN: Final = ScriptedDomain(
    name="travel_booking",
    offers=frozenset(Need),
    template_names=TEMPLATES,
    draw=sample_task,
    task_type=TravelTask,
    environment_type=TravelEnvironment,
    agent=TravelAgent,
    fits=suits,
)
