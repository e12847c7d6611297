"""The audit log in a real PostgreSQL server."""

import multiprocessing
import os
import threading

import pytest
import sqlalchemy as sa

from mage_ml.errors import AuditError
from mage_ml.runtime.audit import AuditEvent, AuditLog, AuditQuery, verify
from mage_ml.runtime.guard import MageGuard
from tests.runtime.cases import GOAL_ZH, chain, mail, record, tool, user
from tests.runtime.postgres import find_binaries, server

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        find_binaries() is None and not os.environ.get("CI"), reason="no PostgreSQL server on this machine"
    ),
]


@pytest.fixture(scope="module")
def cluster():
    binaries = find_binaries()
    assert binaries is not None, "install PostgreSQL: these tests may not be skipped here"
    with server(binaries) as url:
        yield url


@pytest.fixture
def url(cluster, request):
    """A database of its own for every test."""
    name = f"d{abs(hash(request.node.name)) % 10**9}"
    engine = sa.create_engine(cluster, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f"CREATE DATABASE {name}")
    engine.dispose()
    return cluster.replace("@/postgres?", f"@/{name}?")


def event(number, **payload):
    body = {"n": number, "文": "字\x00", "entry_id": f"e{number % 3}", "reason": f"Because of {number}.", **payload}
    return AuditEvent(run_id=f"run{number % 2}", decision_id=f"d{number}", action="halt", payload=body)


def test_decisions_are_recorded_searched_and_verified(url):
    with AuditLog(url) as log:
        guard = MageGuard.create(goal=GOAL_ZH, audit=log)
        for entry in chain(user(GOAL_ZH), tool(record(5, "华北"))):
            guard.observe(entry)
        decision = guard.check(mail("e1"))
        assert log.find(decision.decision_id)[0].action == decision.action
        for number in range(20):
            log.append(event(number))
        assert log.count(AuditQuery(entry_id="e1")) == 8
        assert log.count(AuditQuery(text="BECAUSE of 7")) == 1
        pages = list(log.matches(AuditQuery(entry_id="e2", limit=2, newest_first=True)))
        assert [record.decision_id for record in pages] == ["d17", "d14", "d11", "d8", "d5", "d2"]
        assert verify(log).is_whole
    with AuditLog(url, read_only=True) as log:
        assert verify(log).records == 21


@pytest.mark.parametrize(
    "statement", ["UPDATE audit_records SET action = 'x'", "DELETE FROM audit_records", "TRUNCATE audit_records"]
)
def test_the_log_is_append_only_through_sql(url, statement):
    with AuditLog(url) as log:
        log.append(event(1))
    engine = sa.create_engine(url)
    with pytest.raises(sa.exc.DBAPIError, match="append-only"), engine.begin() as connection:
        connection.exec_driver_sql(statement)
    engine.dispose()


def test_an_edit_by_the_owner_of_the_database_is_found(url):
    with AuditLog(url) as log:
        for number in range(5):
            log.append(event(number))
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE audit_records DISABLE TRIGGER ALL")
        connection.exec_driver_sql("UPDATE audit_records SET action = 'proceed' WHERE sequence = 2")
    engine.dispose()
    with AuditLog(url) as log:
        assert "record 2: its content" in verify(log).problems[0]


def _append_many(url, base):
    with AuditLog(url) as log:
        threads = [
            threading.Thread(target=lambda start=start: [log.append(event(start + n)) for n in range(10)])
            for start in range(base, base + 40, 10)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


def test_processes_with_threads_append_in_one_chain_from_the_first_record_on(url):
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_append_many, args=(url, base)) for base in (0, 100, 200)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    with AuditLog(url) as log:
        assert len(log) == 120
        assert verify(log).is_whole
        assert len({record.decision_id for record in log.records()}) == 120


def test_both_sides_of_a_fork_go_on_in_one_chain(url):
    with AuditLog(url) as log:
        log.append(event(0))
        child = os.fork()
        if child == 0:
            try:
                log.append(event(1))
            finally:
                os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        log.append(event(2))
        assert len(log) == 3
        assert verify(log).is_whole


def test_a_server_that_is_gone_is_an_error_that_shows_no_password(tmp_path):
    with pytest.raises(AuditError) as caught:
        AuditLog(f"postgresql+psycopg://u:topsecret@/x?host={tmp_path}")
    assert "topsecret" not in str(caught.value)


def test_a_database_that_is_not_supported_is_named():
    with pytest.raises(AuditError, match="'mysql'"):
        AuditLog("mysql://host/db")
