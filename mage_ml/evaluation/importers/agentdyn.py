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
from mage_ml.evaluation.importers.dependencies import ValueCache
from mage_ml.evaluation.importers.goals import GoalBook
from mage_ml.evaluation.importers.run_reader import RunReader
from mage_ml.evaluation.importers.runs import RunAt, read_runs, run_files
from mage_ml.memory import Episode
from mage_ml.progress import Progress, silent

CORPUS: Final = "agentdyn"


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
        reader = RunReader(item, book, self._values, corpus=CORPUS, tasks=CORPUS, reworded=self.reworded)
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
