from __future__ import annotations

import pytest
from pydantic import ValidationError

from mage_ml.memory import (
    ActionType,
    Arm,
    DependencyGraph,
    Episode,
    EpisodeTriple,
    FactIndex,
    Moment,
    MomentLabel,
    PendingAction,
    Snapshot,
)
from mage_ml.risk import RiskAxis
from tests.memory.entries import said

MAIL = PendingAction(type=ActionType.WRITE, tool_name="send_mail", arguments={"to": "ana@corp.example"})


def episode(arm: Arm = Arm.CLEAN, **changes: object) -> Episode:
    moments = (
        Moment(visible=1, action=MAIL),
        Moment(visible=2, action=MAIL, label=MomentLabel(axes=(RiskAxis.SAFETY,))),
    )
    entries = (said("a", "North revenue is 120k"), said("b", "North revenue is 80k", "a"))
    fields = {"episode_id": "e", "group_id": "g", "arm": arm, "domain": "sales", "entries": entries, "moments": moments}
    return Episode.model_validate({**fields, **changes})


def test_each_moment_sees_only_the_entries_before_it() -> None:
    (first, calm), (second, risky) = episode(goal="mail it").snapshots()
    assert [len(s.entries) for s in (first, second)] == [1, 2]
    assert (calm.is_risky, risky.is_risky) == (False, True)
    assert (first.goal, len(first.graph), len(first.facts.conflicts())) == ("mail it", 1, 0)
    assert len(second.facts.conflicts()) == 1


def test_a_moment_beyond_the_entries_is_refused() -> None:
    with pytest.raises(ValidationError, match="moment 0 sees 3 entries, but the episode has 2"):
        episode(moments=(Moment(visible=3, action=MAIL),))


def test_two_entries_with_one_id_are_refused() -> None:
    with pytest.raises(ValidationError, match="entry id 'a' is used twice"):
        episode(entries=(said("a"), said("a")), moments=())


def test_a_label_speaks_about_every_axis_unless_it_says_otherwise() -> None:
    assert MomentLabel().known_axes == tuple(RiskAxis)
    assert MomentLabel(known_axes=(RiskAxis.SAFETY,)).known_axes == (RiskAxis.SAFETY,)


def test_a_triple_lists_its_arms_in_order() -> None:
    triple = EpisodeTriple(clean=episode(Arm.CLEAN), sham=episode(Arm.SHAM), contaminated=episode(Arm.CONTAMINATED))
    assert [one.arm for one in triple.episodes] == [Arm.CLEAN, Arm.SHAM, Arm.CONTAMINATED]


@pytest.mark.parametrize(
    ("type_", "leaves"),
    [
        ("internal_reasoning", False),
        ("call_tool:read", False),
        ("call_tool:write", True),
        ("final_output", True),
        ("pay", True),
    ],
)
def test_an_action_of_unknown_type_counts_as_consequential(type_: str, leaves: bool) -> None:
    assert PendingAction(type=type_).is_consequential is leaves


@pytest.mark.parametrize("type_", ["", "Call", "call_tool:", "call tool", "call_tool:read:more", "call_tool:write\n"])
def test_a_malformed_action_type_is_refused(type_: str) -> None:
    with pytest.raises(ValidationError):
        PendingAction(type=type_)


def test_the_text_of_an_action_holds_tool_arguments_and_content() -> None:
    action = PendingAction(type="pay", tool_name="pay", arguments={"额": 5}, content="now")
    assert action.text == 'pay {"额": 5} now'
    assert PendingAction(type="pay").text == ""


def test_a_snapshot_finds_its_entries_and_no_others() -> None:
    entries = (said("a"), said("b", "x", "a"))
    full = Snapshot.of(entries, MAIL)
    assert full.entry("b") is entries[1]
    earlier = Snapshot(entries[:1], MAIL, "", DependencyGraph.of(entries), FactIndex.of(entries))
    assert ("a" in earlier, "b" in earlier, "z" in earlier) == (True, False, False)
    with pytest.raises(KeyError):
        earlier.entry("b")
