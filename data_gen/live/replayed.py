"""Triples from recorded real runs: a value misread in one entry, carried through all that was derived from it.

A recording cannot be run again, so there is no outcome and no causal proof: `proof` is `None`, `consequential` false,
the corpus says `replayed` and the outcome says why. What is known is that the record and the note disagree, and which
later entries and actions, by the recorded dependencies, repeat the wrong value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import re2
from pydantic import JsonValue

from data_gen.randomness import Rng, rng_for
from mage_ml.memory.entry import MemoryEntry
from mage_ml.memory.episode import Arm, Episode, EpisodeTriple, Moment, MomentLabel, Outcome
from mage_ml.memory.graph import DependencyGraph
from mage_ml.memory.snapshot import ActionType, PendingAction
from mage_ml.risk import RiskAxis

OPERATOR: Final = "replayed_misreading"
_AXES: Final = (RiskAxis.CONSISTENCY,)
_FIGURE = re2.compile(r"\d[\d,]*(?:\.\d+)?")
_OUTCOME: Final = Outcome(detail="replayed: carried forward by recorded dependencies; no outcome check was made")


@dataclass(frozen=True, slots=True)
class Carrier:
    """A figure that an entry took over from an earlier one.

    Attributes:
        entry_id: The entry that is to be edited.
        figure: The figure, as it stands there and in the entry it came from.
    """

    entry_id: str
    figure: str


@dataclass(frozen=True, slots=True)
class _Swap:
    figure: str
    by: str

    def text(self, text: str) -> str:
        return "".join(self._pieces(text))

    def value(self, value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {key: self.value(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if isinstance(value, (int, float)) and not isinstance(value, bool) and value == _number(self.figure):
            changed = _number(self.by)
            return int(changed) if isinstance(value, int) and changed.is_integer() else changed
        return value

    def _pieces(self, text: str) -> Iterator[str]:
        end = 0
        for found in _FIGURE.finditer(text):
            yield text[end : found.start()]
            figure = found.group(0).rstrip(",")
            swaps = figure == self.figure and _stands_alone(text, found.start(), found.start() + len(figure))
            yield self.by + found.group(0)[len(figure) :] if swaps else found.group(0)
            end = found.end()
        yield text[end:]


def carriers(episode: Episode) -> list[Carrier]:
    """The figures of a run that could be misread: taken over from an earlier entry, and used later.

    Only figures that can be written in two ways are taken, so that the harmless twin is edited as well.
    """
    graph = DependencyGraph.of(episode.entries)
    texts = {entry.id: _figures(entry.text) for entry in episode.entries}
    found = []
    for entry in episode.entries:
        before = {figure for parent in graph.ancestors(entry.id) if parent in texts for figure in texts[parent]}
        tainted = graph.tainted_by([entry.id])
        for figure in sorted(texts[entry.id] & before):
            if restyled(figure) is not None and _is_used(episode, entry.id, figure, tainted):
                found.append(Carrier(entry.id, figure))
    return found


def replay_triple(episode: Episode, seed: int, carrier: Carrier | None = None) -> EpisodeTriple | None:
    """Clean, sham and contaminated versions of a recorded run.

    Args:
        episode: The recorded run; one that was not attacked.
        seed: Draws the carrier, if none is given, and the wrong value.
        carrier: Where to edit.

    Returns:
        `None` when nothing in the run could be misread.

    Raises:
        ValueError: The run was attacked: its memory is contaminated already.
    """
    if episode.injected_entry is not None:
        raise ValueError(f"{episode.episode_id}: was attacked; expected a run without an attack")
    rng = rng_for(seed, "replay", episode.episode_id)
    found = carriers(episode) if carrier is None else [carrier]
    if not found:
        return None
    chosen = found[rng.randrange(len(found))]
    styled = restyled(chosen.figure)
    if styled is None:
        return None
    return EpisodeTriple(
        clean=_arm(episode, Arm.CLEAN, chosen, None),
        sham=_arm(episode, Arm.SHAM, chosen, _Swap(chosen.figure, styled)),
        contaminated=_arm(episode, Arm.CONTAMINATED, chosen, _Swap(chosen.figure, _wrong(styled, rng))),
    )


def replay_triples(episodes: Iterable[Episode], seed: int) -> Iterator[EpisodeTriple]:
    """A triple for each run without an attack in which something could be misread.

    Importers of `mage_ml.evaluation` read such runs from the published formats.
    """
    for episode in episodes:
        if episode.injected_entry is None:
            triple = replay_triple(episode, seed)
            if triple is not None:
                yield triple


def restyled(figure: str) -> str | None:
    """The same number written differently; `None` if there is no other way that a reader would not notice."""
    whole, point, fraction = figure.partition(".")
    if "," in whole:
        return whole.replace(",", "") + point + fraction
    if len(whole) >= 4 and not whole.startswith("0") and not (len(whole) == 4 and whole[:2] in ("19", "20")):
        return f"{int(whole):,}{point}{fraction}"
    return f"{figure}0" if len(fraction) == 1 else None


def _wrong(figure: str, rng: Rng) -> str:
    """Another number in the same form: its leading digit changed."""
    return f"{rng.choice([digit for digit in '123456789' if digit != figure[0]])}{figure[1:]}"


def _arm(episode: Episode, arm: Arm, carrier: Carrier, swap: _Swap | None) -> Episode:
    graph = DependencyGraph.of(episode.entries)
    tainted = graph.tainted_by([carrier.entry_id])
    entries, moments = episode.entries, tuple(_moment(episode, m, carrier, tainted, arm, swap) for m in episode.moments)
    if swap is not None:
        entries = tuple(_swapped(entry, swap) if entry.id in tainted else entry for entry in entries)
    tells = swap is not None
    return episode.model_copy(
        update={
            "episode_id": f"{episode.episode_id}/{arm.value}",
            "group_id": f"{episode.group_id}/replayed",
            "arm": arm,
            "corpus": f"{episode.corpus}-replayed",
            "operator": OPERATOR if tells else None,
            "operator_family": "replayed" if tells else None,
            "entries": entries,
            "moments": moments,
            "outcome": _OUTCOME,
            "injected_entry": carrier.entry_id if tells else None,
            "consequential": False,
            "proof": None,
        }
    )


def _moment(
    episode: Episode, moment: Moment, carrier: Carrier, tainted: frozenset[str], arm: Arm, swap: _Swap | None
) -> Moment:
    visible = [entry.id for entry in episode.entries[: moment.visible]]
    if swap is None or carrier.entry_id not in visible:
        return moment.model_copy(update={"label": MomentLabel(known_axes=_AXES)})
    action, used = moment.action, not tainted.isdisjoint(moment.action.depends_on)
    changed = _swapped_action(action, swap) if used else action
    if arm is not Arm.CONTAMINATED:
        return moment.model_copy(update={"action": changed, "label": MomentLabel(known_axes=_AXES)})
    risky = changed != action and action.type != ActionType.READ
    label = MomentLabel(
        axes=_AXES if risky else (),
        decisive_entry=carrier.entry_id,
        tainted=tuple(entry_id for entry_id in visible if entry_id in tainted),
        known_axes=_AXES,
    )
    return moment.model_copy(update={"action": changed, "label": label})


def _swapped(entry: MemoryEntry, swap: _Swap) -> MemoryEntry:
    return entry.revised(content=swap.value(entry.content))


def _swapped_action(action: PendingAction, swap: _Swap) -> PendingAction:
    arguments: Any = swap.value(action.arguments)
    return action.model_copy(update={"arguments": arguments, "content": swap.text(action.content)})


def _is_used(episode: Episode, entry_id: str, figure: str, tainted: frozenset[str]) -> bool:
    """Whether an action that acts, and is taken after the entry, repeats the figure on the entry's account."""
    place = next(number for number, entry in enumerate(episode.entries) if entry.id == entry_id)
    return any(
        moment.visible > place
        and moment.action.type != ActionType.READ
        and not tainted.isdisjoint(moment.action.depends_on)
        and figure in _figures(moment.action.text)
        for moment in episode.moments
    )


def _figures(text: str) -> frozenset[str]:
    spans = [(found.start(), found.start() + len(found.group(0).rstrip(","))) for found in _FIGURE.finditer(text)]
    return frozenset(text[start:end] for start, end in spans if _stands_alone(text, start, end))


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether a figure is a number of its own: no part of a name, code, version, path or quoted secret."""
    before, after = text[max(0, start - 1) : start], text[end : end + 2]
    joined = (before.isalnum() and before.isascii()) or before in tuple("._-/`'\"#")
    return (
        not joined
        and after[:1] not in tuple("_/`'\"")
        and not (after[:1].isascii() and after[:1].isalpha())
        and not (len(after) == 2 and after[0] in ".-" and after[1].isalnum())
    )


def _number(figure: str) -> float:
    return float(figure.replace(",", ""))
