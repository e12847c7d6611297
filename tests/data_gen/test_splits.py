from data_gen.randomness import rng_for
from data_gen.splits import counts_by_split, plan_splits, shingles
from data_gen.tasks import DOMAINS
from data_gen.writers import writers_of
from mage_ml.memory.episode import Split


def plan():
    writers = {language: writers_of(language) for language in ("en", "zh")}
    return plan_splits(DOMAINS["sales_report"].templates(), writers, 3)


def test_held_out_templates_and_writers_never_occur_in_training():
    made = plan()
    drawn = {s: [made.draw(s, lang, rng_for(s, lang, n)) for lang in ("en", "zh") for n in range(300)] for s in Split}
    for one, other in ((Split.TRAIN, Split.TEST), (Split.TRAIN, Split.VALIDATION), (Split.VALIDATION, Split.TEST)):
        for split, elsewhere in ((one, other), (other, one)):
            held_templates = set(made.templates[split])
            held_writers = {name for hands in made.writers.values() for name in hands[split]}
            if split is not Split.TRAIN:
                assert not held_templates & {template for template, _ in drawn[elsewhere]}
                assert not held_writers & {writer for _, writer in drawn[elsewhere]}


def test_every_test_triple_has_a_template_or_writer_of_its_own():
    made = plan()
    own = set(made.templates[Split.TEST]) | {name for hands in made.writers.values() for name in hands[Split.TEST]}
    for number in range(300):
        assert own & set(made.draw(Split.TEST, "zh", rng_for("own", number)))


def test_the_split_counts_add_up():
    for triples in (6, 7, 100, 401):
        counts = counts_by_split(triples, 0.15, 0.2)
        assert sum(counts.values()) == triples
        assert min(counts.values()) >= 1


def test_chinese_is_compared_by_characters():
    assert len(shingles("华北第一季度销售额", "zh")) == 6
