"""LangGraph's long-term memory under guard."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from langgraph.store.base import BaseStore, Item, Op, PutOp, Result

from mage_ml.runtime.integrations.core import AgentSession, Message, SessionPool, Speaker, StoppedError, Verdict
from mage_ml.runtime.integrations.langchain.conversation import session_in

QUARANTINED = "quarantined"
"""Key of the value that stands in place of one that was taken out; it names the entry."""


class GuardedStore(BaseStore):
    """A store over another one: what is put is checked first, what is got is known to the guard from then on.

    Give it to `create_agent` or `compile` as `store`. The conversation is the thread of the run.

    Args:
        store: Where the items are.
        pool: Opens the sessions.
        speaker: Who writes: by default the agent, whose words are checked against what its memory holds.
        agent_id: Name of the agent in memory.
    """

    def __init__(
        self,
        store: BaseStore,
        pool: SessionPool,
        *,
        speaker: Speaker = Speaker.ASSISTANT,
        agent_id: str = "agent",
    ) -> None:
        self._store = store
        self._pool = pool
        self._speaker = speaker
        self._agent_id = agent_id
        self.supports_ttl = store.supports_ttl
        self.ttl_config = store.ttl_config

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Carry out operations.

        Raises:
            StoppedError: A value may not be stored. None of the operations was carried out.
        """
        session, wanted = session_in(self._pool, None), list(ops)
        results = self._store.batch([self._checked(session, op) for op in wanted])
        return [self._known(session, result) for result in results]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """The same in an event loop."""
        session = session_in(self._pool, None)
        checked: list[Op] = []
        for op in ops:
            if isinstance(op, PutOp) and op.value is not None:
                verdict = await session.amemory_write(self._message(op.namespace, op.key, op.value, self._speaker))
                checked.append(_carried_out(op, verdict))
            else:
                checked.append(op)
        return [self._known(session, result) for result in await self._store.abatch(checked)]

    def _checked(self, session: AgentSession, op: Op) -> Op:
        if not isinstance(op, PutOp) or op.value is None:
            return op
        return _carried_out(op, session.memory_write(self._message(op.namespace, op.key, op.value, self._speaker)))

    def _known(self, session: AgentSession, result: Result) -> Result:
        for item in result if isinstance(result, list) else [result]:
            if isinstance(item, Item) and QUARANTINED not in item.value:
                self._take_in(session, item)
        return result

    def _take_in(self, session: AgentSession, result: Item) -> None:
        message = self._message(result.namespace, result.key, result.value, Speaker.RETRIEVED)
        for replacement in session.observe([message]):
            result.value = {QUARANTINED: replacement.entry_id, "text": replacement.text}

    def _message(self, namespace: tuple[str, ...], key: str, value: Mapping[str, Any], speaker: Speaker) -> Message:
        name, text = "/".join((*namespace, key)), json.dumps(value, ensure_ascii=False, default=str)
        return Message(f"store:{name}", speaker, text, agent_id=self._agent_id, origin=f"store:{name}")


def _carried_out(op: PutOp, verdict: Verdict) -> PutOp:
    if not verdict.allowed:
        raise StoppedError(verdict)
    for replacement in verdict.replacements:
        return op._replace(value={QUARANTINED: replacement.entry_id, "text": replacement.text})
    return op
