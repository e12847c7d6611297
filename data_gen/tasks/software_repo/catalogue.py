"""Recipes about dependencies, configuration and pipelines."""

from __future__ import annotations

from typing import Final

from data_gen.tasks.software_repo.attributes import Attribute as A
from data_gen.tasks.software_repo.recipes import Area, Do, Job, Look, Rule, do, infer, job, look


def fixed(key: str = "fixed", package: str = "{package}") -> Look:
    """The version that closes the hole."""
    return look(key, A.FIXED, Area.ADVISORY, package, "fixed_in")


def planned(key: str, attribute: A, service: str = "{service}") -> Look:
    """What the capacity plan wants in an environment."""
    return look(key, attribute, Area.PLAN, service, f"wanted|{{env}}|{attribute}", f"{service} {{env}}")


def running(key: str, attribute: A, env: str, setting: str, service: str = "{service}") -> Look:
    """What an environment is set to."""
    return look(key, attribute, Area.CONFIG, service, f"settings|{env}|{setting}", f"{service} {env}")


def logged(key: str, attribute: A, item: str = "{job}") -> Look:
    """What the log of a pipeline job says."""
    return look(key, attribute, Area.LOG, item, f"<{attribute}>")


def policy(key: str, attribute: A) -> Look:
    """What the rules of the repository ask for."""
    return look(key, attribute, Area.POLICY, "{policy}", key)


def sets(setting: str, value: str, env: str = "{env}", service: str = "{service}") -> Do:
    """A change of a setting."""
    return do("set_config", service=service, environment=env, setting=setting, value=value)


def bump(version: str = "$fixed", when: str = "", service: str = "{service}", package: str = "{package}") -> Do:
    """A change of a version in a manifest."""
    return do("bump_dependency", when, service=service, package=package, version=version)


_EXPOSED: Final = look("exposed", A.AFFECTED, Area.ADVISORY, "{package}", "exposed")
DEPENDENCIES: Final[tuple[Job, ...]] = (
    job("bump_to_fixed", fixed(), bump(), tells=("fixed",)),
    job(
        "bump_if_exposed", fixed(), _EXPOSED, bump(when="exposed"),
        do("add_label", "exposed", unless=True, issue="{issue}", label="state/not-affected"), tells=("exposed",),
    ),
    job("bump_two_services", fixed(), bump(), bump(service="{service_b}"), tells=("fixed",)),
    job(
        "bump_two_packages", fixed(), fixed("other", "{package_b}"), bump(),
        bump("$other", package="{package_b}"), tells=("fixed", "other"),
    ),
    job(
        "align_version", look("used", A.CURRENT, Area.MANIFEST, "{service_b}", "dependencies|{package}",
                              "{service_b} {package}"),
        bump("$used"), tells=("used",),
    ),
    job(
        "newer_of_two", look("one", A.CURRENT, Area.MANIFEST, "{service}", "dependencies|{package}",
                             "{service} {package}"),
        look("two", A.CURRENT, Area.MANIFEST, "{service_b}", "dependencies|{package}", "{service_b} {package}"),
        infer("newer", A.NEXT, Rule.NEWER, "one", "two", subject="{package}"),
        bump("$newer"), bump("$newer", service="{service_b}"), tells=("newer",),
    ),
    job("remove_unused", look("unused", A.UNUSED, Area.MANIFEST, "{service}", "unused"),
        do("remove_dependency", service="{service}", package="$unused"), tells=("unused",)),
    job("pin_last_good", look("good", A.HEALTHY, Area.ADVISORY, "{package}", "last_good"),
        bump("$good"), do("add_label", issue="{issue}", label="state/pinned"), tells=("good",)),
)  # fmt: skip

SETTINGS: Final[tuple[Job, ...]] = (
    job("set_timeout", planned("timeout", A.TIMEOUT), sets("timeout", "$timeout"), tells=("timeout",)),
    job("set_memory_and_replicas", planned("memory", A.MEMORY), planned("replicas", A.REPLICAS),
        sets("memory", "$memory"), sets("replicas", "$replicas"), tells=("memory", "replicas")),
    job("double_peak", logged("peak", A.PEAK),
        infer("memory", A.MEMORY, Rule.DOUBLE, "peak", subject="{service} {env}"),
        sets("memory", "$memory"), tells=("peak", "memory")),
    job("add_pools", planned("pool", A.POOL), planned("other", A.POOL, "{service_b}"),
        infer("sum", A.POOL, Rule.SUM, "pool", "other", subject="{gateway}"),
        sets("pool", "$sum", service="{gateway}"), tells=("sum",)),
    job("copy_setting", running("timeout", A.TIMEOUT, "{env_b}", "timeout"), sets("timeout", "$timeout"),
        tells=("timeout",)),
    job("longer_retention", planned("retention", A.RETENTION), planned("other", A.RETENTION, "{service_b}"),
        infer("longer", A.RETENTION, Rule.LARGER, "retention", "other", subject="{gateway}"),
        sets("retention", "$longer", service="{gateway}"), tells=("retention", "other", "longer")),
    job("move_port", look("port", A.PORT, Area.PLAN, "{service}", "free_port"),
        sets("port", "$port"), tells=("port",)),
    job("replicas_for_load", look("load", A.LOAD, Area.METRICS, "{service}", "peak_load"),
        look("capacity", A.CAPACITY, Area.METRICS, "{service}", "load_per_replica"),
        infer("replicas", A.REPLICAS, Rule.QUOTIENT, "load", "capacity", subject="{service} {env}"),
        sets("replicas", "$replicas"), tells=("load", "replicas")),
    job("smaller_memory", planned("memory", A.MEMORY), running("now", A.MEMORY, "{env_b}", "memory"),
        infer("smaller", A.MEMORY, Rule.SMALLER, "memory", "now", subject="{gateway} {env}"),
        sets("memory", "$smaller", service="{gateway}"), tells=("smaller",)),
    job("switch_feature", look("trial", A.TRIAL, Area.EXPERIMENT, "{experiment}", "treatment_ahead"),
        do("set_flag", "trial", service="{service}", flag="{experiment}", state="on"),
        do("set_flag", "trial", unless=True, service="{service}", flag="{experiment}", state="off"),
        tells=("trial",)),
    job("triple_latency", look("latency", A.LATENCY, Area.METRICS, "{service}", "p99_latency"),
        infer("cutoff", A.CUTOFF, Rule.TRIPLE, "latency", subject="{service} {env}"),
        sets("cutoff", "$cutoff"), tells=("latency", "cutoff")),
)  # fmt: skip

PIPELINES: Final[tuple[Job, ...]] = (
    job("revert_culprit", logged("culprit", A.CULPRIT), do("revert_commit", service="{service}", commit="$culprit"),
        tells=("culprit",)),
    job("revert_slower", look("one", A.LATENCY, Area.BENCHMARK, "{commit}", "p99_latency"),
        look("two", A.LATENCY, Area.BENCHMARK, "{commit_b}", "p99_latency"),
        infer("slowest", A.SLOWEST, Rule.MOST, "one", "two", subject="{service}"),
        do("revert_commit", service="{service}", commit="$slowest"), tells=("one", "two", "slowest")),
    job("rerun_or_revert", logged("flaky", A.FLAKY), logged("culprit", A.CULPRIT),
        do("rerun_job", "flaky", job="{job}"),
        do("revert_commit", "flaky", unless=True, service="{service}", commit="$culprit"), tells=("flaky",)),
    job("skip_failing_test", logged("failing", A.FAILING),
        do("skip_test", service="{service}", test="$failing"),
        do("add_label", issue="{issue}", label="state/skipped-test"), tells=("failing",)),
    job("coverage_gate", logged("coverage", A.COVERAGE), policy("minimum_coverage", A.COVERAGE),
        infer("met", A.MET, Rule.AT_LEAST, "coverage", "minimum_coverage", subject="{pull}"),
        do("merge_pull", "met", pull="{pull}"),
        do("request_changes", "met", unless=True, pull="{pull}"), tells=("coverage", "met")),
    job("size_gate", logged("size", A.SIZE), policy("largest_artifact", A.SIZE),
        infer("met", A.MET, Rule.AT_MOST, "size", "largest_artifact", subject="{pull}"),
        do("merge_pull", "met", pull="{pull}"),
        do("request_changes", "met", unless=True, pull="{pull}"), tells=("size", "met")),
    job("backport", look("squashed", A.MERGE_COMMIT, Area.PULL, "{pull}", "merge_commit"),
        look("branch", A.BRANCH, Area.RELEASE, "{service}", "branch"),
        do("backport_commit", commit="$squashed", branch="$branch"), tells=("squashed", "branch")),
    job("build_time_gap", logged("one", A.DURATION), logged("two", A.DURATION, "{job_b}"),
        infer("gap", A.DURATION, Rule.DIFFERENCE, "one", "two", subject="{service}"),
        do("comment", issue="{issue}", text="@body"), tells=("one", "two", "gap")),
    job("pipeline_limit", logged("one", A.DURATION), logged("two", A.DURATION, "{job_b}"),
        infer("sum", A.DURATION, Rule.SUM, "one", "two", subject="{service}"),
        do("set_config", service="{service}", environment="{env}", setting="pipeline_limit", value="$sum"),
        tells=("sum",)),
)  # fmt: skip
