"""Ways to repair a poisoned memory, told apart by what they cost and save."""

from __future__ import annotations

from data_gen.guarded import find_case
from data_gen.repair_trial import Strategy, run_repaired
from data_gen.session import AgentError
from data_gen.tasks import find_domain
from mage_ml.memory import Status


def found(strategy, operator="value_flip", language="en"):
    case = find_case(operator, seed=20, language=language)
    return run_repaired(case, strategy)


def test_without_repair_the_case_goes_wrong_and_nothing_is_removed():
    run = found(Strategy.NOTHING)
    assert (run.recovered, run.removed) == (False, 0)
    assert run.left >= 1


def test_full_removal_of_the_derived_recovers_and_leaves_no_poison():
    run = found(Strategy.DESCENDANTS)
    assert run.recovered
    assert run.left == 0


def test_rollback_costs_more_clean_entries_than_causal_quarantine():
    for language in ("en", "zh"):
        rollback, causal = (found(way, language=language) for way in (Strategy.ROLLBACK, Strategy.CAUSAL))
        assert causal.recovered
        assert rollback.collateral >= causal.collateral


def test_an_agent_that_cannot_go_on_has_not_recovered(monkeypatch):
    case = find_case("value_flip", seed=20)
    domain = type(find_domain("sales_report"))
    run_domain = domain.run

    def breaks_off(self, task, environment, session, profile):
        run_domain(self, task, environment, session, profile)
        if any(entry.status is Status.QUARANTINED for entry in session.memory.entries()):
            raise AgentError("a source is missing")

    monkeypatch.setattr(domain, "run", breaks_off)
    run = run_repaired(case, Strategy.CAUSAL)
    assert run is not None
    assert (run.recovered, run.halted) == (False, True)
