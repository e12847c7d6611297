"""Task domains. Each is a package with an object `DOMAIN` that satisfies `Domain`; built-in ones are named here.

They are imported when they are first asked for, so that a domain may need libraries of an extra.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final, cast

from data_gen.plugins import is_reference, load_object
from data_gen.tasks.base import Domain
from mage_ml.config import nearest
from mage_ml.errors import ConfigError

BUILT_IN: Final = MappingProxyType(
    {
        "sales_report": "data_gen.tasks.sales_report",
        "refund_service": "data_gen.tasks.refund_service",
        "agentdojo": "data_gen.tasks.agentdojo",
        "banking": "data_gen.tasks.banking",
        "software_repo": "data_gen.tasks.software_repo",
        "travel_booking": "data_gen.tasks.travel_booking",
        "personal_assistant": "data_gen.tasks.personal_assistant",
        "research_assistant": "data_gen.tasks.research_assistant",
    }
)


class _BuiltInDomains(Mapping[str, Domain]):
    """The built-in domains by name, each imported when it is looked up."""

    def __getitem__(self, name: str) -> Domain:
        return _load(BUILT_IN[name])

    def __iter__(self) -> Iterator[str]:
        return iter(BUILT_IN)

    def __len__(self) -> int:
        return len(BUILT_IN)


DOMAINS: Final[Mapping[str, Domain]] = _BuiltInDomains()


def find_domain(name: str) -> Domain:
    """A built-in domain by its name, or a user's own by `module:ATTRIBUTE` or `path/to/file.py`.

    Raises:
        ConfigError: There is none of that name, or it is no domain.
    """
    if name in BUILT_IN:
        return DOMAINS[name]
    if is_reference(name):
        return _load(name)
    raise ConfigError(f"unknown domain {name!r}; {nearest(name, tuple(BUILT_IN))}, or give path/to/file.py of your own")


def _load(reference: str) -> Domain:
    found = load_object(reference, "DOMAIN")
    missing = [part for part in ("name", "offers", "templates", "sample", "run") if not hasattr(found, part)]
    if missing:
        raise ConfigError(f"{reference}: DOMAIN lacks {', '.join(missing)}; docs/domains.md shows what a domain has")
    return cast("Domain", found)
