"""Asks an LLM judge that the host provides: a function of a question, or any evaluator of snapshots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from mage_ml.errors import EvaluatorError
from mage_ml.memory import ActionType, MemoryEntry, PendingAction, Role, Snapshot, Source
from mage_ml.risk import RiskAxis
from mage_ml.runtime.evaluators.base import Evaluator, checked
from mage_ml.runtime.governor.context import Question
from mage_ml.runtime.governor.validator_specs import JudgeSpec
from mage_ml.runtime.governor.validators.base import KEPT, Verdict

JudgeCall = Callable[[Question, str], Verdict]
"""A judge that is asked directly: the question as data, and in words."""
_ASKED_EN: Final = "Does the reply keep this rule: {text}"
_ASKED_ZH: Final = "这条回复是否遵守以下规则：{text}"


class JudgeValidator:
    """Puts a constraint before a judge.

    An evaluator is shown a snapshot in which the constraint is an instruction of the system and the output is the
    pending action; its safety score counts against the threshold. An answer in which the judge did not run (it was
    skipped for its budget, or failed) is a failure, never a pass.

    Args:
        spec: What is asked.
        judge: Who is asked.
    """

    def __init__(self, spec: JudgeSpec, judge: JudgeCall | Evaluator) -> None:
        self._spec = spec
        self._judge = judge

    def check(self, question: Question) -> Verdict:
        """Ask the judge.

        Raises:
            EvaluatorError: It gave no verdict.
        """
        if isinstance(self._judge, Evaluator):
            return self._by_evaluator(question, self._judge)
        answer = self._judge(question, self.words(question))
        if not isinstance(answer, Verdict):
            raise EvaluatorError(f"judge: gave {type(answer).__name__}; expected a Verdict")
        return answer

    def words(self, question: Question) -> str:
        """The question in the language of the conversation."""
        language = question.utterance.language
        if self._spec.question is not None:
            return self._spec.question.in_language(language)
        asked = _ASKED_ZH if language == "zh" else _ASKED_EN
        return asked.format(text=question.constraint.text.in_language(language))

    def _by_evaluator(self, question: Question, judge: Evaluator) -> Verdict:
        answer = checked(judge.assess(_snapshot(question, self.words(question))), judge.name)
        if not answer.coverage.ran or answer.coverage.failed:
            why = "; ".join((*answer.coverage.failed.values(), *answer.coverage.skipped.values())) or "no tier ran"
            raise EvaluatorError(f"{judge.name}: gave no verdict: {why}")
        score = answer.risk[RiskAxis.SAFETY]
        if score < self._spec.threshold:
            return KEPT
        said = next((item.message for item in answer.evidence if item.axis is RiskAxis.SAFETY), "")
        return Verdict(violated=True, explanation=said[:400], score=score, found_by=judge.name[:200])


def _snapshot(question: Question, words: str) -> Snapshot:
    utterance, context = question.utterance, question.utterance.context
    pinned = MemoryEntry(
        id=f"constraint:{question.constraint.id}",
        content=question.constraint.text.in_language(utterance.language),
        source=Source.SYSTEM,
        role=Role.INSTRUCTION,
        origin="constraint governor",
    )
    entries = [pinned, *(context.snapshot.entries if context.snapshot is not None else ())]
    if context.user:
        entries.append(MemoryEntry(id="governor:user", content=context.user, source=Source.USER))
    action = PendingAction(type=ActionType.FINAL_OUTPUT, content=utterance.output, agent_id=utterance.agent_id)
    return Snapshot.of(tuple(entries), action, goal=words)
