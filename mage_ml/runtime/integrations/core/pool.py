"""The sessions of many conversations over one engine."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Literal

from mage_ml.errors import ConfigError
from mage_ml.forking import fork_safe_lock
from mage_ml.runtime.assembly import create_engine
from mage_ml.runtime.audit import AuditLog
from mage_ml.runtime.evaluators import Evaluator
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guarding import AuditSink
from mage_ml.runtime.guardrail import PolicyMatrix, load_policy
from mage_ml.runtime.integrations.core.session import AgentSession
from mage_ml.runtime.integrations.core.verdict import Overseer
from mage_ml.runtime.notify import create_notifiers

MAX_SESSIONS: Final = 1024


class SessionPool:
    """Opens a session a conversation and finds it again; the engine is shared, and keeps nothing of a conversation.

    The sessions used last are kept. One that was let go is opened anew when its conversation goes on: an adapter hands
    it all messages of the conversation, so that it knows the same again. Safe to call from any thread.

    Args:
        open_guard: Gives the guard of a conversation for its goal and name.
        overseers: Who has a say beside the guard, in every session.
        retrieval_tools: See `AgentSession`.
        judges_reading: See `AgentSession`.
        capacity: How many sessions are kept.

    Raises:
        ConfigError: The capacity is below 1.
    """

    def __init__(
        self,
        open_guard: Callable[[str, str], MageGuard],
        *,
        overseers: Sequence[Overseer] = (),
        retrieval_tools: Sequence[str] = (),
        judges_reading: bool = True,
        capacity: int = MAX_SESSIONS,
    ) -> None:
        if capacity < 1:
            raise ConfigError(f"capacity is {capacity}; at least one session has to be kept")
        self._open_guard = open_guard
        self._overseers = tuple(overseers)
        self._retrieval_tools = tuple(retrieval_tools)
        self._judges_reading = judges_reading
        self._capacity = capacity
        self._sessions: OrderedDict[str, AgentSession] = OrderedDict()
        self._lock = fork_safe_lock()

    @classmethod
    def create(
        cls,
        *,
        policy: PolicyMatrix | Path | str | None = None,
        artifact: Path | Literal["default"] | None = "default",
        audit: AuditSink | Path | str | None = None,
        judge: Evaluator | None = None,
        overseers: Sequence[Overseer] = (),
        retrieval_tools: Sequence[str] = (),
        judges_reading: bool = True,
        capacity: int = MAX_SESSIONS,
    ) -> SessionPool:
        """Build the engine from files, once.

        Args:
            policy: A policy, its YAML file, or a preset (`permissive`, `balanced`, `strict`); `None` for `balanced`.
            artifact: Folder of a sealed model, or `default` for the one that ships; `None` for rules only.
            audit: SQLite file or database URL of the audit log, or an open one; `None` for no log.
            judge: Third tier.
            overseers: Who has a say beside the guard.
            retrieval_tools: See `AgentSession`.
            judges_reading: See `AgentSession`.
            capacity: How many sessions are kept.

        Raises:
            ConfigError: The policy is wrong.
            ArtifactError: The model is missing, damaged, or too new.
            AuditError: The log cannot be opened.
        """
        matrix = policy if isinstance(policy, PolicyMatrix) else load_policy(policy)
        sink = AuditLog(audit, durable=matrix.audit.durable) if isinstance(audit, str | Path) else audit
        engine, told = create_engine(matrix, artifact, judge), create_notifiers(matrix.notify)

        def open_guard(goal: str, name: str) -> MageGuard:
            return MageGuard(engine, goal=goal, audit=sink, run_id=name or None, notifiers=told)

        return cls(
            open_guard,
            overseers=overseers,
            retrieval_tools=retrieval_tools,
            judges_reading=judges_reading,
            capacity=capacity,
        )

    def open(self, name: str = "", *, goal: str | None = None) -> AgentSession:
        """A new session that the pool does not keep: for a run that nobody will name again."""
        return AgentSession(
            lambda said: self._open_guard(said, name),
            goal=goal,
            name=name,
            overseers=self._overseers,
            retrieval_tools=self._retrieval_tools,
            judges_reading=self._judges_reading,
        )

    def get(self, name: str) -> AgentSession:
        """The session of a conversation, opened when it is not kept."""
        with self._lock:
            session = self._sessions.get(name)
            if session is None:
                session = self._sessions[name] = self.open(name)
            self._sessions.move_to_end(name)
            while len(self._sessions) > self._capacity:
                self._sessions.popitem(last=False)
            return session

    def drop(self, name: str) -> None:
        """Let a session go; nothing happens when it is not kept."""
        with self._lock:
            self._sessions.pop(name, None)

    @property
    def size(self) -> int:
        """How many sessions are kept now."""
        return len(self._sessions)
