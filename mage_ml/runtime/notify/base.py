"""What is told, and to whom."""

from __future__ import annotations

import logging
from typing import Annotated, Protocol

from pydantic import BaseModel, ConfigDict, Field

from mage_ml.errors import MageError


class NotifyError(MageError):
    """A notice could not be delivered.

    Attributes:
        permanent: Whether trying again is of no use.
    """

    def __init__(self, message: str, *, permanent: bool = False) -> None:
        super().__init__(message)
        self.permanent = permanent


class Notice(BaseModel):
    """What happened, without the content of memory: that is in the audit log under the decision's id.

    Attributes:
        run_id: The agent's run.
        decision_id: The decision.
        decision: What was decided: `halt` or another decision that the policy asks to be told of.
        action_type: Type of the action.
        tool_name: The tool that was to be called; empty for none.
        reasons: Why, as sentences.
        entry_ids: The entries it turned on.
        policy_version: Version of the policy.
        at: Seconds since the epoch.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    run_id: str
    decision_id: str
    decision: str
    action_type: str
    tool_name: str = ""
    reasons: tuple[str, ...] = ()
    entry_ids: tuple[str, ...] = ()
    policy_version: str = ""
    at: Annotated[float, Field(ge=0.0)] = 0.0

    def to_text(self) -> str:
        """The notice as plain text."""
        tool = f" of {self.tool_name}" if self.tool_name else ""
        lines = [f"{self.decision}: {self.action_type}{tool} in run {self.run_id}", *self.reasons]
        if self.entry_ids:
            lines.append(f"Entries: {', '.join(self.entry_ids)}")
        lines.append(f"Decision {self.decision_id}, policy {self.policy_version}. The audit log has the whole context.")
        return "\n".join(lines)


class Notifier(Protocol):
    """One way to tell people. Called on a background thread, one notice at a time."""

    @property
    def name(self) -> str:
        """Short name, for messages about failures; holds no secret."""
        ...

    def notify(self, notice: Notice) -> None:
        """Deliver a notice: one attempt.

        Raises:
            NotifyError: It was not delivered. Anything else raised counts the same.
        """
        ...


class LogNotifier:
    """Writes notices to a logger of the standard library, which the host configures; until it does, nobody sees them.

    Args:
        logger: Name of the logger.
        level: Level of the standard library, for example `logging.WARNING`.
    """

    name = "log"

    def __init__(self, logger: str = "mage_ml.notices", level: int = logging.WARNING) -> None:
        self._logger = logging.getLogger(logger)
        if not self._logger.handlers:
            self._logger.addHandler(logging.NullHandler())  # without one, the last resort would be the host's stderr
        self._level = level

    def notify(self, notice: Notice) -> None:
        """Write one record; its `notice` attribute has the notice as plain data."""
        self._logger.log(self._level, "%s", notice.to_text(), extra={"notice": notice.model_dump(mode="json")})
