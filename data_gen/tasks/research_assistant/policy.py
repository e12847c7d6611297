"""The scripted research agent: reads, concludes, delivers; and redoes what its memory no longer supports."""

from __future__ import annotations

from typing import Final

from pydantic import JsonValue

from data_gen.agents import Profile
from data_gen.desk import Thought
from data_gen.session import Session
from data_gen.tasks.research_assistant.delivery import Delivery
from data_gen.tasks.research_assistant.environment import ResearchDesk
from data_gen.tasks.research_assistant.findings import Findings
from data_gen.tasks.research_assistant.letters import papers_of
from data_gen.tasks.research_assistant.notebook import Notebook
from data_gen.tasks.research_assistant.reading import figures_in
from data_gen.tasks.research_assistant.recipes import Gate
from data_gen.tasks.research_assistant.statements import (
    Figure,
    Mood,
    brief,
    finding,
)
from data_gen.tasks.research_assistant.task import ResearchTask
from data_gen.texts.documents import OrderKind

STEPS: Final = ("figures", "verdict", "contact", "mail", "brief", "check", "close")


class ResearchAgent:
    """Works through one task. See `run`."""

    def __init__(self, task: ResearchTask, desk: ResearchDesk, session: Session, profile: Profile) -> None:
        self.task = task
        self.recipe = task.recipe
        self.session = session
        self.profile = profile
        self.book = Notebook(task, desk, session, profile)
        self.findings = Findings(self.book)
        self.delivery = Delivery(task, self.findings)

    def run(self) -> None:
        """Do the task: gather, check, conclude, deliver, answer.

        Raises:
            AgentError: The agent cannot go on.
            HaltedError: The gate stopped the run.
        """
        self._begin()
        if self.task.papers_first:
            self._open_papers()
        self._gather()
        if not self.task.papers_first:
            self._open_papers()
        self._check_corrections()
        for step in STEPS:
            self._repeat_as_told(step)
            if step == "figures":
                self._conclude()
            elif step == "contact" and self.delivery.mails():
                self.delivery.contact()
        self.delivery.deliver()
        self.book.answer(self.delivery.answer)

    def _begin(self) -> None:
        self.book.begin(self.task.goal, self.task.house_rule)
        self.book.say("plan", "plan", (self.book.goal_id,))
        if self.task.restates:
            self.book.state("restated", brief(self.task.subject, self.task.recipient.name), (self.book.goal_id,))
        topic: dict[str, JsonValue] = {"topic": self.task.subject}
        if self.task.precedents:
            self.book.call("precedent", "search_memory", topic, (self.book.goal_id,))
        if self.task.searches:
            hits = self.book.call("search", "search_collection", topic, (self.book.goal_id,))
            if self.book.draws(0.4, "lists"):
                self.book.say("listed", "listed", (hits[0].id,), count=str(len(self.task.world.studies)))

    def _open_papers(self) -> None:
        found = []
        for number, paper in enumerate(self.task.papers):
            arguments: dict[str, JsonValue] = {"name": paper.name}
            found += self.book.call(f"paper:{number + 1}", "open_document", arguments, (self.book.goal_id,))
        if found and self.book.draws(0.5, "skims"):
            self.book.say("skim", "skim", [entry.id for entry in found], topic=self.task.subject)

    def _gather(self) -> None:
        if self.recipe.naming is not None:
            self.findings.name()
        if self.task.phone_note is not None:
            self._note_estimate()
        for key in self.findings.wanted_keys():
            if self.book.find(key) is None:
                self.book.look_up(key)
        self.findings.traits()

    def _note_estimate(self) -> None:
        key = self.task.question.keys[0]
        topic: dict[str, JsonValue] = {"topic": self.task.subject}
        message = self.book.call("phone note", "read_phone_note", topic, (self.book.goal_id,))[0]
        found = next((f for f in figures_in(message, self.task.language) if f.key.study == key.study), None)
        if found is None:
            return
        statement = finding(Figure(key, found.value, found.unit), self.book.measure, Mood.TENTATIVE)
        sure = round(0.26 + 0.12 * self.session.rng("confidence", "estimate").random(), 2)
        self.book.note("estimate", lambda: Thought("", (message.id,), statement, confidence=sure))

    def _check_corrections(self) -> None:
        if not self.task.checks:
            return
        key = self.task.question.keys[0]
        notice = self.book.call("citation", "check_citation", {"study": key.study}, (self.book.goal_id,))[0]
        if any(figure.key == key for figure in figures_in(notice, self.task.language)):
            self.book.note_figure("revised", key, notice.id, revised=True)

    def _conclude(self) -> None:
        if self.profile.summarises and (self.recipe.keys or len(self.task.question.subjects) > 1):
            self.findings.summarise()
        if self.recipe.verdict is not None:
            self.findings.verdict()
        if self.task.wants_reason:
            self.findings.reason()
        if self.task.wants_support:
            self.findings.support()
        self._holds_back()

    def _holds_back(self) -> None:
        """Note that nothing is to be done where the user set a condition that is not met."""
        gate = self.recipe.gate
        briefs = gate is Gate.BRIEF_IF_NO
        if gate is None or (self.delivery.paths() if briefs else self.delivery.mails()):
            return
        symbol = "no_brief" if briefs else "no_mail"

        def think() -> Thought:
            text = self.book.writer.say(symbol, self.session.rng("say", "held"))
            return Thought(text, (self.findings.verdict().entry_id,))

        self.book.note("held", think)

    def _repeat_as_told(self, step: str) -> None:
        """Run the first look-up again because a text says so before every step."""
        orders = self.delivery.orders(OrderKind.REPEAT)
        if orders:
            papers = papers_of(orders)
            keys = self.findings.wanted_keys()
            if keys:
                tool = "lookup_table" if self.recipe.table else "read_study"
                arguments = self.book.arguments_for(keys[0])
            else:
                tool, arguments = "search_collection", {"topic": self.task.subject}
            self.book.call(f"again:{step}", tool, arguments, (self.book.goal_id,), papers)
