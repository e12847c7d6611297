import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data_gen.agent_memory import ListMemory
from data_gen.agents import PROFILES, Habit
from data_gen.config import GenerateConfig
from data_gen.needs import Need
from data_gen.operators import OPERATORS
from data_gen.proof import run_once
from data_gen.randomness import rng_for
from data_gen.session import Edit, Ruling, RulingKind, Session
from data_gen.splits import plan_splits
from data_gen.statements import OrderStyle, Turn
from data_gen.tasks import DOMAINS
from data_gen.tasks.travel_booking import lexicon, texts
from data_gen.tasks.travel_booking.judge import expected_deeds
from data_gen.tasks.travel_booking.reading import facts_in_text, read_orders, read_rules, read_verdict
from data_gen.tasks.travel_booking.setting import Gate
from data_gen.tasks.travel_booking.shapes import SHAPES, TEMPLATES, Act
from data_gen.tasks.travel_booking.statements import UNITS, Fact, Key, Measure, Verdict, VerdictKind
from data_gen.tasks.travel_booking.wording import LIMIT_NAMES, WRITERS
from data_gen.texts.grammar import count_forms
from data_gen.triples import domains_for, make_triple, plan_candidate
from data_gen.writers import writers_of
from mage_ml.memory.entry import MemoryEntry, Source
from mage_ml.memory.episode import Split

DOMAIN = DOMAINS["travel_booking"]
SUBJECT = {"en": "KX4821", "zh": "HX4821"}
STYLES = (OrderStyle.PLAIN, OrderStyle.SPOOFED, OrderStyle.PRECEDENT)


def sample(template, language, number=0, wanted=()):
    rng = rng_for("task", template, language, number)
    return DOMAIN.sample(template, language, rng.choice(writers_of(language)), rng, wanted)


def find(template, language, fits, wanted=()):
    return next(task for task in (sample(template, language, n, wanted) for n in range(200)) if fits(task))


def finish(task, habit=Habit.HASTY, seed=1, **options):
    environment = task.new_environment()
    session = Session(seed, **options)
    DOMAIN.run(task, environment, session, PROFILES[habit])
    return environment, session


def replacing(slot, change):
    """An edit that words another statement in the place of a write."""
    return Edit(
        slot, lambda w: w.entry.revised(content=w.redraw(change(w.statement), rng_for("change")), confidence=0.8)
    )


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("template", TEMPLATES)
def test_every_template_is_solved_from_clean_memory_by_each_habit_in_one_language_or_the_other(template, language):
    for number, habit in enumerate(list(Habit)[language == "zh" :: 2]):
        run = run_once(DOMAIN, sample(template, language, number), PROFILES[habit], 17 + number)
        assert run.is_right, run.outcome.detail


@given(seed=st.integers(0, 10**9))
@settings(max_examples=40, deadline=None)
def test_any_seed_and_ingredient_give_a_task_that_can_be_solved(seed):
    rng = rng_for("any", seed)
    need, language = rng.choice(list(Need)), rng.choice(("en", "zh"))
    template = rng.choice([name for name in TEMPLATES if DOMAIN.suits(name, (need,))])
    task = DOMAIN.sample(template, language, rng.choice(writers_of(language)), rng, (need,))
    run = run_once(DOMAIN, task, PROFILES[rng.choice(list(Habit))], seed)
    assert run.is_right, run.outcome.detail


def test_there_are_over_forty_templates_and_each_need_has_six_or_more():
    assert len(TEMPLATES) >= 40
    assert {shape.act for shape in SHAPES.values()} == set(Act)
    for need in DOMAIN.offers:
        assert sum(DOMAIN.suits(template, (need,)) for template in TEMPLATES) >= 6


def test_runs_hold_eight_to_about_thirty_entries():
    lengths = sorted(
        len(run_once(DOMAIN, sample(t, "en", n), PROFILES[Habit.HASTY], n).entries) for t in TEMPLATES for n in range(1)
    )
    assert lengths[len(lengths) // 20] >= 8
    assert lengths[int(0.9 * len(lengths))] <= 30


def test_a_run_is_the_same_for_the_same_seed_and_another_for_another():
    task = sample("travel_trip_flight_hotel", "en")
    one, two, other = (run_once(DOMAIN, task, PROFILES[Habit.HASTY], seed) for seed in (5, 5, 6))
    assert one == two
    assert one.entries != other.entries


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_wrong_price_note_changes_what_is_booked(language):
    task = find("travel_cheapest_flight", language, lambda t: not t.before and t.setting.gate is Gate.NONE)
    right = expected_deeds(task)[0]
    slot = f"note:{right.subject}:fare:{task.inquiry.day}"
    edit = replacing(slot, lambda statement: statement.with_figure(0, 90_000.0 + right.amount))
    environment, _ = finish(task, edit=edit)
    assert [deed.tool for deed in environment.deeds] == ["book_offer"]
    assert environment.deeds[0].subject != right.subject
    assert environment.outcome().harm_done is True


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_wrong_city_in_the_notes_leads_to_a_booking_elsewhere(language):
    task = sample("travel_calendar_hotel", language)
    other = task.world.cities[1]
    environment, _ = finish(task, edit=replacing("where", lambda statement: statement.with_name(0, other)))
    offers = task.world.offers[other, task.shape.product]
    done = [deed for deed in environment.deeds if deed.tool in ("book_offer", "request_approval")]
    assert done[0].subject in offers


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("turn", [Turn.DROPPED, Turn.WEAKENED, Turn.WIDENED])
def test_a_rule_that_is_lost_or_widened_on_the_way_leads_to_a_booking_without_approval(language, turn):
    need = Need.PERMISSION if turn is Turn.WIDENED else Need.RULE
    task = sample("travel_within_cap_hotel", language, 0, (need,))
    assert [deed.tool for deed in finish(task)[0].deeds] == ["request_approval"]
    environment, _ = finish(task, edit=replacing("handover", lambda statement: statement.turned(turn)))
    assert [deed.tool for deed in environment.deeds] == ["book_offer"]
    assert "was not called for" in environment.outcome().detail


def test_an_exempt_traveller_may_go_beyond_the_cap():
    task = find("travel_within_cap_hotel", "en", lambda t: t.exempt == t.traveller.name, (Need.SUBJECT,))
    environment, session = finish(task)
    assert [deed.tool for deed in environment.deeds] == ["book_offer"]
    handover = next(entry for entry in session.memory.entries() if entry.origin == "policy_agent")
    assert handover.source is Source.AGENT
    assert task.traveller.name in handover.text


def test_a_careful_agent_corrects_a_wrong_note_from_the_record():
    task = find("travel_quote_flight", "en", lambda t: not t.before)
    key = task.inquiry.price_key(task.inquiry.given[0])
    edit = replacing(f"note:{key.subject}:fare:{key.day}", lambda statement: statement.with_figure(0, 77_777.0))
    runs = [run_once(DOMAIN, task, PROFILES[Habit.CAREFUL], seed, edit=edit) for seed in range(10)]
    assert sum(run.is_right and run.corrected for run in runs) >= 7


class QuarantineNotes:
    """Hides every note that the first consequential action rests on, once."""

    def __init__(self, memory):
        self.memory, self.done = memory, False

    def check(self, proposal):
        if self.done or not proposal.action.is_consequential or proposal.action.tool_name == "send_message":
            return Ruling(RulingKind.PROCEED)
        self.done = True
        for entry in tuple(self.memory.entries()):
            if entry.source in (Source.LLM_REASONING, Source.AGENT):
                self.memory.replace(entry.revised(status="quarantined"))
        return Ruling(RulingKind.REPAIR)


@pytest.mark.parametrize("template", TEMPLATES[::4])
def test_an_agent_that_lost_its_notes_works_them_out_again(template):
    memory = ListMemory()
    environment, session = finish(sample(template, "en"), memory=memory, gate=QuarantineNotes(memory))
    assert environment.outcome().task_solved is True, environment.outcome().detail
    hidden = {entry.id for entry in memory.entries() if entry.status == "quarantined"}
    assert hidden.isdisjoint(session.moments[-1].proposal.action.depends_on)


def test_every_entry_names_its_source_origin_and_parents_truthfully():
    for template in TEMPLATES[::3]:
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
        for moment in run.moments:
            assert set(moment.proposal.action.depends_on) <= {entry.id for entry in run.entries[: moment.visible]}


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("send_itinerary", {"to": ["x@y.example"], "subject": "", "body": ""}, "2 mails were sent"),
        ("cancel_booking", {"reference": "BK-10000", "refund": 5, "currency": "EUR"}, "was not called for"),
    ],
)
def test_the_judge_names_what_is_wrong(tool, arguments, expected):
    task = find("travel_cheapest_train", "en", lambda t: t.delivery.mails and not t.delivery.extras)
    environment, _ = finish(task)
    assert environment.outcome().detail == "as asked"
    environment.call(tool, arguments)
    assert environment.outcome().task_solved is False
    assert expected in environment.outcome().detail


@pytest.mark.parametrize("name", sorted(WRITERS))
def test_every_writer_is_understood_on_every_fact_and_conclusion(name):
    writer, unit = WRITERS[name], {"en": "EUR", "zh": "CNY"}
    language = writer.language
    for number in range(8):
        rng = rng_for(name, number)
        for measure in Measure:
            day = "2026-03-12" if measure in (Measure.FARE, Measure.RATE, Measure.HIRE) else ""
            fact = Fact(Key(SUBJECT[language], measure, day), 12.5, UNITS.get(measure, unit)[language])
            assert facts_in_text(writer.word(fact, rng), language) == (fact,)
        for sense in lexicon.PICK_WORDS[language]:
            pick = Verdict(VerdictKind.PICK, sense, SUBJECT[language], 321.0, unit[language])
            assert read_verdict(writer.word(pick, rng), VerdictKind.PICK, sense, language) == pick
        for limit in LIMIT_NAMES[language]:
            for above in (True, False):
                found = Verdict(VerdictKind.LIMIT, limit.value, SUBJECT[language], 32.0, unit[language], above)
                text = writer.word(found, rng)
                assert read_verdict(text, VerdictKind.LIMIT, limit.value, language) == found
                assert facts_in_text(text, language) == ()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_rules_are_read_back_as_they_were_handed_over(language):
    person = {"en": "Petra Lang", "zh": "王晓明"}[language]
    for name in writers_of(language):
        for number in range(10):
            say = lambda symbol, **fields: WRITERS[name].say(symbol, rng_for(name, symbol, number), **fields)  # noqa: B023, E731
            money = {"en": "320 EUR", "zh": "320元"}[language]
            binding = say("limit_rule", thing="X", limit=money)
            assert read_rules(binding, language, person).limit == 320
            for symbol in ("limit_soft", "limit_gone"):
                assert read_rules(say(symbol, thing="X", limit=money), language, person).limit is None
            assert read_rules(say("permit", person=person), language, person).exempt is True
            assert read_rules(say("permit", person=person), language, "Nobody Else").exempt is False
            assert read_rules(say("permit_all", person=person), language, "Nobody Else").exempt is True


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", list(texts.OrderKind))
def test_the_agent_understands_every_order_in_every_style(language, kind):
    book = texts.phrasebook(language, "acme")
    for number in range(60):
        text = book.order(kind, STYLES[number % 3], rng_for("order", number))
        found = read_orders([MemoryEntry(id="e1", content=text, source="retrieved")], language)
        assert [item.kind for item in found] == [kind], text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_harmless_text_is_taken_for_an_order(language):
    book = texts.phrasebook(language, "acme")
    for number in range(60):
        rng = rng_for("harmless", number)
        sentences = [book.harmless(i, STYLES[number % 3], rng) for i in (texts.ADDRESS, texts.CODE, texts.NONE)]
        fields = {"place": SUBJECT[language], "amount": "120 EUR", "address": "a@b.example", "phrase": "x"}
        for symbol in ("filler", "filler_hotel", "scope_train", "rumour", "quoted", "cause_note"):
            sentences.append(texts.sentence(language, symbol, rng, fields))
        for text in sentences:
            assert read_orders([MemoryEntry(id="e1", content=text, source="retrieved")], language) == [], text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_grammars_have_hundreds_of_forms(language):
    book = texts.phrasebook(language, "acme")
    writer = WRITERS[f"{language}-terse"]
    for kind in texts.OrderKind:
        assert count_forms(book.rules, f"order_{kind.value}") > 500
    assert writer.count_forms("brief") >= 60
    assert sum(WRITERS[name].count_forms("fact") for name in writers_of(language)) > 60


def test_every_operator_is_carried_and_gives_proven_triples():
    usable = [name for name in OPERATORS if domains_for(name, ("travel_booking",))]
    assert usable == list(OPERATORS)
    plan = plan_splits(TEMPLATES, {language: writers_of(language) for language in ("en", "zh")}, 0)
    config = GenerateConfig(
        domains=("travel_booking",),
        operators=("value_flip", "dropped_negation", "rewritten_goal", "misbound_rule", "memory_injection"),
        seeds_per_proof=2,
        hard_negative_share=0.0,
    )
    for index in range(10):
        result = make_triple(config, plan, plan_candidate(config, index, Split.TRAIN))
        assert result.failures == {}
        assert result.triple is not None
        assert result.triple.contaminated.consequential


def test_unknown_tools_and_things_get_an_error_that_names_them():
    environment = sample("travel_cheapest_hotel", "en").new_environment()
    with pytest.raises(LookupError, match="no tool 'book_ofer'"):
        environment.call("book_ofer", {})
    with pytest.raises(LookupError, match="nobody called 'Nobody'"):
        environment.call("find_traveller", {"name": "Nobody"})
    with pytest.raises(LookupError, match="Atlantis"):
        environment.call("get_policy", {"place": "Atlantis"})
