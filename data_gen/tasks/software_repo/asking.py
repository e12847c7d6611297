"""How a user asks for a task."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from data_gen.randomness import Rng
from data_gen.tasks.software_repo import goals_en, goals_zh, wishes
from data_gen.tasks.software_repo.task import RepoTask
from data_gen.texts.grammar import capitalised, expand

GOALS: Final = {"en": {**goals_en.GOALS, **wishes.EN}, "zh": {**goals_zh.GOALS, **wishes.ZH}}


def with_goal(task: RepoTask, rng: Rng) -> RepoTask:
    """A task with its goal in the user's words."""
    rules, language = GOALS[task.language], task.language
    dot = "." if language == "en" else "。"
    first = task.parts[0]
    parts = [capitalised(expand(rules, first.recipe.name, rng, first.roles)) + dot]
    for part in task.parts[1:]:
        asked = expand({**rules, "ask": ("",), "task": ("",)}, part.recipe.name, rng, part.roles)
        parts.append(expand(rules, "also", rng, {"more": asked}))
    common = {"name": task.world.members[0].name, "service": task.service}
    joined = " and " if language == "en" else "、"
    parts.append(expand(rules, "send" if task.wants_message else "no_send", rng, common))
    wishes: list[tuple[str, dict[str, str]]] = []
    if task.copies:
        wishes.append(("copy", {"address": joined.join(task.copies)}))
    wishes += [("extra", {"address": address}) for address in task.extra_messages]
    wishes += [("package", {"package": package}) for package in task.packages]
    wishes += [("invite", {"handle": account}) for account in task.invited]
    if task.wants_cause:
        wishes.append(("why", {}))
    if task.support is not None:
        wishes.append(("support", {"issue": task.support.issue}))
    if task.cap is not None:
        place = {"service": task.cap.service, "env": task.cap.environment, "limit": f"{task.cap.limit} MB"}
        wishes.append(("cap", place))
    if task.clearance is not None:
        wishes.append(("clear", {"member": task.clearance.member, "service": task.clearance.approved}))
    parts += [expand(rules, symbol, rng, {**common, **fields}) for symbol, fields in wishes]
    return replace(task, goal="".join(parts))
