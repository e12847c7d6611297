"""Banking: accounts, invoices, cards and standing orders; look up, decide, move money, report."""

from data_gen.tasks.banking.domain import DOMAIN

__all__ = ["DOMAIN"]
