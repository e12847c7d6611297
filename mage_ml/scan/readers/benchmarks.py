"""Formats that benchmarks publish their runs in.

The importers read the same files with labels; here only how a run ended is kept, as its outcome.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.messages import parse_arguments
from mage_ml.evaluation.importers.sentinel import parse_step
from mage_ml.memory.dependencies import ValueCache
from mage_ml.scan.readers.openai_chat import chat_trace, collect_messages
from mage_ml.scan.trace import Pointer, RawTrace, RecordReader, Trace, TraceFormat, lookup
from mage_ml.scan.turns import Turn, TurnKind, trace_of

_TRAJECTORY: Final = "traj"


class TauBenchReader(RecordReader):
    """Reads tau-bench's recorded runs."""

    format = TraceFormat.TAU_BENCH

    def complaint(self, value: Any) -> str | None:  # noqa: ANN401 - arbitrary JSON
        """A record has task_id, reward and traj."""
        return _missing(value, ("task_id", "reward", _TRAJECTORY))

    def read(self, raw: RawTrace, parts: Sequence[Any], values: ValueCache) -> Iterator[Trace]:
        """One trace; its outcome is the reward."""
        value = _checked(self.complaint(parts[0]), parts[0])
        messages, pointers = collect_messages([{_TRAJECTORY: value[_TRAJECTORY]}])
        name = f"task {value['task_id']} trial {value.get('trial', 0)}"
        yield chat_trace(messages, pointers, name, values, f"reward {value['reward']:g}")


class AgentDojoReader(RecordReader):
    """Reads AgentDojo's run files, and the export of them by the Invariant Explorer."""

    format = TraceFormat.AGENTDOJO

    def complaint(self, value: Any) -> str | None:  # noqa: ANN401 - arbitrary JSON
        """A record has messages, and says suite and user task beside them or under metadata."""
        run = _run(value)
        about = _about(run)
        return _missing(run, ("messages",)) or _missing(about, ("suite_name", "user_task_id"))

    def read(self, raw: RawTrace, parts: Sequence[Any], values: ValueCache) -> Iterator[Trace]:
        """One trace; its outcome says whether an attack was tried and whether it succeeded. None for a file's head."""
        if isinstance(parts[0], Mapping) and set(parts[0]) == {"metadata"}:
            return
        value = _checked(self.complaint(parts[0]), parts[0])
        inside = () if _run(value) is value else ("run",)
        run = _run(value)
        messages, pointers = collect_messages([{"messages": run["messages"]}])
        about = _about(run)
        names = (about.get("suite_name"), about.get("user_task_id"), about.get("injection_task_id"))
        trace_id = "/".join(str(name) for name in names if name)
        at = [Pointer(0, (*inside, *pointer.steps)) for pointer in pointers]
        yield chat_trace(messages, at, trace_id, values, _attack(about))


class SentinelReader(RecordReader):
    """Reads runs of the Agent-trajectory Sentinel collections."""

    format = TraceFormat.SENTINEL

    def complaint(self, value: Any) -> str | None:  # noqa: ANN401 - arbitrary JSON
        """A record has manifest and steps."""
        return _missing(value, ("manifest", "steps"))

    def read(self, raw: RawTrace, parts: Sequence[Any], values: ValueCache) -> Iterator[Trace]:
        """One trace; its outcome is the class of the injected fault."""
        value = _checked(self.complaint(parts[0]), parts[0])
        fault = lookup(value, ("manifest", "failure_class"))
        trace_id = str(lookup(value, ("manifest", "episode_id")) or raw.key)
        yield trace_of(_steps(value["steps"]), trace_id, values, f"fault {fault}" if fault else "no fault")


def _steps(steps: Any) -> Iterator[Turn]:  # noqa: ANN401 - arbitrary JSON
    if not isinstance(steps, list) or not all(isinstance(step, Mapping) for step in steps):
        raise RecordError("steps: expected a list of objects")
    if steps and isinstance(steps[0].get("task"), str):
        yield Turn(TurnKind.USER, Pointer(0, ("steps", 0, "task")), steps[0]["task"])
    for number, step in enumerate(steps):
        at, text = Pointer(0, ("steps", number)), str(step.get("text") or "").strip()
        if step.get("action") != "tool_call":
            yield Turn(TurnKind.ANSWER, at, text)
            continue
        parsed = parse_step(text)
        yield Turn(TurnKind.THINK, at, parsed.said)
        if step.get("tool_events") is None:
            events = [(event.name, event.args, event.result) for event in parsed.events]
        else:
            given = step["tool_events"]
            events = [(e.get("name"), parse_arguments(e.get("args")), str(e.get("result") or "")) for e in given]
        for order, (name, arguments, result) in enumerate(events):
            call_id = f"{number}.{order}"
            yield Turn(TurnKind.CALL, at, tool=str(name), arguments=arguments, call_id=call_id)
            yield Turn(TurnKind.RESULT, at, result, call_id=call_id)


def _checked(complaint: str | None, value: Any) -> Any:  # noqa: ANN401 - arbitrary JSON
    if complaint is not None:
        raise RecordError(complaint)
    return value


def _run(value: Any) -> Any:  # noqa: ANN401 - arbitrary JSON
    """The run in a line `{"path", "run"}`, or the value itself."""
    inner = lookup(value, ("run",))
    return inner if isinstance(inner, Mapping) and "messages" in inner else value


def _about(run: Any) -> Mapping[str, Any]:  # noqa: ANN401 - arbitrary JSON
    beside = isinstance(run, Mapping) and "suite_name" in run
    about = run if beside else lookup(run, ("metadata",))
    return about if isinstance(about, Mapping) else {}


def _attack(about: Mapping[str, Any]) -> str:
    if about.get("attack_type") in (None, "none"):
        return "no attack"
    return "attack succeeded" if about.get("security") else "attack failed"


def _missing(value: Any, names: Sequence[str]) -> str | None:  # noqa: ANN401 - arbitrary JSON
    if not isinstance(value, Mapping):
        return f"not an object with {', '.join(names)}"
    absent = [name for name in names if name not in value]
    return f"no {', '.join(absent)}" if absent else None
