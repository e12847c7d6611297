"""Names in a bank's books, in English and Chinese. All invented."""

from __future__ import annotations

from typing import Final

from data_gen.randomness import Rng
from data_gen.tasks.banking.attributes import Kind
from data_gen.texts import names

ACCOUNTS: Final = {
    "en": (
        "Operations account", "Payroll account", "Reserve account", "Projects account", "Tax account",
        "Travel account", "Deposit account", "Workshop account",
    ),
    "zh": ("基本户", "工资户", "备用金户", "项目户", "税费户", "差旅户", "保证金户", "专项户"),
}  # fmt: skip
_FORMS: Final = {
    "en": (" Ltd", " Group", " Supplies", " Services", " Partners"),
    "zh": ("商贸公司", "科技公司", "物业公司", "印务公司", "物流公司"),
}
_PREFIX: Final = {
    "en": {Kind.INVOICE: "INV-", Kind.ORDER: "SO-", Kind.CONTRACT: "CT-", Kind.CLAIM: "EX-", Kind.CHARGE: "FEE-"},
    "zh": {Kind.INVOICE: "FP-", Kind.ORDER: "DZ-", Kind.CONTRACT: "HT-", Kind.CLAIM: "BX-", Kind.CHARGE: "SF-"},
}
_COUNTRIES: Final = (("DE", 18), ("DE", 18), ("DE", 18), ("AT", 16), ("ES", 20), ("SE", 20))
_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"
NUMBER_PATTERN: Final = r"[A-Z]{2}\d{2}(?: [A-Z\d]{4}){3,5}(?: \d{1,2})?\b|\d{4}(?: \d{4}){3} \d{3}\b"
DATE_PATTERN: Final = r"20\d{2}-\d{2}-\d{2}"


def label(kind: Kind, language: str, rng: Rng) -> str:
    """The name of a thing."""
    if kind is Kind.ACCOUNT:
        return names.pick(ACCOUNTS[language], rng)
    if kind is Kind.CARD:
        return (f"Card {rng.randint(2100, 9899)}", f"尾号{rng.randint(2100, 9899)}卡")[language == "zh"]
    if kind is Kind.QUOTE:
        return names.pick(names.CUSTOMERS[language], rng) + (" Bank" if language == "en" else "银行")
    return f"{_PREFIX[language][kind]}{rng.randint(20100, 98999)}"


def payee(language: str, rng: Rng) -> str:
    """The name of a firm that is paid."""
    return names.pick(names.CUSTOMERS[language], rng) + names.pick(_FORMS[language], rng)


def account_number(language: str, currency: str, rng: Rng) -> str:
    """The number of an account at some bank: an IBAN with right check digits, or a Chinese number with its own."""
    if language == "zh":
        return _grouped(_with_luhn(f"62{rng.randint(10**15, 10**16 - 1)}"))
    country, digits = ("GB", 14) if currency == "GBP" else _COUNTRIES[int(rng.random() * len(_COUNTRIES))]
    bank = "".join(rng.choice(_LETTERS) for _ in range(4)) if country == "GB" else ""
    body = bank + f"{rng.randint(10 ** (digits - 1), 10**digits - 1)}"
    return _grouped(f"{country}{check_digits(country, body):02d}{body}")


def check_digits(country: str, body: str) -> int:
    """The check digits of an IBAN (ISO 13616, modulus 97)."""
    return 98 - int("".join(str(int(char, 36)) for char in f"{body}{country}00")) % 97


def _with_luhn(digits: str) -> str:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (2 if place % 2 == 0 else 1)
        total += doubled - 9 if doubled > 9 else doubled
    return f"{digits}{-total % 10}"


def _grouped(text: str) -> str:
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))


def day(rng: Rng) -> str:
    """A date."""
    return f"2026-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"
