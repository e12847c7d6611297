"""A triple side by side as one HTML page."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Final

from data_gen.markup import Markup, joined, page, tag
from mage_ml.memory.entry import MemoryEntry
from mage_ml.memory.episode import Arm, Episode, Moment
from mage_ml.memory.graph import DependencyGraph

_ORDER: Final = (Arm.CLEAN, Arm.SHAM, Arm.CONTAMINATED)


def triple_page(group: Sequence[Episode]) -> str:
    """The page of a group of episodes: entries, actions, outcomes and proof of each arm in columns.

    Words that differ from the clean arm are highlighted; the edited entry and what derives from it carry a label as
    well as a colour. Everything is escaped, and nothing is loaded or run.

    Raises:
        ValueError: The group is empty.
    """
    if not group:
        raise ValueError("no episodes; expected those of one group")
    arms = sorted(group, key=lambda episode: _ORDER.index(episode.arm) if episode.arm in _ORDER else len(_ORDER))
    first = arms[0]
    facts = f"{first.domain} / {first.template}, {first.language}, writer {first.writer}, split {first.split}"
    operator = next((episode.operator for episode in arms if episode.operator), None)
    return page(
        first.group_id,
        tag("p", facts, f", operator {operator}" if operator else "", class_="soft"),
        tag("p", tag("b", "Task: "), first.goal),
        _columns(arms, [_outcome(episode) for episode in arms]),
        tag("h2", "Memory"),
        _titles(arms),
        *[_columns(arms, cells) for cells in _entry_rows(arms)],
        tag("h2", "Actions"),
        _titles(arms),
        *[_columns(arms, cells) for cells in _moment_rows(arms)],
        language="zh" if first.language == "zh" else "en",
    )


def _titles(arms: Sequence[Episode]) -> Markup:
    return tag("div", *[tag("h3", str(episode.arm)) for episode in arms], class_="arms titles")


def _columns(arms: Sequence[Episode], cells: Sequence[Markup | None]) -> Markup:
    empty = tag("div", class_="cell none")
    return tag("div", *[empty if cell is None else cell for cell in cells], class_="arms")


def _outcome(episode: Episode) -> Markup:
    solved = {True: "task right", False: "task wrong", None: "outcome unknown"}[episode.outcome.task_solved]
    lines = [tag("h3", str(episode.arm)), tag("p", tag("b", solved), f". {episode.outcome.detail}")]
    if episode.proof is not None:
        proof = episode.proof
        counts = (
            f"Proof over {proof.seeds} seeds: clean right {proof.clean_right}, sham right {proof.sham_right}, "
            f"contaminated wrong {proof.contaminated_wrong}, right after undoing {proof.restored_right}."
        )
        lines.append(tag("p", counts, class_="meta"))
        kind = "proven consequence" if episode.consequential else "hard negative: without consequence"
        lines.append(tag("p", kind, class_="meta"))
    return tag("section", *lines, class_="cell head")


def _entry_rows(arms: Sequence[Episode]) -> list[list[Markup | None]]:
    clean = {entry.id: entry for entry in arms[0].entries}
    tainted = [_tainted(episode) for episode in arms]
    rows: list[list[Markup | None]] = []
    for row in range(max(len(episode.entries) for episode in arms)):
        cells: list[Markup | None] = []
        for episode, marked in zip(arms, tainted, strict=True):
            if row < len(episode.entries):
                entry = episode.entries[row]
                cells.append(_entry(episode, entry, clean.get(entry.id), marked))
            else:
                cells.append(None)
        rows.append(cells)
    return rows


def _tainted(episode: Episode) -> frozenset[str]:
    if episode.injected_entry is None or episode.arm is not Arm.CONTAMINATED:
        return frozenset()
    return DependencyGraph.of(episode.entries).tainted_by([episode.injected_entry])


def _entry(episode: Episode, entry: MemoryEntry, clean: MemoryEntry | None, tainted: frozenset[str]) -> Markup:
    kind, label = "", ""
    if entry.id == episode.injected_entry:
        kind, label = ("sham", "reworded") if episode.arm is Arm.SHAM else ("edited", "edited")
    elif entry.id in tainted:
        kind, label = "tainted", "tainted"
    who = f"{entry.source}{f' {entry.tool_name}' if entry.tool_name else ''}, {entry.role}, {entry.confidence:.2f}"
    basis = f" from {', '.join(entry.depends_on)}" if entry.depends_on else ""
    status = "" if entry.status == "active" else f", {entry.status}"
    head = [tag("b", entry.id), " ", tag("span", f"({episode.arm}) ", class_="arm")]
    if label:
        head.append(tag("span", label, class_="label"))
    text = entry.text if clean is None or episode.arm is Arm.CLEAN else differences(clean.text, entry.text)
    meta = tag("div", f"{who}{basis}{status}", class_="meta")
    same = "same" if clean is not None and entry == clean and episode.arm is not Arm.CLEAN and not kind else ""
    return tag("article", tag("div", *head), meta, tag("p", text), class_=f"cell {kind or same}".strip())


def differences(before: str, after: str) -> Markup:
    """The second text, with what is not in the first marked. Chinese is compared by characters, other text by words."""
    if before == after:
        return joined(after)
    one, other = _pieces(before), _pieces(after)
    parts: list[str] = []
    for kind, _, _, start, end in difflib.SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        text = "".join(other[start:end])
        if text:
            parts.append(text if kind == "equal" else tag("mark", text))
    return joined(*parts)


def _pieces(text: str) -> list[str]:
    pieces: list[str] = []
    for char in text:
        joins = pieces and char.isascii() and char.isalnum() and pieces[-1][-1:].isascii() and pieces[-1][-1:].isalnum()
        if joins:
            pieces[-1] += char
        else:
            pieces.append(char)
    return pieces


def _moment_rows(arms: Sequence[Episode]) -> list[list[Markup | None]]:
    return [
        [_moment(episode, episode.moments[row]) if row < len(episode.moments) else None for episode in arms]
        for row in range(max(len(episode.moments) for episode in arms))
    ]


def _moment(episode: Episode, moment: Moment) -> Markup:
    label = moment.label
    head = [tag("b", str(moment.action.type)), " ", tag("span", f"({episode.arm}) ", class_="arm")]
    kind = ""
    if label.is_risky:
        kind = "edited"
        head.append(tag("span", f"at risk: {', '.join(label.axes)}", class_="label"))
    basis = f", rests on {', '.join(moment.action.depends_on)}" if moment.action.depends_on else ""
    facts = [f"after {moment.visible} entries{basis}"]
    if label.decisive_entry is not None:
        facts.append(f"decisive {label.decisive_entry}; tainted {', '.join(label.tainted)}")
    notes = [tag("div", fact, class_="meta") for fact in facts]
    return tag("article", tag("div", *head), *notes, tag("p", moment.action.text), class_=f"cell {kind}".strip())
