"""One road from chain to numbers: golden ids, the same at training and at run time, bounded whatever the chain."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from mage_ml.artifact import load_artifact
from mage_ml.encoding import RELATION_NAMES, EncodingSettings, SnapshotEncoder, feature_names
from mage_ml.encoding.selection import select_entries
from mage_ml.memory import MemoryEntry, PendingAction, Snapshot, Source, Split, Status
from mage_ml.training.base_model import find_base_model
from mage_ml.training.dataset import build_groups
from mage_ml.training.vocabulary import SPECIAL_TOKENS, fit_vocabulary
from tests.builders import tiny_triple
from tests.conftest import TinyRun

GOLDEN = {version: Path(__file__).parent.parent / "golden" / f"encoding_v{version}.json" for version in (1, 2)}


def golden_snapshots() -> list[Snapshot]:
    return [
        snapshot for language in ("en", "zh") for snapshot, _ in tiny_triple(5, Split.TEST, language)[2].snapshots()
    ]


def encoder(settings: EncodingSettings | None = None) -> SnapshotEncoder:
    vocabulary = fit_vocabulary(find_base_model(None).folder / "tokenizer.json", 3000)
    return SnapshotEncoder(vocabulary.tokenizer, settings or EncodingSettings())


def long_snapshot(entries: int, action: PendingAction | None = None) -> Snapshot:
    chain = [
        MemoryEntry(id=f"m{i}", content=f"note {i}: store {i} sold {1000 + i} units", source=Source.TOOL, step=i)
        for i in range(entries)
    ]
    return Snapshot.of(chain, action or PendingAction(type="final_output", content="done"), goal="count")


def as_golden(found: SnapshotEncoder) -> list[dict[str, object]]:
    rows = []
    for snapshot in golden_snapshots():
        encoded = found.encode(snapshot)
        rows.append(
            {
                "entry_ids": list(encoded.entry_ids),
                "token_ids": [list(ids) for ids in encoded.token_ids],
                "features": np.round(encoded.features.astype(float), 5).tolist(),
                "relations": [list(map(int, index)) for index in np.argwhere(encoded.relations)],
                "tokens_seen": encoded.tokens_seen,
                "tokens_total": encoded.tokens_total,
            }
        )
    return rows


@pytest.mark.parametrize("version", GOLDEN)
def test_golden_chain_gives_the_recorded_ids_features_and_relations(version: int) -> None:
    recorded = json.loads(GOLDEN[version].read_text(encoding="utf-8"))
    assert recorded["feature_names"] == list(feature_names(version))
    assert recorded["relation_names"] == list(RELATION_NAMES)
    assert as_golden(encoder(EncodingSettings(version=version))) == recorded["snapshots"]  # type: ignore[arg-type]


def test_training_and_runtime_give_the_same_ids(tiny_run: TinyRun) -> None:
    runtime = load_artifact(tiny_run.artifact).encoder
    vocabulary = fit_vocabulary(tiny_run.base / "tokenizer.json", 3000)
    episode = tiny_triple(5, Split.TEST)[2]
    (group,) = build_groups(
        [episode], SnapshotEncoder(vocabulary.tokenizer, EncodingSettings()), moments_per_episode=10
    )
    for example, (snapshot, _) in zip(group.examples, episode.snapshots(), strict=True):
        live = runtime.encode(snapshot)
        assert example.encoded.token_ids == live.token_ids
        assert np.array_equal(example.encoded.features, live.features)
        assert np.array_equal(example.encoded.relations, live.relations.astype(bool))


def test_vocabulary_keeps_special_tokens_and_reads_common_chinese() -> None:
    tokenizer = fit_vocabulary(find_base_model(None).folder / "tokenizer.json", 3000).tokenizer
    assert [tokenizer.token_to_id(token) for token in SPECIAL_TOKENS] == list(range(5))
    ids = tokenizer.encode("华北地区一季度销售额为十二万元，请核实。", add_special_tokens=False).ids
    assert tokenizer.token_to_id("[UNK]") not in ids


def test_items_stay_within_the_limits_and_the_action_is_last() -> None:
    settings = EncodingSettings(max_items=12, max_entries=10, max_tokens=16, max_pieces_per_entry=3)
    encoded = encoder(settings).encode(long_snapshot(200))
    assert len(encoded.token_ids) <= 12
    assert encoded.entry_ids[-1] == ""
    assert all(len(ids) <= 16 for ids in encoded.token_ids)
    assert encoded.features.shape == (len(encoded.token_ids), len(feature_names(2)))
    assert encoded.relations.shape == (len(encoded.token_ids), len(encoded.token_ids), len(RELATION_NAMES))


def test_what_was_not_read_is_counted() -> None:
    def coverage(words: int) -> tuple[int, int]:
        entry = MemoryEntry(id="m0", content="filler " * words, source=Source.TOOL)
        encoded = encoder().encode(Snapshot.of([entry], PendingAction(type="final_output", content="x")))
        return encoded.tokens_seen, encoded.tokens_total

    seen, total = coverage(20)
    assert seen == total
    seen, total = coverage(2000)
    assert seen < 0.25 * total
    seen, total = coverage(100_000)
    assert total > 150_000


def test_coverage_does_not_fall_because_the_chain_is_long() -> None:
    encoded = encoder().encode(long_snapshot(500))
    assert encoded.tokens_seen == encoded.tokens_total


def test_without_memory_nothing_of_memory_is_seen() -> None:
    action = PendingAction(type="call_tool:write", tool_name="order", arguments={"units": 1007}, depends_on=("m7",))
    alone = encoder(EncodingSettings(use_history=False))
    short, long = alone.encode(long_snapshot(8, action)), alone.encode(long_snapshot(300, action))
    assert short.token_ids == long.token_ids
    assert np.array_equal(short.features, long.features)


def test_a_long_entry_is_read_at_its_start_and_its_end() -> None:
    text = "alpha " + "filler " * 2000 + "omega"
    snapshot = Snapshot.of(
        [MemoryEntry(id="m0", content=text, source=Source.TOOL)], PendingAction(type="final_output", content="x")
    )
    found = encoder()
    encoded = found.encode(snapshot)
    seen = {token for ids in encoded.token_ids for token in ids}
    tokenizer = fit_vocabulary(find_base_model(None).folder / "tokenizer.json", 3000).tokenizer
    for word in ("alpha", "omega"):
        assert set(tokenizer.encode(word, add_special_tokens=False).ids) <= seen
    assert len(encoded.token_ids) == found.settings.max_pieces_per_entry + 1


def test_the_entry_an_action_rests_on_is_chosen_however_far_back() -> None:
    action = PendingAction(type="call_tool:write", tool_name="send", arguments={"text": "x"}, depends_on=("m3",))
    chosen = [entry.id for entry in select_entries(long_snapshot(500, action), 12)]
    assert "m3" in chosen
    assert chosen == sorted(chosen, key=lambda name: int(name[1:]))


def test_an_entry_that_holds_a_value_of_the_action_is_chosen_however_far_back() -> None:
    action = PendingAction(type="call_tool:write", tool_name="order", arguments={"units": 1007})
    assert "m7" in [entry.id for entry in select_entries(long_snapshot(500, action), 12)]


@pytest.mark.parametrize("status", [Status.QUARANTINED, Status.SUPERSEDED])
def test_entries_out_of_service_are_not_read(status: Status) -> None:
    entries = [MemoryEntry(id="m0", content="secret order", source=Source.TOOL, status=status)]
    snapshot = Snapshot.of(entries, PendingAction(type="final_output", content="x", depends_on=("m0",)))
    assert encoder().encode(snapshot).entry_ids == ("",)


@pytest.mark.parametrize("content", ["", " ", ".", "\n", {}, [], None, 0])
def test_empty_and_tiny_contents_are_encoded(content: object) -> None:
    entry = MemoryEntry.model_validate({"id": "m0", "content": content, "source": "tool"})
    encoded = encoder().encode(Snapshot.of([entry], PendingAction(type="internal_reasoning")))
    assert np.isfinite(encoded.features).all()
    assert encoded.entry_ids == ("m0", "")


def test_a_script_the_tokenizer_was_not_built_for_is_reported() -> None:
    def supported(text: str) -> bool:
        entry = MemoryEntry(id="m0", content=text, source=Source.TOOL)
        return encoder().encode(Snapshot.of([entry], PendingAction(type="final_output"))).language_supported

    assert supported("The report is ready.")
    assert supported("报告已经完成。")
    assert not supported("ⴷⴰ ⵢⴻⵜⵜⵡⴰⵙⵙⴻⵏ ⴰⵙⵙ ⴰ ⴳ ⵓⵙⵏⵓⵍⴼⵓ " * 4)


@pytest.mark.parametrize(
    "changed",
    [
        {"max_tokens": 16},
        {"max_pieces_per_entry": 1},
        {"max_entries": 4},
        {"max_items": 6},
        {"use_provenance": False},
        {"use_history": False},
    ],
)
def test_every_encoding_setting_changes_the_encoding(changed: dict[str, int]) -> None:
    entries = [
        MemoryEntry(id=f"m{i}", content="the figure is 1200 " * 40, source=Source.TOOL, depends_on=()) for i in range(9)
    ]
    snapshot = Snapshot.of(entries, PendingAction(type="final_output", content="1200", depends_on=("m1",)))
    before = encoder().encode(snapshot)
    after = encoder(EncodingSettings.model_validate(changed)).encode(snapshot)
    same_tokens = before.token_ids == after.token_ids
    assert not (same_tokens and np.array_equal(before.features, after.features))
