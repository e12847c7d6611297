"""The tools of the repository domain, over the state of a small forge."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pydantic import JsonValue

from data_gen.randomness import Rng, rng_for
from data_gen.statements import Passage, Statement
from data_gen.tasks.base import ToolOutput
from data_gen.tasks.software_repo.findings import Amount, Finding
from data_gen.tasks.software_repo.judge import judge
from data_gen.tasks.software_repo.reading import read_record
from data_gen.tasks.software_repo.recipes import Area, Look
from data_gen.tasks.software_repo.tools import (
    EFFECTS,
    READ_TOOLS,
    SHELVES,
    TEXT_ARGUMENTS,
    WRITE_TOOLS,
    Mark,
    effect_of,
)
from data_gen.tasks.software_repo.world import Records
from data_gen.texts.noise import damaged
from mage_ml.config import nearest
from mage_ml.memory.entry import Source
from mage_ml.memory.episode import Outcome
from mage_ml.memory.snapshot import ActionType

if TYPE_CHECKING:
    from data_gen.tasks.software_repo.task import RepoTask


_DONE: Final = {
    "en": ("done", "accepted", "no corrections on file", "still running, ask again"),
    "zh": ("已完成", "已受理", "没有更正记录", "仍在运行，请再次查询"),
}
_SLOW: Final = (Area.LOG, Area.BENCHMARK, Area.METRICS, Area.RELEASE)


@dataclass(frozen=True, slots=True)
class Message:
    """A message in the outbox."""

    to: tuple[str, ...]
    text: str


class Forge:
    """The state of one run.

    Attributes:
        task: The task worked on.
        records: What the reading tools show now.
        marks: What the writing tools have changed.
        texts: Texts that were published: comments, notes, status reports.
        outbox: Messages sent.
        calls: How often each call was made.
    """

    def __init__(self, task: RepoTask) -> None:
        self.task = task
        self.records: dict[tuple[Area, str], JsonValue] = dict(task.world.records)
        self.marks: dict[Mark, str] = {}
        self.texts: list[str] = []
        self.outbox: list[Message] = []
        self.calls: Counter[str] = Counter()

    def kind(self, tool: str) -> ActionType:
        """Whether a tool reads or writes.

        Raises:
            LookupError: No such tool.
        """
        if tool not in (*READ_TOOLS, *WRITE_TOOLS):
            raise LookupError(f"no tool {tool!r}; {nearest(tool, (*READ_TOOLS, *WRITE_TOOLS))}")
        return ActionType.WRITE if tool in WRITE_TOOLS else ActionType.READ

    def call(self, tool: str, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        """Run a tool.

        Raises:
            LookupError: No such tool, or it has no answer to these arguments.
        """
        self.kind(tool)
        self.calls[f"{tool} {dict(sorted(arguments.items()))}"] += 1
        area = next((area for area, shelf in SHELVES.items() if shelf.tool == tool), None)
        if area is not None:
            return (self._record(area, str(arguments.get(SHELVES[area].argument))),)
        if tool in EFFECTS:
            return (self._write(tool, arguments),)
        found: tuple[ToolOutput, ...] = getattr(self, f"_{tool}")(arguments)
        return found

    def outcome(self) -> Outcome:
        """Compare the final state with what was to be done."""
        return judge(self.task, self)

    def close(self) -> None:
        """Nothing is held."""

    def _record(self, area: Area, item: str) -> ToolOutput:
        content = self._content(area, item)
        shelf = SHELVES[area]
        look = next((k for job in self.task.jobs for k in job.measures if (k.area, k.item) == (area, item)), None)
        statement = None if look is None else self._said(look, content)
        times = self.calls[f"{shelf.tool} { ({shelf.argument: item}) }"]
        if area in _SLOW and times <= self.task.waits:
            return ToolOutput(f"{item}: {_DONE[self.task.language][3]}", Source.TOOL, shelf.origin)
        # The line breaks down once: what is asked again arrives whole.
        arrives = self.task.damage is None or times > self.task.waits + 1
        if not arrives and isinstance(content, str) and statement is not None:
            content = damaged(content, rng_for(self.task.damage or 0, item))
        return ToolOutput(content, Source.TOOL, shelf.origin, statement=statement)

    def _content(self, area: Area, item: str) -> JsonValue:
        if (area, item) not in self.records:
            raise LookupError(f"nothing on file about {item!r} in {SHELVES[area].tool}")
        return self.records[area, item]

    def _said(self, look: Look, content: JsonValue) -> Finding | None:
        value = read_record(content, look.path, look.topic.attribute, self.task.language)
        return Finding(look.topic, value) if isinstance(value, Amount) else None

    def _write(self, tool: str, arguments: Mapping[str, JsonValue]) -> ToolOutput:
        mark, value = effect_of(tool, arguments)
        self.marks[mark] = value
        self.texts += [str(arguments[name]) for name in TEXT_ARGUMENTS if name in arguments]
        self._reflect(tool, arguments)
        receipt: JsonValue = {"status": _DONE[self.task.language][0], mark.item: f"{mark.field} = {value}"}
        return ToolOutput(receipt, Source.TOOL, "forge")

    def _reflect(self, tool: str, arguments: Mapping[str, JsonValue]) -> None:
        """Show a change where records show such things."""
        place = {"set_config": Area.CONFIG, "bump_dependency": Area.MANIFEST, "add_dependency": Area.MANIFEST}
        item = (place[tool], str(arguments["service"])) if tool in place else None
        if item is None or item not in self.records:
            return
        changed = copy.deepcopy(self.records[item])
        assert isinstance(changed, dict)
        if tool == "set_config":
            settings = changed["settings"]
            assert isinstance(settings, dict)
            branch = settings[str(arguments["environment"])]
            assert isinstance(branch, dict)
            branch[str(arguments["setting"])] = arguments["value"]
        else:
            dependencies = changed["dependencies"]
            assert isinstance(dependencies, dict)
            dependencies[str(arguments["package"])] = arguments.get("version", "added")
        self.records[item] = changed

    def _check_corrections(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        """A correction reaches the records here: what was read before differs from what is read afterwards."""
        revision, look = self.task.revision, self.task.first_measure
        if revision is None or look is None:
            return (ToolOutput(_DONE[self.task.language][2], Source.TOOL, "forge"),)
        self.records = dict(revised(self.records, look, revision))
        return (ToolOutput(self.records[look.area, look.item], Source.TOOL, SHELVES[look.area].origin),)

    def _read_comment(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        paper = next((paper for paper in self.task.papers if paper.name == arguments.get("comment")), None)
        if paper is None:
            raise LookupError(f"no comment {arguments.get('comment')!r}")
        return (self._passage(paper.passage, f"comment by {paper.author}"),)

    def _search_memory(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        return tuple(self._passage(case.passage, f"memory: request of {case.author}") for case in self.task.precedents)

    def _passage(self, passage: Passage, origin: str) -> ToolOutput:
        language = self.task.language

        def redraw(changed: Statement, _rng: Rng) -> JsonValue:
            return as_passage(changed).text(language)

        return ToolOutput(passage.text(language), Source.RETRIEVED, origin, statement=passage, redraw=redraw)

    def _read_chat(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        chat = self.task.chat
        if chat is None:
            raise LookupError("nobody has written in the chat")
        return (ToolOutput(chat.text, Source.RETRIEVED, f"chat: {chat.author}", confidence=0.35),)

    def _find_member(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        found = next((m for m in self.task.world.members if m.name == arguments.get("name")), None)
        if found is None:
            raise LookupError(f"nobody called {arguments.get('name')!r} in the directory")
        record: dict[str, JsonValue] = {"name": found.name, "role": found.role, "email": found.email}
        remark, language = self.task.remark, self.task.language
        if remark is None:
            return (ToolOutput(record, Source.TOOL, "directory"),)

        def redraw(changed: Statement, _rng: Rng) -> JsonValue:
            return {**record, "remark": as_passage(changed).text(language)}

        content: JsonValue = {**record, "remark": remark.text(language)}
        return (ToolOutput(content, Source.TOOL, "directory", statement=remark, redraw=redraw),)

    def _list_reproductions(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        support = self.task.support
        if support is None:
            raise LookupError(f"no reproductions of {arguments.get('issue')!r}")
        return tuple(
            ToolOutput(
                {"issue": support.issue, "outcome": "reproduced", "by": runner, "run": number + 1},
                Source.TOOL, f"runner {runner}",
            )
            for number, runner in enumerate(support.runners)
        )  # fmt: skip

    def _list_branches(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        return (ToolOutput({"branches": list(self.task.branches)}, Source.TOOL, "repository"),)

    def _get_access_request(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        clearance = self.task.clearance
        if clearance is None:
            raise LookupError(f"no request of {arguments.get('member')!r}")
        content: JsonValue = {"member": clearance.member, "level": clearance.level, "asked_for": list(clearance.asked)}
        return (ToolOutput(content, Source.TOOL, "access-desk"),)

    def _notify(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        to = [*_addresses(arguments.get("to")), *_addresses(arguments.get("cc"))]
        self.outbox.append(Message(tuple(to), str(arguments.get("text", ""))))
        status: JsonValue = {"status": _DONE[self.task.language][1], "to": list(to)}
        return (ToolOutput(status, Source.TOOL, "mail-server"),)


def revised(records: Records, look: Look, value: str | int) -> Records:
    """The records with another value in one field."""
    changed = copy.deepcopy(records[look.area, look.item])
    if isinstance(changed, str):
        lines = changed.split("\n")
        place = next(i for i, line in enumerate(lines) if f"{look.path}:" in line or f"{look.path}：" in line)
        start = lines[place].index(look.path) + len(look.path)
        lines[place] = f"{lines[place][: start + 1]}{' ' if lines[place][start] == ':' else ''}{value}"
        return {**records, (look.area, look.item): "\n".join(lines)}
    branch: JsonValue = changed
    *steps, last = look.path.split("|")
    for step in steps:
        assert isinstance(branch, dict)
        branch = branch[step]
    assert isinstance(branch, dict)
    branch[last] = value
    return {**records, (look.area, look.item): changed}


def as_passage(statement: Statement) -> Passage:
    """A statement as the text of a third party.

    Raises:
        TypeError: It is none.
    """
    if not isinstance(statement, Passage):
        raise TypeError(f"a text is a passage, not a {type(statement).__name__}")
    return statement


def _addresses(value: JsonValue) -> list[str]:
    if isinstance(value, str):
        return [value] if value else []
    return [str(item) for item in value] if isinstance(value, list) else []
