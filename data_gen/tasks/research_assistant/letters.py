"""What the research agent writes to others: figures and findings in words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import JsonValue

from data_gen.desk import once
from data_gen.tasks.research_assistant.findings import Findings
from data_gen.tasks.research_assistant.statements import TraitKind, conclusion, finding, naming, reason, trait
from data_gen.texts.orders import Order


@dataclass(frozen=True, slots=True)
class Text:
    """A text for somebody, and the entries it was made from."""

    text: str
    used: tuple[str, ...]


def body_of(findings: Findings, purpose: str) -> Text:
    """Figures and findings as memory now holds them."""
    book, task = findings.book, findings.task
    rng, writer, recipe = book.session.rng("body", purpose), book.writer, task.recipe
    lines: list[str] = []
    used: list[str] = []
    shows = recipe.verdict is None or purpose == "brief" or rng.random() < 0.6
    for key in findings.wanted_keys() if shows else ():
        reading = book.reading(key, purpose)
        lines.append(writer.word(finding(reading.figure, book.measure), rng))
        used += reading.used
    if recipe.naming is not None:
        name = findings.name()
        lines.append(writer.word(naming(recipe.naming, task.question.subject, name.value), rng))
        used.append(name.entry_id)
    for subject, known in findings.traits().items():
        assert recipe.trait is not None
        other = task.question.studies[1] if recipe.trait is TraitKind.SAME_METHOD else ""
        lines.append(writer.word(trait(recipe.trait, subject, known.value, other), rng))
        used.append(known.entry_id)
    if recipe.verdict is not None:
        verdict = findings.verdict()
        worded = writer.word(conclusion(verdict.value, book.measure), rng)
        lines.insert(0 if purpose == "mail" else len(lines), worded)
        used.append(verdict.entry_id)
    if task.wants_reason:
        cause = findings.reason()
        lines.append(writer.word(reason(cause.value), rng))
        used.append(cause.entry_id)
    if task.wants_support:
        backing, keys = findings.support(), findings.wanted_keys()
        lines.append(writer.word(trait(TraitKind.SUPPORT, keys[0].study, backing.value), rng))
        used.append(backing.entry_id)
    return Text("\n".join(lines), tuple(used))


def letter(findings: Findings, name: str, to: list[str], cc: list[str], body: Text) -> dict[str, JsonValue]:
    """The arguments of a mail to somebody by name."""
    rng, writer = findings.book.session.rng("letter"), findings.book.writer
    subject = writer.say("mail_subject", rng, subject=findings.task.subject)
    lines = [writer.say("greeting", rng, name=name), writer.say("intro", rng), body.text]
    arguments: dict[str, JsonValue] = {"to": list(to), "subject": subject}
    arguments["body"] = "\n".join([*lines, writer.say("closing", rng)])
    return {**arguments, "cc": list(cc)} if cc else arguments


def papers_of(orders: Iterable[Order]) -> tuple[str, ...]:
    """The entries that orders come from."""
    return once([entry_id for order in orders for entry_id in order.entries])
