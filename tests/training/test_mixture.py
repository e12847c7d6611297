"""What a run learns from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from mage_ml.errors import ConfigError, RecordError
from mage_ml.memory import Episode, Split
from mage_ml.memory.records import write_episodes
from mage_ml.training.config import LEAVE_OUT_FIELDS, TrainConfig
from mage_ml.training.mixture import CARD, base_group, draw_parts, read_data
from tests.builders import tiny_triple


def published(groups: int, runs: int, corpus: str = "stepshield", split: Split = Split.TRAIN) -> list[Episode]:
    found = []
    for group in range(groups):
        for run in range(runs):
            episode = tiny_triple(1000 * group + run, split)[2 if run % 3 == 0 else 0]
            name = {"episode_id": f"{corpus}-{group}-{run}", "group_id": f"{corpus}-{group}", "corpus": corpus}
            found.append(episode.model_copy(update=name))
    return found


def write(folder: Path, corpus: str | None = None) -> Path:
    folder.mkdir()
    if corpus:
        card = {"corpus": corpus, "title": corpus.title(), "licence": "MIT"}
        (folder / CARD).write_text(json.dumps(card), encoding="utf-8")
    for split in (Split.TRAIN, Split.VALIDATION):
        episodes = [e for n in range(4) for e in tiny_triple(n, split)]
        write_episodes(folder / f"{split}.parquet", published(6, 9, corpus, split) if corpus else episodes)
    return folder


@given(groups=st.integers(1, 6), runs=st.integers(1, 12), size=st.integers(1, 5), limit=st.integers(1, 20))
def test_parts_are_small_differ_in_no_episode_and_stay_within_one_group(
    groups: int, runs: int, size: int, limit: int
) -> None:
    episodes = published(groups, runs)
    drawn = draw_parts(episodes, size=size, limit=limit, seed=3)
    by_part: dict[str, list[Episode]] = {}
    for episode in drawn:
        by_part.setdefault(episode.group_id, []).append(episode)
    assert len(by_part) == min(limit, groups * -(-runs // size))
    assert all(len(part) <= size for part in by_part.values())
    assert len({episode.episode_id for episode in drawn}) == len(drawn)
    for name, part in by_part.items():
        assert all(episode.episode_id.startswith(base_group(name) + "-") for episode in part)
    assert drawn == draw_parts(episodes[::-1], size=size, limit=limit, seed=3)


def test_every_group_has_its_say_before_one_has_two_and_risky_runs_are_not_left_to_chance() -> None:
    drawn = draw_parts(published(5, 9), size=4, limit=5, seed=1)
    assert len({base_group(episode.group_id) for episode in drawn}) == 5
    for name in {episode.group_id for episode in drawn}:
        risky = sum(any(m.label.is_risky for m in e.moments) for e in drawn if e.group_id == name)
        assert risky == 2


def test_generated_triples_are_limited_apart_from_what_corpora_add(tmp_path: Path) -> None:
    config = TrainConfig(
        data=write(tmp_path / "data"),
        corpora=(write(tmp_path / "corpus", "stepshield"),),
        max_groups=2,
        max_validation_groups=3,
        corpus_parts=6,
        part_size=2,
    )
    data = read_data(config)
    assert len({e.group_id for e in data.train if e.corpus == "generated"}) == 2
    assert len({e.group_id for e in data.validation if e.corpus == "generated"}) == 3
    assert len({e.group_id for e in data.train if e.corpus == "stepshield"}) == 6
    assert len({e.group_id for e in data.validation if e.corpus == "stepshield"}) == 2
    assert [(use.name, use.licence, use.episodes) for use in data.corpora] == [("stepshield", "MIT", 12)]


def test_a_corpus_whose_licence_is_not_known_is_refused(tmp_path: Path) -> None:
    folder = write(tmp_path / "corpus", "stepshield")
    (folder / CARD).unlink()
    with pytest.raises(ConfigError, match="its licence must be known"):
        read_data(TrainConfig(data=write(tmp_path / "data"), corpora=(folder,)))


@pytest.mark.parametrize(("text", "left"), [("corpus=stepshield", 0), ("language=en", 0), ("language=zh", 4)])
def test_what_is_left_out_is_not_seen(tmp_path: Path, text: str, left: int) -> None:
    folders = {"data": write(tmp_path / "data"), "corpora": (write(tmp_path / "corpus", "stepshield"),)}
    if text == "language=en":
        with pytest.raises(ConfigError, match="leave out less"):
            read_data(TrainConfig(**folders, leave_out=(text,)))  # type: ignore[arg-type]
        return
    data = read_data(TrainConfig(**folders, leave_out=(text,), part_size=20, corpus_parts=4))  # type: ignore[arg-type]
    assert len({e.group_id for e in data.train if e.corpus == "stepshield"}) == left


@pytest.mark.parametrize("text", ["domain", "domian=shop", "domain=", "=shop"])
def test_a_field_to_leave_out_by_must_be_known(text: str) -> None:
    with pytest.raises(ValidationError, match="expected field=value"):
        TrainConfig(leave_out=(text,))
    assert all(name in Episode.model_fields for name in LEAVE_OUT_FIELDS)


def test_a_corpus_for_evaluation_only_is_refused(tmp_path: Path) -> None:
    config = TrainConfig(data=write(tmp_path / "data"), corpora=(write(tmp_path / "corpus", "notinject"),))
    with pytest.raises(RecordError, match="evaluation only"):
        read_data(config)
