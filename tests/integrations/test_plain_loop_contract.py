"""The smallest adapter: an agent loop in plain Python over the core keeps the contract. A pattern for new adapters."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mage_ml.runtime.integrations.core import (
    AgentSession,
    Message,
    SessionPool,
    Speaker,
    ToolRequest,
    Verdict,
    tool_key,
)
from tests.integrations.contract import AdapterContract, Decided, Harness
from tests.integrations.world import Call, RunRecord, Said, Turn, World, answer

MAX_TURNS = 40


@dataclass
class Loop:
    """An agent that asks a model, runs tools, and keeps messages in a list."""

    world: World
    script: list[Turn]
    session: AgentSession | None
    stored: list[Message] = field(default_factory=list)
    requests: list[tuple[Said, ...]] = field(default_factory=list)

    def run(self, goal: str) -> str:
        self.stored.append(Message("user", Speaker.USER, goal))
        for number in range(MAX_TURNS):
            read = self._before_model()
            if read is not None and read.halts:
                return read.text
            turn = self._ask(read.text if read is not None else "")
            key = f"turn-{number}"
            if not turn.calls:
                verdict = self.session.before_output(turn.text, key=key) if self.session is not None else None
                if verdict is None or verdict.allowed:
                    self.stored.append(Message(key, Speaker.ASSISTANT, turn.text))
                    return turn.text
                if verdict.halts:
                    return verdict.text
                continue
            self.stored.append(Message(key, Speaker.ASSISTANT, turn.text))
            for position, call in enumerate(turn.calls):
                request = ToolRequest(call.name, call.arguments, f"{key}-{position}", message_key=key)
                text = self._tool(request)
                self.stored.append(Message(tool_key(request.call_id), Speaker.TOOL, text, request))
        return "gave up"

    def _before_model(self) -> Verdict | None:
        if self.session is None:
            return None
        verdict = self.session.before_model(self.stored)
        texts = {item.key: item.text for item in verdict.replacements}
        self.stored = [
            Message(item.key, item.speaker, texts.get(item.key, item.text), item.call) for item in self.stored
        ]
        return verdict

    def _ask(self, notice: str) -> Turn:
        added = [Said("system", notice)] if notice else []
        self.requests.append((*added, *(Said(item.speaker, item.text) for item in self.stored)))
        return self.script.pop(0) if self.script else answer()

    def _tool(self, request: ToolRequest) -> str:
        session = self.session
        if session is None:
            return self._perform(request)
        verdict = session.before_tool(request)
        if verdict.allowed:
            text = self._perform(request)
            session.after_tool(request, text)
            return text
        text, check = verdict.text, verdict.verification
        if check is not None:
            found = self._perform(check)
            session.after_tool(check, found)
            text = session.verified_text(verdict, found)
        quoted = "" if check is None else tool_key(check.call_id)
        session.placed(tool_key(request.call_id), text, quotes=quoted)
        return text

    def _perform(self, request: ToolRequest) -> str:
        call = Call(request.name, request.arguments)
        result: str = getattr(self.world, call.name)(**call.arguments)
        return result


class PlainLoop(Harness):
    framework = "plain loop (the core alone)"

    def run(
        self, world: World, goal: str, script: Sequence[Turn], pool: SessionPool | None, *, name: str, adversary: str
    ) -> RunRecord:
        loop = Loop(world, list(script), None if pool is None else pool.get(name))
        said = loop.run(goal)
        return RunRecord(tuple(Said(item.speaker, item.text) for item in loop.stored), tuple(loop.requests), said)

    async def arun(self, world: World, goal: str, script: Sequence[Turn], pool: Any, **options: Any) -> RunRecord:
        return await asyncio.to_thread(self.run, world, goal, script, pool, **options)


class TestPlainLoop(AdapterContract):
    harness_type = PlainLoop
    unsupported = {Decided.ORDER: "it has no layers that could stand in the way"}  # noqa: RUF012 - a constant
