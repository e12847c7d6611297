import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data_gen.duplicates import DuplicateIndex, fingerprint, rows_for, similarity
from data_gen.randomness import rng_for
from data_gen.splits import shingles
from mage_ml.memory.episode import Split


def test_near_duplicates_across_splits_are_found_as_by_full_comparison(tmp_path):
    rng = rng_for("duplicates")
    words = [f"w{n}" for n in range(400)]
    texts = [" ".join(rng.choices(words, k=60)) for _ in range(40)]
    texts += [text.replace(text.split()[5], "changed") for text in texts[:20]]
    sets = [shingles(text, "en") for text in texts]
    found_any = 0
    with DuplicateIndex(0.8, tmp_path / "index.sqlite") as index:
        for number, found in enumerate(sets):
            split = Split.TRAIN if number < 40 else Split.TEST
            expected = split is Split.TEST and any(len(found & o) >= 0.8 * len(found | o) for o in sets[:40])
            assert index.straddles(fingerprint(found), split) is expected
            index.add(fingerprint(found), split)
            found_any += expected
    assert found_any >= 10


def test_near_duplicates_in_the_same_split_are_allowed():
    found = fingerprint(shingles("one and the same text in one split", "en"))
    with DuplicateIndex(0.8) as index:
        index.add(found, Split.TRAIN)
        assert not index.straddles(found, Split.TRAIN)
        assert index.straddles(found, Split.TEST)


@settings(deadline=None, max_examples=30)
@given(st.frozensets(st.integers(0, 2**64 - 1), min_size=1, max_size=60), st.data())
def test_similarity_is_the_jaccard_index(one, data):
    kept = data.draw(st.frozensets(st.sampled_from(sorted(one))))
    other = kept | data.draw(st.frozensets(st.integers(0, 2**64 - 1), min_size=1, max_size=60))
    assert similarity(fingerprint(one), fingerprint(other)) == len(one & other) / len(one | other)


def test_signatures_agree_about_as_often_as_texts_are_similar():
    import numpy as np

    common = frozenset(range(10**6, 10**6 + 800))
    for extra in (0, 100, 800):
        one = common | frozenset(range(extra))
        other = common | frozenset(range(5000, 5000 + extra))
        a, b = (np.frombuffer(fingerprint(item).signature, "<u4") for item in (one, other))
        assert abs(float(np.mean(a == b)) - 800 / (800 + 2 * extra)) < 0.12


def test_a_pair_at_the_limit_is_found_among_thousands_of_others(tmp_path):
    rng = rng_for("crowd")
    pairs = []
    for _ in range(60):
        base = [rng.getrandbits(64) for _ in range(300)]
        pairs.append((frozenset(base[:270]), frozenset(base[30:])))  # 240 of 300: exactly 0.8
    with DuplicateIndex(0.8, tmp_path / "index.sqlite") as index:
        for one, _ in pairs:
            index.add(fingerprint(one), Split.TRAIN)
        for _ in range(1500):
            index.add(fingerprint(frozenset(rng.getrandbits(64) for _ in range(40))), Split.TRAIN)
        assert all(index.straddles(fingerprint(other), Split.TEST) for _, other in pairs)


def test_a_text_without_shingles_is_refused():
    with pytest.raises(ValueError, match="without shingles"):
        fingerprint(frozenset())


def test_the_number_of_rows_follows_the_limit():
    assert [rows_for(limit) for limit in (0.1, 0.3, 0.5, 0.8, 1.0)] == [1, 1, 2, 6, 8]
