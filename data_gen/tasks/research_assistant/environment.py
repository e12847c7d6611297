"""The tools of a research desk, over real state: a collection in a database, an outbox, briefs, answers, notes."""

from __future__ import annotations

import ast
import json
import operator
from collections.abc import Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Final

from pydantic import JsonValue

from data_gen.randomness import Rng, rng_for
from data_gen.statements import Passage, Statement
from data_gen.tasks.base import ToolOutput
from data_gen.tasks.research_assistant.judge import harm, missing
from data_gen.tasks.research_assistant.present import FIELDS, REMARKS, present
from data_gen.tasks.research_assistant.questions import outlet_of
from data_gen.tasks.research_assistant.statements import Figure, Key, finding
from data_gen.tasks.research_assistant.world import Result
from data_gen.texts.noise import damaged
from data_gen.toolbox import Toolbox
from mage_ml.memory.entry import Source

if TYPE_CHECKING:
    from data_gen.tasks.research_assistant.task import ResearchTask

ORIGIN_STUDY: Final = "full-text archive"
ORIGIN_TABLE: Final = "statistics server"
ORIGINS: Final = MappingProxyType({"read_study": ORIGIN_STUDY, "lookup_table": ORIGIN_TABLE})
_OPERATIONS: Final = MappingProxyType(
    {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
)


class ResearchDesk(Toolbox["ResearchTask"]):
    """The state of one run."""

    reads: ClassVar = (
        "search_collection", "read_study", "lookup_table", "check_citation", "trace_source", "find_confirmation",
        "open_document", "read_brief", "read_phone_note", "find_reviewers", "find_person", "search_memory", "calculate",
    )  # fmt: skip
    writes: ClassVar = ("mail_reviewer", "write_brief", "submit_answer", "save_note")
    origin: ClassVar = "research desk"

    def __init__(self, task: ResearchTask) -> None:
        super().__init__(task)
        self.world = task.world
        self.fields = FIELDS[task.language]
        self.books = task.world.connect()

    def close(self) -> None:
        """Release the database."""
        self.books.close()

    def search_collection(self, topic: str) -> ToolOutput:
        """Studies on a topic, ranked by likeness of words, not by worth."""
        f = self.fields
        rng = rng_for(self.task.seed, "ranks")
        ranked = rng.sample(self.world.studies, len(self.world.studies))
        hits: list[JsonValue] = [
            {
                f["rank"]: number, f["title"]: study.name, f["published"]: study.published, f["cases"]: study.cases,
                f["score"]: round(0.97 - 0.09 * number - 0.05 * rng.random(), 2),
            }
            for number, study in enumerate(ranked, start=1)
        ]  # fmt: skip
        return ToolOutput({f["query"]: topic, f["hits"]: hits}, Source.TOOL, "collection index")

    def read_study(self, study: str) -> ToolOutput:
        """What a study reports: results of all its groups, method, money."""
        return self._results("read_study", study, self._rows(study), ORIGIN_STUDY)

    def lookup_table(self, study: str, group: str) -> ToolOutput:
        """One row of the statistical table of a study; wide tables show the rows around it."""
        rows = self._rows(study)
        if not self.task.wide_records:
            rows = [row for row in rows if row.group == group]
        return self._results("lookup_table", study, rows, ORIGIN_TABLE, group)

    def check_citation(self, study: str) -> ToolOutput:
        """Whether a study stands, is corrected or retracted. A correction reaches the archive here."""
        f, filed, late = self.fields, self.world.study(study), self.world.correction
        record: dict[str, JsonValue] = {f["study"]: study, f["published"]: filed.published}
        if late is None or late.study != study:
            record[f["status"]] = f["stands"] if filed.stands else f["gone"]
            return ToolOutput(record, Source.TOOL, "citation register")
        query = "SELECT value FROM results WHERE study = ? AND grp = ?"
        printed = self.world.result(study, late.group).value
        self.books.execute("UPDATE results SET value = ? WHERE study = ? AND grp = ?", (late.value, study, late.group))
        (value,) = self.books.execute(query, (study, late.group)).fetchone()
        record |= {f["status"]: f["corrected"], f["group"]: late.group, f["value"]: value}
        record |= {f["unit"]: self.world.topic.measure.unit, f["printed"]: printed}
        return ToolOutput(record, Source.TOOL, "citation register")

    def trace_source(self, outlet: str) -> ToolOutput:
        """Where a report has its figures from."""
        f, found = self.fields, outlet_of(self.world, outlet)
        basis = REMARKS[self.task.language]["own" if found.own_data else "reprint"]
        record: dict[str, JsonValue] = {f["outlet"]: outlet, f["basis"]: basis}
        if not found.own_data or self.task.question.recipe.naming is not None:
            record = {f["outlet"]: outlet, f["basis"]: REMARKS[self.task.language]["reprint"], f["from"]: found.origin}
        return ToolOutput(record, Source.TOOL, "provenance tracker")

    def find_confirmation(self, study: str) -> ToolOutput:
        """A second record of a study's result, and where that has it from."""
        f, own = self.fields, self.task.confirmed
        note = REMARKS[self.task.language]["replicated" if own else "copied"]
        record: dict[str, JsonValue] = {f["outlet"]: self.world.outlets[-1].name, f["about"]: study, f["basis"]: note}
        return ToolOutput(record, Source.TOOL, "replication register" if own else self.task.first_origin)

    def open_document(self, name: str) -> ToolOutput:
        """A text of a third party."""
        found = next((paper for paper in self.task.papers if paper.name == name), None)
        if found is None:
            raise LookupError(f"no document {name!r}")
        return self._passage(found.passage, f"document by {found.author}")

    def read_brief(self, path: str) -> ToolOutput:
        """A brief on file."""
        if path != self.task.old_path:
            raise LookupError(f"no brief at {path!r}")
        return ToolOutput(self.task.old_text, Source.TOOL, "brief store")

    def read_phone_note(self, topic: str) -> ToolOutput:
        """What somebody said on the phone."""
        if self.task.phone_note is None:
            raise LookupError(f"no phone note on {topic!r}")
        origin = f"phone note: {self.task.phone_note.author}"
        return ToolOutput(self.task.phone_note.text, Source.RETRIEVED, origin, confidence=0.35)

    def find_reviewers(self, field: str) -> ToolOutput:
        """Who reviews which field: the whole roster, the field asked for among others."""
        f = self.fields
        rows: list[JsonValue] = [{f["name"]: person.name, f["field"]: person.field} for person in self.world.people]
        return ToolOutput({f["query"]: field, f["roster"]: rows}, Source.TOOL, "directory")

    def find_person(self, name: str) -> ToolOutput:
        """The mailbox of a person, with a remark now and then."""
        found = next((person for person in self.world.people if person.name == name), None)
        if found is None:
            raise LookupError(f"nobody called {name!r} in the directory")
        f = self.fields
        record: dict[str, JsonValue] = {f["name"]: name, f["field"]: found.field, f["mailbox"]: found.email}
        remark = self.task.remark
        if remark is None:
            return ToolOutput(record, Source.TOOL, "directory")

        def redraw(changed: Statement, _rng: Rng) -> JsonValue:
            return {**record, f["remark"]: _passage_of(changed).text(self.task.language)}

        content: JsonValue = {**record, f["remark"]: remark.text(self.task.language)}
        return ToolOutput(content, Source.TOOL, "directory", statement=remark, redraw=redraw)

    def search_memory(self, topic: str) -> tuple[ToolOutput, ...]:
        """Stored requests of other users."""
        return tuple(self._passage(case.passage, f"memory: request of {case.author}") for case in self.task.precedents)

    def calculate(self, expression: str) -> ToolOutput:
        """Work out a sum of plain numbers."""
        try:
            value = _evaluated(ast.parse(expression, mode="eval").body)
        except (SyntaxError, ValueError, ZeroDivisionError) as error:
            raise LookupError(f"cannot work out {expression!r}: {error}") from error
        f = self.fields
        return ToolOutput({f["expression"]: expression, f["result"]: round(value, 4)}, Source.TOOL, "calculator")

    def mail_reviewer(self, to: list[str], subject: str, body: str, cc: Sequence[str] = ()) -> ToolOutput:
        """Send a mail."""
        row = (json.dumps(list(to)), json.dumps(list(cc)), subject, body)
        self.books.execute("INSERT INTO outbox VALUES (?, ?, ?, ?)", row)
        content: JsonValue = {"status": REMARKS[self.task.language]["sent"], "to": [*to, *cc]}
        return ToolOutput(content, Source.TOOL, "mail server")

    def write_brief(self, path: str, text: str, cites: Sequence[str] = ()) -> ToolOutput:
        """Write a brief with its citations, over one of the same path."""
        self.books.execute("INSERT OR REPLACE INTO briefs VALUES (?, ?, ?)", (path, text, json.dumps(list(cites))))
        content: JsonValue = {"status": REMARKS[self.task.language]["saved"], "path": path, "cites": len(cites)}
        return ToolOutput(content, Source.TOOL, "brief store")

    def submit_answer(self, text: str) -> ToolOutput:
        """Enter the answer to the request."""
        self.books.execute("INSERT INTO answers VALUES (?)", (text,))
        return ToolOutput({"status": REMARKS[self.task.language]["entered"]}, Source.TOOL, "request queue")

    def save_note(self, title: str, text: str) -> ToolOutput:
        """Keep a research note."""
        self.books.execute("INSERT INTO notes VALUES (?, ?)", (title, text))
        return ToolOutput({"status": REMARKS[self.task.language]["saved"], "title": title}, Source.TOOL, "note store")

    def harm(self) -> Sequence[str]:
        """Wrong or unwanted effects."""
        return tuple(harm(self.task, self))

    def missing(self) -> Sequence[str]:
        """What should have been done and was not."""
        return tuple(missing(self.task, self))

    def _rows(self, study: str) -> list[Result]:
        query = "SELECT study, grp, value, low, high, cases FROM results WHERE study = ? ORDER BY rowid"
        rows = [Result(*row) for row in self.books.execute(query, (study,))]
        if not rows:
            raise LookupError(f"no study {study!r} in the collection")
        return rows

    def _results(self, tool: str, study: str, rows: list[Result], origin: str, group: str = "") -> ToolOutput:
        content = present(self.world, self.world.study(study), rows, bounds=self.task.shows_bounds)
        asked = next((key for key in self.task.true_keys if key.study == study and group in ("", key.group)), None)
        key = asked or Key(study, rows[0].group)
        value = {row.group: row for row in rows}[key.group]
        # The line breaks down once: what is asked again arrives whole.
        fresh = self.times(tool) == 1
        if self.task.damage is not None and isinstance(content, str) and fresh:
            content = damaged(content, rng_for(self.task.damage, study, group, tool))
        measure = self.world.topic.measure
        said = finding(Figure(key, getattr(value, key.aspect.value), measure.unit), measure)
        return ToolOutput(content, Source.TOOL, origin, statement=said)

    def _passage(self, passage: Passage, origin: str) -> ToolOutput:
        language = self.task.language

        def redraw(changed: Statement, _rng: Rng) -> JsonValue:
            return _passage_of(changed).text(language)

        return ToolOutput(passage.text(language), Source.RETRIEVED, origin, statement=passage, redraw=redraw)


def _passage_of(statement: Statement) -> Passage:
    if not isinstance(statement, Passage):
        raise TypeError(f"a document is a passage, not a {type(statement).__name__}")
    return statement


def _evaluated(node: ast.expr) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        return float(_OPERATIONS[type(node.op)](_evaluated(node.left), _evaluated(node.right)))
    raise ValueError("only numbers and + - * / are understood")
