"""The banking domain: accounts and payments over a double-entry ledger."""

from __future__ import annotations

from typing import Final

from data_gen.tasks.banking.environment import Bank
from data_gen.tasks.banking.policy import BankAgent
from data_gen.tasks.banking.sampling import sample_task
from data_gen.tasks.banking.task import OFFERS, BankTask
from data_gen.tasks.banking.templates import TEMPLATES, suits
from data_gen.tasks.scripted import ScriptedDomain

DOMAIN: Final = ScriptedDomain(
    name="banking",
    offers=OFFERS,
    template_names=TEMPLATES,
    draw=sample_task,
    task_type=BankTask,
    environment_type=Bank,
    agent=BankAgent,
    fits=suits,
)
