"""Constraints for tests, as short as they can be."""

from __future__ import annotations

from typing import Any

from mage_ml.runtime.governor import ConstraintSet, GovernorContext

NO_GIFT: dict[str, Any] = {
    "id": "no_gift",
    "text": {"en": "Do not promise gifts.", "zh": "不得承诺礼品。"},
    "clause": "policy 3.2",
    "remedy": {"en": "a gift only if the parcel was lost", "zh": "仅在包裹丢失时可赠送礼品"},
    "triggers": [{"keywords": ["gift", "礼品"]}],
    "validator": {"kind": "regex", "forbid": [r"(?i)\bgift", "礼品"], "unless": [r"(?i)\bcannot\b", "不能|无法"]},
}


def rule(**changes: Any) -> dict[str, Any]:
    return {**NO_GIFT, **changes}


def regex(identity: str, *forbid: str, **fields: Any) -> dict[str, Any]:
    return {
        "id": identity,
        "text": f"rule {identity}",
        "validator": {"kind": "regex", "forbid": list(forbid)},
        **fields,
    }


def constraint_set(*rules: dict[str, Any], **fields: Any) -> ConstraintSet:
    return ConstraintSet.model_validate({"constraints": list(rules or (NO_GIFT,)), **fields})


def at(turn: int = 1, run: str = "run", **fields: Any) -> GovernorContext:
    return GovernorContext(run_id=run, turn=turn, **fields)
