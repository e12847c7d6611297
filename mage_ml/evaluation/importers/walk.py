"""The loop that every importer runs: files, records, counts, and errors that name the place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.corpus import ImportCount
from mage_ml.evaluation.importers.files import RecordAt, first_problem, json_records
from mage_ml.memory import Episode
from mage_ml.progress import Progress

STAGE: Final = "read recorded runs"


def walk(
    files: Sequence[Path],
    read: Callable[[RecordAt], Iterable[Episode]],
    count: ImportCount,
    progress: Progress,
    *,
    records: Callable[[Path], Iterator[RecordAt]] = json_records,
) -> Iterator[Episode]:
    """Yield the episodes of all records of all files.

    Args:
        files: The files in order.
        read: Makes the episodes of one record; none when the record is left out.
        count: Counts the records.
        progress: Told how many files are done.
        records: Reads the records of a file.

    Raises:
        RecordError: A record is not valid; it names file and line.
    """
    for number, file in enumerate(files):
        progress(STAGE, number, len(files))
        for record in records(file):
            count.records += 1
            try:
                yield from tuple(read(record))
            except ValidationError as error:
                raise RecordError(f"{record.place}: {first_problem(error)}") from error
    progress(STAGE, len(files), len(files))
