"""One contract for every store: what a guard relies on, wherever the memory lives."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from mage_ml.errors import ChangedEntryError, PatchError, RecordError
from mage_ml.memory import MemoryEntry, Source, Status
from mage_ml.memory.stores import (
    EntryChange,
    HostStore,
    ListStore,
    MappingStore,
    OutsideKind,
    TransactionalStore,
    VectorStore,
)
from mage_ml.memory.stores.qdrant import QdrantCollection
from mage_ml.memory.stores.sql import SqlStore
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guardrail import MemoryPatch, MemoryStore, PatchOperation, apply_patch, undo
from mage_ml.runtime.guardrail.repair import PatchReceipt
from tests.memory.stores import KINDS, Hosted, embed, entry, hosted

CONTENTS = st.sampled_from(
    [
        "North revenue was $120k.",
        "华东营收为120万元。",
        "quote ' \" \\ \n end",
        {"a": [1, 2.5, None], "键": "值"},
        [],
        "",
    ]
)
NAMES = st.integers(0, 5).map(lambda number: f"e{number}")


@pytest.fixture(params=KINDS)
def made(request: pytest.FixtureRequest) -> Iterator[Hosted]:
    with hosted(request.param) as one:
        for number in range(4):
            one.store.add(entry(number, f"text {number}"))
        yield one


def patch(operation: PatchOperation, name: str, value: Any = None) -> MemoryPatch:
    return MemoryPatch(operation=operation, entry_id=name, value=value)


QUARANTINE = PatchOperation.QUARANTINE


def test_every_store_satisfies_the_protocol_and_keeps_entries_whole(made: Hosted) -> None:
    store: MemoryStore = made.store
    assert isinstance(store, TransactionalStore)
    assert [e.id for e in store.list()] == ["e0", "e1", "e2", "e3"]
    full = MemoryEntry(
        id="é/'x'", content={"k": ["值", None]}, source="retrieved", tool_name="search", origin="https://x.example",
        agent_id="b", step=9, timestamp=5.5, confidence=0.25, depends_on=("e0",), status="suspect",
        contradicts_with=("e1",), annotations=("see 'a'",), role="instruction",
    )  # fmt: skip
    made.store.add(full)
    assert store.get(full.id) == full == store.list()[-1]
    assert store.get("nobody") is None
    with pytest.raises(KeyError):
        store.replace(entry(77))
    with pytest.raises(KeyError):
        made.store.add(full)


def test_the_host_sees_the_status_and_the_agent_reads_only_what_is_visible(made: Hosted) -> None:
    apply_patch(made.store, [patch(QUARANTINE, "e1"), patch(PatchOperation.SUPERSEDE, "e2")])
    assert [e.id for e in made.store.visible()] == ["e0", "e3"]
    assert [e.content for e in made.store.quarantined()] == ["text 1"]


def test_an_entry_that_the_host_changed_is_noticed_and_never_written_over(made: Hosted) -> None:
    made.store.list()
    made.rewrite("e1", "the host knows better")
    for attempt in (
        lambda: apply_patch(made.store, [patch(QUARANTINE, "e0"), patch(QUARANTINE, "e1")]),
        lambda: made.store.replace(entry(1, "ours")),
    ):
        with pytest.raises(ChangedEntryError, match="'e1' was changed by its host"):
            attempt()
    assert [e.status for e in made.store.list()] == [Status.ACTIVE] * 4
    (change,) = made.store.changes()
    assert (change.kind, change.entry_id) == (OutsideKind.CHANGED, "e1")
    assert change.entry is not None
    assert change.entry.content == "the host knows better"
    made.store.acknowledge(["e1"])
    assert made.store.changes() == ()
    apply_patch(made.store, [patch(QUARANTINE, "e1")])
    assert made.store.get("e1") == change.entry.revised(status=Status.QUARANTINED)


def test_a_change_made_for_an_older_version_is_refused_whole(made: Hosted) -> None:
    first, second = made.store.list()[:2]
    made.store.replace(second.revised(confidence=0.5))
    changes = [EntryChange(e, e.revised(annotations=("late",))) for e in (first, second)]
    with pytest.raises(ChangedEntryError, match="not the version"):
        made.store.swap(changes)
    assert all(not e.annotations for e in made.store.list())


def test_threads_that_patch_at_once_lose_nothing(made: Hosted) -> None:
    def work(mark: str) -> None:
        for name in ("e0", "e1"):
            while True:
                try:
                    apply_patch(made.store, [patch(PatchOperation.ANNOTATE, name, mark)])
                    break
                except ChangedEntryError:
                    continue

    threads = [threading.Thread(target=work, args=(f"t{number}",)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name in ("e0", "e1"):
        kept = made.store.get(name)
        assert kept is not None
        assert sorted(kept.annotations) == [f"t{number}" for number in range(6)]


def test_a_guard_repairs_memory_in_the_hosts_own_store(made: Hosted) -> None:
    guard = MageGuard.create(goal="g", store=made.store)
    assert guard.memory is made.store


class StoreMachine(RuleBasedStateMachine):
    """Any sequence of additions, patches, undos and changes by the host ends as a plain model of it says."""

    @initialize(kind=st.sampled_from(sorted(KINDS)))
    def start(self, kind: str) -> None:
        self.scope = hosted(kind)
        self.made = self.scope.__enter__()
        self.model: dict[str, MemoryEntry] = {}
        self.dirty: set[str] = set()
        self.receipts: list[PatchReceipt] = []

    @rule(content=CONTENTS, source=st.sampled_from([Source.TOOL, Source.USER, Source.LLM_REASONING]))
    def add(self, content: Any, source: Source) -> None:
        if len(self.model) < 6:
            new = entry(len(self.model), content, source)
            self.made.store.add(new)
            self.model[new.id] = new

    @rule(names=st.lists(NAMES, min_size=1, max_size=3), text=CONTENTS, operation=st.sampled_from(PatchOperation))
    def patch(self, names: list[str], text: Any, operation: PatchOperation) -> None:
        value = {
            PatchOperation.SET_CONFIDENCE: 0.25,
            PatchOperation.CONTRADICTS_WITH: ["e0"],
            PatchOperation.ANNOTATE: "note",
            PatchOperation.OVERWRITE: text,
        }.get(operation)
        wanted = [patch(operation, name, value) for name in names]
        if set(names) <= set(self.model) - self.dirty:
            self.receipts.append(apply_patch(self.made.store, wanted, allow_overwrite=True))
            for item in wanted:
                self.model[item.entry_id] = item.applied_to(self.model[item.entry_id])
        else:
            with pytest.raises(PatchError):
                apply_patch(self.made.store, wanted, allow_overwrite=True)

    @precondition(lambda self: self.receipts)
    @rule()
    def take_back(self) -> None:
        receipt = self.receipts.pop()
        touched = {e.id for e in receipt.after}
        if touched & self.dirty or any(self.model[e.id] != e for e in receipt.after):
            with pytest.raises(PatchError):
                undo(self.made.store, receipt)
        else:
            undo(self.made.store, receipt)
            self.model |= {e.id: e for e in receipt.before}

    @rule(name=NAMES, text=st.sampled_from(["host one", "host two"]))
    def host_changes(self, name: str, text: str) -> None:
        current = self.model.get(name)
        if current is not None and current.content != text and isinstance(current.content, str):
            self.made.rewrite(name, text)
            self.model[name] = current.revised(content=text)
            self.dirty.add(name)

    @rule()
    def accept(self) -> None:
        assert {change.entry_id for change in self.made.store.changes()} <= self.dirty
        self.made.store.acknowledge(self.dirty)
        self.dirty.clear()

    @invariant()
    def is_as_the_model_says(self) -> None:
        if hasattr(self, "made"):
            assert list(self.made.store.list()) == list(self.model.values())

    def teardown(self) -> None:
        if hasattr(self, "scope"):
            self.scope.__exit__(None, None, None)


TestStoreMachine = StoreMachine.TestCase
TestStoreMachine.settings = settings(max_examples=60, stateful_step_count=20, deadline=None)


# What only one store does.


def test_messages_keep_fields_that_only_the_host_knows_and_show_the_status() -> None:
    messages: list[Any] = [
        {"role": "user", "content": "hi", "client_ref": 7},
        {"role": "tool", "name": "search", "content": "x", "tool_call_id": "c1"},
    ]
    store = ListStore(messages)
    assert [(e.id, e.source, e.tool_name) for e in store.list()] == [
        ("m0", Source.USER, None), ("m1", Source.TOOL, "search"),
    ]  # fmt: skip
    apply_patch(store, [patch(QUARANTINE, "m1")])
    assert messages[0] == {"role": "user", "content": "hi", "client_ref": 7}
    assert messages[1]["tool_call_id"] == "c1"
    assert messages[1]["mage"]["status"] == "quarantined"
    assert store.visible_records() == (messages[0],)


def test_messages_inserted_by_the_host_are_not_taken_for_others() -> None:
    messages: list[Any] = [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]
    store = ListStore(messages)
    store.list()
    messages.insert(0, {"role": "system", "content": "new"})
    with pytest.raises(ChangedEntryError):
        apply_patch(store, [patch(QUARANTINE, "m1")])
    assert [change.kind for change in store.changes()] == [OutsideKind.CHANGED] * 2 + [OutsideKind.ADDED]
    messages.clear()
    assert [change.kind for change in store.changes()] == [OutsideKind.REMOVED] * 2


def test_a_record_that_is_no_entry_is_refused_by_name() -> None:
    with pytest.raises(RecordError, match=r"'m0'.*role 'narrator'"):
        ListStore([{"role": "narrator", "content": "x"}]).list()
    with pytest.raises(RecordError, match="'k'"):
        MappingStore({"k": "[1"}).list()
    with pytest.raises(RecordError, match="'k'"):
        MappingStore({"k": 5}).get("k")
    with pytest.raises(RecordError, match="ids must be unique"):
        ListStore([{"id": "a", "role": "user", "content": ""}] * 2).list()


def test_a_patch_of_the_status_leaves_the_vector_alone_and_search_leaves_the_entry_out() -> None:
    with hosted("qdrant") as made:
        store = made.store
        assert isinstance(store, VectorStore)
        collection: Any = store._host
        assert isinstance(collection, QdrantCollection)
        for number, text in enumerate(["refund policy", "weather report"]):
            store.add(entry(number, text))
        collection._embed = lambda text: pytest.fail("no new vector is needed")
        apply_patch(store, [patch(QUARANTINE, "e0"), patch(PatchOperation.SET_CONFIDENCE, "e1", 0.5)])
        collection._embed = embed
        assert [found.id for found in collection.similar("refund policy")] == ["e1"]
        apply_patch(store, [patch(PatchOperation.OVERWRITE, "e1", "refund policy")], allow_overwrite=True)
        assert next(iter(collection.similar("refund policy"))).text == "refund policy"
        store.purge("e0")
        assert [e.id for e in store.list()] == ["e1"]
        with pytest.raises(KeyError):
            store.purge("e0")


def test_sql_memory_outlives_the_process_and_keeps_runs_apart(tmp_path: Any) -> None:
    first = SqlStore(tmp_path / "m.db", "a")
    first.add(entry(0))
    apply_patch(first, [patch(QUARANTINE, "e0")])
    first.close()
    again, other = SqlStore(tmp_path / "m.db", "a"), SqlStore(tmp_path / "m.db", "b")
    assert [e.id for e in again.quarantined()] == ["e0"]
    assert other.list() == ()
    again.purge("e0")
    assert again.list() == ()
    again.close()
    other.close()


def test_two_connections_to_one_database_do_not_overwrite_each_other(tmp_path: Any) -> None:
    mine, theirs = SqlStore(tmp_path / "m.db", "a"), SqlStore(tmp_path / "m.db", "a")
    mine.add(entry(0))
    mine.add(entry(1))
    theirs.list()
    apply_patch(mine, [patch(PatchOperation.ANNOTATE, "e1", "mine")])
    with pytest.raises(ChangedEntryError):
        apply_patch(theirs, [patch(QUARANTINE, "e0"), patch(QUARANTINE, "e1")])
    assert [e.status for e in mine.list()] == [Status.ACTIVE] * 2
    mine.close()
    theirs.close()


class Failing(dict[str, Any]):
    """Refuses to write one key; may then refuse everything."""

    def __init__(self, bad: str, *, broken: bool) -> None:
        super().__init__()
        self.bad, self.broken, self.armed = bad, broken, False

    def __setitem__(self, key: str, value: Any) -> None:
        if self.armed and (key == self.bad or self.broken):
            self.broken = self.broken or False
            raise OSError("disk gone")
        super().__setitem__(key, value)


def failing(bad: str) -> tuple[HostStore, Failing]:
    host = Failing(bad, broken=False)
    store = MappingStore(host)
    for number in range(3):
        store.add(entry(number))
    host.armed = True
    return store, host


def test_a_host_that_fails_half_way_is_put_back() -> None:
    store, host = failing("e1")
    before = dict(host)
    with pytest.raises(PatchError):
        apply_patch(store, [patch(QUARANTINE, "e0"), patch(QUARANTINE, "e1")])
    assert dict(host) == before


def test_a_confidence_of_zero_is_kept_in_a_message() -> None:
    store = ListStore([{"role": "user", "content": "hi"}])
    store.replace(store.list()[0].model_copy(update={"confidence": 0.0}))
    assert store.list()[0].confidence == 0.0


def test_a_message_that_only_calls_tools_keeps_its_empty_content() -> None:
    host: list[Any] = [{"role": "assistant", "content": None, "tool_calls": [{"id": "c1"}]}]
    store = ListStore(host)
    store.replace(store.list()[0].model_copy(update={"confidence": 0.4}))
    assert host[0]["content"] is None
    assert host[0]["tool_calls"] == [{"id": "c1"}]


class _Interrupted(dict[str, Any]):
    """A host whose second write from now is interrupted by the keyboard."""

    writes = 0

    def __setitem__(self, key: str, value: Any) -> None:
        self.writes += 1
        if self.writes == 2:
            raise KeyboardInterrupt
        super().__setitem__(key, value)


def test_an_interrupt_in_the_middle_of_a_change_leaves_nothing_changed() -> None:
    host = _Interrupted({name: entry(number, name).model_dump(mode="json") for number, name in enumerate(["e0", "e1"])})
    store = MappingStore(host)
    before = store.list()
    with pytest.raises(KeyboardInterrupt):
        store.swap([EntryChange(old, old.model_copy(update={"status": Status.QUARANTINED})) for old in before])
    assert store.list() == before
