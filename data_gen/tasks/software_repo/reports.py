"""Texts in which the agent says what it found: reports, notes and comments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from data_gen.desk import once
from data_gen.tasks.software_repo.findings import Finding
from data_gen.tasks.software_repo.judgements import Judgements
from data_gen.tasks.software_repo.notebook import Notebook
from data_gen.tasks.software_repo.remarks import Cause, cause_note


@dataclass(frozen=True, slots=True)
class Text:
    """A text for somebody, and the entries it was made from."""

    text: str
    used: tuple[str, ...]


class Reports:
    """Words what the agent's memory holds."""

    def __init__(self, notebook: Notebook, judgements: Judgements) -> None:
        self.book = notebook
        self.task = notebook.task
        self.judgements = judgements

    def findings(self, index: int, purpose: str) -> Text:
        """What is told of a job, as memory now has it."""
        rng, writer = self.book.session.rng("findings", index, purpose), self.book.writer
        job, lines = self.book.jobs()[index], []
        used: list[str] = []
        for key in job.tells:
            reading = self.book.value(index, key)
            lines.append(writer.word(Finding(job.finding(key).topic, reading.value), rng))
            used += reading.used
        return Text("\n".join(lines), once(used))

    def body(self, name: str) -> Text:
        """A report to somebody."""
        rng, writer = self.book.session.rng("body"), self.book.writer
        parts = [self.findings(index, "message") for index in range(len(self.task.jobs))]
        lines = [writer.say("greeting", rng, name=name), writer.say("intro", rng), *(part.text for part in parts)]
        used = [entry_id for part in parts for entry_id in part.used]
        if self.task.wants_cause:
            cause = self.judgements.cause()
            lines.append(writer.word(cause_note(self.task.service, Cause(str(cause.value) or None)), rng))
            used += cause.used
        return Text("\n".join([*lines, writer.say("closing", rng)]), once(used))


def letter(to: Sequence[str], cc: Sequence[str], text: str) -> dict[str, JsonValue]:
    """The arguments of a message."""
    arguments: dict[str, JsonValue] = {"to": list(to), "text": text}
    return {**arguments, "cc": list(cc)} if cc else arguments
