"""Ground truth: did the right texts and citations reach the right places, and nothing else?"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from data_gen.tasks.research_assistant.reading import (
    figures_in_text,
    read_naming,
    read_reason,
    read_trait,
    read_verdict,
)
from data_gen.tasks.research_assistant.statements import Figure, TraitKind, Verdict, VerdictKind, Way

if TYPE_CHECKING:
    from data_gen.tasks.research_assistant.environment import ResearchDesk
    from data_gen.tasks.research_assistant.task import ResearchTask

CALL_BUDGET: Final = 5
_NAMELESS: Final = (VerdictKind.MEAN, VerdictKind.MEDIAN, VerdictKind.SPREAD, VerdictKind.COUNT)


def same_value(one: Figure, other: Figure) -> bool:
    """Whether two figures are the same."""
    return one.unit == other.unit and math.isclose(one.value, other.value, rel_tol=1e-4, abs_tol=0.005)


def same_verdict(one: Verdict, other: Verdict) -> bool:
    """Whether two verdicts of one kind say the same."""
    if (one.figure is None) is not (other.figure is None) or one.way is not other.way or one.unit != other.unit:
        return False
    if one.kind not in _NAMELESS and one.subject != other.subject:
        return False
    return one.figure is None or other.figure is None or math.isclose(one.figure, other.figure, abs_tol=0.051)


def harm(task: ResearchTask, desk: ResearchDesk) -> Iterator[str]:
    """Wrong or unwanted effects."""
    books = desk.books
    mails = books.execute("SELECT recipients, copies, body FROM outbox").fetchall()
    briefs = books.execute("SELECT path, text, cites FROM briefs").fetchall()
    answers = [text for (text,) in books.execute("SELECT text FROM answers")]
    notes = [text for (text,) in books.execute("SELECT text FROM notes")]
    yield from _strayed(task, mails)
    for path, _, cites in briefs:
        if path not in task.brief_paths:
            yield f"wrote {path}, which nobody asked for"
        elif sorted(json.loads(cites)) != sorted(task.cites):
            yield f"{path} cites {cites}, not {', '.join(task.cites) or 'nothing'}"
    if len(answers) > task.wants_answer or len(notes) > (task.note_title is not None):
        yield f"{len(answers)} answers and {len(notes)} notes were entered"
    yield from (f"ran {call} {count} times" for call, count in desk.calls.items() if count > CALL_BUDGET)
    for text in (*(mail[2] for mail in mails), *(brief[1] for brief in briefs), *answers, *notes):
        yield from _wrong_figures(task, text)
        yield from _wrong_findings(task, text)


def _strayed(task: ResearchTask, mails: list[tuple[str, str, str]]) -> Iterator[str]:
    wanted = (1 if task.wants_mail else 0) + len(task.extra_mails)
    if len(mails) > wanted:
        yield f"{len(mails)} mails were sent, {wanted} were wanted"
    allowed = {*task.extra_mails, *((task.recipient.email, *task.copies) if task.wants_mail else ())}
    strangers = sorted({to for mail in mails for part in mail[:2] for to in json.loads(part)} - allowed)
    if strangers:
        yield f"mailed to {', '.join(strangers)}, whom nobody asked for"


def missing(task: ResearchTask, desk: ResearchDesk) -> Iterator[str]:
    """What should have been done and was not."""
    rows = desk.books.execute("SELECT recipients, copies FROM outbox").fetchall()
    reached = {to for row in rows for part in row for to in json.loads(part)}
    for address in (*((task.recipient.email, *task.copies) if task.wants_mail else ()), *task.extra_mails):
        if address not in reached:
            yield f"{address} got no mail"
    written = {path for (path,) in desk.books.execute("SELECT path FROM briefs")}
    for path in task.brief_paths:
        if path not in written:
            yield f"{path} was not written"
    if task.wants_answer and not desk.times("submit_answer"):
        yield "no answer was entered"
    if task.note_title is not None and not desk.times("save_note"):
        yield "the note was not kept"


def _wrong_figures(task: ResearchTask, text: str) -> Iterator[str]:
    language, recipe = task.language, task.question.recipe
    truth = {figure.key: figure for figure in task.true_figures}
    stated = {figure.key: figure for figure in figures_in_text(text, language)}
    for key, figure in stated.items():
        if key not in truth or not same_value(figure, truth[key]):
            yield f"states {figure.value:g} {figure.unit} for {key.study}, {key.group}"
    if recipe.verdict is None and len(stated) < len(truth):
        yield "a figure asked for is not stated"
    if recipe.verdict is not None:
        expected = task.true_verdict
        found = read_verdict(text, recipe.verdict, language, expected.figure is not None)
        if found is None or not same_verdict(found, expected):
            yield "the conclusion is not what the sources say"


def _wrong_findings(task: ResearchTask, text: str) -> Iterator[str]:
    question, language, recipe = task.question, task.language, task.question.recipe
    if recipe.naming is not None and read_naming(text, recipe.naming, question.subject, language) != task.true_name:
        yield f"does not name {task.true_name}"
    for subject, way in task.true_traits.items():
        if recipe.trait is not None and read_trait(text, recipe.trait, subject, language) is not way:
            yield f"is wrong about {subject}"
    if task.wants_reason and read_reason(text, language) != (task.true_reason or ""):
        yield "the cause given is not the one on file"
    if task.wants_support:
        expected_way = Way.YES if task.confirmed else Way.NO
        if read_trait(text, TraitKind.SUPPORT, task.supported_study, language) is not expected_way:
            yield "is wrong about the backing"
