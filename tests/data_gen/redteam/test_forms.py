from __future__ import annotations

import base64
from collections import Counter

import pytest

from data_gen.randomness import rng_for
from data_gen.redteam.accepted import ACCEPTED
from data_gen.redteam.acts import Act, Family, Part, customer_rules, reply_rules
from data_gen.redteam.cases import Case, Decision, draw_case
from data_gen.redteam.customers_en import CUSTOMERS_EN
from data_gen.redteam.customers_zh import CUSTOMERS_ZH
from data_gen.redteam.mutations import MUTATIONS, mutations_of
from data_gen.redteam.replies import ReplyWriter
from data_gen.redteam.scripts import MAX_TURNS, MIN_TURNS, PLANS, ScriptKind, Tactic, write_script, write_suite
from data_gen.texts.grammar import count_forms
from mage_ml.runtime.evaluators.normalise import layers_of

VIOLATIONS = [(act, family) for act in (Act.PROMISE, Act.COMPENSATE, Act.ABUSE) for family in Family]
BOTH = ("en", "zh")


def case_of(language: str, number: int = 0) -> Case:
    return draw_case(language, rng_for("case", language, number))


@pytest.mark.parametrize(("whole", "language"), [(CUSTOMERS_EN, "en"), (CUSTOMERS_ZH, "zh")])
def test_what_customers_write_is_dealt_to_the_parts_without_loss(whole, language: str) -> None:
    first, second = (customer_rules(language, part) for part in Part)
    for symbol, texts in whole.items():
        assert not set(first[symbol]) & set(second[symbol]), symbol
        assert Counter(first[symbol] + second[symbol]) == Counter(texts), symbol
        assert abs(len(first[symbol]) - len(second[symbol])) <= 1, symbol


@pytest.mark.parametrize("language", BOTH)
def test_no_sentence_of_development_is_measured_on(language: str) -> None:
    seen, unseen = (reply_rules(language, part) for part in Part)
    sentences = {text for texts in seen.values() for text in texts} | set(ACCEPTED[language])
    for symbol, texts in unseen.items():
        if symbol not in ("money", "an_insult"):  # words without which nothing could be said: sums, an idiot
            assert not sentences & set(texts), symbol


@pytest.mark.parametrize("language", BOTH)
@pytest.mark.parametrize("part", list(Part))
def test_every_violation_has_many_forms_in_each_part(language: str, part: Part) -> None:
    for act, family in VIOLATIONS:
        assert count_forms(reply_rules(language, part), f"{act.value}_{family.value}") >= 5


def test_both_languages_have_the_same_symbols() -> None:
    families = {f"{act.value}_{family.value}" for act, family in VIOLATIONS}
    kept = {f"benign_{kind}" for kind in ("refusal", "procedure", "empathy", "granted", "boundary")}
    thoughts = {f"thought_{kind}" for kind in ("promise", "compensation", "abuse", "vague", "benign")}
    for language in BOTH:
        for part in Part:
            rules = reply_rules(language, part)
            assert families | kept | thoughts | {"desk_compensation", "desk_benign"} <= set(rules)
    assert set(CUSTOMERS_EN) == set(CUSTOMERS_ZH) == {tactic.value for tactic in Tactic} | {"demand", "demand_start"}


@pytest.mark.parametrize("language", BOTH)
@pytest.mark.parametrize("part", list(Part))
def test_every_form_can_be_written_and_no_hole_is_left(language: str, part: Part) -> None:
    for number in range(40):
        rng = rng_for("forms", number)
        writer = ReplyWriter(case_of(language, number), part)
        said = [writer.breaking(act, family, rng).text for act, family in VIOLATIONS]
        said += [writer.keeping(rng).text, writer.order(Act.KEEP, rng).text, writer.order(Act.COMPENSATE, rng).text]
        said += [writer.thought(act, rng) for act in Act if act is not Act.UNKNOWN]
        assert all(text.strip() and "{" not in text for text in said)


@pytest.mark.parametrize("language", BOTH)
def test_what_keeps_the_rules_speaks_of_a_granted_sum_only_where_one_was_granted(language: str) -> None:
    for number in range(60):
        case = case_of(language, number)
        texts = [ReplyWriter(case, part).keeping(rng_for(number, part)).text for part in Part for _ in range(3)]
        if case.decision is not Decision.GRANTED:
            assert not any("$0" in text or "，0元" in text for text in texts)
            assert case.granted == 0


def test_disguises_change_the_text_and_the_halves_share_none() -> None:
    first, second = ({mutation.name for mutation in mutations_of(part)} for part in Part)
    assert not first & second
    assert first | second == {mutation.name for mutation in MUTATIONS}
    for mutation in MUTATIONS:
        for text, language in (
            ("I promise you a full refund tomorrow.", "en"),
            ("我保证明天给您全额退款，没问题。", "zh"),
        ):
            assert mutation.apply(text, rng_for(mutation.name), language) != text


def test_an_encoded_reply_can_be_decoded_again() -> None:
    (encoded,) = [mutation for mutation in MUTATIONS if mutation.name == "encoded"]
    for text in ("I promise.", "我保证。"):
        code = encoded.apply(text, rng_for(1), "en").split(": ")[-1]
        assert base64.b64decode(code).decode() == text


def test_an_invisible_mark_is_gone_once_the_text_is_normalised() -> None:
    (invisible,) = [mutation for mutation in MUTATIONS if mutation.name == "invisible"]
    said = invisible.apply("I promise a refund", rng_for(2), "en")
    assert "I promise a refund" in {layer.text for layer in layers_of(said)}


@pytest.mark.parametrize("kind", list(ScriptKind))
def test_scripts_have_ten_to_sixty_turns_of_their_own_tactics_and_press_harder_as_they_go_on(kind: ScriptKind) -> None:
    late = early = 0
    for number in range(20):
        script = write_script(kind, "en", Part.DEVELOPMENT, 0, number)
        assert MIN_TURNS <= len(script.messages) <= MAX_TURNS
        assert {message.tactic for message in script.messages} <= {*PLANS[kind], Tactic.ASK}
        middle = len(script.messages) // 2
        early += sum(message.tactic is not Tactic.ASK for message in script.messages[:middle])
        late += sum(message.tactic is not Tactic.ASK for message in script.messages[-middle:])
    assert late > early or kind is ScriptKind.CALM
    assert (early, late) == (0, 0) or kind is not ScriptKind.CALM


def test_the_same_seed_writes_the_same_suite_and_another_seed_another_one() -> None:
    assert write_suite(Part.HELD_OUT, 3, 1) == write_suite(Part.HELD_OUT, 3, 1)
    assert write_suite(Part.HELD_OUT, 3, 1) != write_suite(Part.HELD_OUT, 4, 1)
    suite = write_suite(Part.HELD_OUT, 3, 2)
    assert len({script.name for script in suite}) == len(suite) == len(ScriptKind) * 2 * 2
