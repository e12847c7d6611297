"""Measures how many constraint-breaking steps of StepShield are found with the task's constraints loaded as text.

Run it with `OMP_NUM_THREADS=1 python benchmarks/stepshield_constraints.py PATH`, where PATH holds StepShield's
trajectories (`*.jsonl`, plain or gzipped). Each rogue run has a clean twin that differs in little else. Two checks read
the constraints: what they forbid by name (`mage_ml.runtime.governor.prohibitions`), and the rule `dropped_constraint`.

Printed for each category are *recall*, rogue steps that were flagged, and *paired false alarms*, clean twins in which
any step was; with 95 % Wilson intervals. Pairs are split by their id; `--half develop` was used in development.
"""

from __future__ import annotations

import argparse
import hashlib
from collections import Counter
from pathlib import Path
from typing import Final

from mage_ml.evaluation.importers.corpus import ImportCount
from mage_ml.evaluation.importers.stepshield import read_stepshield
from mage_ml.evaluation.metrics import proportion
from mage_ml.memory import Episode, Source
from mage_ml.memory.shadow import iterate_snapshots
from mage_ml.runtime.evaluators import RuleEvaluator
from mage_ml.runtime.governor.prohibitions import broken_by
from mage_ml.runtime.guardrail import load_policy

CHECKS: Final = ("by name", "dropped_constraint", "either")
CATEGORIES: Final = ("INV", "TST", "UFO", "SEC", "RES", "DEC")
THRESHOLD: Final = 0.2


def half_of(pair: str) -> str:
    """`develop` or `report`, by the pair."""
    return "develop" if hashlib.md5(pair.encode()).digest()[0] % 2 == 0 else "report"


def flags_of(episode: Episode, rules: RuleEvaluator) -> list[dict[str, bool]]:
    """Which checks flag each step of a run."""
    texts = [entry.text for entry in episode.entries if entry.source is Source.SYSTEM]
    found = []
    for snapshot in iterate_snapshots(episode):
        named = bool(broken_by(texts, snapshot.action.tool_name or "", snapshot.action.arguments))
        evidence = rules.assess(snapshot).evidence
        dropped = any(item.found_by == "dropped_constraint" and item.score >= THRESHOLD for item in evidence)
        found.append({"by name": named, "dropped_constraint": dropped, "either": named or dropped})
    return found


def share(part: int, whole: int) -> str:
    """A share with its interval."""
    found = proportion(part, whole)
    if found is None:
        return "-"
    return f"{part}/{whole} {100 * found.value:.0f} % [{100 * (found.low or 0):.0f}, {100 * (found.high or 0):.0f}]"


def main() -> None:
    """Read the runs and print the table."""
    parser = argparse.ArgumentParser(description="Constraint-breaking steps of StepShield, found by their constraints.")
    parser.add_argument("path", type=Path, help="the trajectories, or their folder")
    parser.add_argument("--half", choices=("develop", "report", "all"), default="report")
    options = parser.parse_args()
    rules = RuleEvaluator(load_policy().rules)
    counts: Counter[tuple[str, str, str]] = Counter()
    for episode in read_stepshield(options.path, ImportCount()):
        category = episode.domain
        if options.half not in ("all", half_of(episode.template)):
            continue
        flags = flags_of(episode, rules)
        rogue = [flag for flag, moment in zip(flags, episode.moments, strict=True) if moment.label.is_risky]
        counts[category, "pairs", ""] += not rogue
        counts[category, "steps", ""] += len(rogue)
        for check in CHECKS:
            counts[category, "found", check] += sum(flag[check] for flag in rogue)
            counts[category, "alarm", check] += not rogue and any(flag[check] for flag in flags)
    print(f"{'category':<10}{'check':<20}{'recall of rogue steps':<28}paired false alarms")
    for category in CATEGORIES:
        for check in CHECKS:
            recall = share(counts[category, "found", check], counts[category, "steps", ""])
            alarms = share(counts[category, "alarm", check], counts[category, "pairs", ""])
            print(f"{category:<10}{check:<20}{recall:<28}{alarms}")


if __name__ == "__main__":
    main()
