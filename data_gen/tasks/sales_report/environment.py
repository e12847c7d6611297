"""The tools of the sales-report domain, over real state: a database, a file store, an outbox."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from pydantic import JsonValue

from data_gen.randomness import Rng, rng_for
from data_gen.statements import Passage, Statement
from data_gen.tasks.base import ToolOutput
from data_gen.tasks.sales_report.judge import judge
from data_gen.tasks.sales_report.records import around, present
from data_gen.tasks.sales_report.statements import Key, Level, Metric
from data_gen.tasks.sales_report.world import level_in_books
from data_gen.texts.documents import join
from data_gen.texts.noise import damaged
from mage_ml.memory.entry import Source
from mage_ml.memory.episode import Outcome
from mage_ml.memory.snapshot import ActionType

if TYPE_CHECKING:
    from data_gen.tasks.sales_report.task import SalesTask

READ_TOOLS: Final = (
    "query_sales", "get_target", "get_budget", "get_costs", "check_revisions", "read_shared_note", "read_voicemail",
    "get_statement", "list_reports", "find_contact", "search_memory",
)  # fmt: skip
WRITE_TOOLS: Final = ("write_report", "send_mail")
METRIC_TOOLS: Final = MappingProxyType(
    {
        Metric.REVENUE: "query_sales",
        Metric.TARGET: "get_target",
        Metric.BUDGET: "get_budget",
        Metric.COST: "get_costs",
    }
)
LEVEL_TOOLS: Final = (*METRIC_TOOLS.values(), "check_revisions")
DAMAGED_CALLS: Final = 8
LEDGER: Final = "sales-ledger"
ORIGINS: Final = MappingProxyType(
    {
        Metric.REVENUE: LEDGER,
        Metric.TARGET: "planning",
        Metric.BUDGET: "planning",
        Metric.COST: "cost-accounting",
    }
)
_NOTES: Final = MappingProxyType(
    {
        "en": {
            "restated": "restated, returns were booked late", "none": "no revisions on file for {0} {1}",
            "copy": "taken over from the ledger", "audit": "external audit, bank receipts",
            "sent": "accepted for delivery", "saved": "stored", "pending": "being compiled, ask again",
        },
        "zh": {
            "restated": "已更正，退货入账较晚", "none": "{0}{1}没有更正记录", "copy": "转录自台账",
            "audit": "外部审计，银行流水", "sent": "已受理投递", "saved": "已存储",
            "pending": "正在汇编，请再次查询",
        },
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail in the outbox."""

    to: tuple[str, ...]
    cc: tuple[str, ...]
    subject: str
    body: str


@dataclass
class SalesEnvironment:
    """The state of one run.

    Attributes:
        task: The task worked on.
        outbox: Mails sent.
        files: Files written, path -> text.
        calls: How often each call was made, by tool and arguments.
    """

    task: SalesTask
    outbox: list[Mail] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    calls: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._books: sqlite3.Connection = self.task.world.connect()
        self._restated: set[Key] = set()

    def close(self) -> None:
        """Release the database."""
        self._books.close()

    def kind(self, tool: str) -> ActionType:
        """Whether a tool reads or writes.

        Raises:
            LookupError: No such tool.
        """
        if tool in WRITE_TOOLS:
            return ActionType.WRITE
        if tool in READ_TOOLS:
            return ActionType.READ
        raise LookupError(f"no tool {tool!r}; there are {', '.join((*READ_TOOLS, *WRITE_TOOLS))}")

    def call(self, tool: str, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        """Run a tool.

        Raises:
            LookupError: No such tool, or it has no answer to these arguments.
        """
        self.kind(tool)
        self.calls[f"{tool} {json.dumps(dict(arguments), ensure_ascii=False)}"] += 1
        handler: Callable[[Mapping[str, JsonValue]], tuple[ToolOutput, ...]] = getattr(self, f"_{tool}", self._level)
        return handler(arguments)

    def truth(self, key: Key) -> int:
        """What the books say now."""
        return level_in_books(self._books, key, self.task.world)

    def outcome(self) -> Outcome:
        """Compare outbox and files with what the books say."""
        return judge(self.task, self)

    def arguments_for(self, key: Key) -> dict[str, JsonValue]:
        """The arguments with which a level is looked up."""
        name = "product" if key.entity in self.task.world.products else "region"
        return {name: key.entity, "quarter": key.period}

    def key_of(self, tool: str, arguments: Mapping[str, JsonValue]) -> Key:
        """The level that a look-up asks for."""
        metric = next((metric for metric, name in METRIC_TOOLS.items() if name == tool), Metric.REVENUE)
        entity = str(arguments.get("product") or arguments.get("region") or "")
        return Key(entity, str(arguments.get("quarter", "")), metric)

    def _level(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        raise LookupError(f"no level in {dict(arguments)}")

    def _query_sales(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        if sum(count for call, count in self.calls.items() if call.startswith("query_sales")) <= self.task.waits:
            return (ToolOutput(_NOTES[self.task.language]["pending"], Source.TOOL, LEDGER),)
        return (self._record(self.key_of("query_sales", arguments), LEDGER),)

    def _get_target(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        return (self._record(self.key_of("get_target", arguments), ORIGINS[Metric.TARGET]),)

    def _get_budget(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        return (self._record(self.key_of("get_budget", arguments), ORIGINS[Metric.BUDGET]),)

    def _get_costs(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        return (self._record(self.key_of("get_costs", arguments), ORIGINS[Metric.COST]),)

    def _check_revisions(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        """Late bookings reach the books here: a figure read before differs from one read afterwards."""
        key = self.key_of("check_revisions", arguments)
        late = self._books.execute(
            "UPDATE sales SET amount = amount + (SELECT delta FROM revisions r WHERE r.region = sales.region "
            "AND r.product = sales.product AND r.quarter = sales.quarter) WHERE (region, product, quarter) IN "
            "(SELECT region, product, quarter FROM revisions WHERE region = ? AND quarter = ? AND booked = 0)",
            (key.entity, key.period),
        )
        self._books.execute(
            "UPDATE revisions SET booked = 1 WHERE region = ? AND quarter = ?", (key.entity, key.period)
        )
        notes = _NOTES[self.task.language]
        if late.rowcount == 0 and key not in self._restated:
            return (ToolOutput(notes["none"].format(key.entity, key.period), Source.TOOL, LEDGER),)
        self._restated.add(key)
        return (self._record(key, LEDGER, notes["restated"]),)

    def _get_statement(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        asked = self.key_of("get_statement", arguments)
        key = Key(asked.entity, asked.period, Metric(str(arguments.get("measure", Metric.REVENUE.value))))
        notes = _NOTES[self.task.language]
        if self.task.second_source_is_independent:
            return (self._record(key, "audit-office", notes["audit"]),)
        return (self._record(key, ORIGINS[key.metric], notes["copy"]),)

    def _search_memory(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        language = self.task.language

        def redraw(changed: Statement, _rng: Rng) -> JsonValue:
            return join(_as_passage(changed), language)

        return tuple(
            ToolOutput(
                join(case.passage, language),
                Source.RETRIEVED,
                f"memory: request of {case.author}",
                statement=case.passage,
                redraw=redraw,
            )
            for case in self.task.precedents
        )

    def _read_shared_note(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        language = self.task.language
        paper = next((paper for paper in self.task.papers if paper.name == arguments.get("name")), None)
        if paper is None:
            raise LookupError(f"no shared note {arguments.get('name')!r}")

        def redraw(changed: Statement, _rng: Rng) -> JsonValue:
            return join(_as_passage(changed), language)

        text, origin = join(paper.passage, language), f"shared note by {paper.author}"
        return (ToolOutput(text, Source.RETRIEVED, origin, statement=paper.passage, redraw=redraw),)

    def _read_voicemail(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        if self.task.voicemail is None:
            raise LookupError("there is no voicemail")
        text = self.task.voicemail.text
        return (ToolOutput(text, Source.RETRIEVED, f"voicemail: {self.task.voicemail.author}", confidence=0.35),)

    def _list_reports(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        return (ToolOutput({"files": list(self.task.old_reports)}, Source.TOOL, "file-store"),)

    def _find_contact(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        query = "SELECT name, role, email FROM contacts WHERE name = ?"
        row = self._books.execute(query, (str(arguments.get("name", "")),)).fetchone()
        if row is None:
            raise LookupError(f"nobody called {arguments.get('name')!r} in the directory")
        record: dict[str, JsonValue] = {"name": row[0], "role": row[1], "email": row[2]}
        remark = self.task.remark
        if remark is None:
            return (ToolOutput(record, Source.TOOL, "directory"),)
        language = self.task.language

        def redraw(changed: Statement, _rng: Rng) -> JsonValue:
            return {**record, "remark": join(_as_passage(changed), language)}

        content: JsonValue = {**record, "remark": join(remark, language)}
        return (ToolOutput(content, Source.TOOL, "directory", statement=remark, redraw=redraw),)

    def _write_report(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        path = str(arguments["path"])
        self.files[path] = str(arguments["text"])
        content: JsonValue = {"status": _NOTES[self.task.language]["saved"], "path": path}
        return (ToolOutput(content, Source.TOOL, "file-store"),)

    def _send_mail(self, arguments: Mapping[str, JsonValue]) -> tuple[ToolOutput, ...]:
        mail = Mail(
            _addresses(arguments.get("to")),
            _addresses(arguments.get("cc")),
            str(arguments.get("subject", "")),
            str(arguments.get("body", "")),
        )
        self.outbox.append(mail)
        content: JsonValue = {"status": _NOTES[self.task.language]["sent"], "to": [*mail.to, *mail.cc]}
        return (ToolOutput(content, Source.TOOL, "mail-server"),)

    def _record(self, key: Key, origin: str, note: str = "") -> ToolOutput:
        shown = [key] if note or not self.task.wide_records else around(key)
        content = present(self.task.world, key, {found: self.truth(found) for found in shown}, note)
        # The line breaks down once: what is asked again arrives whole.
        if self.task.damage is not None and isinstance(content, str) and sum(self.calls.values()) <= DAMAGED_CALLS:
            content = damaged(content, rng_for(self.task.damage, key.entity, key.period, key.metric))
        said = Level(key, float(self.truth(key)), self.task.world.currency)
        return ToolOutput(content, Source.TOOL, origin, statement=said)


def _as_passage(statement: Statement) -> Passage:
    if not isinstance(statement, Passage):
        raise TypeError(f"a document is a passage, not a {type(statement).__name__}")
    return statement


def _addresses(value: JsonValue) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,) if value else ()
    return tuple(str(item) for item in value) if isinstance(value, list) else ()
