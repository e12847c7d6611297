"""Live changes: whole or not at all, the last good version kept, no check lost."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from mage_ml.runtime.governor import ChangeKind, ConstraintGovernor, GovernorSetup, Outcome, StateChange

from .make import at, regex, rule


def write(path: Path, version: str, *rules: dict[str, Any]) -> None:
    fresh = path.with_suffix(".new")
    fresh.write_text(yaml.safe_dump({"version": version, "constraints": list(rules)}), encoding="utf-8")
    fresh.replace(path)


def wait_for(claim: Any) -> bool:
    limit = time.monotonic() + 10
    while not claim() and time.monotonic() < limit:
        time.sleep(0.005)
    return bool(claim())


def test_a_changed_file_is_taken_up_by_itself_and_replaces_the_old_rules(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    write(path, "1", rule())
    with ConstraintGovernor(path, GovernorSetup(poll_s=0.0)) as governor:
        write(path, "2", regex("other", "voucher"))

        def is_new() -> bool:
            return governor.check_and_enforce("a", "a gift, a voucher", at()).checked == ("other",)

        assert wait_for(is_new)
        assert [one.id for one in governor.constraints.constraints] == ["other"]


@pytest.mark.parametrize(
    "broken",
    ["constraints: [", "constraints: 3", "constraints: [{id: a}]", "x: 1", None],
)
def test_an_invalid_file_is_refused_the_last_good_one_holds_and_an_alert_is_raised_once(
    tmp_path: Path, broken: str | None
) -> None:
    path = tmp_path / "c.yaml"
    write(path, "1", rule())
    with ConstraintGovernor(path) as governor:
        changes: list[StateChange] = []
        governor.listen(changes.append)
        if broken is None:
            path.unlink()
        else:
            path.write_text(broken, encoding="utf-8")
        for _ in range(3):
            assert not governor.reload()
        assert [change.kind for change in changes] == [ChangeKind.RELOAD_FAILED]
        assert "c.yaml" in governor.reload_error
        assert governor.check_and_enforce("a", "a gift", at()).outcome is Outcome.REGENERATE
        assert governor.constraints.version == "1"
        write(path, "2", rule())
        assert governor.reload()
        assert (governor.reload_error, governor.constraints.version) == ("", "2")
        assert len(governor.history.all()) == 2


def test_a_file_whose_validator_cannot_be_made_is_refused_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    write(path, "1", rule())
    with ConstraintGovernor(path) as governor:
        write(path, "2", regex("fine", "x"), {"id": "b", "text": "t", "validator": {"kind": "own", "name": "nobody"}})
        assert not governor.reload()
        assert "unknown validator 'nobody'" in governor.reload_error
        assert [one.id for one in governor.constraints.constraints] == ["no_gift"]


def test_complaint_27_reloading_under_load_loses_no_check_and_appends_no_rule(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    write(path, "0", rule(), regex("v0", "v0 only"))
    stop, wrong, done = threading.Event(), [], [0, 0, 0]
    with ConstraintGovernor(path, GovernorSetup(poll_s=0.0)) as governor:

        def work(number: int) -> None:
            while not stop.is_set():
                ruling = governor.check_and_enforce("a", "a gift", at(1, f"{number}-{done[number]}"))
                done[number] += 1
                if ruling.outcome is not Outcome.REGENERATE or len(ruling.checked) != 2:
                    wrong.append(ruling)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
        for thread in threads:
            thread.start()
        for version in range(1, 9):
            write(path, str(version), rule(), regex(f"v{version}", f"v{version} only"))
            assert wait_for(lambda wanted=str(version): governor.constraints.version == wanted)
        stop.set()
        for thread in threads:
            thread.join()
        assert wrong == []
        assert len(governor.constraints.constraints) == 2
        assert len(governor.history.all()) == 9
        assert governor.state.health("no_gift").counts.violated == sum(done)
