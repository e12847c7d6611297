"""Whoever has a say beside the guard."""

from __future__ import annotations

from collections.abc import Sequence

from mage_ml.runtime.guardrail import DecisionAction
from mage_ml.runtime.integrations.core import AgentSession, Opinion, Point, SessionPool, Step, ToolRequest
from tests.integrations.test_core import USER, begun, mail
from tests.integrations.world import GOAL_EN


class Governor:
    """Objects to what a test says."""

    name = "governor"

    def __init__(self, point: Point, opinion: Opinion | Exception) -> None:
        self._point, self._opinion = point, opinion
        self.steps: list[Step] = []

    def review(self, step: Step) -> Opinion | None:
        self.steps.append(step)
        if step.point is not self._point or step.tool_name not in (None, "send_mail"):
            return None
        if isinstance(self._opinion, Exception):
            raise self._opinion
        return self._opinion

    def reminders(self, agent_id: str, conversation: str) -> Sequence[str]:
        return [f"Remember the house rules, {agent_id}."]


def governed(point: Point, opinion: Opinion | Exception) -> tuple[AgentSession, Governor]:
    governor = Governor(point, opinion)
    return begun(SessionPool.create(artifact=None, overseers=[governor])), governor


def test_a_veto_of_an_overseer_blocks_what_the_guard_lets_pass() -> None:
    session, governor = governed(Point.BEFORE_TOOL, Opinion(DecisionAction.HALT, "No mail on Sundays."))
    verdict = session.before_tool(mail())
    assert verdict.halts
    assert verdict.text == "No mail on Sundays."
    assert governor.steps[-1].tool_name == "send_mail"
    assert governor.steps[-1].conversation == "run"


def test_feedback_of_an_overseer_sends_the_answer_back() -> None:
    session, _ = governed(Point.BEFORE_OUTPUT, Opinion(DecisionAction.REPAIR, "Offer no gifts."))
    verdict = session.before_output("Here is a gift.", key="a1")
    assert not verdict.allowed
    assert not verdict.halts
    assert "Offer no gifts." in session.before_model([USER]).text


def test_an_overseer_that_fails_stops_closed_steps_only() -> None:
    session, _ = governed(Point.BEFORE_TOOL, RuntimeError("down"))
    assert not session.before_tool(ToolRequest("query_sales", {"region": "South"}, "c3")).halts
    verdict = session.before_tool(mail())
    assert verdict.halts
    assert verdict.failure == "governor: RuntimeError: down"


def test_reminders_stand_in_every_request_and_messages_are_shown_once() -> None:
    session, governor = governed(Point.COMPACTION, Opinion(DecisionAction.WARN, ""))
    assert session.before_model([USER]).text == "Remember the house rules, agent."
    assert [step.text for step in governor.steps].count(GOAL_EN) == 1
