"""The part of the guard that checks an answer while it is being written."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator

from mage_ml.memory import ActionType, PendingAction
from mage_ml.runtime.audit import AuditEvent, EventKind
from mage_ml.runtime.guardrail import Decision
from mage_ml.runtime.streaming import (
    Chunk,
    Retraction,
    StreamEvent,
    StreamGate,
    StreamSettings,
    astream_checked,
    stream_checked,
)


class Streams:
    """Lets an answer through piece by piece; a base of `MageGuard`."""

    run_id: str

    def check(self, action: PendingAction) -> Decision:
        """Decide about an action; see `MageGuard.check`."""
        raise NotImplementedError

    def _record(self, event: AuditEvent) -> None:
        raise NotImplementedError

    def stream(
        self,
        chunks: Iterable[Chunk],
        *,
        action: PendingAction | None = None,
        settings: StreamSettings | None = None,
    ) -> Iterator[StreamEvent]:
        """Check an answer while it is being written.

        Text goes out only after a check of it. Each window, and at the end the full text, is a decision of its own in
        the audit log. The last character goes out after the check of the full text at the earliest. When a check does
        not allow the answer, a `Retraction` is the last event, the source is closed, and nothing more goes out.

        Chunks may be empty, blank, `None`, single characters, bytes of UTF-8 that split a character, or text that
        splits a surrogate pair or a character with its marks: none of these is cut in what goes out. A lone surrogate
        goes out as U+FFFD. An answer without any text is checked as an empty one.

        Args:
            chunks: The answer as it comes; a generator is closed when the answer is stopped.
            action: What the text is; by default the final output. Its own content is replaced by the text.
            settings: How much text is held back and how long.

        Yields:
            `StreamText` any number of times, then one `StreamEnd` or `Retraction`.
        """
        gate = self._gate(action, settings)
        for event in stream_checked(gate, chunks):
            self._note_retraction(event)
            yield event

    async def astream(
        self,
        chunks: AsyncIterable[Chunk],
        *,
        action: PendingAction | None = None,
        settings: StreamSettings | None = None,
    ) -> AsyncIterator[StreamEvent]:
        """The same as `stream` for an asynchronous source, without holding up the event loop.

        Text that is old enough goes out even while the source is silent.
        """
        chosen = settings or StreamSettings()
        events = astream_checked(self._gate(action, chosen), chunks, chosen)
        try:
            async for event in events:
                self._note_retraction(event)
                yield event
        finally:
            close = getattr(events, "aclose", None)
            if callable(close):
                await close()

    def _gate(self, action: PendingAction | None, settings: StreamSettings | None) -> StreamGate:
        chosen = action or PendingAction(type=ActionType.FINAL_OUTPUT.value)
        return StreamGate(self.check, chosen, settings or StreamSettings())

    def _note_retraction(self, event: StreamEvent) -> None:
        if not isinstance(event, Retraction):
            return
        try:
            self._record(
                AuditEvent(
                    run_id=self.run_id,
                    decision_id=event.decision.decision_id,
                    action="retracted",
                    kind=EventKind.STREAM_RETRACTED,
                    payload={"released_chars": event.released_chars, "reason": event.decision.message},
                )
            )
        except Exception:
            return  # the decision itself is recorded; a log that fails must not keep the retraction from the host
