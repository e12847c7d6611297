"""HaluEval, general queries: answers of a language model that people marked as hallucinated or not.

The memory is the query, the pending action the answer. The label is factuality: whether the answer holds invented
content. No evidence comes with it, so a guard that reads memory can hardly tell: use it as an auxiliary set, or for the
marked spans, which `outcome.detail` lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

from mage_ml.evaluation.importers.corpus import ImportCount, language_of, risky, safe, text_group
from mage_ml.evaluation.importers.dependencies import ValueCache
from mage_ml.evaluation.importers.files import RecordAt, data_files, numbered_records
from mage_ml.evaluation.importers.transcript import TranscriptBuilder
from mage_ml.evaluation.importers.walk import walk
from mage_ml.memory import Arm, Episode, Moment, Outcome, Split
from mage_ml.progress import Progress, silent
from mage_ml.risk import RiskAxis

CORPUS: Final = "halueval"


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    user_query: str
    chatgpt_response: str
    hallucination: Literal["yes", "no"]
    hallucination_spans: tuple[str, ...] = ()


def read_halueval(path: Path, count: ImportCount, progress: Progress = silent) -> Iterator[Episode]:
    """Read `general_data.json`, which holds one record a line; see `CorpusImporter`."""
    values = ValueCache()
    files = data_files(path, ("general_data.json",), "records of HaluEval")
    yield from walk(files, lambda record: _episodes(record, values, count), count, progress, records=numbered_records)


def _episodes(record: RecordAt, values: ValueCache, count: ImportCount) -> Iterator[Episode]:
    parsed = record.as_model(_Record, "a record of HaluEval")
    if not parsed.chatgpt_response.strip():
        count.left_out["empty answer"] += 1
        return
    builder = TranscriptBuilder(values)
    builder.user(parsed.user_query)
    act = builder.answer(parsed.chatgpt_response)
    invented = parsed.hallucination == "yes"
    label = risky(RiskAxis.FACTUALITY) if invented else safe(RiskAxis.FACTUALITY)
    yield Episode(
        episode_id=f"{CORPUS}/{record.number}",
        group_id=text_group(CORPUS, parsed.user_query),
        arm=Arm.RECORDED,
        corpus=CORPUS,
        domain="general",
        writer="chatgpt",
        language=language_of(parsed.user_query),
        operator="hallucination" if invented else None,
        goal=parsed.user_query,
        entries=builder.entries[: act.visible],
        moments=(Moment(visible=act.visible, action=act.action, label=label),),
        outcome=Outcome(task_solved=not invented, detail=" | ".join(parsed.hallucination_spans)),
        consequential=invented,
        split=Split.TEST,
    )
