"""Where blocks are made: in this process, in worker processes, or on a Ray cluster."""

from __future__ import annotations

import multiprocessing
import multiprocessing.connection
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from typing import Final, Protocol

from data_gen.blocks import make_block
from data_gen.config import EngineName, GenerateConfig

_AHEAD: Final = 2
"""Blocks in flight a worker: enough to keep it busy, few enough to bound memory."""


@dataclass(frozen=True, slots=True)
class MadeBlock:
    """A finished block."""

    number: int
    data: bytes


class Engine(Protocol):
    """Makes blocks, in any order."""

    def run(self, config: GenerateConfig, numbers: Iterable[int]) -> Iterator[MadeBlock]:
        """Make the blocks with these numbers; at most a few are made ahead of the reader.

        Raises:
            MageError: The workers cannot be started.
        """


class InlineEngine:
    """Makes blocks in this process."""

    def run(self, config: GenerateConfig, numbers: Iterable[int]) -> Iterator[MadeBlock]:
        """Make blocks one after the other."""
        for number in numbers:
            yield MadeBlock(number, make_block(config, number))


class ProcessEngine:
    """Makes blocks in processes of their own, which end with this one, even if it is killed."""

    def run(self, config: GenerateConfig, numbers: Iterable[int]) -> Iterator[MadeBlock]:
        """Make blocks in `config.workers` processes."""
        # Spawned, not forked: a fork of a process with threads may deadlock.
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(config.workers, context, initializer=_end_with_parent) as pool:
            try:
                yield from _windowed(lambda n: pool.submit(make_block, config, n), numbers, config.workers * _AHEAD)
            finally:
                pool.shutdown(wait=True, cancel_futures=True)


def engine_of(config: GenerateConfig) -> Engine:
    """The engine that the settings name."""
    if config.engine is EngineName.RAY:
        from data_gen.ray_runner import RayEngine

        return RayEngine()
    return InlineEngine() if config.workers == 1 else ProcessEngine()


def _windowed(submit: Callable[[int], Future[bytes]], numbers: Iterable[int], width: int) -> Iterator[MadeBlock]:
    waiting = iter(numbers)
    running = {submit(number): number for number in islice(waiting, width)}
    while running:
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            number = running.pop(future)
            for following in islice(waiting, 1):
                running[submit(following)] = following
            yield MadeBlock(number, future.result())


def _end_with_parent() -> None:
    """Watch the parent process and end with it: a killed parent cannot tell its workers."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
