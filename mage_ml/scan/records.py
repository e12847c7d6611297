"""The JSON values of trace files, one at a time, each with its line."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from mage_ml.errors import MissingExtraError, RecordError
from mage_ml.evaluation.importers.files import GZIP, bare_name
from mage_ml.extras import require
from mage_ml.scan.trace import Part

TRACE_SUFFIXES: Final = (".json", ".jsonl", ".ndjson", ".eval")
_ARCHIVE: Final = ".eval"
_SAMPLES: Final = "samples/"
_IN_NUMBERS: Final = "0123456789.eE+-"
_LARGEST_CHARS: Final = 256_000_000
_CHUNK: Final = 1 << 16
_ZSTANDARD: Final = 93
_DECODER: Final = json.JSONDecoder()
_UNREADABLE: Final = (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError)


def trace_files(path: Path) -> tuple[Path, ...]:
    """The trace files at a path, in order of name: the file itself, or all below a folder, plain or gzipped.

    Raises:
        RecordError: Nothing is there, or nothing with a known ending.
    """
    if path.is_file():
        return (path,)
    if not path.is_dir():
        raise RecordError(f"{path}: no such file or folder; give a trace file or a folder of trace files")
    found = tuple(
        sorted(item for item in path.rglob("*") if item.is_file() and bare_name(item).endswith(TRACE_SUFFIXES))
    )
    if not found:
        raise RecordError(f"{path}: no trace files found; looked for {', '.join(TRACE_SUFFIXES)} (or with .gz)")
    return found


def is_archive(path: Path) -> bool:
    """Whether a file is an archive of samples, as Inspect writes them."""
    return bare_name(path).endswith(_ARCHIVE)


def read_parts(path: Path) -> Iterator[Part]:
    """The values of a file in order: the lines of JSON Lines, the items of a JSON list, the samples of an archive.

    Nothing is kept: a file of any size takes the memory of its largest value.

    Args:
        path: The file.

    Raises:
        RecordError: The file cannot be read, or is no JSON; file and line are named. A line of JSON Lines is given as
            it is and may turn out to be none.
    """
    try:
        if is_archive(path):
            yield from _members(path)
            return
        with _opened(path) as file:
            if not bare_name(path).endswith(".json"):
                yield from (
                    Part(line.rstrip("\r\n"), number)
                    for number, line in enumerate(file, start=1)
                    if line.strip("\ufeff \t\r\n")
                )
            else:
                yield from _values(file, path)
    except _UNREADABLE as error:
        raise RecordError(f"{path}: cannot be read: {error}") from error


def parse_part(part: Part, path: str) -> Any:  # noqa: ANN401 - arbitrary JSON
    """The value of a part.

    Raises:
        RecordError: It is no JSON; file and line are named.
    """
    member = f"!{part.member}" if part.member else ""
    try:
        part.text.encode("utf-8")
        return json.loads(part.text)
    except UnicodeEncodeError as error:
        line = part.line + part.text.count("\n", 0, error.start)
        raise RecordError(f"{path}{member}:{line}: not UTF-8 at character {error.start + 1}") from error
    except json.JSONDecodeError as error:
        raise RecordError(f"{path}{member}:{part.line + error.lineno - 1}: not valid JSON: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{path}{member}:{part.line}: not valid JSON: {error}") from error


@contextmanager
def _opened(path: Path) -> Iterator[IO[str]]:
    with gzip.open(path, "rb") if path.suffix == GZIP else path.open("rb") as binary:
        yield io.TextIOWrapper(binary, encoding="utf-8-sig", errors="surrogateescape", newline="\n")


def _values(file: IO[str], path: Path) -> Iterator[Part]:
    """The items of a list, read as far as needed; any other value as it is; values one after another, too."""
    window = _Window(file, path)
    window.skip()
    if window.head == "[":
        window.take(1)
        window.skip(",")
        while window.head not in ("]", ""):
            yield window.value()
            window.skip(",")
        if window.head == "":
            raise RecordError(f"{path}:{window.line}: the list does not end; the file may be cut short")
        return
    if window.head == "":
        raise RecordError(f"{path}: the file is empty")
    while window.head:
        yield window.value()
        window.skip()


class _Window:
    """The part of a text that is being read."""

    def __init__(self, file: IO[str], path: Path) -> None:
        self._file, self._path = file, path
        self._text, self._at, self._ended = "", 0, False
        self.line = 1

    @property
    def head(self) -> str:
        """The next character; empty at the end."""
        return self._text[self._at : self._at + 1]

    def take(self, count: int) -> str:
        """Go on."""
        taken = self._text[self._at : self._at + count]
        self._at += count
        self.line += taken.count("\n")
        return taken

    def skip(self, also: str = "") -> None:
        """Go past white space."""
        blank = " \t\r\n" + also
        while True:
            end = self._at
            while end < len(self._text) and self._text[end] in blank:
                end += 1
            self.take(end - self._at)
            if end < len(self._text) or not self._more(_CHUNK):
                return

    def value(self) -> Part:
        """The next value, read on until it is whole."""
        size = _CHUNK
        while True:
            try:
                _, end = _DECODER.raw_decode(self._text, self._at)
            except RecursionError as error:
                raise RecordError(f"{self._path}:{self.line}: nested too deeply to be read") from error
            except ValueError as error:
                if len(self._text) - self._at > _LARGEST_CHARS or not self._more(size):
                    raise self._malformed(error) from error
                size *= 2
                continue
            # A number could go on in what was not read yet.
            is_ended = end < len(self._text) and self._text[end] not in _IN_NUMBERS
            if is_ended or not self._more(_CHUNK):
                line = self.line
                return Part(self.take(end - self._at), line)

    def _malformed(self, error: ValueError) -> RecordError:
        line = self.line
        if isinstance(error, json.JSONDecodeError):
            line += self._text.count("\n", self._at, error.pos)
            return RecordError(f"{self._path}:{line}: not valid JSON: {error.msg}")
        return RecordError(f"{self._path}:{line}: not valid JSON: {error}")

    def _more(self, size: int) -> bool:
        read = "" if self._ended else self._file.read(size)
        self._ended = not read
        if read:
            self._text, self._at = self._text[self._at :] + read, 0
        return bool(read)


def _members(path: Path) -> Iterator[Part]:
    with zipfile.ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.startswith(_SAMPLES) and name.endswith(".json")]
        if not names:
            raise RecordError(f"{path}: holds no samples; an Inspect log has them under {_SAMPLES}")
        for name in dict.fromkeys(names):
            info = archive.getinfo(name)
            if info.file_size > _LARGEST_CHARS:
                raise RecordError(f"{path}!{name}: {info.file_size:,} bytes; at most {_LARGEST_CHARS:,} are read")
            raw = _zstandard(path, archive, info) if info.compress_type == _ZSTANDARD else archive.read(info)
            yield Part(raw.decode("utf-8", "surrogateescape"), 1, name)


def _zstandard(path: Path, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """A member that newer versions of Inspect compress in a way the standard library does not know before 3.14."""
    try:
        module = require("zstandard", extra="scan", purpose=f"read {path.name}, an Inspect log with zstd compression")
    except MissingExtraError:
        try:
            return archive.read(info)  # Python 3.14 reads it
        except NotImplementedError:
            pass
        raise
    with path.open("rb") as file:
        file.seek(info.header_offset)
        head = file.read(30)
        skip = int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little")
        file.seek(info.header_offset + 30 + skip)
        packed = io.BytesIO(file.read(info.compress_size))
    with module.ZstdDecompressor().stream_reader(packed, read_across_frames=True) as reader:
        found: bytes = reader.read(_LARGEST_CHARS)
    if len(found) != info.file_size or zlib.crc32(found) != info.CRC:
        raise RecordError(f"{path}!{info.filename}: damaged: size or checksum differ")
    return found
