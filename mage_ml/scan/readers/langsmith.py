"""LangSmith run exports: one run a line, runs in a list, or a run with its child runs inside."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.messages import parse_arguments
from mage_ml.memory.dependencies import ValueCache
from mage_ml.scan.readers.chat_turns import chat_turns
from mage_ml.scan.readers.langchain import fields_of, message_turns
from mage_ml.scan.readers.openai_chat import is_message
from mage_ml.scan.trace import Layout, Pointer, RawTrace, Step, Trace, TraceFormat, lookup
from mage_ml.scan.turns import Conversation, Turn, TurnKind, trace_of

_RUN_TYPES: Final = frozenset({"llm", "chain", "tool", "retriever", "prompt", "parser", "embedding"})
_WRAPPERS: Final = ("runs", "data", "child_runs")
_INPUTS: Final[tuple[tuple[Step, ...], ...]] = (("messages",), ("input",), ("input", "messages"))
_ANSWERS: Final[tuple[tuple[Step, ...], ...]] = (
    ("generations", 0, 0, "message"),
    ("generations", 0, "message"),
    ("choices", 0, "message"),
    ("message",),
    ("output",),
)
_TEXTS: Final = ("output", "text", "answer", "result", "input", "question", "query")


@dataclass(frozen=True, slots=True)
class _Run:
    value: Mapping[str, Any]
    at: Pointer

    @property
    def kind(self) -> str:
        return str(self.value.get("run_type"))

    @property
    def order(self) -> tuple[str, str]:
        return str(self.value.get("start_time") or ""), str(self.value.get("dotted_order") or "")


class LangSmithReader:
    """Reads exported runs; a trace is put together from its model calls, tools and retrievers."""

    format = TraceFormat.LANGSMITH

    def complaint(self, value: Any) -> str | None:  # noqa: ANN401 - arbitrary JSON
        """A run has run_type and inputs."""
        runs = list(_runs(value, Pointer()))
        return None if runs else f"no run with inputs whose run_type is one of {', '.join(sorted(_RUN_TYPES))}"

    def layout(self, value: Any) -> Layout:  # noqa: ANN401 - arbitrary JSON
        """Runs of one trace may stand on many lines."""
        return Layout.GROUPED if _is_run(value) else Layout.RECORD

    def keys(self, value: Any) -> Sequence[str]:  # noqa: ANN401 - arbitrary JSON
        """The trace of a run."""
        return (_trace_of_run(value),) if _is_run(value) else ()

    def read(self, raw: RawTrace, parts: Sequence[Any], values: ValueCache) -> Iterator[Trace]:
        """The traces in the order of their first run."""
        traces: dict[str, list[_Run]] = {}
        for number, part in enumerate(parts):
            for run in _runs(part, Pointer(number)):
                traces.setdefault(_trace_of_run(run.value), []).append(run)
        if not traces:
            raise RecordError("no run with run_type and inputs")
        for key, runs in traces.items():
            yield trace_of(_conversation(runs), key, values, _feedback(runs))


def _is_run(value: Any) -> bool:  # noqa: ANN401 - arbitrary JSON
    return isinstance(value, Mapping) and str(value.get("run_type")) in _RUN_TYPES and "inputs" in value


def _trace_of_run(run: Mapping[str, Any]) -> str:
    return str(run.get("trace_id") or run.get("parent_run_id") or run.get("id") or "")


def _runs(value: Any, at: Pointer) -> Iterator[_Run]:  # noqa: ANN401 - arbitrary JSON
    """All runs in a value, those inside others after them."""
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _runs(item, at.inside(number))
    elif isinstance(value, Mapping):
        if _is_run(value):
            yield _Run(value, at)
        for name in _WRAPPERS:
            if isinstance(value.get(name), list):
                yield from _within(value, name, at)


def _within(value: Mapping[str, Any], name: str, at: Pointer) -> Iterator[_Run]:
    above = _trace_of_run(value) if _is_run(value) else ""
    for run in _runs(value[name], at.inside(name)):
        known = above and not run.value.get("trace_id")
        yield _Run({**run.value, "trace_id": above}, run.at) if known else run


def _conversation(runs: Sequence[_Run]) -> tuple[Turn, ...]:
    talk = Conversation()
    ordered = sorted(runs, key=lambda run: run.order)
    if any(run.kind == "llm" for run in ordered):
        for run in ordered:
            talk.extend(_turns(run))
    else:  # only the outer run was exported: it holds the whole conversation
        for run in ordered:
            talk.extend(_asked(run))
            talk.extend(_answered(run) if run.kind == "chain" else _turns(run))
    return talk.turns


def _turns(run: _Run) -> Iterator[Turn]:
    if run.kind == "llm":
        yield from _asked(run)
        yield from _answered(run)
    elif run.kind == "tool":
        yield from _tool(run)
    elif run.kind == "retriever":
        yield from _found(run)


def _asked(run: _Run) -> list[Turn]:
    inputs = run.value.get("inputs")
    for place in _INPUTS:
        found, at = lookup(inputs, place), run.at.inside("inputs", *place)
        if isinstance(found, list) and len(found) == 1 and isinstance(found[0], list):
            found, at = found[0], at.inside(0)
        if isinstance(found, list) and found:
            return _messages(found, at)
    text = _plain_text(inputs)
    return [Turn(TurnKind.USER, run.at.inside("inputs"), text)] if text else []


def _answered(run: _Run) -> list[Turn]:
    outputs = run.value.get("outputs")
    whole = lookup(outputs, ("messages",))
    if isinstance(whole, list) and whole:
        return _messages(whole, run.at.inside("outputs", "messages"))
    for place in _ANSWERS:
        found = lookup(outputs, place)
        if isinstance(found, Mapping):
            return _messages([found], run.at.inside("outputs", *place[:-1]), only=place[-1])
    text = lookup(outputs, ("generations", 0, 0, "text")) or _plain_text(outputs)
    return [Turn(TurnKind.ANSWER, run.at.inside("outputs"), str(text))] if text else []


def _messages(found: Sequence[Any], at: Pointer, only: Step | None = None) -> list[Turn]:
    turns: list[Turn] = []
    for number, message in enumerate(found):
        here = at.inside(number if only is None else only)
        if fields_of(message) is not None:
            turns += message_turns(message, here)
        elif is_message(message):
            turns += chat_turns(message, here)
        else:
            raise RecordError(f"{here.text}: expected a message, found {type(message).__name__}")
    return turns


def _tool(run: _Run) -> Iterator[Turn]:
    """A tool's run. Its result is dropped where the next request tells it with the same call id."""
    outputs, name = run.value.get("outputs"), str(run.value.get("name") or "")
    found = lookup(outputs, ("output",)) if isinstance(outputs, Mapping) and "output" in outputs else outputs
    fields = fields_of(found)
    if fields is not None:
        yield from message_turns({**fields, "name": fields.get("name") or name}, run.at.inside("outputs", "output"))
        return
    if found is None and run.value.get("error"):
        found = run.value["error"]
    if found is not None:
        text = found if isinstance(found, str) else json.dumps(found, ensure_ascii=False)
        asked = parse_arguments(lookup(run.value, ("inputs", "input")) or run.value.get("inputs"))
        call_id = str(lookup(run.value, ("extra", "tool_call_id")) or "")
        at = run.at.inside("outputs")
        yield Turn(TurnKind.RESULT, at, text, tool=name, arguments=asked, call_id=call_id)


def _found(run: _Run) -> Iterator[Turn]:
    documents = lookup(run.value, ("outputs", "documents"))
    for number, document in enumerate(documents if isinstance(documents, list) else ()):
        fields = lookup(document, ("kwargs",)) or document
        text, about = lookup(fields, ("page_content",)), lookup(fields, ("metadata",))
        if isinstance(text, str):
            origin = str(lookup(about, ("source",)) or run.value.get("name") or "")
            yield Turn(TurnKind.RETRIEVED, run.at.inside("outputs", "documents", number), text, tool=origin)


def _plain_text(value: Any) -> str:  # noqa: ANN401 - arbitrary JSON
    found = next((lookup(value, (name,)) for name in _TEXTS if isinstance(lookup(value, (name,)), str)), None)
    return found or ""


def _feedback(runs: Sequence[_Run]) -> str:
    stats = next((run.value["feedback_stats"] for run in runs if run.value.get("feedback_stats")), None)
    told = stats if isinstance(stats, Mapping) else {}
    means = {str(name): lookup(item, ("avg",)) for name, item in told.items()}
    return ", ".join(f"{name} {mean:g}" for name, mean in means.items() if isinstance(mean, int | float))
