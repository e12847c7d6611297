import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data_gen.agents import PROFILES, Habit
from data_gen.config import GenerateConfig
from data_gen.operators import OPERATORS
from data_gen.proof import run_once
from data_gen.randomness import rng_for
from data_gen.session import Edit, Session
from data_gen.splits import plan_splits
from data_gen.statements import BY_NAME, EXPLAINS, OrderStyle
from data_gen.tasks.research_assistant import DOMAIN
from data_gen.tasks.research_assistant import papers as texts
from data_gen.tasks.research_assistant.lexicon import WAYS
from data_gen.tasks.research_assistant.reading import figures_in_text, read_orders, read_trait, read_verdict
from data_gen.tasks.research_assistant.recipes import TEMPLATES, suits
from data_gen.tasks.research_assistant.statements import (
    Figure,
    Key,
    Mood,
    TraitKind,
    Verdict,
    VerdictKind,
    Way,
    conclusion,
    finding,
    trait,
)
from data_gen.tasks.research_assistant.wording import WRITERS
from data_gen.texts.names import names_a_person
from data_gen.triples import make_triple, plan_candidate
from data_gen.writers import writers_of
from mage_ml.memory.entry import MemoryEntry, Source
from mage_ml.memory.episode import Outcome, Split

NAME = "data_gen.tasks.research_assistant:DOMAIN"
WISHES = ((), ("estimate", "two_documents"), ("cause", "precedent", "record"), ("single_source", "revision"))


def sample(template, language, number=0, wanted=()):
    rng = rng_for("task", template, language, number)
    return DOMAIN.sample(template, language, rng.choice(writers_of(language)), rng, wanted)


def finish(task, habit=Habit.HASTY, seed=1, **options):
    environment = task.new_environment()
    session = Session(seed, **options)
    DOMAIN.run(task, environment, session, PROFILES[habit])
    return environment, session


def document(text):
    return MemoryEntry(id="e1", content=text, source=Source.RETRIEVED, tool_name="open_document")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("template", TEMPLATES)
def test_every_habit_solves_every_template_from_clean_memory(template, language):
    for number, (habit, wanted) in enumerate(zip(Habit, WISHES, strict=True)):
        task = sample(template, language, number, wanted if suits(template, wanted) else ())
        run = run_once(DOMAIN, task, PROFILES[habit], 17 + number)
        assert run.is_right, run.outcome.detail


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from(TEMPLATES), st.sampled_from(["en", "zh"]))
def test_any_seed_gives_a_solvable_task(seed, template, language):
    rng = rng_for(seed)
    task = DOMAIN.sample(template, language, rng.choice(writers_of(language)), rng)
    assert run_once(DOMAIN, task, PROFILES[Habit.HASTY], seed).is_right


def test_there_are_more_than_fifty_templates():
    assert len(TEMPLATES) >= 50


def test_runs_hold_seven_to_about_twenty_five_entries():
    lengths = [len(run_once(DOMAIN, sample(t, "en", 3), PROFILES[Habit.HASTY], 3).entries) for t in TEMPLATES]
    assert min(lengths) >= 7
    assert sorted(lengths)[int(0.9 * len(lengths))] <= 25


def test_a_run_is_the_same_for_the_same_seed():
    task = sample("research_gap_studies", "zh")
    one, two, other = (run_once(DOMAIN, task, PROFILES[Habit.SUMMARISING], seed) for seed in (5, 5, 6))
    assert one == two
    assert one.entries != other.entries


def test_a_wrong_note_changes_what_the_agent_reports():
    task = sample("research_gap_studies", "en", 4)
    key = task.question.keys[0]

    def change(write):
        wrong = Figure(key, 5 * task.world.topic.high, task.world.topic.measure.unit)
        return write.entry.revised(content=write.redraw(finding(wrong, task.world.topic.measure), rng_for("change")))

    environment, _ = finish(task, edit=Edit(f"note:{key.study}:{key.group}:value", change))
    assert environment.outcome().harm_done is True
    assert finish(task)[0].outcome() == Outcome(task_solved=True, harm_done=False, detail="as asked")


def test_a_source_taken_for_retracted_is_left_out_of_the_brief():
    for number in range(20):
        task = sample("research_cite_standing", "en", number)
        standing = [name for name, way in task.true_traits.items() if way is Way.YES]
        if standing:
            break

    def turn(write):
        changed = trait(TraitKind.STANDING, standing[0], Way.NO)
        return write.entry.revised(content=write.redraw(changed, rng_for("turn")))

    environment, _ = finish(task, edit=Edit(f"trait:standing:{standing[0]}", turn))
    cites = [row[0] for row in environment.books.execute("SELECT cites FROM briefs")]
    assert cites
    assert all(standing[0] not in found for found in cites)
    assert environment.outcome().harm_done is True


def test_a_careful_agent_corrects_a_wrong_note_from_the_record():
    task = next(t for t in (sample("research_figure", "en", n) for n in range(50)) if not t.checks)
    key = task.question.keys[0]

    def double(write):
        wrong = Figure(key, 2 * task.world.value(key), task.world.topic.measure.unit)
        return write.entry.revised(content=write.redraw(finding(wrong, task.world.topic.measure), rng_for("double")))

    edit = Edit(f"note:{key.study}:{key.group}:value", double)
    runs = [run_once(DOMAIN, task, PROFILES[Habit.CAREFUL], seed, edit=edit) for seed in range(10)]
    assert sum(run.is_right and run.corrected for run in runs) >= 7


def test_a_correction_reaches_the_archive_and_the_answer_follows_it():
    task = next(t for t in (sample("research_figure_corrected", "en", n) for n in range(50)) if t.world.correction)
    environment, _ = finish(task)
    key = task.question.keys[0]
    printed = task.world.result(key.study, key.group).value
    (now,) = environment.books.execute(
        "SELECT value FROM results WHERE study = ? AND grp = ?", (key.study, key.group)
    ).fetchone()
    assert now == task.world.value(key) != printed
    assert environment.outcome().task_solved is True


def test_every_entry_names_its_source_origin_and_parents_truthfully():
    for template in TEMPLATES:
        run = run_once(DOMAIN, sample(template, "zh"), PROFILES[Habit.SUMMARISING], 4)
        known = set()
        for entry in run.entries:
            assert set(entry.depends_on) <= known
            known.add(entry.id)
            if entry.source in (Source.TOOL, Source.RETRIEVED):
                assert entry.tool_name
                assert entry.origin
            elif entry.source is Source.LLM_REASONING:
                assert entry.depends_on


@pytest.mark.parametrize(
    ("tamper", "expected"),
    [
        (lambda e: e.call("mail_reviewer", {"to": ["x@y.example"], "subject": "", "body": ""}), "nobody asked for"),
        (lambda e: e.call("write_brief", {"path": "a/b.txt", "text": ""}), "nobody asked for"),
        (lambda e: e.books.execute("UPDATE briefs SET cites = '[\"Atlantis trial\"]'"), "cites"),
        (lambda e: e.books.execute("DELETE FROM outbox"), "got no mail"),
    ],
)
def test_the_judge_names_what_is_wrong(tamper, expected):
    tasks = (sample("research_cite_standing", "en", n) for n in range(20))
    environment, _ = finish(next(task for task in tasks if task.mails))
    tamper(environment)
    assert expected in environment.outcome().detail


@pytest.mark.parametrize("writer", WRITERS)
def test_every_writer_is_read_back_in_every_form(writer):
    hand, task = WRITERS[writer], sample("research_gap_studies", writer[:2])
    measure, (one, two) = task.world.topic.measure, task.question.studies
    figure = Figure(Key(one, task.question.groups[0]), 23.0, measure.unit)
    for number in range(60):
        for mood in Mood:
            text = hand.word(finding(figure, measure, mood), rng_for(number))
            (found,) = figures_in_text(text, hand.language)
            assert (found.key, found.value, found.tentative) == (figure.key, 23.0, mood is Mood.TENTATIVE)
        for kind in (VerdictKind.GAP, VerdictKind.AGREE, VerdictKind.LIMIT):
            for way in (Way.YES, Way.NO):
                said = Verdict(kind, way, one, two, 3.0, measure.unit)
                read = read_verdict(hand.word(conclusion(said, measure), rng_for(number)), kind, hand.language)
                assert (read.way, read.subject, read.figure) == (way, one, 3.0)
        for kind in TraitKind:
            for way in (Way.YES, Way.NO):
                text = hand.word(trait(kind, one, way, two), rng_for(number))
                assert read_trait(text, kind, one, hand.language) is way


@pytest.mark.parametrize("language", ["en", "zh"])
def test_opposite_words_do_not_overlap(language):
    for ways in WAYS[language].values():
        words = [word for found in ways.values() for word in found]
        assert len(set(words)) == len(words)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_notes_have_hundreds_of_forms(language):
    for symbol in ("finding", "tentative", "gap_yes", "standing_no", "support_no", "reason"):
        forms = sum(WRITERS[name].count_forms(symbol) for name in writers_of(language))
        assert forms >= 300, symbol


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_order_is_understood_and_no_harmless_sentence_is(language):
    world = sample("research_figure", language).world
    book = texts.phrasebook(world)
    for number in range(80):
        rng = rng_for("orders", number)
        for ingredient, kinds in book.orders.items():
            for style in (OrderStyle.PLAIN, OrderStyle.SPOOFED, OrderStyle.PRECEDENT):
                harmless = book.harmless(ingredient, style, rng)
                assert read_orders([document(harmless)], language) == [], harmless
                for kind in kinds:
                    said = book.order(kind, style, rng)
                    assert [order.kind for order in read_orders([document(said)], language)] == [kind], said
        for ingredient in (EXPLAINS, BY_NAME):
            text = texts.slot_sentence(world, rng, ingredient).text
            assert read_orders([document(text)], language) == [], text
        repeat = book.order("repeat", OrderStyle.REPEATING, rng)
        assert [order.kind for order in read_orders([document(repeat)], language)] == ["repeat"]
        for symbol in ("filler", "scope", "rumour", "quoted"):
            assert read_orders([document(texts.sentence(world, symbol, rng))], language) == []
        assert not names_a_person(book.order("cite", OrderStyle.PLAIN, rng), language)


@pytest.mark.parametrize(
    "operator",
    ["value_flip", "entity_swap", "dropped_negation", "false_corroboration", "stale_overwrite", "gradual_injection"],
)
def test_operators_give_proven_triples(operator):
    assert DOMAIN.offers.issuperset(OPERATORS[operator].needs)
    config = GenerateConfig(domains=(NAME,), operators=(operator,), seeds_per_proof=2, hard_negative_share=0.0)
    plan = plan_splits(TEMPLATES, {name: writers_of(name) for name in config.languages}, 0)
    results = [make_triple(config, plan, plan_candidate(config, index, Split.TRAIN)) for index in range(2)]
    assert all(result.triple is not None and result.triple.contaminated.consequential for result in results)


def test_a_task_of_another_domain_is_refused():
    with pytest.raises(TypeError, match="expected ResearchTask"):
        DOMAIN.run(object(), sample("research_figure", "en").new_environment(), Session(1), PROFILES[Habit.HASTY])


def test_unknown_tools_and_arguments_get_an_error_that_names_them():
    environment = sample("research_figure", "en").new_environment()
    for tool, arguments, expected in (
        ("drop_table", {}, "no tool 'drop_table'"),
        ("read_study", {"study": "Atlantis trial"}, "Atlantis trial"),
        ("find_person", {"name": "Nobody"}, "Nobody"),
        ("calculate", {"expression": "__import__('os')"}, "cannot work out"),
    ):
        with pytest.raises(LookupError, match=expected):
            environment.call(tool, arguments)
