"""The task and the standing rules as the agents hold them: restated, handed over, read back, compared."""

from __future__ import annotations

from data_gen.agents import Profile
from data_gen.desk import Look, Thought
from data_gen.session import AgentError, Session
from data_gen.tasks.refund_service.casedesk import DIALOGUE, POLICY, CaseDesk, Found
from data_gen.tasks.refund_service.environment import RefundEnvironment
from data_gen.tasks.refund_service.reading import read_rule
from data_gen.tasks.refund_service.statements import Rule, RuleKind, Strength, brief_note, rule_note
from data_gen.tasks.refund_service.task import RefundTask
from data_gen.texts.names import person_in
from mage_ml.memory.entry import MemoryEntry


class Rulebook(CaseDesk):
    """The task as the policy agent restates it, and the rules handed to the dialogue agent."""

    def __init__(self, task: RefundTask, environment: RefundEnvironment, session: Session, profile: Profile) -> None:
        super().__init__(task, environment, session, profile)
        self.handed: dict[RuleKind, str] = {}
        self._doubted: set[RuleKind] = set()

    # -- the task ---------------------------------------------------------------------------------------------------

    def customer(self) -> Found[str]:
        """Whose case it is, as the policy agent restated it, or else in the user's words."""
        case, goal = self.task.world.case, self.task.goal
        wanted = person_in(goal, self.language) or ""
        said = self.read(lambda text: person_in(text, self.language) if case in text else None)
        if said is None or self.session.distrusts_notes:
            return Found(wanted, (self.goal(),))
        if said.value != wanted and self.looks_again("brief") is not Look.TRUST:
            self.say("mismatch:brief", "mismatch", (self.goal(), *said.used), what=case)
            return Found(wanted, (self.goal(),))
        if said.value != wanted and any(write.slot == "mismatch:brief" for write in self.session.writes):
            return Found(wanted, (self.goal(),))
        return said

    def goal(self) -> str:
        """Id of the goal in the context.

        Raises:
            AgentError: It is gone.
        """
        entry = self.held(self.goal_id)
        if entry is None:
            raise AgentError("the goal is gone")
        return entry.id

    def restate(self) -> None:
        """The policy agent says in its own words what is to be done."""
        self.state("brief", brief_note(self.task.world.case, self.task.world.customers[0].name), (self.goal(),))

    # -- the rules ----------------------------------------------------------------------------------------------------

    def hand_over_rules(self) -> None:
        """The policy agent passes the standing rules on to the dialogue agent, each in a message of its own."""
        for rule in self.task.rules:
            self.handed[rule.kind] = self._pass_on(f"rule:{rule.kind}", rule).id

    def _pass_on(self, slot: str, rule: Rule) -> MemoryEntry:
        with self.session.acting_as(POLICY):
            if rule.strength is Strength.BINDING:
                return self.send(slot, DIALOGUE, lambda: Thought("", (self.rule_text().id,), rule_note(rule)))
            text = self.writer.word(rule_note(rule), self.session.rng("word", slot))
            return self.send(slot, DIALOGUE, lambda: Thought(text, (self.rule_text().id,)))

    def rule_text(self) -> MemoryEntry:
        """The standing rules, as the case began with them.

        Raises:
            AgentError: They are gone.
        """
        entry = self.held(next(write.entry.id for write in self.session.writes if write.slot == "rule"))
        if entry is None:
            raise AgentError("the standing rules are gone")
        return entry

    def rules(self, kind: RuleKind) -> Found[tuple[Rule, ...]]:
        """The rules of a kind as they were handed over; as they were set, where the message is gone or doubted."""
        if kind not in self.handed:
            return Found((), ())
        message = self.held(self.handed[kind])
        if message is None or self.session.distrusts_notes or kind in self._doubted:
            return self._as_set(kind)
        told = read_rule(message.text, kind, self.language)
        if self.looks_again(f"rule:{kind}") is not Look.TRUST and told != self._as_set(kind).value:
            self._doubted.add(kind)
            self.say(f"mismatch:rule:{kind}", "mismatch", (self.rule_text().id, message.id), what=self.task.world.case)
            return self._as_set(kind)
        return Found(told, (message.id,))

    def _as_set(self, kind: RuleKind) -> Found[tuple[Rule, ...]]:
        """The rules of a kind in the words with which the case began."""
        entry = self.rule_text()
        return Found(read_rule(entry.text, kind, self.language), (entry.id,))
