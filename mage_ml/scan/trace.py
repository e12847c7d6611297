"""A recorded run on its way from a file to a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from mage_ml.evaluation.importers.transcript import Transcript
from mage_ml.memory.dependencies import ValueCache

Step = str | int


class TraceFormat(StrEnum):
    """The formats that are read."""

    INSPECT = "inspect"
    OTEL = "otel"
    LANGSMITH = "langsmith"
    SENTINEL = "sentinel"
    TAU_BENCH = "tau-bench"
    AGENTDOJO = "agentdojo"
    LANGCHAIN = "langchain"
    OPENAI_RESPONSES = "openai-responses"
    ANTHROPIC = "anthropic"
    OPENAI_CHAT = "openai-chat"


class Layout(StrEnum):
    """How a file's records make up traces."""

    RECORD = "record"
    """Each record holds whole traces."""
    FILE = "file"
    """The records are the messages of one trace."""
    GROUPED = "grouped"
    """The records belong to traces that they name, in any order."""


@dataclass(frozen=True, slots=True)
class Part:
    """One JSON value as it stands in a file.

    Attributes:
        text: The value.
        line: Line of its first character, from 1.
        member: File inside an archive.
    """

    text: str
    line: int
    member: str = ""


@dataclass(frozen=True, slots=True)
class RawTrace:
    """The text of one trace, or of a record that holds several.

    Attributes:
        format: What it is: a format, or a corpus.
        path: The file; the run's name in a corpus.
        parts: Its records in the order of the file.
        key: Which trace is meant, where the records hold others, too.
    """

    format: str
    path: str
    parts: tuple[Part, ...]
    key: str = ""


@dataclass(frozen=True, slots=True)
class Pointer:
    """A place in a raw trace.

    Attributes:
        part: Which part, from 0.
        steps: Keys and indices from the part's top.
    """

    part: int = 0
    steps: tuple[Step, ...] = ()

    def inside(self, *steps: Step) -> Pointer:
        """A place below this one."""
        return Pointer(self.part, (*self.steps, *steps))

    @property
    def text(self) -> str:
        """The steps as a path: `messages[3].content`."""
        parts = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.steps]
        return "".join(parts).removeprefix(".")


@dataclass(frozen=True, slots=True)
class Trace:
    """A recorded run as memory and actions.

    Attributes:
        trace_id: Its own name, or file and line.
        transcript: Entries and actions.
        pointers: Where each message stands, by its position in the transcript.
        outcome: How it ended, in the words of its source; empty when unknown.
    """

    trace_id: str
    transcript: Transcript
    pointers: tuple[Pointer, ...]
    outcome: str = ""


class TraceReader(Protocol):
    """Reads one format."""

    format: TraceFormat

    def complaint(self, value: Any) -> str | None:  # noqa: ANN401 - arbitrary JSON
        """Why a record is not of this format, as a phrase; `None` when it is."""

    def layout(self, value: Any) -> Layout:  # noqa: ANN401 - arbitrary JSON
        """How a file whose records look like this makes up traces."""

    def keys(self, value: Any) -> Sequence[str]:  # noqa: ANN401 - arbitrary JSON
        """The traces that a record of a grouped file belongs to."""

    def read(self, raw: RawTrace, parts: Sequence[Any], values: ValueCache) -> Iterator[Trace]:
        """The traces of a raw trace.

        Args:
            raw: What is read.
            parts: Its parts, parsed.
            values: Remembers the values of texts between traces.

        Raises:
            RecordError: The record is not what the format says.
            ValidationError: A text is longer than memory takes.
        """


class RecordReader:
    """Base of the readers of formats in which each record is a trace."""

    def layout(self, value: Any) -> Layout:  # noqa: ANN401 - the same for all
        """Each record is a trace."""
        return Layout.RECORD

    def keys(self, value: Any) -> Sequence[str]:  # noqa: ANN401 - not grouped
        """No groups."""
        return ()


def lookup(value: Any, steps: Sequence[Step]) -> Any:  # noqa: ANN401 - arbitrary JSON
    """The value at a place, or `None`."""
    for step in steps:
        if isinstance(value, Mapping) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def first_list(value: Any, places: Sequence[tuple[Step, ...]]) -> tuple[Step, ...] | None:  # noqa: ANN401
    """The first of some places at which a list stands."""
    return next((place for place in places if isinstance(lookup(value, place), list)), None)
