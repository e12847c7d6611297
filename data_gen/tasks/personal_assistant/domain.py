"""The assistant's domain: a household assistant over several sittings."""

from __future__ import annotations

from typing import Final

from data_gen.tasks.personal_assistant.catalogue import BY_NAME
from data_gen.tasks.personal_assistant.environment import Household
from data_gen.tasks.personal_assistant.policy import Assistant
from data_gen.tasks.personal_assistant.sampling import sample_task, suits
from data_gen.tasks.personal_assistant.task import OFFERS, AssistantTask
from data_gen.tasks.scripted import ScriptedDomain

DOMAIN: Final = ScriptedDomain(
    name="personal_assistant",
    offers=OFFERS,
    template_names=tuple(BY_NAME),
    draw=sample_task,
    task_type=AssistantTask,
    environment_type=Household,
    agent=Assistant,
    fits=suits,
)
