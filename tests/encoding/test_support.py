"""Features on what the agent's own words, and its action, rest on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mage_ml.encoding.columns import FEATURE_NAMES, feature_names
from mage_ml.encoding.features import action_features, entry_features
from mage_ml.encoding.support import grounds_of, support_of
from mage_ml.memory import MemoryEntry, PendingAction, Snapshot, Source, Status
from mage_ml.memory.notices import MARK_EN


def entry(id_: str, content: str, source: Source, *parents: str, status: Status = Status.ACTIVE) -> MemoryEntry:
    return MemoryEntry(id=id_, content=content, source=source, depends_on=parents, status=status)


def row_of(snapshot: Snapshot, entry_id: str) -> dict[str, float]:
    row = entry_features(snapshot, snapshot.entry(entry_id), frozenset(), ())
    return dict(zip(FEATURE_NAMES, row.tolist(), strict=True))


RECORDS = {
    "en": ("North sold 1,200 units and South sold 300 units.", "Sales of the North were {} units in total."),
    "zh": ("华北售出1200件，华南售出300件。", "合计售出{}件。"),
}


@pytest.mark.parametrize("language", RECORDS)
@pytest.mark.parametrize(("figure", "unheld"), [("1,200", 0.0), ("1,500", 0.0), ("900", 0.0), ("7,341", 1.0)])
def test_figures_rest_on_records_when_they_are_stated_or_follow_in_one_step(
    language: str, figure: str, unheld: float
) -> None:
    record, claim = RECORDS[language]
    text = claim.format(figure if language == "en" else figure.replace(",", ""))
    snapshot = Snapshot.of(
        [entry("r", record, Source.TOOL), entry("c", text, Source.LLM_REASONING, "r")],
        PendingAction(type="final_output", content=text, depends_on=("c",)),
    )
    assert row_of(snapshot, "c")["figures_without_support"] == unheld
    assert action_features(snapshot)[FEATURE_NAMES.index("action_figures_without_support")] == unheld


@pytest.mark.parametrize(
    ("record", "claim"),
    [
        ("Orders fell in May. Warehouse staff were on strike.", "Orders fell because of a cyber attack on the shop."),
        ("五月订单下降，仓库员工罢工。", "订单下降是因为网站遭到黑客攻击。"),
    ],
)
def test_a_cause_that_no_record_names_adds_words_without_support(record: str, claim: str) -> None:
    entries = [entry("r", record, Source.TOOL), entry("c", claim, Source.LLM_REASONING, "r")]
    entries.append(entry("d", record, Source.LLM_REASONING, "r"))
    snapshot = Snapshot.of(entries, PendingAction(type="final_output", content=claim))
    assert row_of(snapshot, "c")["words_without_support"] > 0.3
    assert row_of(snapshot, "d")["words_without_support"] == 0.0


@pytest.mark.parametrize("status", [Status.QUARANTINED, Status.SUPERSEDED])
def test_what_is_out_of_use_or_said_by_the_guard_supports_nothing(status: Status) -> None:
    for content, standing in (
        ("North sold 7,341 units.", status),
        (f"{MARK_EN} North sold 7,341 units.", Status.ACTIVE),
    ):
        entries = [
            entry("r", content, Source.TOOL, status=standing),
            entry("c", "North sold 7,341 units.", Source.LLM_REASONING, "r"),
        ]
        snapshot = Snapshot.of(entries, PendingAction(type="final_output", content="7,341 units", depends_on=("c",)))
        assert row_of(snapshot, "c")["figures_without_support"] == 1.0
        assert row_of(snapshot, "c")["values_without_support"] in (0.0, 1.0)
        assert grounds_of(snapshot, ("r",)) == ()


def test_an_own_conclusion_does_not_support_the_action_that_repeats_it() -> None:
    entries = [
        entry("r", "North sold 1,200 units.", Source.TOOL),
        entry("c", "North sold 7,341 units.", Source.LLM_REASONING, "r"),
    ]
    action = PendingAction(type="final_output", content="North sold 7,341 units.", depends_on=("c",))
    snapshot = Snapshot.of(entries, action)
    assert action_features(snapshot)[FEATURE_NAMES.index("action_figures_without_support")] == 1.0


@given(text=st.text(max_size=300), other=st.text(max_size=300))
def test_shares_lie_between_none_and_all_and_a_text_supports_itself(text: str, other: str) -> None:
    found = support_of(text, [entry("r", other, Source.TOOL)], "")
    assert 0.0 <= found.unheld_figures <= 1.0
    assert 0.0 <= found.unheld_words <= 1.0
    same = support_of(text, [entry("r", text, Source.TOOL)], "")
    assert same.unheld_figures == 0.0
    assert same.unheld_words == 0.0


def test_version_two_adds_columns_and_keeps_the_order_of_the_others() -> None:
    old, new = feature_names(1), feature_names(2)
    assert [name for name in new if name in old] == list(old)
    assert len(new) == len(old) + 6
