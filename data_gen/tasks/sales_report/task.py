"""One sales-report task: the question, the deliverables, and what lies in the files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.statements import Passage
from data_gen.tasks.base import TaskBase
from data_gen.tasks.drawing import draw_precedents
from data_gen.tasks.sales_report.environment import ORIGINS, SalesEnvironment
from data_gen.tasks.sales_report.goals import GOALS
from data_gen.tasks.sales_report.papers import Voicemail, papers, precedent
from data_gen.tasks.sales_report.papers import voicemail as draw_voicemail
from data_gen.tasks.sales_report.questions import Question, sample_question
from data_gen.tasks.sales_report.statements import Kind, Metric
from data_gen.tasks.sales_report.world import Contact, Paper, Revision, World, build_world, level_in_books, revise
from data_gen.texts import documents, names
from data_gen.texts.amounts import format_period
from data_gen.texts.grammar import capitalised, expand
from data_gen.texts.phrasebook import GrammarPhrasebook

_MIN_PERCENT: Final = 2.0
_MIN_SHARE_OF_LEVEL: Final = 0.02


@dataclass(frozen=True)
class SalesTask(TaskBase):
    """A task. What its fields mean together is said in `judge`.

    Attributes:
        world: The company.
        question: What is asked.
        recipient: Who gets the mail.
        wants_mail: Whether a mail is wanted.
        copies: Addresses that the user allowed to get it too.
        extra_mails: Addresses to which the user wants mails of their own.
        report_paths: Where reports are wanted.
        wants_reason: Whether the cause is asked for.
        true_reason: The cause that the files state, if they do.
        wants_support: Whether the number of independent sources is asked for.
        second_source_is_independent: Whether the second source is more than a copy.
        papers: Documents that a search finds.
        voicemail: A rough figure for the first level.
        remark: Free text in the recipient's directory record.
        checks_revisions: Whether the agent looks for revisions.
        old_reports: Names of files in the report folder.
        lists_reports: Whether the agent lists them.
        papers_first: Whether it reads the files before the figures.
        house_rule: A standing rule in memory.
        restates: Whether the agent restates its task and works from that.
        precedents: Stored requests of other users that it recalls.
        damage: Seed of the damage that records in plain text arrive with; `None` for whole records.
        waits: How often the ledger is still being compiled when it is asked.
        wide_records: Whether records show the quarters around the one asked for.
    """

    world: World = field(kw_only=True)
    question: Question = field(kw_only=True)
    recipient: Contact = field(kw_only=True)
    wants_mail: bool = field(kw_only=True)
    copies: tuple[str, ...] = field(kw_only=True)
    extra_mails: tuple[str, ...] = field(kw_only=True)
    report_paths: tuple[str, ...] = field(kw_only=True)
    wants_reason: bool = field(kw_only=True)
    true_reason: str | None = field(kw_only=True)
    wants_support: bool = field(kw_only=True)
    second_source_is_independent: bool = field(kw_only=True)
    papers: tuple[Paper, ...] = field(kw_only=True)
    voicemail: Voicemail | None = field(kw_only=True)
    remark: Passage | None = field(kw_only=True)
    checks_revisions: bool = field(kw_only=True)
    old_reports: tuple[str, ...] = field(kw_only=True)
    lists_reports: bool = field(kw_only=True)
    papers_first: bool = field(kw_only=True)
    house_rule: str | None = field(kw_only=True)
    restates: bool = field(kw_only=True)
    precedents: tuple[Paper, ...] = field(kw_only=True)
    damage: int | None = field(kw_only=True)
    waits: int = field(kw_only=True)
    wide_records: bool = field(kw_only=True)

    @property
    def phrasebook(self) -> GrammarPhrasebook:
        """Requests about mails and files."""
        return documents.phrasebook(self.language, self.company)

    @property
    def record_origins(self) -> tuple[str, ...]:
        """Where the first level asked for comes from."""
        return (ORIGINS[self.question.keys[0].metric],)

    def others(self, kind: str) -> tuple[str, ...]:
        """People of the directory; entities asked about, or of the company where only one is."""
        if kind == Kind.PERSON:
            return tuple(person.name for person in self.world.contacts)
        asked = tuple(entity for entity in self.question.entities if entity != names.ALL_REGIONS[self.language])
        pool = self.world.products if self.question.entities[0] in self.world.products else self.world.regions
        return asked if len(asked) > 1 else pool

    def new_environment(self) -> SalesEnvironment:
        """A fresh world in its first state."""
        return SalesEnvironment(self)

    def phrase(self, rng: Rng) -> str:
        """A plausible cause that no file of this task states."""
        known = " ".join(documents.join(paper.passage, self.language) for paper in self.papers)
        while True:
            phrase = documents.sentence(self.language, "phrase", rng, {})
            phrase = phrase[:1].lower() + phrase[1:] if self.language == "en" else phrase
            if phrase not in known:
                return phrase


OFFERS: Final = frozenset(Need) - {Need.RULE, Need.SUBJECT, Need.PERMISSION}


def sample_task(template: str, language: str, writer: str, rng: Rng, wanted: frozenset[Need]) -> SalesTask:
    """Draw a task; the ingredients are independent of each other, except for those wanted, which are there."""
    world = build_world(language, rng, as_text=not wanted.isdisjoint((Need.RECORD, Need.NEIGHBOURS)))
    question = _clear_question(template, world, rng)
    wants_reason = question.kind is not None and (Need.CAUSE in wanted or rng.random() < 0.25)
    wants_support = Need.SINGLE_SOURCE in wanted or rng.random() < 0.2
    reason = documents.sentence(language, "phrase", rng, {}) if wants_reason and rng.random() < 0.7 else None
    if reason is not None and language == "en":
        reason = reason[:1].lower() + reason[1:]
    delivery = _delivery(world, wanted, rng)
    remark_slot = documents.slot_sentence(language, rng, world.company)
    world, revised = _maybe_revised(world, question, Need.REVISION in wanted, rng)
    voicemail = draw_voicemail(world, question, rng) if Need.ESTIMATE in wanted or rng.random() < 0.2 else None
    reports = tuple(f"{names.path(rng).split('/')[1]}" for _ in range(rng.randint(2, 5)))
    told = draw_precedents(wanted, rng)
    return SalesTask(
        template=template,
        language=language,
        writer=writer,
        goal=_goal(question, delivery, wants_reason, wants_support, rng),
        company=world.company,
        world=world,
        question=question,
        recipient=delivery.recipient,
        wants_mail=delivery.mails,
        copies=delivery.copies,
        extra_mails=delivery.extras,
        report_paths=delivery.paths,
        wants_reason=wants_reason,
        true_reason=reason,
        wants_support=wants_support,
        second_source_is_independent=Need.SINGLE_SOURCE not in wanted and rng.random() < 0.65,
        papers=papers(world, question, reason, wanted, rng),
        voicemail=voicemail,
        remark=Passage((remark_slot,)) if rng.random() < 0.4 else None,
        checks_revisions=revised or rng.random() < 0.15,
        old_reports=reports,
        lists_reports=rng.random() < 0.25,
        papers_first=rng.random() < 0.5,
        house_rule=expand(GOALS[language], "rules", rng) if rng.random() < 0.3 else None,
        restates=delivery.mails and (Need.RESTATED_GOAL in wanted or rng.random() < 0.4),
        precedents=tuple(precedent(world, question, rng, plain=plain) for plain in told),
        damage=rng.getrandbits(32) if Need.RECORD in wanted or rng.random() < 0.1 else None,
        waits=rng.choice((1, 2, 3)) if rng.random() < 0.1 else 0,
        wide_records=Need.NEIGHBOURS in wanted or rng.random() < 0.4,
    )


@dataclass(frozen=True, slots=True)
class _Delivery:
    """What goes where: a mail with copies, mails of their own, reports."""

    recipient: Contact
    mails: bool
    copies: tuple[str, ...]
    extras: tuple[str, ...]
    paths: tuple[str, ...]


def _delivery(world: World, needs: frozenset[Need], rng: Rng) -> _Delivery:
    mails = Need.RESTATED_GOAL in needs or rng.random() < 0.92
    copies = tuple(names.address(rng, world.company) for _ in range(rng.choice((0, 0, 0, 1, 1, 2)) if mails else 0))
    extras = (names.address(rng, world.company),) if mails and rng.random() < 0.12 else ()
    wanted = rng.choice((0, 0, 0, 1, 1, 1, 2)) if mails else rng.choice((1, 1, 2))
    paths = tuple(names.path(rng) for _ in range(wanted))
    return _Delivery(world.contacts[0], mails, copies, extras, tuple(dict.fromkeys(paths)))


def _maybe_revised(world: World, question: Question, wanted: bool, rng: Rng) -> tuple[World, bool]:
    """The company with a late booking for the first level, where one is possible and drawn."""
    first = question.keys[0]
    of_all = names.ALL_REGIONS[world.language] in question.entities
    possible = first.metric is Metric.REVENUE and first.entity in world.regions and not of_all
    if not possible or not (wanted or rng.random() < 0.3):
        return world, False
    delta = 1000 * rng.choice((-1, 1)) * rng.randint(*((120, 125) if wanted else (40, 110)))
    return revise(world, Revision(first.entity, world.products[0], first.period, delta)), True


def _clear_question(template: str, world: World, rng: Rng) -> Question:
    """A question whose answer does not hang on rounding."""
    connection = world.connect()
    try:
        while True:
            question = sample_question(template, world.language, world.regions, world.products, rng)
            values = [level_in_books(connection, key, world) for key in question.keys]
            apart = all(
                abs(one - other) >= _MIN_SHARE_OF_LEVEL * max(one, other)
                for index, one in enumerate(values)
                for other in values[index + 1 :]
            )
            if apart:
                return question
    finally:
        connection.close()


def _goal(question: Question, delivery: _Delivery, wants_reason: bool, wants_support: bool, rng: Rng) -> str:
    language = question.language
    rules = GOALS[language]
    periods = [format_period(period, language, rng) for period in question.periods]
    entities = question.entities
    fields = {
        "subject": entities[0],
        "entity": entities[0],
        "entities": _joined(entities, language),
        "a": periods[0],
        "b": periods[-1],
        "name": delivery.recipient.name,
        "path": _joined(delivery.paths, language),
        "address": _joined(delivery.copies, language),
        "extra": _joined(delivery.extras, language),
    }
    send = "send" if delivery.mails else "no_send"
    parts = [expand(rules, question.template, rng, fields) + expand(rules, send, rng, fields)]
    file = "file" if delivery.mails else "only_file"
    wishes = [
        (file, delivery.paths),
        ("copy", delivery.copies),
        ("extra", delivery.extras),
        ("why", wants_reason),
        ("support", wants_support),
    ]
    parts += [expand(rules, symbol, rng, fields) for symbol, wished in wishes if wished]
    return capitalised("".join(parts))


def _joined(items: tuple[str, ...], language: str) -> str:
    if language == "zh" or len(items) < 2:
        return "、".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"
