"""Tells people what the guard stopped: log, webhook, e-mail; in the background, never in a decision's way."""

from mage_ml.runtime.notify.base import LogNotifier, Notice, Notifier, NotifyError
from mage_ml.runtime.notify.dispatch import Dispatcher, DispatchStats
from mage_ml.runtime.notify.settings import EmailSettings, NotifySettings, WebhookSettings, create_notifiers
from mage_ml.runtime.notify.smtp import SmtpNotifier
from mage_ml.runtime.notify.webhook import WebhookNotifier, sign

__all__ = [
    "DispatchStats",
    "Dispatcher",
    "EmailSettings",
    "LogNotifier",
    "Notice",
    "Notifier",
    "NotifyError",
    "NotifySettings",
    "SmtpNotifier",
    "WebhookNotifier",
    "WebhookSettings",
    "create_notifiers",
    "sign",
]
