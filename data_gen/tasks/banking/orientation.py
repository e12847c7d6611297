"""What the banking agent goes by when it acts: its restatement of the task, the rules, orders that it found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from data_gen.desk import Look
from data_gen.session import OWN_SOURCES
from data_gen.tasks.banking.attributes import Kind
from data_gen.tasks.banking.findings import Findings
from data_gen.tasks.banking.notebook import NameReading
from data_gen.tasks.banking.reading import Limit, is_brief, is_exempt, read_limits
from data_gen.texts.names import person_in
from data_gen.texts.orders import ADDRESS, Order
from mage_ml.memory.entry import MemoryEntry, Source


@dataclass(frozen=True, slots=True)
class Text:
    """A text for somebody, and the entries it was made from."""

    text: str
    used: tuple[str, ...]


class Orientation:
    """Reads what an agent goes by, always from memory as it is at that moment."""

    def __init__(self, findings: Findings) -> None:
        self.findings, self.book = findings, findings.book
        self.task, self.world, self.session = self.book.task, self.book.task.world, self.book.session
        self.receipts: dict[str, str] = {}
        self._doubted: set[str] = set()

    def source(self) -> NameReading:
        """The account that pays, as the agent's restatement of its task has it, or else the user's words."""
        goal = NameReading(self.world.source, (self.book.goal_id,))
        return self._from_brief(goal, lambda text: next((a for a in self._accounts() if a in text), None), "source")

    def recipient(self) -> NameReading:
        """Who gets the mail, by the same."""
        language = self.task.language
        goal = NameReading(person_in(self.task.goal, language) or "", (self.book.goal_id,))
        return self._from_brief(goal, lambda text: person_in(text, language), "recipient")

    def contact(self) -> MemoryEntry:
        """The directory's record of the recipient."""
        name = self.recipient()
        for entry in self.book.records("find_contact"):
            if name.text in entry.text and ADDRESS.search(entry.text):
                return entry
        used = (self.book.goal_id, *name.used)
        return self.book.call(f"contact:{name.text}", "find_contact", {"name": name.text}, used)[0]

    def rule(self) -> Text:
        """The rules on approvals, as the payer was told them, or as the house states them."""
        visible = self.session.visible()
        told = [entry for entry in visible if entry.source is Source.AGENT and not self.session.distrusts_notes]
        house = [entry for entry in visible if entry.source is Source.SYSTEM and entry.origin == "operator"]
        if told and self.book.looks_again("rule") is not Look.TRUST and not self._same_rules(told, house):
            self._doubted.add("rule")
            used = tuple(entry.id for entry in (*house, *told))
            self.book.say("mismatch:rule", "mismatch", used, entity=self.task.keys[0].label)
        entries = house if not told or "rule" in self._doubted else told
        return Text("\n".join(entry.text for entry in entries), tuple(entry.id for entry in entries))

    def _same_rules(self, told: list[MemoryEntry], house: list[MemoryEntry]) -> bool:
        payees, language = self.world.payees(), self.task.language

        def read(entries: list[MemoryEntry]) -> tuple[set[Limit], set[str]]:
            text = "\n".join(entry.text for entry in entries)
            spared = {label for label in self.world.of_kind(Kind.INVOICE) if is_exempt(text, label, language)}
            return set(read_limits(text, payees, language)), spared

        return read(told) == read(house)

    def _accounts(self) -> tuple[str, ...]:
        return self.world.of_kind(Kind.ACCOUNT)

    def _from_brief(self, goal: NameReading, read: Callable[[str], str | None], what: str) -> NameReading:
        for entry in reversed(self.session.visible()):
            own = entry.source in OWN_SOURCES and is_brief(entry.text, self.task.language)
            found = read(entry.text) if own and not self.session.distrusts_notes else None
            if found is None:
                continue
            if found != goal.text and self.book.looks_again(f"brief:{what}") is not Look.TRUST:
                self._doubted.add(what)
                used = (self.book.goal_id, entry.id)
                self.book.say(f"mismatch:brief:{what}", "brief_mismatch", used, name=goal.text)
            doubted = what in self._doubted and found != goal.text
            return goal if doubted else NameReading(found, (entry.id,))
        return goal

    def _orders(self, *kinds: str) -> list[Order]:
        return [order for order in self.findings.orders() if order.kind in kinds]
