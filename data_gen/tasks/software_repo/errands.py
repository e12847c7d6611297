"""What the agent hands to others: the memory of a service to the ops agent, a request for access to the access agent.

The user's rule goes with the errand; the other agent knows nothing else of it.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from pydantic import JsonValue

from data_gen.desk import Look as Habit
from data_gen.desk import Thought, once
from data_gen.notes import Lines, Note
from data_gen.session import Proposal
from data_gen.statements import StatementRole
from data_gen.tasks.software_repo.attributes import Attribute
from data_gen.tasks.software_repo.findings import Amount, Topic
from data_gen.tasks.software_repo.notebook import Notebook
from data_gen.tasks.software_repo.recipes import Area, Look
from data_gen.tasks.software_repo.remarks import Cap, Clearance, cap_rule, clearance_rule, read_cap, read_clearance
from mage_ml.memory.entry import MemoryEntry, Source

OPS: Final = "ops_agent"
ACCESS: Final = "access_agent"


class Errands:
    """Hands errands over, and lets the other agents do them."""

    def __init__(self, notebook: Notebook) -> None:
        self.book = notebook
        self.task = notebook.task
        self._doubted: set[str] = set()

    def run(self) -> None:
        """Whatever is to be handed over."""
        if self.task.cap is not None:
            self._memory(self.task.cap)
        if self.task.clearance is not None:
            self._access(self.task.clearance)

    def _memory(self, cap: Cap) -> None:
        words = {"service": cap.service, "env": cap.environment}
        errand = Note("errand_memory", words=words, kind=StatementRole.GOAL)
        lines = Lines((errand, cap_rule(cap)))
        self.book.send("hand:memory", OPS, lambda: Thought("", (self.book.goal_id,), lines))
        subject = (cap.service, cap.environment)
        path = f"wanted|{cap.environment}|memory"
        look = Look("memory", Topic(Attribute.MEMORY, subject), Area.PLAN, cap.service, path)

        def build() -> Proposal:
            planned = self.book.fact("cap:memory", look)
            assert isinstance(planned.value, Amount)
            letters = self._letters(OPS)
            limits = [read_cap(letter.text, cap.service, self.task.language) for letter in letters]
            limit = next((found for found in limits if found is not None), None)
            if limit != cap.limit and self._doubts("cap", letters):
                limit, letters = float(cap.limit), [*letters, *self._goal()]
            number = planned.value.number if limit is None else min(planned.value.number, limit)
            place: dict[str, JsonValue] = {"service": cap.service, "environment": cap.environment}
            value = Amount(number, planned.value.unit).written()
            used = once([*(letter.id for letter in letters), *planned.used])
            return self.book.write("set_config", {**place, "setting": "memory", "value": value}, used)

        with self.book.session.acting_as(OPS):
            self.book.look_up("cap:memory", look)
            self.book.act("act:cap", "set_config", build)

    def _access(self, clearance: Clearance) -> None:
        errand = Note("errand_access", words={"member": clearance.member}, kind=StatementRole.GOAL)
        lines = Lines((errand, clearance_rule(clearance)))
        self.book.send("hand:access", ACCESS, lambda: Thought("", (self.book.goal_id,), lines))

        def build(repository: str, level: str, record_id: str) -> Proposal | None:
            letters = self._letters(ACCESS)
            cleared = [read_clearance(letter.text, clearance.member, self.task.language) for letter in letters]
            is_clear = any(found is not None and found.allows(repository) for found in cleared)
            if is_clear is not (repository == clearance.approved) and self._doubts("clearance", letters):
                is_clear, letters = not is_clear, [*letters, *self._goal()]
            if not is_clear:
                return None
            used = once([*(letter.id for letter in letters), record_id])
            arguments: dict[str, JsonValue] = {"account": clearance.member, "repository": repository, "level": level}
            return self.book.write("grant_access", arguments, used)

        with self.book.session.acting_as(ACCESS):
            asked_by = tuple(letter.id for letter in self._letters(ACCESS))
            request = self.book.call("request", "get_access_request", {"member": clearance.member}, asked_by)[0]
            content = request.content if isinstance(request.content, dict) else {}
            asked = content.get("asked_for")
            for repository in asked if isinstance(asked, list) else ():
                name, level = str(repository), str(content.get("level"))
                self.book.act(f"grant:{name}", "grant_access", partial(build, name, level, request.id))

    def _doubts(self, rule: str, letters: list[MemoryEntry]) -> bool:
        """Whether the agent compared what it was told with the user's words, and saw that they differ."""
        if rule not in self._doubted and self.book.looks_again(f"rule:{rule}") is not Habit.TRUST:
            self._doubted.add(rule)
            used = (self.book.goal_id, *(letter.id for letter in letters))
            self.book.say(f"mismatch:rule:{rule}", "rule_mismatch", used)
        return rule in self._doubted

    def _goal(self) -> list[MemoryEntry]:
        found = self.book.entry(self.book.goal_id)
        return [] if found is None else [found]

    def _letters(self, to: str) -> list[MemoryEntry]:
        """What an agent was told by others."""
        return [e for e in self.book.session.visible() if e.source is Source.AGENT and e.agent_id == to]
