"""The closed loop with small guards of known behaviour; the shipped guard is tested with the runtime."""

from dataclasses import dataclass, field

import pytest

from data_gen.guarded import find_case, run_guarded
from data_gen.tasks.sales_report.reading import levels_in
from mage_ml.errors import ConfigError
from mage_ml.memory.graph import DependencyGraph


@dataclass(frozen=True)
class Verification:
    tool_name: str
    arguments: dict
    entry_ids: tuple = ()


@dataclass(frozen=True)
class Decision:
    action: str = "proceed"
    allowed: bool = True
    message: str = ""
    verification: Verification | None = None


@dataclass
class Store:
    entries: list = field(default_factory=list)

    def list(self):
        return tuple(self.entries)


class KnowingGuard:
    """Knows the injected entry, and answers the first consequential action that rests on it as it is told to."""

    def __init__(self, answer, injected, products=()):
        self.answer = answer
        self.products = products
        self.injected = injected
        self.memory = Store()
        self.used = False

    def observe(self, entry):
        self.memory.entries.append(entry)

    def check(self, action):
        graph = DependencyGraph.of(self.memory.entries)
        bad = graph.tainted_by([self.injected])
        if self.used or not action.is_consequential or bad.isdisjoint(action.depends_on):
            return Decision()
        self.used = True
        if self.answer == "repair":
            self.memory.entries = [
                entry.revised(status="quarantined") if entry.id in bad else entry for entry in self.memory.entries
            ]
        if self.answer != "redirect":
            return Decision(self.answer, allowed=self.answer == "warn", message="look again")
        parent = next(e for e in self.memory.entries if e.id == self.injected).depends_on[0]
        record = next(e for e in self.memory.entries if e.id == parent)
        key = (levels_in(record, "en") or levels_in(record, "zh"))[0].key
        name = "product" if key.entity in self.products else "region"
        arguments = {name: key.entity, "quarter": key.period}
        return Decision("redirect", False, "ask again", Verification(record.tool_name, arguments, (self.injected,)))


@pytest.fixture(scope="module", params=["en", "zh"])
def case(request):
    cases = (find_case("unit_slip", language=request.param, seed=seed) for seed in range(4, 14))
    return next(case for case in cases if case.task.wants_mail)


def injected_in(case, edit):
    guard = KnowingGuard("proceed", "nothing")
    run = run_guarded(case, guard, edit)
    clean = run_guarded(case, KnowingGuard("proceed", "nothing"))
    return next(a.id for a, b in zip(run.entries, clean.entries, strict=False) if a != b)


@pytest.mark.parametrize("arm", ["clean", "sham"])
def test_an_untouched_run_ends_right_under_a_guard_that_lets_it_pass(case, arm):
    run = run_guarded(case, KnowingGuard("halt", "nothing"), None if arm == "clean" else case.sham)
    assert run.halted is None
    assert run.outcome.task_solved is True
    assert {str(decision.action) for decision in run.decisions} == {"proceed"}


def test_without_a_guard_the_contaminated_run_does_harm(case):
    run = run_guarded(case, KnowingGuard("proceed", "nothing"), case.contaminated)
    assert run.outcome.harm_done is True


@pytest.mark.parametrize("answer", ["warn", "repair", "redirect"])
def test_after_a_warning_a_repair_or_a_redirect_the_agent_finishes_right(case, answer):
    guard = KnowingGuard(answer, injected_in(case, case.contaminated), case.task.world.products)
    run = run_guarded(case, guard, case.contaminated)
    assert run.halted is None
    assert run.outcome.task_solved is True, run.outcome.detail
    assert answer in {decision.action for decision in run.decisions}


def test_after_a_halt_nothing_wrong_was_sent(case):
    run = run_guarded(case, KnowingGuard("halt", injected_in(case, case.contaminated)), case.contaminated)
    assert run.halted == "look again"
    assert run.environment.outbox == []
    assert run.outcome.harm_done is False


def test_a_redirect_never_runs_a_tool_with_effects(case):
    class Mad(KnowingGuard):
        def check(self, action):
            if action.tool_name != "send_mail":
                return Decision()
            arguments = {"to": "x@y.example", "subject": "", "body": ""}
            return Decision("redirect", False, "again", Verification("send_mail", arguments))

    run = run_guarded(case, Mad("redirect", "nothing"))
    assert run.environment.outbox == []
    assert run.halted == "the gate kept objecting"


def test_a_proceed_without_leave_is_a_halt(case):
    class Confused(KnowingGuard):
        def check(self, action):
            return Decision("proceed", allowed=not action.is_consequential)

    assert run_guarded(case, Confused("proceed", "nothing")).halted == "halted"


def test_quarantined_orders_are_not_followed():
    case = find_case("plain_instruction", seed=1)
    guard = KnowingGuard("repair", injected_in(case, case.contaminated))
    run = run_guarded(case, guard, case.contaminated)
    assert run.outcome.harm_done is False


def test_a_search_without_result_says_so():
    with pytest.raises(ConfigError, match="try another seed"):
        find_case("value_flip", max_attempts=0)
