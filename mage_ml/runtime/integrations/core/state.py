"""What a session keeps, and how a decision becomes a verdict. The session holds the lock."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mage_ml.memory import ActionType, MemoryEntry, Role
from mage_ml.memory.stores.base import HIDDEN_STATUSES
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guardrail import Decision, DecisionAction, FailMode, MemoryPatch, Mode
from mage_ml.runtime.integrations.core import wording
from mage_ml.runtime.integrations.core.ledger import Ledger
from mage_ml.runtime.integrations.core.messages import Message, Speaker, ToolRequest
from mage_ml.runtime.integrations.core.verdict import (
    CLOSED_POINTS,
    Opinion,
    Overseer,
    Point,
    Replacement,
    Step,
    Verdict,
    merged,
)

_MAX_RULINGS: Final = 256
_MAX_NOTICES: Final = 32
_KEEPS_RUNNING: Final = frozenset({Point.MEMORY_WRITE, Point.COMPACTION})


@dataclass(frozen=True, slots=True)
class _Notice:
    text: str
    is_delivered: bool = False


class SessionState:
    """Guard, ledger, notices and rulings of one conversation; the base of `AgentSession`."""

    def __init__(
        self,
        open_guard: Callable[[str], MageGuard],
        goal: str | None,
        name: str,
        overseers: Sequence[Overseer],
        retrieval_tools: Sequence[str],
    ) -> None:
        self.name = name
        self._open_guard = open_guard
        self._goal = goal
        self._overseers = tuple(overseers)
        self._guard: MageGuard | None = None
        self._ledger = Ledger(self._store, self._is_usable, retrieval_tools)
        self._unread: list[str] = []
        self._gaps: dict[str, str] = {}
        self._halt: Verdict | None = None
        self._notices: dict[str, list[_Notice]] = {}
        self._rulings: OrderedDict[str, tuple[int, Verdict]] = OrderedDict()
        self._repairs = 0

    # The guard and its memory.

    def _guard_for(self, goal: str) -> MageGuard:
        if self._guard is None:
            self._goal = goal if self._goal is None else self._goal
            guard = self._open_guard(self._goal)
            self._ledger.adopt(guard.memory.list())
            self._guard = guard
        return self._guard

    def _store(self, entry: MemoryEntry) -> None:
        guard = self._guard_for("")
        guard.observe(entry)
        add = getattr(guard.memory, "add", None)
        if callable(add) and guard.memory.get(entry.id) is None:  # a store of the host's
            add(entry)

    def _is_usable(self, entry_id: str) -> bool:
        entry = self._guard_for("").memory.get(entry_id)
        return entry is None or entry.status not in HIDDEN_STATUSES

    def _take(self, message: Message) -> MemoryEntry | None:
        self._guard_for(message.text if message.speaker is Speaker.USER else "")
        entry = self._ledger.take(message)
        if entry is not None and entry.role is Role.DATA:
            self._unread.append(entry.id)
        if entry is not None and message.speaker is Speaker.USER:
            self._halt = None
        return entry

    def _take_all(self, messages: Iterable[Message]) -> list[Message]:
        """Take in what is new; returns those messages. What cannot be taken in keeps closed steps closed."""
        batch = tuple(messages)
        self._guard_for(next((message.text for message in batch if message.speaker is Speaker.USER), ""))
        fresh = []
        for message in batch:
            try:
                if self._take(message) is not None:
                    fresh.append(message)
                self._gaps.pop(message.key, None)
            except Exception as error:  # one bad message must not hide the others
                self._gaps[message.key] = f"{type(error).__name__}: {error}"
        return fresh

    # From work to a verdict.

    def _at(
        self, point: Point, agent_id: str, work: Callable[[], Verdict], is_closed: Callable[[], bool] | None = None
    ) -> Verdict:
        try:
            verdict = work()
        except Exception as error:  # whatever goes wrong in here must not reach a framework that would carry on
            verdict = self._failed(point, error, point in CLOSED_POINTS or (is_closed is not None and is_closed()))
        self._queue_from(verdict, agent_id)
        if verdict.halts and not (verdict.failure and point in _KEEPS_RUNNING):
            self._halt = verdict
        return verdict

    def _failed(self, point: Point, error: Exception, closed: bool) -> Verdict:
        failure = f"{type(error).__name__}: {error}"
        if not self._binds:
            return Verdict(point, failure=failure)
        text = wording.failure_text(closed, self._language)
        action = DecisionAction.HALT if closed else DecisionAction.WARN
        return Verdict(point, action, allowed=not closed, text=text, failure=failure)

    def _gap(self, point: Point) -> Verdict | None:
        """The verdict while part of the conversation is unknown; `None` when all is known or nothing binds."""
        if not self._gaps or not self._binds:
            return None
        key, why = next(iter(self._gaps.items()))
        failure = f"message {key!r} could not be taken in: {why}"
        return Verdict(
            point, DecisionAction.HALT, allowed=False, text=wording.gap_text(self._language), failure=failure
        )

    @property
    def _binds(self) -> bool:
        return self._guard is None or self._guard.policy.mode is Mode.ENFORCE

    @property
    def _language(self) -> wording.Language:
        return wording.language_of_text(self._goal or "")

    def _tool_fails_closed(self, call: ToolRequest) -> bool:
        try:
            policy = self._guard_for("").policy
            return policy.actions[policy.type_of_tool(call.name)].fail is FailMode.CLOSED
        except Exception:
            return True

    def _verdict_of(self, point: Point, decision: Decision, agent_id: str) -> Verdict:
        """What a decision means for the adapter."""
        if decision.mode is not Mode.ENFORCE:
            return Verdict(point, decision=decision)
        if decision.patches:
            self._repairs += 1
        action = decision.action
        if action is DecisionAction.PROCEED and not decision.allowed:
            action = DecisionAction.HALT  # never go ahead without leave
        return Verdict(
            point,
            action,
            allowed=decision.allowed and action is not DecisionAction.HALT,
            text=decision.message,
            replacements=self._patched(decision.patches),
            verification=self._verification(decision, agent_id),
            decision=decision,
        )

    def _verification(self, decision: Decision, agent_id: str) -> ToolRequest | None:
        task = decision.verification
        if decision.action is not DecisionAction.REDIRECT or task is None or self._guard is None:
            return None
        if self._guard.policy.type_of_tool(task.tool_name) is not ActionType.READ:
            return None  # a tool with effects is not run again by itself
        call_id = f"verify-{decision.decision_id[:12]}"
        return ToolRequest(task.tool_name, dict(task.arguments), call_id, agent_id)

    # Replacements.

    def _patched(self, patches: Iterable[MemoryPatch]) -> tuple[Replacement, ...]:
        memory = self._guard_for("").memory
        found = []
        for entry_id in dict.fromkeys(patch.entry_id for patch in patches):
            key, entry = self._ledger.key_of(entry_id), memory.get(entry_id)
            if key is not None and entry is not None and entry.status in HIDDEN_STATUSES:
                found.append(Replacement(key, wording.shown_text(entry, self._language), entry_id))
        return tuple(found)

    def _replacements(self, messages: Iterable[Message]) -> tuple[Replacement, ...]:
        """The messages whose text is not what memory now lets the agent read."""
        guard = self._guard_for("")
        overwrites = guard.policy.allow_overwrite
        entries = {entry.id: entry for entry in guard.memory.list() if overwrites or entry.status in HIDDEN_STATUSES}
        found: list[Replacement] = []
        if not entries:
            return ()
        for message in messages:
            quoted = self._ledger.placed_over(message.key, message.text)
            entry = entries.get((self._ledger.entry_of(message.key) if quoted is None else quoted) or "")
            if entry is None:
                continue
            shown = wording.shown_text(entry, self._language)
            changed = entry.status in HIDDEN_STATUSES or quoted is None
            if changed and shown != message.text and not wording.is_hidden_text(message.text):
                found.append(Replacement(message.key, shown, entry.id))
        return tuple(found)

    # Notices for the next model request.

    def _queue_from(self, verdict: Verdict, agent_id: str) -> None:
        told_elsewhere = verdict.point is Point.BEFORE_TOOL and not verdict.allowed  # in the result of the call
        if verdict.text and not verdict.halts and not told_elsewhere and verdict.point is not Point.BEFORE_MODEL:
            self._queue(verdict.text, agent_id)

    def _queue(self, text: str, agent_id: str) -> None:
        waiting = self._notices.setdefault(agent_id, [])
        if text and not any(notice.text == text for notice in waiting):
            waiting.append(_Notice(text))
            del waiting[:-_MAX_NOTICES]

    def _answered(self, agent_id: str) -> None:
        """The model has answered: what stood in its request has been read."""
        self._notices[agent_id] = [notice for notice in self._notices.get(agent_id, ()) if not notice.is_delivered]

    def _request_text(self, agent_id: str, messages: Iterable[Message]) -> str:
        waiting = self._notices.get(agent_id, [])
        self._notices[agent_id] = [replace(notice, is_delivered=True) for notice in waiting]
        memory, named = self._guard_for("").memory, (self._ledger.entry_of(message.key) for message in messages)
        entries = (memory.get(entry_id) for entry_id in named if entry_id is not None)
        notes = [wording.standing_note(entry, self._language) for entry in entries if entry is not None]
        said = [reminder for overseer in self._overseers for reminder in overseer.reminders(agent_id, self.name)]
        return "\n".join(dict.fromkeys(part for part in (*(n.text for n in waiting), *notes, *said) if part))

    # Overseers.

    def _reviewed(self, verdict: Verdict, step: Step, *, closed: bool = False) -> Verdict:
        """The verdict after every overseer had its say; one that fails stops a closed step."""
        opinions: list[Opinion] = []
        for overseer in self._overseers:
            try:
                opinion = overseer.review(replace(step, conversation=self.name))
            except Exception as error:
                failed = self._failed(step.point, error, closed)
                return replace(failed, failure=f"{overseer.name}: {failed.failure}", decision=verdict.decision)
            if opinion is not None:
                opinions.append(opinion)
        return merged(verdict, opinions)

    # Rulings: the same call in the same state of memory is one question.

    def _ruling(self, question: str) -> Verdict | None:
        known = self._rulings.get(question) if question else None
        return known[1] if known is not None and known[0] == self._version else None

    def _remember_ruling(self, question: str, verdict: Verdict) -> None:
        if question:
            self._rulings[question] = self._version, verdict
            self._rulings.move_to_end(question)
        while len(self._rulings) > _MAX_RULINGS:
            self._rulings.popitem(last=False)

    @property
    def _version(self) -> int:
        return self._ledger.size + self._repairs


def question_of(call: ToolRequest) -> str:
    """A tool call as one string; empty for a call without an id, of which nobody knows whether it is the same."""
    if not call.call_id:
        return ""
    arguments = json.dumps(dict(call.arguments), sort_keys=True, ensure_ascii=False, default=repr)
    return f"{call.call_id}\x1f{call.name}\x1f{arguments}"
