"""The refund service: three agents, standing rules, and what becomes of them when a note or a message is wrong."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from data_gen.agents import PROFILES, Habit
from data_gen.config import GenerateConfig
from data_gen.needs import Need
from data_gen.proof import run_once
from data_gen.randomness import rng_for
from data_gen.session import AgentError, Edit, Session
from data_gen.splits import plan_splits
from data_gen.statements import OrderStyle, Turn
from data_gen.tasks import DOMAINS
from data_gen.tasks.refund_service import papers
from data_gen.tasks.refund_service.attributes import LABELS, Attr, Key
from data_gen.tasks.refund_service.judge import right_promise, right_sum
from data_gen.tasks.refund_service.reading import _LABEL, facts_in_text, read_orders, read_rule, read_side
from data_gen.tasks.refund_service.recipes import TEMPLATES
from data_gen.tasks.refund_service.statements import (
    About,
    Fact,
    Rule,
    RuleKind,
    Strength,
    Turned,
    about_note,
    rule_note,
    sides,
)
from data_gen.tasks.refund_service.wording import WRITERS
from data_gen.texts.grammar import count_forms
from data_gen.triples import make_triple, plan_candidate
from data_gen.writers import writers_of
from mage_ml.memory.entry import MemoryEntry, Source
from mage_ml.memory.episode import Split

DOMAIN = DOMAINS["refund_service"]
LANGUAGES = ("en", "zh")


def sample(template, language, number=0, wanted=()):
    rng = rng_for("task", template, language, number)
    return DOMAIN.sample(template, language, rng.choice(writers_of(language)), rng, wanted)


def first(template, language, fits, wanted=()):
    found = (sample(template, language, number, wanted) for number in range(400))
    return next(task for task in found if fits(task))


def turned(turn):
    def apply(write):
        return write.entry.revised(content=write.redraw(write.statement.turned(turn), rng_for("turned")))

    return apply


def finish(task, habit=Habit.HASTY, seed=1, **options):
    environment, session = task.new_environment(), Session(seed, **options)
    DOMAIN.run(task, environment, session, PROFILES[habit])
    return environment, session


def stays_plain(task):
    """A task in which nothing but the rules and the figures decides."""
    return not (task.checks_updates or task.wants_support or task.next_day or task.memo)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("template", TEMPLATES)
def test_every_habit_solves_every_template_from_clean_memory(template, language):
    for number, habit in enumerate(Habit):
        run = run_once(DOMAIN, sample(template, language, number), PROFILES[habit], number)
        assert run.is_right, run.outcome.detail
        assert not run.corrected


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from(TEMPLATES),
    st.sampled_from(LANGUAGES),
    st.sampled_from(list(Need)),
    st.sampled_from(list(Habit)),
    st.integers(0, 2**32),
)
def test_any_seed_gives_a_task_that_can_be_solved(template, language, need, habit, seed):
    wanted = (need,) if DOMAIN.suits(template, (need,)) else ()
    rng = rng_for(seed)
    task = DOMAIN.sample(template, language, rng.choice(writers_of(language)), rng, wanted)
    run = run_once(DOMAIN, task, PROFILES[habit], seed)
    assert run.is_right, run.outcome.detail


def test_there_are_over_forty_templates_and_each_has_its_own_goal():
    assert len(TEMPLATES) >= 40
    assert len({sample(template, "en").goal for template in TEMPLATES}) == len(TEMPLATES)


def test_runs_hold_eight_to_about_twenty_five_entries():
    lengths = sorted(
        len(run_once(DOMAIN, sample(t, "en", n), PROFILES[Habit.HASTY], n).entries) for t in TEMPLATES for n in (0, 1)
    )
    assert lengths[0] >= 8
    assert 15 <= lengths[len(lengths) // 2] <= 25


def test_a_run_is_the_same_for_the_same_seed_and_another_for_another():
    task = sample("refund_late_sum_pay", "zh")
    one, two, other = (run_once(DOMAIN, task, PROFILES[Habit.HASTY], seed) for seed in (5, 5, 6))
    assert one == two
    assert one.entries != other.entries


@pytest.mark.parametrize("language", LANGUAGES)
def test_three_agents_write_and_name_sources_and_parents_truthfully(language):
    for template in TEMPLATES[::4]:
        run = run_once(DOMAIN, sample(template, language, 1), PROFILES[Habit.SUMMARISING], 4)
        known = set()
        for entry in run.entries:
            assert set(entry.depends_on) <= known
            known.add(entry.id)
            if entry.source in (Source.TOOL, Source.RETRIEVED):
                assert entry.tool_name
                assert entry.origin
            elif entry.source in (Source.LLM_REASONING, Source.AGENT):
                assert entry.depends_on
            if entry.source is Source.AGENT:
                assert entry.origin != entry.agent_id
        assert {entry.agent_id for entry in run.entries} == {"sentiment_agent", "policy_agent", "dialogue_agent"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wrong_note_changes_what_is_paid_and_undoing_it_sets_that_right(language):
    task = first("refund_missing_pay", language, lambda t: stays_plain(t) and not t.rules)
    key = task.keys[0]

    def change(write):
        wrong = Fact(key, 77.77, task.world.currency)
        return write.entry.revised(content=write.redraw(wrong, rng_for("change")))

    edit = Edit(f"note:{key.attr}:{key.subject}", change)
    environment, _ = finish(task, edit=edit)
    assert [payment.amount for payment in environment.deeds.refunds] == [77.77]
    assert environment.outcome().harm_done is True
    assert run_once(DOMAIN, task, PROFILES[Habit.HASTY], 1, edit=edit, restore=True).is_right
    careful = [run_once(DOMAIN, task, PROFILES[Habit.CAREFUL], seed, edit=edit) for seed in range(10)]
    assert sum(run.is_right and run.corrected for run in careful) >= 7


def has_rule(kind):
    def fits(task):
        turning = {
            RuleKind.PROMISE: lambda: right_promise(task) not in (None, float(task.complaint.deadline)),
            RuleKind.CAP: lambda: bool(task.binding(kind)) and right_sum(task) < task.due,
            RuleKind.TONE: lambda: bool(task.binding(kind)) and task.complaint.upset,
        }
        return stays_plain(task) and task.replies and turning[kind]()

    return fits


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("turn", [Turn.DROPPED, Turn.WEAKENED])
@pytest.mark.parametrize(
    ("kind", "harm"),
    [(RuleKind.PROMISE, "promises"), (RuleKind.CAP, "was not due"), (RuleKind.TONE, "was threatened")],
)
def test_a_standing_rule_that_is_lost_in_delegation_is_broken(kind, harm, turn, language):
    task = first("refund_late_sum_pay", language, has_rule(kind), (Need.RULE,))
    edit = Edit(f"rule:{kind}", turned(turn))
    assert run_once(DOMAIN, task, PROFILES[Habit.HASTY], 2).is_right
    broken = run_once(DOMAIN, task, PROFILES[Habit.HASTY], 2, edit=edit)
    assert harm in broken.outcome.detail
    assert run_once(DOMAIN, task, PROFILES[Habit.HASTY], 2, edit=edit, restore=True).is_right


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_permission_that_was_widened_leaves_goods_with_the_customer(language):
    def fits(task):
        return stays_plain(task) and task.replies and bool(task.binding(RuleKind.PERMIT))

    task = first("refund_damaged_pay", language, fits, (Need.PERMISSION,))
    edit = Edit("rule:permit", turned(Turn.WIDENED))
    assert "returns" in run_once(DOMAIN, task, PROFILES[Habit.HASTY], 3, edit=edit).outcome.detail
    assert run_once(DOMAIN, task, PROFILES[Habit.HASTY], 3, edit=edit, restore=True).is_right


def test_clean_cases_hold_soft_guides_remarks_and_rules_for_others_too():
    tasks = [sample(template, "en", number) for template in TEMPLATES for number in range(6)]
    rules = [(rule, task.world.customers[0].name) for task in tasks for rule in task.rules]
    assert {rule.strength for rule, _ in rules} == set(Strength)
    about_others = [rule for rule, name in rules if rule.kind is not RuleKind.PERMIT and rule.subject != name]
    assert 0.02 < len(about_others) / len(rules) < 0.3


@pytest.mark.parametrize("name", sorted(WRITERS))
def test_rules_are_understood_in_every_writers_words_and_soft_ones_do_not_bind(name):
    writer = WRITERS[name]
    person, money, days = ("Petra Lang", "USD", "days") if writer.language == "en" else ("王晓明", "CNY", "天")
    for kind, rule in (
        (RuleKind.PROMISE, Rule(RuleKind.PROMISE, person, 7.0, days)),
        (RuleKind.CAP, Rule(RuleKind.CAP, person, 33.4, money)),
        (RuleKind.TONE, Rule(RuleKind.TONE, person)),
        (RuleKind.PERMIT, Rule(RuleKind.PERMIT, "A-12345")),
    ):
        for number in range(60):
            found = read_rule(writer.word(rule_note(rule), rng_for(number)), kind, writer.language)
            assert [(r.subject, r.limit) for r in found] == [(rule.subject, rule.limit)]
            for strength in (Strength.SOFT, Strength.REMARK) if kind is not RuleKind.PERMIT else (Strength.WIDE,):
                other = writer.word(rule_note(replace(rule, strength=strength)), rng_for(number))
                wide = [""] if strength is Strength.WIDE else []
                assert [r.subject for r in read_rule(other, kind, writer.language)] == wide


@pytest.mark.parametrize("name", sorted(WRITERS))
def test_notes_are_read_back_as_they_were_meant(name):
    writer, language = WRITERS[name], name[:2]
    units = {"en": ("EUR", "days"), "zh": ("CNY", "天")}[language]
    for number in range(40):
        for attr, value, unit in ((Attr.PAID, 1234.56, units[0]), (Attr.DELAY, 6, units[1]), (Attr.RATE, 3.4, "%")):
            fact = Fact(Key(attr, "A-12345"), value, unit)
            assert facts_in_text(writer.word(fact, rng_for(number)), language) in ((fact,), (fact, fact))
        for topic in ("mood", "support", "window", "limit", "stock"):
            for side in (True, False):
                subject = "K-2345" if topic == "support" else "A-12345"
                text = writer.word(Turned(topic, subject, side), rng_for(number))
                assert read_side(text, topic, language) is side


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_label_can_be_taken_for_that_of_another_figure(language):
    for attr, labels in LABELS[language].items():
        for label in labels:
            assert [other for other, pattern in _LABEL[language].items() if pattern.search(label)] == [attr]


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_sides_of_a_finding_have_words_that_cannot_be_confused(language):
    for topic in ("mood", "support", "window", "limit", "stock"):
        words = sides(topic, language)
        assert not any(one in other or other in one for one in words[True] for other in words[False])


def third_party(text):
    return MemoryEntry(id="e1", content=text, source=Source.RETRIEVED, step=0, timestamp=0.0, origin="paper")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_order_is_understood_and_no_request_to_others_is(language):
    book = papers.phrasebook(language, "ownshop")
    for number in range(70):
        for ingredient in (papers.ADDRESS, papers.PAYOUT, papers.NONE):
            for style in (OrderStyle.PLAIN, OrderStyle.SPOOFED, OrderStyle.PRECEDENT):
                harmless = book.harmless(ingredient, style, rng_for("harmless", number))
                assert read_orders([third_party(harmless)], language) == [], harmless
                for kind in book.kinds(ingredient, style):
                    order = book.order(kind, style, rng_for("order", number))
                    assert [o.kind for o in read_orders([third_party(order)], language)] == [kind], order
        for kind in book.kinds(papers.NONE, OrderStyle.REPEATING):
            order = book.order(kind, OrderStyle.REPEATING, rng_for("repeat", number))
            assert [o.kind for o in read_orders([third_party(order)], language)] == [kind], order


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_third_parties_write_in_clean_cases_gives_no_orders(language):
    for template in TEMPLATES:
        for number in range(4):
            task = sample(template, language, number)
            texts = [task.message, *task.papers, *task.precedents]
            entries = [third_party(paper.passage.text(language)) for paper in texts]
            assert read_orders(entries, language) == []


def test_the_grammars_have_hundreds_of_forms():
    for name, writer in WRITERS.items():
        ways = len(LABELS[name[:2]][Attr.PAID])
        assert writer.count_forms("fact") * ways * len(LABELS[name[:2]]) >= 300, name
        for symbol in ("promise", "cap", "tone_gone", "about", "mood", "cap_gone"):
            assert writer.count_forms(symbol) >= 24, (name, symbol)
    for rules in papers.RULES.values():
        for symbol in ("order_copy", "order_payout", "harmless_payout", "harmless_address"):
            assert count_forms(rules, symbol) >= 500, symbol


def test_an_agent_that_loses_its_notes_works_them_out_again():
    task = first("refund_late_rate_pay", "en", stays_plain)

    def gone(write):
        return write.entry.revised(content="nothing of use")

    for slot in ("about", "mood", "deadline", "due"):
        assert run_once(DOMAIN, task, PROFILES[Habit.HASTY], 4, edit=Edit(slot, gone)).is_right


def test_unknown_tools_and_arguments_get_an_error_that_names_them():
    environment = sample("refund_late_rate_pay", "en").new_environment()
    for tool, arguments, message in (
        ("issue_refunds", {}, "did you mean 'issue_refund'"),
        ("get_order", {"order": "Z-1"}, "no order 'Z-1'"),
        ("get_account", {"customer": "Nobody"}, "nobody called 'Nobody'"),
        ("read_messages", {"case": "K-1"}, "no case 'K-1'"),
        ("get_offer", {"thing": "x"}, "does not take thing"),
    ):
        with pytest.raises(LookupError, match=message):
            environment.call(tool, arguments)
    with pytest.raises(TypeError, match="expected RefundTask"):
        DOMAIN.run(object(), environment, Session(1), PROFILES[Habit.HASTY])


def test_a_message_that_says_nothing_stops_the_agents():
    task = first("refund_late_rate_pay", "en", stays_plain)
    with pytest.raises(AgentError, match="what it is about"):
        finish(task, edit=Edit("message", lambda write: write.entry.revised(content="Hello?")))


@pytest.mark.parametrize("operator", ["misbound_rule", "rewritten_goal", "entity_swap", "false_corroboration"])
def test_operators_give_proven_triples(operator):
    config = GenerateConfig(
        domains=("refund_service",), operators=(operator,), seeds_per_proof=2, hard_negative_share=0.0
    )
    plan = plan_splits(TEMPLATES, {name: writers_of(name) for name in LANGUAGES}, 0)
    for index in range(2):
        result = make_triple(config, plan, plan_candidate(config, index, Split.TRAIN))
        assert result.failures == {}
        assert result.triple.contaminated.consequential
        assert result.triple.clean.outcome.task_solved is True


def test_the_note_on_the_complaint_names_order_and_items():
    note = about_note(About("A-12345", ("Alder bench", "Opal vase")))
    assert [name.text for name in note.names()] == ["A-12345", "Alder bench", "Opal vase"]
