"""An agent of the simulator as a chat model: it speaks when it is asked to, and reads what the framework shows it.

The simulator's agents run from start to end and read memory whenever they like. Here one runs in a thread of its own
that only moves while the framework waits for the model or for a tool: so it works in any framework, on the
conversation as that framework and the guard left it.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from pydantic import JsonValue

from data_gen.agent_memory import ListMemory
from data_gen.guarded import GuardedCase
from data_gen.session import PROCEED, Edit, HaltedError, Proposal, Ruling, RulingKind, Session
from data_gen.tasks.base import ToolOutput
from mage_ml.memory import ActionType, MemoryEntry, Outcome, Source, Status
from mage_ml.runtime.integrations.core.wording import is_hidden_text

_PATIENCE_S = 60.0
OWN = (Source.LLM_REASONING, Source.AGENT)


class Does(StrEnum):
    """What the agent wants next."""

    NOTES = "notes"
    CALLS = "calls"
    ANSWERS = "answers"
    ENDS = "ends"


@dataclass(frozen=True)
class Utterance:
    """What the agent says when it is its turn: `key` is the name of a note or of a call, `sources` what it rests on."""

    does: Does
    text: str = ""
    key: str = ""
    tool: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    sources: tuple[str, ...] = ()


@dataclass(frozen=True)
class Opening:
    """What stands in the conversation before the agent begins: the house rule, the user's task."""

    source: Source
    text: str


class _Stopped(BaseException):
    """The run was given up while the agent waited; nothing in the agent may catch it."""


@dataclass(frozen=True)
class _Check:
    """A verification that the agent's thread has to make: its tools live there."""

    tool: str
    arguments: Mapping[str, Any]


class SimulatedAgent:
    """One run of one case. Call `begin`, then `speak` and `perform` in turn, and `close` at the end.

    Args:
        case: Task, agent and seed.
        edit: The contamination, its harmless twin, or nothing.
    """

    def __init__(self, case: GuardedCase, edit: Edit | None = None) -> None:
        self._outcome: Outcome | None = None
        self.halted = False
        self.failure: BaseException | None = None
        self._case = case
        self._memory = ListMemory()
        self._session = Session(case.seed, memory=self, gate=self, edit=edit)
        self._inbox: queue.Queue[Ruling | _Check | None] = queue.Queue()
        self._outbox: queue.Queue[Any] = queue.Queue()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._opening: list[Opening] = []
        self._has_begun = False
        self._owed = 0
        self._results: list[str] = []
        self._key_of: dict[str, str] = {}
        self._calls = 0
        self._call_key = ""
        self._verified: dict[str, tuple[ToolOutput, ...]] = {}

    # The framework's side.

    def begin(self) -> list[Opening]:
        """Start; gives what stands in the conversation at first."""
        self._thread.start()
        self._first = self._outbox.get(timeout=_PATIENCE_S)
        self._has_begun = True
        return self._opening

    def speak(self, shown: Mapping[str, str], ruling: Ruling = PROCEED) -> Utterance:
        """The agent's turn.

        Args:
            shown: Key -> text of every message that the model is shown; what was taken out is out of its memory.
            ruling: What became of its last utterance.
        """
        if self._first is not None:
            utterance, self._first = self._first, None
            return utterance
        for entry in list(self._memory.entries()):
            text = shown.get(self._key_of.get(entry.id, ""))
            if text is not None and is_hidden_text(text) and entry.status is not Status.QUARANTINED:
                self._memory.replace(entry.revised(status=Status.QUARANTINED))
        self._inbox.put(ruling)
        utterance = self._outbox.get(timeout=_PATIENCE_S)
        assert isinstance(utterance, Utterance), utterance
        return utterance

    def perform(self, key: str, tool: str, arguments: Mapping[str, Any]) -> str:
        """Run a tool for the framework: the agent's own call, or a verification that the guard asked for."""
        if key != self._call_key:
            self._inbox.put(_Check(tool, arguments))
        else:
            self._inbox.put(PROCEED)
        found = self._outbox.get(timeout=_PATIENCE_S)
        if self.failure is not None:
            raise self.failure
        assert isinstance(found, str), found
        return found

    def close(self) -> Outcome:
        """Give up what still runs; gives the outcome by ground truth."""
        self._inbox.put(None)
        self._thread.join(_PATIENCE_S)
        if self.failure is not None:
            raise self.failure
        assert self._outcome is not None
        return self._outcome

    # The simulator's side: memory, gate, tools.

    def entries(self) -> Sequence[MemoryEntry]:
        return self._memory.entries()

    def append(self, entry: MemoryEntry) -> None:
        self._memory.append(entry)
        if not self._has_begun and entry.source in (Source.SYSTEM, Source.USER):
            self._key_of[entry.id] = f"opening-{len(self._opening)}"
            self._opening.append(Opening(entry.source, entry.text))
        elif entry.source in OWN:
            self._key_of[entry.id] = f"note-{entry.id}"
            self._say(Utterance(Does.NOTES, entry.text, f"note-{entry.id}", sources=self._keys(entry.depends_on)))
        elif self._owed:
            self._key_of[entry.id] = f"tool:{self._call_key}"
            self._results.append(entry.text)
            self._owed -= 1
            if not self._owed:
                self._hand_over("\n".join(self._results))

    def check(self, proposal: Proposal) -> Ruling:
        action = proposal.action
        if action.type == ActionType.INTERNAL_REASONING:
            return PROCEED
        sources = self._keys(action.depends_on)
        if action.type == ActionType.FINAL_OUTPUT:
            return self._say(Utterance(Does.ANSWERS, action.content, f"answer-{self._calls}", sources=sources))
        self._calls += 1
        self._call_key = f"call-{self._calls}"
        return self._say(
            Utterance(Does.CALLS, "", self._call_key, action.tool_name or "", dict(action.arguments), sources)
        )

    def _called(self, tool: str, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        verified = self._verified.pop(_call_name(tool, arguments), None)
        if verified is not None:
            return verified
        try:
            outputs = self._run_tool(tool, arguments)
        except LookupError as error:
            self._hand_over(f"error: {error}")
            raise
        self._owed, self._results = len(outputs), []
        if not outputs:
            self._hand_over("(nothing)")
        return outputs

    def _keys(self, entry_ids: Sequence[str]) -> tuple[str, ...]:
        return tuple(self._key_of[entry_id] for entry_id in entry_ids if entry_id in self._key_of)

    def _say(self, utterance: Utterance) -> Ruling:
        self._outbox.put(utterance)
        return self._told()

    def _hand_over(self, text: str) -> None:
        """The tool's answer goes to the framework; the agent waits until the model is asked again."""
        self._outbox.put(text)
        self._told()

    def _told(self) -> Ruling:
        while True:
            word = self._inbox.get()
            if word is None:
                raise _Stopped
            if isinstance(word, Ruling):
                return word
            outputs = self._run_tool(word.tool, word.arguments)
            self._verified[_call_name(word.tool, word.arguments)] = outputs
            self._outbox.put("\n".join(_as_text(output.content) for output in outputs))

    def _work(self) -> None:
        case = self._case
        environment: Any = case.task.new_environment()
        self._run_tool = environment.call
        environment.call = self._called  # what a call returns to the agent is also what the framework is told
        try:
            case.domain.run(case.task, environment, self._session, case.profile)
        except HaltedError:
            self.halted = True
        except _Stopped:
            pass
        except Exception as error:  # shown by whoever waits for the agent
            self.failure = error
        self._outcome = environment.outcome()
        environment.close()
        self._outbox.put(Utterance(Does.ENDS))


def ruling_of(action: str, tool: str = "", arguments: Mapping[str, Any] | None = None) -> Ruling:
    """What a blocked call means for the agent: derive the step anew, after a verification from its fresh result."""
    if action == RulingKind.REDIRECT and tool:
        return Ruling(RulingKind.REDIRECT, "", (), tool, dict(arguments or {}))
    return Ruling(RulingKind.REPAIR)


def _call_name(tool: str, arguments: Mapping[str, Any]) -> str:
    return f"{tool} {sorted(arguments.items())!r}"


def _as_text(content: JsonValue) -> str:
    return MemoryEntry(id="x", content=content, source=Source.TOOL).text


__all__ = ["Does", "Opening", "SimulatedAgent", "Utterance", "ruling_of"]
