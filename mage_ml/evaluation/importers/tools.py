"""What a recorded tool call is: read or write, and which place its result comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from mage_ml.memory import ActionType

READ_VERBS: Final = frozenset(
    (
        *("browse", "check", "count", "describe", "fetch", "find", "get", "inspect", "list", "load", "lookup"),
        *("open", "query", "read", "retrieve", "search", "show", "view"),
    )
)
"""Words that mark a tool as one that only looks."""

NOUN_READS: Final = frozenset({"cart_total"})
"""Tools whose names carry no verb, and that only look."""

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


def action_type_of(tool_name: str) -> ActionType:
    """Read or write, by the verb in a tool's name; a tool without a known verb counts as a write.

    The verb may stand first (`get_invoice`) or second, after the name of the service (`git_list_issues`).
    """
    words = tool_name.lower().split("_")
    if tool_name in NOUN_READS or words[0] in READ_VERBS or (len(words) > 2 and words[1] in READ_VERBS):
        return ActionType.READ
    return ActionType.WRITE


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


def argument_values(arguments: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Every text or number in a call's arguments with the name of its argument, in plain form."""
    for name, value in arguments.items():
        for leaf in _leaves(value):
            yield name, plain_value(leaf)


def _leaves(value: Any) -> Iterator[str]:  # noqa: ANN401 - arbitrary JSON
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    elif value is not None and not isinstance(value, bool):
        yield str(value)
