"""What may stand between the agents and the customer: nothing, rules in the prompt, a filter, or the governor."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Protocol

from data_gen.redteam.acts import BROKEN_BY, Act
from data_gen.redteam.agents import DESK_AGENT, DIALOGUE_AGENT, POLICY_AGENT
from data_gen.redteam.dialogue import Draft
from data_gen.redteam.scripts import Script
from mage_ml.runtime.governor import Channel, ConstraintGovernor, GovernorContext, Outcome, Severity
from mage_ml.runtime.governor.constraint import ConstraintSet
from mage_ml.runtime.governor.constraint_file import ConstraintSource
from mage_ml.runtime.governor.context import Question, Utterance
from mage_ml.runtime.governor.drift import Boundary, PinBoard
from mage_ml.runtime.governor.pressure import Situation
from mage_ml.runtime.governor.reminders import ReminderWriter
from mage_ml.runtime.governor.reviews import review_before_answer
from mage_ml.runtime.governor.ruling import Finding
from mage_ml.runtime.governor.validators.build import Resources, build_validators
from mage_ml.runtime.guardrail.wording import Language

TASK: Final = "customer_service"
SORRY: Final = {
    "en": "I am sorry, I cannot answer this here. A colleague will follow up.",
    "zh": "抱歉，这个问题我无法在这里答复。我会请同事跟进。",
}
"""What is said where nothing else may be."""
_RECENT_TURNS: Final = 5


@dataclass(frozen=True, slots=True)
class Scene:
    """Where a conversation stands.

    Attributes:
        script: The conversation.
        turn: From 0.
        message: What the customer just wrote.
        sentiment: The customer's mood, as the sentiment agent reads it.
    """

    script: Script
    turn: int
    message: str
    sentiment: float


@dataclass(frozen=True, slots=True)
class Judged:
    """What becomes of a draft.

    Attributes:
        is_held: Whether it may not leave.
        feedback: What the agent is told, if it may write again.
        answer: What is said instead, if it may not.
    """

    is_held: bool = False
    feedback: str = ""
    answer: str = ""


class Protection(Protocol):
    """What stands between the agents and the world."""

    max_attempts: int

    def opening(self, language: str) -> tuple[str, ...]:
        """Lines for the agent's prompt at the start."""
        ...

    def note(self, scene: Scene, text: str) -> bool:
        """Whether the policy agent's message may reach the dialogue agent."""
        ...

    def reminder(self, scene: Scene) -> str:
        """A line for the agent's context in this turn; empty for none."""
        ...

    def judge(self, scene: Scene, draft: Draft) -> Judged:
        """What becomes of a draft."""
        ...

    def after_summary(self, scene: Scene, summary: str) -> str:
        """What the agent goes on with after it has summarised its context."""
        ...


def rules_of(constraints: ConstraintSet, language: str) -> dict[Act, str]:
    """The text of the rule behind each act."""
    texts = {one.id: one.text.in_language(Language(language)) for one in constraints.constraints}
    return {act: texts[name] for act, name in BROKEN_BY.items()}


class Unprotected:
    """Nothing at all."""

    max_attempts = 1

    def opening(self, language: str) -> tuple[str, ...]:
        """No rules."""
        return ()

    def note(self, scene: Scene, text: str) -> bool:
        """Every message passes."""
        return True

    def reminder(self, scene: Scene) -> str:
        """No reminder."""
        return ""

    def judge(self, scene: Scene, draft: Draft) -> Judged:
        """Every draft leaves."""
        return Judged()

    def after_summary(self, scene: Scene, summary: str) -> str:
        """The agent's own summary."""
        return summary


class PromptRules(Unprotected):
    """The rules stand at the start of the prompt, once.

    Args:
        constraints: The rules.
    """

    def __init__(self, constraints: ConstraintSet) -> None:
        self._constraints = constraints

    def opening(self, language: str) -> tuple[str, ...]:
        """All rules in one line."""
        return ("\n".join(rules_of(self._constraints, language).values()),)


class OutputFilter(PromptRules):
    """The governor's validators on the final output alone; what they find is replaced by a fixed sentence.

    Args:
        source: The constraints.
        resources: What validators ask.
    """

    def __init__(self, source: ConstraintSource, resources: Resources) -> None:
        super().__init__(source.constraints)
        self._validators = build_validators(source, resources)

    def judge(self, scene: Scene, draft: Draft) -> Judged:
        """Hold back a reply that breaks a block-level constraint."""
        context = GovernorContext(facts=scene.script.case.facts)
        utterance = Utterance(DIALOGUE_AGENT, draft.reply.text, context)
        for one in self._constraints.constraints:
            if one.severity is not Severity.BLOCK or not one.scope.covers(DIALOGUE_AGENT, "", Channel.FINAL_OUTPUT):
                continue
            if self._validators[one.id].check(Question(one, utterance)).violated:
                return Judged(True, answer=SORRY[scene.script.case.language])
        return Judged()


class Governed(PromptRules):
    """All that the governor has.

    Reminders by pressure, review of draft and thought, checks between agents, retries with feedback, and constraints
    that are restored after each summary.

    Args:
        governor: The governor; its state is shared by all conversations.
    """

    max_attempts = 6

    def __init__(self, governor: ConstraintGovernor) -> None:
        super().__init__(governor.constraints)
        self._governor = governor
        self._reminders = ReminderWriter(governor.constraints)
        self._board = PinBoard.of(governor.constraints)
        self._broken: list[tuple[int, str]] = []
        self._foreseen: Counter[int] = Counter()

    def note(self, scene: Scene, text: str) -> bool:
        """Check a message between agents."""
        context = self._context(scene, Channel.AGENT_MESSAGE, DIALOGUE_AGENT)
        return self._governor.check_and_enforce(POLICY_AGENT, text, context).allowed

    def reminder(self, scene: Scene) -> str:
        """The constraints that matter now, in words that fit the pressure."""
        user = tuple(message.text for message in scene.script.messages[: scene.turn + 1])
        recent = Counter(name for turn, name in self._broken if scene.turn - turn <= _RECENT_TURNS)
        situation = Situation(DIALOGUE_AGENT, TASK, scene.turn + 1, scene.sentiment, user, recent)
        return self._reminders.write(situation).text

    def judge(self, scene: Scene, draft: Draft) -> Judged:
        """Review draft and thought, then check what is to leave."""
        review = review_before_answer(
            self._governor, DIALOGUE_AGENT, draft.reply.text, draft.thought, self._context(scene)
        )
        foreseen = [one for one in review.foreshadowed if one.severity is Severity.BLOCK]
        if foreseen and not review.draft:
            self._note_broken(scene, foreseen)
            return self._rethink(scene, foreseen)
        if draft.order is not None:
            # Its retries are counted apart from those of the reply, which may be accepted in the same turn.
            context = replace(
                self._context(scene, Channel.AGENT_MESSAGE, DESK_AGENT), run_id=f"{scene.script.name}:desk"
            )
            judged = self._ruled(scene, draft.order.text, context)
            if judged.is_held:
                return judged
        return self._ruled(scene, draft.reply.text, self._context(scene))

    def after_summary(self, scene: Scene, summary: str) -> str:
        """The summary with every lost constraint restored."""
        found = self._board.verify(summary, boundary=Boundary.COMPACTION, agent_id=DIALOGUE_AGENT, task=TASK)
        return found.restored_text(summary)

    def _ruled(self, scene: Scene, text: str, context: GovernorContext) -> Judged:
        ruling = self._governor.check_and_enforce(DIALOGUE_AGENT, text, context)
        self._note_broken(scene, ruling.findings)
        if ruling.allowed:
            return Judged()
        if ruling.outcome is Outcome.REGENERATE:
            return Judged(True, feedback=ruling.feedback)
        return Judged(True, answer=ruling.output or SORRY[scene.script.case.language])

    def _rethink(self, scene: Scene, findings: list[Finding]) -> Judged:
        """Have a draft whose thought means to break a rule written again, whatever it says; at most so many times."""
        self._foreseen[scene.turn] += 1
        language = scene.script.case.language
        if self._foreseen[scene.turn] > self._governor.constraints.retries.max_attempts:
            return Judged(True, answer=SORRY[language])
        texts = rules_of(self._governor.constraints, language)
        named = {name: texts[act] for act, name in BROKEN_BY.items()}
        lines = [f"{one.clause}: {named.get(one.constraint_id, one.constraint_id)}" for one in findings]
        return Judged(True, feedback="\n".join(lines))

    def _note_broken(self, scene: Scene, findings: list[Finding] | tuple[Finding, ...]) -> None:
        self._broken += [(scene.turn, one.constraint_id) for one in findings]

    def _context(
        self, scene: Scene, channel: Channel = Channel.FINAL_OUTPUT, recipient: str = "customer"
    ) -> GovernorContext:
        facts: Mapping[str, object] = scene.script.case.facts
        return GovernorContext(
            run_id=scene.script.name,
            task=TASK,
            turn=scene.turn + 1,
            channel=channel,
            recipient=recipient,
            user=scene.message,
            sentiment=scene.sentiment,
            facts=facts,
        )
