"""The constraints' history: versions with reason and author; a rollback is a new version with an old text."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from mage_ml.errors import ConfigError
from mage_ml.runtime.governor import state_tables as tables
from mage_ml.runtime.governor.constraint_file import ConstraintSource, parse_constraints
from mage_ml.runtime.governor.state import StateStore


@dataclass(frozen=True, slots=True)
class VersionRow:
    """One version of the constraints.

    Attributes:
        number: Counted up, from 1.
        at: Seconds since the epoch when it was first in force.
        digest: SHA-256 of the text.
        version: What the file calls itself.
        author: Who changed it.
        reason: Why.
        restores: Number of the version whose text it brought back; `None` for none.
        text: The YAML.
    """

    number: int
    at: float
    digest: str
    version: str
    author: str
    reason: str
    restores: int | None
    text: str


class VersionHistory:
    """The versions in the shared state.

    Args:
        store: The state.
    """

    def __init__(self, store: StateStore) -> None:
        self._store = store
        self._table = tables.VERSIONS

    def record(
        self, source: ConstraintSource, *, author: str = "", reason: str = "", restores: int | None = None
    ) -> VersionRow:
        """Keep a version, unless it is the latest already (many processes load one file) and no rollback.

        Args:
            source: The constraints.
            author: Who changed them; by default whom the file names.
            reason: Why; by default what the file says.
            restores: Number of the version that was brought back.

        Raises:
            StateError: It could not be written.
        """
        change = source.constraints.change
        values = {
            "at": self._store.now(),
            "digest": source.digest,
            "version": source.constraints.version,
            "author": author or change.author,
            "reason": reason or change.reason,
            "restores": restores,
            "text": source.text,
        }
        table = self._table
        with self._store.database.write() as connection:
            tables.take_turns(connection)
            latest = connection.execute(sa.select(table).order_by(table.c.number.desc()).limit(1)).mappings().first()
            if latest is not None and latest["digest"] == source.digest and restores is None:
                return VersionRow(**latest)
            done = connection.execute(table.insert().values(**values))
            number = int(done.inserted_primary_key[0]) if done.inserted_primary_key else 0
        return VersionRow(number=number, **values)  # type: ignore[arg-type]

    def all(self) -> list[VersionRow]:
        """All versions, the oldest first."""
        with self._store.database.read() as connection:
            rows = connection.execute(sa.select(self._table).order_by(self._table.c.number)).mappings()
            return [VersionRow(**row) for row in rows]

    def get(self, number: int) -> VersionRow:
        """A version by number.

        Raises:
            ConfigError: There is none.
        """
        known = self.all()
        found = next((row for row in known if row.number == number), None)
        if found is None:
            there = ", ".join(str(row.number) for row in known) or "none"
            raise ConfigError(f"no version {number} of the constraints; there are {there}")
        return found

    def restore(self, number: int, path: Path, *, author: str, reason: str) -> VersionRow:
        """Write an old version over the constraint file, at once and whole; processes that watch it take it up.

        Args:
            number: The version to bring back.
            path: The constraint file.
            author: Who does it.
            reason: Why.

        Raises:
            ConfigError: There is no such version, it is no longer valid, or the file cannot be written.
            StateError: The history could not be written.
        """
        if not author.strip() or not reason.strip():
            raise ConfigError("a rollback needs an author and a reason; they are kept in the history")
        row = self.get(number)
        source = parse_constraints(row.text, f"version {number}", folder=path.parent)
        write_whole(path, row.text)
        return self.record(source, author=author, reason=reason, restores=number)


def write_whole(path: Path, text: str) -> None:
    """Replace a file at once: a reader sees the old text or the new one.

    Raises:
        ConfigError: It cannot be written.
    """
    try:
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                file.write(text)
            Path(name).chmod(mode)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise ConfigError(f"{path}: cannot be written: {error}") from error
