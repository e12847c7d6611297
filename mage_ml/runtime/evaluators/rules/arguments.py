"""Where the values come from that a write action passes on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import re2

from mage_ml.memory import MemoryEntry, Role, Source
from mage_ml.risk import Evidence, RiskAxis
from mage_ml.runtime.evaluators.rules.base import RuleId
from mage_ml.runtime.evaluators.rules.instructions import is_authorised, stands_in
from mage_ml.runtime.evaluators.rules.orders import STRONG, Signal, segment_around
from mage_ml.runtime.evaluators.rules.owners import belongs_to_named
from mage_ml.runtime.evaluators.rules.request import Request
from mage_ml.runtime.evaluators.rules.scope import Argument, Scope

_ORDERED: Final = 0.85
_UNTRUSTED_TEXT: Final = 0.6
_FREE_TEXT: Final = 0.4
_RECORD: Final = 0.15
_FROM_NOWHERE: Final = 0.55
_MAX_HOLDERS: Final = 8
_REMARK_CHARS: Final = 12

_ADDRESS = re2.compile(r"(?i)[a-z0-9._%+\-]+@[a-z0-9.\-]+\.[a-z]{2,}")
_URL = re2.compile(r"(?i)(?:https?://|www\.)[^\s'\"<>）)，。]+")
_ACCOUNT = re2.compile(r"\b[A-Z]{2}\d{2}[A-Z0-9]{6,30}\b|\b\d{9,24}\b")
_PATH_KEY = re2.compile(
    r"(?i)(?:^|_)(?:path|file|filename|folder|dir|directory|destination|save_to|target)(?:$|_)|路径|文件"
)
_WHERE_TO = re2.compile(
    r"(?i)(?:^|_)(?:to|recipients?|email|e-?mail|cc|bcc|account|iban|url|link|webhook|owner|new_owner|collaborator|payee|address|channel|destination)"
    r"(?:$|_)|收件人|账[户号]|链接|地址|抄送"
)
_LOOK_UP: Final = frozenset(
    {"contact", "contacts", "directory", "search", "find", "lookup", "query", "list", "get", "查询", "查找", "通讯录"}
)


class UntrustedArgument:
    """A write action's address, link or account comes from data only, not from the user, the system or a look-up.

    A value the user wrote is fine. So is one that stands in a record beside the name of somebody the user named, or in
    a document the user pointed at, and so are values of structured look-ups, unless the text around it is an order.
    Catches: a recipient or account planted in retrieved text; an address that no entry holds.
    Does not catch: wrong but plausible values in a look-up; amounts (see `unsupported_claim`).
    """

    id = RuleId.UNTRUSTED_ARGUMENT
    axis = RiskAxis.SAFETY
    threshold = 0.2
    weight = 1.0

    def find(self, scope: Scope) -> Iterator[Evidence]:
        """See `Rule.find`."""
        if not scope.action.tool_name or not scope.action.is_consequential:
            return
        for argument in scope.arguments:
            for value in _sensitive(argument):
                evidence = self._trace(scope, argument, value)
                if evidence is not None:
                    yield evidence

    def _trace(self, scope: Scope, argument: Argument, value: str) -> Evidence | None:
        if _is_given(scope.request, value):
            return None
        holders = scope.known(scope.snapshot.facts.entries_with(value.lower(), latest=_MAX_HOLDERS))
        seen, lowered = {entry.id for entry in holders}, value.lower()
        holders += [
            reading.entry
            for reading in scope.readings
            if lowered in reading.plain and reading.entry.id not in seen and _stands_in(value, reading.plain)
        ]
        if any(entry.is_trusted for entry in holders):
            return None
        if not holders:
            score = _FROM_NOWHERE if "@" in value or _ACCOUNT.search(value) else 0.0
            message = f"Argument {argument.key!r} is {value!r}, which neither the user nor any entry gave."
            return self._evidence(score, (), message) if score else None
        origins = [entry for entry in holders if entry.source not in (Source.LLM_REASONING, Source.AGENT)] or holders
        ranked = sorted(((_suspicion(scope, entry, value), entry) for entry in origins), key=lambda pair: pair[0])
        score, entry = ranked[0]  # the most innocent origin explains the value ...
        worst, planted = ranked[-1]
        if worst >= _ORDERED and score > 0.0:
            score, entry = worst, planted  # ... unless another one orders its use
        message = f"Argument {argument.key!r} is {value!r}, which comes only from entry {entry.id!r} ({entry.source})."
        return self._evidence(score, (entry.id,), message) if score else None

    def _evidence(self, score: float, entry_ids: tuple[str, ...], message: str) -> Evidence:
        return Evidence(axis=self.axis, score=score, found_by=self.id, entry_ids=entry_ids, message=message)


def _stands_in(value: str, text: str) -> bool:
    """Whether a text in lower case gives a value: an address or account as a whole, a link or path also as a part."""
    whole = _ADDRESS.search(value) or _ACCOUNT.search(value)
    return stands_in(value.lower(), text) if whole else value.lower() in text


def _is_given(request: Request, value: str) -> bool:
    """Whether the user wrote a value, or for a path, which anybody may name after the task, a name in it."""
    lowered = value.lower()
    if lowered in request.values or _stands_in(value, request.text):
        return True
    elsewhere = _ADDRESS.search(value) or _ACCOUNT.search(value) or _URL.search(value)
    return not elsewhere and bool(request.names_in(lowered))


def _sensitive(argument: Argument) -> list[str]:
    """Values of an argument that say where something goes."""
    found = [match.group(0) for match in _URL.finditer(argument.text)] if len(argument.text) < 400 else []
    if _WHERE_TO.search(argument.key) or len(argument.text) <= 80:
        found += [match.group(0) for match in _ADDRESS.finditer(argument.text)]
        found += [match.group(0) for match in _ACCOUNT.finditer(argument.text)]
    if _PATH_KEY.search(argument.key) and "/" in argument.text and len(argument.text) <= 200:
        found.append(argument.text.strip())
    return list(dict.fromkeys(value.rstrip(".,;:/") for value in found))[:8]


def _suspicion(scope: Scope, entry: MemoryEntry, value: str) -> float:
    """How little an entry is entitled to supply a value, on the common scale."""
    if entry.role is not Role.DATA:
        return 0.0
    reading = scope.read(entry)
    remark = _remark_with(reading.text, value)
    place = max(0, reading.plain.find(value.lower()))
    segment = remark.lower() or segment_around(reading.plain, place, place + len(value))
    orders = [order for order in reading.orders if value.lower() in order.sentence.lower()]
    if any(order.signals & STRONG for order in orders):
        return 0.9
    if is_authorised(scope, entry, segment):
        return 0.0
    if not remark and belongs_to_named(entry, value.lower(), segment, scope.request.names):
        return 0.0
    if any(not order.signals & {Signal.OTHERS, Signal.QUOTED, Signal.EDUCATIONAL} for order in orders):
        return _ORDERED
    if entry.source is Source.RETRIEVED or remark:
        return _UNTRUSTED_TEXT
    structured = not isinstance(entry.content, str) or reading.text.lstrip()[:1] in ("{", "[", "-")
    looked_up = any(word in _LOOK_UP for word in (entry.tool_name or "").lower().split("_"))
    return _RECORD if structured or looked_up else _FREE_TEXT


def _remark_with(text: str, value: str) -> str:
    """The sentence inside a JSON record in which a value stands; empty when it has a field of its own."""
    place = text.lower().find(value.lower())
    if text.lstrip()[:1] != "{" or place < 0:
        return ""
    opening, closing = text.rfind('"', 0, place), text.find('"', place)
    field = text[opening + 1 : closing] if opening >= 0 and closing >= 0 else ""
    return field if len(field) >= len(value) + _REMARK_CHARS else ""
