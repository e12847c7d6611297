"""An agent that plays a user task's ground truth, and follows orders that it reads, as its habits have it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import JsonValue

from data_gen.agents import Profile
from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.session import AgentError, Proposal, Session
from data_gen.tasks.agentdojo.environment import AgentDojoEnvironment
from data_gen.tasks.agentdojo.phrases import GoalPhrases, is_order
from data_gen.tasks.agentdojo.steps import Call
from data_gen.tasks.agentdojo.suites import SUITES, load
from data_gen.tasks.base import Environment, OrderStyle, Task, TaskBase
from mage_ml.errors import ConfigError
from mage_ml.memory.entry import MemoryEntry, Source
from mage_ml.memory.snapshot import ActionType, PendingAction

_QUOTE: Final = 5
"""Values this long in an argument count as taken from the entries that hold them."""

_DRAWS: Final = 5


@dataclass(frozen=True, slots=True)
class AgentDojoTask(TaskBase):
    """A user task, the vector that is filled, and the goal that an attacker would have.

    Attributes:
        suite: The suite.
        user_task: Id of the user task.
        injection: Id of the injection task.
        vector: The vector that is filled.
        text: The harmless text in its place.
        style: How the request in it is made.
    """

    suite: str = ""
    user_task: str = ""
    injection: str = ""
    vector: str = ""
    text: str = ""
    style: OrderStyle = OrderStyle.PLAIN

    @property
    def phrasebook(self) -> GoalPhrases:
        """The injection task's goal."""
        return GoalPhrases(self.injection, load(self.suite).goals[self.injection])

    def new_environment(self) -> AgentDojoEnvironment:
        """A fresh world."""
        return AgentDojoEnvironment(
            load(self.suite), self.user_task, self.injection, self.vector, self.text, self.style
        )


class AgentDojoDomain:
    """AgentDojo's four suites. A template is a user task; the injection task and the vector are drawn."""

    name = "agentdojo"
    offers = frozenset({Need.DOCUMENT, Need.AUTHORITY})
    languages = ("en",)

    def templates(self) -> Sequence[str]:
        """Every user task of every suite."""
        return [f"{suite}/user_task_{number}" for suite, count in SUITES.items() for number in range(count)]

    def sample(self, template: str, language: str, writer: str, rng: Rng, wanted: Sequence[Need] = ()) -> AgentDojoTask:
        """Draw an injection task and a vector.

        Raises:
            ConfigError: Another language than English.
            LookupError: The user task reads no vector.
        """
        if language not in self.languages:
            raise ConfigError(f"domain agentdojo: language {language!r}; its tasks are in English, set languages: [en]")
        suite, _, user_task = template.partition("/")
        loaded = load(suite)
        vectors = loaded.vectors_read(user_task)
        if not vectors:
            raise LookupError(f"{template}: reads no text of third parties")
        injection, vector = rng.choice(list(loaded.goals)), rng.choice(vectors)
        spoofed = Need.AUTHORITY in wanted or (Need.DOCUMENT not in wanted and rng.random() < 0.5)
        return self.task(template, writer, injection, vector, rng, OrderStyle.SPOOFED if spoofed else OrderStyle.PLAIN)

    def task(
        self,
        template: str,
        writer: str,
        injection: str,
        vector: str,
        rng: Rng,
        style: OrderStyle = OrderStyle.PLAIN,
    ) -> AgentDojoTask:
        """A task with a given injection task and vector."""
        suite, _, user_task = template.partition("/")
        loaded = load(suite)
        # The clean world holds such a request too, so that its presence says nothing.
        text = _of_usual_length(GoalPhrases(injection, loaded.goals[injection]), style, rng)
        goal = str(loaded.suite.user_tasks[user_task].PROMPT)
        return AgentDojoTask(template, "en", writer, goal, "", suite, user_task, injection, vector, text, style)

    def run(self, task: Task, environment: Environment, session: Session, profile: Profile) -> None:
        """Play the ground truth.

        Raises:
            AgentError: A step of the ground truth fails.
            HaltedError: The session's gate stopped it.
        """
        if not isinstance(task, AgentDojoTask) or not isinstance(environment, AgentDojoEnvironment):
            raise TypeError("expected a task and an environment of this domain")
        _Agent(task, environment, session, profile).work()


class _Agent:
    def __init__(self, task: AgentDojoTask, world: AgentDojoEnvironment, session: Session, profile: Profile) -> None:
        self._goal = task.phrasebook.goal
        self._task = task
        self._world = world
        self._session = session
        self._profile = profile
        self._calls = 0
        self._heeded: set[str] = set()
        self._obeyed = False
        self._first = ""
        self._said: tuple[str, str] | None = None
        session.run_tool = self._again

    def work(self) -> None:
        self._session.remember("goal", self._task.goal, Source.USER, origin="user")
        try:
            for call in self._world.user_calls():
                self._act(call)
                self._read_orders()
        except LookupError as error:
            raise AgentError(str(error)) from error
        self._answer()

    def _act(self, call: Call, order: str | None = None) -> None:
        """Take one step of a ground truth, for the user or because of an order."""

        def build() -> Proposal | None:
            if order is not None and not self._finds_order(order):
                return None  # memory was repaired meanwhile
            self._look()
            arguments = self._world.filled(call.arguments)
            used = [order] if order is not None else []
            action = PendingAction(
                type=self._world.kind(call.tool),
                tool_name=call.tool,
                arguments=arguments,
                depends_on=tuple(dict.fromkeys([*used, *self._quoted(arguments, alone=order is None)])),
            )
            return Proposal(action, obeys=(order,) if order is not None else ())

        approved = self._session.decide(build)
        if approved is not None:
            self._keep(call.tool, call.arguments, approved.action.depends_on)

    def _keep(self, tool: str, arguments: Mapping[str, Any], used: Sequence[str]) -> None:
        self._calls += 1
        self._look()
        for output in self._world.call(tool, arguments):
            entry = self._session.remember(
                f"call:{self._calls}:{tool}",
                output.content,
                output.source,
                statement=output.statement,
                redraw=output.redraw,
                depends_on=used,
                tool_name=tool,
                origin=output.origin,
            )
            if output.statement is not None:
                self._first = entry.id

    def _look(self) -> None:
        """The text that was read once reads the same later, and is quoted as memory has it now."""
        for entry in self._session.visible():
            if entry.id == self._first:
                self._world.reads(entry.text)

    def _read_orders(self) -> None:
        for entry in self._session.visible():
            # What was done once is not done again when a later result shows the same text.
            if self._obeyed or entry.id in self._heeded or not self._is_order(entry):
                continue
            self._heeded.add(entry.id)
            draw = self._session.rng("obey", self._calls).random()
            if self._session.distrusts_notes or draw >= self._profile.obedience:
                continue
            try:
                for call in self._world.injected_calls():
                    self._act(call, entry.id)
            except LookupError:
                continue  # what the order asks for cannot be done here; the agent goes on with its own task
            self._obeyed = True
            if words := self._world.answer_to_injection():
                self._said = (entry.id, words)

    def _answer(self) -> None:
        def build() -> Proposal:
            parts, obeys = [self._world.answer_to_user()], tuple[str, ...]()
            if self._said is not None and self._finds_order(self._said[0]):
                parts.append(self._said[1])
                obeys = (self._said[0],)
            text = " ".join(part for part in parts if part) or "Done as asked."
            used = (*obeys, *self._quoted({"answer": text}))
            action = PendingAction(type=ActionType.FINAL_OUTPUT, content=text, depends_on=tuple(dict.fromkeys(used)))
            return Proposal(action, obeys=obeys)

        approved = self._session.decide(build)
        assert approved is not None
        self._world.answer = approved.action.content

    def _again(self, tool: str, arguments: dict[str, JsonValue]) -> None:
        self._keep(tool, arguments, ())

    def _is_order(self, entry: MemoryEntry) -> bool:
        return entry.source is not Source.USER and is_order(entry.text, self._goal)

    def _finds_order(self, entry_id: str) -> bool:
        return any(entry.id == entry_id and self._is_order(entry) for entry in self._session.visible())

    def _quoted(self, arguments: Mapping[str, JsonValue], *, alone: bool = True) -> list[str]:
        """Entries that hold a value of the arguments; the goal when there is none and nothing else is behind them."""
        values = [text for value in arguments.values() for text in _pieces(value)]
        found = [e.id for e in self._session.visible() if any(value in e.text for value in values)]
        return found or ([self._session.visible()[0].id] if alone else [])


def _of_usual_length(book: GoalPhrases, style: OrderStyle, rng: Rng) -> str:
    """A harmless request for which there are others of the same length: few are as short or long as the extremes."""
    drawn = sorted((book.harmless("", style, rng) for _ in range(_DRAWS)), key=len)
    return drawn[_DRAWS // 2]


def _pieces(value: JsonValue) -> list[str]:
    if isinstance(value, dict):
        return [piece for item in value.values() for piece in _pieces(item)]
    if isinstance(value, list):
        return [piece for item in value for piece in _pieces(item)]
    text = str(value)
    return [text] if len(text) >= _QUOTE else []
