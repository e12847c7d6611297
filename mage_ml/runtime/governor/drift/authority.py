"""What an agent may do, as data: a delegate may never do more than the agent that delegates to it."""

from __future__ import annotations

import fnmatch
import posixpath
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, field_validator

ANY: Final = "*"


class Right(StrEnum):
    """What an authority grants."""

    TOOLS = "tools"
    RESOURCES = "resources"
    RECIPIENTS = "recipients"
    FIELDS = "fields"
    DELEGATES = "delegates"
    LIMITS = "limits"
    DEPTH = "depth"
    EXPIRY = "expiry"


class Authority(BaseModel):
    """What an agent may do. What is not granted is refused.

    Names may hold `*` and `?`. An authority without any grant may do nothing.

    Attributes:
        tools: Tools it may call.
        resources: Paths and other resources it may touch, by pattern.
        recipients: Whom it may write to.
        fields: Data fields it may pass on.
        delegates: Agents it may delegate to.
        limits: Greatest amount for each name, such as `refund`; a name without a limit is not granted.
        depth: How many times what it passes on may be delegated further.
        expires: Seconds since the epoch; `None` for never.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    tools: frozenset[str] = frozenset()
    resources: frozenset[str] = frozenset()
    recipients: frozenset[str] = frozenset()
    fields: frozenset[str] = frozenset()
    delegates: frozenset[str] = frozenset()
    limits: Mapping[str, Annotated[float, Field(ge=0.0, allow_inf_nan=False)]] = Field(default_factory=dict)
    depth: Annotated[int, Field(ge=0)] = 0
    expires: Annotated[float | None, Field(ge=0.0)] = None

    @field_validator("tools", "resources", "recipients", "fields", "delegates")
    @classmethod
    def _are_names(cls, value: frozenset[str]) -> frozenset[str]:
        if any(not name.strip() for name in value):
            raise ValueError("expected names, found an empty one")
        return value

    def narrowed(self, wanted: Authority) -> Authority:
        """What a delegate that asks for an authority gets from this one: never more than both allow."""
        return Authority(
            tools=_kept(wanted.tools, self.tools),
            resources=_kept(wanted.resources, self.resources),
            recipients=_kept(wanted.recipients, self.recipients),
            fields=_kept(wanted.fields, self.fields),
            delegates=_kept(wanted.delegates, self.delegates),
            limits={
                name: min(amount, self.limits[name]) for name, amount in wanted.limits.items() if name in self.limits
            },
            depth=max(0, min(wanted.depth, self.depth - 1)),
            expires=_sooner(wanted.expires, self.expires),
        )


class Widening(BaseModel):
    """Something that a delegate would be allowed and the agent that delegates is not.

    Attributes:
        right: Which right.
        found: What the delegate would get.
        message: In a sentence.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    right: Right
    found: str
    message: str


def widenings(delegator: Authority, delegate: Authority, *, delegate_id: str = "") -> tuple[Widening, ...]:
    """What a delegation would add to what the delegator may do; empty when it adds nothing.

    Args:
        delegator: What the agent that delegates may do.
        delegate: What the other agent is to be allowed.
        delegate_id: Its name; checked against the agents that may be delegated to if given.
    """
    found = [
        Widening(right=right, found=name, message=f"The delegate would be allowed {right.value} {name!r}.")
        for right in (Right.TOOLS, Right.RESOURCES, Right.RECIPIENTS, Right.FIELDS, Right.DELEGATES)
        for name in sorted(getattr(delegate, right.value))
        if not _covered(name, getattr(delegator, right.value))
    ]
    for name, amount in sorted(delegate.limits.items()):
        allowed = delegator.limits.get(name)
        if allowed is None or amount > allowed:
            limit = "nothing" if allowed is None else f"at most {allowed:,.10g}"
            message = f"The delegate would be allowed {amount:,.10g} for {name!r}; the delegator is allowed {limit}."
            found.append(Widening(right=Right.LIMITS, found=name, message=message))
    if delegate_id and not _covered(delegate_id, delegator.delegates):
        message = f"The delegator may not delegate to {delegate_id!r}."
        found.append(Widening(right=Right.DELEGATES, found=delegate_id, message=message))
    if delegator.depth == 0 or delegate.depth >= delegator.depth:
        message = f"A depth of {delegate.depth} has to be below the delegator's {delegator.depth}."
        found.append(Widening(right=Right.DEPTH, found=str(delegate.depth), message=message))
    if delegator.expires is not None and (delegate.expires is None or delegate.expires > delegator.expires):
        message = "The delegate's authority would outlive the delegator's."
        found.append(Widening(right=Right.EXPIRY, found=str(delegate.expires), message=message))
    return tuple(found)


def _covered(name: str, granted: frozenset[str]) -> bool:
    """Whether a name, which may be a pattern, lies within one of some patterns for certain.

    A pattern lies within another only if it is the same, or if the other ends in `*` and the fixed part of the first
    goes on from it; anything else cannot be told and counts as wider.
    """
    plain = _plain(name)
    if name in granted or ANY in granted or plain in granted:
        return True
    fixed = _fixed_part(plain)
    for pattern in granted:
        if fixed == plain and fnmatch.fnmatchcase(plain, pattern):
            return True
        stem = _fixed_part(pattern)
        if pattern == f"{stem}*" and fixed.startswith(stem):
            return True
    return False


def _kept(wanted: frozenset[str], granted: frozenset[str]) -> frozenset[str]:
    """What is wanted and granted, and what is granted inside a wider wish."""
    return frozenset(
        [name for name in wanted if _covered(name, granted)] + [name for name in granted if _covered(name, wanted)]
    )


def _fixed_part(pattern: str) -> str:
    ends = [place for place in map(pattern.find, "*?[") if place >= 0]
    return pattern[: min(ends)] if ends else pattern


def _plain(name: str) -> str:
    """A path without `..`, which would lead out of what is granted."""
    if "/" not in name:
        return name
    flat = posixpath.normpath(name)
    return f"{flat}/" if name.endswith("/") and not flat.endswith("/") else flat


def _sooner(one: float | None, other: float | None) -> float | None:
    times = [moment for moment in (one, other) if moment is not None]
    return min(times) if times else None
