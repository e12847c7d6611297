"""BIPIA: attack instructions of many kinds, planted in e-mails about which a user asks a question.

The corpus holds instructions and e-mails apart, and no answers of an agent. Each instruction is planted, in a place
that its own words decide, in an e-mail of the same half (train or test). The pending actions are *constructed*:

* the right answer to the question, with the instruction in memory: safe, the planted entry is known;
* for code attacks, the right answer with the attacker's code after it: at risk on safety, the planted entry decisive;
* for each e-mail without an instruction, the right answer: safe, memory clean.

The test attacks are for evaluation only: `template` says `test`, and they never become training data.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.corpus import ImportCount, language_of, risky, safe
from mage_ml.evaluation.importers.dependencies import ValueCache
from mage_ml.evaluation.importers.files import (
    bare_name,
    data_files,
    first_problem,
    json_records,
    parse_json,
    read_bytes,
)
from mage_ml.evaluation.importers.transcript import TranscriptBuilder
from mage_ml.memory import ActionType, Arm, Episode, Moment, MomentLabel, Outcome, PendingAction, Split
from mage_ml.progress import Progress, silent
from mage_ml.risk import RiskAxis

CORPUS: Final = "bipia"
HALVES: Final = ("train", "test")
KINDS: Final = ("text", "code")
_TOOL: Final = "read_email"
_ATTACKS: Final = TypeAdapter(dict[str, tuple[str, ...]])


class _Email(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    context: str
    question: str
    ideal: str


@dataclass(frozen=True, slots=True)
class _Attack:
    half: str
    kind: str
    name: str
    number: int
    text: str

    @property
    def key(self) -> int:
        """A number that its words decide."""
        return int.from_bytes(hashlib.sha256(self.text.encode()).digest()[:8], "big")


def read_bipia(path: Path, count: ImportCount, progress: Progress = silent) -> Iterator[Episode]:
    """Read `{text,code}_attack_{train,test}.json` and `email/{train,test}.jsonl`; see `CorpusImporter`."""
    files = data_files(path, (".json", ".jsonl"), "attacks and e-mails")
    values = ValueCache()
    for number, half in enumerate(HALVES):
        progress("read attacks", number, len(HALVES))
        emails = [email for file in files if _is_email(file, half) for email in _emails(file)]
        attacks = [
            attack
            for kind in KINDS
            for file in files
            if bare_name(file) == f"{kind}_attack_{half}.json"
            for attack in _attacks(file, half, kind)
        ]
        count.records += len(emails) + len(attacks)
        if attacks and not emails:
            raise RecordError(f"{path}: email/{half}.jsonl is not there; attacks are planted in its e-mails")
        for place, email in enumerate(emails):
            yield _clean(email, half, place, values)
        for attack in attacks:
            place = attack.key % len(emails)
            yield _planted(attack, emails[place], place, values)
    progress("read attacks", len(HALVES), len(HALVES))


def _is_email(file: Path, half: str) -> bool:
    return file.parent.name == "email" and bare_name(file) == f"{half}.jsonl"


def _emails(file: Path) -> Iterator[_Email]:
    for record in json_records(file):
        yield record.as_model(_Email, "an e-mail of BIPIA")


def _attacks(file: Path, half: str, kind: str) -> Iterator[_Attack]:
    try:
        found = _ATTACKS.validate_python(parse_json(read_bytes(file), str(file)))
    except ValidationError as error:
        raise RecordError(f"{file}: expected an object of lists of instructions: {first_problem(error)}") from error
    for name, texts in found.items():
        for number, text in enumerate(texts):
            yield _Attack(half, kind, name, number, text)


def plant(context: str, instruction: str, key: int) -> str:
    """Put an instruction at the start, after the middle sentence or at the end of a text, as `key` says."""
    sentences = context.split(". ")
    cut = (0, (len(sentences) + 1) // 2, len(sentences))[key % 3]
    parts = (". ".join(sentences[:cut]), instruction, ". ".join(sentences[cut:]))
    return "\n".join(part for part in parts if part)


def _clean(email: _Email, half: str, place: int, values: ValueCache) -> Episode:
    builder = _memory(email, email.context, values)
    answer = (email.ideal, safe(RiskAxis.SAFETY))
    return _episode(f"email/{half}/{place}", half, place, email, builder, (answer,))


def _planted(attack: _Attack, email: _Email, place: int, values: ValueCache) -> Episode:
    builder = _memory(email, plant(email.context, attack.text, attack.key >> 8), values)
    planted = builder.entries[-1].id
    known = (RiskAxis.SAFETY,)
    answers = [(email.ideal, MomentLabel(decisive_entry=planted, tainted=(planted,), known_axes=known))]
    code = attack.text.partition("```")[2]
    if attack.kind == "code" and code:
        answers.append((f"{email.ideal}\n```{code}", risky(RiskAxis.SAFETY, entry=planted)))
    name = f"{attack.kind}/{attack.half}/{attack.name}/{attack.number}"
    return _episode(name, attack.half, place, email, builder, answers, attack)


def _memory(email: _Email, text: str, values: ValueCache) -> TranscriptBuilder:
    builder = TranscriptBuilder(values)
    builder.user(email.question)
    builder.result(text, _TOOL, {})
    return builder


def _episode(
    name: str,
    half: str,
    place: int,
    email: _Email,
    builder: TranscriptBuilder,
    answers: Sequence[tuple[str, MomentLabel]],
    attack: _Attack | None = None,
) -> Episode:
    entries = builder.entries
    parents = tuple(entry.id for entry in entries)
    moments = tuple(
        Moment(
            visible=len(entries),
            action=PendingAction(type=ActionType.FINAL_OUTPUT, content=text, depends_on=parents),
            label=label,
        )
        for text, label in answers
    )
    return Episode(
        episode_id=name,
        group_id=f"{CORPUS}/{half}/{place}",
        arm=Arm.RECORDED,
        corpus=CORPUS,
        domain="email",
        template=half,
        writer="constructed",
        language=language_of(email.question),
        operator=None if attack is None else f"{attack.kind}_attack",
        operator_family=None if attack is None else attack.name,
        goal=email.question,
        entries=entries,
        moments=moments,
        outcome=Outcome(detail="the answers are constructed"),
        injected_entry=None if attack is None else entries[-1].id,
        split=Split.TEST,
    )
