"""How the systems of a company present what they know."""

from __future__ import annotations

from typing import Final

from pydantic import JsonValue

from data_gen.randomness import Rng, rng_for
from data_gen.tasks.travel_booking import lexicon
from data_gen.tasks.travel_booking.shapes import Product
from data_gen.tasks.travel_booking.statements import DATED, UNITS, Key, Measure
from data_gen.tasks.travel_booking.world import RecordShape, Value, World
from data_gen.texts.amounts import NAMES_ZH

_WORDS: Final = {
    "en": {
        "flight": ("economy", "premium economy", "business class"),
        "train": ("second class", "first class", "second class, quiet car"),
        "room": ("single", "double", "twin, courtyard", "attic"),
        "cancel": ("not refundable", "free until the day before", "free for two days", "penalty applies"),
        "operator": ("Northline", "Skybridge", "Lakeway", "Meridian", "Fairwind"),
        "breakfast": ("breakfast included", "no breakfast"),
        "deposit": ("no deposit", "deposit on card"),
        "departs": ("departs {0}",),
        "arrives": ("arrives {0} {1}",),
        "seats": ("{0} seats left",),
    },
    "zh": {
        "flight": ("经济舱", "超级经济舱", "公务舱"),
        "train": ("二等座", "一等座", "商务座"),
        "room": ("单人间", "大床房", "双床房", "阁楼间"),
        "cancel": ("不可退", "前一天可免费取消", "两天内可取消", "取消收手续费"),
        "operator": ("北线", "天桥", "湖路", "子午", "顺风"),
        "breakfast": ("含早", "不含早"),
        "deposit": ("免押", "需押金"),
        "departs": ("{0}出发",),
        "arrives": ("{0}到达（{1}）",),
        "seats": ("余{0}座",),
    },
}  # fmt: skip
_ZONES: Final = {"Leeds": 0, "Cork": 0, "Porto": 0, "Dundee": 0}


def present(world: World, subject: str, values: dict[Key, Value], note: str = "") -> JsonValue:
    """The content of a record on one subject.

    Args:
        world: The company, which has one shape of records.
        subject: What it is about.
        values: What to show, in order.
        note: A remark.
    """
    if world.shape in (RecordShape.RECORD, RecordShape.RECORD_LOCAL):
        return _as_fields(world, subject, values, note)
    words, zh = lexicon.MEASURES[world.language], world.language == "zh"
    tail = (f"（{note}）" if zh else f" ({note})") if note else ""
    rows = []
    for key, value in values.items():
        amount = written(value, world.language)
        parts = [subject, *([key.day] if key.day else []), words[key.measure][0], f"{amount}{tail}"]
        rows.append((" | " if world.shape is RecordShape.TABLE else " ").join(parts))
    details = "，" if zh else ", "
    aside = [str(item) for item in _details(world, subject, next(iter(values)).measure, as_text=True).values()]
    return "\n".join([*rows, *([details.join(aside)] if aside else [])])


def written(value: Value, language: str) -> str:
    """A value with its unit, as a system prints it."""
    digits = f"{value.number:,.2f}".rstrip("0").rstrip(".")
    if language == "zh":
        return f"{digits}{NAMES_ZH.get(value.unit, value.unit)}"
    return f"{digits}%" if value.unit == "%" else f"{digits} {value.unit}"


def listing(world: World, city: str, product: Product) -> JsonValue:
    """What a search finds, in an order of its own."""
    offers = world.offers.get((city, product), ())
    measure = {Product.HOTEL: Measure.RATE, Product.CAR: Measure.HIRE}.get(product, Measure.FARE)
    fields = world.shape in (RecordShape.RECORD, RecordShape.RECORD_LOCAL)
    rows = [(offer, _details(world, offer, measure, as_text=not fields)) for offer in offers]
    rng_for("listing", world.company, city, product).shuffle(rows)
    if fields:
        key = "编号" if world.shape is RecordShape.RECORD_LOCAL else "item"
        return {"place": city, "date": world.day, "found": [{key: offer, **details} for offer, details in rows]}
    joiner, gap = ("，", "：") if world.language == "zh" else (", ", ": ")
    lines = [f"{offer}{gap}{joiner.join(str(item) for item in details.values())}" for offer, details in rows]
    return "\n".join([f"{city} {world.day}", *lines])


def _as_fields(world: World, subject: str, values: dict[Key, Value], note: str) -> JsonValue:
    local = world.shape is RecordShape.RECORD_LOCAL
    item, currency, date, remark = ("编号", "币种", "日期", "备注") if local else ("item", "currency", "date", "status")
    names = lexicon.FIELDS["zh" if local else "en"]
    record: dict[str, JsonValue] = {item: subject}
    by_measure: dict[Measure, dict[str, float]] = {}
    for key, value in values.items():
        by_measure.setdefault(key.measure, {})[key.day] = _plain(value.number)
        if key.measure not in UNITS:
            record[currency] = value.unit
    for measure, by_day in by_measure.items():
        if measure in DATED and len(by_day) > 1:
            record[names[measure]] = dict(by_day)
        else:
            day, number = next(iter(by_day.items()))
            record |= {names[measure]: number, **({date: day} if day else {})}
    record |= _details(world, subject, next(iter(values)).measure, as_text=False)
    return {**record, remark: note} if note else record


def _details(world: World, subject: str, measure: Measure, *, as_text: bool) -> dict[str, JsonValue]:
    """Fields that come with a record and decide nothing here; the same whenever the subject is shown."""
    words, rng = _WORDS[world.language], rng_for("details", subject, world.company, world.day)
    if measure in (Measure.FARE, Measure.HOURS, Measure.TRANSFER, Measure.BUFFER):
        departs, arrives, zone = _times(world, subject, rng)
        mode = "train" if subject.rstrip("0123456789") in lexicon.TRAINS[world.language] else "flight"
        return {
            "operator": rng.choice(words["operator"]),
            "cabin": rng.choice(words[mode]),
            "departs": words["departs"][0].format(departs) if as_text else departs,
            "arrives": words["arrives"][0].format(arrives, zone) if as_text else f"{arrives} {zone}",
            "seats": words["seats"][0].format(rng.randint(2, 40)),
        }
    if measure in (Measure.RATE, Measure.DISTANCE, Measure.SCORE):
        return {
            "room": rng.choice(words["room"]),
            "breakfast": rng.choice(words["breakfast"]),
            "cancellation": rng.choice(words["cancel"]),
        }
    if measure is Measure.HIRE:
        return {"deposit": rng.choice(words["deposit"]), "cancellation": rng.choice(words["cancel"])}
    return {}


def _times(world: World, subject: str, rng: Rng) -> tuple[str, str, str]:
    """When a connection leaves in its local time, and when it arrives in that of another zone."""
    own, zone = zone_of(world, world.home), zone_of(world, _city_of(world, subject))
    leaves = 60 * rng.randint(5, 11) + 5 * rng.randrange(12)
    hours = world.facts.get(Key(subject, Measure.HOURS), Value(3.0, "")).number
    lands = (leaves + int(60 * hours) + 60 * (zone - own)) % 1440
    return f"{leaves // 60:02d}:{leaves % 60:02d}", f"{lands // 60:02d}:{lands % 60:02d}", f"UTC+{zone}"


def zone_of(world: World, city: str) -> int:
    """Hours by which a city's clock is ahead of UTC."""
    return 8 if world.language == "zh" else _ZONES.get(city, 1)


def _city_of(world: World, offer: str) -> str:
    return next((city for (city, _), offers in world.offers.items() if offer in offers), world.cities[0])


def _plain(number: float) -> float:
    return int(number) if number == int(number) else number
