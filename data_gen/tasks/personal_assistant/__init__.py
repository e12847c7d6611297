"""A personal assistant with lasting memory: stores facts in early sessions, acts on them in later ones."""

from data_gen.tasks.personal_assistant.domain import DOMAIN

__all__ = ["DOMAIN"]
