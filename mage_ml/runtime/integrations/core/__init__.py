"""What every adapter is built on: messages, verdicts, one session a conversation."""

from mage_ml.runtime.integrations.core.messages import Message, Speaker, ToolRequest, content_keys, tool_key
from mage_ml.runtime.integrations.core.pool import SessionPool
from mage_ml.runtime.integrations.core.session import HAND_OFF_TOOL, AgentSession
from mage_ml.runtime.integrations.core.verdict import (
    Opinion,
    Overseer,
    Point,
    Replacement,
    Step,
    StoppedError,
    Verdict,
)

__all__ = [
    "HAND_OFF_TOOL",
    "AgentSession",
    "Message",
    "Opinion",
    "Overseer",
    "Point",
    "Replacement",
    "SessionPool",
    "Speaker",
    "Step",
    "StoppedError",
    "ToolRequest",
    "Verdict",
    "content_keys",
    "tool_key",
]
