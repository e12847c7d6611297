"""The shared state: exact with many processes, over forks, in SQLite and PostgreSQL; history and rollback."""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import yaml

from mage_ml.errors import ConfigError
from mage_ml.runtime.governor import (
    ConstraintGovernor,
    GovernorSetup,
    Outcome,
    StateError,
    StateStore,
    parse_constraints,
)
from mage_ml.runtime.governor import state_tables as tables
from mage_ml.runtime.governor.state_types import Counts
from mage_ml.runtime.governor.versions import VersionHistory
from tests.runtime.postgres import find_binaries, server

from . import workers
from .make import at, constraint_set, rule

PROCESSES = 16


def run_processes(work: Callable[..., None], place: str, times: int) -> None:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["mage_ml.runtime.governor"])
    started = [context.Process(target=work, args=(place, number, times)) for number in range(PROCESSES)]
    for process in started:
        process.start()
    for process in started:
        process.join()
    assert [process.exitcode for process in started] == [0] * PROCESSES


def assert_exact(place: str, checks: int) -> None:
    store = StateStore(place)
    counts = store.health("no_gift").counts
    bad = PROCESSES * len(range(0, checks, 4))
    assert (counts.triggered, counts.violated, counts.held_back) == (PROCESSES * checks, bad, bad)
    assert sum(row.counts.triggered for row in store.counts()) == PROCESSES * checks
    assert len(store.violations(limit=10_000)) == bad
    assert len(VersionHistory(store).all()) == 1
    store.close()


@pytest.mark.slow
def test_sixteen_processes_share_one_state_with_exact_counts_and_one_version(tmp_path: Path) -> None:
    run_processes(workers.count, str(tmp_path / "state.db"), 20)
    assert_exact(str(tmp_path / "state.db"), 20)


@pytest.mark.slow
def test_retries_of_one_turn_are_counted_across_processes(tmp_path: Path) -> None:
    place = str(tmp_path / "state.db")
    run_processes(workers.reject, place, 1)
    with ConstraintGovernor(constraint_set(retries={"max_attempts": 20}), GovernorSetup(state=place)) as governor:
        retry = governor.check_and_enforce("agent", "a gift", at(7, "shared")).retry
    assert retry is not None
    assert retry.attempt == PROCESSES + 1


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    binaries = find_binaries()
    if binaries is None:
        pytest.skip("no PostgreSQL server on this machine")
    with server(binaries) as url:
        yield url


@pytest.mark.slow
def test_postgresql_keeps_the_same_state(postgres: str) -> None:
    with ConstraintGovernor(constraint_set(), GovernorSetup(state=postgres)) as governor:
        assert governor.check_and_enforce("agent", "a gift", at()).outcome is Outcome.REGENERATE
        governor.switch("no_gift", False, author="mei", reason="r")
        governor.switch("no_gift", True, author="mei", reason="r")
        retry = governor.check_and_enforce("agent", "a gift", at()).retry
        assert retry is not None
        assert retry.attempt == 2
        governor.check_and_enforce("agent", "we cannot send a gift", at())
        assert governor.state_of("no_gift").violation_count == 2
    threads = [threading.Thread(target=workers.count, args=(postgres, number, 8)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    store = StateStore(postgres)
    assert store.health("no_gift").counts.triggered == 3 + 4 * 8
    assert len(VersionHistory(store).all()) == 1
    store.close()


def test_counts_of_a_process_that_forks_are_not_counted_twice(tmp_path: Path) -> None:
    store = StateStore(tmp_path / "state.db", flush_s=60)
    store.count("agent", {"a": Counts(triggered=5)})
    child = os.fork()
    if child == 0:
        code = 1
        try:
            store.count("agent", {"a": Counts(triggered=2)})
            store.close()
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    assert store.health("a").counts.triggered == 7
    store.close()


def test_counts_are_written_in_the_background_and_kept_while_the_state_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    store = StateStore(path, flush_s=0.01)
    store.count("agent", {"a": Counts(triggered=1)})
    other = StateStore(path)
    for _ in range(200):
        if other.health("a").counts.triggered:
            break
        threading.Event().wait(0.01)
    assert other.health("a").counts.triggered == 1
    with store.database.write() as connection:
        connection.execute(sa.text("ALTER TABLE governor_totals RENAME TO hidden"))
    store.count("agent", {"a": Counts(triggered=1)})
    with pytest.raises(StateError, match="cannot be written"):
        store.flush()
    with store.database.write() as connection:
        connection.execute(sa.text("ALTER TABLE hidden RENAME TO governor_totals"))
    assert store.health("a").counts.triggered == 2
    store.close()
    other.close()


def test_counts_are_kept_by_constraint_agent_and_time(tmp_path: Path) -> None:
    now = [7200.0]
    store = StateStore(tmp_path / "state.db", clock=lambda: now[0])
    with ConstraintGovernor(constraint_set(), GovernorSetup(state=store)) as governor:
        governor.check_and_enforce("one", "a gift", at())
        now[0] = 11_000.0
        governor.check_and_enforce("two", "we cannot send a gift", at())
        rows = [(row.key.agent_id, row.key.bucket, row.counts.violated) for row in store.counts()]
        assert rows == [("one", 7200, 1), ("two", 10_800, 0)]
        assert len(store.counts(since=10_900)) == 1
        assert [row.agent_id for row in store.violations(constraint_id="no_gift")] == ["one"]
        assert store.violations_since("no_gift", 8000) == 0
    store.close()


def test_a_state_of_no_known_kind_is_refused() -> None:
    with pytest.raises(StateError, match="governor state: no support for 'mysql'"):
        StateStore("mysql://host/db")


def source(version: str, **fields: Any) -> str:
    return yaml.safe_dump({"version": version, "constraints": [rule()], **fields}, allow_unicode=True)


def test_each_version_is_kept_with_reason_and_author_and_the_same_text_is_kept_once(tmp_path: Path) -> None:
    path, store = tmp_path / "c.yaml", StateStore(tmp_path / "state.db", clock=lambda: 50.0)
    path.write_text(source("1", change={"author": "mei", "reason": "start"}), encoding="utf-8")
    governor = ConstraintGovernor(path, GovernorSetup(state=store))
    ConstraintGovernor(path, GovernorSetup(state=store)).close()
    path.write_text(source("2", change={"author": "li", "reason": "wider"}), encoding="utf-8")
    assert governor.reload()
    assert not governor.reload()
    rows = governor.history.all()
    assert [(row.number, row.version, row.author, row.reason, row.at) for row in rows] == [
        (1, "1", "mei", "start", 50.0),
        (2, "2", "li", "wider", 50.0),
    ]
    governor.close()
    store.close()


def test_a_rollback_brings_the_old_text_back_as_a_new_version(tmp_path: Path) -> None:
    path, store = tmp_path / "c.yaml", StateStore(tmp_path / "state.db")
    first = source("1")
    path.write_text(first, encoding="utf-8")
    governor = ConstraintGovernor(path, GovernorSetup(state=store))
    path.write_text(source("2"), encoding="utf-8")
    governor.reload()
    with pytest.raises(ConfigError, match="author and a reason"):
        governor.history.restore(1, path, author="mei", reason=" ")
    with pytest.raises(ConfigError, match="no version 9 of the constraints; there are 1, 2"):
        governor.history.restore(9, path, author="mei", reason="r")
    row = governor.history.restore(1, path, author="mei", reason="too strict")
    assert (row.number, row.restores, row.author) == (3, 1, "mei")
    assert path.read_text(encoding="utf-8") == first
    assert governor.reload()
    assert governor.constraints.version == "1"
    assert len(governor.history.all()) == 3
    assert list(tmp_path.glob(".c.yaml*")) == []
    governor.close()
    store.close()


def test_constraints_made_in_python_are_replaced_as_a_whole() -> None:
    governor = ConstraintGovernor(constraint_set())
    row = governor.replace(constraint_set(rule(id="other", triggers=[]), version="2"), author="mei", reason="r")
    assert (row.number, row.version) == (2, "2")
    assert governor.check_and_enforce("agent", "a gift", at()).checked == ("other",)
    with pytest.raises(ConfigError, match="already"):
        governor.replace(constraint_set(rule(), rule()), author="mei", reason="r")
    assert governor.constraints.version == "2"
    governor.close()


def test_a_text_and_its_version_have_the_same_digest() -> None:
    assert parse_constraints(source("1"), "a").digest == parse_constraints(source("1"), "b").digest
    assert tuple(Counts.__dataclass_fields__) == tables.COUNTED
