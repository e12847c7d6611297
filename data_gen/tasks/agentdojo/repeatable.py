"""Makes what AgentDojo's tools write the same in every process."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Any, Final

_NOON: Final = time(12)


def make_repeatable(before: Any, world: Any, calls: int) -> None:  # noqa: ANN401 - AgentDojo's environments
    """Replace what the tools take from the machine: its clock, and the order in which a set lists its members.

    Mails and files get a time on the world's own day, a minute for each call. Participants of new events, and who is
    written to about them, stand in alphabetical order.

    Args:
        before: The world at the start of the run.
        world: The world after a call; changed in place, so that a result that is part of it changes, too.
        calls: Calls so far.
    """
    calendar, inbox, drive = (getattr(world, name, None) for name in ("calendar", "inbox", "cloud_drive"))
    if calendar is None:
        return
    now = datetime.combine(calendar.current_day, _NOON) + timedelta(minutes=calls)
    for event in calendar.events.values():
        if event.id_ not in before.calendar.events:
            event.participants.sort()
    for mail in inbox.emails.values() if inbox is not None else ():
        if _is_new(mail.timestamp, before.inbox.emails.get(mail.id_), "timestamp", now):
            mail.timestamp = now
            if any(hasattr(attachment, "participants") for attachment in mail.attachments):
                mail.recipients.sort()
    for file in drive.files.values() if drive is not None else ():
        if _is_new(file.last_modified, before.cloud_drive.files.get(file.id_), "last_modified", now):
            file.last_modified = now


def _is_new(moment: datetime, old: Any, name: str, now: datetime) -> bool:  # noqa: ANN401 - AgentDojo's type
    """Whether a moment came from the machine's clock.

    It did not if it stood there at the start, or was replaced after an earlier call: it then lies on the world's day,
    between noon and now.
    """
    if old is not None and getattr(old, name) == moment:
        return False
    return not datetime.combine(now.date(), _NOON) <= moment <= now
