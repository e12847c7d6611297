"""Task domains. Each is one module or package with a class that satisfies `Domain`; register it here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from data_gen.tasks.base import Domain
from data_gen.tasks.sales_report import SalesReportDomain

DOMAINS: Final[Mapping[str, Domain]] = MappingProxyType({"sales_report": SalesReportDomain()})
