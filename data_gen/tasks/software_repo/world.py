"""The repository that the tasks are about: its records and its people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from data_gen.tasks.software_repo.recipes import Area

Item = tuple[Area, str]
Records = Mapping[Item, JsonValue]


@dataclass(frozen=True, slots=True)
class Member:
    """A person in the directory."""

    name: str
    role: str
    email: str


@dataclass(frozen=True, slots=True)
class World:
    """A forge in its first state.

    Attributes:
        language: `en` or `zh`.
        company: Its domain label.
        members: Its directory; the first is the one who gets the message.
        records: By area and item.
    """

    language: str
    company: str
    members: tuple[Member, ...]
    records: Records
