"""What an adapter tells a session, and asks it, beside the points."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mage_ml.forking import ForkAwareLock
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.integrations.core import wording
from mage_ml.runtime.integrations.core.messages import Message
from mage_ml.runtime.integrations.core.state import SessionState
from mage_ml.runtime.integrations.core.verdict import Overseer, Replacement, Verdict


class Bookkeeping(SessionState):
    """The part of a session that judges nothing; the base of `AgentSession`."""

    def __init__(
        self,
        open_guard: Callable[[str], MageGuard],
        goal: str | None,
        name: str,
        overseers: Sequence[Overseer],
        retrieval_tools: Sequence[str],
    ) -> None:
        super().__init__(open_guard, goal, name, overseers, retrieval_tools)
        self._lock = ForkAwareLock(f"the agent session {name}")
        self._last_read: tuple[str, ...] = ()

    @property
    def guard(self) -> MageGuard:
        """The guard; opened without a goal when nobody has spoken yet."""
        with self._lock:
            return self._guard_for("")

    @property
    def stopped(self) -> Verdict | None:
        """The halt that ended the run; `None` again when the user speaks anew."""
        return self._halt

    def observe(self, messages: Sequence[Message]) -> tuple[Replacement, ...]:
        """Messages that are in the conversation already: taken in, and judged with the next step that rests on them.

        Returns:
            Those among them that must read differently by what is known so far.
        """
        with self._lock:
            self._take_all(messages)
            return self._replacements(messages)

    def knows(self, key: str) -> bool:
        """Whether a message with this key was taken in."""
        with self._lock:
            return self._ledger.entry_of(key) is not None

    def missing(self, messages: Sequence[Message]) -> tuple[str, ...]:
        """Keys of the messages that the model read last time and that are not among these: what a compaction drops."""
        with self._lock:
            present = {message.key for message in messages}
            return tuple(key for key in self._last_read if key not in present)

    def placed(self, key: str, text: str, *, quotes: str = "") -> None:
        """The adapter has put a text of the guard into the conversation; it is not news when it comes back.

        Args:
            key: Key of the message; `tool_key(call_id)` for the result of a blocked call.
            text: The whole text.
            quotes: Key of a message that the text quotes, such as a verification's result: when that is taken out of
                memory, this text has to go, too.
        """
        with self._lock:
            self._ledger.expect(key, text, quotes)

    def verified_text(self, verdict: Verdict, result: str) -> str:
        """The text for the model after a verification: what the guard asked for, and what the tool answered."""
        tool = verdict.verification.name if verdict.verification is not None else ""
        return verdict.text + wording.verified_text(tool, result, self._language)
