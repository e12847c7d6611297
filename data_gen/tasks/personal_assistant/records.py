"""How the household's tools show what they know, and how the assistant reads it."""

from __future__ import annotations

from typing import Final

from pydantic import JsonValue

from data_gen.randomness import Rng
from data_gen.tasks.personal_assistant.facts import Fact, Reading, Value
from data_gen.tasks.personal_assistant.sorts import FLAG_WORDS, Shape
from data_gen.texts.amounts import AmountStyle, format_quantity
from data_gen.texts.figures import find_figures
from data_gen.texts.noise import legible
from mage_ml.memory.entry import MemoryEntry

# The field that counts, and two neighbours that a hurried reader could take for it.
_FIELDS: Final = {
    "en": {
        "fee": ("monthly", "setup", "last_year"), "bill": ("due", "deposit", "last_bill"),
        "price": ("price", "list_price", "with_delivery"), "wage": ("rate", "weekend_rate", "last_year"),
        "interval": ("every", "at_most", "course"), "lead": ("in", "cancel_until", "last_time"),
        "runtime": ("on_for", "default", "longest"), "supply": ("usual", "in_stock", "sack"),
        "luggage": ("weight", "limit", "cabin_limit"), "distance": ("distance", "by_train", "detour"),
        "usage": ("this_month", "last_month", "record"),
    },
    "zh": {
        "fee": ("月费", "开通费", "去年"), "bill": ("应付", "押金", "上期"), "price": ("售价", "原价", "含运费"),
        "wage": ("标准", "周末标准", "去年"), "interval": ("每隔", "最长", "疗程"), "lead": ("还有", "最晚取消",
            "上次"),
        "runtime": ("时长", "默认", "最长"), "supply": ("常备", "库存", "每袋"), "luggage": ("重量", "上限",
            "随身上限"),
        "distance": ("路程", "坐火车", "绕行"), "usage": ("本月", "上月", "最高"),
    },
}  # fmt: skip
_KEYS: Final = {
    "en": {"label": "name", "note": "note", Shape.NAME: "choice", Shape.FLAG: "status", "ref": "ref"},
    "zh": {"label": "名称", "note": "备注", Shape.NAME: "选定", Shape.FLAG: "状态", "ref": "编号"},
}
NOTES: Final = {
    "en": {
        "pending": "still syncing, please ask again", "same": "no change on record",
        "changed": "changed since last time",
        "copy": "copied from the same place", "second": "kept independently", "sent": "sent", "saved": "saved",
        "done": "done",
    },
    "zh": {
        "pending": "正在同步，请再查一次", "same": "没有变动记录", "changed": "与上次不同", "copy": "抄自同一处",
        "second": "另行登记", "sent": "已发送", "saved": "已保存", "done": "已办理",
    },
}  # fmt: skip
_REMARKS: Final = {
    "en": (
        "checked by phone",
        "as per paper copy",
        "see folder",
        "updated this week",
        "no remarks",
        "by family request",
    ),
    "zh": ("电话核对过", "与纸质件一致", "见文件夹", "本周更新", "无", "应家里要求"),
}


def value_text(fact: Fact, value: Value, language: str, rng: Rng) -> str:
    """A value as records and people write it."""
    if isinstance(value, bool):
        assert fact.family is not None
        pairs = FLAG_WORDS[language][fact.family]
        return pairs[int(rng.random() * len(pairs))][0 if value else 1]
    if isinstance(value, str):
        return value
    style = AmountStyle.COMMAS_ZH if language == "zh" else AmountStyle.CODE
    return format_quantity(value, fact.unit, style)


def record(fact: Fact, value: Value, language: str, rng: Rng, *, note: str = "") -> dict[str, JsonValue]:
    """A record about a fact: the field that counts among its neighbours, in any order."""
    keys = _KEYS[language]
    assert fact.sort is not None
    shown: list[tuple[str, JsonValue]] = []
    if fact.shape is Shape.FIGURE:
        labels = _FIELDS[language][fact.sort.name]
        numbers = (value, *fact.nearby)
        shown = [(label, value_text(fact, n, language, rng)) for label, n in zip(labels, numbers, strict=False)]
        rng.shuffle(shown)
    else:
        shown = [(keys[fact.shape], value_text(fact, value, language, rng))]
    shown.append((keys["ref"], f"{fact.sort.name[:2].upper()}{rng.randint(100, 999)}"))
    if note or rng.random() < 0.6:
        shown.append((keys["note"], note or _REMARKS[language][int(rng.random() * len(_REMARKS[language]))]))
    return {keys["label"]: fact.topic, **dict(shown)}


def as_line(content: dict[str, JsonValue]) -> str:
    """A record as one line of text."""
    return "; ".join(f"{label}: {value}" for label, value in content.items())


def read_record(fact: Fact, entry: MemoryEntry, language: str) -> Reading | None:
    """What a tool's record says about a fact; `None` if it is about something else, or not ready."""
    if isinstance(entry.content, dict):
        parts = {str(label): str(value) for label, value in entry.content.items()}
    else:
        pieces = (part.partition(": ") for part in legible(entry.text).split("; "))
        parts = {label: value for label, _, value in pieces}
    if parts.get(_KEYS[language]["label"]) != fact.topic or fact.sort is None:
        return None
    label = _FIELDS[language][fact.sort.name][0] if fact.shape is Shape.FIGURE else _KEYS[language][fact.shape]
    found = fact.read(f"{fact.topic}: {parts.get(label, '')}", language)
    return None if found is None else Reading(found.value, found.unit, (entry.id,))


def spoken_figure(message: MemoryEntry) -> Reading | None:
    """The first figure that a message speaks of."""
    figures = [found for found in find_figures(message.text) if found.unit]
    return Reading(figures[0].value, figures[0].unit) if figures else None
