"""Names the place that a tool result comes from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

# The argument that says which document, mailbox, page or record a result comes from, the most telling first.
_KEY_ARGUMENTS: Final = (
    "url",
    "path",
    "file_id",
    "file_path",
    "repo_name",
    "local_path",
    "order_id",
    "product_id",
    "product_name",
    "email_id",
    "channel",
    "user",
    "day",
    "query",
)


def origin_of_result(tool_name: str, arguments: Mapping[str, Any]) -> str:
    """Name the place a tool result comes from: the tool and its key argument.

    Two results with one origin are one source: reading a mailbox twice corroborates nothing. The scheme of a URL and
    a trailing slash are left out.
    """
    for name in _KEY_ARGUMENTS:
        value = arguments.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
            return f"{tool_name}:{plain_value(str(value))[:200]}"
    return tool_name


def plain_value(text: str) -> str:
    """A value in the form in which two of them are compared: lower case, no URL scheme, no closing slash."""
    folded = text.strip().lower()
    for scheme in ("https://", "http://"):
        folded = folded.removeprefix(scheme)
    return folded.rstrip("/.")
