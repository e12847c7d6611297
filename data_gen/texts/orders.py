"""How agents understand orders that they meet in texts of third parties.

The grammar of a domain's orders and its `OrderReader` draw on the same words, so that an agent understands what the
grammar can say: requests that name another person or group, and quotations, are not for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

import re2

from data_gen.texts import lexicon, names
from mage_ml.memory.entry import MemoryEntry, Source

ADDRESS_PATTERN: Final = r"[A-Za-z0-9._%+\-]+@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)+"
PATH_PATTERN: Final = r"[A-Za-z0-9_\-]+(?:/[A-Za-z0-9_\-]+)+\.(?:txt|md|csv)"
ADDRESS: Final = re2.compile(ADDRESS_PATTERN)
_FREE_TEXT_CHARS: Final = 16
_BREAKS: Final = ("。", "；", "; ", ". ", "！", "？", "! ", "? ")


@dataclass(frozen=True, slots=True)
class OrderCue:
    """How one kind of order is recognised in a sentence.

    Attributes:
        kind: The kind.
        cues: Words of which one has to be there; none are needed if empty.
        value: Pattern of the value that it must name; empty for orders without one.
    """

    kind: str
    cues: tuple[str, ...] = ()
    value: str = ""


@dataclass(frozen=True, slots=True)
class Order:
    """An order understood from a text.

    Attributes:
        kind: What it asks for.
        value: The address, path or the like that it names; empty where there is none.
        entry_id: Where it was read.
        explained_by: Where the name that it uses for the value was explained; empty for a value in full.
    """

    kind: str
    value: str
    entry_id: str
    explained_by: str = ""

    @property
    def entries(self) -> tuple[str, ...]:
        """The entries that it takes to understand the order."""
        return (self.entry_id, self.explained_by) if self.explained_by else (self.entry_id,)


@dataclass(frozen=True)
class OrderReader:
    """Reads orders of one domain in one language.

    Attributes:
        language: `en` or `zh`.
        objects: Words of which one has to be there: what the agent handles.
        cues: The kinds of order; the first that fits a sentence counts.
        alias_value: Pattern of what an alias can stand for; empty if the agent knows no aliases.
    """

    language: str
    objects: tuple[str, ...]
    cues: tuple[OrderCue, ...]
    alias_value: str = ""
    _patterns: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def read(self, entries: Sequence[MemoryEntry]) -> list[Order]:
        """The orders that the agent takes texts of third parties among some entries to give to itself."""
        texts = [(entry, free_text(entry)) for entry in entries if entry.source in (Source.RETRIEVED, Source.TOOL)]
        aliases = dict(self._aliases(texts)) if self.alias_value else {}
        found = []
        for entry, text in texts:
            for sentence in _addressed(text, self.language, self.objects):
                order = self._order(sentence, entry.id, aliases)
                if order is not None:
                    found.append(order)
        return found

    def _order(self, sentence: str, entry_id: str, aliases: dict[str, Order]) -> Order | None:
        folded = sentence.lower()
        for cue in self.cues:
            if cue.cues and not _has(folded, cue.cues):
                continue
            if not cue.value:
                return Order(cue.kind, "", entry_id)
            match = self._pattern(cue.value).search(sentence)
            if match:
                return Order(cue.kind, match.group(0), entry_id)
            if cue.value == self.alias_value:
                for name, meaning in aliases.items():
                    if name in folded:
                        return Order(cue.kind, meaning.value, entry_id, meaning.entry_id)
        return None

    def _aliases(self, texts: Iterable[tuple[MemoryEntry, str]]) -> Iterable[tuple[str, Order]]:
        for entry, text in texts:
            for sentence in _explaining(text, self.language):
                match = self._pattern(self.alias_value).search(sentence)
                for name in lexicon.ALIASES[self.language] if match else ():
                    if name in sentence.lower():
                        yield name, Order("alias", match.group(0), entry.id)

    def _pattern(self, pattern: str) -> Any:  # noqa: ANN401 - re2 ships no types
        if pattern not in self._patterns:
            self._patterns[pattern] = re2.compile(pattern)
        return self._patterns[pattern]


@lru_cache(maxsize=8192)
def _addressed(text: str, language: str, objects: tuple[str, ...]) -> tuple[str, ...]:
    """The sentences of a text that an agent could take to be addressed to itself."""
    return tuple(
        sentence
        for sentence in sentences(text)
        if _has(sentence.lower(), objects)
        and not any(mark in sentence for mark in lexicon.QUOTE_MARKS)
        and not names.names_a_person(sentence, language)
        and not _has(sentence.lower(), lexicon.GROUPS[language])
        and not _has(sentence.lower(), lexicon.ALIAS_CUES[language])
    )


@lru_cache(maxsize=8192)
def _explaining(text: str, language: str) -> tuple[str, ...]:
    """The sentences of a text that say what a name stands for."""
    return tuple(s for s in sentences(text) if _has(s.lower(), lexicon.ALIAS_CUES[language]))


@lru_cache(maxsize=8192)
def sentences(text: str) -> tuple[str, ...]:
    """The sentences and lines of a text."""
    for mark in _BREAKS:
        text = text.replace(mark, "\n")
    return tuple(line.strip() for line in text.split("\n") if line.strip())


def free_text(entry: MemoryEntry) -> str:
    """The text of an entry, or the longer texts in its record."""
    if isinstance(entry.content, str):
        return entry.content
    values = entry.content.values() if isinstance(entry.content, dict) else ()
    return "\n".join(value for value in values if isinstance(value, str) and len(value) > _FREE_TEXT_CHARS)


def _has(text: str, words: tuple[str, ...]) -> bool:
    return any(word in text for word in words)
