"""`mage-ml quarantine` over a memory in a database."""

import json

import pytest
from typer.testing import CliRunner

from mage_ml.cli.quarantine import app
from mage_ml.memory import Status
from mage_ml.memory.stores.sql import SqlStore
from mage_ml.runtime.audit import AuditLog, verify
from mage_ml.runtime.guard import MageGuard
from tests.runtime.cases import GOAL_EN, chain, mail
from tests.runtime.test_guard import FLIPPED

WHO = ["--by", "ana", "--reason", "checked"]


@pytest.fixture
def stored(tmp_path):
    path = tmp_path / "memory.sqlite"
    store = SqlStore(path, "run-7")
    for entry in chain(*FLIPPED):
        store.add(entry)
    MageGuard.create(goal=GOAL_EN, store=store, run_id="run-7").check(mail("e2", "e3"))
    store.close()
    return path


def run(*arguments):
    return CliRunner().invoke(app, [str(item) for item in arguments])


def status_of(path, entry_id):
    store = SqlStore(path, "run-7")
    try:
        return store.get(entry_id).status
    finally:
        store.close()


def test_a_guard_that_is_gone_leaves_a_quarantine_that_can_be_listed_and_released(stored, tmp_path):
    assert "e2 (llm_reasoning): North revenue" in run("list", stored, "run-7").stdout
    log = tmp_path / "a.sqlite"
    assert run("release", stored, "run-7", "e2", *WHO, "--audit", log).exit_code == 0
    assert status_of(stored, "e2") is Status.ACTIVE
    assert "nothing is in quarantine" in run("list", stored, "run-7").stdout
    with AuditLog(log) as opened:
        assert [item.kind for item in opened.records()] == ["quarantine_released"]
        assert verify(opened).is_whole


def test_a_purge_leaves_the_hash(stored):
    assert run("purge", stored, "run-7", "e2", *WHO).exit_code == 0
    (item,) = json.loads(run("list", stored, "run-7", "--format", "json").stdout)
    assert item["purged"]
    assert set(item["entry"]["content"]) == {"purged", "sha256"}
    assert b"was 80,000" not in stored.read_bytes()


@pytest.mark.parametrize("arguments", [("list", "absent.sqlite", "x"), ("release", "absent.sqlite", "x", "e0", *WHO)])
def test_a_memory_that_is_not_there_is_an_error_and_is_not_made(arguments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(*arguments).exit_code == 2
    assert not list(tmp_path.iterdir())


def test_what_is_not_in_quarantine_is_an_error(stored):
    assert run("release", stored, "run-7", "e1", *WHO).exit_code == 2
    assert run("list", stored, "another-run").exit_code == 2
