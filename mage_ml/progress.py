"""How long work reports its progress: an argument, never a global."""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """Told how far a stage has come."""

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Report progress.

        Args:
            stage: What is being done, as a short phrase.
            done: Units finished.
            total: Units in all; 0 when unknown.
        """


def silent(stage: str, done: int, total: int) -> None:
    """Report nothing: the default of every library function."""
