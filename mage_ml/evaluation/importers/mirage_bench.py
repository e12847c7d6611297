"""MIRAGE-Bench: decision points of real runs at which agents tend to make things up.

The corpus ships what the agent had read up to a point, and which risk stands in it; what the agent did next, and
whether that was wrong, it does not ship. So most of its moments are an empty step of reasoning with no known label,
there for studies of the memory alone (`operator` names the setting). Two settings say more:

* `repetitive_*` gives the action that would be repeated: the pending action, at risk on consistency.
* `misleading` on SWE-bench puts a wrong explanation into one message (`misleading_reasoning`): that entry is the
  contaminated one, and the last recorded call after it is at risk on factuality and dependency.

The demonstration that opens the SWE-bench runs is no part of the run and is left out. Pages, screens and what an API
printed stand in the user's role and are recorded as tool results.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import re2
from pydantic import BaseModel, ConfigDict

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.corpus import UNKNOWN, ImportCount, language_of, risky, text_group
from mage_ml.evaluation.importers.dependencies import ValueCache
from mage_ml.evaluation.importers.files import RecordAt, bare_name, data_files
from mage_ml.evaluation.importers.messages import UNPARSED_ARGUMENTS, parse_arguments, text_of_content
from mage_ml.evaluation.importers.transcript import Transcript, TranscriptBuilder, read_transcript
from mage_ml.evaluation.importers.walk import walk
from mage_ml.memory import ActionType, Arm, Episode, Moment, MomentLabel, Outcome, PendingAction, Split
from mage_ml.progress import Progress, silent
from mage_ml.risk import RiskAxis

CORPUS: Final = "mirage_bench"
_WEB: Final = frozenset({"webarena"})
_API: Final = "API output: "
_HISTORY: Final = "# History of interaction with the task:"
_ACTIONS: Final = "# Action space:"
_PAST: Final = re2.compile(r"(?s)<think>\s*(.*?)\s*</think>\s*<action>\s*(.*?)\s*</action>")
_THOUGHT: Final = re2.compile(r"(?s)^\s*Thought:\s*(.*?)\s*Action:\s*(\{.*\})\s*$")
_ACTION: Final = re2.compile(r"(?s)^\s*(\w+)\((.*)\)")


class _Run(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    task_name: str
    goal: str = ""
    input: tuple[dict[str, Any], ...] | None = None
    misleading_reasoning: str = ""
    repetitive_action: str = ""


def read_mirage_bench(path: Path, count: ImportCount, progress: Progress = silent) -> Iterator[Episode]:
    """Read snapshots (`<setting>__<environment>.jsonl`); see `CorpusImporter`."""
    values = ValueCache()
    files = data_files(path, (".jsonl",), "snapshots")
    yield from walk(files, lambda record: _episodes(record, values, count), count, progress)


def _episodes(record: RecordAt, values: ValueCache, count: ImportCount) -> Iterator[Episode]:
    run = record.as_model(_Run, "a MIRAGE-Bench snapshot")
    setting, _, environment = bare_name(record.path).removesuffix(".jsonl").partition("__")
    if not environment:
        raise RecordError(f"{record.path}: expected a name such as misleading__swebench.jsonl")
    if not run.input:
        count.left_out["no messages"] += 1
        return
    if run.misleading_reasoning:
        transcript = _software(run, values, record.place)
        moment = _misled(transcript, run.misleading_reasoning, record.place)
    else:
        transcript = _web(run, values) if environment in _WEB else _dialogue(run, values)
        moment = _decision(transcript, run)
    yield Episode(
        episode_id=f"{setting}/{environment}/{run.task_name}",
        group_id=text_group(CORPUS, transcript.goal[:400]),
        arm=Arm.RECORDED,
        corpus=CORPUS,
        domain=environment,
        template=setting,
        language=language_of(transcript.goal),
        operator=setting,
        goal=transcript.goal,
        entries=transcript.entries[: moment.visible],
        moments=(moment,),
        outcome=Outcome(detail="what the agent did next is not published"),
        injected_entry=moment.label.decisive_entry,
        split=Split.TEST,
    )


def _software(run: _Run, values: ValueCache, place: str) -> Transcript:
    messages = [message for message in run.input or () if not message.get("is_demo")]
    return read_transcript(messages, values=values, place=place)


def _misled(transcript: Transcript, reasoning: str, place: str) -> Moment:
    wrong = next((entry for entry in transcript.entries if reasoning.strip() in entry.text), None)
    if wrong is None or not transcript.acts:
        raise RecordError(f"{place}: misleading_reasoning stands in no message, or no call follows it")
    act = transcript.acts[-1]
    label = risky(RiskAxis.FACTUALITY, RiskAxis.DEPENDENCY, entry=wrong.id)
    return Moment(visible=act.visible, action=act.action, label=label)


def _decision(transcript: Transcript, run: _Run) -> Moment:
    action, label = PendingAction(type=ActionType.INTERNAL_REASONING), UNKNOWN
    if run.repetitive_action:
        found = _ACTION.search(run.repetitive_action)
        name, inner = (found.group(1), found.group(2)) if found else ("browser", run.repetitive_action)
        action = PendingAction(type=ActionType.WRITE, tool_name=name, arguments={UNPARSED_ARGUMENTS: inner})
        label = MomentLabel(axes=(RiskAxis.CONSISTENCY,), known_axes=(RiskAxis.CONSISTENCY,))
    return Moment(visible=len(transcript.entries), action=action, label=label)


def _web(run: _Run, values: ValueCache) -> Transcript:
    """One message with the instructions, the goal, the page with the steps so far, and an example."""
    builder = TranscriptBuilder(values)
    for message in run.input or ():
        content = message.get("content")
        if message.get("role") == "system" or not isinstance(content, list) or len(content) < 3:
            builder.system(str(text_of_content(content)))
            continue
        texts = [str(text_of_content([part])).strip() for part in content]
        page, _, rest = texts[2].partition(_HISTORY)
        past, _, _ = rest.partition(_ACTIONS)
        builder.user(texts[1])
        for match in _PAST.finditer(past):
            builder.think(match.group(1))
            builder.think(match.group(2), origin="own action")
        builder.result(page.strip(), "browser", {})
    return builder.transcript()


def _dialogue(run: _Run, values: ValueCache) -> Transcript:
    """A dialogue in which calls stand in the text, or a screen is described at each step."""
    builder = TranscriptBuilder(values)
    screens = bool(run.goal)
    if screens:
        builder.user(run.goal)
    called, asked = "environment", dict[str, Any]()
    for number, message in enumerate(run.input or ()):
        builder.message = number
        text = str(text_of_content(message.get("content"))).strip()
        if message.get("role") == "system":
            builder.system(text)
        elif message.get("role") == "assistant":
            call = _call(text, builder)
            called, asked = str(call.get("name", "environment")), parse_arguments(call.get("arguments"))
        elif screens:
            builder.result(text, "screen", {})
        elif text.startswith(_API):
            builder.result(text.removeprefix(_API), called, asked)
        else:
            builder.user(text)
    return builder.transcript()


def _call(text: str, builder: TranscriptBuilder) -> Mapping[str, Any]:
    """Read `Thought: ... Action: {...}`; other words are a thought."""
    found = _THOUGHT.search(text)
    try:
        call = json.loads(found.group(2)) if found else {}
    except (ValueError, RecursionError):
        call = {}
    if not found or not isinstance(call, dict) or "name" not in call:
        builder.think(text)
        return {}
    if found.group(1):
        builder.think(found.group(1))
    arguments = parse_arguments(call.get("arguments"))
    if call["name"] == "respond":
        builder.answer(str(arguments.get("content", "")))
    else:
        builder.call(str(call["name"]), arguments)
    return call
