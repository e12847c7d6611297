"""Whether a number follows from others by the simple arithmetic of reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from mage_ml.memory.facts.figures import Figure

MAX_OPERANDS: Final = 24
_EXACT: Final = 0.006
_COMPUTED: Final = 0.0015
_CENT: Final = 2e-5


def is_same(figure: Figure, other: Figure) -> bool:
    """Whether two figures agree: comparable units, and equal up to rounding to the digits that are written."""
    if figure.unit and other.unit and figure.unit != other.unit:
        return False
    tolerance = max(_EXACT * abs(figure.number), figure.precision if abs(figure.number) >= 10 else 0.0)
    difference = abs(abs(figure.number) - abs(other.number))
    if difference <= tolerance + 1e-9:
        return True
    return (
        figure.unit == "%" and not other.unit and abs(abs(figure.number) - 100 * abs(other.number)) <= tolerance + 1e-9
    )


def is_derivable(figure: Figure, groups: Sequence[Sequence[Figure]]) -> bool:
    """Whether a figure follows from others in one step: sum, difference, product, ratio, change, total or mean.

    Args:
        figure: The figure in question.
        groups: Figures by entry; totals and means are taken within an entry and over all, pairs from the first 24.
    """
    if not groups:
        return False
    everything = [item for group in groups for item in group]
    for part in (*groups, everything):
        same = [item.number for item in part if item.unit != "%" and _comparable(item.unit, figure.unit)]
        if len(same) > 1 and _near(figure, [sum(same), sum(same) / len(same)]):
            return True
    # A figure written to the cent is hit by chance less often, so that more operands may be tried.
    limit = MAX_OPERANDS if figure.precision >= _CENT * abs(figure.number) else 3 * MAX_OPERANDS
    operands = list(dict.fromkeys((item.number, item.unit) for item in everything))[:limit]
    return bool(_near(figure, _pairs(figure, operands)))


def _comparable(unit: str, other: str) -> bool:
    return not unit or not other or unit == other


def _pairs(figure: Figure, operands: Sequence[tuple[float, str]]) -> npt.NDArray[np.float64]:
    wanted = "" if figure.unit == "%" else figure.unit
    numbers = np.array(
        [number for number, unit in operands if unit != "%" and _comparable(unit, wanted)], dtype=np.float64
    )
    percents = np.array([number for number, unit in operands if unit == "%"], dtype=np.float64)
    if figure.unit == "%":
        others = numbers[numbers != 0]
        if others.size < 2:
            return percents[:, None] - percents[None, :] if percents.size > 1 else np.empty(0)
        ratio = 100.0 * numbers[:, None] / others[None, :]
        shares = 100.0 * numbers[:, None] / (numbers[:, None] + others[None, :] + 1e-12)
        of_all = 100.0 * numbers / (numbers.sum() or 1.0)
        changes = np.concatenate([ratio.ravel(), (ratio - 100.0).ravel(), shares.ravel(), of_all])
        return np.concatenate([changes, (percents[:, None] - percents[None, :]).ravel()])
    left, right = numbers[:, None], numbers[None, :]
    # A figure and itself make no sum: that would hold up the double of anything.
    two = np.triu_indices(numbers.size, k=1)
    parts = [(left + right)[two], (left - right)[two]]
    if percents.size:
        share = numbers[:, None] * percents[None, :] / 100.0
        parts += [share.ravel(), (numbers[:, None] + share).ravel(), (numbers[:, None] - share).ravel()]
    small = numbers[(np.abs(numbers) <= 1000) & (numbers == np.round(numbers))]
    if small.size:
        parts.append((numbers[:, None] * small[None, :]).ravel())
    if not figure.unit and abs(figure.number) < 1000 and np.any(numbers):
        parts.append((left / numbers[numbers != 0][None, :]).ravel())
    return np.concatenate(parts)


def _near(figure: Figure, values: Iterable[float] | npt.NDArray[np.float64]) -> bool:
    found = np.abs(np.asarray(values, dtype=np.float64))
    relative = _COMPUTED if figure.precision >= _CENT * abs(figure.number) else _CENT
    tolerance = max(relative * abs(figure.number), figure.precision * 1.02) + 1e-9
    return bool(np.any(np.abs(found - abs(figure.number)) <= tolerance))
