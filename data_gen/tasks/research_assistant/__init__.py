"""Research assistant: answers questions from a collection of studies, reports and tables."""

from data_gen.tasks.research_assistant.domain import DOMAIN

__all__ = ["DOMAIN"]
