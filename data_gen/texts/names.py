"""Names of places, products and people, in English and Chinese. All invented."""

from __future__ import annotations

from typing import Final

from data_gen.randomness import Rng

REGIONS: Final = {
    "en": ("North", "South", "East", "West", "Midlands", "Coastal", "Highlands", "Lakeside", "Metro", "Prairie"),
    "zh": ("华北", "华东", "华南", "华中", "西南", "西北", "东北", "京津", "江浙", "闽粤"),
}
ALL_REGIONS: Final = {"en": "All regions", "zh": "全部大区"}
PRODUCTS: Final = {
    "en": (
        "Aurora lamp", "Basalt desk", "Cedar shelf", "Delta chair", "Ember heater", "Fjord kettle", "Granite board",
        "Halo speaker", "Indigo rug", "Juniper stool",
    ),
    "zh": (
        "晨光台灯", "磐石书桌", "雪松书架", "云杉座椅", "暖阳取暖器", "清泉水壶", "远山屏风", "和声音箱", "青黛地毯",
        "明月灯具",
    ),
}  # fmt: skip
CITIES: Final = {
    "en": (
        "Basel", "Leeds", "Tampa", "Malmo", "Ghent", "Porto", "Lyon", "Bergen", "Cork", "Turin", "Graz", "Aarhus",
        "Dundee", "Utrecht", "Bilbao", "Nantes",
    ),
    "zh": (
        "洛阳", "宁波", "赣州", "大连", "烟台", "桂林", "绵阳", "泉州", "包头", "徐州", "襄阳", "佛山", "嘉兴", "遵义",
    ),
}  # fmt: skip
CUSTOMERS: Final = {
    "en": (
        "Brightwell", "Oakline", "Tarnhill", "Merrow", "Castell", "Fenwick", "Larkspur", "Norvane", "Quillon",
        "Redmire",
        "Sableford", "Thornby",
    ),
    "zh": ("恒远", "博雅", "聚川", "天工", "瑞禾", "鼎新", "长青", "凌云", "启明", "嘉木", "东篱", "海岳"),
}  # fmt: skip
_FIRST: Final = {
    "en": (
        "Petra", "Tomas", "Ines", "Ravi", "Maud", "Owen", "Lena", "Bruno", "Asha", "Colin", "Freya", "Hugo", "Jana",
        "Karim", "Nadia", "Pavel", "Rosa", "Sven", "Tess", "Yusuf",
    ),
    "zh": (
        "王", "李", "张", "刘", "陈", "杨", "赵", "黄", "周", "吴", "徐", "孙", "马", "朱", "胡", "郭", "何", "林",
        "高",
        "罗",
    ),
}  # fmt: skip
_LAST: Final = {
    "en": (
        "Lang", "Novak", "Ferreira", "Menon", "Ashdown", "Pryce", "Holt", "Sartori", "Dhillon", "Marsh", "Lindqvist",
        "Weber", "Kovar", "Haddad", "Petrov", "Sorel", "Vidal", "Brandt", "Okafor", "Demir",
    ),
    "zh": (
        "晓明", "雅琴", "志远", "思齐", "建国", "丽华", "文博", "欣怡", "俊峰", "婉清", "浩然", "梦洁", "立新", "若兰",
        "子轩", "秀英", "海涛", "静怡", "永康", "佳宁",
    ),
}  # fmt: skip
_PINYIN: Final = (
    "wang", "li", "zhang", "liu", "chen", "yang", "zhao", "huang", "zhou", "wu", "xu", "sun", "ma", "zhu", "hu", "guo",
    "he", "lin", "gao", "luo",
)  # fmt: skip
_LOCAL: Final = (
    "desk", "office", "reports", "numbers", "review", "intake", "team", "archive", "planning", "liaison", "controlling",
    "service", "records", "inbox", "analysis", "partners", "back.office", "field.ops", "data.room", "front.desk",
)  # fmt: skip
_DOMAIN_A: Final = (
    "bright", "north", "clear", "stone", "blue", "river", "oak", "silver", "green", "iron", "lake", "field", "west",
    "harbor", "cedar", "hill", "crest", "summit", "meadow", "orchard",
)  # fmt: skip
_DOMAIN_B: Final = (
    "ledger", "bridge", "metrics", "point", "works", "group", "line", "gate", "mark", "partners", "supply", "trade",
    "path", "vale", "consult", "freight", "mills", "loft", "print", "scope",
)  # fmt: skip
_FOLDERS: Final = ("shared", "public", "team", "archive", "handover", "export", "drop", "misc", "pool", "exchange")
_FILES: Final = (
    "overview", "recap", "sheet", "digest", "copy", "extract", "list", "board", "notes", "outline", "plan", "index",
)  # fmt: skip


def pick(options: tuple[str, ...], rng: Rng) -> str:
    """One of several words."""
    return options[int(rng.random() * len(options))]


def person(language: str, rng: Rng) -> str:
    """A person's full name."""
    gap = " " if language == "en" else ""
    return f"{pick(_FIRST[language], rng)}{gap}{pick(_LAST[language], rng)}"


def names_a_person(text: str, language: str) -> bool:
    """Whether a text names somebody: the way an agent tells that a request is meant for another person."""
    gap = " " if language == "en" else ""
    padded = text if language == "zh" else f" {text}"
    firsts = _FIRST[language]
    if language == "en":
        return any(f"{first}{gap}{last}" in padded for first in firsts if first in padded for last in _LAST["en"])
    return any(f"{first}{last}" in text for last in _LAST["zh"] if last in text for first in firsts)


def person_in(text: str, language: str) -> str | None:
    """The first person whom a text names."""
    gap = " " if language == "en" else ""
    known = (f"{first}{gap}{last}" for first in _FIRST[language] if first in text for last in _LAST[language])
    found = [(text.index(name), name) for name in known if name in text]
    return min(found)[1] if found else None


def mailbox(name: str, company: str, language: str) -> str:
    """The work address of a person."""
    if language == "en":
        return f"{name.lower().replace(' ', '.')}@{company}.example"
    surname = _PINYIN[_FIRST["zh"].index(name[0])]
    return f"{surname}.{_LAST['zh'].index(name[1:]) + 10}@{company}.example"


def company(rng: Rng) -> str:
    """The domain label of a company."""
    return f"{pick(_DOMAIN_A, rng)}{pick(_DOMAIN_B, rng)}"


def address(rng: Rng, own_company: str) -> str:
    """A shared mailbox, inside the company or outside it: neither is a sign of anything."""
    domain = own_company if rng.random() < 0.3 else company(rng)
    return f"{pick(_LOCAL, rng)}@{domain}.example"


def path(rng: Rng) -> str:
    """A file path in a shared folder."""
    suffix = pick(("txt", "md", "csv"), rng)
    return f"{pick(_FOLDERS, rng)}/{pick(_FILES, rng)}_{int(rng.random() * 90) + 10}.{suffix}"
