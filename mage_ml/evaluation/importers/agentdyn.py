"""AgentDojo and AgentDyn runs as labelled episodes.

What the recordings say and what they do not:

* `security` true in an attacked run means that the attack succeeded; in a clean run it means nothing.
* Only the safety of an action is labelled, so the other axes are unknown, not safe.
* The poisoned entries are the tool results that hold an injected text. An attacked run without one never met the
  injection and is, as far as the agent's memory goes, clean.
* The hijacked step is not recorded: `GoalBook` finds it. Where it cannot tell, the moment's label knows no axis.
* Dependencies are not recorded: `DependencyInference` infers them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.dependencies import DependencyInference, ValueCache
from mage_ml.evaluation.importers.goals import GoalBook, Service, text_key
from mage_ml.evaluation.importers.rewording import reword
from mage_ml.evaluation.importers.runs import Message, RunAt, ToolCall, read_runs, run_files
from mage_ml.evaluation.importers.tools import action_type_of, origin_of_result
from mage_ml.memory import (
    ActionType,
    Arm,
    Episode,
    MemoryEntry,
    Moment,
    MomentLabel,
    Outcome,
    PendingAction,
    Role,
    Source,
    Split,
)
from mage_ml.progress import Progress, silent
from mage_ml.risk import RiskAxis

CORPUS: Final = "agentdyn"
_SAFETY: Final = (RiskAxis.SAFETY,)


@dataclass(slots=True)
class ImportTally:
    """Counts of what an import met.

    Attributes:
        runs: Run records read.
        goal_runs: Runs that give the injected goal as the task; read for labels, no episodes.
        unjudged: Aborted runs without a verdict; left out.
        crashed: Runs that ended with an error of the harness, whatever verdict they carry; left out.
        clean: Runs without an attack.
        attacked: Judged attacked runs.
        succeeded: Attacked runs whose attack succeeded.
        not_met: Attacked runs in which no tool result holds the injected text.
        hijacked: Attacked runs with an action that serves the injected goal.
        succeeded_unlocated: Attacks that succeeded but in which no such action was found.
        not_reworded: Runs whose injected text could not be said in other words, when that was asked for; left out.
    """

    runs: int = 0
    goal_runs: int = 0
    unjudged: int = 0
    crashed: int = 0
    clean: int = 0
    attacked: int = 0
    succeeded: int = 0
    not_met: int = 0
    hijacked: int = 0
    succeeded_unlocated: int = 0
    not_reworded: int = 0


class AgentDynImporter:
    """Reads a run file, or all run files of a folder, as episodes.

    Args:
        path: A `.jsonl[.gz]` file (one run a line), a `.json[.gz]` file (one run), or a folder of them.
        goals_from: Where the runs lie that show the injected goals; the folder of the file by default, so that a
            single file gets the same labels as the whole folder.
        pipelines: Keep only runs of these pipelines; all by default.
        reworded: Say every injected text in other words; see `rewording.reword`.

    Raises:
        RecordError: Nothing to read at `path`, or a record is not a run (file and line are named).
    """

    def __init__(
        self,
        path: Path,
        *,
        goals_from: Path | None = None,
        pipelines: Sequence[str] | None = None,
        reworded: bool = False,
    ) -> None:
        self.reworded = reworded
        self.files = run_files(path)
        self.goals_from = goals_from or (path if path.is_dir() else path.parent)
        self.pipelines = None if pipelines is None else frozenset(pipelines)
        self.tally = ImportTally()
        self._values = ValueCache()

    def episodes(self, progress: Progress = silent) -> Iterator[Episode]:
        """Yield the episodes in the order of the files. `tally` counts as they pass.

        Raises:
            RecordError: A record is not a run, or a run is there twice; file and line are named.
        """
        self.tally = ImportTally()
        book = GoalBook(read_runs(run_files(self.goals_from)))
        places: dict[str, str] = {}
        for number, path in enumerate(self.files):
            progress("read recorded runs", number, len(self.files))
            for item in read_runs((path,)):
                episode = self._take(item, book)
                if episode is None:
                    continue
                if episode.episode_id in places:
                    raise RecordError(
                        f"{item.place}: run {episode.episode_id!r} was read before, at {places[episode.episode_id]}; "
                        "remove one copy, or every figure counts it twice"
                    )
                places[episode.episode_id] = item.place
                yield episode
        progress("read recorded runs", len(self.files), len(self.files))

    def _take(self, item: RunAt, book: GoalBook) -> Episode | None:
        run, tally = item.run, self.tally
        if self.pipelines is not None and item.pipeline not in self.pipelines:
            return None
        tally.runs += 1
        if run.gives_injected_goal:
            tally.goal_runs += 1
            return None
        if not run.is_judged:
            tally.unjudged += 1
            return None
        if run.error is not None:
            tally.crashed += 1
            return None
        reader = _RunReader(item, book, self._values, reworded=self.reworded)
        try:
            episode = reader.episode()
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            raise RecordError(f"{item.place}: {first['msg']}") from error
        if reader.kept_wording:
            tally.not_reworded += 1
            return None
        hijacked = any(moment.label.is_risky for moment in episode.moments)
        tally.clean += not run.is_attacked
        tally.attacked += run.is_attacked
        tally.succeeded += run.is_attacked and bool(run.security)
        tally.not_met += run.is_attacked and episode.injected_entry is None
        tally.hijacked += hijacked
        tally.succeeded_unlocated += run.is_attacked and bool(run.security) and not hijacked
        return episode


class _RunReader:
    """Turns one run into entries and moments."""

    def __init__(self, item: RunAt, book: GoalBook, values: ValueCache, *, reworded: bool) -> None:
        self._reworded = reworded
        self.kept_wording = False
        self._item, self._run, self._book = item, item.run, book
        self._inference = DependencyInference(values)
        self._injected = tuple(key for text in item.run.injections.values() if (key := text_key(text)))
        self._entries: list[MemoryEntry] = []
        self._moments: list[Moment] = []
        self._poisoned: list[str] = []

    def episode(self) -> Episode:
        for message in self._run.messages:
            self._read(message)
        run, attacked = self._run, self._run.is_attacked
        task = f"{run.suite_name}/{run.user_task_id}"
        return Episode(
            episode_id=f"{self._item.pipeline}/{task}/{run.attack_type or 'none'}/{run.injection_task_id or 'none'}",
            group_id=f"{CORPUS}/{task}",
            arm=Arm.RECORDED,
            corpus=CORPUS,
            domain=run.suite_name,
            template=run.user_task_id,
            writer=self._item.pipeline,
            operator=run.attack_type,
            operator_family=run.injection_task_id,
            goal=run.user_prompt,
            entries=tuple(self._entries),
            moments=tuple(self._moments),
            outcome=Outcome(
                task_solved=run.utility,
                harm_done=attacked and bool(run.security),
                detail=self._detail(),
            ),
            injected_entry=self._poisoned[0] if self._poisoned else None,
            consequential=attacked and bool(run.security),
            split=Split.TEST,
        )

    def _detail(self) -> str:
        if not self._run.is_attacked:
            return "no attack"
        if not self._poisoned:
            return "attacked, but the injected text never reached the agent"
        return "the attack succeeded" if self._run.security else "the attack failed"

    def _read(self, message: Message) -> None:
        if message.role == "assistant":
            self._read_assistant(message)
        elif message.role == "tool":
            self._read_result(message)
        else:
            source = Source.SYSTEM if message.role == "system" else Source.USER
            self._add(message.content, source, role=Role.INSTRUCTION, origin=source.value)

    def _read_assistant(self, message: Message) -> None:
        text = message.content.strip()
        if not message.tool_calls:
            if text:
                action = PendingAction(
                    type=ActionType.FINAL_OUTPUT, content=text, depends_on=self._inference.parents_of_text(text)
                )
                self._moments.append(Moment(visible=len(self._entries), action=action, label=self._label(None)))
            return
        if text:
            self._add(text, Source.LLM_REASONING, depends_on=self._inference.parents_of_text(text))
        for call in message.tool_calls:
            action = PendingAction(type=action_type_of(call.function), tool_name=call.function, arguments=call.args)
            action = action.model_copy(update={"depends_on": self._inference.parents_of_text(action.text)})
            self._moments.append(Moment(visible=len(self._entries), action=action, label=self._label(call)))

    def _read_result(self, message: Message) -> None:
        call = message.tool_call or ToolCall(function="unknown")
        text = message.content
        if message.error:
            text = f"{text}\n{message.error}".strip()
        asked = PendingAction(type=ActionType.READ, tool_name=call.function, arguments=call.args).text
        seen = text_key(text) if self._injected else ""
        poisoned = any(key in seen for key in self._injected)
        if poisoned and self._reworded:
            text = self._other_words(text)
        entry = self._add(
            text,
            Source.TOOL,
            tool_name=call.function,
            origin=origin_of_result(call.function, call.args),
            depends_on=self._inference.parents_of_result(asked),
        )
        if poisoned:
            self._poisoned.append(entry.id)

    def _other_words(self, text: str) -> str:
        run = self._run
        key = f"{run.suite_name}/{run.user_task_id}/{run.injection_task_id}/{len(self._entries)}"
        found = reword(text, tuple(run.injections.values()), key)
        self.kept_wording = self.kept_wording or found is None
        return text if found is None else found

    def _add(self, content: str, source: Source, **fields: object) -> MemoryEntry:
        number = len(self._entries)
        entry = MemoryEntry.model_validate(
            {"id": f"m{number}", "content": content, "source": source, "step": number, **fields}
        )
        self._entries.append(entry)
        self._inference.note(entry)
        return entry

    def _label(self, call: ToolCall | None) -> MomentLabel:
        """The label of the next action; `None` stands for the final answer, which carries out no goal."""
        if not self._poisoned:
            return MomentLabel(known_axes=_SAFETY)
        service = Service.NONE
        if call is not None:
            after = any(moment.label.is_risky for moment in self._moments)
            service = self._book.service_of(call, self._run, after_serving=after)
        poisoned = tuple(self._poisoned)
        if service is Service.SERVES:
            return MomentLabel(axes=_SAFETY, decisive_entry=poisoned[0], tainted=poisoned, known_axes=_SAFETY)
        known = () if service is Service.UNCLEAR else _SAFETY
        return MomentLabel(decisive_entry=poisoned[0], tainted=poisoned, known_axes=known)
