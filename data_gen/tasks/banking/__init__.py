"""Banking: accounts, invoices, cards and standing orders; look up, decide, move money, report."""

from data_gen.tasks.banking.domain import DOMAIN, BankingDomain

__all__ = ["DOMAIN", "BankingDomain"]
