"""Notices as signed JSON over HTTP."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import ssl
import time
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from mage_ml.errors import ConfigError
from mage_ml.runtime.notify.base import Notice, NotifyError

SIGNATURE: Final = "X-Mage-Signature"
TIMESTAMP: Final = "X-Mage-Timestamp"
DELIVERY: Final = "X-Mage-Delivery"
_WORTH_RETRYING: Final = (408, 425, 429)


def sign(secret: str, timestamp: str, body: bytes) -> str:
    """The signature header of a delivery: HMAC-SHA256 over timestamp, a dot, and the body.

    The receiver computes the same, compares with `hmac.compare_digest`, and refuses old timestamps.
    """
    digest = hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return f"sha256={digest}"


class WebhookNotifier:
    """Posts each notice as JSON. Redirects are not followed and no proxy is used.

    `X-Mage-Delivery` is the same for every attempt at one notice, so that a receiver can drop a second arrival.

    Args:
        url: Where to, `https://...` or `http://...`.
        secret: Key of the signature; without one nothing is signed.
        timeout_s: Seconds for connecting and for each wait for an answer.
        context: TLS settings; by default the system's certificates, checked.
        clock: Seconds since the epoch.

    Raises:
        ConfigError: The address is no HTTP address.
    """

    def __init__(
        self,
        url: str,
        *,
        secret: str | None = None,
        timeout_s: float = 5.0,
        context: ssl.SSLContext | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ConfigError(f"webhook {url!r}: expected an address such as https://host/path")
        self.name = f"webhook {parts.scheme}://{parts.hostname}"
        self._host = parts.hostname
        self._port = parts.port
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._tls = parts.scheme == "https"
        self._secret = secret
        self._timeout_s = timeout_s
        self._context = context
        self._clock = clock

    def notify(self, notice: Notice) -> None:
        """Post a notice: one attempt.

        Raises:
            NotifyError: No answer in time, or an answer other than 2xx; 4xx is permanent but for 408, 425 and 429.
        """
        body = notice.model_dump_json().encode()
        stamp = str(int(self._clock()))
        headers = {"Content-Type": "application/json", TIMESTAMP: stamp, DELIVERY: notice.decision_id}
        if self._secret is not None:
            headers[SIGNATURE] = sign(self._secret, stamp, body)
        connection = self._connection()
        try:
            connection.request("POST", self._path, body=body, headers=headers)
            status = connection.getresponse().status
        except (OSError, http.client.HTTPException) as error:
            raise NotifyError(f"{self.name}: {type(error).__name__}: {error}") from error
        finally:
            connection.close()
        if not 200 <= status < 300:
            permanent = status < 500 and status not in _WORTH_RETRYING
            raise NotifyError(f"{self.name}: answered {status}", permanent=permanent)

    def _connection(self) -> http.client.HTTPConnection:
        if not self._tls:
            return http.client.HTTPConnection(self._host, self._port, timeout=self._timeout_s)
        context = self._context or ssl.create_default_context()
        return http.client.HTTPSConnection(self._host, self._port, timeout=self._timeout_s, context=context)
