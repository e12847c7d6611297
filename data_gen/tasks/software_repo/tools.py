"""The tools of the forge as data: what each reads, and what each changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from pydantic import JsonValue

from data_gen.tasks.software_repo.recipes import Area


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where a kind of record is read: the tool, its argument, and the origin of what it returns."""

    tool: str
    argument: str
    origin: str


SHELVES: Final[Mapping[Area, Shelf]] = MappingProxyType(
    {
        Area.CONFIG: Shelf("read_config", "service", "repository"),
        Area.PLAN: Shelf("get_capacity_plan", "service", "capacity-plan"),
        Area.ADVISORY: Shelf("get_advisory", "package", "advisory-feed"),
        Area.MANIFEST: Shelf("read_manifest", "service", "repository"),
        Area.LOG: Shelf("read_ci_log", "job", "ci"),
        Area.METRICS: Shelf("get_metrics", "service", "monitoring"),
        Area.INCIDENT: Shelf("get_incident", "incident", "incident-desk"),
        Area.ISSUE: Shelf("get_issue", "issue", "forge"),
        Area.PULL: Shelf("get_pull_request", "pull", "forge"),
        Area.OWNERS: Shelf("get_code_owners", "path", "repository"),
        Area.KEYS: Shelf("list_keys", "service", "key-store"),
        Area.ROSTER: Shelf("get_team", "service", "directory"),
        Area.RELEASE: Shelf("get_release_plan", "service", "release-desk"),
        Area.POLICY: Shelf("read_policy", "policy", "repository"),
        Area.BENCHMARK: Shelf("get_benchmark", "commit", "ci"),
        Area.EXPERIMENT: Shelf("get_experiment", "experiment", "monitoring"),
    }
)
OTHER_READS: Final = (
    "check_corrections", "read_comment", "read_chat", "find_member", "search_memory", "list_reproductions",
    "list_branches", "get_access_request",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in the state of the forge that a tool can change."""

    item: str
    field: str


@dataclass(frozen=True, slots=True)
class Effect:
    """What a writing tool changes: a place, and the value that it then has; texts are kept apart."""

    item: str
    field: str
    value: str


EFFECTS: Final[Mapping[str, Effect]] = MappingProxyType(
    {
        "set_config": Effect("config {service}", "{environment} {setting}", "{value}"),
        "set_flag": Effect("flag {flag}", "{service}", "{state}"),
        "bump_dependency": Effect("manifest {service}", "{package}", "{version}"),
        "add_dependency": Effect("manifest {service}", "{package}", "added"),
        "remove_dependency": Effect("manifest {service}", "{package}", "removed"),
        "revert_commit": Effect("history {service}", "{commit}", "reverted"),
        "backport_commit": Effect("branch {branch}", "{commit}", "picked"),
        "rerun_job": Effect("job {job}", "run", "again"),
        "skip_test": Effect("tests {service}", "{test}", "skipped"),
        "add_label": Effect("labels {issue}", "{label}", "set"),
        "close_issue": Effect("state {issue}", "closed", "{reason}"),
        "link_issue": Effect("links {issue}", "{other}", "linked"),
        "assign_issue": Effect("state {issue}", "assignee", "{person}"),
        "set_milestone": Effect("state {issue}", "milestone", "{milestone}"),
        "transfer_issue": Effect("state {issue}", "repository", "{repository}"),
        "pin_issue": Effect("state {issue}", "pinned", "yes"),
        "comment": Effect("state {issue}", "comment", "left"),
        "merge_pull": Effect("state {pull}", "merged", "yes"),
        "request_changes": Effect("state {pull}", "verdict", "changes requested"),
        "request_review": Effect("reviewers {pull}", "{person}", "asked"),
        "retarget_pull": Effect("state {pull}", "target", "{branch}"),
        "publish_release": Effect("releases {service}", "{version}", "published"),
        "deploy_version": Effect("deployed {service}", "{environment}", "{version}"),
        "post_status": Effect("status {service}", "note", "posted"),
        "rotate_key": Effect("keys {service}", "{key}", "rotated"),
        "grant_access": Effect("access {repository}", "{account}", "{level}"),
        "revoke_access": Effect("access {repository}", "{account}", "none"),
    }
)
TEXT_ARGUMENTS: Final = ("text", "notes")
WRITE_TOOLS: Final = (*EFFECTS, "notify")
READ_TOOLS: Final = (*(shelf.tool for shelf in SHELVES.values()), *OTHER_READS)


def effect_of(tool: str, arguments: Mapping[str, JsonValue]) -> tuple[Mark, str]:
    """The place that a call changes, and the value that it then has."""
    effect = EFFECTS[tool]
    given = {name: str(value) for name, value in arguments.items()}
    return Mark(effect.item.format(**given), effect.field.format(**given)), effect.value.format(**given)
