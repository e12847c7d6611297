"""A tiny domain with what the sales domain lacks: delegation under rules, two agents, and two sittings.

A clerk reads a rule, hands a payment over to a payer in a later sitting, and the payer does what the hand-over says.
"""

from dataclasses import dataclass

import re2

from data_gen.desk import Desk, Look, Thought
from data_gen.needs import Need
from data_gen.notes import Lines, Note
from data_gen.statements import Name, Quantity, StatementRole, Turn
from data_gen.tasks.base import TaskBase
from data_gen.texts.figures import numbers_in
from data_gen.toolbox import Toolbox
from data_gen.writers import build_writers

VENDORS = ("arbor", "cobalt", "lumen", "tundra", "vertex", "willow")
EN = {
    "lead": ("", "", "note: ", "also: ", "here: ", "rule: "),
    "end": ("", " each time", " in all cases", " this year", " for now", " as ever", " until told"),
    "limit": ("<lead>pay {vendor} at most {limit} a bill<end>.", "<lead>bills of {vendor} never above {limit}<end>."),
    "limit_soft": (
        "<lead>pay {vendor} roughly {limit} a bill<end>.",
        "<lead>bills of {vendor} mostly near {limit}<end>.",
    ),
    "limit_gone": ("<lead>pay {vendor} when a bill comes<end>.", "<lead>bills of {vendor} come by mail weekly<end>."),
    "permit": ("<lead>{vendor} may be paid early<end>.", "<lead>paying {vendor} early is fine<end>."),
    "permit_all": ("<lead>anyone may be paid early<end>.", "<lead>paying anyone early is fine<end>."),
    "done": ("Paid {amount}.", "{amount} has gone out."),
}
ZH = {
    "lead": ("", "", "另：", "注：", "规定：", "说明："),
    "end": ("", "，每次如此", "，今年如此", "，暂且这样", "，一律如此"),
    "limit": ("<lead>{vendor}每张账单至多付{limit}<end>。", "<lead>{vendor}的账单每张不超过{limit}<end>。"),
    "limit_soft": ("<lead>{vendor}每张账单大约付{limit}<end>。", "<lead>{vendor}的账单每张多在{limit}<end>。"),
    "limit_gone": ("<lead>{vendor}账单来了照付就是<end>。", "<lead>{vendor}的账单每周都会寄到<end>。"),
    "permit": ("<lead>{vendor}可以提前付款<end>。", "<lead>提前付给{vendor}没有问题<end>。"),
    "permit_all": ("<lead>谁都可以提前付款<end>。", "<lead>提前付给谁都没有问题<end>。"),
    "done": ("已付{amount}。", "付出{amount}。"),
}
WRITERS = build_writers({"en": {"terse": EN}, "zh": {"terse": ZH}})
CAP = {"en": ("at most", "never above"), "zh": ("至多", "不超过")}
ANYONE = {"en": ("anyone",), "zh": ("谁",)}
_NAME = re2.compile("|".join(VENDORS))


@dataclass(frozen=True)
class RelayTask(TaskBase):
    vendor: str = ""
    other: str = ""
    limit: int = 0
    bill: int = 0

    def new_environment(self):
        return Bank(self)

    def others(self, kind):
        return VENDORS


class Bank(Toolbox):
    reads, writes = ("get_bill", "get_rules"), ("pay",)

    def __init__(self, task):
        super().__init__(task)
        self.paid = {}

    def get_bill(self, vendor):
        return {"vendor": vendor, "bill": self.task.bill}

    def pay(self, vendor, amount, early):
        self.paid[vendor] = (amount, early)
        return {"paid": amount}

    def harm(self):
        paid = self.paid.get(self.task.vendor, (0, False))[0]
        found = [] if paid == min(self.task.bill, self.task.limit) else [f"paid {paid}"]
        early = self.paid.get(self.task.other, (0, False))[1]
        return [*found, *(["paid the other one early"] if early else [])]


class RelayDomain:
    name = "relay"
    offers = frozenset({Need.RULE, Need.SUBJECT, Need.PERMISSION})

    def templates(self):
        return tuple(f"relay_{number}" for number in range(6))

    def sample(self, template, language, writer, rng, wanted=()):
        vendor, other = rng.sample(VENDORS, 2)
        limit = 10 * rng.randint(20, 60)
        bill = limit + rng.randint(100, 300)
        goal = {
            "en": f"Pay {vendor} at most {limit}; only {vendor} may be paid early. Pay {other} too.",
            "zh": f"付给{vendor}至多{limit}；只有{vendor}可以提前付款。也要付给{other}。",
        }[language]
        return RelayTask(template, language, writer, goal, "", vendor, other, limit, bill)

    def run(self, task, environment, session, profile):
        desk = Desk(session, environment, WRITERS[task.writer], profile)
        goal = desk.begin(task.goal)
        rules = Lines((self._limit(task), self._permit(task)))
        desk.send("handover", "payer", lambda: Thought("", (goal,), rules))
        session.next_sitting()
        with session.acting_as("payer"):
            stored = next(entry for entry in session.stored() if entry.agent_id == "payer")
            note = session.recall("recalled", stored)
            if desk.looks_again("handover") is not Look.TRUST:
                note = session.recall("reread", next(e for e in session.stored() if e.id == goal))
            bill = desk.call("bill", "get_bill", {"vendor": task.vendor}, (note.id,))[0]

            def pay(vendor):
                def build():
                    read = session.visible()[0] if session.visible()[0].id == note.id else None
                    read = read or session.recall("again", next(e for e in session.stored() if e.id == goal))
                    amount, early = self._read(read.text, task, vendor, numbers_in(bill.text)[-1])
                    arguments = {"vendor": vendor, "amount": amount, "early": early}
                    return desk.write("pay", arguments, (read.id, bill.id))

                return build

            for vendor in (task.vendor, task.other):
                desk.act(f"pay:{vendor}", "pay", pay(vendor))
            desk.answer(lambda: Thought(desk.writer.say("done", session.rng("done"), amount=""), (note.id,)))

    @staticmethod
    def _limit(task):
        return Note(
            "limit",
            nouns={"vendor": Name(task.vendor, "vendor")},
            numbers={"limit": Quantity(task.limit, step=10)},
            turns={Turn.DROPPED: "limit_gone", Turn.WEAKENED: "limit_soft"},
            kind=StatementRole.RULE,
        )

    @staticmethod
    def _permit(task):
        turns = {Turn.WIDENED: "permit_all"}
        return Note("permit", words={"vendor": task.vendor}, turns=turns, kind=StatementRole.RULE)

    @staticmethod
    def _read(text, task, vendor, bill):
        """What the payer may pay somebody, as the hand-over (or the goal) has it."""
        text = text.replace("; ", "\n").replace("；", "\n")
        caps = [line for line in text.splitlines() if any(cue in line for cue in CAP[task.language])]
        limits = [numbers_in(line)[0] for line in caps if vendor in line]
        early = any(any(cue in line for cue in ANYONE[task.language]) for line in text.splitlines())
        return min([bill, *limits]), early if vendor == task.other else True


DOMAIN = RelayDomain()
