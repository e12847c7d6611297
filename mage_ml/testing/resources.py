"""Faults of the machine: damaged files, full disks, locked databases, no file handles left."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np


def damage_file(path: Path, rng: np.random.Generator, *, bits: int = 1) -> None:
    """Flip some bits of a file.

    Args:
        path: The file; it must not be empty.
        rng: Chooses the bits.
        bits: How many, all different.
    """
    data = bytearray(path.read_bytes())
    for place in rng.choice(len(data) * 8, size=bits, replace=False):
        data[int(place) // 8] ^= 1 << (int(place) % 8)
    path.write_bytes(bytes(data))


@contextmanager
def file_size_limited(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond a size, as on a full disk. Unix only; for the whole process.

    Args:
        size: Bytes.
    """
    import resource
    import signal

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    # Without a handler the signal would end the process; with it, writing fails.
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@contextmanager
def file_handles_exhausted() -> Iterator[None]:
    """Leave this process no file handle. Unix only."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    taken: list[int] = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(before[0], 4096), before[1]))
    try:
        while True:
            try:
                taken.append(os.open(os.devnull, os.O_RDONLY))
            except OSError:
                break
        yield
    finally:
        for handle in taken:
            os.close(handle)
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@contextmanager
def locked_database(path: Path) -> Iterator[None]:
    """Hold the write lock of a SQLite database, as another process would."""
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")
    finally:
        connection.close()
