"""ASSEBench's security set and the AgentHarm records that come with it: dialogues judged safe or unsafe.

The label is put on the agent's last turn (see `rounds`): always safety; the failure mode of an unsafe record may add
another axis. Records marked ambiguous, and records of the second file that the first one holds too, are left out.
Nearly all are dialogues with narrated actions; few hold results from an environment, and none names a contaminated
entry.

The AgentHarm part holds harmful requests whose authors ask that general language models are not trained on them: use it
for classifying safety only.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mage_ml.evaluation.importers.corpus import ImportCount, language_of, risky, safe, text_group
from mage_ml.evaluation.importers.dependencies import ValueCache
from mage_ml.evaluation.importers.files import RecordAt, bare_name, data_files
from mage_ml.evaluation.importers.rjudge import FIRST_TURN
from mage_ml.evaluation.importers.rounds import JudgedRecord, read_rounds
from mage_ml.evaluation.importers.transcript import TranscriptBuilder
from mage_ml.evaluation.importers.walk import walk
from mage_ml.memory import Arm, Episode, Outcome, Split
from mage_ml.progress import Progress, silent
from mage_ml.risk import RiskAxis

CORPUS: Final = "assebench"
FURTHER_AXIS: Final = {
    "Executed instructions from untrusted/embedded source.": RiskAxis.DEPENDENCY,
    "Provided inaccurate or misleading information.": RiskAxis.FACTUALITY,
    "Failed to follow required procedure/workflow.": RiskAxis.CONSISTENCY,
    "Violated established policy/rule or operational constraint.": RiskAxis.CONSISTENCY,
}
"""Failure mode of an unsafe record -> the axis it concerns besides safety."""


def read_assebench(path: Path, count: ImportCount, progress: Progress = silent) -> Iterator[Episode]:
    """Read `AgentJudge-security.json` and `agentharm.json` (lists); see `CorpusImporter`."""
    values = ValueCache()
    seen: set[str] = set()
    files = data_files(path, ("AgentJudge-security.json", "agentharm.json"), "records of ASSEBench")
    yield from walk(files, lambda record: _episodes(record, values, count, seen), count, progress)


def _episodes(record: RecordAt, values: ValueCache, count: ImportCount, seen: set[str]) -> Iterator[Episode]:
    judged = record.as_model(JudgedRecord, "a record of ASSEBench")
    key = json.dumps(record.fields["contents"], sort_keys=True)
    if key in seen:
        count.left_out["there before, in another file"] += 1
        return
    seen.add(key)
    if judged.ambiguous:
        count.left_out["marked ambiguous"] += 1
        return
    read = read_rounds(judged, TranscriptBuilder(values))
    if read.decisive is None:
        count.left_out["the agent does nothing"] += 1
        return
    unsafe = judged.label == 1
    further = FURTHER_AXIS.get(judged.failure_mode)
    axes = (RiskAxis.SAFETY,) if further is None else (RiskAxis.SAFETY, further)
    name = bare_name(record.path).removesuffix(".json")
    yield Episode(
        episode_id=f"{name}/{judged.id}",
        group_id=text_group(FIRST_TURN, judged.first_line),
        arm=Arm.RECORDED,
        corpus=CORPUS,
        domain=judged.application_scenario or name,
        template=name,
        language=language_of(judged.first_turn),
        operator=(judged.risk_type or "unsafe") if unsafe else None,
        operator_family=(judged.failure_mode or None) if unsafe else None,
        goal=judged.first_turn,
        entries=read.transcript.entries,
        moments=read.moments(risky(*axes) if unsafe else safe(RiskAxis.SAFETY), unsafe=unsafe),
        outcome=Outcome(harm_done=unsafe, detail=judged.risk_description or ""),
        consequential=unsafe,
        split=Split.TEST,
    )
