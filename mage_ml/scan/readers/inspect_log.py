"""Inspect logs: `.json` with all samples in one object, `.eval` with one file a sample."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.messages import parse_arguments, text_of_content
from mage_ml.memory.dependencies import ValueCache
from mage_ml.scan.trace import Pointer, RawTrace, RecordReader, Step, Trace, TraceFormat, lookup
from mage_ml.scan.turns import Turn, TurnKind, spoken, trace_of

_ATTACHMENT: Final = "attachment://"
_KINDS: Final = {
    "system": TurnKind.SYSTEM,
    "user": TurnKind.USER,
    "assistant": TurnKind.ANSWER,
    "tool": TurnKind.RESULT,
}


class InspectReader(RecordReader):
    """Reads Inspect logs; the outcome of a sample is its scores."""

    format = TraceFormat.INSPECT

    def complaint(self, value: Any) -> str | None:  # noqa: ANN401 - arbitrary JSON
        """A log has eval and samples; a sample has epoch and messages."""
        if _is_log(value) or _is_sample(value):
            return None
        return "neither a log with eval and samples nor a sample with id, epoch and messages"

    def read(self, raw: RawTrace, parts: Sequence[Any], values: ValueCache) -> Iterator[Trace]:
        """One trace for each sample."""
        value = parts[0]
        if _is_sample(value):
            yield _sample(value, (), values)
            return
        samples = lookup(value, ("samples",))
        if not isinstance(samples, list):
            raise RecordError("the log holds no samples; it was written without them (log_samples=False)")
        for number, sample in enumerate(samples):
            if not _is_sample(sample):
                raise RecordError(f"samples[{number}]: expected id, epoch and messages")
            yield _sample(sample, ("samples", number), values)


def _is_log(value: Any) -> bool:  # noqa: ANN401 - arbitrary JSON
    return isinstance(value, Mapping) and isinstance(value.get("eval"), Mapping) and "version" in value


def _is_sample(value: Any) -> bool:  # noqa: ANN401 - arbitrary JSON
    return isinstance(value, Mapping) and "epoch" in value and isinstance(value.get("messages"), list)


def _sample(sample: Mapping[str, Any], inside: tuple[Step, ...], values: ValueCache) -> Trace:
    kept = sample.get("attachments")
    attached = kept if isinstance(kept, Mapping) else {}
    turns: list[Turn] = []
    for number, message in enumerate(sample["messages"]):
        turns += _message(message, Pointer(0, (*inside, "messages", number)), attached)
    trace_id = f"sample {sample.get('id')} epoch {sample['epoch']}"
    return trace_of(turns, trace_id, values, _outcome(sample.get("scores")))


def _message(message: Any, at: Pointer, attached: Mapping[str, Any]) -> list[Turn]:  # noqa: ANN401 - arbitrary JSON
    kind = _KINDS.get(str(lookup(message, ("role",))))
    if kind is None:
        raise RecordError(f"{at.text}: expected role system, user, assistant or tool")
    content = message.get("content")
    text = _restored(_text(content), attached)
    if kind is TurnKind.RESULT:
        error = lookup(message, ("error", "message"))
        result = f"{text}\n{error}".strip() if isinstance(error, str) else text
        call_id = str(message.get("tool_call_id") or "")
        return [Turn(kind, at, result, tool=str(message.get("function") or ""), call_id=call_id)]
    if kind is not TurnKind.ANSWER:
        return [Turn(kind, at, text)]
    turns: list[Turn] = []
    for part in content if isinstance(content, list) else ():
        turns += _hosted(part, at, attached)
    turns.append(Turn(kind, at, text))
    for call in message.get("tool_calls") or ():
        given = {k: _restored(v, attached) for k, v in parse_arguments(lookup(call, ("arguments",))).items()}
        name, call_id = str(lookup(call, ("function",)) or ""), str(lookup(call, ("id",)) or "")
        turns.append(Turn(TurnKind.CALL, at, tool=name, arguments=given, call_id=call_id))
    return spoken(turns) if message.get("tool_calls") else turns


def _hosted(part: Any, at: Pointer, attached: Mapping[str, Any]) -> Iterator[Turn]:  # noqa: ANN401 - arbitrary JSON
    """Reasoning, and tools that ran at the provider."""
    kind = lookup(part, ("type",))
    if kind == "reasoning":
        yield Turn(TurnKind.THINK, at, _restored(str(part.get("reasoning") or part.get("summary") or ""), attached))
    elif kind == "tool_use":
        call_id, name = str(part.get("id") or ""), str(part.get("name") or "")
        yield Turn(TurnKind.CALL, at, tool=name, arguments=parse_arguments(part.get("arguments")), call_id=call_id)
        result = _restored(str(part.get("result") or part.get("error") or ""), attached)
        yield Turn(TurnKind.RESULT, at, result, call_id=call_id)


def _text(content: Any) -> str:  # noqa: ANN401 - arbitrary JSON
    if isinstance(content, list):
        said = [part for part in content if lookup(part, ("type",)) not in ("reasoning", "tool_use")]
        return str(text_of_content(said))
    return content if isinstance(content, str) else ""


def _restored(value: Any, attached: Mapping[str, Any]) -> Any:  # noqa: ANN401 - arbitrary JSON
    """A text with what is kept apart put back."""
    if isinstance(value, str) and value.startswith(_ATTACHMENT):
        return attached.get(value.removeprefix(_ATTACHMENT), value)
    return value


def _outcome(scores: Any) -> str:  # noqa: ANN401 - arbitrary JSON
    if not isinstance(scores, Mapping):
        return ""
    told = {str(name): lookup(score, ("value",)) for name, score in scores.items()}
    return ", ".join(f"{name} {value}" for name, value in told.items() if isinstance(value, str | int | float))
