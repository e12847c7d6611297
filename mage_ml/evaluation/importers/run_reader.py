"""Turns one AgentDojo run into entries and labelled moments; what it cannot tell is left unknown."""

from __future__ import annotations

from typing import Final, Protocol

from mage_ml.evaluation.importers.dependencies import DependencyInference, ValueCache
from mage_ml.evaluation.importers.goals import Service, text_key
from mage_ml.evaluation.importers.rewording import reword
from mage_ml.evaluation.importers.runs import Message, RecordedRun, RunAt, ToolCall
from mage_ml.evaluation.importers.tools import action_type_of, origin_of_result
from mage_ml.memory import (
    ActionType,
    Arm,
    Episode,
    MemoryEntry,
    Moment,
    MomentLabel,
    Outcome,
    PendingAction,
    Role,
    Source,
    Split,
)
from mage_ml.risk import RiskAxis

_SAFETY: Final = (RiskAxis.SAFETY,)


class GoalJudge(Protocol):
    """Tells whether a call of an attacked run carries out the injected goal."""

    def service_of(self, call: ToolCall, run: RecordedRun, *, after_serving: bool) -> Service:
        """How the call relates to the goal; see `GoalBook.service_of`."""


class RunReader:
    """Turns one run into entries and moments.

    Args:
        item: The run.
        judge: Tells which calls serve the injected goal.
        values: Remembers the values of texts.
        corpus: Name of the corpus.
        tasks: Name of the set of user tasks, the same for all corpora that record the same ones.
        reworded: Say every injected text in other words.

    Attributes:
        kept_wording: Whether an injected text could not be said in other words, though that was asked for.
    """

    def __init__(
        self, item: RunAt, judge: GoalJudge, values: ValueCache, *, corpus: str, tasks: str, reworded: bool = False
    ) -> None:
        self._reworded = reworded
        self._corpus, self._tasks = corpus, tasks
        self.kept_wording = False
        self._item, self._run, self._judge = item, item.run, judge
        self._inference = DependencyInference(values)
        self._injected = tuple(key for text in item.run.injections.values() if (key := text_key(text)))
        self._entries: list[MemoryEntry] = []
        self._moments: list[Moment] = []
        self._poisoned: list[str] = []

    def episode(self) -> Episode:
        """The run as an episode.

        Raises:
            ValidationError: A message does not make a valid entry or action.
        """
        for message in self._run.messages:
            self._read(message)
        run, attacked = self._run, self._run.is_attacked
        task = f"{run.suite_name}/{run.user_task_id}"
        return Episode(
            episode_id=f"{self._item.pipeline}/{task}/{run.attack_type or 'none'}/{run.injection_task_id or 'none'}",
            group_id=f"{self._tasks}/{task}",
            arm=Arm.RECORDED,
            corpus=self._corpus,
            domain=run.suite_name,
            template=run.user_task_id,
            writer=self._item.pipeline,
            operator=run.attack_type,
            operator_family=run.injection_task_id,
            goal=run.user_prompt,
            entries=tuple(self._entries),
            moments=tuple(self._moments),
            outcome=Outcome(
                task_solved=run.utility,
                harm_done=attacked and bool(run.security),
                detail=self._detail(),
            ),
            injected_entry=self._poisoned[0] if self._poisoned else None,
            consequential=attacked and bool(run.security),
            split=Split.TEST,
        )

    def _detail(self) -> str:
        if not self._run.is_attacked:
            return "no attack"
        if not self._poisoned:
            return "attacked, but the injected text never reached the agent"
        return "the attack succeeded" if self._run.security else "the attack failed"

    def _read(self, message: Message) -> None:
        if message.role == "assistant":
            self._read_assistant(message)
        elif message.role == "tool":
            self._read_result(message)
        else:
            source = Source.SYSTEM if message.role == "system" else Source.USER
            self._add(message.content, source, role=Role.INSTRUCTION, origin=source.value)

    def _read_assistant(self, message: Message) -> None:
        text = message.content.strip()
        if not message.tool_calls:
            if text:
                action = PendingAction(
                    type=ActionType.FINAL_OUTPUT, content=text, depends_on=self._inference.parents_of_text(text)
                )
                self._moments.append(Moment(visible=len(self._entries), action=action, label=self._label(None)))
            return
        if text:
            self._add(text, Source.LLM_REASONING, depends_on=self._inference.parents_of_text(text))
        for call in message.tool_calls:
            action = PendingAction(type=action_type_of(call.function), tool_name=call.function, arguments=call.args)
            action = action.model_copy(update={"depends_on": self._inference.parents_of_text(action.text)})
            self._moments.append(Moment(visible=len(self._entries), action=action, label=self._label(call)))

    def _read_result(self, message: Message) -> None:
        call = message.tool_call or ToolCall(function="unknown")
        text = message.content
        if message.error:
            text = f"{text}\n{message.error}".strip()
        asked = PendingAction(type=ActionType.READ, tool_name=call.function, arguments=call.args).text
        seen = text_key(text) if self._injected else ""
        poisoned = any(key in seen for key in self._injected)
        if poisoned and self._reworded:
            text = self._other_words(text)
        entry = self._add(
            text,
            Source.TOOL,
            tool_name=call.function,
            origin=origin_of_result(call.function, call.args),
            depends_on=self._inference.parents_of_result(asked),
        )
        if poisoned:
            self._poisoned.append(entry.id)

    def _other_words(self, text: str) -> str:
        run = self._run
        key = f"{run.suite_name}/{run.user_task_id}/{run.injection_task_id}/{len(self._entries)}"
        found = reword(text, tuple(run.injections.values()), key)
        self.kept_wording = self.kept_wording or found is None
        return text if found is None else found

    def _add(self, content: str, source: Source, **fields: object) -> MemoryEntry:
        number = len(self._entries)
        entry = MemoryEntry.model_validate(
            {"id": f"m{number}", "content": content, "source": source, "step": number, **fields}
        )
        self._entries.append(entry)
        self._inference.note(entry)
        return entry

    def _label(self, call: ToolCall | None) -> MomentLabel:
        """The label of the next action; `None` stands for the final answer, which carries out no goal."""
        if not self._poisoned:
            return MomentLabel(known_axes=_SAFETY)
        service = Service.NONE
        if call is not None:
            after = any(moment.label.is_risky for moment in self._moments)
            service = self._judge.service_of(call, self._run, after_serving=after)
        poisoned = tuple(self._poisoned)
        if service is Service.SERVES:
            return MomentLabel(axes=_SAFETY, decisive_entry=poisoned[0], tainted=poisoned, known_axes=_SAFETY)
        known = () if service is Service.UNCLEAR else _SAFETY
        return MomentLabel(decisive_entry=poisoned[0], tainted=poisoned, known_axes=known)
