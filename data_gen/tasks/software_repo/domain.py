"""The repository domain: maintenance of a repository on a small forge."""

from __future__ import annotations

from typing import Final

from data_gen.tasks.scripted import ScriptedDomain
from data_gen.tasks.software_repo.forge import Forge
from data_gen.tasks.software_repo.policy import RepoAgent
from data_gen.tasks.software_repo.sampling import OFFERS, TEMPLATES, sample_task
from data_gen.tasks.software_repo.task import RepoTask

DOMAIN: Final = ScriptedDomain(
    name="software_repo",
    offers=OFFERS,
    template_names=TEMPLATES,
    draw=sample_task,
    task_type=RepoTask,
    environment_type=Forge,
    agent=RepoAgent,
)
