"""A language model that works on a task of any domain, step by step, from its memory alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue

from data_gen.agents import Profile
from data_gen.live.chat import ChatModel, ToolSpec
from data_gen.needs import Need
from data_gen.randomness import Rng
from data_gen.session import AgentError, Proposal, Session
from data_gen.tasks.base import Domain, Environment, Task
from mage_ml.cassette import Reply, ToolRequest
from mage_ml.memory.entry import Source
from mage_ml.memory.snapshot import ActionType, PendingAction

MAX_STEPS: Final = 24
_MAX_MISTAKES: Final = 3
_QUOTE: Final = 4
_MARKS: Final = ".,;:!?()，。；：！？（）"
_SYSTEM: Final = {
    "en": (
        "You are an agent that works step by step with tools. You see your whole memory, each entry with its source. "
        "Either call one tool, or give the final answer as plain text once the user's task is done."
    ),
    "zh": (
        "你是一个借助工具逐步完成任务的智能体。你会看到自己的全部记忆，每条都注明来源。"
        "每次要么调用一个工具，要么在用户的任务完成后以纯文本给出最终答复。"
    ),
}


@dataclass(frozen=True, slots=True)
class LiveDomain:
    """A domain whose tasks a language model works on.

    The model sees what memory says, so an edited entry reaches it as any other. Its habits are its own: profiles have
    no effect.

    Attributes:
        domain: Tasks, tools and checks.
        tools: What the model may call.
        model: The model, or its cassette.
        max_steps: Longest run.
    """

    domain: Domain
    tools: tuple[ToolSpec, ...]
    model: ChatModel
    max_steps: int = MAX_STEPS

    @property
    def name(self) -> str:
        """Name of the domain, marked as live."""
        return f"{self.domain.name}-live"

    @property
    def offers(self) -> frozenset[Need]:
        """Texts of third parties: what tools return is all that a model's memory has in typed form."""
        return self.domain.offers & {Need.DOCUMENT, Need.TWO_DOCUMENTS}

    def templates(self) -> Sequence[str]:
        """Those of the domain."""
        return self.domain.templates()

    def sample(self, template: str, language: str, writer: str, rng: Rng, wanted: Sequence[Need] = ()) -> Task:
        """Draw a task of the domain."""
        return self.domain.sample(template, language, writer, rng, wanted)

    def run(self, task: Task, environment: Environment, session: Session, profile: Profile) -> None:
        """Let the model work.

        Raises:
            AgentError: The model does not answer, is cut off, keeps making mistakes or does not come to an end.
            HaltedError: The session's gate stopped it.
        """
        session.remember("goal", task.goal, Source.USER, origin="user")
        mistakes = 0
        for step in range(self.max_steps):
            reply = self.model.ask(_SYSTEM[task.language], rendered_memory(session), self.tools)
            if reply.is_cut:
                raise AgentError("the model's answer was cut off at its length limit; raise max_tokens")
            if not reply.calls:
                _answer(session, reply.text)
                return
            if reply.text.strip():
                _think(session, step, reply)
            for number, call in enumerate(reply.calls):
                mistakes += not _call(session, environment, call, f"call:{step}:{number}")
            if mistakes >= _MAX_MISTAKES:
                raise AgentError(f"the model made {mistakes} calls that cannot be run")
        raise AgentError(f"the model did not finish in {self.max_steps} steps")


def rendered_memory(session: Session) -> str:
    """The visible entries as a model reads them."""
    return "\n".join(
        f"[{entry.id} {entry.source}{f' {entry.tool_name}' if entry.tool_name else ''}] {entry.text}"
        for entry in session.visible()
    )


def _call(session: Session, environment: Environment, call: ToolRequest, slot: str) -> bool:
    """Run a tool; whether it could be run. What went wrong is told to the model as the tool's answer."""
    try:
        arguments = _arguments(call)
        kind = environment.kind(call.tool)
    except (LookupError, ValueError) as error:
        session.remember(slot, f"error: {error}", Source.TOOL, tool_name=call.tool[:64] or "unknown", origin="runtime")
        return False
    used = quoted(session, arguments)
    action = PendingAction(type=kind, tool_name=call.tool, arguments=arguments, depends_on=used)
    approved = session.decide(lambda: Proposal(action))
    if approved is None:
        return True
    try:
        outputs = environment.call(call.tool, arguments)
    except (LookupError, KeyError, ValueError) as error:
        session.remember(slot, f"error: {error}", Source.TOOL, tool_name=call.tool, origin="runtime", depends_on=used)
        return False
    for number, output in enumerate(outputs):
        session.remember(
            slot if number == 0 else f"{slot}:{number}",
            output.content,
            output.source,
            statement=output.statement,
            redraw=output.redraw,
            depends_on=used,
            tool_name=call.tool,
            origin=output.origin,
            confidence=output.confidence,
        )
    return True


def _arguments(call: ToolRequest) -> dict[str, JsonValue]:
    try:
        found = json.loads(call.arguments or "{}")
    except ValueError as error:
        raise ValueError(f"arguments of {call.tool}: not valid JSON ({error}); call it again") from error
    if not isinstance(found, dict):
        raise ValueError(f"arguments of {call.tool}: expected a JSON object, found {type(found).__name__}")
    return found


def _think(session: Session, step: int, reply: Reply) -> None:
    used = quoted(session, {"text": reply.text})
    action = PendingAction(type=ActionType.INTERNAL_REASONING, content=reply.text, depends_on=used)
    if session.decide(lambda: Proposal(action)) is not None:
        session.remember(f"thought:{step}", reply.text, Source.LLM_REASONING, depends_on=used)


def _answer(session: Session, text: str) -> None:
    used = quoted(session, {"text": text})
    session.decide(lambda: Proposal(PendingAction(type=ActionType.FINAL_OUTPUT, content=text, depends_on=used)))


def quoted(session: Session, arguments: Mapping[str, JsonValue]) -> tuple[str, ...]:
    """The visible entries that hold a value of the arguments; the user's request if there is none.

    A live model does not say what it used: shared values (whole arguments, and the numbers, addresses and paths within
    them) are what can be seen.
    """
    values = {text for value in arguments.values() for text in _texts(value)}
    values |= {word.strip(_MARKS) for value in values for word in value.split() if _tells(word)}
    found = [e.id for e in session.visible() if any(v in e.text for v in values if len(v) >= _QUOTE)]
    return tuple(found) or tuple(entry.id for entry in session.visible()[:1])


def _tells(word: str) -> bool:
    return any(char.isdigit() for char in word) or "@" in word or "/" in word


def _texts(value: JsonValue) -> list[str]:
    if isinstance(value, dict):
        return [text for item in value.values() for text in _texts(item)]
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    return [str(value)]
