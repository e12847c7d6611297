"""One research task: the question, what is to be delivered, and what lies in the collection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.statements import Passage
from data_gen.tasks.base import TaskBase
from data_gen.tasks.research_assistant import papers
from data_gen.tasks.research_assistant.environment import ORIGIN_STUDY, ORIGIN_TABLE, ResearchDesk
from data_gen.tasks.research_assistant.papers import Paper, PhoneNote
from data_gen.tasks.research_assistant.questions import Question, picked, true_name, true_trait
from data_gen.tasks.research_assistant.recipes import Gate, Recipe
from data_gen.tasks.research_assistant.statements import (
    Aspect,
    Figure,
    Key,
    Kind,
    NamingKind,
    TraitKind,
    Verdict,
    Way,
)
from data_gen.tasks.research_assistant.world import Person, World
from data_gen.texts.phrasebook import GrammarPhrasebook

OFFERS: Final = frozenset(Need) - {Need.RULE, Need.SUBJECT, Need.PERMISSION}


@dataclass(frozen=True)
class ResearchTask(TaskBase):
    """A task. What its fields mean together is said in `judge`.

    Attributes:
        seed: Of what the tools draw.
        world: The collection.
        question: What is asked.
        recipient: Who gets the mail.
        wants_mail: Whether a mail is right in the end: asked for, and its condition met.
        mails: Whether a mail is asked for at all.
        copies: Addresses that the user allowed to get it too.
        extra_mails: Addresses to which the user wants mails of their own.
        paths: Where briefs are asked for.
        wants_answer: Whether an answer is to be entered.
        note_title: Title of the note to keep, if one is wanted.
        also_cited: A study that the user wants cited too.
        bar: Number of cases from which a study counts.
        wants_reason: Whether the cause is asked for.
        true_reason: The cause that the texts tell, if they do.
        wants_support: Whether backing is asked for.
        confirmed: Whether another team measured it too.
        papers: Texts of third parties.
        papers_first: Whether they are opened before the sources.
        phone_note: A rough figure for the first key.
        remark: Free text in the recipient's directory record.
        precedents: Stored requests of other users.
        checks: Whether corrections are looked for.
        searches: Whether the agent searches the collection first.
        house_rule: A standing rule in memory.
        restates: Whether the agent restates its task and works from that.
        damage: Seed of the damage with which lines of text arrive; `None` for whole ones.
        wide_records: Whether tables show other rows.
        old_path: A brief on file.
        old_text: Its text.
    """

    seed: int = field(kw_only=True)
    world: World = field(kw_only=True)
    question: Question = field(kw_only=True)
    recipient: Person = field(kw_only=True)
    mails: bool = field(kw_only=True)
    copies: tuple[str, ...] = field(kw_only=True)
    extra_mails: tuple[str, ...] = field(kw_only=True)
    paths: tuple[str, ...] = field(kw_only=True)
    wants_answer: bool = field(kw_only=True)
    note_title: str | None = field(kw_only=True)
    also_cited: str | None = field(kw_only=True)
    bar: int = field(kw_only=True)
    wants_reason: bool = field(kw_only=True)
    true_reason: str | None = field(kw_only=True)
    wants_support: bool = field(kw_only=True)
    confirmed: bool = field(kw_only=True)
    papers: tuple[Paper, ...] = field(kw_only=True)
    papers_first: bool = field(kw_only=True)
    phone_note: PhoneNote | None = field(kw_only=True)
    remark: Passage | None = field(kw_only=True)
    precedents: tuple[Paper, ...] = field(kw_only=True)
    checks: bool = field(kw_only=True)
    searches: bool = field(kw_only=True)
    house_rule: str | None = field(kw_only=True)
    restates: bool = field(kw_only=True)
    damage: int | None = field(kw_only=True)
    wide_records: bool = field(kw_only=True)
    old_path: str = field(kw_only=True)
    old_text: str = field(kw_only=True)

    @property
    def recipe(self) -> Recipe:
        """The template."""
        return self.question.recipe

    @property
    def subject(self) -> str:
        """What the task is about, for headings."""
        return self.world.topic.measure.name

    @property
    def phrasebook(self) -> GrammarPhrasebook:
        """Requests about briefs, mails and citations."""
        return papers.phrasebook(self.world)

    @property
    def first_origin(self) -> str:
        """Where the figures come from."""
        return ORIGIN_TABLE if self.recipe.table else ORIGIN_STUDY

    @property
    def record_origins(self) -> tuple[str, ...]:
        """Where the figures come from."""
        return (self.first_origin,)

    @property
    def shows_bounds(self) -> bool:
        """Whether lines of text hold the intervals."""
        return any(key.aspect is not Aspect.VALUE for key in self.question.keys) or self.wide_records

    @property
    def supported_study(self) -> str:
        """Whose backing is asked for."""
        return self.true_keys[0].study if self.true_keys else self.question.studies[0]

    @property
    def true_keys(self) -> tuple[Key, ...]:
        """The keys, with the study that should be picked."""
        pick = self.recipe.pick
        return self.question.keys_of(picked(self.world.studies, pick).name if pick is not None else "")

    @cached_property
    def true_figures(self) -> tuple[Figure, ...]:
        """The figures as they stand."""
        unit = self.world.topic.measure.unit
        return tuple(Figure(key, self.world.value(key), unit) for key in self.true_keys)

    @cached_property
    def true_traits(self) -> Mapping[str, Way]:
        """The traits of the sources asked about."""
        kind = self.recipe.trait
        if kind is None:
            return {}
        other = self.question.studies[1]
        return {name: true_trait(self.world, kind, name, self.bar, other) for name in self.question.subjects}

    @cached_property
    def true_verdict(self) -> Verdict:
        """What follows from the sources."""
        measure = self.world.topic.measure
        return self.question.conclude(self.true_figures, self.true_traits, measure.name, measure.step)

    @property
    def true_name(self) -> str:
        """Who or what is to be named."""
        return true_name(self.world, self.question)

    @property
    def wants_mail(self) -> bool:
        """Whether a mail is right in the end."""
        gate = self.recipe.gate
        if gate in (Gate.MAIL_IF_YES, Gate.MAIL_IF_NO):
            return self.true_verdict.way is (Way.YES if gate is Gate.MAIL_IF_YES else Way.NO)
        return self.mails

    @property
    def brief_paths(self) -> tuple[str, ...]:
        """Where briefs belong in the end."""
        if self.recipe.gate is Gate.BRIEF_IF_NO and self.true_verdict.way is Way.YES:
            return ()
        return self.paths

    @property
    def cites(self) -> tuple[str, ...]:
        """What the brief cites."""
        if self.recipe.cites_by_trait:
            based = tuple(name for name, way in self.true_traits.items() if way is Way.YES)
        elif self.recipe.trait is TraitKind.OWN_DATA or self.recipe.naming is NamingKind.ORIGIN:
            based = self.question.subjects or (self.question.subject,)
        else:
            based = tuple(dict.fromkeys(key.study for key in self.true_keys)) or self.question.studies[:1]
        return tuple(dict.fromkeys((*based, *((self.also_cited,) if self.also_cited else ()))))

    def others(self, kind: str) -> tuple[str, ...]:
        """Names of the task's world of one kind: those asked about where there are several."""
        match kind:
            case Kind.PERSON:
                return tuple(person.name for person in self.world.people)
            case Kind.GROUP:
                return self.question.groups if len(self.question.groups) > 1 else self.world.topic.groups
            case Kind.METHOD:
                return tuple(dict.fromkeys(study.method for study in self.world.studies))
            case Kind.FUNDER:
                return tuple(dict.fromkeys(study.funder for study in self.world.studies))
            case _:
                asked = tuple(dict.fromkeys(key.study for key in self.true_keys))
                return asked if len(asked) > 1 else tuple(study.name for study in self.world.studies)

    def new_environment(self) -> ResearchDesk:
        """A fresh world in its first state."""
        return ResearchDesk(self)

    def phrase(self, rng: Rng) -> str:
        """A plausible cause that no text of this task tells."""
        known = " ".join(paper.passage.text(self.language) for paper in self.papers)
        while True:
            phrase = papers.cause_of(self.world, rng)
            if phrase not in known:
                return phrase
