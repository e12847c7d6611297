import multiprocessing
import sqlite3
import threading

import pytest

from mage_ml.errors import AuditError
from mage_ml.runtime.audit import AuditEvent, AuditLog, verify

FORGED = (
    "INSERT INTO audit_records SELECT {}, recorded_at, run_id, 'forged', action, payload, previous_hash, hash, "
    "version, kind FROM audit_records WHERE sequence = 2"
)
UNLOCK = "DROP TRIGGER audit_no_update; DROP TRIGGER audit_no_delete;"


def event(number, **fields):
    return AuditEvent(
        run_id=f"run{number % 2}",
        decision_id=f"d{number}",
        action="proceed",
        payload={"n": number, "文": "字"},
        **fields,
    )


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "audit log.sqlite"
    with AuditLog(path) as log:
        for number in range(6):
            log.append(event(number))
    return path


def tamper(path, script):
    connection = sqlite3.connect(path)
    connection.executescript(UNLOCK + script)
    connection.close()


def problems(path, **options):
    with AuditLog(path) as log:
        return verify(log, **options).problems


def test_complaint_29_records_are_on_disk_and_verify_after_reopening(path):
    with AuditLog(path) as log:
        assert len(log) == 6
        report = verify(log)
    assert report.is_whole
    assert report.records == 6


def test_the_log_goes_on_where_it_ended(path):
    with AuditLog(path) as log:
        assert log.append(event(6)).sequence == 7
        assert verify(log).is_whole


@pytest.mark.parametrize(
    ("script", "part"),
    [
        ("UPDATE audit_records SET payload = '{\"n\": 99}' WHERE sequence = 3", "record 3: its content"),
        ("UPDATE audit_records SET action = 'halt' WHERE sequence = 1", "record 1: its content"),
        ("UPDATE audit_records SET recorded_at = 0 WHERE sequence = 6", "record 6: its content"),
        ("DELETE FROM audit_records WHERE sequence = 3", "record 3 is missing"),
        ("DELETE FROM audit_records WHERE sequence = 6", "the last ones are lost"),
        ("DELETE FROM audit_records", "the last ones are lost"),
        (
            "UPDATE audit_records SET sequence = 99 WHERE sequence = 2;"
            "UPDATE audit_records SET sequence = 2 WHERE sequence = 3;"
            "UPDATE audit_records SET sequence = 3 WHERE sequence = 99",
            "record 2",
        ),
        ("UPDATE audit_records SET payload = 'not json' WHERE sequence = 4", "record 4 is damaged"),
        ("UPDATE audit_records SET run_id = CAST(run_id AS BLOB) WHERE sequence = 2", "record 2 is damaged: run_id"),
        ("UPDATE audit_records SET action = CAST(action AS BLOB) WHERE sequence = 2", "record 2 is damaged: action"),
        (
            "UPDATE audit_records SET recorded_at = CAST(recorded_at AS BLOB) WHERE sequence = 2",
            "record 2 is damaged: recorded_at",
        ),
        (FORGED.format(0), "1 records lie outside the chain"),
        (FORGED.format(99), "1 records lie outside the chain"),
    ],
)
def test_any_edit_loss_or_reorder_is_found(path, script, part):
    tamper(path, script)
    assert part in problems(path)[0]


def test_a_log_rewritten_from_end_to_end_is_found_by_a_head_noted_elsewhere(path, tmp_path):
    with AuditLog(path) as log:
        head = log.head().hash
    other = tmp_path / "other.sqlite"
    with AuditLog(other) as log:
        for number in range(7, 13):
            log.append(event(number))
    assert problems(path, expected_head=head) == ()
    assert problems(other) == ()
    assert "rewritten" in problems(other, expected_head=head)[0]


@pytest.mark.parametrize("statement", ["UPDATE audit_records SET action = 'x'", "DELETE FROM audit_records"])
def test_the_log_is_append_only_through_sql(path, statement):
    connection = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(statement)
    connection.close()


def test_queries_by_run_action_and_decision(path):
    with AuditLog(path) as log:
        assert [r.decision_id for r in log.records(run_id="run1")] == ["d1", "d3", "d5"]
        assert [r.decision_id for r in log.records(after=4)] == ["d4", "d5"]
        assert list(log.records(action="halt")) == []
        assert log.find("d2")[0].payload == {"n": 2, "文": "字"}


def test_complaint_30_queries_use_an_index(path):
    connection = sqlite3.connect(path)
    for where in ("decision_id = 'd1'", "run_id = 'run1' AND sequence > 3", "action = 'halt' AND sequence > 3"):
        plan = connection.execute(f"EXPLAIN QUERY PLAN SELECT * FROM audit_records WHERE {where}").fetchall()
        assert "USING INDEX" in plan[0][3]
    connection.close()


def test_writes_are_durable_by_default(path):
    with AuditLog(path) as log, log._database.write() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    with AuditLog(path, durable=False) as log, log._database.write() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 1


def test_a_full_disk_is_an_error_and_loses_nothing(path):
    with AuditLog(path) as log:
        with log._database.write() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 1")
        big = AuditEvent(run_id="r", decision_id="d", action="halt", payload={"x": "y" * 100_000})
        with pytest.raises(AuditError, match="full"):
            log.append(big)
        assert verify(log).is_whole
        assert len(log) == 6


def test_a_newer_format_is_refused_by_name(path):
    tamper(path, "UPDATE audit_head SET schema_version = 9")
    with pytest.raises(AuditError, match="format 9"):
        AuditLog(path)


def test_a_path_that_cannot_be_opened_is_named(tmp_path):
    with pytest.raises(AuditError, match="cannot be opened"):
        AuditLog(tmp_path / "no" / "such" / "folder.sqlite")


def test_threads_append_in_one_chain(tmp_path):
    with AuditLog(tmp_path / "a.sqlite", durable=False) as log:
        threads = [
            threading.Thread(target=lambda base=base: [log.append(event(base * 10 + n)) for n in range(10)])
            for base in range(16)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(log) == 160
        assert verify(log).is_whole


def _append_many(path, base):
    with AuditLog(path, durable=False) as log:
        for number in range(20):
            log.append(event(base + number))


def test_processes_append_in_one_chain(tmp_path):
    path = tmp_path / "a.sqlite"
    AuditLog(path).close()
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_append_many, args=(path, base)) for base in (0, 100)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    with AuditLog(path) as log:
        assert len(log) == 40
        assert verify(log).is_whole
