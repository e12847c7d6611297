"""Without a terminal, long stages report rate and time left now and then."""

import time

import pytest

from mage_ml.cli import terminal


def test_a_long_stage_reports_its_rate_and_the_time_left(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with terminal.progress_bars() as progress:
        for done in range(200, 801, 100):  # resumed: 200 were there
            progress("generate", done, 800)
            now[0] += 10.0
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        "generate: 500 of 800, 10.0/s, 30 s left",
        "generate: 800 done",
    ]


def test_a_short_stage_reports_its_end_alone(capsys) -> None:
    with terminal.progress_bars() as progress:
        for done in range(3):
            progress("probe", done, 2)
    assert capsys.readouterr().err.splitlines() == ["probe: 2 done"]
