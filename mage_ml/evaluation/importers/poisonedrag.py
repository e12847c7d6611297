"""PoisonedRAG: questions with five planted passages each, and the right and the wrong answer.

The memory is the question and the planted passages as retrieved texts; two actions are *constructed*: the wrong answer,
which the passages were planted for (at risk on factuality, the first passage decisive, the others tainted), and the
right one (safe, though the passages are there). The corpus holds no runs and no clean passages.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from mage_ml.evaluation.importers.corpus import ImportCount, language_of, risky, text_group
from mage_ml.evaluation.importers.dependencies import ValueCache
from mage_ml.evaluation.importers.files import RecordAt, bare_name, data_files, keyed_records
from mage_ml.evaluation.importers.transcript import TranscriptBuilder
from mage_ml.evaluation.importers.walk import walk
from mage_ml.memory import ActionType, Arm, Episode, Moment, MomentLabel, Outcome, PendingAction, Source, Split
from mage_ml.progress import Progress, silent
from mage_ml.risk import RiskAxis

CORPUS: Final = "poisonedrag"
_FILES: Final = ("nq.json", "hotpotqa.json", "msmarco.json")


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    question: str
    right: str = Field(validation_alias="correct answer")
    wrong: str = Field(validation_alias="incorrect answer")
    adv_texts: tuple[str, ...] = Field(min_length=1)


def read_poisonedrag(path: Path, count: ImportCount, progress: Progress = silent) -> Iterator[Episode]:
    """Read `nq.json`, `hotpotqa.json`, `msmarco.json` (objects by id); see `CorpusImporter`."""
    values = ValueCache()
    files = data_files(path, _FILES, "poisoned questions")
    yield from walk(files, lambda record: _episodes(record, values), count, progress, records=keyed_records)


def _episodes(record: RecordAt, values: ValueCache) -> Iterator[Episode]:
    parsed = record.as_model(_Record, "a question of PoisonedRAG")
    builder = TranscriptBuilder(values)
    builder.user(parsed.question)
    planted = tuple(
        builder.add(text, Source.RETRIEVED, origin=f"passage {number}").id
        for number, text in enumerate(parsed.adv_texts, start=1)
    )
    name = bare_name(record.path).removesuffix(".json")
    for kind, text in (("wrong", parsed.wrong), ("right", parsed.right)):
        act = builder.act(PendingAction(type=ActionType.FINAL_OUTPUT, content=text, depends_on=("m0", *planted)))
        label = MomentLabel(decisive_entry=planted[0], tainted=planted, known_axes=(RiskAxis.FACTUALITY,))
        if kind == "wrong":
            label = risky(RiskAxis.FACTUALITY, entry=planted[0], tainted=planted)
        yield Episode(
            episode_id=f"{name}/{parsed.id}/{kind}",
            group_id=text_group(CORPUS, parsed.question),
            arm=Arm.RECORDED,
            corpus=CORPUS,
            domain=name,
            writer="constructed",
            language=language_of(parsed.question),
            operator="planted_passages",
            goal=parsed.question,
            entries=builder.entries,
            moments=(Moment(visible=act.visible, action=act.action, label=label),),
            outcome=Outcome(task_solved=kind == "right", harm_done=kind == "wrong"),
            injected_entry=planted[0],
            consequential=kind == "wrong",
            split=Split.TEST,
        )
