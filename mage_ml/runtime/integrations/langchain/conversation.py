"""Which conversation a run belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from langgraph.config import get_config

from mage_ml.runtime.integrations.core import AgentSession, SessionPool


def conversation_of(state: Any) -> str:  # noqa: ANN401 - a graph's state
    """Name of the conversation: the thread, or what the middleware wrote into the state; empty for none.

    A sub-agent that runs inside a tool inherits its parent's thread, and so shares its session.
    """
    try:
        settings = get_config().get("configurable", {})
    except RuntimeError:  # outside a run
        settings = {}
    thread = settings.get("thread_id")
    if thread is not None and str(thread):
        return str(thread)
    return str(state.get("mage_conversation", "")) if isinstance(state, Mapping) else ""


def session_in(pool: SessionPool, state: Any) -> AgentSession:  # noqa: ANN401 - a graph's state
    """The session of the conversation; where nothing names it, a fresh one, so that no two are taken for one."""
    name = conversation_of(state)
    return pool.get(name) if name else pool.open()
