"""What becomes of a decision when something around it fails."""

from __future__ import annotations

from mage_ml.runtime.guardrail import Decision, DecisionAction, FailMode, Mode, Reason, ReasonKind, wording


def after_failure(
    decision: Decision, cause: wording.FailureCause, text: str, language: wording.Language, *, stop: bool = False
) -> Decision:
    """The decision after something around it failed: the fail mode decides, and nothing gets looser.

    Nothing that the decision proposes is carried out then, so it no longer claims to.

    Args:
        decision: As it was.
        cause: What failed.
        text: What happened, without a full stop.
        language: Language of the message to the agent.
        stop: Halt whatever the fail mode says: memory itself is in doubt.
    """
    kind = ReasonKind.AUDIT if cause is wording.FailureCause.AUDIT else ReasonKind.FAILURE
    if decision.mode is not Mode.ENFORCE:
        reason = Reason(kind=kind, text=f"{text}; the mode is {decision.mode}, nothing is enforced.")
        return decision.model_copy(update={"reasons": (*decision.reasons, reason)})
    nothing_done = {"patches": (), "repair_ids": (), "verification": None}
    if decision.fail_mode is FailMode.OPEN and not stop:
        reason = Reason(kind=ReasonKind.FAIL_OPEN, text=f"{text}; this action type fails open.")
        told = decision.message
        if decision.patches or decision.verification is not None:
            told = wording.failure_text(cause, not decision.allowed, language)
        return decision.model_copy(update={**nothing_done, "reasons": (*decision.reasons, reason), "message": told})
    because = "memory is in doubt, so no action goes ahead" if stop else "this action type fails closed"
    reason = Reason(kind=kind, text=f"{text}; {because}.")
    return decision.model_copy(
        update={
            "action": DecisionAction.HALT,
            "allowed": False,
            **nothing_done,
            "reasons": (*decision.reasons, reason),
            "message": wording.failure_text(cause, True, language),
        }
    )
