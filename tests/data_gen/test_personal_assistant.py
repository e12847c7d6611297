"""The personal assistant: facts of early sittings decide what is done in later ones."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data_gen.agents import PROFILES, Habit
from data_gen.needs import Need
from data_gen.operators import find_operator
from data_gen.proof import run_once
from data_gen.randomness import rng_for
from data_gen.session import Edit, Ruling, RulingKind, Session
from data_gen.statements import OrderStyle
from data_gen.tasks.personal_assistant import DOMAIN
from data_gen.tasks.personal_assistant.facts import Fact, Reading
from data_gen.tasks.personal_assistant.judge import read_reason, read_support
from data_gen.tasks.personal_assistant.papers import ACCOUNT, READERS, phrasebook, sentence
from data_gen.tasks.personal_assistant.sorts import FLAG_WORDS, TOPICS, Shape
from data_gen.tasks.personal_assistant.wording import WRITERS
from data_gen.texts.documents import ADDRESS, NONE, PATH, OrderKind
from data_gen.writers import writers_of
from mage_ml.memory.entry import MemoryEntry, Source

TEMPLATES = DOMAIN.templates()
NEEDS = sorted(DOMAIN.offers)
ORDERS = (OrderKind.COPY, OrderKind.REPLACE, OrderKind.EXTRA, OrderKind.PATH, OrderKind.SKIP, OrderKind.REPEAT, ACCOUNT)


def sample(template, language, number=0, wanted=()):
    rng = rng_for("task", template, language, number)
    return DOMAIN.sample(template, language, rng.choice(writers_of(language)), rng, wanted)


def finish(task, habit=Habit.HASTY, seed=1, **options):
    environment = task.new_environment()
    session = Session(seed, **options)
    DOMAIN.run(task, environment, session, PROFILES[habit])
    return environment, session


def quiet_task(template, language="en"):
    """A task whose first fact does not change later, without a guess about it."""
    return next(t for t in (sample(template, language, n) for n in range(80)) if not (t.changed or t.guess))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("template", TEMPLATES)
def test_every_template_is_solved_from_clean_memory(template, language):
    wishes = ((), ("estimate", "two_documents"), ("cause", "precedent", "record"), ("single_source", "loop"))
    turn = TEMPLATES.index(template)  # two of four habits each, so that every habit meets a quarter of the wishes
    for number in (turn % 4, (turn + 2) % 4) if language == "en" else ((turn + 1) % 4, (turn + 3) % 4):
        habit, more = list(Habit)[number], wishes[(number + turn // 4) % 4]
        wanted = tuple(Need(name) for name in more if DOMAIN.suits(template, (Need(name),)))
        run = run_once(DOMAIN, sample(template, language, number, wanted), PROFILES[habit], 17 + number)
        assert run.is_right, run.outcome.detail


@given(
    number=st.integers(0, 10**9),
    template=st.sampled_from(TEMPLATES),
    language=st.sampled_from(["en", "zh"]),
    habit=st.sampled_from(list(Habit)),
    need=st.sampled_from(NEEDS),
)
@settings(max_examples=40, deadline=None)
def test_any_seed_gives_a_task_that_can_be_solved(number, template, language, habit, need):
    wanted = (need,) if DOMAIN.suits(template, (need,)) else ()
    run = run_once(DOMAIN, sample(template, language, number, wanted), PROFILES[habit], number)
    assert run.is_right, run.outcome.detail


def test_there_are_fifty_templates_or_more_and_their_runs_have_many_lengths():
    lengths = [len(run_once(DOMAIN, sample(t, "zh"), PROFILES[Habit.HASTY], 1).entries) for t in TEMPLATES]
    assert len(TEMPLATES) >= 50
    assert min(lengths) >= 6
    assert len(set(lengths)) > 6


def test_a_run_is_the_same_for_the_same_seed_and_another_for_another():
    task = sample("assistant_pay_bill", "en")
    one, two, other = (run_once(DOMAIN, task, PROFILES[Habit.HASTY], seed) for seed in (5, 5, 6))
    assert one == two
    assert one.entries != other.entries


def wrong_note(task, slot, value):
    fact = task.facts[0]
    changed = fact.note(Reading(value, fact.unit))
    return Edit(slot, lambda write: write.entry.revised(content=write.redraw(changed, rng_for("wrong"))))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_wrong_note_of_the_first_sitting_decides_what_is_paid_in_the_last(language):
    task = quiet_task("assistant_pay_bill", language)
    environment, session = finish(task, edit=wrong_note(task, "note:a", 77.7))
    assert session.sitting == len(task.requests) >= 2
    assert [effect.number for effect in environment.outcome_effects()] == [77.7]
    assert environment.outcome().harm_done is True


def test_a_wrong_no_keeps_the_assistant_from_acting():
    task = next(
        t
        for t in (sample("assistant_order_if_stocked", "en", n) for n in range(80))
        if t.facts[0].value is True and not t.changed
    )
    environment, _ = finish(task, edit=wrong_note(task, "note:a", False))
    assert environment.outcome_effects() == []
    assert environment.outcome().task_solved is False


def test_a_careful_assistant_corrects_a_wrong_note_from_the_record():
    task = quiet_task("assistant_pay_bill")
    for seed in range(10):
        environment, session = finish(task, Habit.CAREFUL, seed, edit=wrong_note(task, "note:a", 77.7))
        if any(write.slot.startswith("mismatch:") for write in session.writes):
            assert environment.outcome().task_solved is True
            return
    pytest.fail("no seed in which a careful assistant looked again")


@pytest.mark.parametrize("template", ["assistant_pay_bill", "assistant_order_if_fits", "assistant_order_cheaper"])
def test_undoing_a_wrong_note_before_its_first_consequence_restores_the_outcome(template):
    task = quiet_task(template)
    edit = wrong_note(task, "note:a", float(task.facts[0].value) * 3)
    assert not run_once(DOMAIN, task, PROFILES[Habit.HASTY], 4, edit=edit).is_right
    assert run_once(DOMAIN, task, PROFILES[Habit.HASTY], 4, edit=edit, restore=True).is_right


def test_what_the_user_corrects_outweighs_what_the_tool_still_shows():
    task = next(
        t
        for t in (sample("assistant_event_with_helper", "en", n) for n in range(80))
        if t.changed == "a" and not t.checks
    )
    for habit in Habit:
        environment, session = finish(task, habit, 3)
        assert [effect.target for effect in environment.outcome_effects()] == [task.facts[0].value]
    assert session.sitting == 3


def test_an_order_read_in_the_first_sitting_acts_in_the_last():
    operator = find_operator("plain_instruction")
    for number in range(400):
        task = sample("assistant_pay_wage", "en", number, (Need.DOCUMENT,))
        clean = run_once(DOMAIN, task, PROFILES[Habit.HASTY], number)
        writes = [w for w in clean.writes if w.slot == "message:1" and operator.accepts(w)]
        pairs = operator.edit(writes, rng_for(number), task) if writes else None
        if not pairs:
            continue
        edit = Edit("message:1", lambda write, pair=pairs[0]: write.entry.revised(content=pair.contaminated.content))
        run = run_once(DOMAIN, task, PROFILES[Habit.HASTY], number, edit=edit)
        if not run.is_right:
            obeying = [m for m in run.moments if run.edited["message:1"] in m.proposal.obeys]
            first = next(entry.step for entry in run.entries if entry.id == run.edited["message:1"])
            assert obeying
            assert obeying[0].visible - first > 4
            return
    pytest.fail("no order of the first sitting was followed")


def entry(text):
    return MemoryEntry(id="e1", content=text, source=Source.RETRIEVED, tool_name="read_messages")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_order_is_understood_and_no_request_to_others_is(language):
    book, reader = phrasebook(language, "acme", pays=True), READERS[language]
    for style in (OrderStyle.PLAIN, OrderStyle.SPOOFED, OrderStyle.PRECEDENT):
        for number in range(25):
            for kind in ORDERS:
                text = book.order(kind, style, rng_for(kind, style, number))
                assert [order.kind for order in reader.read([entry(text)])] == [kind], text
            for held in (ADDRESS, PATH, NONE, ACCOUNT):
                text = book.harmless(held, style, rng_for(held, style, number))
                assert reader.read([entry(text)]) == [], text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_small_talk_rumours_and_quoted_fraud_are_no_orders(language):
    fields = {"topic": TOPICS[language]["price"][0], "figure": "40 EUR", "address": "a@b.example", "phrase": "x"}
    for symbol in ("filler", "scope", "rumour", "quoted", "cause_note", "guess", "precedent_filler"):
        for number in range(40):
            text = sentence(language, symbol, rng_for(symbol, number), fields)
            assert READERS[language].read([entry(text)]) == [], text


@pytest.mark.parametrize("name", sorted(WRITERS))
def test_every_writer_says_what_is_read_back(name):
    writer = WRITERS[name]
    language = writer.language
    unit = "kg" if language == "en" else "公斤"
    figure = Fact("a", TOPICS[language]["supply"][0], Shape.FIGURE, 7.5, unit)
    for number in range(30):
        rng = rng_for(name, number)
        for revised in (False, True):
            text = writer.word(figure.note(Reading(7.5, unit), revised=revised), rng)
            assert figure.read(text, language) == Reading(7.5, unit), text
        for family in FLAG_WORDS[language]:
            flag = Fact("a", figure.topic, Shape.FLAG, True, family=family)
            for answer in (True, False):
                text = writer.word(flag.note(Reading(answer)), rng)
                assert flag.read(text, language) == Reading(answer), text
        for symbol, two in (("one_source", False), ("two_sources", True)):
            assert read_support(writer.say(symbol, rng, topic=figure.topic), figure.topic, language) is two
        text = writer.say("reason", rng, topic=figure.topic, phrase="x")
        assert read_reason(text, figure.topic, language) == "x", text
        assert figure.read(writer.say("guess", rng, topic=figure.topic, value=f"7 {unit}"), language) is None


@pytest.mark.parametrize("language", ["en", "zh"])
def test_statements_have_hundreds_of_forms(language):
    for symbol in ("figure", "name", "guess", "settled", "fits_yes", "coming_no"):
        assert sum(WRITERS[name].count_forms(symbol) for name in writers_of(language)) >= 300, symbol


@pytest.mark.parametrize("language", ["en", "zh"])
def test_yes_and_no_look_alike(language):
    for pairs in FLAG_WORDS[language].values():
        for yes, no in pairs:
            assert len(yes) == len(no)
            assert yes.count(" ") == no.count(" ")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_topic_is_part_of_another_of_its_sort(language):
    for topics in TOPICS[language].values():
        for one in topics:
            assert not [other for other in topics if other != one and one in other]


class Doubter:
    """Objects to the first consequential actions: with a warning, or by having the record read again."""

    def __init__(self, fact, *, redirects):
        self.left, self.fact, self.redirects = 2, fact, redirects

    def check(self, proposal):
        if not self.left or not proposal.action.is_consequential:
            return Ruling(RulingKind.PROCEED)
        self.left -= 1
        if not self.redirects:
            return Ruling(RulingKind.WARN, "memory may be wrong")
        return Ruling(RulingKind.REDIRECT, "again", (), self.fact.sort.tool, {"name": self.fact.topic})


@pytest.mark.parametrize("redirects", [False, True])
@pytest.mark.parametrize("template", TEMPLATES[::3])
def test_an_assistant_that_is_warned_goes_back_to_what_the_user_said_and_records_show(template, redirects):
    for language in ("en", "zh"):
        task = sample(template, language, 7)
        environment, _ = finish(task, gate=Doubter(task.subject, redirects=redirects))
        assert environment.outcome().task_solved is True, environment.outcome().detail


def test_a_warning_keeps_a_wrong_note_from_deciding():
    task = quiet_task("assistant_pay_bill")
    gate = Doubter(task.subject, redirects=False)
    environment, _ = finish(task, gate=gate, edit=wrong_note(task, "note:a", 77.7))
    assert environment.outcome().task_solved is True
