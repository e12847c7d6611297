"""Takes secrets out of what a report shows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from pydantic import JsonValue

from mage_ml.evaluation.importers.transcript import Transcript
from mage_ml.memory import MemoryEntry
from mage_ml.runtime.redaction import AuditSettings
from mage_ml.runtime.redaction.redactor import Redactor
from mage_ml.runtime.redaction.settings import ContentMode
from mage_ml.scan.results import Culprit, RiskyStep

_FIELDS: Final = ("message", "origin", "before", "quote", "after")


class Masker:
    """Masks what the policy's `audit` section names: keys, card and phone numbers, mail addresses, secret fields.

    Args:
        settings: The policy's `audit` section; its content mode is left aside.
        salt: Key of the tags that stand in place of a secret. Equal secrets of one report get equal tags.
        off: Mask nothing.
    """

    def __init__(self, settings: AuditSettings, salt: bytes, *, off: bool = False) -> None:
        masking = AuditSettings.model_validate({**settings.model_dump(), "content": ContentMode.REDACTED})
        self._redactor = None if off else Redactor(masking, salt=salt)

    def masked(self, steps: Sequence[RiskyStep], transcript: Transcript) -> tuple[RiskyStep, ...]:
        """The risky steps of a trace without secrets.

        The arguments of all calls and the whole texts of the quoted entries are looked through, so that a secret that a
        quotation cuts short, or that stands under a telling name, is known wherever it is said again.
        """
        if self._redactor is None or not steps:
            return tuple(steps)
        quoted = {item.entry_id for step in steps for item in step.culprits}
        payload: dict[str, JsonValue] = {
            "said": [text for step in steps for text in _texts(step)],
            "arguments": [dict(act.action.arguments) for act in transcript.acts],
            "around": [text for entry in transcript.entries if entry.id in quoted for text in _around(entry)],
        }
        said = self._redactor.redact(payload)["said"]
        masked = iter([str(text) for text in said] if isinstance(said, list) else ())
        return tuple(_put_back(step, masked) for step in steps)


def _texts(step: RiskyStep) -> list[str]:
    return [step.action, *step.reasons, *(getattr(item, name) for item in step.culprits for name in _FIELDS)]


def _around(entry: MemoryEntry) -> Iterator[JsonValue]:
    """A text, and what it says when it is JSON: there a secret has a name."""
    yield entry.content
    if entry.text[:1] in ("{", "["):
        try:
            yield json.loads(entry.text)
        except (ValueError, RecursionError):
            return


def _put_back(step: RiskyStep, masked: Iterator[str]) -> RiskyStep:
    action, reasons = next(masked), tuple(next(masked) for _ in step.reasons)
    culprits: list[Culprit] = []
    for item in step.culprits:
        culprits.append(item.model_copy(update={name: next(masked) for name in _FIELDS}))
    return step.model_copy(update={"action": action, "reasons": reasons, "culprits": tuple(culprits)})
