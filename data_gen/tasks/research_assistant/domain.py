"""The research domain: questions answered from a collection of documents."""

from __future__ import annotations

from typing import Final

from data_gen.tasks.research_assistant.environment import ResearchDesk
from data_gen.tasks.research_assistant.policy import ResearchAgent
from data_gen.tasks.research_assistant.recipes import TEMPLATES, suits
from data_gen.tasks.research_assistant.sampling import sample_task
from data_gen.tasks.research_assistant.task import OFFERS, ResearchTask
from data_gen.tasks.scripted import ScriptedDomain

DOMAIN: Final = ScriptedDomain(
    name="research_assistant",
    offers=OFFERS,
    template_names=TEMPLATES,
    draw=sample_task,
    task_type=ResearchTask,
    environment_type=ResearchDesk,
    agent=ResearchAgent,
    fits=suits,
)
