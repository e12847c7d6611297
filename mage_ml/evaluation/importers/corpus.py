"""What an importer is, and what is known about a corpus before it is read."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final, Protocol

from mage_ml.memory import Episode, MomentLabel, Split
from mage_ml.memory.corpora import may_train
from mage_ml.progress import Progress
from mage_ml.risk import RiskAxis

_HAN_SHARE: Final = 0.2


class Licence(StrEnum):
    """Under which terms a corpus is published."""

    MIT = "MIT"
    APACHE = "Apache-2.0"
    CC_BY = "CC BY 4.0"
    NONE_STATED = "none stated"


@dataclass(slots=True)
class ImportCount:
    """What an import met.

    Attributes:
        records: Records read, those left out included.
        left_out: Records that became no episode, by reason.
    """

    records: int = 0
    left_out: Counter[str] = field(default_factory=Counter)


class CorpusImporter(Protocol):
    """Reads the files of a corpus as labelled episodes."""

    def __call__(self, path: Path, count: ImportCount, progress: Progress) -> Iterator[Episode]:
        """Yield the episodes in the order of the files.

        Args:
            path: A published file or the folder that holds them.
            count: Counts as records pass.
            progress: Told how many files are done.

        Raises:
            RecordError: A record is not what the corpus publishes; file and line are named.
        """


@dataclass(frozen=True, slots=True)
class CorpusInfo:
    """What is known about a corpus.

    Attributes:
        name: Its name on the command line and in `Episode.corpus`.
        title: Its name in print.
        licence: Under which terms it is published.
        record_counts: How many records there are to be, whole or in a known part; an import that finds another number
            is refused unless told otherwise.
        label: What a label means.
        axes: The axes that labels speak about.
        split_key: What the records of one group share; groups never straddle a split.
        protocol: How it is to be used in a benchmark, in a line.
        reader: Reads it.
        reworded: Reads it with every injected text in other words, so that a model cannot learn the recorded wording;
            `None` where that cannot be done.
    """

    name: str
    title: str
    licence: Licence
    record_counts: tuple[int, ...]
    label: str
    axes: tuple[RiskAxis, ...]
    split_key: str
    protocol: str
    reader: CorpusImporter
    reworded: CorpusImporter | None = None

    @property
    def may_train(self) -> bool:
        """Whether a model that is given to others may learn from it; enforced by `mage_ml.memory.corpora`."""
        return may_train(self.name)


def safe(*axes: RiskAxis) -> MomentLabel:
    """Nothing is wrong on these axes; about the others nothing is known."""
    return MomentLabel(known_axes=axes)


UNKNOWN = MomentLabel(known_axes=())
"""Nothing is known."""


def risky(
    *axes: RiskAxis,
    entry: str | None = None,
    tainted: Iterable[str] = (),
    known: Iterable[RiskAxis] | None = None,
) -> MomentLabel:
    """The action is at risk on these axes.

    Args:
        axes: The axes.
        entry: The contaminated entry.
        tainted: Further entries derived from it.
        known: The axes the label speaks about; the risky ones when not given.
    """
    together = dict.fromkeys((*(() if entry is None else (entry,)), *tainted))
    return MomentLabel(
        axes=axes, decisive_entry=entry, tainted=tuple(together), known_axes=tuple(axes if known is None else known)
    )


def text_group(name: str, text: str) -> str:
    """A group of all records that begin with the same text, of whatever corpus: letter case and spacing aside."""
    folded = " ".join(text.casefold().split())
    return f"{name}/{hashlib.sha256(folded.encode('utf-8', 'replace')).hexdigest()[:16]}"


@dataclass(frozen=True, slots=True)
class SplitShares:
    """Shares of the groups that go to validation and test; the rest is for training."""

    validation: float = 0.15
    test: float = 0.15


def split_of(group_id: str, shares: SplitShares) -> Split:
    """The split of a group: by its name alone, so that corpora that share groups agree on it."""
    digest = hashlib.sha256(f"split:{group_id}".encode()).digest()
    place = int.from_bytes(digest[:8], "big") / 2**64
    if place < shares.test:
        return Split.TEST
    return Split.VALIDATION if place < shares.test + shares.validation else Split.TRAIN


def language_of(text: str) -> str:
    """`zh` when Chinese characters make up a fifth of a text or more, else `en`.

    A Chinese text has fewer characters than an English one that says the same.
    """
    han = sum("一" <= letter <= "鿿" for letter in text)
    return "zh" if text and han >= _HAN_SHARE * len(text) else "en"
