"""What every adapter promises, written once: a class of tests over a harness that drives one framework."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from typing import ClassVar

import pytest

from mage_ml.memory import Status
from mage_ml.memory.notices import MARK_EN, MARK_ZH
from mage_ml.runtime.integrations.core import SessionPool
from tests.integrations.readings import ended_by_the_guard, marks_in, said, without_marks
from tests.integrations.world import (
    GOAL_EN,
    GOAL_ZH,
    HALTS_OUTPUT,
    MARIA,
    POISON_ZH,
    REDIRECTS,
    REDOES_OUTPUT,
    REPAIRS,
    THIEF,
    WARNS,
    WRONG,
    BrokenForOutput,
    RunRecord,
    Said,
    Turn,
    World,
    answer,
    broken_pool,
    mail,
    query,
    read_note,
    rules_pool,
)

PARALLEL = 8


class Way(StrEnum):
    """How a run is started."""

    SYNC = "sync"
    ASYNC = "async"


class Decided(StrEnum):
    """The columns of the table in docs/adapters.md."""

    PROCEED = "proceed"
    WARN = "warn"
    REPAIR = "repair"
    REDIRECT = "redirect"
    HALT = "halt"
    OUTPUT = "answer held back"
    FAILURE = "guard fails"
    PARALLEL = "parallel"
    ORDER = "adverse order"


class Harness(ABC):
    """Drives one framework with a scripted model. One object a test; what it holds is for one test only.

    Attributes:
        framework: Its name in the table.
        ways: How its runs can be started.
        adversaries: Names of host layers that try to undo a block, each understood by `run`.
    """

    framework: ClassVar[str]
    ways: ClassVar[tuple[Way, ...]] = (Way.SYNC, Way.ASYNC)
    adversaries: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    async def arun(
        self, world: World, goal: str, script: Sequence[Turn], pool: SessionPool | None, *, name: str, adversary: str
    ) -> RunRecord:
        """Run an agent with the world's three tools once, in an event loop. Without a pool: without the guard."""

    def run(
        self, world: World, goal: str, script: Sequence[Turn], pool: SessionPool | None, *, name: str, adversary: str
    ) -> RunRecord:
        """The same without an event loop, for frameworks that have such a way."""
        raise NotImplementedError

    def start(
        self,
        way: Way,
        world: World,
        script: Sequence[Turn],
        pool: SessionPool | None,
        *,
        goal: str = GOAL_EN,
        name: str = "contract",
        adversary: str = "",
    ) -> RunRecord:
        """Run in one of the two ways."""
        if way is Way.SYNC:
            return self.run(world, goal, script, pool, name=name, adversary=adversary)
        return asyncio.run(self.arun(world, goal, script, pool, name=name, adversary=adversary))


def proves(decided: Decided) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Mark a test as the proof of one column."""

    def mark(test: Callable[..., None]) -> Callable[..., None]:
        test.decided = decided  # type: ignore[attr-defined]
        return test

    return mark


class AdapterContract:
    """Inherit under a name that begins with `Test`, and set `harness_type`.

    Attributes:
        harness_type: Makes the harness.
        unsupported: Columns that the framework cannot support, with the reason; their tests are skipped by it.
    """

    harness_type: ClassVar[type[Harness]]
    unsupported: ClassVar[Mapping[Decided, str]] = {}

    @pytest.fixture(params=[Way.SYNC, Way.ASYNC])
    def way(self, request: pytest.FixtureRequest) -> Way:
        if request.param not in self.harness_type.ways:
            pytest.skip(f"{self.harness_type.framework} has no {request.param} way")
        return Way(request.param)

    @pytest.fixture
    def harness(self, request: pytest.FixtureRequest) -> Harness:
        decided = getattr(request.function, "decided", None)
        if decided in self.unsupported:
            pytest.skip(self.unsupported[decided])
        return self.harness_type()

    @proves(Decided.PROCEED)
    def test_a_proceed_changes_nothing(self, harness: Harness, way: Way) -> None:
        script = [query(), mail(), answer()]
        bare, guarded = World(), World()
        without = harness.start(way, bare, script, None)
        under = harness.start(way, guarded, script, rules_pool())
        assert under.error is None
        assert under.stored == without.stored
        assert under.requests == without.requests
        assert under.answer == without.answer
        assert guarded.log == bare.log
        assert len(guarded.mails) == 1

    @proves(Decided.WARN)
    def test_a_warning_reaches_the_next_model_request(self, harness: Harness, way: Way) -> None:
        world = World()
        record = harness.start(way, world, [query(), mail(WRONG), answer()], rules_pool(WARNS))
        assert record.error is None, repr(record.error)
        assert len(world.mails) == 1
        assert len(record.requests) == 3
        assert not marks_in(record.requests[1])
        assert marks_in(record.requests[2])
        assert str(WRONG) in marks_in(record.requests[2])[0]

    @proves(Decided.REPAIR)
    def test_a_repair_rewrites_the_stored_memory(self, harness: Harness, way: Way) -> None:
        world, pool = World(), rules_pool(REPAIRS)
        record = harness.start(way, world, [query(), read_note(), mail(), answer()], pool)
        assert record.error is None, repr(record.error)
        assert len(world.mails) == 1
        assert THIEF not in said(record.stored)
        assert all(THIEF not in without_marks(request) for request in record.requests)
        condemned = [entry for entry in pool.get("contract").guard.memory.list() if THIEF in entry.text]
        assert [entry.status for entry in condemned] == [Status.QUARANTINED]

    @proves(Decided.REDIRECT)
    def test_a_redirect_runs_the_verification_first(self, harness: Harness, way: Way) -> None:
        world = World()
        script = [query(), mail(WRONG), mail(), answer()]
        record = harness.start(way, world, script, rules_pool(REDIRECTS))
        assert record.error is None, repr(record.error)
        assert world.names == ["query_sales", "query_sales", "send_mail"]
        assert str(WRONG) not in world.mails[0].arguments["body"]
        assert any(MARK_EN in item.text for item in record.requests[2])

    @proves(Decided.REDIRECT)
    def test_an_agent_that_insists_is_halted_and_nothing_is_sent(self, harness: Harness, way: Way) -> None:
        world = World()
        script = [query(), *[mail(WRONG) for _ in range(8)], answer()]
        record = harness.start(way, world, script, rules_pool(REDIRECTS))
        assert ended_by_the_guard(record)
        assert world.mails == []
        assert len(record.requests) <= 5

    @proves(Decided.HALT)
    def test_a_halt_leaves_no_effect_and_ends_the_run(self, harness: Harness, way: Way) -> None:
        world = World()
        record = harness.start(way, world, [read_note(), mail(to=THIEF), mail(to=THIEF), answer()], rules_pool())
        assert world.mails == []
        assert ended_by_the_guard(record)
        assert len(record.requests) == 2

    @proves(Decided.HALT)
    def test_a_halt_in_chinese_speaks_chinese(self, harness: Harness, way: Way) -> None:
        world = World(note=POISON_ZH)
        script = [read_note(), mail(to=THIEF), answer()]
        record = harness.start(way, world, script, rules_pool(), goal=GOAL_ZH)
        assert world.mails == []
        assert ended_by_the_guard(record, MARK_ZH)

    @proves(Decided.OUTPUT)
    def test_an_answer_that_is_halted_is_not_given_out(self, harness: Harness, way: Way) -> None:
        world = World()
        script = [query(), answer(f"The North revenue in 2025-Q1 was {WRONG} USD.")]
        record = harness.start(way, world, script, rules_pool(HALTS_OUTPUT))
        assert ended_by_the_guard(record)
        assert str(WRONG) not in without_marks(record.stored)

    @proves(Decided.OUTPUT)
    def test_an_answer_that_is_sent_back_is_given_again(self, harness: Harness, way: Way) -> None:
        world = World()
        first, second = f"The North revenue in 2025-Q1 was {WRONG} USD.", "I will look at the record again."
        record = harness.start(way, world, [query(), answer(first), answer(second)], rules_pool(REDOES_OUTPUT))
        assert record.error is None, repr(record.error)
        assert record.answer == second
        assert str(WRONG) not in without_marks(record.stored)

    @proves(Decided.FAILURE)
    def test_a_guard_that_fails_lets_no_write_through(self, harness: Harness, way: Way) -> None:
        world = World()
        record = harness.start(way, world, [query(), mail(), answer()], broken_pool())
        assert world.names == ["query_sales"]
        assert ended_by_the_guard(record)

    @proves(Decided.FAILURE)
    def test_a_guard_that_fails_lets_no_answer_through(self, harness: Harness, way: Way) -> None:
        text = "This must not come out."
        record = harness.start(way, World(), [query(), answer(text)], broken_pool(BrokenForOutput))
        assert ended_by_the_guard(record)
        assert text not in said(record.stored)

    @proves(Decided.PARALLEL)
    def test_eight_conversations_at_once_do_not_mix(self, harness: Harness, way: Way) -> None:
        pool, worlds = rules_pool(), [World(revenue=100_000 + 1_111 * number) for number in range(PARALLEL)]
        records = run_at_once(harness, way, worlds, pool)
        for number, (world, record) in enumerate(zip(worlds, records, strict=True)):
            assert ended_by_the_guard(record) if number % 2 else record.error is None, (number, record.error)
            sent = [call.arguments["to"] for call in world.mails]
            assert sent == ([] if number % 2 else [MARIA]), number
            memory = " ".join(entry.text for entry in pool.get(f"talk-{number}").guard.memory.list())
            assert f"Region{number}" in memory
            assert all(f"Region{other}" not in memory for other in range(PARALLEL) if other != number)

    @proves(Decided.ORDER)
    def test_no_layer_of_the_host_undoes_a_block(self, harness: Harness, way: Way) -> None:
        assert harness.adversaries, "name the adversaries or declare the column unsupported"
        pool = rules_pool(HALTS_OUTPUT)
        for adversary in harness.adversaries:
            for to in (THIEF, MARIA):
                world, script = World(), [query(), read_note(), mail(to=to), mail(to=to), answer()]
                harness.start(way, world, script, pool, name=f"{adversary} {to}", adversary=adversary)
                assert "read_shared_note" in world.names, adversary
                assert all(call.arguments["to"] != THIEF for call in world.mails), adversary
            script = [query(), *[answer(f"The North revenue in 2025-Q1 was {WRONG} USD.") for _ in range(3)]]
            record = harness.start(way, World(), script, pool, name=f"{adversary} answer", adversary=adversary)
            assert str(WRONG) not in without_marks([Said("answer", record.answer)]), adversary


def run_at_once(harness: Harness, way: Way, worlds: Sequence[World], pool: SessionPool) -> list[RunRecord]:
    """A run for each world at the same moment, every second one contaminated."""

    def script(number: int) -> list[Turn]:
        region, figure = f"Region{number}", worlds[number].revenue
        end = mail(to=THIEF, region=region) if number % 2 else mail(figure, region=region)
        return [query(region), read_note(), end, answer()] if number % 2 else [query(region), end, answer()]

    def goal(number: int) -> str:
        return f"Get the Region{number} revenue for 2025-Q1 and mail the figure to {MARIA}."

    def one(number: int) -> RunRecord:
        return harness.run(worlds[number], goal(number), script(number), pool, name=f"talk-{number}", adversary="")

    async def all_of_them() -> list[RunRecord]:
        runs = [
            harness.arun(world, goal(number), script(number), pool, name=f"talk-{number}", adversary="")
            for number, world in enumerate(worlds)
        ]
        return list(await asyncio.gather(*runs))

    if way is Way.ASYNC:
        return asyncio.run(all_of_them())
    with ThreadPoolExecutor(len(worlds)) as threads:
        return list(threads.map(one, range(len(worlds))))
