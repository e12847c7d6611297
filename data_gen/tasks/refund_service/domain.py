"""The refund service: complaints settled by three agents."""

from __future__ import annotations

from typing import Final

from data_gen.tasks.refund_service.environment import RefundEnvironment
from data_gen.tasks.refund_service.policy import RefundDesk
from data_gen.tasks.refund_service.recipes import TEMPLATES, suits
from data_gen.tasks.refund_service.sampling import sample_task
from data_gen.tasks.refund_service.task import OFFERS, RefundTask
from data_gen.tasks.scripted import ScriptedDomain

DOMAIN: Final = ScriptedDomain(
    name="refund_service",
    offers=OFFERS,
    template_names=TEMPLATES,
    draw=sample_task,
    task_type=RefundTask,
    environment_type=RefundEnvironment,
    agent=RefundDesk,
    fits=suits,
)
