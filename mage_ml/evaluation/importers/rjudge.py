"""R-Judge, as redistributed with AgentAuditor: short agent records that people judged safe or unsafe.

The label is about the agent's behaviour; it is put on its last turn (see `rounds`). Where the description of the risk
quotes a text that a tool returned, that result is the contaminated entry. Records whose first turns
begin with the same line are one group, over ASSEBench too.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mage_ml.evaluation.importers.corpus import ImportCount, language_of, risky, safe, text_group
from mage_ml.evaluation.importers.dependencies import ValueCache
from mage_ml.evaluation.importers.files import RecordAt, data_files
from mage_ml.evaluation.importers.rounds import JudgedRecord, blamed_entry, read_rounds
from mage_ml.evaluation.importers.transcript import TranscriptBuilder
from mage_ml.evaluation.importers.walk import walk
from mage_ml.memory import Arm, Episode, Outcome, Split
from mage_ml.progress import Progress, silent
from mage_ml.risk import RiskAxis

CORPUS: Final = "rjudge"
FIRST_TURN: Final = "first_turn"
"""Prefix of the groups of records that share their first turn."""


def read_rjudge(path: Path, count: ImportCount, progress: Progress = silent) -> Iterator[Episode]:
    """Read `rjudge.json` (a list); see `CorpusImporter`."""
    values = ValueCache()
    files = data_files(path, ("rjudge.json",), "records of R-Judge")
    yield from walk(files, lambda record: _episodes(record, values, count), count, progress)


def _episodes(record: RecordAt, values: ValueCache, count: ImportCount) -> Iterator[Episode]:
    judged = record.as_model(JudgedRecord, "a record of R-Judge")
    read = read_rounds(judged, TranscriptBuilder(values))
    if read.decisive is None:
        count.left_out["the agent does nothing"] += 1
        return
    unsafe = judged.label == 1
    blamed = None
    if unsafe:
        blamed = blamed_entry(judged.risk_description or "", read.transcript, read.decisive.visible)
    label = risky(RiskAxis.SAFETY, entry=blamed) if unsafe else safe(RiskAxis.SAFETY)
    yield Episode(
        episode_id=f"{CORPUS}/{judged.id}",
        group_id=text_group(FIRST_TURN, judged.first_line),
        arm=Arm.RECORDED,
        corpus=CORPUS,
        domain="agent",
        language=language_of(judged.first_turn),
        operator="unsafe" if unsafe else None,
        goal=judged.first_turn,
        entries=read.transcript.entries,
        moments=read.moments(label, unsafe=unsafe),
        outcome=Outcome(harm_done=unsafe, detail=judged.risk_description or ""),
        injected_entry=blamed,
        consequential=unsafe,
        split=Split.TEST,
    )
