"""The pages in docs/rules are true: every rule has one, and its examples do what they say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from mage_ml.memory import MemoryChain, MemoryEntry, PendingAction, Snapshot
from mage_ml.runtime.evaluators import RuleEvaluator
from mage_ml.runtime.evaluators.rules import RULE_IDS
from mage_ml.runtime.guardrail import parse_policy

PAGES = Path(__file__).parents[2] / "docs" / "rules"
POLICY = (Path(__file__).parents[2] / "mage_ml" / "runtime" / "guardrail" / "default_policy.yaml").read_text(
    encoding="utf-8"
)


@dataclass(frozen=True)
class Example:
    page: str
    number: int
    data: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.page}-{self.number}"


def blocks(page: Path, kind: str) -> list[str]:
    parts = page.read_text(encoding="utf-8").split(f"```{kind}\n")[1:]
    return [part.split("\n```", 1)[0] for part in parts]


def examples() -> list[Example]:
    return [
        Example(rule, number, yaml.safe_load(text))
        for rule in RULE_IDS
        if (PAGES / f"{rule}.md").exists()
        for number, text in enumerate(blocks(PAGES / f"{rule}.md", "yaml"))
        if "memory:" in text
    ]


@pytest.mark.parametrize("rule", RULE_IDS)
def test_every_rule_has_its_page_and_a_line_in_the_index(rule):
    page = (PAGES / f"{rule}.md").read_text(encoding="utf-8")
    assert page.startswith(f"# {rule}\n")
    for heading in ("## What it catches", "## What it does not catch", "## Tuning"):
        assert heading in page, f"{rule}.md lacks {heading!r}"
    assert f"]({rule}.md)" in (PAGES / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("rule", RULE_IDS)
def test_every_page_shows_findings_in_both_languages_and_a_quiet_case(rule):
    shown = [item.data for item in examples() if item.page == rule]
    assert {item["language"] for item in shown if item["finds"]} == {"en", "zh"}
    assert any(not item["finds"] for item in shown)


@pytest.mark.parametrize("example", examples(), ids=str)
def test_an_example_in_a_page_does_what_the_page_says(example):
    data = example.data
    memory = MemoryChain(allow_dangling=True)
    for step, fields in enumerate(data["memory"]):
        memory.append(MemoryEntry.model_validate({"step": step, **fields}))
    action = PendingAction.model_validate(data["action"])
    snapshot = Snapshot.of(memory, action, goal=data.get("goal", ""))
    assessment = RuleEvaluator().assess(snapshot)
    assert not assessment.coverage.failed
    found = [item for item in assessment.evidence if item.found_by == example.page]
    if not data["finds"]:
        assert not found, found
        return
    assert found
    assert max(item.score for item in found) >= data.get("at_least", 0.5), found
    if "blames" in data:
        assert data["blames"] in [name for item in found for name in item.entry_ids[:1]], found


@pytest.mark.parametrize("page", sorted(PAGES.glob("*.md")), ids=lambda page: page.stem)
def test_the_settings_shown_in_a_page_are_accepted(page):
    for text in blocks(page, "yaml"):
        if text.startswith("rules:"):
            start = POLICY.index("\nrules:")
            rest = POLICY[start + 1 :].split("\n\n", 1)[1]
            parse_policy(f"{POLICY[:start]}\n{text}\n\n{rest}", "page.yaml")


def test_there_is_no_page_for_a_rule_that_does_not_exist():
    assert {page.stem for page in PAGES.glob("*.md")} == {*RULE_IDS, "README"}
