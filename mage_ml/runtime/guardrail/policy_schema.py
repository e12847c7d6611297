"""The JSON Schema of policies."""

from __future__ import annotations

from typing import Any, Final

from mage_ml.runtime.guardrail.policy_matrix import PolicyMatrix

SCHEMA_ID: Final = "https://json-schema.org/draft/2020-12/schema"


def policy_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a policy file, as plain data.

    It describes fields, types and ranges. What holds between fields (rungs that rise, a row for every type) is checked
    by `load_policy` alone.
    """
    schema = PolicyMatrix.model_json_schema()
    return {"$schema": SCHEMA_ID, "title": "MAGE-ML policy", **{k: v for k, v in schema.items() if k != "title"}}
