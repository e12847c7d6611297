"""What a decision knows of the run so far."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mage_ml.memory.shadow import ToolCall
from mage_ml.runtime.guardrail.release import Pardon


@dataclass(frozen=True, slots=True)
class RunHistory:
    """What happened earlier in the run, as far as a decision depends on it.

    Attributes:
        attempts: Verification task id -> how often the agent was sent to do it.
        calls: Entry id -> the tool call that returned it.
        repairs: Name of a doubt -> how often an action was held back to repair it.
        pardons: Findings that a person overruled by releasing an entry.
    """

    attempts: Mapping[str, int] = field(default_factory=dict)
    calls: Mapping[str, ToolCall] = field(default_factory=dict)
    repairs: Mapping[str, int] = field(default_factory=dict)
    pardons: frozenset[Pardon] = frozenset()
