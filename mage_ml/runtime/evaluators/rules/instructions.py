"""Orders hidden in data, and actions that obey them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mage_ml.memory import MemoryEntry, Role, Source, Status
from mage_ml.memory.facts.words import content_words
from mage_ml.risk import Evidence, RiskAxis
from mage_ml.runtime.evaluators.rules.base import RuleId
from mage_ml.runtime.evaluators.rules.orders import STRONG, Order, Signal
from mage_ml.runtime.evaluators.rules.scope import Scope
from mage_ml.runtime.evaluators.rules.split_orders import split_orders

NOTED: Final = "order in this entry"
"""Annotation by which the guard marks an entry whose order the agent was told to ignore."""

_CARRIERS: Final = frozenset({Source.TOOL, Source.RETRIEVED, Source.AGENT})
_UNSERVED_CAP: Final = 0.64
_VALUE_AND_KIND: Final = 0.92
_VALUE_ONLY: Final = 0.78
_KIND_AND_OBJECT: Final = 0.65
_SAID: Final = 0.6
_CITED: Final = 0.6
_AUTHORISED: Final = 0.25
_NOTED_CAP: Final = 0.3
_SHORT_FORM: Final = 4
_TELLING_WORD: Final = 8
_SAME_ORDER_CHARS: Final = 400
_GENERIC: Final = frozenset(
    {"get", "set", "the", "user", "name", "new", "file", "data", "tool", "account", "item", "list", "all"}
)


class HiddenInstruction:
    """An entry that may only inform gives orders, and the pending action may be carrying one out.

    Text is read with disguises undone (look-alike letters, invisible characters, HTML, percent, base64 and nested
    encodings), in English and Chinese. An order alone scores by how much it looks planted; see `orders`. It scores
    higher when the action serves it: the tool does what the order asks, with a value that stands in the order and that
    the user did not give. Quotations, teaching material and requests addressed to other people score low. Where the
    user asked to do what somebody's text says, plain requests in that person's text are taken as authorised.
    Quarantined entries are looked at for obedience only: the agent may remember what was taken from its memory.
    An order that begins in one entry and ends in the next one of the same origin is read as one.
    Does not catch: orders cut up in the middle of a word or with whole sentences between, or worded without any verb
    the tables know.
    """

    id = RuleId.HIDDEN_INSTRUCTION
    axis = RiskAxis.SAFETY
    threshold = 0.2
    weight = 1.0

    def find(self, scope: Scope) -> Iterator[Evidence]:
        """See `Rule.find`."""
        for entry in (*scope.relevant, *scope.quarantined):
            if entry.role is not Role.DATA or entry.source not in _CARRIERS:
                continue
            orders = scope.read(entry).orders
            if not orders:
                continue
            best = max(((self._score(scope, entry, order), order) for order in orders), key=lambda pair: pair[0][0])
            (score, served), order = best
            if entry.status is Status.QUARANTINED and not served:
                continue
            yield Evidence(
                axis=self.axis,
                score=score,
                found_by=self.id,
                entry_ids=(entry.id,),
                message=_message(entry, order, served),
                span=_extent(order, orders),
            )
        yield from self._split(scope)

    def _split(self, scope: Scope) -> Iterator[Evidence]:
        """One piece of evidence for every entry that an order is spread over, so that each of them is answered for."""
        carriers = [entry for entry in scope.relevant if entry.role is Role.DATA and entry.source in _CARRIERS]
        place = scope.snapshot.graph.position
        for split in split_orders(sorted(carriers, key=lambda entry: place(entry.id))):
            names = tuple(part.entry.id for part in split.parts)
            score, served = self._score(scope, split.parts[0].entry, split.order)
            for part in split.parts:
                yield Evidence(
                    axis=self.axis,
                    score=score,
                    found_by=self.id,
                    entry_ids=(part.entry.id, *(name for name in names if name != part.entry.id)),
                    message=_message(part.entry, split.order, served),
                    span=part.span,
                )

    def _score(self, scope: Scope, entry: MemoryEntry, order: Order) -> tuple[float, bool]:
        strong = bool(order.signals & STRONG)
        score = order.strength
        served = _served(scope, order)
        if served:
            cited = order.signals & {Signal.QUOTED, Signal.EDUCATIONAL}
            score = max(score, served) * (_CITED if cited else 1.0)
        if not strong and is_authorised(scope, entry, order.segment):
            return min(score, _AUTHORISED), False
        if not served and any(note.startswith(NOTED) for note in entry.annotations):
            return min(score, _NOTED_CAP), False
        # Nothing has followed the order yet: reason enough to repair memory, none to stop the task.
        return min(score, 1.0 if served else _UNSERVED_CAP), served > 0.0


def _served(scope: Scope, order: Order) -> float:
    """How clearly the action carries out an order; 0 when it does not."""
    action = scope.action
    if not action.tool_name:
        # To repeat an order in an answer is not to obey it, unless the order was about what to say.
        says = action.is_consequential and order.kinds == {"say"}
        return _SAID if says and _carries_foreign(scope, order) else 0.0
    kind = bool(order.kinds & scope.kinds)
    objects = _common_words(content_words(order.sentence), scope.tool_words)
    if _carries_foreign(scope, order):
        score = _VALUE_AND_KIND if kind or objects else _VALUE_ONLY
        harmless = not action.is_consequential and not order.signals & STRONG
        return min(score, _UNSERVED_CAP) if harmless else score
    if order.values and any(_is_target(value) for value in order.values):
        return 0.0  # it names a target, and the action goes elsewhere
    asked_for = bool(order.kinds & scope.kinds & scope.request.kinds)
    if kind and objects and not asked_for and action.is_consequential:
        return _KIND_AND_OBJECT
    return 0.0


def _common_words(said: frozenset[str], tool_words: frozenset[str]) -> set[str]:
    """Words that a sentence and a tool's name share; a short form such as `repo` counts."""
    return {
        tool_word
        for tool_word in tool_words - _GENERIC
        for word in said
        if word == tool_word or (len(tool_word) >= _SHORT_FORM and word.startswith(tool_word))
    }


def _carries_foreign(scope: Scope, order: Order) -> bool:
    """Whether the action carries a value that stands in the order and that the user did not give."""
    sentence = " ".join(order.sentence.lower().split())
    return any(not scope.request.mentions(value) for value in carried_values(scope, order.values, sentence))


def carried_values(scope: Scope, values: frozenset[str], sentence: str) -> list[str]:
    """Values that the action carries and a sentence gives."""
    shared = [value for value in scope.action_values if value in values]
    for argument in scope.arguments:
        text = argument.text.lower().strip()
        telling = not text.isalpha() or not text.isascii() or len(text) >= _TELLING_WORD
        if 4 <= len(text) <= 120 and telling and stands_in(text, sentence):
            shared.append(text)
    return shared


def stands_in(text: str, sentence: str) -> bool:
    """Whether a text stands in a sentence as a whole, not as a part of a longer name."""
    place = sentence.find(text)
    while place >= 0:
        before, after = sentence[place - 1 : place], sentence[place + len(text) : place + len(text) + 1]
        joined = before.isascii() and (before.isalnum() or before in "@/_-")
        if not (before and joined) and not (after.isascii() and (after.isalnum() or (after and after in "@/_-"))):
            return True
        place = sentence.find(text, place + 1)
    return False


def is_authorised(scope: Scope, entry: MemoryEntry, segment: str) -> bool:
    """Whether the user handed over to the author of a text, or pointed at the document it stands in."""
    request = scope.request
    origin = (entry.origin or "").lower()
    pointed = any(value in origin for value in request.values if not value.isdigit())
    return (request.delegates and bool(request.names_in(segment.lower()))) or pointed


def _extent(order: Order, orders: tuple[Order, ...]) -> tuple[int, int]:
    """From the first to the last order of the same record, so that an order in several sentences counts as a whole."""
    near = [o for o in orders if o.strength >= _NOTED_CAP and abs(o.span[0] - order.span[0]) <= _SAME_ORDER_CHARS]
    return min([order.span[0], *(o.span[0] for o in near)]), max([order.span[1], *(o.span[1] for o in near)])


def _is_target(value: str) -> bool:
    return "@" in value or "/" in value or value.startswith("www.")


def _message(entry: MemoryEntry, order: Order, served: bool) -> str:
    shown = " ".join(order.sentence.split())[:120]
    looks = ", ".join(sorted(signal.value for signal in order.signals & STRONG))
    tail = f" ({looks})" if looks else ""
    doing = "and the action carries it out" if served else "which is not the user's"
    return f"Entry {entry.id!r} ({entry.source}) gives an order, {doing}: {shown!r}{tail}."
