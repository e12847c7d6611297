"""How certain an entry is: by who said it, and by what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from mage_ml.config import Config
from mage_ml.memory.entry import DEFAULT_CONFIDENCE, MemoryEntry, Source

_Share = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]


class ConfidenceDefaults(Config):
    """Confidence of an entry that states none, by its source."""

    user: _Share = Field(DEFAULT_CONFIDENCE[Source.USER], description="What the user says.")
    tool: _Share = Field(DEFAULT_CONFIDENCE[Source.TOOL], description="What a tool returns.")
    llm_reasoning: _Share = Field(DEFAULT_CONFIDENCE[Source.LLM_REASONING], description="What the agent concludes.")
    agent: _Share = Field(DEFAULT_CONFIDENCE[Source.AGENT], description="What another agent says.")
    system: _Share = Field(DEFAULT_CONFIDENCE[Source.SYSTEM], description="What the host itself sets.")
    retrieved: _Share = Field(DEFAULT_CONFIDENCE[Source.RETRIEVED], description="What was found in documents.")

    def of(self, source: Source) -> float:
        """The default confidence of a source, 0 to 1."""
        return float(getattr(self, source.value))

    def entry(self, **fields: Any) -> MemoryEntry:  # noqa: ANN401 - the fields of MemoryEntry
        """Build an entry; a confidence that is not given is filled in from these defaults.

        Raises:
            ValidationError: The fields do not make a valid entry.
        """
        raw = fields.get("source")
        if fields.get("confidence") is None and raw in {source.value for source in Source}:
            fields["confidence"] = self.of(Source(raw))
        return MemoryEntry.model_validate(fields)


@dataclass(frozen=True, slots=True)
class Certainty:
    """How certain an entry is, given what it rests on.

    Attributes:
        value: 0 to 1; never above the entry's own confidence.
        cause: The entry at the start of the weak chain; the entry itself when its own confidence is the limit.
    """

    value: float
    cause: str


def settle(entry_id: str, confidence: float, support: Iterable[Certainty]) -> Certainty:
    """Certainty of one entry from that of what it rests on: `min(confidence, max over support)`.

    Args:
        entry_id: The entry.
        confidence: What it claims, 0 to 1.
        support: Certainty of what bears it; nothing for records, which rest on the world.
    """
    best = max(support, key=lambda item: item.value, default=None)
    return best if best is not None and best.value < confidence else Certainty(confidence, entry_id)


def propagate(
    entry_ids: Iterable[str], confidence: Callable[[str], float], bearing: Callable[[str], Sequence[str]]
) -> Mapping[str, Certainty]:
    """Certainty of entries, each worked out once.

    `certainty(e) = min(confidence(e), max over p in bearing(e) of certainty(p))`, and `confidence(e)` where nothing
    bears the entry: a conclusion is as certain as its best support, and no more certain than it claims. The maximum
    makes one good source enough; a chain is as weak as its weakest link.

    Args:
        entry_ids: The entries, parents before children. A supporting entry that comes later (a cycle) or is not among
            them counts with its own confidence.
        confidence: The confidence an entry claims.
        bearing: What an entry rests on; nothing for records, which rest on the world.
    """
    found: dict[str, Certainty] = {}

    def known(entry_id: str) -> Certainty:
        return found.get(entry_id) or Certainty(confidence(entry_id), entry_id)

    for entry_id in entry_ids:
        found[entry_id] = settle(entry_id, confidence(entry_id), map(known, bearing(entry_id)))
    return found
