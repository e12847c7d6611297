"""Causal quarantine: which conclusions fall with a condemned entry, and which stand on something else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import re2

from mage_ml.memory import DependencyGraph, MemoryEntry, Role, Snapshot, Source
from mage_ml.memory.facts.arithmetic import is_derivable, is_same
from mage_ml.memory.facts.figures import Figure, figures_in
from mage_ml.memory.facts.words import content_words
from mage_ml.runtime.evaluators.rules.reading import identity_of
from mage_ml.runtime.evaluators.rules.scope import is_evidence
from mage_ml.runtime.guardrail.standing import is_backed, is_held

OWN: Final = (Source.LLM_REASONING, Source.AGENT)
_MAX_HOLDERS: Final = 8
_SMALL: Final = 20
_MIN_WORDS: Final = 3
_COMPARISON = re2.compile(
    r"(?i)\b(?:more|less|fewer|most|least|(?:high|low|larg|small|bigg|great|cheap|dear|long|short|earli|near|clos)(?:er|est)"
    r"|best|worst|top|tops|topped|leads?|leading|ahead|behind|above|below|exceed(?:s|ed)?|beats?|outsell?s?|than"
    r"|beyond|within|short of|falls? short|over|under|apart|range|spread|enough|sufficient|insufficient"
    r"|covers?|reach(?:es|ed)|miss(?:es|ed)|met|wins?|won|ranks?|ranked)\b"
    r"|最|高于|低于|多于|少于|大于|小于|早于|晚于|超过|超出|不足|不够|足够|领先|居首|首位|榜首|第一位|末位|落后|胜出"
    r"|[高低多少大小][了出]|欠缺|全距|极差|相差|差额|以内|以外|之内|之外|达到|未达|达标|更[高低多少大小贵早晚长短]|比.{1,20}[高低多少大小贵早晚长短]"
)


def causal_quarantine(snapshot: Snapshot, seeds: Iterable[str]) -> frozenset[str]:
    """The condemned entries and their descendants without independent support.

    Entries from outside (tools, users, documents) do not fall because the step that fetched them was wrong: they have
    an origin of their own. A conclusion stays when a parent that stands holds it up and what stands carries all that
    the conclusion says: it repeats no value that only condemned entries hold, its figures stand elsewhere or follow
    from the parents that stand, and so does any direction it gives. A total that was computed with a condemned figure
    falls, although no entry holds that total; so does a comparison that a condemned figure went into, and a sentence
    that mostly repeats condemned words.

    Args:
        snapshot: Memory, and the action that is about to be taken.
        seeds: Ids of the condemned entries.
    """
    condemned = frozenset(seeds)
    tainted = snapshot.graph.tainted_by(condemned)
    own = _own_words(snapshot, tainted, condemned)
    known = [name for name in tainted | snapshot.graph.ancestors(*tainted) if name in snapshot]
    graph = DependencyGraph.of(
        entry if entry.id in own or entry.id not in tainted else entry.revised(depends_on=())
        for entry in (snapshot.entry(name) for name in sorted(known, key=snapshot.graph.position))
    )
    suspect = set(own)
    verdicts: dict[tuple[str, int], bool] = {}

    def supports(parent: str, child: str) -> bool:
        if snapshot.entry(parent).role is not Role.DATA:
            return False
        suspect.discard(parent)  # only a parent that stands is asked about, and what it says stands with it
        key = (child, len(suspect))
        if key not in verdicts:
            verdicts[key] = _is_carried(snapshot, child, frozenset(suspect))
        return verdicts[key]

    return frozenset(graph.unsupported_without(condemned, supports))


def _own_words(snapshot: Snapshot, tainted: Iterable[str], condemned: frozenset[str]) -> set[str]:
    """The tainted entries that are condemned, concluded by an agent, or a recalled copy of one of these.

    A search of memory comes back as text from outside; what it repeats gains no origin of its own by that.
    """
    own: set[str] = set()
    for name in sorted((name for name in tainted if name in snapshot), key=snapshot.graph.position):
        entry = snapshot.entry(name)
        repeated = (snapshot.entry(parent).text.strip() for parent in entry.depends_on if parent in own)
        if name in condemned or entry.source in OWN or any(text and text in entry.text for text in repeated):
            own.add(name)
    return own


def _is_carried(snapshot: Snapshot, child: str, suspect: frozenset[str]) -> bool:
    """Whether entries outside the suspect set carry what an entry says."""
    return (
        not _condemned_values(snapshot, child, suspect)
        and _figures_stand(snapshot, snapshot.entry(child), suspect)
        and _directions_stand(snapshot, child, suspect)
        and _comparison_stands(snapshot, snapshot.entry(child), suspect)
        and _words_stand(snapshot, snapshot.entry(child), suspect)
    )


def _condemned_values(snapshot: Snapshot, child: str, suspect: frozenset[str]) -> set[str]:
    """Values of an entry that it shares with a suspect parent and that no entry outside the suspect set holds."""
    facts = snapshot.facts
    shared: set[str] = set()
    for parent in snapshot.graph.parents(child):
        if parent in suspect:
            shared |= identity_of(facts, child) & identity_of(facts, parent)
    held = {fact_value for fact_value in shared if _is_held_outside(snapshot, child, fact_value, suspect)}
    return shared - held


def _is_held_outside(snapshot: Snapshot, child: str, value: str, suspect: frozenset[str]) -> bool:
    """Whether a value stands outside the suspect set; a figure that is said of something, about that same thing."""
    stated = [fact for fact in snapshot.facts.facts_of(child) if fact.number is not None and fact.entity]
    about = [fact for fact in stated if f"{fact.number:.10g}" == value]
    if about:
        return all(is_backed(snapshot, fact, suspect) for fact in about)
    return is_held(snapshot, value, suspect)


def _figures_stand(snapshot: Snapshot, entry: MemoryEntry, suspect: frozenset[str]) -> bool:
    """Whether each figure of an entry stands outside the suspect set, or follows from the parents that do."""
    claims = [figure for figure in figures_in(entry.text) if _is_claim(figure)]
    if not claims:
        return True
    parents = [snapshot.entry(name) for name in entry.depends_on if name in snapshot and name not in suspect]
    groups = [figures_in(parent.text) for parent in parents if is_evidence(parent)]
    return all(
        any(is_same(figure, other) for group in groups for other in group)
        or is_derivable(figure, groups)
        or _is_recorded(snapshot, figure, suspect)
        for figure in claims
    )


def _is_claim(figure: Figure) -> bool:
    """Whether a figure says something: bare small counts and years do not."""
    if figure.unit:
        return True
    number = abs(figure.number)
    return number != int(number) or (number >= _SMALL and not 1900 <= number <= 2100)


def _is_recorded(snapshot: Snapshot, figure: Figure, suspect: frozenset[str]) -> bool:
    """Whether a record or a document holds a figure."""
    names = snapshot.facts.entries_with(f"{figure.number:.10g}", first=_MAX_HOLDERS, latest=_MAX_HOLDERS)
    holders = [snapshot.entry(name) for name in names if name in snapshot and name not in suspect]
    return any(
        is_same(figure, other)
        for holder in holders
        if is_evidence(holder) and holder.source not in OWN
        for other in figures_in(holder.text)
    )


def _directions_stand(snapshot: Snapshot, child: str, suspect: frozenset[str]) -> bool:
    """Whether each direction that an entry gives is also given outside the suspect set."""
    return all(
        is_backed(snapshot, fact, suspect)
        for fact in snapshot.facts.facts_of(child)
        if fact.attribute.startswith("direction of ")
    )


def _comparison_stands(snapshot: Snapshot, entry: MemoryEntry, suspect: frozenset[str]) -> bool:
    """Whether an entry compares nothing, or a parent that stands makes the comparison already.

    A ranking names the figure of the first only: the figure that came out too low to be first leaves no trace in it.
    """
    if _COMPARISON.search(entry.text) is None:
        return True
    return any(
        name not in suspect and is_evidence(snapshot.entry(name)) and _COMPARISON.search(snapshot.entry(name).text)
        for name in entry.depends_on
        if name in snapshot and snapshot.entry(name).role is Role.DATA
    )


def _words_stand(snapshot: Snapshot, entry: MemoryEntry, suspect: frozenset[str]) -> bool:
    """Whether an entry does not mostly consist of words that it has from suspect parents alone."""
    parents = [snapshot.entry(name) for name in entry.depends_on if name in snapshot]
    standing = content_words(" ".join([snapshot.goal, *(item.text for item in parents if item.id not in suspect)]))
    tainted = content_words(" ".join(item.text for item in parents if item.id in suspect)) - standing
    words = content_words(entry.text)
    copied = words & tainted
    return len(copied) < _MIN_WORDS or 2 * len(copied) < len(words)
