"""Constraint files: every mistake is refused with file, line and what to do; the shipped one is right."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from mage_ml.errors import ConfigError
from mage_ml.runtime.governor import Resources, load_constraints, parse_constraints
from mage_ml.runtime.governor.lint import LintLevel, lint_constraints
from mage_ml.runtime.governor.schema import constraints_schema
from mage_ml.runtime.governor.trial import try_examples
from mage_ml.runtime.governor.validators.build import build_validators

from .make import rule

ROOT = Path(__file__).parents[3]
SHIPPED = ROOT / "configs" / "constraints.yaml"
HEAD = "constraints:\n  - id: a\n    text: Rule.\n"
REGEX = "    validator: {kind: regex, forbid: [x]}\n"


def refused(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        parse_constraints(text, "file.yaml")
    return str(caught.value)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("    severity: blok", "file.yaml:5: constraints.0.severity: unknown word 'blok'; did you mean 'block'?"),
        ("    severty: block", "file.yaml:5: unknown field 'constraints.0.severty'; did you mean 'severity'?"),
        ("    scope: {agent: [x]}", "did you mean 'agents'?"),
        (
            '    triggers: [{cel: "turns > 3"}]',
            "file.yaml:5: unknown name 'turns' in 'turns > 3'; did you mean 'turn'?",
        ),
        ('    triggers: [{cel: "turn >"}]', "file.yaml:5: 'turn >' is not CEL"),
        ("    triggers: [{cel: 'charz(output) > 3'}]", "unknown function 'charz'"),
        ("    triggers: [{keywords: [a], regex: b}]", "expected one of keywords, regex, intent, turns, cel"),
        ("    triggers: [{}]", "found none"),
        ("    triggers: [{regex: '(?=a)'}]", "look-around"),
        ("    triggers: [{regex: 'a*'}]", "matches the empty text"),
        ("    on_violation: pass", "on_violation pass does not go with severity block; expected regenerate or veto"),
        ("    hot_path: false", "would let an output leave before the check"),
        ("    state: {confidence: 2}", "less than or equal to 1"),
    ],
)
def test_a_mistake_is_refused_with_file_line_and_the_nearest_name(line: str, says: str) -> None:
    assert says in refused(f"{HEAD}{REGEX}{line}\n")


@pytest.mark.parametrize(
    ("validator", "says"),
    [
        ("{kind: regx, forbid: [x]}", "unknown kind 'regx'; did you mean 'regex'?"),
        ("{kind: cel, alow: 'true'}", "unknown field 'alow' of kind cel; did you mean 'allow'?"),
        ("{forbid: [x]}", "expected `kind`"),
        ("{kind: regex}", "expected patterns in `forbid` or in `require`"),
        ("{kind: regex, require: [x], unless: [y]}", "`forbid`, which is empty"),
        ("{kind: allow_list, templates: ['Hi {name:nmber}']}", "file.yaml:4: unknown slot 'nmber'"),
        ("{kind: allow_list, templates: ['{text}.']}", "no word of its own"),
        ("{kind: knowledge}", "either `source` or `url`"),
        ("{kind: knowledge, url: 'ftp://x'}", "https://host/path"),
        ("{kind: knowledge, url: 'http://u:p@x'}", "use secret_env"),
        ("{kind: ensemble, of: [{kind: regex, forbid: [x]}, {kind: cel, allow: 'nope'}]}", "unknown name 'nope'"),
        (f"{{kind: cel, allow: 'turn{' + 1' * 700} > 0'}}", "at most 2,000"),
    ],
)
def test_a_validator_that_cannot_work_is_refused(validator: str, says: str) -> None:
    text = refused(f"{HEAD}    validator: {validator}\n")
    assert says in text or "at most 2000" in text
    assert text.startswith("file.yaml:4")


def test_names_across_the_file_have_to_exist() -> None:
    text = HEAD + REGEX + "    triggers: [{intent: complant}]\n" + "  - id: a\n    text: Again.\n" + REGEX
    text += "intents: {complaint: {keywords: [bad]}}\n"
    text += "arbitration: [{between: [a, bb], prevails: a, reason: r}]\n"
    said = refused(text).splitlines()
    assert said[0] == "file.yaml:5: unknown intent 'complant'; did you mean 'complaint'?"
    assert said[1] == "file.yaml:6: 'a' is the id of constraint 1 already"
    assert said[2].startswith("file.yaml:10: unknown constraint 'bb'")


def test_a_validator_that_the_host_does_not_offer_is_refused_with_its_line() -> None:
    text = HEAD + "    validator: {kind: knowledge, source: polcy}\n" + HEAD[13:].replace("a\n", "b\n", 1)
    text += "    validator: {kind: llm}\n"
    with pytest.raises(ConfigError) as caught:
        build_validators(parse_constraints(text, "f"), Resources(knowledge={"policy": lambda question: None}))  # type: ignore[dict-item, arg-type, return-value]
    said = str(caught.value).splitlines()
    assert said[0] == "f:4: a: unknown knowledge base 'polcy'; did you mean 'policy'?"
    assert said[1].startswith("f:7: b: kind llm needs a judge")


def test_the_shipped_file_is_clean_and_its_examples_come_out_as_expected() -> None:
    assert lint_constraints(SHIPPED) == []
    results = try_examples(load_constraints(SHIPPED))
    assert len(results) > 20
    assert [one for one in results if not one.is_right] == []
    assert {any("\u4e00" <= letter <= "\u9fff" for letter in one.output) for one in results} == {True, False}


def test_the_published_schema_is_current_and_takes_the_shipped_file() -> None:
    published = json.loads((ROOT / "docs" / "schemas" / "constraints.schema.json").read_text(encoding="utf-8"))
    assert published == constraints_schema()
    data = yaml.safe_load(SHIPPED.read_text(encoding="utf-8"))
    jsonschema.validate(data, published)
    data["constraints"][0]["severity"] = "blok"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(data, published)


def test_lint_names_what_is_valid_and_probably_not_meant(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    odd = rule(fallback="Here is a gift.", remedy=None, text="Only English.", state={"active": False})
    path.write_text(yaml.safe_dump({"constraints": [odd]}), encoding="utf-8")
    said = " ".join(remark.text for remark in lint_constraints(path))
    for words in ("no text in `zh`", "switched off", "without a `remedy`", "no example", "the fallback breaks"):
        assert words in said
    path.write_text("constraints: 3", encoding="utf-8")
    assert [remark.level for remark in lint_constraints(path)] == [LintLevel.ERROR]


def test_plain_and_two_language_texts_are_read() -> None:
    from mage_ml.runtime.guardrail.wording import Language

    text = "constraints:\n  - {id: a, text: 不得送礼, validator: {kind: regex, forbid: [x]}}\n"
    constraint = parse_constraints(text, "f").constraints.constraints[0]
    assert (constraint.text.zh, constraint.text.en) == ("不得送礼", "")
    assert constraint.text.in_language(Language.ENGLISH) == "不得送礼"
