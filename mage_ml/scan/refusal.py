"""What a record of an unexpected shape becomes: one error that names its place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pydantic import ValidationError

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.files import first_problem
from mage_ml.scan.trace import Part


def place_of(path: str, part: Part) -> str:
    """File and line of a part, for messages."""
    return f"{path}!{part.member}:{part.line}" if part.member else f"{path}:{part.line}"


@contextmanager
def refused(path: str, part: Part, form: str) -> Iterator[None]:
    """Turn whatever reading a record raises into an error with its place.

    Raises:
        RecordError: The record is not what its format says.
    """
    try:
        yield
    except RecordError as error:
        raise RecordError(f"{place_of(path, part)}: not {form}: {error}") from error
    except ValidationError as error:
        raise RecordError(f"{place_of(path, part)}: {first_problem(error)}") from error
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        kind = type(error).__name__
        raise RecordError(f"{place_of(path, part)}: not {form}: unexpected shape ({kind}: {error})") from error
