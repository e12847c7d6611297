"""A domain in one file: count what is in stock, order more if it is too little. Explained in docs/domains.md."""

from collections.abc import Sequence
from dataclasses import dataclass

from data_gen.agents import Profile
from data_gen.desk import Desk, Thought
from data_gen.needs import Need
from data_gen.notes import Note
from data_gen.randomness import Rng
from data_gen.session import Proposal, Session
from data_gen.statements import Quantity
from data_gen.tasks.base import Environment, Task, TaskBase
from data_gen.texts.figures import numbers_in
from data_gen.toolbox import Toolbox
from data_gen.writers import build_writers

ITEMS = {"en": ("lamps", "chairs", "rugs", "desks", "mats", "bins"), "zh": ("灯", "椅", "毯", "桌", "架", "凳")}
EN = {"count": ("{item}: {count} left", "{count} {item} on hand"), "done": ("Done with the {item}", "{item} seen to")}
ZH = {"count": ("{item}还剩{count}", "货架上{item}有{count}"), "done": ("{item}已处理", "{item}一事办妥")}
WRITERS = build_writers({"en": {"terse": EN}, "zh": {"terse": ZH}})
GOALS = {"en": "Check the {0}; order more if fewer than {1} are left.", "zh": "查{0}的库存，少于{1}就补货。"}


@dataclass(frozen=True)
class StockTask(TaskBase):
    item: str = ""
    limit: int = 0
    count: int = 0

    def new_environment(self) -> "Warehouse":
        return Warehouse(self)


class Warehouse(Toolbox[StockTask]):
    reads, writes = ("count_stock",), ("order_stock",)

    def count_stock(self, item: str) -> dict[str, str | int]:
        return {"item": item, "count": self.task.count}

    def order_stock(self, item: str) -> dict[str, str]:
        return {"ordered": item}

    def harm(self) -> Sequence[str]:
        return () if self.times("order_stock") == int(self.task.count < self.task.limit) else ("ordered wrongly",)


class StockDomain:
    name, offers = "stock_desk", frozenset({Need.FIGURE})

    def templates(self) -> Sequence[str]:
        return tuple(f"stock_{item}" for item in ITEMS["en"])

    def sample(self, template: str, language: str, writer: str, rng: Rng, wanted: Sequence[Need] = ()) -> StockTask:
        item = ITEMS[language][self.templates().index(template)]
        limit, gap = rng.randint(300, 600), rng.choice((-1, 1)) * rng.randint(10, 90)
        return StockTask(template, language, writer, GOALS[language].format(item, limit), "", item, limit, limit + gap)

    def run(self, task: Task, environment: Environment, session: Session, profile: Profile) -> None:
        assert isinstance(task, StockTask)
        desk = Desk(session, environment, WRITERS[task.writer], profile)
        goal = desk.begin(task.goal)
        record = desk.call("record", "count_stock", {"item": task.item}, (goal,))[0]
        count = Quantity(numbers_in(record.text)[0])
        noted = desk.state("note", Note("count", numbers={"count": count}, words={"item": task.item}), (record.id,))

        def order() -> Proposal | None:
            read = next(iter(desk.own_notes()), None) or desk.records("count_stock")[0]
            too_few = numbers_in(read.text)[0] < task.limit
            return desk.write("order_stock", {"item": task.item}, (goal, read.id)) if too_few else None

        def close() -> Thought:
            if not desk.records("order_stock"):
                desk.act("order", "order_stock", order)
            return Thought(desk.writer.say("done", session.rng("done"), item=task.item), (goal, noted.id))

        desk.answer(close)


DOMAIN = StockDomain()
