"""One procedure for both worlds: written once as a generator, driven synchronously or in an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

RequestT = TypeVar("RequestT")
ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class Consult:
    """Ask the session something; `ask` does not wait for anything but the guard."""

    ask: Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Run(Generic[RequestT]):
    """Let the framework do something."""

    request: RequestT


Procedure = Generator[Consult | Run[RequestT], Any, ResultT]
"""Yields what is to be done next and is sent the result; its return value is the result of the whole."""


def drive(procedure: Procedure[RequestT, ResultT], run: Callable[[RequestT], Any]) -> ResultT:
    """Run a procedure. What `run` raises ends it and comes out of here."""
    try:
        step = next(procedure)
        while True:
            step = procedure.send(step.ask() if isinstance(step, Consult) else run(step.request))
    except StopIteration as end:
        result: ResultT = end.value
        return result
    finally:
        procedure.close()


async def adrive(procedure: Procedure[RequestT, ResultT], run: Callable[[RequestT], Awaitable[Any]]) -> ResultT:
    """The same in an event loop: the session is asked on another thread."""
    try:
        step = next(procedure)
        while True:
            if isinstance(step, Consult):
                answer = await asyncio.to_thread(step.ask)
            else:
                answer = await run(step.request)
            step = procedure.send(answer)
    except StopIteration as end:
        result: ResultT = end.value
        return result
    finally:
        procedure.close()
