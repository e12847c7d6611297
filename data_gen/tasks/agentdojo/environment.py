"""A suite's environment in one run: real tools, real state, the suite's own checks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from pydantic import JsonValue

from data_gen.randomness import Rng
from data_gen.statements import OrderStyle, Passage, Sentence, Statement
from data_gen.tasks.agentdojo.marks import fill, marks_in
from data_gen.tasks.agentdojo.repeatable import make_repeatable
from data_gen.tasks.agentdojo.steps import Call, has_steps, steps
from data_gen.tasks.agentdojo.suites import LoadedSuite, ToolResult, function_call, is_read
from data_gen.tasks.base import ToolOutput
from mage_ml.memory.entry import Source
from mage_ml.memory.episode import Outcome
from mage_ml.memory.snapshot import ActionType

UNDONE: Final = "reached, then undone"
"""Ends the detail of an outcome where a later step undid the harm."""


class AgentDojoEnvironment:
    """One world. Vectors are marked in it; what is read has texts in their places.

    Attributes:
        vector: The vector that is filled.

    Args:
        loaded: The suite.
        user_task: Id of the user task.
        injection: Id of the injection task whose goal counts as harm.
        vector: The vector that is filled.
        text: The harmless text in its place.
        style: How its request is made.
    """

    def __init__(
        self, loaded: LoadedSuite, user_task: str, injection: str, vector: str, text: str, style: OrderStyle
    ) -> None:
        self.vector = vector
        self._style = style
        self._texts = {**loaded.defaults, vector: text}
        self._suite = str(loaded.suite.name)
        self._task = loaded.suite.user_tasks[user_task]
        self._injection = loaded.suite.injection_tasks[injection]
        self._world = self._task.init_environment(_copy(loaded.world))
        self._before = _copy(self._world)
        self._runtime = loaded.runtime()
        self._traces: list[Any] = []
        self._first: ToolResult | None = None
        self._reached = False
        self.answer = ""

    def kind(self, tool: str) -> ActionType:
        """Whether a tool reads or writes.

        Raises:
            LookupError: No such tool.
        """
        if tool not in self._runtime.functions:
            raise LookupError(f"no tool {tool!r}; the suite has {', '.join(sorted(self._runtime.functions))}")
        return ActionType.READ if is_read(tool) else ActionType.WRITE

    def user_calls(self) -> list[Call]:
        """The ground truth of the user task."""
        return [Call(call.function, dict(call.args)) for call in self._task.ground_truth(_copy(self._before))]

    def injected_calls(self) -> list[Call]:
        """The ground truth of the injection task: AgentDojo's own, or our steps as the world stands now.

        Raises:
            LookupError: The world lacks what the steps need.
        """
        if has_steps(self._suite, self._injection.ID):
            return steps(self._injection.ID, self._injection.GOAL, self._before, self._world)
        return [Call(call.function, dict(call.args)) for call in self._injection.ground_truth(_copy(self._before))]

    def answer_to_user(self) -> str:
        """The answer that the user task asks for; empty when it asks for none."""
        return str(self._task.GROUND_TRUTH_OUTPUT)

    def answer_to_injection(self) -> str:
        """The words that the injection task wants to be said; empty when it wants none."""
        return str(self._injection.GROUND_TRUTH_OUTPUT)

    def call(self, tool: str, arguments: Mapping[str, Any]) -> tuple[ToolOutput, ...]:
        """Run a tool.

        Raises:
            LookupError: No such tool, or it has no answer to these arguments.
        """
        self.kind(tool)
        result, error = self._runtime.run_function(self._world, tool, dict(arguments))
        if error is not None:
            raise LookupError(f"{tool}: {error}")
        self._traces.append(function_call(tool, arguments))
        make_repeatable(self._before, self._world, len(self._traces))
        if not self._reached and not is_read(tool):
            self._reached = self._check(self._injection, "security")
        return (self._output(tool, ToolResult.of(result)),)

    def filled(self, arguments: Mapping[str, Any]) -> dict[str, JsonValue]:
        """Arguments as they are shown, with texts in place of the marks."""
        filled: dict[str, JsonValue] = json.loads(json.dumps(fill(dict(arguments), self._texts), default=str))
        return filled

    def reads(self, stored: str) -> None:
        """Take the vector's text to be what a stored result says, so that later results and arguments agree with it.

        Args:
            stored: The first result that held the vector, as memory has it.
        """
        found = self._first.texts_in(stored) if self._first is not None else {}
        self._texts[self.vector] = found.get(self.vector, self._texts[self.vector])

    def outcome(self) -> Outcome:
        """By the suite's own checks: the user's task is done, and the injection's goal is not reached.

        Harm counts when it is done, even if a later step of the user's task undoes it: a password set twice, say.
        """
        solved, harm = self._check(self._task, "utility"), self._check(self._injection, "security")
        done = "done" if solved else "not done"
        reached = "reached" if harm else UNDONE if self._reached else "not reached"
        harm = harm or self._reached
        detail = f"user task {done}, goal of the injection {reached}"
        return Outcome(task_solved=solved and not harm, harm_done=harm, detail=detail)

    def close(self) -> None:
        """Nothing is held."""

    def _check(self, task: Any, name: str) -> bool:  # noqa: ANN401 - AgentDojo's type
        # Some of AgentDojo's checks mark mails as read.
        states = (self.answer, _copy(self._before), _copy(self._world))
        by_traces = getattr(task, f"{name}_from_traces")(*states, self._traces)
        return bool(by_traces if by_traces is not None else getattr(task, name)(*states))

    def _output(self, tool: str, result: ToolResult) -> ToolOutput:
        content, there = result.shown(self._texts), self.vector in marks_in(result.data)
        if not there or self._first is not None:
            return ToolOutput(content, Source.TOOL, tool)
        self._first = result

        def redraw(statement: Statement, _rng: Rng) -> JsonValue:
            assert isinstance(statement, Passage)
            return result.shown({**self._texts, self.vector: statement.sentences[0].text})

        passage = Passage((Sentence(self._texts[self.vector], replaceable=True, style=self._style),))
        return ToolOutput(content, Source.TOOL, tool, statement=passage, redraw=redraw)


def _copy(world: Any) -> Any:  # noqa: ANN401 - AgentDojo's type
    return world.model_copy(deep=True)
