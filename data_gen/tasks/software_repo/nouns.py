"""Names of services, packages, branches, keys and the like. All invented; each kind has a pattern that finds it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

import re2

from data_gen.randomness import Rng
from data_gen.texts import names

SERVICES: Final = {
    "en": (
        "billing", "checkout", "catalog", "search", "ledger", "shipping", "profile", "gateway", "invoices", "reviews",
        "sessions", "uploads", "mailer", "pricing",
    ),
    "zh": (
        "订单服务", "支付网关", "账单服务", "搜索服务", "消息中心", "库存服务", "用户中心", "推荐服务", "物流服务",
        "报表服务", "会话服务", "评论服务",
    ),
}  # fmt: skip
ENVIRONMENTS: Final = {
    "en": ("production", "staging", "preview", "testing"),
    "zh": ("生产环境", "预发环境", "演示环境", "测试环境"),
}
LEVELS: Final = ("triage", "write", "maintain", "admin")
LABELS: Final = (
    "area/network", "area/parser", "area/storage", "area/login", "area/cache", "area/export", "area/build",
    "area/search",
)  # fmt: skip
_PACKAGE_A: Final = (
    "amber", "brisk", "cobalt", "dapper", "ember", "fable", "garnet", "hazel", "islet", "jasper", "kestrel", "lumen",
    "marble", "nimbus", "onyx", "pepper", "quartz", "raven", "saffron", "tundra",
)  # fmt: skip
_PACKAGE_B: Final = ("core", "utils", "client", "tools", "kit", "queue", "parse", "cache")
_HANDLE_A: Final = (
    "mossy", "quiet", "brass", "tin", "early", "plain", "dusty", "swift", "north", "velvet", "paper", "copper",
)  # fmt: skip
_HANDLE_B: Final = ("heron", "otter", "lynx", "finch", "badger", "wren", "marten", "gull", "ibis", "stoat")
_PATHS: Final = (
    "src/parser", "src/net", "src/store", "lib/auth", "lib/cache", "web/forms", "jobs/export", "ops/deploy",
)  # fmt: skip
_TESTS: Final = (
    "test_retry_order", "test_empty_basket", "test_slow_upload", "test_token_refresh", "test_page_limits",
    "test_unicode_sort", "test_locked_row", "test_cold_start", "test_bulk_import", "test_time_zones",
)  # fmt: skip


class NameKind(StrEnum):
    """Kinds of name that could be mistaken for each other."""

    VERSION = "version"
    COMMIT = "commit"
    ISSUE = "issue"
    PULL = "pull"
    PERSON = "person"
    TEST = "test"
    KEY = "key"
    LABEL = "label"
    BRANCH = "branch"
    LEVEL = "level"
    MILESTONE = "milestone"
    PACKAGE = "package"
    SERVICE = "service"
    ENVIRONMENT = "environment"


HANDLE_PATTERN: Final = rf"(?:{'|'.join(_HANDLE_A)})-(?:{'|'.join(_HANDLE_B)})\d\d"
PACKAGE_PATTERN: Final = rf"(?:{'|'.join(_PACKAGE_A)})-(?:{'|'.join(_PACKAGE_B)})"
MENTION: Final = re2.compile(r"@[a-z]+-[a-z]+\d\d")
_PATTERNS: Final = MappingProxyType(
    {
        NameKind.VERSION: r"\b\d+\.\d+\.\d+\b",
        NameKind.COMMIT: r"\b[a-f][0-9][0-9a-f]{5}\b",
        NameKind.ISSUE: r"#\d{3,4}\b",
        NameKind.PULL: r"!\d{3,4}\b",
        NameKind.TEST: r"\btest_[a-z_]+\b",
        NameKind.KEY: r"\bkey-[0-9a-f]{6}\b",
        NameKind.LABEL: r"\barea/[a-z]+\b",
        NameKind.BRANCH: r"\brelease/\d+\.\d+\b",
        NameKind.LEVEL: rf"\b(?:{'|'.join(LEVELS)})\b",
        NameKind.MILESTONE: r"\b20\d\d\.\d\d\b",
        NameKind.PACKAGE: PACKAGE_PATTERN,
        NameKind.SERVICE: "|".join((*SERVICES["zh"], rf"\b(?:{'|'.join(SERVICES['en'])})\b")),
        NameKind.ENVIRONMENT: "|".join((*ENVIRONMENTS["zh"], rf"\b(?:{'|'.join(ENVIRONMENTS['en'])})\b")),
    }
)


@lru_cache(maxsize=32)
def _pattern(kind: NameKind) -> Any:  # noqa: ANN401 - re2 ships no types
    return re2.compile(_PATTERNS[kind])


@lru_cache(maxsize=16384)
def find_names(text: str, kind: NameKind, language: str) -> tuple[str, ...]:
    """The names of a kind in a text, in order; of persons the first alone."""
    if kind is NameKind.PERSON:
        found = names.person_in(text, language)
        return () if found is None else (found,)
    return tuple(dict.fromkeys(match.group(0) for match in _pattern(kind).finditer(text)))


def draw_name(kind: NameKind, language: str, rng: Rng) -> str:
    """A name of a kind."""
    if kind is NameKind.PERSON:
        return names.person(language, rng)
    if kind in (NameKind.SERVICE, NameKind.ENVIRONMENT):
        return names.pick((SERVICES if kind is NameKind.SERVICE else ENVIRONMENTS)[language], rng)
    return _DRAWS[kind](rng)


_DRAWS: Final[Mapping[NameKind, Callable[[Rng], str]]] = MappingProxyType(
    {
        NameKind.VERSION: lambda rng: f"{rng.randint(1, 9)}.{rng.randint(10, 40)}.{rng.randint(1, 9)}",
        NameKind.COMMIT: lambda rng: f"{rng.choice('abcdef')}{rng.randint(0, 9)}{rng.randint(0, 16**5 - 1):05x}",
        NameKind.ISSUE: lambda rng: f"#{rng.randint(1100, 9800)}",
        NameKind.PULL: lambda rng: f"!{rng.randint(1100, 9800)}",
        NameKind.TEST: lambda rng: names.pick(_TESTS, rng),
        NameKind.KEY: lambda rng: f"key-{rng.randint(0, 16**6 - 1):06x}",
        NameKind.LABEL: lambda rng: names.pick(LABELS, rng),
        NameKind.BRANCH: lambda rng: f"release/{rng.randint(2, 9)}.{rng.randint(10, 40)}",
        NameKind.LEVEL: lambda rng: names.pick(LEVELS, rng),
        NameKind.MILESTONE: lambda rng: f"20{rng.randint(26, 27)}.{rng.randint(1, 12):02d}",
        NameKind.PACKAGE: lambda rng: f"{names.pick(_PACKAGE_A, rng)}-{names.pick(_PACKAGE_B, rng)}",
    }
)


def handle(rng: Rng) -> str:
    """The account name of somebody on the forge."""
    return f"{names.pick(_HANDLE_A, rng)}-{names.pick(_HANDLE_B, rng)}{rng.randint(10, 99)}"


def path(rng: Rng) -> str:
    """A folder of a repository."""
    return names.pick(_PATHS, rng)
