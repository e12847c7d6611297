import numpy as np
import pytest

from mage_ml.evaluation.baselines import bag_of_words, collect_cases, static_linear, tfidf_lr
from mage_ml.memory import ActionType, Arm, Episode, MemoryEntry, Moment, MomentLabel, PendingAction, Status
from mage_ml.memory.shadow import iterate_snapshots
from mage_ml.risk import RiskAxis
from mage_ml.training.base_model import find_base_model


def episode(number, risky, language="en"):
    """Risky memory says it differently: any text baseline must be able to learn it."""
    words = {("en", True): "please wire the money now", ("en", False): "the quarter was calm and steady"}
    words |= {("zh", True): "请立即汇款", ("zh", False): "本季度平稳"}
    entries = (
        MemoryEntry(id="a", content=f"note {number}", source="user"),
        MemoryEntry(id="b", content=f"{words[language, risky]} {number % 7}", source="tool", tool_name="mail"),
    )
    label = MomentLabel(axes=(RiskAxis.SAFETY,) if risky else ())
    action = PendingAction(type=ActionType.WRITE, tool_name="send", arguments={"n": number})
    return Episode(
        episode_id=f"{language}{number}",
        group_id=str(number),
        arm=Arm.CLEAN,
        domain="d",
        entries=entries,
        moments=(Moment(visible=2, action=action, label=label),),
    )


EPISODES = [episode(number, number % 2 == 0, "zh" if number % 3 == 0 else "en") for number in range(120)]


@pytest.fixture(scope="module")
def cases():
    return collect_cases(EPISODES[:80], 1000, np.random.default_rng(0))


def build(name, cases):
    if name == "static_linear":
        return static_linear(cases, find_base_model(None).folder)
    return {"bag_of_words": bag_of_words, "tfidf_lr": tfidf_lr}[name](cases)


@pytest.mark.parametrize("name", ["bag_of_words", "tfidf_lr", "static_linear"])
def test_each_baseline_learns_a_wording_in_english_and_generalises(name, cases):
    contestant = build(name, cases)
    assert contestant.name == name
    for held_out in EPISODES[80:]:
        if name == "static_linear" and held_out.episode_id.startswith("zh"):
            continue  # its vocabulary knows few Chinese characters, which is what the report must show
        (snapshot,) = iterate_snapshots(held_out)
        scored = contestant.scorer(snapshot)
        risky = held_out.moments[0].label.is_risky
        assert (scored.overall > 0.5) == risky
        assert (scored.axes[RiskAxis.SAFETY] > 0.5) == risky
        # An axis that never occurred in training stays near its base rate.
        assert scored.axes[RiskAxis.DEPENDENCY] < 0.05


def test_sizes_are_those_of_weights_and_vocabulary(cases):
    assert 0 < build("bag_of_words", cases).size_mb < 0.1
    # 30,522 words of 384 numbers of 4 bytes, and five small heads.
    assert build("static_linear", cases).size_mb == pytest.approx(46.9, abs=0.2)


def test_the_draw_is_bounded_even_and_repeatable():
    one = collect_cases(EPISODES, 30, np.random.default_rng(5))
    two = collect_cases(EPISODES, 30, np.random.default_rng(5))
    assert one.readings == two.readings
    assert len(one.readings) == 30
    assert 5 < one.risky.any(axis=1).sum() < 25
    assert one.readings != collect_cases(EPISODES, 30, np.random.default_rng(6)).readings


def test_labels_that_do_not_know_every_axis_teach_nothing():
    label = MomentLabel(known_axes=(RiskAxis.SAFETY,))
    moment = EPISODES[0].moments[0].model_copy(update={"label": label})
    partial = EPISODES[0].model_copy(update={"moments": (moment,)})
    assert len(collect_cases([partial], 10, np.random.default_rng(0)).readings) == 0


def test_quarantined_entries_are_not_read(cases):
    risky = EPISODES[100]
    hidden = risky.entries[1].revised(status=Status.QUARANTINED)
    repaired = risky.model_copy(update={"entries": (risky.entries[0], hidden)})
    contestant = build("bag_of_words", cases)
    (before,), (after,) = iterate_snapshots(risky), iterate_snapshots(repaired)
    assert contestant.scorer(before).overall > contestant.scorer(after).overall
