"""AgentDojo's suites, loaded once a process, with marks in the place of every injection vector."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType, ModuleType
from typing import Any, Final

from data_gen.tasks.agentdojo.marks import fill, mark_of, marks_in, texts_behind
from data_gen.tasks.agentdojo.phrases import one_line
from data_gen.tasks.agentdojo.steps import has_steps
from mage_ml.extras import require

VERSION: Final = "v1.2.2"
_READS: Final = ("get_", "list_", "search_", "read_", "check_")
SUITES: Final = MappingProxyType({"banking": 16, "slack": 21, "travel": 20, "workspace": 40})
"""Suites and how many user tasks each has, known without loading them."""


@dataclass(frozen=True, eq=False)
class LoadedSuite:
    """One suite.

    Attributes:
        suite: AgentDojo's object.
        world: Its environment with a mark in the place of every vector. Copy it before use.
        defaults: The text that belongs in the place of each vector.
        goals: Goal of each injection task, on one line. Left out are those with neither ground truth (steps, or
            words to say) nor steps in `data_gen.tasks.agentdojo.steps`.
    """

    suite: Any
    world: Any
    defaults: Mapping[str, str]
    goals: Mapping[str, str]

    def runtime(self) -> Any:  # noqa: ANN401 - AgentDojo's type
        """A fresh runtime for its tools."""
        return _module("agentdojo.functions_runtime").FunctionsRuntime(self.suite.tools)

    @lru_cache(maxsize=256)  # noqa: B019 - there are four suites, kept for the life of the process
    def vectors_read(self, user_task: str) -> tuple[str, ...]:
        """The vectors that the ground truth of a user task reads, in order."""
        task = self.suite.user_tasks[user_task]
        world = task.init_environment(self.world.model_copy(deep=True))
        found: dict[str, None] = {}
        runtime = self.runtime()
        for call in task.ground_truth(world):
            result, _ = runtime.run_function(world, call.function, call.args, raise_on_error=True)
            found.update(dict.fromkeys(marks_in(plain(result))))
        return tuple(found)


@lru_cache(maxsize=8)
def load(name: str) -> LoadedSuite:
    """Load a suite.

    Raises:
        MissingExtraError: AgentDojo is not installed.
    """
    suite = _module("agentdojo.task_suite.load_suites").get_suites(VERSION)[name]
    marked = {vector: mark_of(vector) for vector in suite.get_injection_vector_defaults()}
    world = suite.load_and_inject_default_environment(marked)
    defaults = texts_behind(plain(world), plain(suite.load_and_inject_default_environment({})))
    goals = {
        key: one_line(task.GOAL)
        for key, task in sorted(suite.injection_tasks.items())
        if task.ground_truth(world.model_copy(deep=True)) or task.GROUND_TRUTH_OUTPUT or has_steps(name, key)
    }
    return LoadedSuite(suite, world, MappingProxyType(defaults), MappingProxyType(goals))


def is_read(tool: str) -> bool:
    """Whether a tool only reads, by AgentDojo's naming."""
    return tool.startswith(_READS)


def plain(value: Any) -> Any:  # noqa: ANN401 - any tool result, as plain data
    """A tool result as plain data."""
    if hasattr(value, "model_dump"):
        return value.model_dump()
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A tool's result with marks in it.

    Attributes:
        data: As plain data.
        is_yaml: Whether AgentDojo shows it to an agent as YAML; other structures are shown as Python prints them.
    """

    data: Any
    is_yaml: bool

    @classmethod
    def of(cls, raw: Any) -> ToolResult:  # noqa: ANN401 - whatever a tool returns
        """The result that a tool returned."""
        return cls(plain(raw), is_yaml=isinstance(raw, list) or hasattr(raw, "model_dump"))

    def shown(self, texts: Mapping[str, str]) -> str:
        """As an agent sees it, with texts in the places of the vectors."""
        data = _resized(self.data, fill(self.data, texts))
        if not self.is_yaml:
            return str(data)
        items = [item if isinstance(item, dict) else str(item) for item in data] if isinstance(data, list) else data
        return str(_module("yaml").safe_dump(items)).strip()

    def texts_in(self, shown: str) -> dict[str, str]:
        """The texts that stand in the places of the vectors in what is shown."""
        if self.is_yaml:
            return texts_behind(self.data, _module("yaml").safe_load(shown))
        if isinstance(self.data, str):
            return texts_behind(self.data, shown)
        try:
            return texts_behind(self.data, ast.literal_eval(shown))
        except (ValueError, SyntaxError):
            return {}  # dates print as calls


def _resized(marked: Any, filled: Any) -> Any:  # noqa: ANN401 - plain data
    """Filled data in which the sizes of files, which the suite derives from their content, fit what was filled in."""
    if isinstance(marked, list):
        return [_resized(one, other) for one, other in zip(marked, filled, strict=True)]
    if isinstance(marked, dict) and "size" in marked and marked["size"] == len(str(marked.get("content", ""))):
        return {**filled, "size": len(filled["content"])}
    return filled


def function_call(tool: str, arguments: Mapping[str, Any]) -> Any:  # noqa: ANN401 - AgentDojo's type
    """A call as AgentDojo's checks expect it."""
    return _module("agentdojo.functions_runtime").FunctionCall(function=tool, args=dict(arguments))


def _module(name: str) -> ModuleType:
    return require(name, extra="agentdojo", purpose="run AgentDojo's suites")
