"""One conversation under guard, whatever framework runs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from mage_ml.memory import ActionType, PendingAction
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guardrail import FailMode
from mage_ml.runtime.integrations.core.asynchronous import AsyncPoints
from mage_ml.runtime.integrations.core.bookkeeping import Bookkeeping
from mage_ml.runtime.integrations.core.messages import Message, Speaker, ToolRequest, tool_key
from mage_ml.runtime.integrations.core.state import question_of
from mage_ml.runtime.integrations.core.verdict import (
    CLOSED_POINTS,
    Overseer,
    Point,
    Step,
    Verdict,
)

HAND_OFF_TOOL: Final = "hand_off"
"""Name under which the guard judges a hand-over: a write, with the arguments `to` and `text`."""
_MAX_READ: Final = 32


class AgentSession(Bookkeeping, AsyncPoints):
    """One conversation: its guard, its memory, and which message is which entry.

    An adapter calls the method of each point that its framework lets it see, and does what the verdict says. No method
    raises: what goes wrong inside becomes a verdict, and that is closed for memory writes, compactions, hand-offs,
    final outputs and every tool call whose type fails closed. A message that could not be taken in keeps such steps
    closed until it can. After a halt every step is a halt until the user speaks again.

    Nothing is shared between sessions but what the host passes to several. Safe to call from any thread; each method
    has an `a...` twin that does not hold up an event loop. In the modes `shadow` and `off` every verdict of the guard
    is a proceed, with the decision beside it; overseers have modes of their own.

    Args:
        open_guard: Gives the guard of this conversation for a goal; called once, when something is first said.
        goal: The user's task. By default what the user says first.
        name: Name of the conversation, for overseers.
        overseers: Who has a say beside the guard.
        retrieval_tools: Tools that return documents and not records; * and ? are wildcards.
        judges_reading: Whether what is new in memory is checked before the model reads it.
    """

    def __init__(
        self,
        open_guard: Callable[[str], MageGuard],
        *,
        goal: str | None = None,
        name: str = "",
        overseers: Sequence[Overseer] = (),
        retrieval_tools: Sequence[str] = (),
        judges_reading: bool = True,
    ) -> None:
        super().__init__(open_guard, goal, name, overseers, retrieval_tools)
        self._judges_reading = judges_reading

    def memory_write(self, message: Message) -> Verdict:
        """Something is about to be stored as memory.

        Not `allowed`: do not store it. Allowed with `replacements`: store the text given there.
        """
        with self._lock:
            return self._at(Point.MEMORY_WRITE, message.agent_id, lambda: self._write(Point.MEMORY_WRITE, message))

    def before_model(self, messages: Sequence[Message], *, agent_id: str = "agent") -> Verdict:
        """The model is about to read these messages: all of the request, old ones and new ones.

        `replacements` names every one of them that must read differently; `text` is what has to be added to this
        request, and is not to be stored.
        """
        with self._lock:
            return self._at(Point.BEFORE_MODEL, agent_id, lambda: self._read(messages, agent_id))

    def before_tool(self, call: ToolRequest) -> Verdict:
        """A tool is about to run. The same call in the same state of memory gets the same verdict, counted once."""
        with self._lock:
            self._answered(call.agent_id)
            closed = lambda: self._tool_fails_closed(call)  # noqa: E731 - asked only after a failure
            return self._at(Point.BEFORE_TOOL, call.agent_id, lambda: self._call(call), closed)

    def after_tool(self, call: ToolRequest, text: str, *, origin: str | None = None) -> Verdict:
        """A tool has answered. Taken in at once, under `tool_key(call.call_id)`."""
        message = Message(tool_key(call.call_id), Speaker.TOOL, text, call, call.agent_id, origin)

        def take() -> Verdict:
            self._take_all([message])
            step = Step(Point.AFTER_TOOL, text, Speaker.TOOL, call.name, call.arguments, call.agent_id)
            return self._reviewed(Verdict(Point.AFTER_TOOL), step)

        with self._lock:
            return self._at(Point.AFTER_TOOL, call.agent_id, take)

    def before_output(
        self, text: str, *, key: str = "", agent_id: str = "agent", depends_on: Sequence[str] = ()
    ) -> Verdict:
        """The agent is about to answer the user. What is let through is part of memory from then on.

        The same text in the same state of memory gets the same verdict, counted once. Not `allowed` and no halt: ask
        the model again; `text` is in its next request.

        Args:
            text: The whole answer.
            key: Key of the model's message.
            agent_id: The agent that answers.
            depends_on: Keys of messages it was derived from, where the adapter knows them; otherwise they are inferred.
        """
        with self._lock:
            self._answered(agent_id)
            return self._at(Point.BEFORE_OUTPUT, agent_id, lambda: self._answer(text, key, agent_id, depends_on))

    def compaction(self, dropped: Sequence[str], summary: Message) -> Verdict:
        """Messages, named by their keys, are about to be replaced by a summary, which then rests on all of them.

        Not `allowed`: keep the messages, or summarise again.
        """
        rests_on = tuple(dict.fromkeys((*summary.depends_on, *dropped)))
        message = replace(summary, depends_on=rests_on)
        with self._lock:
            return self._at(Point.COMPACTION, summary.agent_id, lambda: self._write(Point.COMPACTION, message))

    def hand_off(self, sender: str, receiver: str, message: Message) -> Verdict:
        """One agent is about to hand over to, or instruct, another. Not `allowed`: the receiver must not get it."""
        with self._lock:
            self._answered(sender)
            return self._at(Point.HAND_OFF, sender, lambda: self._hand(sender, receiver, message))

    def _write(self, point: Point, message: Message) -> Verdict:
        step = Step(point, message.text, message.speaker, agent_id=message.agent_id)
        verdict = Verdict(point)
        if message.speaker in (Speaker.ASSISTANT, Speaker.AGENT):
            action = self._thought(message.text, self._ledger.parents_of_message(message), message.agent_id)
            verdict = self._judged(point, action, None)
        verdict = self._reviewed(verdict, step, closed=True)
        if not verdict.allowed:
            return verdict
        entry = self._take(message)
        if entry is not None and entry.id in self._unread:
            self._unread.remove(entry.id)
            judged = self._judged(point, self._thought("", (entry.id,), message.agent_id), None)
            verdict = judged if judged.action.severity > verdict.action.severity else verdict
        hidden = self._replacements([message])
        return replace(verdict, allowed=not verdict.halts, replacements=hidden) if hidden else verdict

    def _read(self, messages: Sequence[Message], agent_id: str) -> Verdict:
        fresh = self._take_all(messages)
        if self._halt is not None:
            return replace(self._halt, point=Point.BEFORE_MODEL)
        verdict = Verdict(Point.BEFORE_MODEL)
        for message in fresh:
            step = Step(Point.MEMORY_WRITE, message.text, message.speaker, agent_id=message.agent_id)
            verdict = self._reviewed(verdict, step)
        verdict = self._reviewed(verdict, Step(Point.BEFORE_MODEL, agent_id=agent_id))
        if self._judges_reading and self._unread:
            read, self._unread = tuple(self._unread[-_MAX_READ:]), []
            judged = self._judged_reading(self._thought("", read, agent_id))
            verdict = judged if judged.action.severity > verdict.action.severity else verdict
            self._queue("" if judged.halts else judged.text, agent_id)
        if verdict.halts:
            return verdict
        self._queue("" if verdict.decision else verdict.text, agent_id)
        self._last_read = tuple(message.key for message in messages)
        text = self._request_text(agent_id, messages)
        replaced = self._replacements(messages)
        return replace(verdict, allowed=True, text=text, replacements=replaced, verification=None)

    def _judged_reading(self, action: PendingAction) -> Verdict:
        """A failure here may not keep the model from seeing the replacements."""
        try:
            return self._judged(Point.BEFORE_MODEL, action, None)
        except Exception as error:
            policy = self._guard_for("").policy
            return self._failed(Point.BEFORE_MODEL, error, policy.fail_mode(action) is FailMode.CLOSED)

    def _call(self, call: ToolRequest) -> Verdict:
        if self._halt is not None:
            return replace(self._halt, point=Point.BEFORE_TOOL)
        question = question_of(call)
        known = self._ruling(question)
        if known is not None:
            return known
        guard = self._guard_for("")
        action = guard.tool_action(call.name, dict(call.arguments), agent_id=call.agent_id)
        action = action.model_copy(update={"depends_on": self._ledger.parents_of_call(call, action.text)})
        closed = guard.policy.fail_mode(action) is FailMode.CLOSED
        gap = self._gap(Point.BEFORE_TOOL) if closed else None
        if gap is not None:
            return gap
        step = Step(Point.BEFORE_TOOL, "", Speaker.ASSISTANT, call.name, call.arguments, call.agent_id)
        verdict = self._judged(Point.BEFORE_TOOL, action, step, closed=closed)
        self._remember_ruling(question, verdict)
        return verdict

    def _answer(self, text: str, key: str, agent_id: str, rests_on: Sequence[str]) -> Verdict:
        blocked = self._blocked(Point.BEFORE_OUTPUT)
        if blocked is not None:
            return blocked
        known = self._ruling(f"{agent_id}\x1f{text}")
        if known is not None:
            return known
        action = PendingAction(
            type=ActionType.FINAL_OUTPUT,
            content=text,
            agent_id=agent_id,
            depends_on=self._ledger.parents_of_answer(rests_on, text),
        )
        verdict = self._judged(Point.BEFORE_OUTPUT, action, Step(Point.BEFORE_OUTPUT, text, agent_id=agent_id))
        if verdict.allowed and key:
            self._take(Message(key, Speaker.ASSISTANT, text, agent_id=agent_id, depends_on=tuple(rests_on)))
        self._remember_ruling(f"{agent_id}\x1f{text}", verdict)
        return verdict

    def _hand(self, sender: str, receiver: str, message: Message) -> Verdict:
        blocked = self._blocked(Point.HAND_OFF)
        if blocked is not None:
            return blocked
        action = PendingAction(
            type=ActionType.WRITE,
            tool_name=HAND_OFF_TOOL,
            arguments={"to": receiver, "text": message.text},
            agent_id=sender,
            depends_on=self._ledger.parents_of_message(message),
        )
        step = Step(Point.HAND_OFF, message.text, agent_id=sender, receiver=receiver)
        verdict = self._judged(Point.HAND_OFF, action, step)
        if verdict.allowed:
            origin = message.origin or sender
            self._take(replace(message, speaker=Speaker.AGENT, agent_id=receiver, origin=origin))
        return verdict

    def _blocked(self, point: Point) -> Verdict | None:
        return replace(self._halt, point=point) if self._halt is not None else self._gap(point)

    def _judged(self, point: Point, action: PendingAction, step: Step | None, *, closed: bool | None = None) -> Verdict:
        verdict = self._verdict_of(point, self._guard_for("").check(action), action.agent_id)
        if step is None:
            return verdict
        return self._reviewed(verdict, step, closed=point in CLOSED_POINTS if closed is None else closed)

    def _thought(self, text: str, parents: Sequence[str], agent_id: str) -> PendingAction:
        return PendingAction(
            type=ActionType.INTERNAL_REASONING, content=text, agent_id=agent_id, depends_on=tuple(parents)
        )
