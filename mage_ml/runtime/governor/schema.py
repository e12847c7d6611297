"""The JSON Schema of constraint files."""

from __future__ import annotations

from typing import Any, Final

from mage_ml.runtime.governor.constraint import ConstraintSet

SCHEMA_ID: Final = "https://json-schema.org/draft/2020-12/schema"


def constraints_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a constraint file, as plain data.

    It describes fields, types and ranges. What holds between fields (known names, expressions that can be read) is
    checked by `load_constraints` alone.
    """
    schema = ConstraintSet.model_json_schema()
    _allow_plain_texts(schema["$defs"])
    return {"$schema": SCHEMA_ID, "title": "MAGE-ML constraints", **{k: v for k, v in schema.items() if k != "title"}}


def _allow_plain_texts(definitions: dict[str, Any]) -> None:
    """A text may be one plain string, which the model reads before its fields are looked at."""
    definitions["LocalText"] = {"anyOf": [{"type": "string", "minLength": 1}, definitions["LocalText"]]}
