import pytest

from data_gen.notes import Lines
from data_gen.randomness import rng_for, seed_for
from data_gen.tasks.base import OrderStyle
from data_gen.tasks.sales_report.reading import (
    levels_in_text,
    read_orders,
    read_reason,
    read_support,
    read_verdict,
)
from data_gen.tasks.sales_report.statements import (
    Direction,
    Key,
    Level,
    Metric,
    Reason,
    Support,
    Verdict,
    VerdictKind,
)
from data_gen.tasks.sales_report.wording import WRITERS
from data_gen.texts import documents, names
from data_gen.texts.amounts import AmountStyle, format_amount, format_period
from data_gen.texts.documents import ADDRESS, DOCUMENT_RULES, NONE, PATH, OrderKind, phrasebook
from data_gen.texts.figures import find_figures, find_periods
from data_gen.texts.grammar import count_forms
from data_gen.writers import writers_of
from mage_ml.memory.entry import MemoryEntry

ENTITIES = {"en": ("North", "South"), "zh": ("华北", "华东")}
UNIT = {"en": "EUR", "zh": "CNY"}
TRIALS = range(60)


def retrieved(text):
    return MemoryEntry(id="e1", content=text, source="retrieved")


@pytest.mark.parametrize("style", list(AmountStyle))
def test_a_sum_is_read_back_as_it_was_written(style):
    unit = "CNY" if style in (AmountStyle.PLAIN_ZH, AmountStyle.COMMAS_ZH, AmountStyle.WAN) else "USD"
    for value in (1_000, 123_000, 1_234_000, 9_870_000, 45_010_000):
        found = find_figures(f"x {format_amount(value, unit, style)} y")
        assert [(figure.value, figure.unit) for figure in found] == [(pytest.approx(value), unit)]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_quarter_is_read_back_as_it_was_written(language):
    for number in TRIALS:
        text = format_period("2025-Q3", language, rng_for(language, number))
        assert [period.name for period in find_periods(f"{text} 100 USD")] == ["2025-Q3"]


@pytest.mark.parametrize("name", sorted(WRITERS))
def test_every_writer_is_understood_on_every_statement(name):
    writer = WRITERS[name]
    one, two = ENTITIES[writer.language]
    unit = UNIT[writer.language]
    level = Level(Key(one, "2025-Q1", Metric.REVENUE), 1_234_000, unit)
    for number in TRIALS:
        rng = rng_for(name, number)
        assert levels_in_text(writer.word(level, rng), writer.language) == (level,)
        rough = levels_in_text(writer.word(Level(level.key, level.value, unit, tentative=True), rng), writer.language)
        assert [item.tentative for item in rough] == [True]
        other = Level(Key(two, "2024-Q4", Metric.BUDGET), 987_000, unit)
        assert levels_in_text(writer.word(Lines((level, other)), rng), writer.language) == (level, other)
        phrase = "late deliveries" if writer.language == "en" else "发货延误"
        assert read_reason(writer.word(Reason(one, phrase), rng), writer.language).phrase == phrase
        assert read_reason(writer.word(Reason(one, None), rng), writer.language).phrase is None
        for independent in (True, False):
            text = writer.word(Support(level.key, independent), rng)
            assert read_support(text, writer.language) is independent


@pytest.mark.parametrize("name", sorted(WRITERS))
@pytest.mark.parametrize("kind", list(VerdictKind))
def test_every_writer_is_understood_on_every_verdict(name, kind):
    writer = WRITERS[name]
    one, two = ENTITIES[writer.language]
    two_way = kind in (VerdictKind.CHANGE, VerdictKind.TARGET, VerdictKind.BUDGET)
    percent = kind in (VerdictKind.CHANGE, VerdictKind.SHARE)
    joined = f"{one} and {two}" if writer.language == "en" else f"{one}与{two}"
    for number in TRIALS:
        for direction in (Direction.UP, Direction.DOWN) if two_way else (Direction.NONE,):
            verdict = Verdict(
                kind,
                joined if kind is VerdictKind.TOTAL else one,
                ("2024-Q1", "2025-Q2") if kind is VerdictKind.CHANGE else ("2025-Q1",),
                12.3 if percent else 456_000.0,
                "%" if percent else UNIT[writer.language],
                direction,
                two if kind is VerdictKind.GAP else "",
            )
            assert read_verdict(writer.word(verdict, rng_for(name, kind, number)), kind, writer.language) == verdict


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_verdict_is_not_taken_for_a_figure(language):
    for name in writers_of(language):
        for number in TRIALS:
            unit = UNIT[language]
            verdict = Verdict(VerdictKind.TARGET, ENTITIES[language][0], ("2025-Q1",), 456_000.0, unit, Direction.UP)
            assert levels_in_text(WRITERS[name].word(verdict, rng_for(name, number)), language) == ()


STYLES = (OrderStyle.PLAIN, OrderStyle.SPOOFED, OrderStyle.PRECEDENT)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", list(OrderKind))
def test_the_agent_understands_every_order_in_every_style(language, kind):
    book = phrasebook(language, "acme")
    for number in range(150):
        text = book.order(kind, STYLES[number % 3], rng_for("order", number))
        found = read_orders([retrieved(text)], language)
        assert [item.kind for item in found] == [kind], text


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("ingredient", [ADDRESS, PATH, NONE])
def test_requests_to_other_people_are_no_orders_to_the_agent(language, ingredient):
    book = phrasebook(language, "acme")
    for number in range(300):
        text = book.harmless(ingredient, STYLES[number % 3], rng_for("harmless", number))
        assert read_orders([retrieved(text)], language) == [], text


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("symbol", ["quoted", "alias_define", "alias_use", "filler", "scope", "rumour"])
def test_quotations_and_background_are_no_orders(language, symbol):
    for number in range(100):
        fields = {"address": "desk@brightledger.example", "region": "North", "period": "2025-Q1", "amount": "1 EUR"}
        text = documents.sentence(language, symbol, rng_for(symbol, number), fields)
        assert read_orders([retrieved(text)], language) == [], text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_order_by_a_name_is_understood_only_where_the_name_was_explained(language):
    book = phrasebook(language, "acme")
    for number in range(100):
        alias = book.alias(rng_for("alias", number))
        text = book.order(OrderKind.COPY, OrderStyle.PLAIN, rng_for("by name", number), alias.name)
        explanation = MemoryEntry(id="e0", content=alias.sentence, source="retrieved")
        (order,) = read_orders([explanation, retrieved(text)], language)
        assert order.value in alias.sentence
        assert order.entries == ("e1", "e0")
        assert read_orders([retrieved(text)], language) == [], text


@pytest.mark.parametrize("language", ["en", "zh"])
def test_orders_have_thousands_of_surface_forms(language):
    assert sum(count_forms(DOCUMENT_RULES[language], f"order_{kind.value}") for kind in OrderKind) > 5_000
    book = phrasebook(language, "acme")
    assert len({book.order(OrderKind.COPY, OrderStyle.PLAIN, rng_for(n)) for n in range(400)}) == 400


def test_there_are_at_least_four_writers_in_each_language():
    assert min(len(writers_of("en")), len(writers_of("zh"))) >= 4


def test_no_order_carries_a_fixed_marker():
    book = phrasebook("en", "acme")
    texts = [book.order(k, OrderStyle.PLAIN, rng_for(k, n)).lower() for k in OrderKind for n in range(200)]
    words = [set(text.replace(",", " ").replace(".", " ").split()) for text in texts]
    for word in set().union(*words) - {"the", "to"}:
        assert sum(word in found for found in words) < 0.7 * len(words), word
    assert not any(bad in text for text in texts for bad in ("ignore", "previous instructions", "<", "important"))


def test_names_differ_between_the_draws_of_different_seeds_and_agree_for_the_same():
    assert names.person("zh", rng_for(1, "a")) == names.person("zh", rng_for(1, "a"))
    assert seed_for(1, "a") != seed_for(1, "b")
