"""The text of an entry with the evidence in it marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from mage_ml.runtime.guardrail.report.labels import plain, shown

_WHOLE: Final = 4_000
_AROUND: Final = 600


def excerpt_with_marks(text: str, spans: Sequence[tuple[int, int]], cut: str) -> str:
    """A text as HTML with spans marked; of a long text its beginning and what is around the spans.

    Args:
        text: The whole text.
        spans: Start and end of each place, in characters.
        cut: Sentence for what is left out, with `{count}`.
    """
    marked = _merged([(max(0, start), min(len(text), end)) for start, end in spans])
    if len(text) <= _WHOLE:
        kept = [(0, len(text))]
    else:
        kept = _merged([(0, _AROUND), *((max(0, a - _AROUND), min(len(text), b + _AROUND)) for a, b in marked)])
    parts: list[str] = []
    place = 0
    for start, end in kept:
        parts.append(_left_out(start - place, cut))
        parts.append(_with_marks(text, start, end, marked))
        place = end
    parts.append(_left_out(len(text) - place, cut))
    return "".join(parts)


def _with_marks(text: str, start: int, end: int, marked: Sequence[tuple[int, int]]) -> str:
    parts, place = [], start
    for first, last in marked:
        if last <= start or first >= end:
            continue
        parts.append(shown(text[place : max(place, first)]))
        parts.append(f"<mark>{shown(text[max(place, first) : min(last, end)])}</mark>")
        place = min(last, end)
    return "".join([*parts, shown(text[place:end])])


def _left_out(count: int, cut: str) -> str:
    return f'<span class="dim"> [{plain(cut.format(count=count))}] </span>' if count > 0 else ""


def _merged(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged
