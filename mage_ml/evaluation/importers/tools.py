"""What a recorded tool call is: read or write, and which place its result comes from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import re2

from mage_ml.memory import ActionType
from mage_ml.memory.origins import origin_of_result as origin_of_result
from mage_ml.memory.origins import plain_value as plain_value

_HUMP: Final = re2.compile(r"[A-Z][a-z0-9]*|[a-z0-9]+")

READ_VERBS: Final = frozenset(
    (
        *("browse", "check", "count", "describe", "fetch", "find", "get", "inspect", "list", "load", "lookup"),
        *("open", "query", "read", "retrieve", "search", "show", "view"),
    )
)
"""Words that mark a tool as one that only looks."""

WRITE_VERBS: Final = frozenset(
    (
        *("add", "book", "cancel", "create", "delete", "edit", "execute", "grant", "move", "pay", "post", "remove"),
        *("revoke", "run", "save", "schedule", "send", "set", "share", "transfer", "update", "upload", "write"),
    )
)
"""Words that mark a name such as `ListManagerUpdateView` as a write, whatever else it holds."""

NOUN_READS: Final = frozenset({"calculate", "calculator", "cart_total", "think"})
"""Tools whose names carry no verb of reading, and that only look or reckon."""


def action_type_of(tool_name: str) -> ActionType:
    """Read or write, by the verb in a tool's name; a tool without a known verb counts as a write.

    The verb may stand first (`get_invoice`), second, after the name of the service (`git_list_issues`), or be a
    closing `search` (`web_search`). Names such as `GmailReadEmail` must hold a
    verb of reading and none of writing.
    """
    words = tool_name.lower().split("_")
    if tool_name in NOUN_READS or words[0] in READ_VERBS or (len(words) > 2 and words[1] in READ_VERBS):
        return ActionType.READ
    if len(words) > 1:
        return ActionType.READ if words[-1] == "search" else ActionType.WRITE
    humps = [str(word).lower() for word in _HUMP.findall(tool_name)]
    looks = any(word in READ_VERBS for word in humps) and not any(word in WRITE_VERBS for word in humps)
    return ActionType.READ if looks else ActionType.WRITE


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
