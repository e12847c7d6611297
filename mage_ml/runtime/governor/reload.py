"""Takes a changed constraint file up while checks go on: whole or not at all, the last good one kept."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mage_ml.errors import MageError
from mage_ml.forking import fork_safe_lock
from mage_ml.runtime.governor.constraint_file import ConstraintSource, load_constraints


@dataclass(frozen=True, slots=True)
class _Stamp:
    modified_ns: int
    size: int
    inode: int


class FileWatch:
    """Notices that a constraint file has changed, at the price of a look at the clock for most checks.

    A change is read on a thread of its own, so no check waits for it.

    Args:
        path: The file.
        digest: SHA-256 of the text in force.
        take: Puts new constraints into force, or raises.
        failed: Told why a changed file was refused.
        poll_s: Seconds between two looks at the file.
        monotonic: Seconds of a clock that never goes back.
    """

    def __init__(
        self,
        path: Path,
        digest: str,
        take: Callable[[ConstraintSource], None],
        failed: Callable[[str], None],
        *,
        poll_s: float = 1.0,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.path = path
        self.error = ""
        self._digest = digest
        self._take = take
        self._failed = failed
        self._poll_s = poll_s
        self._monotonic = monotonic
        self._stamp = _stamp(path)
        self._looked_at = monotonic()
        self._lock = fork_safe_lock()
        self._reading = fork_safe_lock()

    def look(self) -> None:
        """Look at the file when it is time; read it in the background when it has changed."""
        now = self._monotonic()
        if now - self._looked_at < self._poll_s:
            return
        with self._lock:
            if now - self._looked_at < self._poll_s:
                return
            self._looked_at = now
            stamp = _stamp(self.path)
            if stamp == self._stamp:
                return
        try:
            threading.Thread(target=self.read, name="mage-ml constraints", daemon=True).start()
        except RuntimeError:  # no thread to be had
            self.read()

    def read(self) -> bool:
        """Read the file now and put it into force; whether anything changed.

        An invalid file is refused: `error` says why, until a valid one is read.
        """
        with self._reading:
            stamp = _stamp(self.path)
            try:
                source = load_constraints(self.path)
                changed = source.digest != self._digest
                if changed:
                    self._take(source)
            except MageError as error:
                is_new = stamp != self._stamp or str(error) != self.error
                self._stamp, self.error = stamp, str(error)
                if is_new:
                    self._failed(str(error))
                return False
            self._stamp, self._digest, self.error = stamp, source.digest, ""
            return changed


def _stamp(path: Path) -> _Stamp | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return _Stamp(found.st_mtime_ns, found.st_size, found.st_ino)
