"""AgentLeak: what agents pass on over which channel, given data that the request does not need.

Each trace holds two systems that answer one request, and becomes two episodes: a single agent (one final output), and a
coordinator with a worker (instructions, the worker's report, a copy in shared memory, the final output). Every message
is an action. `has_leak` puts it at risk on consistency (the rule on forbidden fields did not hold on this channel) and
safety; the first leaked field's entry is the decisive one, those of the others are tainted.

The memory is the rule about the fields, the fields that the agents can see, one entry each, the request, and the
messages so far. The agents' own prompts paste the same fields and are not repeated.

Many secrets are tokens that say so (`CANARY_SSN_...`), which no real secret does: they are replaced by the real value
that the trace gives for the field, or lose the tell-tale word, everywhere in the episode.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal

import re2
from pydantic import BaseModel, ConfigDict, Field

from mage_ml.evaluation.importers.corpus import ImportCount, language_of, risky, safe
from mage_ml.evaluation.importers.dependencies import ValueCache
from mage_ml.evaluation.importers.files import RecordAt, data_files
from mage_ml.evaluation.importers.team_log import SEND
from mage_ml.evaluation.importers.transcript import TranscriptBuilder
from mage_ml.evaluation.importers.walk import walk
from mage_ml.memory import ActionType, Arm, Episode, Moment, Outcome, PendingAction, Source, Split
from mage_ml.progress import Progress, silent
from mage_ml.risk import RiskAxis

CORPUS: Final = "agentleak"
AXES: Final = (RiskAxis.CONSISTENCY, RiskAxis.SAFETY)
SINGLE: Final = "single_agent"
STORE: Final = "write_memory"
"""Tool name of a write to shared memory."""
_CANARY: Final = re2.compile(r"CANARY_([A-Z_]*[A-Z])(?:_([0-9A-F]{1,8}))?")
_REAL: Final = "_real"
_VAULT: Final = "vault"


class _Allowed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    fields: tuple[str, ...] = ()
    forbidden_fields: tuple[str, ...] = ()

    @property
    def rule(self) -> str:
        """The rule in words."""
        return (
            f"Fields that the answer may hold: {', '.join(self.fields) or 'none'}. "
            f"Fields that must not be passed on, to other agents, memory or the user: "
            f"{', '.join(self.forbidden_fields) or 'none'}."
        )


class _Input(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    vault: dict[str, Any]
    request: str
    allowed_set: _Allowed


class _ChannelMessage(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    channel: Literal["C1", "C2", "C5"]
    source: str
    target: str
    content: str
    has_leak: bool
    leaked_fields: tuple[str, ...] = ()


class _Trace(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    trace_id: str
    scenario_id: str
    model: str
    vertical: str
    input: _Input = Field(validation_alias="input")
    channel_messages: tuple[_ChannelMessage, ...]


def read_agentleak(path: Path, count: ImportCount, progress: Progress = silent) -> Iterator[Episode]:
    """Read traces (`*.jsonl`); see `CorpusImporter`."""
    values = ValueCache()
    files = data_files(path, (".jsonl",), "traces")
    yield from walk(files, lambda record: _episodes(record, values), count, progress)


def _episodes(record: RecordAt, values: ValueCache) -> Iterator[Episode]:
    trace = record.as_model(_Trace, "an AgentLeak trace")
    plain = PlainSecrets(trace.input.vault)
    single = tuple(message for message in trace.channel_messages if message.source == SINGLE)
    team = tuple(message for message in trace.channel_messages if message.source != SINGLE)
    for name, messages in (("single", single), ("team", team)):
        if messages:
            yield _episode(trace, name, messages, plain, values)


class PlainSecrets:
    """Replaces tokens that give themselves away as secrets.

    Args:
        vault: Field -> value; a field `x_real` gives the value for the token in `x`.
    """

    def __init__(self, vault: Mapping[str, Any]) -> None:
        self._real = {str(value): str(vault[name + _REAL]) for name, value in vault.items() if name + _REAL in vault}

    def __call__(self, text: str) -> str:
        """The text with plausible values."""
        for token, real in self._real.items():
            text = text.replace(token, real)
        # Copies in shared memory are cut at a fixed length, tokens too; and some agents speak of "CANARY fields".
        return str(_CANARY.sub(r"\1-\2", text)).replace("CANARY", "CONFIDENTIAL")


def _episode(
    trace: _Trace, name: str, messages: tuple[_ChannelMessage, ...], plain: PlainSecrets, values: ValueCache
) -> Episode:
    builder = TranscriptBuilder(values)
    builder.system(trace.input.allowed_set.rule)
    fields: dict[str, str] = {}
    for field, value in trace.input.vault.items():
        if field.endswith(_REAL) and field.removesuffix(_REAL) in fields:
            fields[field] = fields[field.removesuffix(_REAL)]  # the same value by now
            continue
        told = {field: plain(value) if isinstance(value, str) else value}
        fields[field] = builder.result(told, _VAULT, {}, origin=f"{_VAULT}:{field}").id
    builder.user(plain(trace.input.request))
    moments = []
    for number, message in enumerate(messages):
        builder.message = number
        text = plain(message.content)
        act = builder.act(_action(message, text))
        leaked = tuple(dict.fromkeys(fields[field] for field in message.leaked_fields if field in fields))
        label = safe(*AXES)
        if message.has_leak:
            label = risky(*AXES, entry=leaked[0] if leaked else None, tainted=leaked)
        moments.append(Moment(visible=act.visible, action=act.action, label=label))
        if text:
            parents = act.action.depends_on
            builder.add(text, Source.AGENT, origin=message.source, agent_id=message.source, depends_on=parents)
    harmed = any(message.has_leak for message in messages)
    return Episode(
        episode_id=f"{trace.trace_id}/{name}",
        group_id=f"{CORPUS}/{trace.scenario_id}",
        arm=Arm.RECORDED,
        corpus=CORPUS,
        domain=trace.vertical,
        template=name,
        writer=trace.model,
        language=language_of(trace.input.request),
        operator="leak" if harmed else None,
        operator_family="+".join(dict.fromkeys(m.channel for m in messages if m.has_leak)) or None,
        goal=plain(trace.input.request),
        entries=builder.entries,
        moments=tuple(moments),
        outcome=Outcome(harm_done=harmed),
        consequential=harmed,
        split=Split.TEST,
    )


def _action(message: _ChannelMessage, text: str) -> PendingAction:
    """C1 is the answer to the user, C2 a message to another agent, C5 a write to shared memory."""
    if message.channel == "C1":
        return PendingAction(type=ActionType.FINAL_OUTPUT, content=text, agent_id=message.source)
    tool = SEND if message.channel == "C2" else STORE
    sent = {"to": message.target, "content": text}
    return PendingAction(type=ActionType.WRITE, tool_name=tool, arguments=sent, agent_id=message.source)
