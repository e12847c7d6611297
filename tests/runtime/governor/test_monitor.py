from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mage_ml.config import load_config
from mage_ml.runtime.audit import AuditLog
from mage_ml.runtime.governor import ConstraintGovernor, GovernorSetup, Outcome, StateStore
from mage_ml.runtime.governor.constraint import PressureSettings
from mage_ml.runtime.governor.monitor import (
    GovernorReport,
    MonitorSettings,
    collect,
    pressure_alerts,
    render_page,
    render_text,
)
from mage_ml.runtime.governor.state_types import ViolationRow
from mage_ml.runtime.guardrail.wording import Language
from tests.runtime.governor.make import NO_GIFT, at, constraint_set, regex

DAY_S = 86_400.0


class Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


def governed(clock: Clock, audit: AuditLog | None = None) -> ConstraintGovernor:
    rules = constraint_set(NO_GIFT, regex("no_x", "xx", severity="warn"), pressure={"violations": 3, "window_s": 60})
    return ConstraintGovernor(rules, GovernorSetup(state=StateStore(clock=clock), audit=audit))


def report_of(governor: ConstraintGovernor, **settings: float) -> GovernorReport:
    governor.drain()
    return collect(governor.state, MonitorSettings(**settings), constraints=governor.constraints)


def test_the_report_counts_exactly_what_was_checked_and_broken_by_constraint_and_agent() -> None:
    clock = Clock()
    with governed(clock) as governor:
        governor.check_and_enforce("sales", "I send a gift", at(1))
        governor.check_and_enforce("sales", "fine", at(2))
        governor.check_and_enforce("dialogue", "xx", at(3))
        found = report_of(governor)
    rows = {row.constraint_id: row.counts for row in found.constraints}
    assert (rows["no_gift"].triggered, rows["no_gift"].violated, rows["no_gift"].held_back) == (1, 1, 1)
    assert (rows["no_x"].triggered, rows["no_x"].violated, rows["no_x"].warned) == (3, 1, 1)
    assert {row.agent_id: row.counts.violated for row in found.agents} == {"sales": 1, "dialogue": 1}
    assert {(row.constraint_id, row.agent_id) for row in found.pairs} == {("no_gift", "sales"), ("no_x", "dialogue")}


def test_violations_appear_in_the_stretch_of_time_in_which_they_happened() -> None:
    clock = Clock()
    with governed(clock) as governor:
        governor.check_and_enforce("sales", "xx", at(1))
        clock.now += 6 * DAY_S
        for turn in range(2, 6):
            governor.check_and_enforce("sales", "xx", at(turn))
        found = report_of(governor, days=7.0, steps=7)
    (series,) = [one for one in found.series if one.constraint_id == "no_x"]
    assert [point.counts.violated for point in series.points] == [1, 0, 0, 0, 0, 0, 4]
    (row,) = [one for one in found.constraints if one.constraint_id == "no_x"]
    assert (row.earlier, row.later) == (1.0, 1.0)


def test_what_lies_before_the_days_asked_for_is_left_out() -> None:
    clock = Clock()
    with governed(clock) as governor:
        governor.check_and_enforce("sales", "xx", at(1))
        clock.now += 30 * DAY_S
        assert all(row.counts.violated == 0 for row in report_of(governor, days=7.0).constraints)
        assert sum(row.counts.violated for row in report_of(governor, days=31.0).constraints) == 1


def test_a_constraint_that_was_never_checked_is_listed_and_one_switched_off_is_marked() -> None:
    with governed(Clock()) as governor:
        governor.switch("no_x", False, author="mei", reason="noisy")
        found = report_of(governor)
    assert {row.constraint_id: row.active for row in found.constraints} == {"no_gift": True, "no_x": False}
    assert [(change.author, change.reason) for change in found.changes if "no_x" in change.what] == [("mei", "noisy")]


def test_a_constraint_that_is_broken_often_within_its_window_raises_an_alert() -> None:
    clock = Clock()
    with governed(clock) as governor:
        for turn in range(3):
            clock.now += 10
            governor.check_and_enforce("sales", "xx", at(turn, run=f"run {turn}"))
        (alert,) = report_of(governor).alerts
    assert (alert.constraint_id, alert.violations, alert.peak, alert.runs) == ("no_x", 3, 3, 3)
    assert alert.agent_ids == ("sales",)
    assert alert.until - alert.since == 20


@given(st.lists(st.integers(0, 2000), max_size=40), st.integers(2, 6), st.integers(5, 300))
def test_there_is_an_alert_exactly_where_some_window_holds_enough_violations(
    moments: list[int], enough: int, window_s: int
) -> None:
    rows = [ViolationRow(float(moment), "r", "c", "a", "run", 1, Outcome.WARNED, "") for moment in moments]
    alerts = pressure_alerts(rows, PressureSettings(violations=enough, window_s=window_s))
    full = [moment for moment in moments if sum(moment <= other <= moment + window_s for other in moments) >= enough]
    assert bool(alerts) == bool(full)
    assert all(any(alert.since <= moment <= alert.until for alert in alerts) for moment in full)
    assert all(alert.peak >= enough and alert.violations >= alert.peak for alert in alerts)


def test_changes_of_the_constraints_come_with_author_and_reason_and_refused_files_from_the_audit_log(tmp_path) -> None:
    path = tmp_path / "constraints.yaml"
    good = "constraints:\n- id: one\n  text: rule\n  validator: {kind: regex, forbid: [xx]}\n"
    path.write_text(good)
    clock, log = Clock(), AuditLog(tmp_path / "audit.sqlite", durable=False)
    with ConstraintGovernor(path, GovernorSetup(state=StateStore(clock=clock), audit=log)) as governor:
        path.write_text("constraints: [{id: 7}]")
        assert not governor.reload()
        path.write_text(good + "  severity: warn\nchange: {author: mei, reason: too strict}\n")
        assert governor.reload()
        found = collect(governor.state, audit=log)
    said = [(change.what, change.author, change.reason) for change in found.changes]
    assert any(author == "mei" and reason == "too strict" for _, author, reason in said)
    assert any(what.startswith("reload_failed") for what, _, _ in said)


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.sources: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.sources += [value or "" for name, value in attrs if name in ("src", "href") or name.startswith("on")]


@pytest.mark.parametrize("language", list(Language))
def test_the_page_draws_the_violations_needs_nothing_from_outside_and_shows_names_as_text(language: Language) -> None:
    clock = Clock()
    with governed(clock) as governor:
        for turn in range(4):
            clock.now += 5
            governor.check_and_enforce("<script>alert(1)</script>", "xx", at(turn))
        governor.switch("no_gift", False, author="<img src=x onerror=y>", reason="</dd><script>")
        page = render_page(report_of(governor), language)
    tags = Tags()
    tags.feed(page)
    assert "script" not in tags.tags
    assert "img" not in tags.tags
    assert tags.sources == []
    assert {"svg", "polyline", "rect", "table"} <= set(tags.tags)
    assert "&lt;script&gt;" in page
    assert ("压力告警" in page) == (language is Language.CHINESE)


@pytest.mark.parametrize("language", list(Language))
def test_the_text_names_every_constraint_agent_and_alert(language: Language) -> None:
    clock = Clock()
    with governed(clock) as governor:
        for turn in range(3):
            governor.check_and_enforce("sales", "xx", at(turn))
        text = render_text(report_of(governor), language)
    assert all(word in text for word in ("no_gift", "no_x", "sales"))
    assert ("broken 3 times" in text) == (language is Language.ENGLISH)
    assert ("被违反 3 次" in text) == (language is Language.CHINESE)


def test_a_state_in_which_nothing_was_checked_makes_a_report_all_the_same() -> None:
    found = collect(StateStore())
    assert found.constraints == ()
    assert "Nothing was checked" in render_text(found)
    assert "Nothing was checked" in render_page(found)


def test_settings_of_the_report_refuse_what_makes_no_sense(tmp_path) -> None:
    path = tmp_path / "monitor.yaml"
    path.write_text("days: 0\n")
    with pytest.raises(Exception, match="days"):
        load_config(MonitorSettings, path)
