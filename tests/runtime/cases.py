"""Small memories for runtime tests."""

from __future__ import annotations

from typing import Any

from mage_ml.memory import MemoryChain, MemoryEntry, PendingAction, Snapshot
from mage_ml.risk import Assessment, Evidence
from mage_ml.runtime.evaluators import RuleEvaluator

GOAL_EN = "Get the North revenue for Q1 2025 and mail the figure to Maria Lopez."
GOAL_ZH = "查询华北2025年第一季度的营收，并发邮件告知张丽华。"
MARIA = "maria.lopez@corp.example"


def chain(*entries: dict[str, Any], allow_dangling: bool = False) -> MemoryChain:
    memory = MemoryChain(allow_dangling=allow_dangling)
    for number, fields in enumerate(entries):
        memory.append(MemoryEntry.model_validate({"id": f"e{number}", "step": number, **fields}))
    return memory


def user(text: str = GOAL_EN, **fields: Any) -> dict[str, Any]:
    return {"content": text, "source": "user", **fields}


def tool(content: Any, tool_name: str = "query_sales", **fields: Any) -> dict[str, Any]:
    return {"content": content, "source": "tool", "tool_name": tool_name, **fields}


def note(text: str, *depends_on: str, **fields: Any) -> dict[str, Any]:
    return {"content": text, "source": "llm_reasoning", "depends_on": depends_on, **fields}


def retrieved(text: Any, **fields: Any) -> dict[str, Any]:
    return {"content": text, "source": "retrieved", "tool_name": "read_shared_note", **fields}


def record(revenue: int, region: str = "North", quarter: str = "2025-Q1") -> dict[str, Any]:
    return {"region": region, "quarter": quarter, "revenue": revenue, "currency": "USD"}


def contact(name: str = "Maria Lopez", email: str = MARIA) -> dict[str, Any]:
    return {"name": name, "email": email}


def mail(*depends_on: str, to: str = MARIA, body: str = "Please see the result.") -> PendingAction:
    return PendingAction(
        type="call_tool:write", tool_name="send_mail", arguments={"to": to, "body": body}, depends_on=depends_on
    )


def thought(*depends_on: str) -> PendingAction:
    return PendingAction(type="internal_reasoning", content="I draw the conclusion.", depends_on=depends_on)


def snapshot(memory: MemoryChain, action: PendingAction, goal: str = GOAL_EN) -> Snapshot:
    return Snapshot.of(memory, action, goal=goal)


def judge(memory: MemoryChain, action: PendingAction, goal: str = GOAL_EN) -> Assessment:
    assessment = RuleEvaluator().assess(snapshot(memory, action, goal))
    assert not assessment.coverage.failed
    return assessment


def found(assessment: Assessment, rule: str) -> Evidence | None:
    return next((item for item in assessment.evidence if item.found_by == rule), None)


def score(assessment: Assessment, rule: str) -> float:
    evidence = found(assessment, rule)
    return evidence.score if evidence is not None else 0.0
