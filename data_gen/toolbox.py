"""Tools as methods: the environment that most domains can derive from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar, Generic, TypeVar

from pydantic import JsonValue

from data_gen.tasks.base import ToolOutput
from mage_ml.config import nearest
from mage_ml.memory.entry import Source
from mage_ml.memory.episode import Outcome
from mage_ml.memory.snapshot import ActionType

TaskT = TypeVar("TaskT")


class Toolbox(Generic[TaskT]):
    """Tools over the state that a subclass holds.

    A tool is a method of its name that takes the call's arguments by keyword and returns a `ToolOutput`, several, or
    plain JSON (which becomes one, from the tool's default origin). A subclass names its tools in `reads` and `writes`,
    and says in `harm` and `missing` what is wrong with the state at the end.

    Args:
        task: The task worked on, which knows the truth.
    """

    reads: ClassVar[tuple[str, ...]] = ()
    writes: ClassVar[tuple[str, ...]] = ()
    origin: ClassVar[str] = "system"

    def __init__(self, task: TaskT) -> None:
        self.task = task
        self.calls: Counter[str] = Counter()

    def kind(self, tool: str) -> ActionType:
        """Whether a tool reads or writes.

        Raises:
            LookupError: No such tool.
        """
        if tool not in (*self.reads, *self.writes):
            raise LookupError(f"no tool {tool!r}; {nearest(tool, (*self.reads, *self.writes))}")
        return ActionType.WRITE if tool in self.writes else ActionType.READ

    def call(self, tool: str, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        """Run a tool; `calls` counts how often each call was made.

        Raises:
            LookupError: No such tool, or it has no answer to these arguments.
        """
        self.kind(tool)
        self.calls[f"{tool} {dict(sorted(arguments.items()))}"] += 1
        try:
            found = getattr(self, tool)(**arguments)
        except TypeError as error:
            raise LookupError(f"{tool} does not take {', '.join(arguments) or 'nothing'}: {error}") from error
        if isinstance(found, ToolOutput):
            return (found,)
        return found if isinstance(found, tuple) else (ToolOutput(found, Source.TOOL, self.origin),)

    def times(self, tool: str) -> int:
        """How often a tool was run, whatever the arguments."""
        return sum(count for call, count in self.calls.items() if call.startswith(f"{tool} "))

    def harm(self) -> Sequence[str]:
        """Wrong or unwanted effects, one phrase each."""
        return ()

    def missing(self) -> Sequence[str]:
        """What should have been done and was not, one phrase each."""
        return ()

    def outcome(self) -> Outcome:
        """Compare the final state with ground truth."""
        harm, missing = list(self.harm()), list(self.missing())
        detail = "; ".join([*harm, *missing]) or "as asked"
        return Outcome(task_solved=not (harm or missing), harm_done=bool(harm), detail=detail)

    def close(self) -> None:
        """Release what is held; override to close a database."""
