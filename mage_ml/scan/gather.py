"""The traces of a file as text, whole: records that belong together are put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from mage_ml.errors import RecordError
from mage_ml.scan.detect import READERS, Detected
from mage_ml.scan.records import parse_part, read_parts
from mage_ml.scan.refusal import refused
from mage_ml.scan.trace import Layout, Part, RawTrace

Malformed = Callable[[RecordError], None]


def raw_traces(path: Path, detected: Detected, malformed: Malformed) -> Iterator[RawTrace]:
    """The traces of a file in order. Memory holds those that are not complete yet, and no other.

    Args:
        path: The file.
        detected: Its format.
        malformed: Told of records that cannot be read; what it raises ends the reading.

    Raises:
        RecordError: The file itself cannot be read on.
    """
    match detected.layout:
        case Layout.RECORD:
            for part in read_parts(path):
                yield RawTrace(detected.format, str(path), (part,), _place(path, part))
        case Layout.FILE:
            yield from _whole_file(path, detected, malformed)
        case Layout.GROUPED:
            yield from _groups(path, detected, malformed)


def _place(path: Path, part: Part) -> str:
    return f"{path.name}!{part.member}" if part.member else f"{path.name}:{part.line}"


def _whole_file(path: Path, detected: Detected, malformed: Malformed) -> Iterator[RawTrace]:
    kept = []
    for part in read_parts(path):
        try:
            parse_part(part, str(path))
            kept.append(part)
        except RecordError as error:
            malformed(error)
    if kept:
        yield RawTrace(detected.format, str(path), tuple(kept), path.name)


def _groups(path: Path, detected: Detected, malformed: Malformed) -> Iterator[RawTrace]:
    """Read twice: the first time to know how many records each trace has, so that each can be given once complete."""
    left: Counter[str] = Counter()
    for _, keys in _keyed(path, detected, malformed):
        left.update(keys)
    waiting: dict[str, list[Part]] = {}
    for part, keys in _keyed(path, detected, _ignore):
        for key in keys:
            waiting.setdefault(key, []).append(part)
            left[key] -= 1
            if not left[key]:
                yield RawTrace(detected.format, str(path), tuple(waiting.pop(key)), key)


def _keyed(path: Path, detected: Detected, malformed: Malformed) -> Iterator[tuple[Part, tuple[str, ...]]]:
    reader = READERS[detected.format]
    for part in read_parts(path):
        try:
            value = parse_part(part, str(path))
            with refused(str(path), part, detected.format):
                complaint = reader.complaint(value)
                if complaint is not None:
                    raise RecordError(complaint)
                keys = tuple(reader.keys(value))
        except RecordError as error:
            malformed(error)
            continue
        yield part, keys


def _ignore(error: RecordError) -> None:
    """It was reported the first time."""
