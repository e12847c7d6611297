"""Sales reports: query figures, read files, conclude, write a report, send a mail."""

from data_gen.tasks.sales_report.domain import SalesReportDomain

__all__ = ["SalesReportDomain"]
