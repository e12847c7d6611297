"""How a scripted agent of any domain works: it notes, calls tools and reads back, always through memory as it then is.

A domain's policy keeps one `Desk` a run and adds what it reads from texts. Habits come with it: `looks_again`,
`condense`. Nothing that the agent will act on may be kept in a variable: read it from `visible()` when it is used, so
that a wrong entry has consequences and a repaired one has them too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from pydantic import JsonValue

from data_gen.agents import Profile
from data_gen.notes import Lines, quoted
from data_gen.randomness import rng_for
from data_gen.session import OWN_SOURCES, Proposal, Session
from data_gen.statements import Statement, StatementRole
from data_gen.tasks.base import Environment
from data_gen.thoughts import Look as Look
from data_gen.thoughts import Thought as Thought
from data_gen.thoughts import once as once
from data_gen.writers import Writer
from mage_ml.memory.entry import MemoryEntry, Source
from mage_ml.memory.snapshot import ActionType, PendingAction

QUOTES: Final = 0.35
NAMES_ORIGIN: Final = 0.3


class Desk:
    """Notes, calls and reads of one run.

    Args:
        session: The run.
        environment: The tools.
        writer: Words the notes.
        profile: The agent's habits.
    """

    def __init__(self, session: Session, environment: Environment, writer: Writer, profile: Profile) -> None:
        self.session = session
        self.environment = environment
        self.writer = writer
        self.profile = profile
        self.goal_id = ""
        self._goal = ""
        self.fresh_from = 0
        self._calls = 0
        self._looked: set[str] = set()
        session.run_tool = self.verify
        session.on_warning = self.forget_findings

    def begin(self, goal: str, rule: str | None = None) -> str:
        """Store the house rule, if there is one, and the user's goal; returns the goal's id."""
        if rule is not None:
            self.session.remember("rule", rule, Source.SYSTEM, origin="operator")
        self._goal = goal
        self.goal_id = self.session.remember("goal", goal, Source.USER, origin="user").id
        return self.goal_id

    def note(self, slot: str, think: Callable[[], Thought], *, source: Source = Source.LLM_REASONING) -> MemoryEntry:
        """Think, and keep the thought. `think` is called again when a gate has repaired memory meanwhile."""
        latest: list[Thought] = []

        def build() -> Proposal:
            thought = self._worded(think(), slot)
            latest.append(thought)
            action = PendingAction(
                type=ActionType.INTERNAL_REASONING,
                content=thought.text,
                agent_id=self.session.agent_id,
                depends_on=once(thought.used),
            )
            return Proposal(action, thought.obeys, thought.only_examines)

        self.session.decide(build)
        thought = latest[-1]
        sure = round(0.66 + 0.24 * self.session.rng("confidence", slot).random(), 2)
        return self.session.remember(
            slot,
            thought.text,
            source,
            statement=thought.statement,
            redraw=self.writer.word,
            depends_on=thought.used,
            origin=self.session.agent_id if source is Source.AGENT else self._origin(thought.used, slot),
            confidence=sure if thought.confidence is None else thought.confidence,
        )

    def state(self, slot: str, statement: Statement, used: Sequence[str]) -> MemoryEntry:
        """Note a statement."""
        return self.note(slot, lambda: Thought("", tuple(used), statement))

    def say(self, slot: str, symbol: str, used: Sequence[str], **fields: str) -> MemoryEntry:
        """Note a set phrase: a remark about entries, which adopts nothing that they say."""
        text = self.writer.say(symbol, self.session.rng("say", slot), **fields)
        return self.note(slot, lambda: Thought(text, tuple(used), only_examines=True))

    def send(self, slot: str, to: str, think: Callable[[], Thought]) -> MemoryEntry:
        """Send a message to another agent: the sender decides, the receiver's memory holds it, signed by the sender."""
        sender = self.session.agent_id
        latest: list[Thought] = []

        def build() -> Proposal:
            thought = self._worded(think(), slot)
            latest.append(thought)
            arguments: dict[str, JsonValue] = {"to": to, "text": thought.text}
            used = once(thought.used)
            action = PendingAction(
                type=ActionType.WRITE,
                tool_name="send_message",
                arguments=arguments,
                agent_id=sender,
                depends_on=used,
            )
            return Proposal(action, thought.obeys)

        self.session.decide(build)
        with self.session.acting_as(to):
            return self.session.remember(
                slot,
                latest[-1].text,
                Source.AGENT,
                statement=latest[-1].statement,
                redraw=self.writer.word,
                depends_on=latest[-1].used,
                origin=sender,
                confidence=latest[-1].confidence,
            )

    def call(
        self,
        slot: str,
        tool: str,
        arguments: dict[str, JsonValue],
        used: Sequence[str],
        obeys: tuple[str, ...] = (),
    ) -> list[MemoryEntry]:
        """Call a reading tool and keep what it returns."""
        action = PendingAction(
            type=self.environment.kind(tool),
            tool_name=tool,
            arguments=arguments,
            agent_id=self.session.agent_id,
            depends_on=once((*used, *obeys)),
        )
        self.session.decide(lambda: Proposal(action, obeys))
        return self._keep(slot, tool, arguments)

    def act(self, slot: str, tool: str, build: Callable[[], Proposal | None]) -> str | None:
        """Call a writing tool with arguments that are built from memory.

        Returns:
            Id of the receipt; `None` when memory no longer calls for the action.
        """
        proposal = self.session.decide(build)
        if proposal is None:
            return None
        action = proposal.action
        return self._keep(slot, tool, dict(action.arguments), action.depends_on)[0].id

    def write(
        self, tool: str, arguments: dict[str, JsonValue], used: Sequence[str], obeys: Sequence[str] = ()
    ) -> Proposal:
        """A proposal to call a writing tool, for `act`."""
        action = PendingAction(
            type=ActionType.WRITE,
            tool_name=tool,
            arguments=arguments,
            agent_id=self.session.agent_id,
            depends_on=once((*used, *obeys)),
        )
        return Proposal(action, tuple(obeys))

    def answer(self, build: Callable[[], Thought]) -> str:
        """Give the final answer, and return its text."""

        def propose() -> Proposal:
            thought = self._worded(build(), "answer")
            action = PendingAction(
                type=ActionType.FINAL_OUTPUT,
                content=thought.text,
                agent_id=self.session.agent_id,
                depends_on=once((*thought.used, *thought.obeys)),
            )
            return Proposal(action, thought.obeys)

        proposal = self.session.decide(propose)
        assert proposal is not None
        return proposal.action.content

    def verify(self, tool: str, arguments: dict[str, JsonValue]) -> list[MemoryEntry]:
        """Run a reading tool again because a gate asks for it; findings older than its result are derived anew."""
        self._calls += 1
        slot = f"verify:{self._calls}"
        self.forget_findings()
        try:
            if self.environment.kind(tool) is not ActionType.READ:
                raise LookupError(f"{tool} has effects; it is not run again")
            return self._keep(slot, tool, arguments)
        except LookupError as error:
            return [self.session.remember(slot, f"error: {error}", Source.TOOL, tool_name=tool, origin="runtime")]

    def forget_findings(self) -> None:
        """Have every finding derived anew: notes older than this no longer count as findings."""
        self.fresh_from = len(self.session.memory.entries())

    def own_notes(self, since: int | None = None) -> list[MemoryEntry]:
        """The agent's own notes in the context, newest first, from the last `forget_findings` on."""
        start = self.fresh_from if since is None else since
        recent = {entry.id for entry in self.session.memory.entries()[start:]}
        return [e for e in reversed(self.session.visible()) if e.source in OWN_SOURCES and e.id in recent]

    def records(self, tool: str) -> list[MemoryEntry]:
        """What a tool returned, newest first."""
        return [entry for entry in reversed(self.session.visible()) if entry.tool_name == tool]

    def entry(self, entry_id: str) -> MemoryEntry | None:
        """An entry in the context."""
        return next((entry for entry in self.session.visible() if entry.id == entry_id), None)

    def draws(self, chance: float, *names: str) -> bool:
        """Whether something that happens with this chance happens in this run."""
        return chance > 0 and self.session.rng(*names).random() < chance

    def looks_again(self, what: str) -> Look:
        """Whether, and how, the agent checks a note before it uses it: once for each thing, by habit."""
        if what in self._looked:
            return Look.TRUST
        self._looked.add(what)
        if self.draws(self.profile.requeries, "requery", what):
            return Look.REQUERY
        return Look.REREAD if self.draws(self.profile.rereads, "reread", what) else Look.TRUST

    def obeys(self, *names: str) -> bool:
        """Whether the agent goes along with an order found in a text; name it by its kind and value."""
        return self.draws(self.profile.obedience, "obey", *names)

    def condense(self, slot: str, statements: Callable[[], Sequence[Statement]], used: Sequence[str]) -> MemoryEntry:
        """Summarise into one entry and let the originals go from the context (compaction)."""
        entry = self.note(slot, lambda: Thought("", tuple(used), Lines(tuple(statements()))))
        self.session.forget(used)
        return entry

    def _worded(self, thought: Thought, slot: str) -> Thought:
        """The thought in words. Figures from a tool are quoted by its name now and then."""
        if thought.text or thought.statement is None:
            return thought
        statement, record = thought.statement, self._tool_record(thought.used)
        is_figure = statement.role is StatementRole.FACT and bool(statement.figures())
        is_figure = is_figure and not isinstance(statement, Lines)
        # Whether a note is a quotation is a matter of the task, not of the seed: it must hold for every run of a proof.
        rng = rng_for("quotes", self._goal, slot)
        if record is not None and is_figure and rng.random() < QUOTES:
            statement = quoted(statement, record.tool_name or "", self.writer.language, rng)
        return replace(thought, text=self.writer.word(statement, self.session.rng("word", slot)), statement=statement)

    def _origin(self, used: Sequence[str], slot: str) -> str | None:
        """Notes from a tool's record name its origin now and then."""
        record = self._tool_record(used)
        return record.origin if record is not None and self.draws(NAMES_ORIGIN, "origin", slot) else None

    def _tool_record(self, used: Sequence[str]) -> MemoryEntry | None:
        record = self.entry(used[0]) if used else None
        return record if record is not None and record.source is Source.TOOL else None

    def _keep(
        self, slot: str, tool: str, arguments: dict[str, JsonValue], used: Sequence[str] = ()
    ) -> list[MemoryEntry]:
        return [
            self.session.remember(
                slot if number == 0 else f"{slot}:{number + 1}",
                output.content,
                output.source,
                statement=output.statement,
                redraw=output.redraw,
                depends_on=used,
                tool_name=tool,
                origin=output.origin,
                confidence=output.confidence,
            )
            for number, output in enumerate(self.environment.call(tool, arguments))
        ]
