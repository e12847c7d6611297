"""How people write sums of money and periods, in English and Chinese."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from data_gen.randomness import Rng


class AmountStyle(StrEnum):
    """A way to write a sum of money."""

    CODE = "code"
    SYMBOL = "symbol"
    THOUSANDS = "thousands"
    MILLIONS = "millions"
    MILLIONS_WORD = "millions_word"
    PLAIN_ZH = "plain_zh"
    COMMAS_ZH = "commas_zh"
    WAN = "wan"


SYMBOLS: Final = {"USD": "$", "EUR": "€", "GBP": "£"}
NAMES_ZH: Final = {"CNY": "元", "USD": "美元", "EUR": "欧元"}
CURRENCIES: Final = {"en": ("USD", "EUR", "GBP"), "zh": ("CNY", "USD", "EUR")}
_ORDINALS: Final = {"1": "first", "2": "second", "3": "third", "4": "fourth"}
_NUMERALS_ZH: Final = {"1": "一", "2": "二", "3": "三", "4": "四"}


def format_amount(value: float, unit: str, style: AmountStyle) -> str:
    """Write a sum; exact for multiples of 1,000."""
    match style:
        case AmountStyle.CODE:
            return f"{value:,.0f} {unit}"
        case AmountStyle.SYMBOL:
            return f"{SYMBOLS[unit]}{value:,.0f}"
        case AmountStyle.THOUSANDS:
            return f"{value / 1e3:,.0f}k {unit}"
        case AmountStyle.MILLIONS:
            return f"{_short(value / 1e6, 3)}m {unit}"
        case AmountStyle.MILLIONS_WORD:
            return f"{_short(value / 1e6, 3)} million {unit}"
        case AmountStyle.PLAIN_ZH:
            return f"{value:.0f}{NAMES_ZH[unit]}"
        case AmountStyle.COMMAS_ZH:
            return f"{value:,.0f}{NAMES_ZH[unit]}"
        case AmountStyle.WAN:
            return f"{_short(value / 1e4, 1)}万{NAMES_ZH[unit]}"


def format_quantity(value: float, unit: str, style: AmountStyle) -> str:
    """Write a quantity: percentages with a decimal, money to the thousand in a style, smaller money to the cent."""
    if unit == "%":
        return format_percent(value)
    chinese = style in (AmountStyle.WAN, AmountStyle.PLAIN_ZH, AmountStyle.COMMAS_ZH)
    if unit not in (NAMES_ZH if chinese else SYMBOLS):
        gap = "" if chinese or not unit else " "
        return f"{_short(value, 2)}{gap}{unit}"
    if value >= 10_000 and value % 1000 == 0:
        return format_amount(value, unit, style)
    digits = _short(value, 2) if value == int(value) else f"{value:,.2f}"
    if chinese:
        plain = digits.replace(",", "") if style is AmountStyle.PLAIN_ZH else digits
        return f"{plain}{NAMES_ZH[unit]}"
    return f"{SYMBOLS[unit]}{digits}" if style is AmountStyle.SYMBOL else f"{digits} {unit}"


def format_percent(value: float) -> str:
    """Write a percentage with one decimal."""
    return f"{value:.1f}%"


def format_period(period: str, language: str, rng: Rng) -> str:
    """Write a quarter such as `2025-Q1` in one of the usual ways."""
    year, quarter = period.split("-Q")
    if language == "zh":
        forms = (f"{year}年第{_NUMERALS_ZH[quarter]}季度", f"{year}年{_NUMERALS_ZH[quarter]}季度", period)
    else:
        forms = (period, f"Q{quarter} {year}", f"the {_ORDINALS[quarter]} quarter of {year}")
    return forms[int(rng.random() * len(forms))]


def _short(value: float, decimals: int) -> str:
    text = f"{value:,.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
