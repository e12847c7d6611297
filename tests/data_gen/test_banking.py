"""The banking domain: ledger, tools, reading, policy and judge."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data_gen.agents import PROFILES, Habit
from data_gen.needs import Need
from data_gen.proof import run_once
from data_gen.randomness import rng_for
from data_gen.session import Edit, Session
from data_gen.statements import OrderStyle, Quantity, Turn
from data_gen.tasks import DOMAINS
from data_gen.tasks.banking.attributes import Attribute
from data_gen.tasks.banking.ledger import Ledger, LedgerError, Posting
from data_gen.tasks.banking.letters import NUMBER, READERS, RULES, OrderKind, Setting, phrasebook, sentence
from data_gen.tasks.banking.reading import figures_in_text, is_exempt, read_conclusion, read_limits
from data_gen.tasks.banking.templates import TEMPLATES, Verb, Verdict
from data_gen.tasks.banking.texts_world import account_number, check_digits
from data_gen.tasks.banking.wording import (
    WRITERS,
    Conclusion,
    Figure,
    Key,
    amount_note,
    conclusion_note,
    permit_note,
    rule_note,
)
from data_gen.texts.documents import ADDRESS, NONE
from data_gen.texts.grammar import count_forms
from data_gen.writers import writers_of
from mage_ml.memory.entry import MemoryEntry, Source

DOMAIN = DOMAINS["banking"]
LABEL, PAYEE = {"en": "INV-20417", "zh": "FP-20417"}, {"en": "Brightwell Ltd", "zh": "恒远商贸公司"}
UNIT = {"en": "EUR", "zh": "CNY"}
STYLES = (OrderStyle.PLAIN, OrderStyle.SPOOFED, OrderStyle.PRECEDENT)


def sample(template, language, number=0, wanted=()):
    rng = rng_for("task", template, language, number)
    return DOMAIN.sample(template, language, rng.choice(writers_of(language)), rng, wanted)


def setting(language):
    return Setting(language, "acme", UNIT[language], 0.01, LABEL[language], pays=True, mails=True)


def retrieved(text):
    return MemoryEntry(id="e1", content=text, source="retrieved")


def plain_payment(language="en"):
    """A task of one payment by the note of its amount, without later correction or doubt."""
    tasks = (sample("bank_pay_in_full", language, number) for number in range(200))
    return next(
        task
        for task in tasks
        if not (task.revision or task.wants_support or task.extra_payment or task.given_number or task.rule)
    )


def finish(task, edit=None, habit=Habit.HASTY, seed=3):
    environment = task.new_environment()
    session = Session(seed, edit=edit)
    DOMAIN.run(task, environment, session, PROFILES[habit])
    return environment, session


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_habit_solves_every_template_from_clean_memory(language):
    for template in TEMPLATES:
        for number, habit in enumerate(Habit):
            wanted = [need for need in Need if DOMAIN.suits(template, (need,))]
            some = tuple(rng_for(template, language, number).sample(wanted, 2)) if number % 2 else ()
            wanted = some if DOMAIN.suits(template, some) else ()
            run = run_once(DOMAIN, sample(template, language, number, wanted), PROFILES[habit], 17 + number)
            assert run.is_right, (template, habit, wanted, run.outcome.detail)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**40), st.sampled_from(TEMPLATES), st.sampled_from(["en", "zh"]), st.sampled_from(list(Need)))
def test_any_seed_gives_a_solvable_task(seed, template, language, need):
    task = sample(template, language, seed, (need,) if DOMAIN.suits(template, (need,)) else ())
    assert run_once(DOMAIN, task, PROFILES[Habit.HASTY], seed).is_right


def test_there_are_more_than_fifty_templates_and_a_run_is_the_same_for_the_same_seed():
    assert len(set(TEMPLATES)) == len(TEMPLATES) > 50
    task = sample("bank_pay_if_covered", "zh")
    one, two, other = (run_once(DOMAIN, task, PROFILES[Habit.HASTY], seed) for seed in (5, 5, 6))
    assert one == two
    assert one.entries != other.entries


def test_every_entry_names_its_source_origin_and_parents_truthfully():
    for template in TEMPLATES[::4]:
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


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_wrong_note_moves_the_wrong_amount(language):
    task = plain_payment(language)
    key = task.keys[0]

    def change(write):
        statement = write.statement.with_figure(0, 77.5)
        return write.entry.revised(content=write.redraw(statement, rng_for("change")))

    edit = Edit(f"note:{key.label}:due", change)
    environment, _ = finish(task, edit)
    assert [deed.amount for deed in environment.deeds] == [77.5]
    assert environment.ledger.balance(f"payee {environment.deeds[0].target}", task.world.currency) == 7750
    assert environment.outcome().harm_done is True
    assert run_once(DOMAIN, task, PROFILES[Habit.HASTY], 3, edit=edit, restore=True).is_right
    runs = [run_once(DOMAIN, task, PROFILES[Habit.CAREFUL], seed, edit=edit) for seed in range(8)]
    assert sum(run.is_right and run.corrected for run in runs) >= 5


def test_a_wrong_account_number_pays_somebody_else():
    task = plain_payment()
    payee = task.world.things[task.keys[0].label].payee
    other = next(number for name, number in task.world.numbers.items() if name != payee)
    found = [write.slot for write in finish(task)[1].writes if write.slot.startswith("number:")]

    def change(write):
        return write.entry.revised(content=write.redraw(write.statement.with_name(0, other), rng_for("change")))

    environment, _ = finish(task, Edit(found[0], change))
    assert environment.deeds[0].target == other
    assert environment.outcome().harm_done is True


def test_a_rule_lost_on_the_way_to_the_payer_costs_the_approval():
    for number in range(60):
        task = sample("bank_pay_in_full", "en", number, (Need.RULE,))
        environment, _ = finish(task)
        if any(call.startswith("request_approval") for call in environment.calls):
            break

    def drop(write):
        turned = write.statement.turned(Turn.DROPPED)
        return write.entry.revised(content=write.redraw(turned, rng_for("drop")))

    careless, session = finish(task, Edit("handover:1", drop))
    assert not any(call.startswith("request_approval") for call in careless.calls)
    assert "without approval" in careless.outcome().detail
    assert {entry.agent_id for entry in session.memory.entries()} == {"agent", "payments_agent"}


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.integers(1, 10**9)), max_size=12))
def test_no_money_appears_or_disappears(moves):
    ledger = Ledger()
    for source, target, cents in moves:
        ledger.move("move", source, target, "EUR", cents)
    ledger.check()
    assert sum(ledger.balance(name, "EUR") for name in "abcxyz") == 0


def test_a_lopsided_booking_is_refused():
    ledger = Ledger()
    with pytest.raises(LedgerError, match="do not balance"):
        ledger.book("one side", (Posting("a", "EUR", 5), Posting("b", "USD", -5)))
    with pytest.raises(LedgerError, match="above zero"):
        ledger.move("nothing", "a", "b", "EUR", 0)
    assert ledger.bookings == []


def test_money_is_booked_twice_over_in_every_run():
    for template in TEMPLATES[::3]:
        environment, _ = finish(sample(template, "en"))
        environment.ledger.check()
        moving = [deed for deed in environment.deeds if deed.verb in (Verb.PAY, Verb.TRANSFER, Verb.SCHEDULE)]
        assert len(environment.ledger.bookings) >= len(moving)


@given(st.integers(0, 2**40))
def test_account_numbers_have_right_check_digits(seed):
    iban = account_number("en", "EUR", rng_for(seed)).replace(" ", "")
    assert int("".join(str(int(char, 36)) for char in iban[4:] + iban[:4])) % 97 == 1
    assert check_digits(iban[:2], iban[4:]) == int(iban[2:4])
    assert len(account_number("zh", "CNY", rng_for(seed)).replace(" ", "")) == 19


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_writers_note_is_read_back(language):
    labels, unit = (LABEL[language],), UNIT[language]
    for name in writers_of(language):
        writer = WRITERS[name]
        for number in range(60):
            rng, attribute = rng_for(name, number), list(Attribute)[number % 18]
            figure = Figure(Key(labels[0], attribute), (1234.56, 850.0, 23000.0)[number % 3], unit)
            text = writer.word(amount_note(figure, 0.01), rng)
            assert figures_in_text(text, labels, language) == (figure,), text
            kind = list(Verdict)[number % len(Verdict)]
            winner = labels[0] if kind in (Verdict.MOST, Verdict.LEAST) else ""
            holds = kind is not Verdict.COVER or number % 2 == 0
            found = Conclusion(kind, figure.value, unit, winner, holds)
            text = writer.word(conclusion_note(found, (figure, figure), 0.01, language, rng), rng)
            assert read_conclusion(text, kind, labels, language) == found, text
            assert figures_in_text(text, labels, language) == ()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_rules_are_understood_and_what_became_of_them_binds_nobody(language):
    rule = rule_note(PAYEE[language], 5000.0, UNIT[language], 100.0)
    permit = permit_note(LABEL[language], PAYEE[language])
    for name in writers_of(language):
        for number in range(20):
            rng = rng_for(name, number)
            text = WRITERS[name].word(rule, rng)
            assert [limit.amount for limit in read_limits(text, (PAYEE[language],), language)] == [5000.0], text
            for turn in (Turn.DROPPED, Turn.WEAKENED):
                text = WRITERS[name].word(rule.turned(turn), rng)
                assert list(read_limits(text, (PAYEE[language],), language)) == [], text
            text = WRITERS[name].word(permit, rng)
            assert is_exempt(text, LABEL[language], language), text
            assert not is_exempt(text, "INV-99999", language), text
            assert is_exempt(WRITERS[name].word(permit.turned(Turn.WIDENED), rng), "INV-99999", language)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", list(OrderKind))
def test_the_agent_understands_every_order_in_every_style(language, kind):
    book = phrasebook(setting(language))
    for number in range(100):
        text = book.order(kind, STYLES[number % 3], rng_for("order", number))
        assert [item.kind for item in READERS[language].read([retrieved(text)])] == [kind], text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_requests_to_others_and_background_are_no_orders(language):
    book = phrasebook(setting(language))
    for number in range(100):
        for ingredient in (NUMBER, ADDRESS, NONE):
            text = book.harmless(ingredient, STYLES[number % 3], rng_for("harmless", number))
            assert READERS[language].read([retrieved(text)]) == [], text
        for symbol in ("quoted", "alias_define", "filler", "scope", "rumour", "cause_note"):
            text = sentence(setting(language), symbol, rng_for(symbol, number), {"phrase": "x"})
            assert READERS[language].read([retrieved(text)]) == [], text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_orders_and_notes_have_hundreds_of_surface_forms(language):
    assert sum(count_forms(RULES[language], f"order_{kind.value}") for kind in OrderKind) > 5_000
    forms = [sum(WRITERS[name].count_forms(f"amount_{a.value}") for name in writers_of(language)) for a in
             (Attribute.DUE, Attribute.BALANCE, Attribute.SPENT)]  # fmt: skip
    assert min(forms) > 50
    verdicts = [WRITERS[n].count_forms(f"verdict_{v.value}") for n in writers_of(language) for v in
                (Verdict.SUM, Verdict.REST, Verdict.MOST)]  # fmt: skip
    assert sum(verdicts) > 200


def test_a_figure_knows_its_neighbours_and_what_it_was_before():
    task = next(t for t in (sample("bank_pay_remainder", "en", n, (Need.REVISION, Need.NEIGHBOURS)) for n in range(9)))
    _, session = finish(task)
    figures = [f for w in session.writes if w.statement is not None for f in w.statement.figures()]
    assert any(isinstance(figure, Quantity) and figure.nearby for figure in figures)
    assert any(figure.before not in (None, figure.value) for figure in figures)
