"""Checks an answer while it is being written: text goes out only after the check of its window."""

from __future__ import annotations

import asyncio
import codecs
import time
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from mage_ml.memory import PendingAction
from mage_ml.runtime.guardrail import Decision
from mage_ml.runtime.text_cuts import cut_before, joined_surrogates, split_surrogate

Chunk = str | bytes | None
"""A piece of an answer: text, UTF-8 bytes that may split a character, or nothing."""


_LAST_WORD: Final = 16


class StreamSettings(BaseModel):
    """How much text is held back, and for how long.

    Attributes:
        window_chars: A sentence is checked as soon as so much text is held.
        hold_chars: Never is more text than this held back once a chunk is dealt with.
        hold_s: Text that is older than this is checked and goes out, whole sentence or not; only its last word (16
            characters at most) waits for what follows. A synchronous stream notices it when the next chunk arrives.
        context_chars: A window is checked together with so much text before it. The whole text is checked at the end.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    window_chars: Annotated[int, Field(ge=1, le=100_000)] = 160
    hold_chars: Annotated[int, Field(ge=1, le=100_000)] = 600
    hold_s: Annotated[float, Field(gt=0.0, le=600.0)] = 2.0
    context_chars: Annotated[int, Field(ge=0, le=1_000_000)] = 4_000


class StreamText(BaseModel):
    """Text that may be shown.

    Attributes:
        text: The next piece.
        decision: The check that let it through.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    decision: Decision


class Retraction(BaseModel):
    """The answer was stopped: take back what was shown. The last event of its stream.

    Attributes:
        released_chars: How much of the answer had gone out.
        decision: Why; its `message` is for the agent.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    released_chars: Annotated[int, Field(ge=0)]
    decision: Decision


class StreamEnd(BaseModel):
    """The answer is whole, and its full text was let through. The last event of its stream.

    Attributes:
        decision: The check of the full text.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    decision: Decision


StreamEvent = StreamText | Retraction | StreamEnd


class StreamGate:
    """Lets text through window by window; knows no source and no clock of its own. One stream, one thread.

    Args:
        check: Decides about an action; what it raises comes out of `feed`, `tick` and `finish`, and nothing goes out.
        action: The action whose content is being written.
        settings: How much is held back.
        clock: Seconds.
    """

    def __init__(
        self,
        check: Callable[[PendingAction], Decision],
        action: PendingAction,
        settings: StreamSettings,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._check = check
        self._action = action
        self._settings = settings
        self._clock = clock
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._half = ""
        self._out = ""
        self._held = ""
        self._since: float | None = None
        self.is_over = False

    @property
    def held_chars(self) -> int:
        """How much text is held back now."""
        return len(self._held)

    def feed(self, chunk: Chunk) -> Iterator[StreamEvent]:
        """Take a chunk; gives what may go out because of it. Exhaust it before the next call."""
        text = self._text_of(chunk)
        if text:
            if self._since is None:
                self._since = self._clock()
            self._held += text
        yield from self.tick()
        settings = self._settings
        if not self.is_over and len(self._held) >= settings.window_chars:
            yield from self._release(cut_before(self._held, sentence=True))
        if not self.is_over and len(self._held) > settings.hold_chars:
            yield from self._release(cut_before(self._held, keep_at_most=settings.hold_chars))

    def tick(self) -> Iterator[StreamEvent]:
        """Gives what may go out because it is old enough."""
        if not self.is_over and self._since is not None and self._clock() - self._since >= self._settings.hold_s:
            yield from self._release(cut_before(self._held, keep_at_most=_LAST_WORD))

    def finish(self) -> Iterator[StreamEvent]:
        """The source has ended: checks the full text, then gives the rest."""
        if self.is_over:
            return
        self._held += joined_surrogates(self._half + self._decoder.decode(b"", final=True), last=True)
        self._half = ""
        decision = self._check(self._action.model_copy(update={"content": self._out + self._held}))
        self.is_over = True
        if not decision.allowed:
            yield Retraction(released_chars=len(self._out), decision=decision)
            return
        if self._held:
            yield StreamText(text=self._held, decision=decision)
        self._out += self._held
        self._held = ""
        yield StreamEnd(decision=decision)

    def _release(self, size: int) -> Iterator[StreamEvent]:
        if size <= 0:
            return
        piece = self._held[:size]
        before = self._out[-self._settings.context_chars :] if self._settings.context_chars else ""
        decision = self._check(self._action.model_copy(update={"content": before + piece}))
        if not decision.allowed:
            self.is_over = True
            yield Retraction(released_chars=len(self._out), decision=decision)
            return
        self._out += piece
        self._held = self._held[size:]
        self._since = self._clock() if self._held else None
        yield StreamText(text=piece, decision=decision)

    def _text_of(self, chunk: Chunk) -> str:
        if chunk is None:
            return ""
        text = self._decoder.decode(chunk) if isinstance(chunk, bytes) else chunk
        whole, self._half = split_surrogate(self._half + text)
        return joined_surrogates(whole, last=False)


def stream_checked(gate: StreamGate, chunks: Iterable[Chunk]) -> Iterator[StreamEvent]:
    """Run a source through a gate. A source that is stopped early is closed; what it raises comes out of here."""
    try:
        for chunk in chunks:
            yield from gate.feed(chunk)
            if gate.is_over:
                return
        yield from gate.finish()
    finally:
        close = getattr(chunks, "close", None)
        if callable(close):
            close()


_TICKS: Final = 4


async def astream_checked(
    gate: StreamGate, chunks: AsyncIterable[Chunk], settings: StreamSettings
) -> AsyncIterator[StreamEvent]:
    """The same for an asynchronous source. Checks run on another thread; old text goes out while the source waits."""
    source = chunks.__aiter__()
    waiting: asyncio.Future[Chunk] | None = None
    try:
        while not gate.is_over:
            waiting = waiting or asyncio.ensure_future(_next(source))
            done, _ = await asyncio.wait({waiting}, timeout=settings.hold_s / _TICKS if gate.held_chars else None)
            if not done:
                events = await asyncio.to_thread(list, gate.tick())
            else:
                finished, waiting = waiting, None
                try:
                    chunk = finished.result()
                except StopAsyncIteration:
                    events = await asyncio.to_thread(list, gate.finish())
                else:
                    events = await asyncio.to_thread(list, gate.feed(chunk))
            for event in events:
                yield event
    finally:
        if waiting is not None:
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
        close = getattr(source, "aclose", None)
        if callable(close):
            await close()


async def _next(source: AsyncIterator[Chunk]) -> Chunk:
    return await source.__anext__()
