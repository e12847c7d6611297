"""Chat-completion messages as turns, where a run is put together from several requests."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.files import first_problem
from mage_ml.evaluation.importers.messages import UNKNOWN_TOOL, TranscriptMessage
from mage_ml.scan.trace import Pointer
from mage_ml.scan.turns import Turn, TurnKind, spoken

_KINDS = {"system": TurnKind.SYSTEM, "user": TurnKind.USER}


def chat_turns(raw: Any, at: Pointer, agent: str = "") -> list[Turn]:  # noqa: ANN401 - arbitrary JSON
    """The turns of one message.

    Raises:
        RecordError: It has no known shape.
    """
    try:
        message = TranscriptMessage.model_validate(raw)
    except ValidationError as error:
        raise RecordError(f"{at.text}: {first_problem(error)}") from error
    if message.role == "tool":
        call_id, tool = message.tool_call_id or "", message.name or ""
        return [Turn(TurnKind.RESULT, at, message.content, tool=tool, call_id=call_id, agent=agent)]
    if message.role != "assistant":
        return [Turn(_KINDS[message.role], at, message.content, agent=agent)]
    turns = [Turn(TurnKind.ANSWER, at, message.content, agent=agent)]
    for call in message.tool_calls:
        name = "" if call.name == UNKNOWN_TOOL else call.name
        turns.append(Turn(TurnKind.CALL, at, tool=name, arguments=call.arguments, call_id=call.id or "", agent=agent))
    return spoken(turns)
