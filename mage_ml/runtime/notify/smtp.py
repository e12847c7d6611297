"""Notices as e-mail."""

from __future__ import annotations

import smtplib
import ssl
from collections.abc import Sequence
from email.message import EmailMessage
from enum import StrEnum

from mage_ml.runtime.notify.base import Notice, NotifyError


class MailSecurity(StrEnum):
    """How the connection to the mail server is protected."""

    STARTTLS = "starttls"
    """Plain first, then encrypted; no mail leaves when the server cannot."""
    TLS = "tls"
    """Encrypted from the start."""
    NONE = "none"
    """Not at all: for a server on the same machine."""


class SmtpNotifier:
    """Mails each notice.

    Args:
        host: Mail server.
        port: Its port.
        sender: From whom.
        recipients: To whom.
        security: How the connection is protected.
        username: For logging in; without one no login.
        password: For logging in.
        timeout_s: Seconds for each step of the conversation.
        context: TLS settings; by default the system's certificates, checked.
    """

    def __init__(
        self,
        host: str,
        port: int,
        *,
        sender: str,
        recipients: Sequence[str],
        security: MailSecurity = MailSecurity.STARTTLS,
        username: str | None = None,
        password: str | None = None,
        timeout_s: float = 10.0,
        context: ssl.SSLContext | None = None,
    ) -> None:
        self.name = f"smtp {host}:{port}"
        self._host, self._port = host, port
        self._sender, self._recipients = sender, tuple(recipients)
        self._security = security
        self._username, self._password = username, password
        self._timeout_s = timeout_s
        self._context = context

    def notify(self, notice: Notice) -> None:
        """Mail a notice: one attempt.

        Raises:
            NotifyError: It was not taken; permanent when the server refuses sender, recipients or login for good.
        """
        message = self._message(notice)
        try:
            with self._connected() as server:
                refused = server.send_message(message)
        except smtplib.SMTPResponseException as error:
            permanent = 500 <= error.smtp_code < 600
            raise NotifyError(f"{self.name}: answered {error.smtp_code}", permanent=permanent) from error
        except smtplib.SMTPRecipientsRefused as error:
            permanent = all(500 <= code < 600 for code, _ in error.recipients.values())
            raise NotifyError(f"{self.name}: all recipients were refused", permanent=permanent) from error
        except (OSError, smtplib.SMTPException) as error:
            raise NotifyError(f"{self.name}: {type(error).__name__}: {error}") from error
        if refused:
            raise NotifyError(f"{self.name}: refused {', '.join(refused)}; the others have it", permanent=True)

    def _connected(self) -> smtplib.SMTP:
        context = self._context or ssl.create_default_context()
        if self._security is MailSecurity.TLS:
            server: smtplib.SMTP = smtplib.SMTP_SSL(self._host, self._port, timeout=self._timeout_s, context=context)
        else:
            server = smtplib.SMTP(self._host, self._port, timeout=self._timeout_s)
        try:
            if self._security is MailSecurity.STARTTLS:
                server.starttls(context=context)
            if self._username is not None:
                server.login(self._username, self._password or "")
        except BaseException:
            server.close()
            raise
        return server

    def _message(self, notice: Notice) -> EmailMessage:
        message = EmailMessage()
        tool = _one_line(f" of {notice.tool_name}" if notice.tool_name else "")
        message["Subject"] = f"[memory guard] {notice.decision}{tool} in run {_one_line(notice.run_id)}"
        message["From"] = self._sender
        message["To"] = ", ".join(self._recipients)
        message["Message-ID"] = f"<{_word(notice.decision_id)}@mage-ml.invalid>"
        message.set_content(notice.to_text())
        return message


def _one_line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split(" "))[:120]


def _word(text: str) -> str:
    return "".join(c for c in text if c.isascii() and (c.isalnum() or c in "-_."))[:120] or "notice"
