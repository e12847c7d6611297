import json
import re

import pytest

from data_gen.card import DataCard, proven_share
from data_gen.card_text import render_card
from data_gen.config import GenerateConfig
from data_gen.operators import find_operator
from data_gen.runner import SPLIT_FILES, candidates_of, generate
from data_gen.splits import distinctive_text, shingles
from mage_ml.config import load_config
from mage_ml.errors import ConfigError, ProbeError
from mage_ml.memory.episode import EpisodeTriple, Split
from mage_ml.memory.records import digest_of, episode_files, read_episodes

CARD_FILES = ("data_card.json", "data_card.md", "data_card.html")
QUICK = ("value_flip", "unit_slip", "false_corroboration", "plain_instruction")
SMALL = GenerateConfig(triples=24, seed=5, seeds_per_proof=3, operators=QUICK)


def triples_in(folder):
    found = []
    for name in SPLIT_FILES:
        episodes = list(read_episodes(folder / name))
        assert len(episodes) % 3 == 0
        for start in range(0, len(episodes), 3):
            clean, sham, contaminated = episodes[start : start + 3]
            found.append(EpisodeTriple(clean=clean, sham=sham, contaminated=contaminated))
    return found


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("built")
    told = []
    card = generate(SMALL, folder, lambda stage, done, total: told.append((stage, done, total)))
    return folder, card, told


def test_a_build_writes_splits_card_and_resolved_config(built):
    folder, card, _ = built
    assert {path.name for path in folder.iterdir()} == {*SPLIT_FILES, *CARD_FILES, "config.yaml"}
    assert load_config(GenerateConfig, folder / "config.yaml") == SMALL
    assert DataCard.model_validate_json((folder / "data_card.json").read_text(encoding="utf-8")) == card
    assert (folder / "data_card.md").read_text(encoding="utf-8") == render_card(card)


def test_the_card_counts_what_is_in_the_files(built):
    folder, card, _ = built
    found = triples_in(folder)
    dropped = card.missing + card.rejections.get("near_duplicate", 0)
    assert card.triples == len(found) == 24 - dropped
    assert dropped <= 2
    assert card.episodes == 3 * card.triples
    assert sum(card.by_split.values()) == card.triples
    assert card.moments == sum(len(arm.moments) for triple in found for arm in triple.episodes)
    assert card.consequential == sum(triple.contaminated.consequential for triple in found)
    assert card.attempts == card.triples + sum(card.rejections.values())
    assert card.failures == {}
    assert len(card.examples) == 2
    assert set(card.by_language) == {"en", "zh"}


def test_the_digests_are_those_of_the_files(built):
    folder, card, _ = built
    assert card.digests == {split.value: digest_of(read_episodes(folder / f"{split.value}.parquet")) for split in Split}


def test_progress_is_told_after_every_block(built):
    _, _, told = built
    assert [step for step in told if step[0] == "generate"] == [("generate", n, 24) for n in (0, 16, 24)]
    assert told[-1] == ("probe", 1, 1)


def test_triples_of_a_group_stay_together_and_no_near_duplicate_straddles(built):
    folder, _, _ = built
    found = triples_in(folder)
    assert len({triple.clean.group_id for triple in found}) == len(found)
    sets = [(triple, shingles(distinctive_text(triple), triple.clean.language)) for triple in found]
    for number, (one, a) in enumerate(sets):
        for other, b in sets[number + 1 :]:
            if one.clean.split is not other.clean.split:
                assert len(a & b) < 0.8 * len(a | b)


def test_a_large_split_is_cut_into_shards_with_the_same_episodes_and_datasets_reads_them(built, tmp_path):
    folder, card, _ = built
    out = tmp_path / "shards"
    out.mkdir()
    (out / "test-00000-of-00002.parquet").write_text("an older build")
    assert generate(SMALL.model_copy(update={"shard_triples": 6}), out) == card
    assert [path.name for path in episode_files(out / "train.parquet")] == [
        f"train-{number:05d}-of-00003.parquet" for number in range(3)
    ]
    assert (out / "test.parquet").is_file()
    for name in SPLIT_FILES:
        assert list(read_episodes(out / name)) == list(read_episodes(folder / name))
    load_dataset = pytest.importorskip("datasets").load_dataset
    for place in (folder, out):
        whole = load_dataset("parquet", data_dir=str(place), cache_dir=str(tmp_path / "cache"))
        assert {split: rows.num_rows // 3 for split, rows in whole.items()} == card.by_split
    streamed = load_dataset("parquet", data_dir=str(out), split="train", streaming=True)
    ids = [episode.episode_id for episode in read_episodes(folder / "train.parquet")]
    assert [row["episode_id"] for row in streamed] == ids


def test_the_probes_look_at_a_sample_that_the_limit_bounds(built, tmp_path):
    _, card, _ = built
    sampled = generate(SMALL.model_copy(update={"probe_pairs": 11}), tmp_path)
    assert sampled.digests == card.digests
    assert {row.pairs for row in sampled.probes if row.probe == "length"} == {11}
    assert {row.pairs for row in card.probes if row.probe == "length"} == {card.triples}


def test_a_failed_probe_fails_the_build_and_keeps_the_card_but_not_the_data(tmp_path, monkeypatch):
    operator = type(find_operator("unsupported_inference"))
    original = operator.edit_one

    def shouting(self, write, rng, task):
        pair = original(self, write, rng, task)
        if pair is None:
            return None
        loud = pair.contaminated.revised(content=pair.contaminated.text.replace(".", "!").replace("。", "！") + "!!!")
        return type(pair)(pair.sham, loud)

    monkeypatch.setattr(operator, "edit_one", shouting)
    config = GenerateConfig(
        triples=24, seeds_per_proof=1, operators=("unsupported_inference",), hard_negative_share=0.0, languages=("en",)
    )
    (tmp_path / "train.parquet").write_text("an older build")
    with pytest.raises(ProbeError, match="punctuation_and_case"):
        generate(config, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {*CARD_FILES, "config.yaml"}
    assert json.loads((tmp_path / "data_card.json").read_text(encoding="utf-8"))["accepted"] is False


def test_an_excluded_operator_does_not_occur():
    config = GenerateConfig(operators=QUICK, exclude_operators=("plain_instruction", "value_flip"))
    assert {candidate.operator for candidate in candidates_of(config)} == {"unit_slip", "false_corroboration"}


def test_operators_and_languages_are_spread_evenly():
    found = list(candidates_of(GenerateConfig(triples=320, operators=QUICK)))
    cells = [(candidate.operator, candidate.language) for candidate in found]
    assert {cells.count(cell) for cell in set(cells)} == {40}
    assert len(set(cells)) == 8


@pytest.mark.parametrize(
    ("change", "differs"),
    [
        ({"triples": 30}, lambda c: len(list(candidates_of(c)))),
        ({"seed": 6}, lambda c: [x.wants_negative for x in candidates_of(c)]),
        ({"languages": ("zh",)}, lambda c: {x.language for x in candidates_of(c)}),
        ({"operators": ("value_flip",)}, lambda c: {x.operator for x in candidates_of(c)}),
        ({"hard_negative_share": 0.0}, lambda c: sum(x.wants_negative for x in candidates_of(c))),
        ({"validation_share": 0.4}, lambda c: sum(x.split is Split.VALIDATION for x in candidates_of(c))),
        ({"test_share": 0.4}, lambda c: sum(x.split is Split.TEST for x in candidates_of(c))),
        ({"needed_share": 1.0}, lambda c: c.seeds_needed),
        ({"seeds_per_proof": 9}, lambda c: c.seeds_needed),
    ],
)
def test_every_setting_of_the_plan_changes_something(change, differs):
    base = GenerateConfig(triples=24, seed=5)
    assert differs(base) != differs(base.model_copy(update=change))


def test_triples_that_read_alike_stay_in_one_split(tmp_path, monkeypatch):
    monkeypatch.setattr("data_gen.blocks.distinctive_text", lambda triple: "always the same text in every triple")
    config = GenerateConfig(triples=12, seeds_per_proof=1, languages=("en",), operators=QUICK)
    card = generate(config, tmp_path)
    assert set(card.by_split) == {"train"}
    assert card.rejections["near_duplicate"] == 12 - card.by_split["train"] - card.missing
    assert card.duplicates_compared >= card.rejections["near_duplicate"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"operators": ("value_flop",)}, "did you mean 'value_flip'"),
        ({"languages": ("en", "en")}, "given twice"),
        ({"exclude_operators": tuple(GenerateConfig().operators)}, "leaves no operator"),
        ({"triples": 5}, "greater than or equal to 6"),
        ({"domains": ("sales",)}, "unknown domain 'sales'"),
    ],
)
def test_a_wrong_setting_is_refused_with_a_hint(fields, message):
    with pytest.raises(ValueError, match=message):
        GenerateConfig(**fields)


def test_every_setting_is_described():
    assert all(field.description for field in GenerateConfig.model_fields.values())


def test_four_in_five_seeds_are_needed_by_default():
    assert GenerateConfig().seeds_needed == 4
    assert GenerateConfig(seeds_per_proof=1).seeds_needed == 1


def test_a_file_in_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="expected a folder"):
        generate(SMALL, tmp_path / "file")


def test_the_card_page_is_well_formed_and_draws_every_count(built):
    from xml.etree import ElementTree

    folder, card, _ = built
    text = (folder / "data_card.html").read_text(encoding="utf-8")
    drawings = [ElementTree.fromstring(part + "</svg>") for part in re.findall(r"<svg.*?(?=</svg>)", text, re.S)]
    words = [item.text for drawing in drawings for item in drawing.iter("text")]
    assert {*card.by_operator, *card.by_split, *card.rejections, *card.by_domain} <= set(words)
    assert all(any(row.probe in (word or "") for word in words) for row in card.probes)


def test_the_card_says_for_each_operator_how_often_it_mattered(built):
    _, card, _ = built
    proven = sum(rows.get("proven", 0) for rows in card.consequences.values())
    assert proven == card.consequential
    lost = card.rejections.get("surplus_no_effect", 0)
    assert sum(rows.get("no_effect", 0) for rows in card.consequences.values()) == lost
    assert set(card.rarely_matter) == {n for n, rows in card.consequences.items() if proven_share(rows) < 0.5}
    assert "Contaminated runs with proven consequence" in render_card(card)
