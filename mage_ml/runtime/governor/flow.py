"""Information flow: values that may not leave a channel, wherever they turn up and in whatever form.

Checked on every channel alike (messages between agents, tool arguments, shared memory, final output), because most
leaks never reach the final output. What is found is a copy of a known value, in the forms of `LeakForm`; a value told
in other words altogether is not.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import re2
from pydantic import JsonValue

from mage_ml.config import nearest
from mage_ml.errors import EvaluatorError
from mage_ml.memory.facts.quantities import find_quantities
from mage_ml.runtime.evaluators.layers import Layer
from mage_ml.runtime.evaluators.normalise import layers_of
from mage_ml.runtime.governor.context import Question
from mage_ml.runtime.governor.flow_forms import LeakForm, ValueForms, forms_of
from mage_ml.runtime.governor.validator_specs import FlowSpec
from mage_ml.runtime.governor.validators.base import KEPT, Verdict
from mage_ml.runtime.guardrail.wording import Language

MAX_CHARS: Final = 200_000
_MAX_ARGUMENTS: Final = 2_000
_ITEM_REACH: Final = 160
_QUOTE: Final = 80
_DECIMAL = re2.compile(r"[0-9,]*\.[0-9]+")  # its digits are those of a whole number, and it is another number
_NUMBER = re2.compile(r"[0-9]")


@dataclass(frozen=True, slots=True)
class Leak:
    """A confined value found in a text.

    Attributes:
        field: Name of the value.
        form: In which form.
        span: Where in the text, in characters.
        quote: The words found, at most 80 characters.
    """

    field: str
    form: LeakForm
    span: tuple[int, int]
    quote: str


class FlowText:
    """A text, prepared once for all values.

    Args:
        text: As it was written, at most 200,000 characters.

    Raises:
        EvaluatorError: The text is longer.
    """

    def __init__(self, text: str) -> None:
        if len(text) > MAX_CHARS:
            raise EvaluatorError(f"the text has more than {MAX_CHARS:,} characters; check it in parts that overlap")
        self.text = text
        self.layers = tuple(_Reading(layer) for layer in layers_of(self.text))

    def leaks(self, field: str, value: str, *, partial: bool = True) -> tuple[Leak, ...]:
        """Where a value occurs, in order of place; overlapping finds are given once, in the plainest form.

        Args:
            field: Its name.
            value: The value; one that is too short to be told is found nowhere.
            partial: Whether parts that identify it count.
        """
        forms = forms_of(value)
        if not forms.is_confinable:
            return ()
        found: list[Leak] = []
        for number, reading in enumerate(self.layers):
            for form, start, end in reading.find(forms, partial=partial):
                span = reading.layer.span(start, end)
                if all(span[1] <= leak.span[0] or span[0] >= leak.span[1] for leak in found):
                    kind = form if number == 0 else LeakForm.ENCODED
                    found.append(Leak(field, kind, span, self.text[slice(*span)][:_QUOTE]))
        return tuple(sorted(found, key=lambda leak: leak.span))


class _Reading:
    """One layer of a text: in lower case, and as letters and figures alone."""

    def __init__(self, layer: Layer) -> None:
        self.layer = layer
        self.lowered = _lowered(layer.text)
        places = [place for place, character in enumerate(self.lowered) if character.isalnum()]
        self.compact = "".join(self.lowered[place] for place in places)
        self._places = places
        self._amounts: tuple[tuple[float, tuple[int, int]], ...] | None = None

    def find(self, forms: ValueForms, *, partial: bool) -> Iterator[tuple[LeakForm, int, int]]:
        for start, end in _occurrences(self.lowered, forms.exact):
            yield LeakForm.EXACT, start, end
        for start, end in self._in_compact(forms.compact):
            if "." in forms.exact or not _DECIMAL.fullmatch(self.lowered[start:end]):
                yield LeakForm.NORMALISED, start, end
        for written in forms.written:
            for start, end in _occurrences(self.lowered, written):
                yield LeakForm.REFORMATTED, start, end
        for code in forms.encoded:
            for start, end in _plain_occurrences(self.layer.text, code):
                yield LeakForm.ENCODED, start, end
        yield from self._rewritten(forms)
        if partial:
            yield from self._parts(forms)

    def _rewritten(self, forms: ValueForms) -> Iterator[tuple[LeakForm, int, int]]:
        if forms.amount is not None:
            for number, (start, end) in self._numbers():
                if abs(number - forms.amount) < 1e-6 * abs(forms.amount):
                    yield LeakForm.REFORMATTED, start, end
        if forms.items:
            spans = [next(self._in_compact(item), None) for item in forms.items]
            known = [span for span in spans if span is not None]
            if len(known) == len(forms.items):
                start, end = min(span[0] for span in known), max(span[1] for span in known)
                if end - start <= _ITEM_REACH + sum(len(item) for item in forms.items):
                    yield LeakForm.REFORMATTED, start, end

    def _parts(self, forms: ValueForms) -> Iterator[tuple[LeakForm, int, int]]:
        for start, end in self._in_compact(forms.national):
            yield LeakForm.PARTIAL, start, end
        if forms.tail is not None:
            for match in re2.finditer(forms.tail, self.layer.text):
                yield LeakForm.PARTIAL, match.start(), match.end()
        for passage in forms.passages:
            for start, end in self._in_compact(passage):
                yield LeakForm.PARTIAL, start, end

    def _numbers(self) -> tuple[tuple[float, tuple[int, int]], ...]:
        if self._amounts is None:
            has_any = _NUMBER.search(self.layer.text)
            found = find_quantities(self.layer.text) if has_any else ()
            self._amounts = tuple((quantity.number, quantity.span) for quantity in found)
        return self._amounts

    def _in_compact(self, wanted: str) -> Iterator[tuple[int, int]]:
        """Where letters and figures stand in this order whatever is between them, at the edges of words."""
        if not wanted:
            return
        at = self.compact.find(wanted)
        while at >= 0:
            start, end = self._places[at], self._places[at + len(wanted) - 1] + 1
            if _has_edges(self.lowered, start, end):
                yield start, end
            at = self.compact.find(wanted, at + 1)


def find_leaks(text: str, values: Mapping[str, str], *, partial: bool = True) -> tuple[Leak, ...]:
    """Confined values in a text, in whatever form.

    Args:
        text: A message, an argument, an entry or an answer.
        values: The values by name.
        partial: Whether parts that identify a value count.

    Raises:
        EvaluatorError: The text has more than 200,000 characters.
    """
    prepared = FlowText(text)
    return tuple(leak for name, value in values.items() for leak in prepared.leaks(name, value, partial=partial))


def withheld(text: str, leaks: Iterable[Leak], *, language: Language = Language.ENGLISH) -> str:
    """A text with the values taken out and their names put in their place."""
    pieces: list[str] = []
    end = 0
    for leak in sorted(leaks, key=lambda found: (found.span[0], -found.span[1])):
        start, stop = leak.span
        if start < end:
            end = max(end, stop)
            continue
        note = f"【{leak.field}已隐去】" if language is Language.CHINESE else f"[{leak.field} withheld]"
        pieces += (text[end:start], note)
        end = stop
    return "".join((*pieces, text[end:]))


class FlowValidator:
    """Checks that confined values stay where they may be; the validator of constraints of kind `flow`.

    Args:
        spec: Fields, and the channels and recipients they may go to. Where both are given, both have to fit.
    """

    def __init__(self, spec: FlowSpec) -> None:
        self._spec = spec

    def check(self, question: Question) -> Verdict:
        """Whether an output, with the arguments of a tool call, keeps the values in.

        Raises:
            EvaluatorError: A field has no value in the context, or the output is too long to be read.
        """
        context = question.utterance.context
        if self.permits(str(context.channel), context.recipient):
            return KEPT
        values = confined_values(self._spec.fields, context.fields)
        for text in (question.utterance.output, *texts_in(dict(context.arguments))):
            prepared = FlowText(text)
            for name, value in values.items():
                found = prepared.leaks(name, value, partial=self._spec.partial)
                if found:
                    how = f"holds {name!r} ({found[0].form.value}), which may not go to {context.channel}"
                    return Verdict(violated=True, offending=found[0].quote, explanation=how, found_by="flow")
        return KEPT

    def permits(self, channel: str, recipient: str = "") -> bool:
        """Whether the values may go to a recipient on a channel. A recipient that is unknown is not permitted."""
        if not self._spec.channels and not self._spec.recipients:
            return False
        channel_fits = not self._spec.channels or _fits(channel, self._spec.channels)
        return channel_fits and (not self._spec.recipients or _fits(recipient, self._spec.recipients))


def confined_values(patterns: Iterable[str], fields: Mapping[str, str]) -> dict[str, str]:
    """The values that some field names stand for; a name may end in `*`.

    Raises:
        EvaluatorError: A name without `*` has no value. Give it as empty text where there is none to be kept in.
    """
    found: dict[str, str] = {}
    for pattern in patterns:
        names = [name for name in fields if fnmatch.fnmatchcase(name, pattern)]
        if not names and "*" not in pattern:
            hint = nearest(pattern, list(fields)) if fields else "the context has no fields at all"
            raise EvaluatorError(f"no value for the confined field {pattern!r}; {hint}")
        found.update((name, fields[name]) for name in names)
    return found


def texts_in(value: JsonValue | Mapping[str, Any]) -> tuple[str, ...]:
    """All texts and numbers in a JSON value, keys included, at most 2,000.

    Raises:
        EvaluatorError: There are more.
    """
    found: list[str] = []
    open_values: list[Any] = [value]
    while open_values:
        item = open_values.pop()
        if isinstance(item, Mapping):
            open_values += [*item.values(), *item.keys()]
        elif isinstance(item, list | tuple):
            open_values += item
        elif item is not None and not isinstance(item, bool):
            found.append(str(item))
        if len(found) > _MAX_ARGUMENTS:
            raise EvaluatorError(f"more than {_MAX_ARGUMENTS:,} values in the arguments; pass them in parts")
    return tuple(found)


def _fits(name: str, patterns: Iterable[str]) -> bool:
    return bool(name) and any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)


def _lowered(text: str) -> str:
    """Lower case, character by character, so that places stay the same."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(character.lower() if len(character.lower()) == 1 else character for character in text)


def _occurrences(text: str, wanted: str) -> Iterator[tuple[int, int]]:
    """Where a text stands at the edges of words."""
    return (span for span in _plain_occurrences(text, wanted) if _has_edges(text, *span))


def _plain_occurrences(text: str, wanted: str) -> Iterator[tuple[int, int]]:
    if not wanted:
        return
    at = text.find(wanted)
    while at >= 0:
        yield at, at + len(wanted)
        at = text.find(wanted, at + 1)


def _has_edges(text: str, start: int, end: int) -> bool:
    """Whether a stretch is no part of a longer word or number; Chinese has no edges between words."""
    return not (_joins(text, start - 1, start) or _joins(text, end - 1, end))


def _joins(text: str, left: int, right: int) -> bool:
    if left < 0 or right >= len(text):
        return False
    one, other = text[left], text[right]
    return one.isascii() and other.isascii() and one.isalnum() and other.isalnum()
