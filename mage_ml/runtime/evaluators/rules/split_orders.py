"""Orders that begin in one entry and end in the next one of the same origin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from mage_ml.memory import MemoryEntry
from mage_ml.runtime.evaluators.rules.orders import Order, find_orders

MAX_PARTS: Final = 4
_REACH: Final = 400
_ENDS: Final = frozenset('.!?。！？;；}])）】」』"”>')
_NEITHER: Final = frozenset("{[")


@dataclass(frozen=True, slots=True)
class Part:
    """The stretch of an order that lies in one entry."""

    entry: MemoryEntry
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class SplitOrder:
    """An order and the entries it is spread over, in order."""

    order: Order
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class _Piece:
    """The part of an entry that is joined: its place in the entry and in the joined text."""

    entry: MemoryEntry
    start: int
    begins: int
    ends: int


def split_orders(entries: Iterable[MemoryEntry]) -> Iterator[SplitOrder]:
    """Orders that cross from one entry into the next of the same origin, over at most four entries.

    Args:
        entries: Untrusted entries in the order of the chain; those of other origins may lie between.
    """
    for run in _runs(entries):
        joined, pieces = _joined(run)
        for order in _orders(joined):
            start, end = order.span
            parts = tuple(
                Part(
                    piece.entry,
                    (
                        piece.start + max(start, piece.begins) - piece.begins,
                        piece.start + min(end, piece.ends) - piece.begins,
                    ),
                )
                for piece in pieces
                if start < piece.ends and end > piece.begins
            )
            if len(parts) > 1:
                yield SplitOrder(order, parts)


@lru_cache(maxsize=2048)
def _orders(text: str) -> tuple[Order, ...]:
    return find_orders(text)


def _runs(entries: Iterable[MemoryEntry]) -> Iterator[list[MemoryEntry]]:
    """Neighbours of one origin of which each but the last breaks off in the middle of a sentence."""
    by_origin: dict[tuple[str, ...], list[MemoryEntry]] = {}
    for entry in entries:
        if isinstance(entry.content, str) and entry.content.strip() and (entry.origin or entry.tool_name):
            key = (entry.source.value, entry.origin or "", entry.tool_name or "", entry.agent_id)
            by_origin.setdefault(key, []).append(entry)
    for same in by_origin.values():
        run: list[MemoryEntry] = []
        for entry in same:
            run.append(entry)
            if len(run) < MAX_PARTS and _breaks_off(entry.text):
                continue
            if len(run) > 1:
                yield run
            run = [entry] if _breaks_off(entry.text) else []
        if len(run) > 1:
            yield run


def _breaks_off(text: str) -> bool:
    text = text.strip()
    return text[-1:] not in _ENDS and text[:1] not in _NEITHER


def _joined(run: Sequence[MemoryEntry]) -> tuple[str, list[_Piece]]:
    text, pieces = "", []
    for number, entry in enumerate(run):
        whole = entry.text
        start = max(0, len(whole) - _REACH) if number == 0 else 0
        taken = whole[start:].rstrip() if number == 0 else whole[:_REACH].strip()
        start += 0 if number == 0 else len(whole) - len(whole.lstrip())
        joint = " " if text and text[-1].isascii() and taken[:1].isascii() else ""
        text += joint
        pieces.append(_Piece(entry, start, len(text), len(text) + len(taken)))
        text += taken
    return text, pieces
