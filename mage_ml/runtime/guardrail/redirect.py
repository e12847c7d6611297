"""Verification sub-tasks: which tool to ask again, about what, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from mage_ml.memory import MemoryEntry, Snapshot, Source, Status
from mage_ml.memory.facts.lexicon import ENTITY_KEYS, TIME_KEYS
from mage_ml.memory.notices import MARK_EN, MARK_ZH
from mage_ml.memory.shadow import ToolCall
from mage_ml.risk import Evidence
from mage_ml.runtime.evaluators.rules import RuleId
from mage_ml.runtime.guardrail.doubt import doubt_id
from mage_ml.runtime.guardrail.wording import Language, describe

_MAX_LINEAGE = 64
# Whether an order, a claim of authority or a goal is the user's, and what the user's rules allow.
_NO_TOOL_SETTLES = (
    RuleId.HIDDEN_INSTRUCTION,
    RuleId.SOURCE_SPOOFING,
    RuleId.GOAL_DEVIATION,
    RuleId.DROPPED_CONSTRAINT,
)


class VerificationTask(BaseModel):
    """A sub-task for the agent, to be done before it tries again.

    Attributes:
        task_id: The same doubt has the same name, however often it comes up, and in whichever entry.
        tool_name: The tool to run again.
        arguments: What to run it with: as recorded when the tool was called, otherwise the keys of its record that say
            what the record is about.
        entry_ids: The entries in doubt.
        record_id: The record that the tool gave before.
        instruction: The whole task as text for the agent, in the language of its task.
        attempt: Which attempt this is, from 1.
        max_attempts: After this many the guard halts.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    task_id: str
    tool_name: str
    arguments: Mapping[str, JsonValue] = Field(default_factory=dict)
    entry_ids: tuple[str, ...] = ()
    record_id: str = ""
    instruction: str = ""
    attempt: Annotated[int, Field(ge=1)] = 1
    max_attempts: Annotated[int, Field(ge=0)] = 2


def plan_verification(
    snapshot: Snapshot,
    doubts: Sequence[Evidence],
    *,
    calls: Mapping[str, ToolCall],
    attempts: Mapping[str, int],
    max_attempts: int,
    language: Language,
) -> VerificationTask | None:
    """The tool call that would settle the strongest doubt that a tool can settle, or `None`.

    Args:
        snapshot: What was judged.
        doubts: Evidence in question, strongest first.
        calls: Entry id -> the tool call that returned it, as far as known.
        attempts: Task id -> how often the agent was already sent to do it.
        max_attempts: How often it may be sent.
        language: Language of the instruction.
    """
    for doubt in doubts:
        if doubt.found_by in _NO_TOOL_SETTLES:
            continue
        for record in _records(snapshot, doubt):
            call = calls.get(record.id) or ToolCall(record.tool_name or "", _arguments_of(record))
            if call.tool_name == snapshot.action.tool_name:
                continue  # asking the blocked tool would be the action itself
            name = doubt_id(snapshot, doubt, call.tool_name, call.arguments)
            return VerificationTask(
                task_id=name,
                tool_name=call.tool_name,
                arguments=dict(call.arguments),
                entry_ids=doubt.entry_ids,
                record_id=record.id,
                instruction=_instruction(call, doubt, language),
                attempt=attempts.get(name, 0) + 1,
                max_attempts=max_attempts,
            )
    return None


def _records(snapshot: Snapshot, doubt: Evidence) -> Iterator[MemoryEntry]:
    """Tool records that bear on a doubt: those it names, their lineage, then records of the same facts."""
    named = [name for name in doubt.entry_ids if name in snapshot] or list(snapshot.action.depends_on)
    lineage = snapshot.graph.ancestors(*named, max_nodes=_MAX_LINEAGE)
    ordered = [*named, *sorted((n for n in lineage if n in snapshot), key=snapshot.graph.position, reverse=True)]
    for name in named:
        for fact in snapshot.facts.facts_of(name):
            ordered += [other.entry_id for other in snapshot.facts.facts_about(fact.entity, fact.attribute, latest=4)]
    seen: set[str] = set()
    for name in ordered:
        if name in seen or name not in snapshot:
            continue
        seen.add(name)
        entry = snapshot.entry(name)
        if entry.source is Source.TOOL and entry.tool_name and entry.status in (Status.ACTIVE, Status.SUSPECT):
            yield entry


def _arguments_of(record: MemoryEntry) -> dict[str, JsonValue]:
    """What a record is about: its own keys for entity and period."""
    content: Any = record.content
    if isinstance(content, str) and content.lstrip()[:1] in ("{", "["):
        try:
            content = json.loads(content)
        except ValueError:
            return {}
    while isinstance(content, list | dict):
        if isinstance(content, list):
            content = content[0] if len(content) == 1 else None
            continue
        found = {key: value for key, value in content.items() if str(key).lower() in (*ENTITY_KEYS, *TIME_KEYS)}
        if found or len(content) != 1:
            return {key: value for key, value in found.items() if isinstance(value, str | int | float)}
        content = next(iter(content.values()))
    return {}


def _instruction(call: ToolCall, doubt: Evidence, language: Language) -> str:
    shown = ", ".join(f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in call.arguments.items())
    why = describe(doubt, language)
    if language is Language.CHINESE:
        what = f"（参数：{shown}）" if shown else ""
        first = f"{MARK_ZH} 请先重新调用工具 {call.tool_name}{what}进行核实，因为{why}"
        return f"{first}以新结果为准重新得出结论，然后再尝试该操作。"
    what = f" with {shown}" if shown else ""
    return (
        f"{MARK_EN} First run {call.tool_name} again{what}, because: {why} "
        "Draw your conclusion anew from the fresh result, then try this action again."
    )
