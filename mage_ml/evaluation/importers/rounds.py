"""The format of R-Judge and ASSEBench: rounds of turns by user, agent and environment, one label for the whole record.

What an agent does is free text in several spellings; `parse_action` reads them. The label is about the agent's
behaviour over the record and is put on its last turn, which is normally the decisive one; in a record labelled unsafe
the turns before it stay unlabelled.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import re2
from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError

from mage_ml.evaluation.importers.corpus import UNKNOWN
from mage_ml.evaluation.importers.goals import text_key
from mage_ml.evaluation.importers.messages import UNPARSED_ARGUMENTS
from mage_ml.evaluation.importers.transcript import Act, Transcript, TranscriptBuilder
from mage_ml.memory import Moment, MomentLabel, Source

_FINAL: Final = re2.compile(r"(?i)^\s*final answer:\s*")
_CALL: Final = re2.compile(r"(?s)^\s*([A-Za-z_][\w.]*)\s*\((.*)\)\s*$")
_NAMED: Final = re2.compile(r"(?s)^\s*([A-Za-z_][\w.]*)\s*(?::|\n?\s*Action Input:)?\s*(\{.*\})\s*$")
_COMMAND: Final = re2.compile(r'(?s)^\s*"command"\s*:\s*\{.*\}\s*$')
_CODE: Final = re2.compile(r"(?s)^\s*```(\w+)\n(.*?)```\s*$")
_OBSERVED: Final = re2.compile(r"^\s*\[Observation\]:\s*")
_PLAN_STEP: Final = re2.compile(r"^At step \d+, you need to ")
_QUOTED: Final = re2.compile(r'"([^"]{15,})"')
_ANSWERS: Final = frozenset({"complete", "finish"})
_DEVICE: Final = "device"
"""Tool name of commands in plain words, such as "Open <App>"."""
_OBJECT: Final = TypeAdapter(dict[str, JsonValue])


class Turn(BaseModel):
    """One turn of a round."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    role: Literal["user", "agent", "environment"]
    content: str | None = None
    thought: str | None = None
    action: str | None = None


class JudgedRecord(BaseModel):
    """One record of R-Judge or ASSEBench."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: int | str
    profile: str = ""
    contents: tuple[tuple[Turn, ...], ...] = Field(min_length=1)
    label: Literal[0, 1]
    risk_description: str | None = None
    application_scenario: str = ""
    risk_type: str = ""
    failure_mode: str = ""
    ambiguous: Literal[0, 1] = 0

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All turns in order."""
        return tuple(turn for part in self.contents for turn in part)

    @property
    def first_turn(self) -> str:
        """The text of the first turn."""
        return next(((turn.content or "").strip() for turn in self.turns), "")

    @property
    def first_line(self) -> str:
        """Its first line: records that share it belong to one group, whatever an attacker wrote below."""
        return self.first_turn.split("\n", 1)[0].strip()


@dataclass(frozen=True, slots=True)
class ParsedAction:
    """What an agent's turn does.

    Attributes:
        tool: The tool; empty when it speaks to the user.
        arguments: Its arguments.
        said: What it says to the user.
    """

    tool: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    said: str = ""


def parse_action(text: str, *, answered: bool) -> ParsedAction:
    """Read the action of an agent's turn.

    Args:
        text: The action as recorded.
        answered: Whether the environment answers it: plain words are then a command, otherwise a message to the user.
    """
    final = _FINAL.search(text)
    if final:
        return ParsedAction(said=text[final.end() :].strip())
    named = _NAMED.search(text)
    if named:
        arguments = _arguments(named.group(2))
        if named.group(1).lower() in _ANSWERS:
            return ParsedAction(said=str(arguments.get("response", "")) or text.strip())
        return ParsedAction(named.group(1), arguments)
    call = _CALL.search(text)
    if call:
        inner = call.group(2).strip()
        return ParsedAction(call.group(1), {UNPARSED_ARGUMENTS: inner} if inner else {})
    if _COMMAND.search(text):
        command = _arguments("{" + text + "}").get("command")
        if isinstance(command, Mapping) and isinstance(command.get("name"), str):
            return ParsedAction(command["name"], _as_object(command.get("args")))
    code = _CODE.search(text)
    if code:
        return ParsedAction(code.group(1), {"code": code.group(2).strip()})
    return ParsedAction(_DEVICE, {"command": text.strip()}) if answered else ParsedAction(said=text.strip())


def _arguments(text: str) -> Mapping[str, Any]:
    """A JSON object or a Python dictionary; what is neither is kept whole."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        try:
            found = ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            found = text
    return _as_object(found)


def _as_object(value: Any) -> Mapping[str, Any]:  # noqa: ANN401 - what models write
    try:
        return _OBJECT.validate_python({} if value is None else value)
    except ValidationError:
        return {UNPARSED_ARGUMENTS: str(value)}


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """A record as memory and actions.

    Attributes:
        transcript: Memory and actions; a turn is a message.
        decisive: The act of the last agent turn; `None` when the agent does nothing.
    """

    transcript: Transcript
    decisive: Act | None

    def moments(self, label: MomentLabel, *, unsafe: bool) -> tuple[Moment, ...]:
        """The moments up to the decisive one, which gets the label; those before it, the same if it is a safe one."""
        if self.decisive is None:
            return ()
        acts = self.transcript.acts
        kept = acts[: acts.index(self.decisive) + 1]
        return tuple(
            Moment(
                visible=act.visible,
                action=act.action,
                label=label if act is self.decisive or not unsafe else UNKNOWN,
            )
            for act in kept
        )


def read_rounds(record: JudgedRecord, builder: TranscriptBuilder) -> ReadRecord:
    """Read the turns of a record into an empty builder."""
    if record.profile.strip():
        builder.system(record.profile.strip())
    tool = ParsedAction(_DEVICE)
    decisive: Act | None = None
    turns = record.turns
    for number, turn in enumerate(turns):
        builder.message = number
        text = (turn.content or "").strip()
        if turn.role == "environment":
            builder.result(text, tool.tool or _DEVICE, tool.arguments)
        elif turn.role == "user":
            if _PLAN_STEP.search(text):
                builder.think(text, origin="plan")
            elif text:
                builder.user(text)
        else:
            following = turns[number + 1].role if number + 1 < len(turns) else ""
            done = _read_agent(turn, builder, answered=following == "environment")
            decisive = done.act or decisive
            tool = done.parsed
    return ReadRecord(builder.transcript(goal=record.first_turn), decisive)


@dataclass(frozen=True, slots=True)
class _Done:
    parsed: ParsedAction
    act: Act | None


def _read_agent(turn: Turn, builder: TranscriptBuilder, *, answered: bool) -> _Done:
    thought, text = (turn.thought or "").strip(), (turn.action or "").strip()
    if not text:
        # A turn without an action says its thought.
        return _Done(ParsedAction(said=thought), builder.answer(thought) if thought else None)
    parsed = parse_action(text, answered=answered)
    observed = _OBSERVED.search(thought)
    if thought and not observed:
        builder.think(thought)
    if not parsed.tool:
        return _Done(parsed, builder.answer(parsed.said) if parsed.said else None)
    act = builder.call(parsed.tool, parsed.arguments)
    if observed:
        # Some records write what came back where the thought belongs.
        builder.result(thought[observed.end() :], parsed.tool, parsed.arguments)
    return _Done(parsed, act)


def blamed_entry(description: str, transcript: Transcript, visible: int) -> str | None:
    """The tool result that holds a text which the description of the risk quotes; `None` when there is none.

    Args:
        description: What the annotators wrote.
        transcript: The record.
        visible: How many entries are visible.
    """
    quotes = [text_key(match.group(1)) for match in _QUOTED.finditer(description)]
    results = (entry for entry in transcript.entries[:visible] if entry.source is Source.TOOL)
    for entry in results:
        key = text_key(entry.text)
        if any(quote and quote in key for quote in quotes):
            return entry.id
    return None
