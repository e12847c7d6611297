"""What records say about sources: looked up where memory does not hold the record, and read from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeVar

from pydantic import JsonValue

from data_gen.session import AgentError
from data_gen.tasks.research_assistant.notebook import Notebook
from data_gen.tasks.research_assistant.present import FIELDS, REMARKS
from data_gen.tasks.research_assistant.questions import picked
from data_gen.tasks.research_assistant.reading import mentioned, read_reason
from data_gen.tasks.research_assistant.statements import NAMES_OF, Kind, NamingKind, TraitKind, Way
from data_gen.tasks.research_assistant.world import Study
from mage_ml.memory.entry import MemoryEntry

T = TypeVar("T")
_TOOLS: Final[Mapping[TraitKind, str]] = {
    TraitKind.STANDING: "check_citation",
    TraitKind.OWN_DATA: "trace_source",
    TraitKind.SUITED: "search_collection",
    TraitKind.SAME_METHOD: "read_study",
    TraitKind.SUPPORT: "find_confirmation",
}


@dataclass(frozen=True, slots=True)
class Evidence(Generic[T]):
    """What records say, and which ones."""

    value: T
    used: tuple[str, ...]


def record(book: Notebook, tool: str, subject: str) -> MemoryEntry:
    """The newest result of a tool about a subject, asked for if memory holds none."""
    for entry in book.records(tool):
        if subject in entry.text:
            return entry
    if tool == "search_collection":
        return book.call("search", tool, {"topic": book.measure.name}, (book.goal_id,))[0]
    argument = "outlet" if tool == "trace_source" else "field" if tool == "find_reviewers" else "study"
    arguments: dict[str, JsonValue] = {argument: subject}
    return book.call(f"{tool}:{subject}", tool, arguments, (book.goal_id,))[0]


def of_trait(book: Notebook, kind: TraitKind, subject: str) -> Evidence[Way]:
    """Whether a source has a trait."""
    entry = record(book, _TOOLS[kind], subject)
    f = FIELDS[book.language]
    match kind:
        case TraitKind.STANDING:
            return _way(f["gone"] not in entry.text, entry)
        case TraitKind.OWN_DATA:
            return _way(REMARKS[book.language]["own"] in entry.text, entry)
        case TraitKind.SUITED:
            cases = next(study.cases for study in _hits(book, entry) if study.name == subject)
            return _way(cases >= book.task.bar, entry)
        case TraitKind.SAME_METHOD:
            other = record(book, _TOOLS[kind], book.task.question.studies[1])
            methods = [mentioned(found.text, Kind.METHOD, book.language) for found in (entry, other)]
            return _way(methods[0] == methods[1], entry, other)
        case TraitKind.SUPPORT:
            return _support(book, subject, entry)


def _support(book: Notebook, study: str, second: MemoryEntry) -> Evidence[Way]:
    """Whether the record of the first figure and that of its confirmation come from different places."""
    key = replace(book.task.question.keys[0], study=study)
    first = book.find(key, records_only=True)
    entry = None if first is None else book.entry(first.used[0])
    if entry is None or entry.tool_name == "check_citation":
        tool = "lookup_table" if book.task.recipe.table else "read_study"
        known = [found for found in book.records(tool) if study in found.text]
        entry = known[0] if known else book.query("first source", key)
    return _way(entry.origin != second.origin, entry, second)


def of_name(book: Notebook, kind: NamingKind) -> Evidence[str]:
    """Who or what is asked for.

    Raises:
        AgentError: The record does not tell.
    """
    subject = book.task.question.subject
    match kind:
        case NamingKind.CHOICE:
            entry = record(book, "search_collection", book.measure.name)
            return Evidence(picked(list(_hits(book, entry)), book.task.recipe.pick).name, (entry.id,))
        case NamingKind.REVIEWER:
            entry = record(book, "find_reviewers", subject)
            return Evidence(_reviewer(book, entry, subject), (entry.id,))
        case NamingKind.ORIGIN:
            entry = record(book, "trace_source", subject)
        case _:
            entry = record(book, "read_study", subject)
    found = mentioned(entry.text, NAMES_OF[kind], book.language)
    if not found:
        raise AgentError(f"{entry.id} names no {NAMES_OF[kind].value}")
    return Evidence(found[0], (entry.id,))


def of_reason(book: Notebook) -> Evidence[str]:
    """The cause that a text tells; empty if none does."""
    papers = [entry for entry in book.session.visible() if entry.tool_name == "open_document"]
    for entry in papers:
        found = read_reason(entry.text, book.language)
        if found:
            return Evidence(found, (entry.id,))
    return Evidence("", tuple(entry.id for entry in papers) or (book.goal_id,))


def _way(holds: bool, *entries: MemoryEntry) -> Evidence[Way]:
    return Evidence(Way.YES if holds else Way.NO, tuple(dict.fromkeys(entry.id for entry in entries)))


def _rows(entry: MemoryEntry, name: str) -> Sequence[Mapping[str, Any]]:
    rows = entry.content.get(name) if isinstance(entry.content, dict) else None
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _hits(book: Notebook, entry: MemoryEntry) -> Iterator[Study]:
    f = FIELDS[book.language]
    for row in _rows(entry, f["hits"]):
        yield Study(str(row[f["title"]]), str(row[f["published"]]), int(row[f["cases"]]), "", "", stands=True)


def _reviewer(book: Notebook, entry: MemoryEntry, field: str) -> str:
    f = FIELDS[book.language]
    found = next((row for row in _rows(entry, f["roster"]) if row.get(f["field"]) == field), None)
    if found is None:
        raise AgentError(f"nobody reviews {field}")
    return str(found[f["name"]])
