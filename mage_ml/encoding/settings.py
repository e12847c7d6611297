"""Limits and switches of the encoding. They travel in the artifact's manifest."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from mage_ml.config import Config


class EncodingSettings(Config):
    """How a snapshot becomes numbers.

    A change to any field, to the feature list or to the text format makes a different model: the manifest carries the
    settings it was trained with, and the runtime uses those.
    """

    version: Annotated[
        Literal[1, 2], Field(description="Version of the feature format: 2 adds what the agent's own words rest on.")
    ] = 2
    max_tokens: Annotated[
        int, Field(ge=8, le=512, description="Tokens in one piece of text, special ones included.")
    ] = 64
    max_pieces_per_entry: Annotated[
        int, Field(ge=1, le=64, description="An entry longer than this many pieces is read at its start and end.")
    ] = 6
    max_entries: Annotated[int, Field(ge=2, le=128, description="Entries read for one decision, chosen by graph.")] = 24
    max_items: Annotated[int, Field(ge=2, le=256, description="Pieces of all entries and the action together.")] = 48
    use_provenance: Annotated[
        bool, Field(description="Give the model source, confidence, dependencies and facts; off only for an ablation.")
    ] = True
    use_history: Annotated[
        bool, Field(description="Give the model the memory, not only the pending action; off only for an ablation.")
    ] = True
