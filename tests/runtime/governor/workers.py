"""What other processes do in tests; imported by them."""

from __future__ import annotations

from mage_ml.runtime.governor import ConstraintGovernor, GovernorSetup

from .make import at, constraint_set


def count(place: str, number: int, checks: int) -> None:
    """Check outputs, every fourth of which breaks a constraint, and write what was counted."""
    governor = ConstraintGovernor(constraint_set(), GovernorSetup(state=place))
    for step in range(checks):
        text = "a gift" if step % 4 == 0 else "we cannot send a gift"
        governor.check_and_enforce(f"agent{number % 3}", text, at(step, f"run{number}"))
    governor.close()


def reject(place: str, number: int, times: int) -> None:
    """Break a constraint in a turn that all processes share."""
    with ConstraintGovernor(constraint_set(retries={"max_attempts": 20}), GovernorSetup(state=place)) as governor:
        for _ in range(times):
            governor.check_and_enforce("agent", "a gift", at(7, "shared"))
