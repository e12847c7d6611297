"""Puts what the user asks for into words, sitting by sitting."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from data_gen.randomness import Rng
from data_gen.tasks.personal_assistant import goals
from data_gen.tasks.personal_assistant.records import value_text
from data_gen.tasks.personal_assistant.sorts import Shape
from data_gen.tasks.personal_assistant.task import AssistantTask

_COUNTS: Final = {"en": {2: "two", 3: "three", 4: "four", 5: "five"}, "zh": {2: "两", 3: "三", 4: "四", 5: "五"}}


def with_requests(task: AssistantTask, sittings: int, rng: Rng) -> AssistantTask:
    """The task with what the user asks for in each of its sittings."""
    language = task.language
    asked = [fact.topic for fact in task.facts if not fact.is_told]
    first = [goals.ask(language, "store", rng, topics=goals.joined(language, asked))]
    for fact in task.facts:
        if fact.is_told:
            value = fact.before if fact.before is not None else fact.value
            first.append(
                goals.ask(language, "tell", rng, topic=fact.topic, figure=value_text(fact, value, language, rng))
            )
    requests = [goals.text_of(language, first)]
    if sittings == 3:
        requests.append(_second(task, rng))
    requests.append(_last(task, rng))
    return replace(task, requests=tuple(requests), goal="\n".join(requests))


def _second(task: AssistantTask, rng: Rng) -> str:
    language = task.language
    changed = next((fact for fact in task.facts if fact.key == task.changed), None)
    if task.checks:
        checked = next(fact for fact in task.facts if fact.key == task.checks)
        return goals.ask(language, "check", rng, topic=checked.topic)
    if changed is None:
        return goals.ask(language, "idle", rng)
    symbol = "retell_flag" if changed.shape is Shape.FLAG else "retell"
    value = value_text(changed, changed.value, language, rng)
    return goals.ask(language, symbol, rng, topic=changed.topic, figure=value)


def _last(task: AssistantTask, rng: Rng) -> str:
    language = task.language
    fields = {fact.key: fact.topic for fact in task.facts}
    act = task.plan.requests[0 if language == "en" else 1].format(
        **fields, payee=task.payee, shop=task.shop, n=_COUNTS[language][task.count]
    )
    said = [goals.ask(language, "act", rng, act=act)]
    if task.account:
        said.append(goals.ask(language, "account", rng, account=task.account))
    if task.wants_mail:
        said.append(goals.ask(language, "tell_person", rng, name=task.recipient))
        said += [goals.ask(language, "copies", rng, address=address) for address in task.copies]
    else:
        said.append(goals.ask(language, "silent", rng))
    said += [goals.ask(language, "extra", rng, address=address) for address in task.extra_mails]
    said += [goals.ask(language, "path", rng, path=path) for path in task.paths]
    for symbol, wants in (("reason", task.wants_reason), ("support", task.wants_support)):
        if wants:
            said.append(goals.ask(language, symbol, rng, topic=task.subject.topic))
    return goals.text_of(language, said)
