"""Published data files: JSON, JSON Lines and CSV, plain or gzipped; every error names file and line."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from mage_ml.errors import RecordError

GZIP: Final = ".gz"
_LARGEST_CSV_FIELD: Final = 10_000_000
_Model = TypeVar("_Model", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class RecordAt:
    """A record and the place it was read from.

    Attributes:
        fields: The record.
        path: The file.
        number: Its line, or its number in a list, from 1.
        recorded_as: Path of the original file, where several were joined into one as `{"path", "run"}` lines.
    """

    fields: Mapping[str, Any]
    path: Path
    number: int
    recorded_as: str = ""

    @property
    def place(self) -> str:
        """File and line for messages."""
        return f"{self.path}:{self.number}"

    def as_model(self, model: type[_Model], what: str) -> _Model:
        """The record as a typed one.

        Args:
            model: The type.
            what: What it should be, for the error: "a StepShield run".

        Raises:
            RecordError: It is not; file, line and field are named.
        """
        try:
            return model.model_validate(self.fields)
        except ValidationError as error:
            raise RecordError(f"{self.place}: not {what}: {first_problem(error)}") from error


def first_problem(error: ValidationError) -> str:
    """The first complaint of a validation in one line."""
    first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"]) or "record"
    return f"{field}: {first['msg'].removeprefix('Value error, ')}"


def bare_name(path: Path) -> str:
    """A file's name as it was published: without `.gz`."""
    return path.name.removesuffix(GZIP)


def data_files(path: Path, suffixes: Sequence[str], what: str = "files") -> tuple[Path, ...]:
    """The files at a path whose published names end in one of `suffixes`, in order of name; a file stands for itself.

    Raises:
        RecordError: Nothing is there, or nothing that is looked for.
    """
    if path.is_file():
        return (path,)
    if not path.is_dir():
        raise RecordError(f"{path}: no such file or folder; give a file or a folder of {what}")
    endings = tuple(suffixes)
    found = tuple(sorted(item for item in path.rglob("*") if item.is_file() and bare_name(item).endswith(endings)))
    if not found:
        raise RecordError(f"{path}: no {what} found; expected names ending in {', '.join(endings)} (or with {GZIP})")
    return found


def read_bytes(path: Path) -> bytes:
    """The content of a file, unpacked.

    Raises:
        RecordError: It cannot be read.
    """
    try:
        return gzip.decompress(path.read_bytes()) if path.suffix == GZIP else path.read_bytes()
    except (OSError, EOFError, zlib.error) as error:
        raise RecordError(f"{path}: cannot be read: {error}") from error


def read_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines of a file that are not blank, each with its number from 1.

    Raises:
        RecordError: The file cannot be read to its end.
    """
    try:
        with gzip.open(path, "rb") if path.suffix == GZIP else path.open("rb") as file:
            for number, raw in enumerate(file, start=1):
                if raw.strip():
                    yield number, raw
    except (OSError, EOFError, zlib.error) as error:
        raise RecordError(f"{path}: cannot be read: {error}") from error


def parse_json(raw: bytes | str, place: str) -> Any:  # noqa: ANN401 - arbitrary JSON
    """A JSON value.

    Raises:
        RecordError: It is none.
    """
    try:
        return json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{place}: not valid JSON: {error}") from error


def json_records(path: Path) -> Iterator[RecordAt]:
    """The records of a JSON Lines file, or of a JSON file that holds a list; `{"path", "run"}` lines are unwrapped.

    Raises:
        RecordError: Not such a file, or a record is no JSON object.
    """
    if not bare_name(path).endswith(".json"):
        yield from numbered_records(path)
        return
    found = parse_json(read_bytes(path), str(path))
    if not isinstance(found, list):
        raise RecordError(f"{path}: expected a list of records, found {type(found).__name__}")
    for number, fields in enumerate(found, start=1):
        yield _record_of(fields, path, number)


def numbered_records(path: Path) -> Iterator[RecordAt]:
    """The records of a file that holds one a line, whatever its name; `{"path", "run"}` lines are unwrapped.

    Raises:
        RecordError: A line is no JSON object.
    """
    for number, raw in read_lines(path):
        yield _record_of(parse_json(raw, f"{path}:{number}"), path, number)


def _record_of(fields: Any, path: Path, number: int) -> RecordAt:  # noqa: ANN401 - arbitrary JSON
    recorded_as = ""
    if isinstance(fields, dict) and isinstance(fields.get("run"), dict) and "path" in fields:
        recorded_as, fields = str(fields["path"]), fields["run"]
    if not isinstance(fields, dict):
        raise RecordError(f"{path}:{number}: expected a JSON object, found {type(fields).__name__}")
    return RecordAt(fields, path, number, recorded_as)


def keyed_records(path: Path) -> Iterator[RecordAt]:
    """The records of a JSON file that holds an object of objects.

    Raises:
        RecordError: Not such a file.
    """
    found = parse_json(read_bytes(path), str(path))
    if not isinstance(found, dict):
        raise RecordError(f"{path}: expected an object of records, found {type(found).__name__}")
    for number, (key, fields) in enumerate(found.items(), start=1):
        if not isinstance(fields, dict):
            raise RecordError(f"{path}:{number}: {key}: expected a JSON object, found {type(fields).__name__}")
        yield RecordAt({"id": key, **fields}, path, number)


def csv_records(path: Path) -> Iterator[RecordAt]:
    """The rows of a CSV file with a header; a row is numbered by its last line.

    Raises:
        RecordError: Not UTF-8, or a row does not fit the header.
    """
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordError(f"{path}: not UTF-8 at byte {error.start}") from error
    before = csv.field_size_limit(_LARGEST_CSV_FIELD)
    try:
        reader = csv.DictReader(io.StringIO(text, newline=""))
        for row in reader:
            if None in row or None in row.values():
                raise RecordError(f"{path}:{reader.line_num}: the row does not have the columns of the header")
            yield RecordAt(row, path, reader.line_num)
    except csv.Error as error:
        raise RecordError(f"{path}: not CSV: {error}") from error
    finally:
        csv.field_size_limit(before)
