"""Whom the policy tells. Secrets are named by environment variable, never written down."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Self
from urllib.parse import urlsplit

from pydantic import BeforeValidator, Field, field_validator, model_validator

from mage_ml.config import Config, nearest
from mage_ml.errors import ConfigError
from mage_ml.runtime.notify.base import LogNotifier, Notifier
from mage_ml.runtime.notify.smtp import MailSecurity, SmtpNotifier
from mage_ml.runtime.notify.webhook import WebhookNotifier

_ENVIRONMENT = Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")


class NoticeOn(StrEnum):
    """The decisions that can be told of."""

    WARN = "warn"
    REPAIR = "repair"
    REDIRECT = "redirect"
    HALT = "halt"


class LogLevel(StrEnum):
    """Levels of the standard library's loggers."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"
    CRITICAL = "critical"


def _word_of(names: type[StrEnum]) -> Any:  # noqa: ANN401 - a pydantic validator
    known = [item.value for item in names]

    def check(value: object) -> object:
        if isinstance(value, str) and value not in known:
            raise ValueError(f"unknown word {value!r}; {nearest(value, known)}")
        return value

    return BeforeValidator(check)


class LogSettings(Config):
    """Notices in the host's log."""

    enabled: Annotated[bool, Field(description="Whether notices are logged.")] = True
    logger: Annotated[str, Field(min_length=1, description="Name of the logger.")] = "mage_ml.notices"
    level: Annotated[LogLevel, _word_of(LogLevel), Field(description="info, warning, error or critical.")] = (
        LogLevel.WARNING
    )


class WebhookSettings(Config):
    """Notices by HTTP POST."""

    url: Annotated[str, Field(description="Where to, https://... or http://...")]
    secret_env: Annotated[
        str | None, _ENVIRONMENT, Field(description="Environment variable with the key of the signature.")
    ] = None
    timeout_s: Annotated[float, Field(gt=0.0, le=60.0, description="Seconds for each step.")] = 5.0

    @field_validator("url")
    @classmethod
    def _is_http(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("expected an address such as https://host/path")
        if parts.username is not None or parts.password is not None:
            raise ValueError("an address with a password in it; use secret_env")
        return value


class EmailSettings(Config):
    """Notices by e-mail."""

    host: Annotated[str, Field(min_length=1, description="Mail server.")]
    port: Annotated[int, Field(ge=1, le=65535, description="Its port.")] = 587
    security: Annotated[MailSecurity, _word_of(MailSecurity), Field(description="starttls, tls or none.")] = (
        MailSecurity.STARTTLS
    )
    sender: Annotated[str, Field(min_length=3, description="From whom.")]
    recipients: Annotated[tuple[str, ...], Field(min_length=1, description="To whom.")]
    username_env: Annotated[str | None, _ENVIRONMENT, Field(description="Environment variable with the user.")] = None
    password_env: Annotated[str | None, _ENVIRONMENT, Field(description="Environment variable with the password.")] = (
        None
    )
    timeout_s: Annotated[float, Field(gt=0.0, le=60.0, description="Seconds for each step.")] = 10.0

    @model_validator(mode="after")
    def _login_is_whole(self) -> Self:
        if (self.username_env is None) != (self.password_env is None):
            raise ValueError("username_env and password_env go together")
        if self.username_env is not None and self.security is MailSecurity.NONE:
            raise ValueError("a password over a plain connection; set security to starttls or tls")
        return self


class NotifySettings(Config):
    """Whom to tell of decisions, and how hard to try."""

    decisions: Annotated[
        tuple[Annotated[NoticeOn, _word_of(NoticeOn)], ...], Field(description="The decisions to tell of.")
    ] = (NoticeOn.HALT,)
    log: Annotated[LogSettings, Field(description="Notices in the host's log.")] = LogSettings()
    webhooks: Annotated[tuple[WebhookSettings, ...], Field(description="Notices by HTTP POST.")] = ()
    emails: Annotated[tuple[EmailSettings, ...], Field(description="Notices by e-mail.")] = ()
    attempts: Annotated[int, Field(ge=1, le=20, description="How often a delivery is tried.")] = 4
    backoff_s: Annotated[
        float, Field(ge=0.0, le=60.0, description="Seconds before the second attempt; doubles from then on.")
    ] = 0.5
    max_pending: Annotated[int, Field(ge=1, le=100_000, description="Notices that may wait; more are dropped.")] = 256


def create_notifiers(settings: NotifySettings, environ: Mapping[str, str] | None = None) -> tuple[Notifier, ...]:
    """The notifiers of a policy.

    Args:
        settings: What the policy says.
        environ: Where secrets are looked up; by default the process's environment.

    Raises:
        ConfigError: An environment variable that the policy names is not set.
    """
    values = os.environ if environ is None else environ
    found: list[Notifier] = []
    if settings.log.enabled:
        found.append(LogNotifier(settings.log.logger, logging.getLevelNamesMapping()[settings.log.level.value.upper()]))
    for hook in settings.webhooks:
        secret = _secret(hook.secret_env, "notify.webhooks", values)
        found.append(WebhookNotifier(hook.url, secret=secret, timeout_s=hook.timeout_s))
    for mail in settings.emails:
        found.append(
            SmtpNotifier(
                mail.host,
                mail.port,
                sender=mail.sender,
                recipients=mail.recipients,
                security=mail.security,
                username=_secret(mail.username_env, "notify.emails", values),
                password=_secret(mail.password_env, "notify.emails", values),
                timeout_s=mail.timeout_s,
            )
        )
    return tuple(found)


def _secret(variable: str | None, where: str, environ: Mapping[str, str]) -> str | None:
    if variable is None:
        return None
    if not environ.get(variable):
        raise ConfigError(f"{where}: the policy names the environment variable {variable}, which is not set")
    return environ[variable]
