"""Risky steps as SARIF 2.1.0, for code hosts and CI systems.

A step is a result at the message it stands in; the entries behind it are related locations. A halt is an error, what
would have been held back or repaired a warning, a mere warning a note.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final
from urllib.parse import quote

from mage_ml.runtime.evaluators import RULE_IDS
from mage_ml.runtime.guardrail import DecisionAction
from mage_ml.scan.results import Culprit, Location, RiskyStep, ScanReport
from mage_ml.version import __version__

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
VERSION: Final = "2.1.0"
_LEVELS: Final = MappingProxyType(
    {
        DecisionAction.PROCEED: "none",
        DecisionAction.WARN: "note",
        DecisionAction.REPAIR: "warning",
        DecisionAction.REDIRECT: "warning",
        DecisionAction.HALT: "error",
    }
)


def to_sarif(report: ScanReport) -> dict[str, Any]:
    """The report as a SARIF log. Paths are relative where the scan was given relative ones."""
    rules = sorted({step.rule for step in report.steps})
    driver = {
        "name": "mage-ml",
        "version": __version__,
        "rules": [_rule(name) for name in rules],
        "properties": {"policy": report.policy_version, "mode": report.mode, "model": report.model_version},
    }
    notices = [{"level": "error", "message": {"text": text}} for text in report.malformed]
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notices}],
        "results": [_result(step, rules.index(step.rule)) for step in report.steps],
    }
    return {"$schema": SCHEMA, "version": VERSION, "runs": [run]}


def _rule(name: str) -> dict[str, Any]:
    known = name in RULE_IDS
    text = f"Rule {name} of MAGE-ML" if known else f"Scores of {name}"
    return {"id": name, "name": _camel(name), "shortDescription": {"text": text}}


def _camel(name: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in name.replace(":", "_").replace(" ", "_").split("_"))


def _result(step: RiskyStep, rule_index: int) -> dict[str, Any]:
    found = next((item.message for item in step.culprits if item.found_by == step.rule), "")
    why = found or (step.reasons[0] if step.reasons else "")
    text = f"{step.decision.upper()}: {why} Action: {step.action}"
    related = [
        {"id": number, **_location(item.location), "message": {"text": _told(item)}}
        for number, item in enumerate(step.culprits)
        if item.location is not None
    ]
    return {
        "ruleId": step.rule,
        "ruleIndex": rule_index,
        "level": _LEVELS[step.decision],
        "message": {"text": text},
        "locations": [_location(step.location, f"{step.trace_id}#{step.step}")],
        "relatedLocations": related,
        "rank": round(100.0 * step.score, 1),
        "partialFingerprints": {"step/v1": _fingerprint((step.rule, step.trace_id, str(step.step)))},
        "properties": {
            "trace": step.trace_id,
            "step": step.step,
            "decision": step.decision.value,
            "axis": step.axis.value,
            "score": round(step.score, 4),
            "tool": step.tool,
        },
    }


def _told(item: Culprit) -> str:
    quoted = f" “{item.quote}”" if item.quote else ""
    return f"{item.entry_id} ({item.source}{f' {item.origin}' if item.origin else ''}): {item.message}{quoted}"


def _location(location: Location, name: str = "") -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": _artifact(location.path)}
    if location.line is not None:
        physical["region"] = {"startLine": location.line}
    full = " ".join(part for part in (name, location.inside) if part)
    logical = {"logicalLocations": [{"fullyQualifiedName": full, "kind": "element"}]} if full else {}
    return {"physicalLocation": physical, **logical}


def _artifact(path: str) -> dict[str, str]:
    where = Path(path)
    if where.is_absolute():
        return {"uri": where.as_uri()}
    return {"uri": quote(where.as_posix()), "uriBaseId": "%SRCROOT%"}


def _fingerprint(parts: Iterable[str]) -> str:
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "backslashreplace")).hexdigest()[:32]
