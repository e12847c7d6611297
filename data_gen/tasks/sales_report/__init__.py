"""Sales reports: query, compare, report, mail."""

from data_gen.tasks.sales_report.domain import DOMAIN

__all__ = ["DOMAIN"]
