"""Finding records, exporting them, and reading logs of older releases."""

import gzip
import json
import shutil
import sqlite3
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from mage_ml.errors import AuditError
from mage_ml.runtime.audit import (
    AuditEvent,
    AuditLog,
    AuditQuery,
    EventKind,
    export_log,
    read_export,
    verify,
    verify_export,
)

GOLDEN = Path(__file__).parent.parent / "golden" / "audit_v1.sqlite"
GOLDEN_HEAD = "89bbc33795776512df2d6dc9315df05cbff092c7db3c9dd928c589a37e481351"
RULES = ("contradiction", "unsupported_claim", "hidden_instruction")
ACTIONS = ("proceed", "warn", "halt")
TEXTS = ("consistency 0.71: the policy says halt.", "审计日志无法写入。", "A tool can settle it.", "100% sure_thing")


def event(number, kind=EventKind.DECISION):
    reasons = [{"kind": "fail_open" if number % 7 == 0 else "risk", "text": TEXTS[number % len(TEXTS)]}]
    evidence = [{"found_by": RULES[number % 3], "entry_ids": [f"e{number % 5}"], "score": 0.5}]
    return AuditEvent(
        run_id=f"run{number % 4}",
        decision_id=f"d{number}",
        action=ACTIONS[number % 3],
        kind=kind,
        payload={
            "decision": {"reasons": reasons, "evidence": evidence},
            "pending_action": {"tool_name": f"tool{number % 2}"},
        },
    )


class JumpyClock:
    """Goes on, stands still and goes back."""

    def __init__(self):
        self.calls = 0

    def __call__(self):
        self.calls += 1
        return 1000.0 + (self.calls * 7) % 23


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    with AuditLog(tmp_path_factory.mktemp("audit") / "a.sqlite", clock=JumpyClock(), durable=False) as log:
        for number in range(60):
            log.append(event(number, EventKind.QUARANTINE_RELEASED if number % 11 == 5 else EventKind.DECISION))
        yield log


def matches(record, query):
    payload = record.payload
    evidence, reason = payload["decision"]["evidence"][0], payload["decision"]["reasons"][0]
    checks = (
        (query.run_id, record.run_id),
        (query.decision_id, record.decision_id),
        (query.kind, record.kind),
        (query.action, record.action),
        (query.rule, evidence["found_by"]),
        (query.entry_id, evidence["entry_ids"][0]),
        (query.tool, payload["pending_action"]["tool_name"]),
        (query.reason, reason["kind"]),
    )
    return (
        all(wanted in (None, found) for wanted, found in checks)
        and (query.text is None or query.text.casefold() in reason["text"].casefold())
        and (query.since is None or record.recorded_at >= query.since)
        and (query.until is None or record.recorded_at < query.until)
    )


def optional(values):
    return st.none() | st.sampled_from(values)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    fields=st.fixed_dictionaries(
        {
            "run_id": optional(["run0", "run3", "run9"]),
            "kind": optional([EventKind.DECISION, EventKind.QUARANTINE_RELEASED]),
            "action": optional(ACTIONS),
            "rule": optional([*RULES, "no_rule"]),
            "entry_id": optional(["e0", "e4"]),
            "tool": optional(["tool0"]),
            "reason": optional(["risk", "fail_open"]),
            "text": optional(["SAYS", "审计", "0.71", "9.99", "%", "e_t", "tool"]),
            "since": optional([1003.0, 1010.0]),
            "until": optional([1015.0, 1020.0]),
            "newest_first": st.booleans(),
            "limit": st.integers(1, 20),
        }
    )
)
def test_any_mix_of_filters_finds_what_a_plain_scan_finds_page_by_page(log, fields):
    query = AuditQuery(**fields)
    expected = [record for record in log.records() if matches(record, query)]
    expected.sort(key=lambda record: (record.recorded_at, record.sequence), reverse=query.newest_first)
    assert list(log.matches(query)) == expected
    assert log.count(query) == len(expected)
    assert len(log.query(query).records) <= query.limit


def test_complaint_30_every_filter_is_an_index_range(log):
    connection = sqlite3.connect(log.path)
    filters = ("run_id = 'r'", "action = 'halt'", "kind = 'feedback'", "recorded_at >= 5", "decision_id = 'd'")
    for condition in filters:
        order = "sequence" if "decision" in condition else "recorded_at, sequence"
        plan = connection.execute(
            f"EXPLAIN QUERY PLAN SELECT * FROM audit_records WHERE {condition} ORDER BY {order} LIMIT 9"
        ).fetchall()
        text = " ".join(row[3] for row in plan)
        assert "USING INDEX" in text
        assert "TEMP B-TREE" not in text
    link = "SELECT * FROM audit_links WHERE kind = 'rule' AND value = 'x' ORDER BY recorded_at, sequence LIMIT 9"
    plan = " ".join(row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {link}"))
    assert "PRIMARY KEY" in plan
    assert "TEMP B-TREE" not in plan
    connection.close()


def test_a_cursor_that_is_none_and_a_time_range_that_is_empty_are_refused(log):
    with pytest.raises(AuditError, match="cursor"):
        log.query(AuditQuery(cursor="nonsense"))
    with pytest.raises(ValidationError, match="not before until"):
        AuditQuery(since=5.0, until=5.0)


def test_complaint_26_decisions_that_failed_open_can_be_counted(log):
    assert log.count(AuditQuery(reason="fail_open")) == 9


def test_events_of_other_kinds_are_found_by_their_top_level_fields(tmp_path):
    with AuditLog(tmp_path / "a.sqlite") as log:
        log.append(
            AuditEvent(
                run_id="r",
                decision_id="",
                action="release",
                kind=EventKind.QUARANTINE_RELEASED,
                payload={"entry_id": "e7", "by": "Ann", "reason": "It was right after all."},
            )
        )
        assert log.count(AuditQuery(entry_id="e7", kind=EventKind.QUARANTINE_RELEASED, text="right after")) == 1
        assert verify(log).is_whole


def test_an_index_entry_that_was_removed_to_hide_a_record_is_found(tmp_path):
    path = tmp_path / "a.sqlite"
    with AuditLog(path) as log:
        for number in range(5):
            log.append(event(number))
    connection = sqlite3.connect(path)
    connection.execute("DELETE FROM audit_links WHERE sequence = 3 AND kind = 'rule'")
    connection.commit()
    connection.close()
    with AuditLog(path) as log:
        assert verify(log).problems == ("record 3: queries do not find it; the index was edited",)


def test_a_sentence_that_was_removed_to_hide_records_from_a_search_by_text_is_found(tmp_path):
    path = tmp_path / "a.sqlite"
    with AuditLog(path) as log:
        log.append(event(0))
    connection = sqlite3.connect(path)
    connection.execute("DELETE FROM audit_texts")
    connection.commit()
    connection.close()
    with AuditLog(path) as log:
        assert verify(log).problems == ("record 1: queries do not find it; the index was edited",)


def test_the_kind_of_a_record_of_the_first_format_cannot_be_changed_unseen(tmp_path):
    path = tmp_path / "old.sqlite"
    shutil.copy(GOLDEN, path)
    AuditLog(path).close()
    connection = sqlite3.connect(path)
    connection.executescript("DROP TRIGGER audit_no_update; UPDATE audit_records SET kind = 'other' WHERE sequence = 2")
    connection.close()
    with AuditLog(path) as log:
        assert "record 2: its content" in verify(log, expected_head=GOLDEN_HEAD).problems[0]


@pytest.mark.parametrize(
    "text", ["risk 0.", "0.6", "v1.", "abc123", "ABC123def", "567890", "für", "Für", "é", ".", "62 is"]
)
def test_a_part_of_a_figure_or_a_hash_is_found_in_a_reason(tmp_path, text):
    reason = "Risk 0.62 is above 0.5 for v1.2, record abc123def4567890, ÜBERWEISUNG FÜR É"
    with AuditLog(tmp_path / "a.sqlite") as log:
        log.append(AuditEvent(run_id="", decision_id="", action="halt", payload={"reason": reason}))
        query = AuditQuery(text=text)
        assert (len(log.query(query).records), log.count(query)) == (1, 1)


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_an_export_holds_the_whole_log_and_verifies_like_it(log, tmp_path, name):
    summary = export_log(log, tmp_path / name)
    assert summary.records == 60
    assert list(read_export(tmp_path / name)) == list(log.records())
    report = verify_export(tmp_path / name, expected_head=log.head().hash)
    assert report.is_whole
    assert (report.records, report.head) == (60, log.head().hash)


@pytest.mark.parametrize(
    ("edit", "part"),
    [
        (lambda lines: [*lines[:3], lines[3].replace("risk", "tusk"), *lines[4:]], "record 3: its content"),
        (lambda lines: [*lines[:5], *lines[6:]], "record 5 is missing"),
        (lambda lines: lines[:-1], "the last ones are lost"),
        (lambda lines: [*lines[:2], lines[3], lines[2], *lines[4:]], "record 2 is missing"),
        (lambda lines: [*lines[:4], "{nonsense", *lines[5:]], "not a line of JSON"),
        (lambda lines: [*lines[:4], '{"sequence": 4}', *lines[5:]], "damaged"),
    ],
)
def test_any_edit_of_an_export_is_found(log, tmp_path, edit, part):
    path = tmp_path / "a.jsonl"
    export_log(log, path)
    path.write_text("\n".join(edit(path.read_text(encoding="utf-8").splitlines())) + "\n", encoding="utf-8")
    assert part in verify_export(path).problems[0]


def test_a_selection_is_exported_but_not_taken_for_the_whole(log, tmp_path):
    path = tmp_path / "halts.jsonl.gz"
    assert export_log(log, path, AuditQuery(action="halt")).records == 20
    with gzip.open(path, "rt", encoding="utf-8") as file:
        assert {json.loads(line)["action"] for line in list(file)[1:]} == {"halt"}
    with pytest.raises(AuditError, match="selection"):
        verify_export(path)


@pytest.mark.parametrize("content", [b"", b"not json", b'{"format": "other"}', b"\xff\xfe"])
def test_a_file_that_is_no_export_is_refused(tmp_path, content):
    path = tmp_path / "x.jsonl"
    path.write_bytes(content)
    with pytest.raises(AuditError, match=r"x\.jsonl"):
        verify_export(path)


def test_a_log_of_the_first_format_is_read_as_it_lies(tmp_path):
    path = tmp_path / "old.sqlite"
    shutil.copy(GOLDEN, path)
    before = path.read_bytes()
    with AuditLog(path, read_only=True) as log:
        assert verify(log, expected_head=GOLDEN_HEAD).is_whole
        assert [record.action for record in log.records()] == ["repair", "proceed", "halt", "proceed"]
        assert log.find("d3")[0].run_id == "运行-c"
        with pytest.raises(AuditError, match="audit upgrade"):
            log.query(AuditQuery())
        with pytest.raises(AuditError, match="reading only"):
            log.append(event(1))
    assert path.read_bytes() == before


def test_a_log_of_the_first_format_is_upgraded_without_touching_a_record(tmp_path):
    path = tmp_path / "old.sqlite"
    shutil.copy(GOLDEN, path)
    with AuditLog(path, read_only=True) as log:
        old = list(log.records())
    with AuditLog(path) as log:
        assert list(log.records()) == old
        assert log.count(AuditQuery(rule="contradiction")) == 1
        assert log.append(event(1)).version == 2
        assert verify(log, expected_head=GOLDEN_HEAD).is_whole
        assert log.count(AuditQuery(kind=EventKind.DECISION)) == 5
    with AuditLog(path) as log:
        assert verify(log).is_whole


def test_what_is_no_log_is_refused_for_reading(tmp_path):
    with pytest.raises(AuditError, match="not found"):
        AuditLog(tmp_path / "none.sqlite", read_only=True)
    sqlite3.connect(tmp_path / "empty.sqlite").executescript("CREATE TABLE t (x)")
    with pytest.raises(AuditError, match="holds no audit log"):
        AuditLog(tmp_path / "empty.sqlite", read_only=True)
    (tmp_path / "text.sqlite").write_text("no database at all, just some text that is long enough" * 10)
    with pytest.raises(AuditError, match="not a database"):
        AuditLog(tmp_path / "text.sqlite", read_only=True)


@settings(max_examples=60, deadline=None)
@given(
    payload=st.dictionaries(
        st.text(st.characters(), max_size=8),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
            | st.text(st.characters(), max_size=20),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
            max_leaves=10,
        ),
        max_size=4,
    ),
    name=st.text(st.characters(exclude_categories=("Cs",)), max_size=10),
)  # fmt: skip
def test_any_json_payload_is_recorded_and_verifies(payload, name):
    with AuditLog(":memory:") as log:
        log.append(AuditEvent(run_id=name, decision_id=name, action="halt", payload={**payload, "entry_id": name}))
        assert verify(log).is_whole
        assert next(log.records()).payload == {**payload, "entry_id": name}


def test_a_payload_that_is_no_json_is_refused_and_nothing_is_recorded():
    with AuditLog(":memory:") as log:
        broken = AuditEvent.model_construct(
            run_id="r", decision_id="d", action="halt", payload={"x": float("nan")}, kind=EventKind.DECISION
        )
        with pytest.raises(AuditError, match="no JSON"):
            log.append(broken)
        assert len(log) == 0
