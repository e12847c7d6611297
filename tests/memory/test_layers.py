"""Long entries are read on demand, and nobody can tell but by the clock: every answer is that of an eager index."""

from __future__ import annotations

import pickle
import threading
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mage_ml.memory import FactIndex, MemoryEntry, Split, Status
from mage_ml.memory.facts.index import MAX_UNOPENED
from tests.builders import tiny_episodes
from tests.memory.entries import said

EAGER = 10**9
CONTENTS: st.SearchStrategy[Any] = st.sampled_from(
    [
        "North revenue was $120k.", "North revenue was $80k.", "South revenue was $9k. ref X-77", "Revenue was $5k.",
        "Correction: North revenue was $90k.", "华东营收为120万元。", "华东大区营收为80万元。",
        "ＮＯＲＴＨ revenue was $70k.",
        {"region": "North", "revenue": 120}, '{"region": "\\u0053outh", "revenue": 9}', "nothing", "İ Σ ﬁ &amp; x",
        "<table><tr><th>Region</th><th>Revenue</th></tr><tr><td>N&#111;rth</td><td>70</td></tr></table>",
    ]
)  # fmt: skip
KEYS = [("north", "revenue"), ("south", "revenue"), ("", "revenue"), ("华东", "revenue"), ("nobody", "cost")]
ADD = st.tuples(st.just("add"), st.sampled_from("abcdef"), CONTENTS, st.sampled_from(Status))
ASK = st.tuples(st.sampled_from(["facts", "conflicts"]), st.sampled_from("abcdef"), st.none(), st.none())
ABOUT = st.tuples(st.just("about"), st.sampled_from(KEYS), st.none(), st.none())


def answer(index: FactIndex, question: str, about: Any) -> Any:
    if question == "facts":
        return index.facts_of(about)
    if question == "conflicts":
        return index.conflicts_of(about)
    return index.facts_about(*about)


@settings(deadline=None, max_examples=120)
@given(steps=st.lists(st.one_of(ADD, ASK, ABOUT), max_size=25))
def test_every_question_at_any_time_gets_the_answer_of_an_eager_index(steps: list[tuple[str, Any, Any, Any]]) -> None:
    lazy, eager = FactIndex(defer_above=0), FactIndex(defer_above=EAGER)
    latest: dict[str, MemoryEntry] = {}
    for kind, about, content, status in steps:
        if kind == "add":
            latest[about] = said(about, content, status=status)
            lazy.add(latest[about])
            eager.add(latest[about])
        else:
            assert answer(lazy, kind, about) == answer(eager, kind, about)
    for name in "abcdef":
        assert lazy.values_of(name) == eager.values_of(name)
    fresh = FactIndex(defer_above=EAGER)
    for entry in latest.values():
        fresh.add(entry)
    assert lazy.conflicts() == eager.conflicts() == fresh.conflicts()


def test_generated_runs_get_the_same_answers_lazy_and_eager() -> None:
    for episode in tiny_episodes(6, Split.TRAIN):
        lazy, eager = FactIndex(defer_above=0), FactIndex(defer_above=EAGER)
        for entry in episode.entries:
            lazy.add(entry)
            eager.add(entry)
        for fact in [fact for entry in episode.entries for fact in eager.facts_of(entry.id)]:
            assert lazy.facts_about(*fact.key) == eager.facts_about(*fact.key)
        assert lazy.conflicts() == eager.conflicts()


def test_a_long_entry_is_opened_only_when_it_may_speak_of_what_is_asked() -> None:
    filler = "nothing of interest happened on this day. " * 60
    index = FactIndex.of([said("n", filler + "North revenue was $120k."), said("s", filler + "South revenue was $9k.")])
    assert (index.counts.deferred, index.counts.opened) == (2, 0)
    assert index.facts_about("west", "revenue") == ()
    assert index.counts.deferred_opened == 0
    assert [fact.entry_id for fact in index.facts_about("north", "revenue")] == ["n"]
    assert index.counts.deferred_opened == 1
    index.add(said("later", "South revenue was $10k."))
    assert [c.earlier.entry_id for c in index.conflicts_of("later")] == ["s"]
    assert index.counts.opened == 3


def test_no_more_than_a_bounded_number_of_entries_waits() -> None:
    index = FactIndex(defer_above=0)
    for number in range(MAX_UNOPENED + 10):
        index.add(said(str(number), f"Region {number} revenue was ${number + 1}k."))
    assert index.counts.entries - index.counts.opened == MAX_UNOPENED


def test_an_index_can_be_sent_to_another_process() -> None:
    index = FactIndex.of([said("a", "North revenue was $120k."), said("b", "North revenue was $80k.")])
    assert pickle.loads(pickle.dumps(index)).conflicts() == index.conflicts() != ()


def test_threads_that_ask_at_once_get_whole_answers() -> None:
    index = FactIndex(defer_above=0)
    for number in range(60):
        index.add(said(str(number), f"North revenue was ${100 + number}k."))
    failures: list[BaseException] = []

    def ask() -> None:
        try:
            for number in range(60):
                assert len(index.conflicts_of(str(number))) == min(number, 8)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_a_replaced_echo_does_not_hide_an_older_contradiction() -> None:
    index = FactIndex.of(
        said(name, f"North revenue was ${value}k.") for name, value in (("a", 80), ("b", 80), ("c", 120))
    )
    index.add(said("b", "North revenue was $120k."))
    assert [c.earlier.entry_id for c in index.conflicts_of("c")] == ["a"]
