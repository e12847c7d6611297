"""Logs of agent teams as Who&When and AgentRx publish them: a list of messages with a speaker each.

Each message of an agent is an action that is judged with what was said before, and from then on an entry that the
others read: a thought (role `X (thought)`), otherwise a message to the team; the last message is the final output. What
a terminal prints is a tool result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import re2
from pydantic import BaseModel, ConfigDict

from mage_ml.evaluation.importers.transcript import Transcript, TranscriptBuilder
from mage_ml.memory import ActionType, PendingAction, Source

SEND: Final = "send_message"
"""Tool name of a message to another agent."""
EXECUTORS: Final = frozenset({"Computer_terminal", "ComputerTerminal"})
"""Speakers that run code and print what came out."""
_ROLE: Final = re2.compile(r"^(.*?) \((?:-> )?(.*)\)$")
_TEAM: Final = "team"
_PEOPLE: Final = frozenset({"human", "user_proxy"})


class TeamMessage(BaseModel):
    """One message of a log."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    content: str
    role: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who says a message to whom.

    Attributes:
        agent: The agent; empty for the person who asks.
        target: The agent that is spoken to, or the whole team.
        thinks: Whether it is a thought.
    """

    agent: str
    target: str = _TEAM
    thinks: bool = False


def speaker_of(message: TeamMessage) -> Speaker:
    """Who says a message: by name where there is one, else by role."""
    if message.name:
        return Speaker(message.name)
    if message.role in _PEOPLE:
        return Speaker("")
    found = _ROLE.search(message.role)
    if not found:
        return Speaker(message.role)
    is_message = "(-> " in message.role
    return Speaker(found.group(1), found.group(2) if is_message else _TEAM, not is_message)


def read_team_log(messages: Sequence[TeamMessage], goal: str, builder: TranscriptBuilder) -> Transcript:
    """Read a log into an empty builder; the position of a message is its number, from 0.

    Args:
        messages: The log.
        goal: The question; it becomes the first entry when the log does not begin with it.
        builder: An empty builder.
    """
    if not messages or speaker_of(messages[0]).agent:
        builder.message = -1
        builder.user(goal)
    for number, message in enumerate(messages):
        builder.message = number
        speaker, text = speaker_of(message), message.content.strip()
        if not speaker.agent:
            builder.user(text)
            continue
        if speaker.agent in EXECUTORS:
            builder.result(text, speaker.agent, {})
            continue
        if number == len(messages) - 1:
            action = PendingAction(type=ActionType.FINAL_OUTPUT, content=text, agent_id=speaker.agent)
        elif speaker.thinks:
            action = PendingAction(type=ActionType.INTERNAL_REASONING, content=text, agent_id=speaker.agent)
        else:
            sent = {"to": speaker.target, "content": text}
            action = PendingAction(type=ActionType.WRITE, tool_name=SEND, arguments=sent, agent_id=speaker.agent)
        act = builder.act(action)
        source = Source.LLM_REASONING if speaker.thinks else Source.AGENT
        builder.add(text, source, origin=speaker.agent, agent_id=speaker.agent, depends_on=act.action.depends_on)
    return builder.transcript(goal=goal)
