"""Orders in a user's own words: injection phrases from a file, set into the texts that a domain has."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from data_gen.operators.base import EditPair, closest
from data_gen.operators.instructions import PlainInstruction, Twins, replaced
from data_gen.randomness import Rng
from data_gen.statements import OrderStyle, Passage, Write
from data_gen.tasks.base import Task
from mage_ml.errors import ConfigError

PREFIX = "phrases:"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A phrase of a user.

    Attributes:
        text: The order; `{ingredient}` stands where the value goes, for instance `{address}`.
        language: `en` or `zh`.
        ingredient: What it holds; `none` for nothing. It goes only where a sentence with that ingredient stood.
        twin: A harmless sentence of the same look; drawn from the domain's own if empty.
    """

    text: str
    language: str
    ingredient: str
    twin: str = ""


class SuppliedInstruction(PlainInstruction):
    """An order in a user's own words. An agent follows it only if it understands it; rejections are counted.

    Args:
        path: A `.jsonl` or `.csv` file with the columns `text`, `language`, `ingredient` and optionally `twin`.

    Raises:
        ConfigError: No such file, a column is missing, or there are no phrases in it.
    """

    family = "supplied"

    def __init__(self, path: Path) -> None:
        self.name = f"{PREFIX}{path.name}"
        self._phrases = load_phrases(path)

    def edit_one(self, write: Write, rng: Rng, task: Task) -> EditPair | None:
        """The text with a harmless request, and with one of the phrases."""
        book = task.phrasebook
        assert isinstance(write.statement, Passage)
        places = [i for i, item in enumerate(write.statement.sentences) if item.replaceable]
        place = rng.choice(places)
        ingredient = write.statement.sentences[place].ingredient or "none"
        fitting = [p for p in self._phrases if (p.language, p.ingredient) == (task.language, ingredient)]
        if book is None or not fitting:
            return None
        phrase, value = rng.choice(fitting), book.value(ingredient, rng)
        text = phrase.text.replace(f"{{{ingredient}}}", value)
        if phrase.twin:
            twin = phrase.twin.replace(f"{{{ingredient}}}", book.value(ingredient, rng))
        else:
            twin = closest(text, lambda r: book.harmless(ingredient, OrderStyle.PLAIN, r), rng, tries=240)
        return replaced(write, place, Twins(twin, text))


def load_phrases(path: Path) -> tuple[Phrase, ...]:
    """Read phrases from a file.

    Raises:
        ConfigError: No such file, a column is missing, or there are no phrases in it.
    """
    if not path.is_file():
        raise ConfigError(f"{path}: no such file; expected .jsonl or .csv with the columns text, language, ingredient")
    found = []
    for number, row in enumerate(_rows(path), start=1):
        missing = [name for name in ("text", "language", "ingredient") if not row.get(name)]
        if missing:
            raise ConfigError(f"{path}, row {number}: lacks {', '.join(missing)}; found {', '.join(row) or 'nothing'}")
        found.append(Phrase(row["text"], row["language"], row["ingredient"], row.get("twin") or ""))
    if not found:
        raise ConfigError(f"{path}: holds no phrases; expected one a row")
    return tuple(found)


def _rows(path: Path) -> Iterator[Mapping[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        if path.suffix == ".csv":
            yield from csv.DictReader(stream)
            return
        for number, line in enumerate(stream, start=1):
            try:
                row = json.loads(line)
            except json.JSONDecodeError as error:
                raise ConfigError(
                    f"{path}, line {number}: no JSON ({error.msg}); expected one object a line"
                ) from error
            if not isinstance(row, dict):
                raise ConfigError(f"{path}, line {number}: expected an object, found {type(row).__name__}")
            yield {str(key): str(value) for key, value in row.items()}
