import pytest

from data_gen.operators import OPERATORS, candidates
from data_gen.operators.base import closest
from data_gen.randomness import rng_for
from data_gen.statements import Level, Reason, Support
from data_gen.tasks.sales_report.reading import levels_in, read_reason, read_support
from data_gen.texts.figures import find_figures
from mage_ml.memory.graph import DependencyGraph, origin_of
from mage_ml.risk import RiskAxis


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


def test_the_operators_hit_all_four_axes_in_both_languages(triples):
    assert {operator.axis for operator in OPERATORS.values()} == set(RiskAxis)
    assert {(t.contaminated.operator, t.contaminated.language) for t in triples} == {
        (name, language) for name in OPERATORS for language in ("en", "zh")
    }


def test_sham_and_contaminated_differ_by_at_most_a_tenth_in_length(triples):
    for triple in triples:
        operator = triple.contaminated.operator
        bad, sham, _ = edited(triple, operator)
        assert bad.text != sham.text
        assert abs(len(bad.text) - len(sham.text)) <= max(2, 0.1 * len(sham.text)), (operator, bad.text, sham.text)


def test_sham_and_contaminated_are_the_same_entry_but_for_content_and_provenance(triples):
    for triple in triples:
        bad, sham, _ = edited(triple, triple.contaminated.operator)
        same = ("id", "source", "role", "tool_name", "origin", "agent_id", "step", "timestamp", "status")
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


def test_an_order_stands_in_data_and_the_twin_holds_none(triples):
    from data_gen.tasks.sales_report.reading import read_orders

    for bad, sham, _ in of(triples, "plain_instruction"):
        language = "zh" if any("一" <= char <= "鿿" for char in bad.text) else "en"
        assert bad.role == "data"
        assert len(read_orders(bad, language)) == 1
        assert read_orders(sham, language) == ()


def test_an_operator_edits_only_what_it_accepts():
    from data_gen.agents import PROFILES, Habit
    from data_gen.proof import run_once
    from data_gen.tasks import DOMAINS

    domain = DOMAINS["sales_report"]
    task = domain.sample("quarter_change", "en", "en-formal", rng_for("x"), "reason")
    run = run_once(domain, task, PROFILES[Habit.SUMMARISING], 1)
    kinds = {"unit_slip": Level, "unsupported_inference": Reason, "false_corroboration": Support}
    for name, kind in kinds.items():
        assert all(isinstance(write.statement, kind) for write in candidates(OPERATORS[name], run.writes))
    assert candidates(OPERATORS["value_flip"], run.writes)


def test_the_closest_draw_matches_length_and_punctuation():
    texts = ["a, b, c!", "abc def g", "xyz uvw q", "A B C D E F"]
    assert closest("rst klm o", lambda rng: rng.choice(texts), rng_for(1), tries=40) in ("abc def g", "xyz uvw q")
