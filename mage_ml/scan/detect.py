"""Which format a file is in, told from what stands in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from mage_ml.errors import RecordError
from mage_ml.scan.readers.anthropic import AnthropicReader
from mage_ml.scan.readers.benchmarks import AgentDojoReader, SentinelReader, TauBenchReader
from mage_ml.scan.readers.inspect_log import InspectReader
from mage_ml.scan.readers.langchain import LangChainReader
from mage_ml.scan.readers.langsmith import LangSmithReader
from mage_ml.scan.readers.openai_chat import OpenAIChatReader
from mage_ml.scan.readers.openai_responses import OpenAIResponsesReader
from mage_ml.scan.readers.otel import OTelReader
from mage_ml.scan.records import parse_part, read_parts
from mage_ml.scan.trace import Layout, TraceFormat, TraceReader

LOOKED_AT: Final = 20
"""Records of a file that are looked at."""
# The most particular first: what they demand, the later ones do not.
_ALL: Final[tuple[TraceReader, ...]] = (
    InspectReader(),
    OTelReader(),
    LangSmithReader(),
    SentinelReader(),
    TauBenchReader(),
    AgentDojoReader(),
    LangChainReader(),
    OpenAIResponsesReader(),
    AnthropicReader(),
    OpenAIChatReader(),
)
READERS: Final[Mapping[TraceFormat, TraceReader]] = MappingProxyType({reader.format: reader for reader in _ALL})


@dataclass(frozen=True, slots=True)
class Detected:
    """The format of a file.

    Attributes:
        format: Its format.
        layout: How its records make up traces.
    """

    format: TraceFormat
    layout: Layout


def detect(path: Path, wanted: TraceFormat | None = None) -> Detected:
    """Tell a file's format from its first records.

    Args:
        path: The file.
        wanted: The format it is said to have; then only the layout is told from the content.

    Raises:
        RecordError: No format fits; it says for each why not. Or the file cannot be read.
    """
    values = list(islice(_values(path), LOOKED_AT))
    if not values:
        raise RecordError(f"{path}: the file is empty")
    if wanted is not None:
        return _laid_out(READERS[wanted], values)
    for reader in _ALL:
        if any(reader.complaint(value) is None for value in values):
            return _laid_out(reader, values)
    tried = "\n".join(f"  {reader.format}: {reader.complaint(values[0])}" for reader in _ALL)
    raise RecordError(f"{path}: no known trace format; tried:\n{tried}\nName the format with --format if it is one.")


def _values(path: Path) -> Iterator[Any]:
    """The values that can be read; what cannot is reported when its turn comes."""
    first: RecordError | None = None
    found = False
    parts = read_parts(path)
    while True:
        try:
            part = next(parts, None)
            if part is None:
                break
            value = parse_part(part, str(path))
        except RecordError as error:
            first = first or error
            continue  # a file that cannot be read on has no next part
        found = True
        yield value
    if not found and first is not None:
        raise first


def _laid_out(reader: TraceReader, values: Sequence[Any]) -> Detected:
    fitting = next((value for value in values if reader.complaint(value) is None), values[0])
    return Detected(reader.format, reader.layout(fitting))
