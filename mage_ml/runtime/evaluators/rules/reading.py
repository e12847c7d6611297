"""What rules need to know of one entry, worked out once and kept in a bounded cache."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

import re2

from mage_ml.forking import fork_safe_lock
from mage_ml.lazy import lazy_property
from mage_ml.memory import MemoryEntry, Source
from mage_ml.memory.facts import FactIndex
from mage_ml.memory.facts.figures import Figure, figures_in
from mage_ml.memory.facts.words import content_words
from mage_ml.runtime.evaluators.languages import is_supported
from mage_ml.runtime.evaluators.normalise import normalised
from mage_ml.runtime.evaluators.rules.computed import Equation, Statement, equations_in, statements_in
from mage_ml.runtime.evaluators.rules.echo_words import ClaimedSources, claimed_sources, is_copy, says_confirmed
from mage_ml.runtime.evaluators.rules.likeness import keys_of, shingles_of
from mage_ml.runtime.evaluators.rules.orders import Order, find_orders
from mage_ml.runtime.evaluators.rules.restated import Restatement, restatements_in
from mage_ml.runtime.evaluators.rules.source_words import Claim, source_claims

MAX_CACHED: Final = 8192
MAX_CAUSE_CHARS: Final = 8_000

_HEDGE = re2.compile(
    r"(?i)\b(?:maybe|perhaps|possibly|probably|might|could be|guess|guessing|assum\w+|estimat\w+|unverified"
    r"|unconfirmed|not sure|unclear"
    r"|hypothes\w+|suspect\w*|likely|i think|seems?)\b|可能|也许|大概|猜测|估计|假设|推测|未经核实|未核实"
    r"|不确定|似乎|疑似|初步"
)
_CAUSE = re2.compile(
    r"(?i)\b(?:because(?: of)?|down to|the reason is|due to|caused by|owing to|thanks to|driven by"
    r"|as a result of|on account of"
    r"|attributed to|stems from"
    r"|explained by|reflects)\s+([^.;!?\n]{8,160})"
    r"|(?:由于|因为|源于|缘于|起因是|起因于|归因于|归结于|得益于|受)([^。；！？，,\n]{4,60})|(?:原因是"
    r"|原因在于|主因是)([^。；！？\n]{4,60})"
)
OUTSIDE: Final = frozenset({Source.TOOL, Source.USER, Source.SYSTEM, Source.RETRIEVED})
"""Sources that bring something in from outside the agent's own head."""


@dataclass(frozen=True, slots=True)
class Cause:
    """A reason given for something: its content words and its place in the text."""

    words: frozenset[str]
    span: tuple[int, int]


class EntryReading:
    """One entry, read. Each part is worked out when it is first asked for."""

    def __init__(self, entry: MemoryEntry) -> None:
        self.entry = entry
        self.identity: frozenset[str] | None = None

    @lazy_property
    def text(self) -> str:
        """The entry's text."""
        return self.entry.text

    @lazy_property
    def plain(self) -> str:
        """The text with disguises undone, in lower case."""
        return normalised(self.text).lower()

    @lazy_property
    def language_supported(self) -> bool:
        """Whether the text is in languages that the rules were built for."""
        return is_supported(self.plain)

    @lazy_property
    def orders(self) -> tuple[Order, ...]:
        """Orders in the text."""
        return find_orders(self.text)

    @lazy_property
    def figures(self) -> tuple[Figure, ...]:
        """Numbers in the text, at most 80."""
        return figures_in(self.text)

    @lazy_property
    def words(self) -> frozenset[str]:
        """Content words of the text."""
        return content_words(self.text)

    @lazy_property
    def causes(self) -> tuple[Cause, ...]:
        """Reasons that the text gives for something."""
        found = []
        for match in _CAUSE.finditer(self.text[:MAX_CAUSE_CHARS]):
            group = next(number for number in (1, 2, 3) if match.group(number))
            found.append(Cause(content_words(match.group(group)), match.span(group)))
        return tuple(found)

    @lazy_property
    def shingles(self) -> frozenset[int]:
        """Hashes of its runs of three words; see `likeness`."""
        return shingles_of(self.text)

    @lazy_property
    def echo_keys(self) -> tuple[int, ...]:
        """Hashes by which nearly equal texts are found; see `likeness`."""
        return keys_of(self.shingles)

    @lazy_property
    def claimed_sources(self) -> ClaimedSources | None:
        """The independent sources it claims."""
        return claimed_sources(self.text)

    @lazy_property
    def says_confirmed(self) -> bool:
        """Whether it calls what it says confirmed."""
        return says_confirmed(self.text)

    @lazy_property
    def is_copy(self) -> bool:
        """Whether it says that it was taken over from elsewhere."""
        return is_copy(self.text)

    @lazy_property
    def source_claims(self) -> tuple[Claim, ...]:
        """Places where the text says where it comes from."""
        return source_claims(self.text)

    @lazy_property
    def restatements(self) -> tuple[Restatement, ...]:
        """Places where the text says what the task is."""
        return restatements_in(self.text)

    @lazy_property
    def equations(self) -> tuple[Equation, ...]:
        """Equations that the text writes out."""
        return equations_in(self.text)

    @lazy_property
    def computed(self) -> tuple[Statement, ...]:
        """Sentences that give figures as computed."""
        return statements_in(self.text)

    @lazy_property
    def hedged(self) -> bool:
        """Whether it says of itself that it is not certain."""
        return bool(_HEDGE.search(self.text))


class ReadingCache:
    """Readings of the latest entries, at most 8,192. Safe to share between threads.

    Entries are immutable, so a reading belongs to the entry object; a revised entry is another object.
    """

    def __init__(self, max_entries: int = MAX_CACHED) -> None:
        self._max = max_entries
        self._known: OrderedDict[int, EntryReading] = OrderedDict()
        self._lock = fork_safe_lock()

    def of(self, entry: MemoryEntry) -> EntryReading:
        """The reading of an entry."""
        reading = self._known.get(id(entry))
        if reading is not None and reading.entry is entry:
            return reading
        reading = EntryReading(entry)  # holds the entry, so that its id() is not used again while it is cached
        with self._lock:
            self._known[id(entry)] = reading
            while len(self._known) > self._max:
                self._known.popitem(last=False)
        return reading

    def __len__(self) -> int:
        return len(self._known)


def identity_of(facts: FactIndex, entry_id: str) -> frozenset[str]:
    """What ties an entry to others: its identifying values and the values of its facts."""
    numbers = (f"{fact.number:.10g}" for fact in facts.facts_of(entry_id) if fact.number is not None)
    return facts.values_of(entry_id) | frozenset(numbers)
