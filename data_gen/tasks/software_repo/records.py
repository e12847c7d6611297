"""Draws the records of a forge: what each tool shows, field by field."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from pydantic import JsonValue

from data_gen.randomness import Rng
from data_gen.tasks.software_repo.attributes import MEANINGS, Attribute, Flag, Measure
from data_gen.tasks.software_repo.findings import Amount
from data_gen.tasks.software_repo.nouns import ENVIRONMENTS, LABELS, LEVELS, NameKind, draw_name, handle
from data_gen.tasks.software_repo.prose import PROSE
from data_gen.tasks.software_repo.recipes import Area, Job
from data_gen.tasks.software_repo.world import Records
from data_gen.texts import names
from data_gen.texts.grammar import capitalised, expand

_A = Attribute
_RANGES: Final = MappingProxyType(
    {
        _A.TIMEOUT: (3, 60), _A.MEMORY: (16, 260), _A.REPLICAS: (3, 40), _A.PORT: (3100, 9890), _A.POOL: (12, 98),
        _A.RETENTION: (12, 190), _A.PEAK: (16, 190), _A.LATENCY: (110, 970), _A.COVERAGE: (580, 960),
        _A.DURATION: (6, 95), _A.DOWNTIME: (4, 190), _A.SIZE: (3, 40), _A.MERGED: (21, 98), _A.FIXES: (11, 60),
        _A.USERS: (21, 960), _A.REPORTS: (4, 98), _A.IDLE: (11, 240), _A.APPROVALS: (0, 5), _A.LINES: (24, 990),
        _A.AGE: (31, 880), _A.LOAD: (420, 4900), _A.CAPACITY: (60, 240),
    }
)  # fmt: skip
_LOG_LABELS: Final = {
    "en": {
        _A.PEAK: "peak memory", _A.CULPRIT: "bisect ended at", _A.FLAKY: "failure pattern", _A.FAILING: "failing test",
        _A.COVERAGE: "line coverage", _A.SIZE: "artifact written", _A.DURATION: "total build time",
    },
    "zh": {
        _A.PEAK: "内存峰值", _A.CULPRIT: "二分定位于", _A.FLAKY: "失败规律", _A.FAILING: "失败用例",
        _A.COVERAGE: "行覆盖率", _A.SIZE: "产物写出", _A.DURATION: "构建总时间",
    },
}  # fmt: skip


class Drawer:
    """Draws the fields of records."""

    def __init__(self, language: str, roles: Mapping[str, str], rng: Rng) -> None:
        self.language, self.roles, self.rng = language, roles, rng
        self.packages: dict[str, str] = {}

    def amount(self, attribute: Attribute) -> JsonValue:
        """A number as records give it: with its unit, or plain."""
        low, high = _RANGES[attribute]
        kind = MEANINGS[attribute].kind
        assert isinstance(kind, Measure)
        number = round(self.rng.randint(low, high) * kind.step, 1)
        unit = kind.unit(self.language)
        return Amount(number, unit).written() if unit else int(number)

    def name(self, kind: NameKind) -> str:
        """A name of a kind."""
        return draw_name(kind, self.language, self.rng)

    def coin(self, chance: float = 0.5) -> bool:
        """Yes or no."""
        return self.rng.random() < chance

    def say(self, symbol: str, **fields: str) -> str:
        """A phrase."""
        return expand(PROSE[self.language], symbol, self.rng, fields)

    def of_kind(self, prefix: str) -> list[str]:
        """The names of roles of a kind, in this job or another."""
        return [value for name, value in self.roles.items() if name.split("_")[0] == prefix]

    def title(self) -> str:
        """The title of an issue."""
        return capitalised(self.say("title"))


def _settings(d: Drawer, key: str) -> JsonValue:
    per_env: dict[str, JsonValue] = {}
    for env in ENVIRONMENTS[d.language]:
        found: dict[str, JsonValue] = {
            "timeout": d.amount(_A.TIMEOUT), "memory": d.amount(_A.MEMORY), "replicas": d.amount(_A.REPLICAS),
            "pool": d.amount(_A.POOL), "retention": d.amount(_A.RETENTION),
        }  # fmt: skip
        per_env[env] = found
    return {key: per_env}


def _config(d: Drawer, item: str) -> JsonValue:
    folder = d.roles.get("path", "ops/deploy").split("/")[0]
    settings = _settings(d, "settings")
    assert isinstance(settings, dict)
    return {"service": item, "file": f"{folder}/settings_{d.rng.randint(10, 99)}.yaml", **settings}


def _plan(d: Drawer, item: str) -> JsonValue:
    wanted = _settings(d, "wanted")
    assert isinstance(wanted, dict)
    return {"service": item, "planner": d.name(NameKind.PERSON), "free_port": d.amount(_A.PORT), **wanted}


def _advisory(d: Drawer, item: str) -> JsonValue:
    fixed = d.packages.setdefault(item, d.name(NameKind.VERSION))
    major, minor, patch = fixed.split(".")
    numbers = [number for number in range(10) if str(number) != patch][:2]
    before: list[JsonValue] = [*(f"{major}.{minor}.{number}" for number in numbers)]
    return {
        "package": item, "severity": d.say("severity"), "reported_in": before, "fixed_in": fixed,
        "last_good": f"{major}.{int(minor) - 1}.{d.rng.randint(1, 9)}", "exposed": d.coin(), "summary": d.title(),
    }  # fmt: skip


def _manifest(d: Drawer, item: str) -> JsonValue:
    packages = [*d.of_kind("package"), *(d.name(NameKind.PACKAGE) for _ in range(3))]
    d.rng.shuffle(packages)
    versions: dict[str, JsonValue] = {package: _near_version(d, package) for package in packages}
    return {"service": item, "dependencies": versions, "unused": packages[0], "locked": d.coin()}


def _near_version(d: Drawer, package: str) -> str:
    """A version of a package; those that several services use differ little."""
    first = d.packages.setdefault(package, d.name(NameKind.VERSION))
    major, minor, _ = (int(part) for part in first.split("."))
    return f"{major}.{minor + d.rng.randint(0, 3)}.{d.rng.randint(1, 9)}"


def _log(d: Drawer, item: str) -> JsonValue:
    lines = []
    for attribute, label in _LOG_LABELS[d.language].items():
        kind = MEANINGS[attribute].kind
        if isinstance(kind, Measure):
            value = str(d.amount(attribute))
        elif isinstance(kind, Flag):
            value = names.pick(kind.words(d.coin(), d.language), d.rng)
        else:
            value = d.name(kind)
        lines.append(f"{label}{'：' if d.language == 'zh' else ': '}{value}")
    for _ in range(d.rng.randint(2, 3)):
        size, count = str(d.amount(_A.SIZE)), str(d.rng.randint(12, 90))
        lines.append(d.say("noise", size=size, n=count, handle=handle(d.rng)))
    d.rng.shuffle(lines)
    minute = d.rng.randint(0, 40)
    hour = 8 + minute // 9
    stamped = [f"{hour:02d}:{minute + number:02d} {line}" for number, line in enumerate(lines)]
    return "\n".join([f"{item}, exit 1", *stamped])


def _metrics(d: Drawer, item: str) -> JsonValue:
    return {
        "service": item, "p50_latency": d.amount(_A.LATENCY), "p99_latency": d.amount(_A.LATENCY),
        "slowest_call": d.amount(_A.LATENCY), "peak_load": d.amount(_A.LOAD), "load_per_replica": d.amount(_A.CAPACITY),
    }  # fmt: skip


def _incident(d: Drawer, item: str) -> JsonValue:
    return {
        "incident": item, "summary": d.title(), "downtime": d.amount(_A.DOWNTIME), "degraded": d.amount(_A.DOWNTIME),
        "users_hit": d.amount(_A.USERS), "tickets": d.amount(_A.USERS), "severity": d.say("severity"),
    }  # fmt: skip


def _issue(d: Drawer, item: str) -> JsonValue:
    return {
        "issue": item, "title": d.title(), "author": handle(d.rng), "labels": [names.pick(LABELS, d.rng)],
        "reports": d.amount(_A.REPORTS), "users_hit": d.amount(_A.USERS), "idle": d.amount(_A.IDLE),
        "earlier_report": d.name(NameKind.ISSUE), "mentions": [d.name(NameKind.ISSUE), d.name(NameKind.ISSUE)],
        "triage": {
            "area": names.pick(LABELS, d.rng), "milestone": d.name(NameKind.MILESTONE),
            "repository": d.name(NameKind.SERVICE),
        },
    }  # fmt: skip


def _pull(d: Drawer, item: str) -> JsonValue:
    return {
        "pull": item, "title": d.title(), "author": handle(d.rng), "checks_passed": d.coin(0.6),
        "approvals": d.amount(_A.APPROVALS), "comments": d.rng.randint(6, 30), "changed_lines": d.amount(_A.LINES),
        "head": d.name(NameKind.COMMIT), "merge_commit": d.name(NameKind.COMMIT),
    }  # fmt: skip


def _owners(d: Drawer, item: str) -> JsonValue:
    people = [d.name(NameKind.PERSON) for _ in range(3)]
    return {"path": item, "owner": people[0], "backup": people[1], "last_author": people[2]}


def _keys(d: Drawer, item: str) -> JsonValue:
    keys = [*d.of_kind("key"), d.name(NameKind.KEY)]
    d.rng.shuffle(keys)
    details: dict[str, JsonValue] = {
        key: {"age": d.amount(_A.AGE), "scope": names.pick(("deploy", "packages", "read-only"), d.rng)} for key in keys
    }
    return {"service": item, "keys": details, "scan": {"leaked": keys[0], "checked": list(keys)}}


def _roster(d: Drawer, item: str) -> JsonValue:
    members = list(dict.fromkeys([*d.of_kind("member"), *(d.name(NameKind.PERSON) for _ in range(2))]))
    d.rng.shuffle(members)
    levels: dict[str, JsonValue] = {member: names.pick(LEVELS, d.rng) for member in members}
    return {"service": item, "levels": levels, "former_member": d.name(NameKind.PERSON)}


def _release(d: Drawer, item: str) -> JsonValue:
    major, minor, patch = (int(part) for part in d.name(NameKind.VERSION).split("."))
    return {
        "service": item, "merged": d.amount(_A.MERGED), "fixes": d.amount(_A.FIXES), "authors": d.rng.randint(4, 18),
        "next_version": f"{major}.{minor + 2}.{d.rng.randint(0, 2)}",
        "last_good_version": f"{major}.{minor}.{patch}",
        "running_version": f"{major}.{minor + d.rng.randint(0, 1)}.{patch + d.rng.randint(1, 3)}",
        "branch": f"release/{major}.{minor + 2}", "frozen_branch": f"release/{major}.{minor + 1}",
    }  # fmt: skip


def _policy(d: Drawer, item: str) -> JsonValue:
    return {
        "policy": item, "required_approvals": d.rng.randint(1, 3), "minimum_coverage": d.amount(_A.COVERAGE),
        "largest_artifact": d.amount(_A.SIZE), "urgent_from_users": d.amount(_A.USERS),
        "stale_after": d.amount(_A.IDLE), "key_age": d.amount(_A.AGE),
    }  # fmt: skip


def _benchmark(d: Drawer, item: str) -> JsonValue:
    return {
        "commit": item, "p99_latency": d.amount(_A.LATENCY), "baseline": d.amount(_A.LATENCY),
        "runs": d.rng.randint(5, 30), "machine": handle(d.rng),
    }  # fmt: skip


def _experiment(d: Drawer, item: str) -> JsonValue:
    share = [f"{d.rng.randint(20, 70) / 10:.1f}%" for _ in range(2)]
    return {"experiment": item, "control": share[0], "treatment": share[1], "treatment_ahead": d.coin()}


_BUILDERS: Final[Mapping[Area, Callable[[Drawer, str], JsonValue]]] = MappingProxyType(
    {
        Area.CONFIG: _config, Area.PLAN: _plan, Area.ADVISORY: _advisory, Area.MANIFEST: _manifest, Area.LOG: _log,
        Area.METRICS: _metrics, Area.INCIDENT: _incident, Area.ISSUE: _issue, Area.PULL: _pull, Area.OWNERS: _owners,
        Area.KEYS: _keys, Area.ROSTER: _roster, Area.RELEASE: _release, Area.POLICY: _policy,
        Area.BENCHMARK: _benchmark, Area.EXPERIMENT: _experiment,
    }
)  # fmt: skip


def draw_records(jobs: tuple[Job, ...], language: str, roles: Mapping[str, str], rng: Rng) -> Records:
    """The records that some jobs need."""
    drawer = Drawer(language, roles, rng)
    items = dict.fromkeys((look.area, look.item) for job in jobs for look in job.looks)
    return {(area, item): _BUILDERS[area](drawer, item) for area, item in items}


def field_of(path: str, language: str) -> str:
    """A field as records in a language name it; `<peak>` stands for the label of a line of a log."""
    if path.startswith("<"):
        return _LOG_LABELS[language][Attribute(path.strip("<>"))]
    return path
