"""Whether what people were told, and what was saved, is true."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from data_gen.tasks.personal_assistant.facts import Reading

if TYPE_CHECKING:
    from data_gen.tasks.personal_assistant.task import AssistantTask

_ONE: Final = {"en": ("one source", "one entry", "one place"), "zh": ("单一来源", "同一处", "一处记载", "一家之言")}
_TWO: Final = {
    "en": ("two of them", "two records", "two books", "both the books"),
    "zh": ("两个来源", "不同处", "两处记载", "两家之言"),
}
_SINCE: Final = {
    "en": ("because of ", "due to ", "owing to ", "on account of ", "down to ", "thanks to "),
    "zh": ("起因是", "是由于", "是因为", "因为", "由于", "缘于"),
}


def read_support(text: str, topic: str, language: str) -> bool | None:
    """Whether a text says that a topic has two sources; `None` if it says nothing on that."""
    for line in text.split("\n"):
        folded = line.lower()
        if topic.lower() not in folded:
            continue
        if any(cue in folded for cue in _TWO[language]):
            return True
        if any(cue in folded for cue in _ONE[language]):
            return False
    return None


def read_reason(text: str, topic: str, language: str) -> str | None:
    """The cause that a text gives for a change of a topic; `None` if it gives none."""
    for line in text.split("\n"):
        if topic.lower() in line.lower():
            for cue in _SINCE[language]:
                if cue in line:
                    return line.partition(cue)[2].rstrip(" .。|")
    return None


def problems_of_text(task: AssistantTask, text: str) -> Iterator[str]:
    """What a message or file says that is not so, one phrase each."""
    language, truth = task.language, task.true_conclusion()
    known = [(fact, Reading(fact.value, fact.unit)) for fact in task.facts]
    if task.conclusion is not None and truth is not None:
        known.append((task.conclusion, truth))
    for fact, right in known:
        found = fact.read(text, language)
        if found is not None and not same(found, right):
            yield f"says {found.value} {found.unit} of {fact.topic}"
    if task.wants_support and read_support(text, task.subject.topic, language) is not task.has_two_sources:
        yield "the statement on sources is wrong"
    if task.wants_reason and (read_reason(text, task.subject.topic, language) or "") != task.reason:
        yield "the cause given is not the one that people told"


def same(one: Reading, other: Reading) -> bool:
    """Whether two readings agree."""
    if isinstance(one.value, float) and isinstance(other.value, float):
        return one.unit == other.unit and math.isclose(one.value, other.value, rel_tol=1e-4, abs_tol=0.011)
    return one.value == other.value
