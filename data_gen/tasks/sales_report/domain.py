"""The sales-report domain: reports over an SQLite database."""

from __future__ import annotations

from typing import Final

from data_gen.tasks.sales_report.environment import SalesEnvironment
from data_gen.tasks.sales_report.policy import SalesAgent
from data_gen.tasks.sales_report.questions import TEMPLATES, suits
from data_gen.tasks.sales_report.task import OFFERS, SalesTask, sample_task
from data_gen.tasks.scripted import ScriptedDomain

DOMAIN: Final = ScriptedDomain(
    name="sales_report",
    offers=OFFERS,
    template_names=TEMPLATES,
    draw=sample_task,
    task_type=SalesTask,
    environment_type=SalesEnvironment,
    agent=SalesAgent,
    fits=suits,
)
