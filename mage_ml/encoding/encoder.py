"""Snapshot -> token ids, features and relations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from mage_ml.encoding.columns import FEATURE_NAMES, MEMORY_COLUMNS, feature_names
from mage_ml.encoding.features import action_features, entry_features, relations
from mage_ml.encoding.selection import MAX_ANCESTORS, select_entries
from mage_ml.encoding.settings import EncodingSettings
from mage_ml.encoding.text import action_text, entry_text
from mage_ml.errors import ArtifactError
from mage_ml.memory import FactConflict, MemoryEntry, Snapshot

MAX_TEXT_CHARS: Final = 20_000
UNKNOWN_SHARE_LIMIT: Final = 0.2
"""Above this share of unknown tokens, the text is in a language or script the tokenizer was not built for."""


@dataclass(frozen=True, slots=True)
class EncodedSnapshot:
    """A snapshot as numbers. Items are pieces of the chosen entries in chain order, then the pending action.

    Attributes:
        entry_ids: Per item, the entry it is a piece of; an empty string for the action, which is last.
        token_ids: Per item, its token ids (at most `max_tokens`).
        features: Shape (items, features), float32.
        relations: Shape (items, items, relations), float32.
        tokens_seen: Tokens in the items.
        tokens_total: Tokens in the chosen entries and the action. Text beyond the first 20,000 characters of an entry
            is not tokenised and counts as one token for four characters.
        language_supported: Whether nearly all tokens are known to the tokenizer.
    """

    entry_ids: tuple[str, ...]
    token_ids: tuple[tuple[int, ...], ...]
    features: npt.NDArray[np.float32]
    relations: npt.NDArray[np.float32]
    tokens_seen: int
    tokens_total: int
    language_supported: bool


class SnapshotEncoder:
    """Encodes snapshots. Keeps no state between calls; safe to share between threads.

    Args:
        tokenizer: The artifact's tokenizer; its own truncation and padding are switched off here.
        settings: Limits and switches.
    """

    def __init__(self, tokenizer: Tokenizer, settings: EncodingSettings) -> None:
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self._tokenizer = tokenizer
        self.settings = settings
        self._start = _special(tokenizer, "[CLS]")
        self._end = _special(tokenizer, "[SEP]")
        self._unknown = _special(tokenizer, "[UNK]")
        self._columns = [FEATURE_NAMES.index(name) for name in feature_names(settings.version)]

    def encode(self, snapshot: Snapshot) -> EncodedSnapshot:
        """Encode one snapshot. The cost does not grow with the length of the chain."""
        settings = self.settings
        selected = select_entries(snapshot, settings.max_entries) if settings.use_history else ()
        texts = [entry_text(entry, use_provenance=settings.use_provenance) for entry in selected]
        tokens = [self._tokenise(text) for text in (*texts, action_text(snapshot.action))]
        action_tokens = tokens.pop()
        pieces, owners = self._pieces(selected, tokens)
        entries_by_item: list[MemoryEntry | None] = [selected[owner] for owner in owners]
        entries_by_item.append(None)
        pieces.append(self._wrap(action_tokens[: settings.max_tokens - 2]))
        everything = [token for text in (*tokens, action_tokens) for token in text]
        unread = sum(max(0, len(text) - MAX_TEXT_CHARS) for text in texts) // 4
        unknown = sum(token == self._unknown for token in everything) / max(1, len(everything))
        return EncodedSnapshot(
            entry_ids=tuple(entry.id if entry else "" for entry in entries_by_item),
            token_ids=tuple(pieces),
            features=self._features(snapshot, selected, owners)[:, self._columns],
            relations=self._relations(snapshot, entries_by_item),
            tokens_seen=sum(len(piece) - 2 for piece in pieces),
            tokens_total=len(everything) + unread,
            language_supported=unknown <= UNKNOWN_SHARE_LIMIT,
        )

    def _tokenise(self, text: str) -> list[int]:
        ids: list[int] = self._tokenizer.encode(text[:MAX_TEXT_CHARS], add_special_tokens=False).ids
        return ids

    def _wrap(self, tokens: Sequence[int]) -> tuple[int, ...]:
        return (self._start, *tokens, self._end)

    def _pieces(
        self, selected: Sequence[MemoryEntry], tokens: Sequence[Sequence[int]]
    ) -> tuple[list[tuple[int, ...]], list[int]]:
        """Cut entries into pieces; when there are too many, the longest entries give up their middle first."""
        width = self.settings.max_tokens - 2
        cuts = [[text[start : start + width] for start in range(0, max(1, len(text)), width)] for text in tokens]
        allowed = [min(len(cut), self.settings.max_pieces_per_entry) for cut in cuts]
        while sum(allowed) > self.settings.max_items - 1:
            longest = max(range(len(allowed)), key=lambda index: (allowed[index], -index))
            if allowed[longest] == 1:
                # More entries than items: the oldest ones of the selection go.
                first = next(index for index, count in enumerate(allowed) if count)
                allowed[first] = 0
            else:
                allowed[longest] -= 1
        pieces: list[tuple[int, ...]] = []
        owners: list[int] = []
        for index, (cut, count) in enumerate(zip(cuts, allowed, strict=True)):
            head = (count + 1) // 2
            kept = cut if count >= len(cut) else cut[:head] + (cut[-(count - head) :] if count > head else [])
            for piece in kept:
                pieces.append(self._wrap(piece))
                owners.append(index)
        return pieces, owners

    def _features(
        self, snapshot: Snapshot, selected: Sequence[MemoryEntry], owners: Sequence[int]
    ) -> npt.NDArray[np.float32]:
        with_support = self.settings.version > 1
        action = action_features(snapshot, with_support=with_support)
        if not self.settings.use_history:
            action[[FEATURE_NAMES.index(name) for name in MEMORY_COLUMNS]] = 0.0
        if not self.settings.use_provenance:
            rows = [np.zeros(len(FEATURE_NAMES), dtype=np.float32) for _ in owners]
            marker = np.zeros(len(FEATURE_NAMES), dtype=np.float32)
            marker[FEATURE_NAMES.index("is_action")] = 1.0
            return np.stack([*rows, marker])
        lineage = frozenset(snapshot.action.depends_on) | snapshot.graph.ancestors(
            *snapshot.action.depends_on, max_nodes=MAX_ANCESTORS
        )
        later: dict[str, list[FactConflict]] = {}
        for entry in selected:
            for conflict in snapshot.facts.conflicts_of(entry.id):
                later.setdefault(conflict.earlier.entry_id, []).append(conflict)
        by_entry = [
            entry_features(snapshot, entry, lineage, later.get(entry.id, ()), with_support=with_support)
            for entry in selected
        ]
        rows, seen = [], dict.fromkeys(owners, 0)
        for owner in owners:
            row = by_entry[owner].copy()
            row[FEATURE_NAMES.index("piece")] = seen[owner] / 4
            row[FEATURE_NAMES.index("pieces")] = owners.count(owner) / 4
            seen[owner] += 1
            rows.append(row)
        return np.stack([*rows, action])

    def _relations(self, snapshot: Snapshot, entries_by_item: Sequence[MemoryEntry | None]) -> npt.NDArray[np.float32]:
        matrix = relations(snapshot, entries_by_item)
        if not self.settings.use_provenance:
            matrix[:] = 0.0
        return matrix


def _special(tokenizer: Tokenizer, token: str) -> int:
    found = tokenizer.token_to_id(token)
    if found is None:
        raise ArtifactError(f"the tokenizer has no {token} token; expected a BERT-style vocabulary")
    return int(found)
