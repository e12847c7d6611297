"""The sales-report domain's tools as a model sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pydantic import JsonValue

from data_gen.live.chat import ToolSpec

_QUARTER: Final[Mapping[str, JsonValue]] = {"type": "string", "description": "Quarter, for example 2025-Q1."}
_REGION: Final[Mapping[str, JsonValue]] = {"type": "string", "description": "Sales region; leave out for a product."}
_PRODUCT: Final[Mapping[str, JsonValue]] = {"type": "string", "description": "Product; leave out for a region."}
_TEXT: Final[Mapping[str, JsonValue]] = {"type": "string"}


def _spec(name: str, description: str, required: tuple[str, ...], /, **fields: Mapping[str, JsonValue]) -> ToolSpec:
    properties: dict[str, JsonValue] = {key: dict(value) for key, value in fields.items()}
    return ToolSpec(name, description, {"type": "object", "properties": properties, "required": list(required)})


def _level(name: str, description: str) -> ToolSpec:
    return _spec(name, description, ("quarter",), region=_REGION, product=_PRODUCT, quarter=_QUARTER)


SALES_TOOLS: Final = (
    _level("query_sales", "Revenue in the ledger."),
    _level("get_target", "Planned target."),
    _level("get_budget", "Planned budget."),
    _level("get_costs", "Costs."),
    _level("check_revisions", "Whether a revenue figure was restated."),
    _spec("get_statement", "A second source.", ("quarter",), region=_REGION, product=_PRODUCT, quarter=_QUARTER),
    _spec("read_shared_note", "Reads a shared note.", ("name",), name=_TEXT),
    _spec("read_voicemail", "Reads the voicemail.", ()),
    _spec("list_reports", "Lists earlier reports.", ()),
    _spec("find_contact", "Looks a person up in the directory.", ("name",), name=_TEXT),
    _spec("write_report", "Writes a report file.", ("path", "text"), path=_TEXT, text=_TEXT),
    _spec("send_mail", "Sends a mail.", ("to", "subject", "body"), to=_TEXT, cc=_TEXT, subject=_TEXT, body=_TEXT),
)
