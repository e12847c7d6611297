"""Recorded answers of a model, one a line, found again by a hash of the request: what was asked repeats without it."""

from __future__ import annotations

import hashlib
import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from mage_ml.errors import RecordError
from mage_ml.forking import fork_safe_lock


class ToolRequest(BaseModel):
    """A tool call that a model asks for.

    Attributes:
        tool: Name of the tool, as the model wrote it.
        arguments: Its arguments, as the model wrote them: JSON if all is well.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tool: str
    arguments: str


class Reply(BaseModel):
    """What a model answered.

    Attributes:
        text: What it said.
        calls: The tools it wants to be run.
        is_cut: Whether it was cut off at a length limit.
        tokens_read: Tokens of the request, where the endpoint says so.
        tokens_written: Tokens of the answer, where the endpoint says so.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str = ""
    calls: tuple[ToolRequest, ...] = ()
    is_cut: bool = False
    tokens_read: Annotated[int, Field(ge=0)] | None = None
    tokens_written: Annotated[int, Field(ge=0)] | None = None


class CassetteMode(StrEnum):
    """What a cassette is for."""

    RECORD = "record"
    """Known requests are answered from it, new ones by the model, and kept."""
    REPLAY = "replay"
    """Every request is answered from it."""


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    key: str
    reply: Reply


class Cassette:
    """Answers by request. Safe to share between threads of one process.

    Args:
        path: The file, JSON Lines; made when the first answer is recorded.
        mode: What it is for.

    Raises:
        RecordError: The file cannot be read.
    """

    def __init__(self, path: Path, mode: CassetteMode) -> None:
        self.mode = mode
        self._path = path
        self._known: dict[str, Reply] = {}
        self._lock = fork_safe_lock()
        if mode is CassetteMode.REPLAY and not path.is_file():
            raise RecordError(f"{path}: no such cassette; record one first")
        text = path.read_text(encoding="utf-8").removesuffix("\n") if path.is_file() else ""
        for number, line in enumerate(text.split("\n") if text else (), start=1):
            try:
                found = _Line.model_validate_json(line)
            except ValidationError as error:
                raise RecordError(f"{path.name}: not a recorded answer: {error}", record=number) from error
            self._known[found.key] = found.reply

    def find(self, key: str) -> Reply | None:
        """The recorded answer.

        Raises:
            RecordError: There is none, and there has to be.
        """
        reply = self._known.get(key)
        if reply is None and self.mode is CassetteMode.REPLAY:
            raise RecordError(
                f"{self._path.name}: holds no answer to request {key[:12]}; the task, the prompt or the model differ "
                "from what was recorded: record again"
            )
        return reply

    def keep(self, key: str, reply: Reply) -> None:
        """Record an answer."""
        line = _Line(key=key, reply=reply).model_dump_json(exclude_none=True) + "\n"
        with self._lock, self._path.open("a", encoding="utf-8") as file:
            file.write(line)
            self._known[key] = reply


def key_of(request: dict[str, Any]) -> str:
    """Hash of a request, the same however its fields are ordered."""
    return hashlib.sha256(json.dumps(request, sort_keys=True, ensure_ascii=False).encode()).hexdigest()
