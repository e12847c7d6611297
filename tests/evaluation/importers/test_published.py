"""The published files, where they lie beside the project or where MAGE_CORPORA says."""

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from mage_ml.evaluation.importers.corpus import ImportCount
from mage_ml.evaluation.importers.reading import import_corpus
from mage_ml.evaluation.scoring import standing_of

SLOW = pytest.mark.slow


@dataclass(frozen=True)
class Found:
    episodes: int
    snapshots: int
    risky: int
    located: int


EXPECTED = {
    "agentdojo_drift": Found(949, 3930, 80, 80),
    "asb_drift": Found(800, 1497, 35, 4),
    "rjudge": Found(243, 606, 113, 71),
    "assebench": Found(398, 1106, 177, 0),
    "stepshield": Found(574, 7299, 308, 0),
    "ci_tod": Found(2024, 2024, 1211, 0),
    "who_and_when": Found(87, 1867, 1364, 1277),
    "agentrx": Found(63, 1565, 723, 690),
    "tau_bench": Found(288, 3081, 70, 0),
    "mirage_bench": Found(353, 353, 46, 29),
    "sentinel": Found(1655, 11512, 2179, 1956),
    "agentleak": Found(1330, 3325, 1650, 1650),
    "privacylens": Found(493, 1479, 493, 475),
    "halueval": Found(4507, 4507, 815, 0),
    "poisonedrag": Found(600, 600, 300, 300),
    "bipia": Found(350, 450, 100, 100),
    "notinject": Found(1017, 1017, 0, 0),
}


def corpora() -> Path:
    given = os.environ.get("MAGE_CORPORA")
    return Path(given) if given else Path(__file__).resolve().parents[4] / "shared" / "corpora"


def folder_of(name: str) -> Path:
    folder = corpora() / name
    if not folder.is_dir():
        pytest.skip(f"no {name} here; set MAGE_CORPORA to the folder that holds it")
    return folder


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=SLOW) if name == "mirage_bench" else name for name in EXPECTED]
)
def test_the_published_counts_and_labels_come_out(name):
    episodes = list(import_corpus(name, folder_of(name)))
    moments = [(episode, moment) for episode in episodes for moment in episode.moments]
    risky = [(episode, moment) for episode, moment in moments if moment.label.is_risky]
    located = [moment for _, moment in risky if moment.label.decisive_entry is not None]
    assert Found(len(episodes), len(moments), len(risky), len(located)) == EXPECTED[name]
    for episode, moment in moments:
        visible = {entry.id for entry in episode.entries[: moment.visible]}
        assert set(moment.label.tainted) <= visible
        assert set(moment.action.depends_on) <= visible
        assert set(moment.label.axes) <= set(moment.label.known_axes)


@SLOW
def test_nearly_every_successful_attack_of_the_agentdojo_export_is_located():
    count = ImportCount()
    episodes = list(import_corpus("agentdojo_invariant", folder_of("agentdojo_invariant"), count=count))
    attacked = [episode for episode in episodes if episode.operator is not None]
    succeeded = [episode for episode in attacked if episode.outcome.harm_done]
    located = [episode for episode in succeeded if any(moment.label.is_risky for moment in episode.moments)]
    assert (count.records, len(attacked), len(succeeded), len(located)) == (2134, 1067, 177, 168)
    standing = Counter(standing_of(episode, moment).value for episode in episodes for moment in episode.moments)
    assert standing["risky"] == 349
    clean = [episode for episode in episodes if episode.operator is None]
    assert not any(moment.label.is_risky for episode in clean for moment in episode.moments)
