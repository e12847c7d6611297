"""Recipes about issues, pull requests, releases, access and keys."""

from __future__ import annotations

from typing import Final

from data_gen.tasks.software_repo.attributes import Attribute as A
from data_gen.tasks.software_repo.catalogue import DEPENDENCIES, PIPELINES, SETTINGS, policy
from data_gen.tasks.software_repo.recipes import Area, Job, Look, Rule, do, infer, job, look


def of_issue(key: str, attribute: A, path: str, issue: str = "{issue}") -> Look:
    """What the record of an issue says."""
    return look(key, attribute, Area.ISSUE, issue, path)


def of_pull(key: str, attribute: A, path: str, pull: str = "{pull}") -> Look:
    """What the record of a pull request says."""
    return look(key, attribute, Area.PULL, pull, path)


def of_release(key: str, attribute: A, path: str, service: str = "{service}") -> Look:
    """What a release plan says."""
    return look(key, attribute, Area.RELEASE, service, path)


def age(key: str, name: str) -> Look:
    """For how long a key has been in use."""
    return look(key, A.AGE, Area.KEYS, "{service}", f"keys|{name}|age", name)


_OWNER: Final = look("owner", A.OWNER, Area.OWNERS, "{path}", "owner")
_CHECKS: Final = of_pull("checks", A.CHECKS, "checks_passed")

ISSUES: Final[tuple[Job, ...]] = (
    job("close_duplicate", of_issue("original", A.ORIGINAL, "earlier_report"),
        do("close_issue", issue="{issue}", reason="duplicate of $original"),
        do("link_issue", issue="{issue}", other="$original"), tells=("original",)),
    job("label_area", of_issue("area", A.AREA, "triage|area"), do("add_label", issue="{issue}", label="$area"),
        tells=("area",)),
    job("assign_owner", _OWNER, do("assign_issue", issue="{issue}", person="$owner"), tells=("owner",)),
    job("set_milestone", of_issue("milestone", A.MILESTONE, "triage|milestone"),
        do("set_milestone", issue="{issue}", milestone="$milestone"), tells=("milestone",)),
    job("label_and_milestone", of_issue("area", A.AREA, "triage|area"),
        of_issue("milestone", A.MILESTONE, "triage|milestone"), do("add_label", issue="{issue}", label="$area"),
        do("set_milestone", issue="{issue}", milestone="$milestone"), tells=("area", "milestone")),
    job("priority_by_users", of_issue("users", A.USERS, "users_hit"), policy("urgent_from_users", A.USERS),
        infer("met", A.MET, Rule.AT_LEAST, "users", "urgent_from_users", subject="{issue}"),
        do("add_label", "met", issue="{issue}", label="prio/urgent"),
        do("add_label", "met", unless=True, issue="{issue}", label="prio/normal"), tells=("users", "met")),
    job("transfer_issue", of_issue("home", A.HOME, "triage|repository"),
        do("transfer_issue", issue="{issue}", repository="$home"), tells=("home",)),
    job("close_stale", of_issue("idle", A.IDLE, "idle"), policy("stale_after", A.IDLE),
        infer("met", A.MET, Rule.AT_LEAST, "idle", "stale_after", subject="{issue}"),
        do("close_issue", "met", issue="{issue}", reason="stale"),
        do("add_label", "met", unless=True, issue="{issue}", label="state/keep"), tells=("idle", "met")),
    job("most_reported", of_issue("one", A.REPORTS, "reports"), of_issue("two", A.REPORTS, "reports", "{issue_b}"),
        of_issue("three", A.REPORTS, "reports", "{issue_c}"),
        infer("most", A.MOST_REPORTED, Rule.MOST, "one", "two", "three", subject="{service}"),
        do("pin_issue", issue="$most"), tells=("most",)),
    job("sum_of_reports", of_issue("one", A.REPORTS, "reports"), of_issue("two", A.REPORTS, "reports", "{issue_b}"),
        infer("sum", A.REPORTS, Rule.SUM, "one", "two", subject="{service}"),
        do("comment", issue="{issue}", text="@body"), tells=("one", "two", "sum")),
)  # fmt: skip

PULLS: Final[tuple[Job, ...]] = (
    job("request_owner_review", _OWNER, do("request_review", pull="{pull}", person="$owner"), tells=("owner",)),
    job("merge_if_green", _CHECKS, do("merge_pull", "checks", pull="{pull}"),
        do("request_changes", "checks", unless=True, pull="{pull}"), tells=("checks",)),
    job("merge_if_approved", of_pull("approvals", A.APPROVALS, "approvals"), policy("required_approvals", A.APPROVALS),
        infer("met", A.MET, Rule.AT_LEAST, "approvals", "required_approvals", subject="{pull}"),
        do("merge_pull", "met", pull="{pull}"),
        do("add_label", "met", unless=True, issue="{pull}", label="state/waiting"),
        tells=("approvals", "met")),
    job("keep_smaller", of_pull("one", A.LINES, "changed_lines"), of_pull("two", A.LINES, "changed_lines", "{pull_b}"),
        infer("smallest", A.SMALLEST, Rule.LEAST, "one", "two", subject="{service}"),
        do("merge_pull", pull="$smallest"), tells=("one", "two", "smallest")),
    job("retarget", of_release("branch", A.BRANCH, "branch"), do("retarget_pull", pull="{pull}", branch="$branch"),
        tells=("branch",)),
    job("retarget_and_review", of_release("branch", A.BRANCH, "branch"), _OWNER,
        do("retarget_pull", pull="{pull}", branch="$branch"), do("request_review", pull="{pull}", person="$owner"),
        tells=("branch", "owner")),
)  # fmt: skip

RELEASES: Final[tuple[Job, ...]] = (
    job("release_note", of_release("merged", A.MERGED, "merged"), of_release("fixes", A.FIXES, "fixes"),
        of_release("next", A.NEXT, "next_version"),
        do("publish_release", service="{service}", version="$next", notes="@body"), tells=("merged", "fixes", "next")),
    job("joint_release_note", of_release("one", A.FIXES, "fixes"), of_release("two", A.FIXES, "fixes", "{service_b}"),
        of_release("next", A.NEXT, "next_version"),
        infer("sum", A.FIXES, Rule.SUM, "one", "two", subject="{gateway}"),
        do("publish_release", service="{gateway}", version="$next", notes="@body"), tells=("one", "two", "sum")),
    job("roll_back", of_release("good", A.HEALTHY, "last_good_version"),
        do("deploy_version", service="{service}", environment="{env}", version="$good"), tells=("good",)),
    job("deploy_if_green", of_release("next", A.NEXT, "next_version"),
        of_release("good", A.HEALTHY, "last_good_version"),
        _CHECKS, do("deploy_version", "checks", service="{service}", environment="{env}", version="$next"),
        do("deploy_version", "checks", unless=True, service="{service}", environment="{env}", version="$good"),
        tells=("checks",)),
    job("downtime_note", look("one", A.DOWNTIME, Area.INCIDENT, "{incident}", "downtime"),
        look("two", A.DOWNTIME, Area.INCIDENT, "{incident_b}", "downtime"),
        infer("sum", A.DOWNTIME, Rule.SUM, "one", "two", subject="{service}"),
        do("post_status", service="{service}", text="@body"), tells=("one", "two", "sum")),
    job("incident_note", look("downtime", A.DOWNTIME, Area.INCIDENT, "{incident}", "downtime"),
        look("users", A.USERS, Area.INCIDENT, "{incident}", "users_hit"),
        do("post_status", service="{service}", text="@body"), tells=("downtime", "users")),
)  # fmt: skip

ACCESS: Final[tuple[Job, ...]] = (
    job("rotate_oldest_key", age("one", "{key}"), age("two", "{key_b}"),
        infer("oldest", A.OLDEST, Rule.MOST, "one", "two", subject="{service}"),
        do("rotate_key", service="{service}", key="$oldest"), tells=("one", "two", "oldest")),
    job("rotate_leaked_key", look("leaked", A.LEAKED, Area.KEYS, "{service}", "scan|leaked"),
        do("rotate_key", service="{service}", key="$leaked"), do("add_label", issue="{issue}", label="state/rotated"),
        tells=("leaked",)),
    job("rotate_if_old", age("one", "{key}"), policy("key_age", A.AGE),
        infer("met", A.MET, Rule.AT_LEAST, "one", "key_age", subject="{service}"),
        do("rotate_key", "met", service="{service}", key="{key}"),
        do("add_label", "met", unless=True, issue="{issue}", label="state/key-valid"), tells=("one", "met")),
    job("grant_role", look("level", A.LEVEL, Area.ROSTER, "{service}", "levels|{member}", "{member}"),
        do("grant_access", account="{member}", repository="{service}", level="$level"), tells=("level",)),
    job("revoke_leaver", look("leaver", A.LEAVER, Area.ROSTER, "{service}", "former_member"),
        do("revoke_access", account="$leaver", repository="{service}"), tells=("leaver",)),
    job("hand_over_ownership", look("leaver", A.LEAVER, Area.ROSTER, "{service}", "former_member"), _OWNER,
        do("revoke_access", account="$leaver", repository="{service}"),
        do("assign_issue", issue="{issue}", person="$owner"), tells=("leaver", "owner")),
)  # fmt: skip

RECIPES: Final[dict[str, Job]] = {
    recipe.name: recipe for recipe in (*DEPENDENCIES, *SETTINGS, *PIPELINES, *ISSUES, *PULLS, *RELEASES, *ACCESS)
}
