"""Takes content out of what is recorded, and leaves what verification, search and replay need."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Iterator, Mapping
from typing import Final

import re2
from pydantic import JsonValue

from mage_ml.errors import ConfigError
from mage_ml.runtime.redaction.patterns import SHIPPED, Finder, Secret, narrowed
from mage_ml.runtime.redaction.settings import AuditSettings, ContentMode

# Text under these names is no content: ids, labels, versions. Everything else is taken for content.
_NAMES: Final = frozenset({
    "id", "entry_id", "entry_ids", "memory_digest", "snapshot_id", "decision_id", "task_id", "record_id", "repair_ids",
    "adjustment_id", "content_hash", "digest", "policy_digest", "type", "tool_name", "agent_id", "depends_on",
    "because", "path", "parent", "child", "contradicts_with", "source", "role", "status", "action", "mode",
    "action_type", "axis", "found_by", "tier", "kind", "fail_mode", "policy_version", "model_version", "ran",
    "operation", "do", "rule", "rules", "outcome", "verdict", "by", "notifier", "severity",
})  # fmt: skip
_CONTENT: Final = frozenset({"content", "arguments", "value"})
_MIN_SECRET: Final = 4
_SURE_PART: Final = 16
_MAX_SECRETS: Final = 256
_NAME_PARTS = re2.compile(r"[A-Z]*[a-z0-9]+|[A-Z]+|[^\x00-\x7f]+")


class Redactor:
    """Rewrites the payloads of audit events. Safe between threads.

    Args:
        settings: What is to be left out.
        salt: Key of the hashes. Whoever has it can test guesses; it is never written.
    """

    def __init__(self, settings: AuditSettings, *, salt: bytes) -> None:
        self.settings = settings
        self._salt = salt
        shipped = [(name.value, SHIPPED[name]) for name in settings.patterns]
        self._finder = Finder([*settings.own_patterns.items(), *shipped])
        self._fields = frozenset(form for name in settings.fields for form in (name.casefold(), "".join(_parts(name))))

    def redact(self, payload: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """A payload without what may not be recorded."""
        match self.settings.content:
            case ContentMode.FULL:
                return dict(payload)
            case ContentMode.HASHED:
                return {key: self._hashed(value, key, "") for key, value in payload.items()}
            case ContentMode.REDACTED:
                known = _Known(self._marked(payload))
                return {key: self._masked(value, key, "", known) for key, value in payload.items()}

    def digest(self, text: str) -> str:
        """The keyed hash of a text, as it stands in hashed records."""
        return f"hmac-sha256:{self._tag(text, 32)}"

    def _tag(self, text: str, digits: int) -> str:
        raw = text.encode("utf-8", "backslashreplace")
        return hmac.new(self._salt, raw, hashlib.sha256).hexdigest()[:digits]

    def _hashed(self, value: JsonValue, key: str, parent: str) -> JsonValue:
        if key == "arguments" and isinstance(value, dict):
            return {name: self.digest(_spelt(item)) for name, item in value.items()}
        if key in _CONTENT:
            return None if value is None else self.digest(_spelt(value))
        if isinstance(value, dict):
            return {name: self._hashed(item, name, key) for name, item in value.items()}
        if isinstance(value, list):
            return [self._hashed(item, key, parent) for item in value]
        if isinstance(value, str) and value and not _is_name(key, parent):
            return self.digest(value)
        return value

    def _masked(self, value: JsonValue, key: str, parent: str, known: _Known) -> JsonValue:
        if self._is_secret(key) and value not in (None, "", [], {}):
            return f"[{key} {self._tag(_spelt(value), 8)}]"
        if isinstance(value, dict):
            inside = "content" if key in _CONTENT or parent == "content" else key
            return {
                self._name(name, inside, known): self._masked(item, name, inside, known) for name, item in value.items()
            }
        if isinstance(value, list):
            return [self._masked(item, key, parent, known) for item in value]
        is_content = key in _CONTENT or parent == "content"
        if isinstance(value, str):
            return value if _is_name(key, parent) and not is_content else self._mask(value, known)
        if is_content and isinstance(value, int | float) and not isinstance(value, bool):
            text = json.dumps(value)
            masked = self._mask(text, known)
            return value if masked == text else masked
        return value

    def _name(self, name: str, inside: str, known: _Known) -> str:
        return self._mask(name, known) if inside == "content" else name

    def _mask(self, text: str, known: _Known) -> str:
        pieces, done = [], 0
        for place in _merged([*self._finder.find(text), *known.echoes(text)]):
            pieces += [text[done : place.start], f"[{place.name} {self._tag(place.text, 8)}]"]
            done = place.end
        return "".join([*pieces, text[done:]])

    def _is_secret(self, key: str) -> bool:
        """Whether a field is masked whole: by its name, or by the last words of a longer one (`db_password`)."""
        parts = _parts(key)
        if key.casefold() in self._fields or any("".join(parts[start:]) in self._fields for start in range(len(parts))):
            return True
        return not key.isascii() and any(not name.isascii() and key.endswith(name) for name in self._fields)

    def _marked(self, payload: Mapping[str, JsonValue]) -> Iterator[Secret]:
        """Every secret of an event: what patterns find, and what stands in fields that are masked whole."""
        waiting: list[tuple[str, JsonValue, bool]] = [(key, value, False) for key, value in payload.items()]
        while waiting:
            key, value, is_secret = waiting.pop()
            is_secret = is_secret or self._is_secret(key)
            if isinstance(value, dict):
                waiting += [(name, item, is_secret) for name, item in value.items()]
            elif isinstance(value, list):
                waiting += [(key, item, is_secret) for item in value]
            elif is_secret and value is not None and not isinstance(value, bool):
                yield Secret(0, 0, key, str(value))
            elif isinstance(value, str):
                yield from self._finder.find(value)


class _Known:
    """The secrets of one event, to be found where they are repeated, whole or cut short."""

    def __init__(self, found: Iterator[Secret]) -> None:
        kept: dict[str, Secret] = {}
        # What no pattern would find again comes first.
        for secret in sorted(found, key=lambda secret: secret.end > 0):
            if len(secret.text) >= _MIN_SECRET and len(kept) < _MAX_SECRETS:
                for form in _forms(secret.text):
                    kept.setdefault(_folded(form), secret)
        self._secrets = sorted(kept.items(), key=lambda item: -len(item[0]))

    def echoes(self, text: str) -> Iterator[Secret]:
        folded = _folded(text)
        for form, secret in self._secrets:
            head, start = form[:_MIN_SECRET], 0
            while (start := folded.find(head, start)) >= 0:
                length = _common(form, folded[start : start + len(form)])
                rest = folded[start + length : start + length + 4].lstrip()
                if length == len(form):
                    yield Secret(start, start + length, secret.name, secret.text)
                elif length >= _SURE_PART or not rest or rest.startswith(("…", "..")):
                    yield Secret(start, start + length, secret.name, text[start : start + length])
                start += length


def create_redactor(settings: AuditSettings) -> Redactor:
    """A redactor with the key that the settings name, or a random one.

    Raises:
        ConfigError: The environment variable is not set.
    """
    name = settings.salt_variable
    if name is None:
        return Redactor(settings, salt=secrets.token_bytes(32))
    salt = os.environ.get(name, "")
    if not salt:
        raise ConfigError(f"audit.salt_variable: the environment variable {name} is not set; set it to a long secret")
    return Redactor(settings, salt=salt.encode())


def _is_name(key: str, parent: str) -> bool:
    # The action of a diagnosis is the pending action in words.
    return key in _NAMES and not (key == "action" and parent == "diagnosis")


def _spelt(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _parts(name: str) -> list[str]:
    """The words of a field's name."""
    return [part.casefold() for part in _NAME_PARTS.findall(name)]


def _forms(secret: str) -> set[str]:
    """A secret as messages may spell it: as it is, quoted, or on one line."""
    quoted = {repr(secret)[1:-1], json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}
    forms = {secret, " ".join(secret.split()), *quoted}
    return {form for form in forms if len(form) >= _MIN_SECRET}


def _folded(text: str) -> str:
    """A text as it is compared: narrow, in lower case, each character in its place."""
    lowered = narrowed(text).lower()
    return lowered if len(lowered) == len(text) else "".join(c.lower()[:1] for c in narrowed(text))


def _common(one: str, other: str) -> int:
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _merged(places: list[Secret]) -> Iterator[Secret]:
    """Places without overlap; of two that overlap the first counts, and reaches to the end of both."""
    last: Secret | None = None
    for place in sorted(places, key=lambda item: (item.start, -item.end)):
        if last is not None and place.start < last.end:
            if place.end > last.end:
                last = Secret(last.start, place.end, last.name, last.text + place.text)
            continue
        if last is not None:
            yield last
        last = place
    if last is not None:
        yield last
