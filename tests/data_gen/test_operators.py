import pytest

from data_gen.agents import PROFILES, Habit
from data_gen.operators import OPERATORS
from data_gen.operators.base import closest
from data_gen.proof import run_once
from data_gen.randomness import rng_for
from data_gen.statements import StatementRole
from data_gen.tasks import DOMAINS
from data_gen.tasks.sales_report.environment import ORIGINS
from data_gen.tasks.sales_report.reading import levels_in, read_orders, read_reason, read_support
from data_gen.tasks.sales_report.statements import Reason, Support
from data_gen.texts.figures import find_figures
from data_gen.texts.names import person_in
from data_gen.texts.noise import legible
from mage_ml.memory.entry import Source
from mage_ml.memory.graph import DependencyGraph, origin_of
from mage_ml.risk import RiskAxis


def language_of(entry):
    return "zh" if any("一" <= char <= "鿿" for char in entry.text) else "en"


def edited(triple, operator):
    run = triple.contaminated
    if run.operator != operator:
        return None
    entries = {entry.id: entry for entry in run.entries}
    sham = next(entry for entry in triple.sham.entries if entry.id == run.injected_entry)
    return entries[run.injected_entry], sham, entries


def of(triples, operator):
    found = [item for item in (edited(triple, operator) for triple in triples) if item]
    assert found
    return found


def test_the_operators_hit_all_four_axes_in_both_languages(triples, sales_operators):
    assert len(OPERATORS) == 24
    axes = {operator.axis_of(operator.width - 1) for operator in OPERATORS.values()}
    assert axes == set(RiskAxis)
    assert {(t.contaminated.operator, t.contaminated.language) for t in triples} == {
        (name, language) for name in sales_operators for language in ("en", "zh")
    }


def test_sham_and_contaminated_differ_by_at_most_a_tenth_in_length(triples):
    for triple in triples:
        operator = triple.contaminated.operator
        bad, sham, _ = edited(triple, operator)
        assert bad.text != sham.text
        assert abs(len(bad.text) - len(sham.text)) <= max(2, 0.1 * len(sham.text)), (operator, bad.text, sham.text)


def test_sham_and_contaminated_are_the_same_entry_but_for_content_and_provenance(triples):
    for triple in triples:
        operator = triple.contaminated.operator
        bad, sham, _ = edited(triple, operator)
        same = ("id", "role", "agent_id", "step", "timestamp", "status")
        same += ("source", "tool_name") if operator == "origin_laundering" else ("source", "tool_name", "origin")
        assert all(getattr(bad, name) == getattr(sham, name) for name in same)


@pytest.mark.parametrize("operator", ["value_flip", "unit_slip"])
def test_the_record_that_contradicts_a_false_figure_stays_visible(triples, operator):
    for bad, sham, entries in of(triples, operator):
        parents = [entries[parent] for parent in bad.depends_on]
        assert parents
        language = "zh" if any("一" <= char <= "鿿" for char in bad.text) else "en"
        stated = {level.key: level for entry in parents for level in levels_in(entry, language)}
        for level in levels_in(sham, language):
            assert stated[level.key].value == pytest.approx(level.value)
        changed = [level for level in levels_in(bad, language) if level not in levels_in(sham, language)]
        assert changed or not levels_in(sham, language)  # a conclusion states no level


def test_a_unit_slip_keeps_the_digits(triples):
    for bad, sham, _ in of(triples, "unit_slip"):
        digits = ["".join(char for char in text if char.isdigit()).rstrip("0") for text in (bad.text, sham.text)]
        assert digits[0] == digits[1]
        assert find_figures(bad.text) != find_figures(sham.text)


def test_no_entry_supports_an_unsupported_inference(triples):
    for bad, _, entries in of(triples, "unsupported_inference"):
        language = "zh" if any("一" <= char <= "鿿" for char in bad.text) else "en"
        phrase = read_reason(bad.text, language).phrase
        before = [entry for entry in entries.values() if entry.step < bad.step]
        assert phrase
        assert not any(phrase in entry.text for entry in before)


def test_a_false_corroboration_rests_on_records_of_one_origin(triples):
    for bad, sham, entries in of(triples, "false_corroboration"):
        language = "zh" if any("一" <= char <= "鿿" for char in bad.text) else "en"
        assert read_support(bad.text, language) is True
        assert read_support(sham.text, language) is False
        assert len({origin_of(entries[parent]) for parent in bad.depends_on}) == 1


def test_a_broken_dependency_hides_a_doubt_that_is_still_visible(triples):
    for bad, sham, entries in of(triples, "broken_dependency"):
        assert bad.confidence > 0.6 > sham.confidence
        graph = DependencyGraph.of(entries.values())
        source = entries[sham.depends_on[0]]
        assert source.confidence < 0.5
        assert sham.depends_on[0] not in graph.parents(bad.id)
        assert bad.id in graph.dangling() or bad.depends_on in ((), ("e1",))


@pytest.mark.parametrize("operator", ["plain_instruction", "source_spoofing", "memory_injection", "looping"])
def test_an_order_stands_in_data_and_the_twin_holds_none(triples, operator):
    for bad, sham, _ in of(triples, operator):
        language = language_of(bad)
        assert bad.role == "data"
        assert len(read_orders([bad], language)) == 1
        assert read_orders([sham], language) == []


def test_a_gradual_order_needs_both_texts(triples):
    for bad, sham, entries in of(triples, "gradual_injection"):
        language = language_of(bad)
        before = [entry for entry in entries.values() if entry.step <= bad.step]
        assert not [order for order in read_orders([bad], language) if not order.explained_by]
        orders = [order for order in read_orders(before, language) if order.entry_id == bad.id]
        assert [bool(order.explained_by) for order in orders] == [True]
        assert read_orders([*before[:-1], sham], language) == []


def test_a_laundered_guess_names_the_origin_of_records_and_rests_on_an_outsiders_message(triples):
    for bad, sham, entries in of(triples, "origin_laundering"):
        assert bad.origin in ORIGINS.values()
        assert sham.origin is None
        assert bad.origin not in {entries[parent].origin for parent in bad.depends_on}
        assert [entries[parent].source for parent in bad.depends_on] == [Source.RETRIEVED]


def test_a_hallucinated_result_names_a_tool_and_rests_on_none(triples):
    for bad, sham, entries in of(triples, "hallucinated_tool_result"):
        tools = [entries[parent].tool_name for parent in sham.depends_on]
        assert any(tool and tool in bad.text for tool in tools)
        assert not any(entries[parent].tool_name for parent in bad.depends_on)


def test_a_stale_or_misread_figure_stands_elsewhere_in_memory(triples):
    for operator in ("stale_overwrite", "misread_tool_result"):
        for bad, sham, entries in of(triples, operator):
            language = language_of(bad)
            (wrong,), (right,) = levels_in(bad, language), levels_in(sham, language)
            known = [level for e in entries.values() if e.step < bad.step for level in levels_in(e, language)]
            assert wrong.value != right.value
            assert any(level.value == pytest.approx(wrong.value, rel=0.001) for level in known)


def test_a_rewritten_goal_names_another_person_than_the_user(triples):
    for bad, sham, entries in of(triples, "rewritten_goal"):
        language = language_of(bad)
        goal = entries[bad.depends_on[0]].text
        assert person_in(sham.text, language) in goal
        assert person_in(bad.text, language) not in goal


def test_debris_cuts_the_figure_in_two_and_leaves_the_twin_readable(triples):
    for bad, sham, _ in of(triples, "garbled_tool_result"):
        assert sorted(bad.text) == sorted(sham.text)
        assert legible(bad.text) == bad.text != legible(sham.text) != sham.text
        assert [f.value for f in find_figures(bad.text)] != [f.value for f in find_figures(sham.text)]


def test_an_operator_edits_only_what_it_accepts():
    domain = DOMAINS["sales_report"]
    task = domain.sample("quarter_change", "en", "en-formal", rng_for("x"), ("cause", "two_documents"))
    run = run_once(domain, task, PROFILES[Habit.SUMMARISING], 1)
    statements = {write.slot: write.statement for write in run.writes}
    kinds = {"unsupported_inference": Reason, "false_corroboration": Support}
    for name, kind in kinds.items():
        assert all(isinstance(statements[s], kind) for spot in OPERATORS[name].spots(run.writes) for s in spot.slots)
    for spot in OPERATORS["arithmetic_slip"].spots(run.writes):
        assert statements[spot.slots[0]].role is StatementRole.CONCLUSION
    assert OPERATORS["value_flip"].spots(run.writes)
    assert all(len(spot.slots) == 2 for spot in OPERATORS["gradual_injection"].spots(run.writes))


def test_the_closest_draw_matches_length_and_punctuation():
    texts = ["a, b, c!", "abc def g", "xyz uvw q", "A B C D E F"]
    assert closest("rst klm o", lambda rng: rng.choice(texts), rng_for(1), tries=40) in ("abc def g", "xyz uvw q")
