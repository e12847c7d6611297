"""AgentDojo runs as the Invariant Explorer exports them: one file a model, clean and attacked runs of each user task.

* `security` true in an attacked run means that the attack succeeded; in a clean run it means nothing.
* The export names no injected text: it is what stands between the attack's own tags in a tool result. About a quarter
  of the attacked runs never show it; their memory is clean.
* Each suite has one injected goal. How serving it looks is learned from the attacks that succeeded, leaving out the
  calls that clean runs of the same user task make (`GoalBook`). Where that cannot tell, a moment's label is unknown.
* Only safety is labelled.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import re2
from pydantic import BaseModel, ConfigDict, ValidationError

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.corpus import ImportCount
from mage_ml.evaluation.importers.dependencies import ValueCache
from mage_ml.evaluation.importers.files import RecordAt, data_files, first_problem, json_records
from mage_ml.evaluation.importers.goals import GoalBook
from mage_ml.evaluation.importers.messages import TranscriptMessage
from mage_ml.evaluation.importers.run_reader import RunReader
from mage_ml.evaluation.importers.runs import INJECTED_GOAL_PREFIX, Message, RecordedRun, RunAt, ToolCall
from mage_ml.evaluation.importers.tools import argument_values
from mage_ml.memory import ActionType, Episode
from mage_ml.progress import Progress, silent

CORPUS: Final = "agentdojo_invariant"
TASKS: Final = "agentdojo"
TAGGED: Final = re2.compile(r"(?s)<INFORMATION>(.*?)</INFORMATION>")
"""The frame of the published attack."""
_FILE_PREFIX: Final = "agentdojo-"


class _Metadata(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    suite_name: str
    model: str
    user_task_id: str
    injection_task_id: str | None = None
    attack_type: str | None = None
    success: bool
    security: bool


class _Trace(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    messages: tuple[TranscriptMessage, ...]
    metadata: _Metadata


def read_agentdojo_invariant(path: Path, count: ImportCount, progress: Progress = silent) -> Iterator[Episode]:
    """Read the export; see `CorpusImporter`.

    How serving a goal looks is learned from the whole folder that a file lies in.
    """
    files = data_files(path, (".jsonl",), "exported traces")
    known = data_files(path if path.is_dir() else path.parent, (".jsonl",), "exported traces")
    runs = {file: tuple(_runs(file)) for file in dict.fromkeys((*known, *files))}
    book = GoalBook(successes_as_goals([item for file in known for item in runs[file]]))
    values = ValueCache()
    for number, file in enumerate(files):
        progress("read recorded runs", number, len(files))
        for item in runs[file]:
            count.records += 1
            reader = RunReader(item, book, values, corpus=CORPUS, tasks=TASKS)
            try:
                yield without_guesses(reader.episode())
            except ValidationError as error:
                raise RecordError(f"{item.place}: {first_problem(error)}") from error
    progress("read recorded runs", len(files), len(files))


def _runs(file: Path) -> Iterator[RunAt]:
    for record in json_records(file):
        if set(record.fields) == {"metadata"}:
            continue  # the head of an export: the name of the model, no run
        yield _run_of(record)


def _run_of(record: RecordAt) -> RunAt:
    trace = record.as_model(_Trace, "an exported AgentDojo trace")
    about = trace.metadata
    messages = tuple(message_of(message) for message in trace.messages)
    pipeline = record.path.name.split(".jsonl")[0].removeprefix(_FILE_PREFIX)
    run = RecordedRun(
        suite_name=about.suite_name,
        pipeline_name=about.model,
        user_task_id=about.user_task_id,
        injection_task_id=about.injection_task_id,
        attack_type=about.attack_type,
        injections=injected_texts(messages) if about.attack_type else {},
        messages=messages,
        utility=about.success,
        security=about.security,
    )
    return RunAt(run, record.path, record.number, pipeline)


def message_of(message: TranscriptMessage) -> Message:
    """A message in AgentDojo's own form."""
    calls = tuple(ToolCall(function=call.name, args=call.arguments, id=call.id) for call in message.tool_calls)
    answered = message.tool_call
    return Message(
        role=message.role,
        content=message.content,
        tool_calls=calls,
        tool_call=None if answered is None else ToolCall(function=answered.name, args=answered.arguments),
        error=message.error,
    )


def without_guesses(episode: Episode) -> Episode:
    """An attack that succeeded by a call that was not found: its writing calls are unlabelled then, not safe."""
    found = any(moment.label.is_risky for moment in episode.moments)
    if found or not episode.outcome.harm_done:
        return episode
    moments = tuple(
        moment.model_copy(update={"label": moment.label.model_copy(update={"known_axes": ()})})
        if moment.label.decisive_entry is not None and moment.action.type == ActionType.WRITE
        else moment
        for moment in episode.moments
    )
    return episode.model_copy(update={"moments": moments})


def injected_texts(messages: Sequence[Message]) -> Mapping[str, str]:
    """What stands between the attack's tags in tool results, numbered."""
    found = [text for message in messages if message.role == "tool" for text in TAGGED.findall(message.content)]
    return {f"found {number}": text for number, text in enumerate(dict.fromkeys(found))}


def successes_as_goals(runs: Sequence[RunAt]) -> Iterator[RunAt]:
    """The runs themselves, and each attack that succeeded as if its goal had been the user's task.

    Of a successful attack only what came after the injected text and no clean run of the same user task does is kept.
    """
    own: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
    for item in runs:
        if not item.run.is_attacked:
            own[_task(item)].update(_carried(item.run.calls))
    yield from runs
    for item in runs:
        if item.run.is_attacked and item.run.security and item.run.injections:
            yield _as_goal(item, own[_task(item)])


def _task(item: RunAt) -> tuple[str, str]:
    return item.run.suite_name, item.run.user_task_id


def _carried(calls: Sequence[ToolCall]) -> set[tuple[str, str]]:
    return {(call.function, value) for call in calls for _, value in argument_values(call.args)}


def _as_goal(item: RunAt, own: set[tuple[str, str]]) -> RunAt:
    run = item.run
    after = next(
        (
            number
            for number, message in enumerate(run.messages)
            if message.role == "tool" and TAGGED.search(message.content)
        ),
        len(run.messages),
    )
    calls = [call for message in run.messages[after:] for call in message.tool_calls]
    foreign = tuple(call for call in calls if _carried([call]) - own)
    goal = "\n".join(run.injections.values())
    fields: dict[str, Any] = {
        "user_task_id": run.injection_task_id or INJECTED_GOAL_PREFIX,
        "injection_task_id": None,
        "attack_type": None,
        "injections": {},
        "messages": (Message(role="user", content=goal), Message(role="assistant", tool_calls=foreign)),
        "utility": True,
    }
    return RunAt(run.model_copy(update=fields), item.path, item.line, item.pipeline)
