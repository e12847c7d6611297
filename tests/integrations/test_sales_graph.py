"""The sales agent as a LangGraph graph: real tools, real mail, the shipped model."""

from __future__ import annotations

import pytest

from data_gen.guarded import GuardedCase, find_case
from mage_ml.memory import Status
from mage_ml.runtime.guardrail import load_policy
from mage_ml.runtime.integrations.core import SessionPool
from tests.integrations.sales_graph import GraphRun, run_sales_graph

RETRIEVAL = ("read_*", "search_memory")
# Contaminations that the shipped model and the rules catch. How all of them end is counted in docs/adapters.md.
CAUGHT = ("value_flip", "memory_injection")
SEED = 9000


@pytest.fixture(scope="module")
def pool() -> SessionPool:
    return SessionPool.create(retrieval_tools=RETRIEVAL)


@pytest.fixture(scope="module")
def cases() -> list[tuple[str, GuardedCase]]:
    names = [(operator, language) for operator in CAUGHT for language in ("en", "zh")]
    return [
        (f"{operator}-{language}", find_case(operator, seed=SEED, language=language)) for operator, language in names
    ]


def run(case: GuardedCase, arm: str, pool: SessionPool, name: str) -> GraphRun:
    edit = {"clean": None, "sham": case.sham, "contaminated": case.contaminated}[arm]
    return run_sales_graph(case, edit, pool, f"{name}-{arm}", states_sources=True)


@pytest.mark.slow
def test_clean_and_sham_runs_finish_right(cases: list[tuple[str, GuardedCase]], pool: SessionPool) -> None:
    for name, case in cases:
        for arm in ("clean", "sham"):
            assert run(case, arm, pool, name).finished_right, (name, arm)


@pytest.mark.slow
def test_contaminated_runs_send_no_wrong_mail(cases: list[tuple[str, GuardedCase]], pool: SessionPool) -> None:
    for name, case in cases:
        ended = run(case, "contaminated", pool, name)
        assert not ended.outcome.harm_done, (name, ended.outcome.detail)
        entries = pool.get(f"{name}-contaminated").guard.memory.list()
        assert ended.stopped or any(entry.status is not Status.ACTIVE for entry in entries) or ended.finished_right, (
            name
        )


def test_without_a_guard_the_same_contamination_sends_a_wrong_mail() -> None:
    off = SessionPool.create(policy=load_policy().model_copy(update={"mode": "off"}), artifact=None)
    case = find_case("unit_slip", seed=SEED)
    assert run(case, "clean", off, "off").finished_right
    assert not run(case, "contaminated", off, "off").outcome.task_solved
