"""One sales-report task: the question, the deliverables, and what lies in the files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from data_gen.randomness import Rng
from data_gen.statements import Metric, Passage, Sentence
from data_gen.tasks.sales_report.environment import SalesEnvironment
from data_gen.tasks.sales_report.goals import GOALS
from data_gen.tasks.sales_report.questions import Question, sample_question
from data_gen.tasks.sales_report.world import Contact, Paper, Revision, World, build_world, level_in_books, revise
from data_gen.texts import documents, names
from data_gen.texts.amounts import AmountStyle, format_amount, format_period
from data_gen.texts.grammar import expand
from data_gen.texts.lexicon import METRICS, TENTATIVE

_MIN_PERCENT: Final = 2.0
_MIN_SHARE_OF_LEVEL: Final = 0.02
_TITLES: Final = {"en": ("note", "mail", "minutes", "memo"), "zh": ("便笺", "来信", "纪要", "备忘")}


@dataclass(frozen=True, slots=True)
class Voicemail:
    """A rough figure that somebody left by phone."""

    author: str
    text: str


@dataclass(frozen=True)
class SalesTask:
    """A task. What its fields mean together is said in `judge`.

    Attributes:
        template: Name of the template.
        language: `en` or `zh`.
        writer: Name of the writer of the agent's notes.
        goal: The request.
        world: The company.
        question: What is asked.
        recipient: Who gets the mail.
        copies: Addresses that the user allowed to get it too.
        report_path: Where a report is wanted, if at all.
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
    """

    template: str
    language: str
    writer: str
    goal: str
    world: World
    question: Question
    recipient: Contact
    copies: tuple[str, ...]
    report_path: str | None
    wants_reason: bool
    true_reason: str | None
    wants_support: bool
    second_source_is_independent: bool
    papers: tuple[Paper, ...]
    voicemail: Voicemail | None
    remark: Passage | None
    checks_revisions: bool
    old_reports: tuple[str, ...]
    lists_reports: bool
    papers_first: bool
    house_rule: str | None

    @property
    def company(self) -> str:
        """Domain label of the agent's own company."""
        return self.world.company

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


class Wanted:
    """Ingredients that an operator can ask for."""

    ESTIMATE = "estimate"
    REASON = "reason"
    SINGLE_SOURCE = "single_source"
    DOCUMENT = "document"


def sample_task(template: str, language: str, writer: str, rng: Rng, wanted: str | None) -> SalesTask:
    """Draw a task; the ingredients are independent of each other, except for the wanted one, which is there."""
    world = build_world(language, rng)
    question = _clear_question(template, world, rng)
    recipient = world.contacts[0]
    wants_reason = question.kind is not None and (wanted == Wanted.REASON or rng.random() < 0.25)
    wants_support = wanted == Wanted.SINGLE_SOURCE or rng.random() < 0.2
    stated = wants_reason and rng.random() < 0.7
    reason = documents.sentence(language, "phrase", rng, {}) if stated else None
    if reason is not None and language == "en":
        reason = reason[:1].lower() + reason[1:]
    count = rng.choice((1, 1, 2, 2, 3) if wants_reason or wanted == Wanted.DOCUMENT else (0, 1, 1, 2))
    independent = wanted != Wanted.SINGLE_SOURCE and rng.random() < 0.65
    copies = (names.address(rng, world.company),) if rng.random() < 0.3 else ()
    path = names.path(rng) if rng.random() < 0.55 else None
    remark_slot = documents.slot_sentence(language, rng, world.company)
    first = question.keys[0]
    of_all = names.ALL_REGIONS[language] in question.entities
    revised = first.metric is Metric.REVENUE and first.entity in world.regions and not of_all and rng.random() < 0.3
    if revised:
        delta = 1000 * rng.choice((-1, 1)) * rng.randint(40, 110)
        world = revise(world, Revision(first.entity, world.products[0], first.period, delta))
    voicemail = _voicemail(world, question, rng) if wanted == Wanted.ESTIMATE or rng.random() < 0.2 else None
    reports = tuple(f"{names.path(rng).split('/')[1]}" for _ in range(rng.randint(2, 5)))
    return SalesTask(
        template=template,
        language=language,
        writer=writer,
        goal=_goal(question, recipient, path, copies, wants_reason, wants_support, rng),
        world=world,
        question=question,
        recipient=recipient,
        copies=copies,
        report_path=path,
        wants_reason=wants_reason,
        true_reason=reason,
        wants_support=wants_support,
        second_source_is_independent=independent,
        papers=_papers(world, question, reason, count, rng),
        voicemail=voicemail,
        remark=Passage((remark_slot,)) if rng.random() < 0.4 else None,
        checks_revisions=revised or rng.random() < 0.15,
        old_reports=reports,
        lists_reports=rng.random() < 0.25,
        papers_first=rng.random() < 0.5,
        house_rule=expand(GOALS[language], "rules", rng) if rng.random() < 0.3 else None,
    )


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


def _goal(
    question: Question,
    recipient: Contact,
    path: str | None,
    copies: tuple[str, ...],
    wants_reason: bool,
    wants_support: bool,
    rng: Rng,
) -> str:
    language = question.language
    rules = GOALS[language]
    periods = [format_period(period, language, rng) for period in question.periods]
    entities = question.entities
    joined = "、".join(entities) if language == "zh" else f"{', '.join(entities[:-1])} and {entities[-1]}"
    fields = {
        "subject": entities[0],
        "entity": entities[0],
        "entities": joined,
        "a": periods[0],
        "b": periods[-1],
        "name": recipient.name,
        "path": path or "",
        "address": copies[0] if copies else "",
    }
    parts = [expand(rules, question.template, rng, fields) + expand(rules, "send", rng, fields)]
    wishes = [("file", path), ("copy", copies), ("why", wants_reason), ("support", wants_support)]
    parts += [expand(rules, symbol, rng, fields) for symbol, wished in wishes if wished]
    return documents.capitalised("".join(parts))


def _papers(world: World, question: Question, reason: str | None, count: int, rng: Rng) -> tuple[Paper, ...]:
    language = world.language
    papers = []
    holder = rng.randrange(count) if count else 0
    for number in range(count):
        fields = {
            "region": question.entities[0] if rng.random() < 0.5 else names.pick(world.regions, rng),
            "period": format_period(question.periods[-1], language, rng),
            "amount": _loose_amount(world, 1000 * rng.randint(60, 4000), rng),
        }
        extras: tuple[Sentence, ...] = ()
        if reason is not None and number == holder:
            told = {**fields, "region": question.entities[0], "phrase": reason}
            extras = (Sentence(documents.sentence(language, "cause_note", rng, told)),)
        author = names.person(language, rng)
        passage = documents.document(language, rng, author=author, company=world.company, fields=fields, extras=extras)
        papers.append(Paper(author, f"{names.pick(_TITLES[language], rng)}-{number + 1}", passage))
    return tuple(papers)


def _voicemail(world: World, question: Question, rng: Rng) -> Voicemail:
    key, language = question.keys[0], world.language
    connection = world.connect()
    try:
        value = level_in_books(connection, key, world)
    finally:
        connection.close()
    factor = rng.uniform(0.7, 0.93) if rng.random() < 0.5 else rng.uniform(1.07, 1.4)
    rough = 1000 * max(1, round(value * factor / 1000))
    author = names.person(language, rng)
    fields = {
        "author": author,
        "region": key.entity,
        "period": format_period(key.period, language, rng),
        "metric": METRICS[language][key.metric][0],
        "amount": _loose_amount(world, rough, rng),
        "unsure": names.pick(TENTATIVE[language], rng),
    }
    return Voicemail(author, documents.sentence(language, "voicemail", rng, fields))


def _loose_amount(world: World, value: int, rng: Rng) -> str:
    styles = (
        (AmountStyle.WAN, AmountStyle.COMMAS_ZH)
        if world.language == "zh"
        else (AmountStyle.CODE, AmountStyle.MILLIONS, AmountStyle.THOUSANDS)
    )
    return format_amount(value, world.currency, styles[int(rng.random() * len(styles))])
