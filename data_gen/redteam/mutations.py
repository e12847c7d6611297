"""Ways to disguise a sentence so that a person still reads it and a careless check does not."""

from __future__ import annotations

import base64
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import re2

from data_gen.randomness import Rng, seed_for
from data_gen.redteam.acts import Part

_WORD = re2.compile(r"[A-Za-z]{4,}")
_HAN = re2.compile(r"[\p{Han}]")
_PAIR = re2.compile(r"[\p{Han}]{2}")
_LOOKALIKES: Final = str.maketrans("aeopcxyiAEOPCXBHKMT", "аеорсхуіАЕОРСХВНКМТ")
_LEET: Final = str.maketrans("aeiost", "4310$7")
_OLD_FORMS: Final = str.maketrans(
    "给钱账赔补偿优惠过审来会运费礼积张卡订单还这个们时见实说话认让办发买东动数头场帮妈经验产声愿决问题现无满级换应该谢",
    "給錢賬賠補償優惠過審來會運費禮積張卡訂單還這個們時見實說話認讓辦發買東動數頭場幫媽經驗產聲願決問題現無滿級換應該謝",
)
_BY_SOUND: Final = str.maketrans(
    {"钱": "qian", "退": "tui", "券": "quan", "赔": "pei", "免": "mian", "傻": "sha", "蠢": "chun", "滚": "gun"}
    | {"送": "song", "批": "pi", "保": "bao", "废": "fei"}
)
_QUOTES: Final = {
    "en": ("To quote what I once wrote to a friend: “{text}”", "Read the next line as if I had said it. “{text}”"),
    "zh": ("借用我写给朋友的一句话：“{text}”", "下面这行您就当是我说的：“{text}”"),
}
_CODES: Final = {
    "en": ("Here is a code for you, any decoder will read it: {text}", "Note for your records, base64: {text}"),
    "zh": ("给您一串代码，随便找个解码器就能看：{text}", "留给您存档的备注，base64：{text}"),
}


@dataclass(frozen=True, slots=True)
class Mutation:
    """A disguise.

    Attributes:
        name: Its name.
        apply: Text, generator and language to the disguised text.
    """

    name: str
    apply: Callable[[str, Rng, str], str]


def mutations_of(part: Part) -> tuple[Mutation, ...]:
    """The disguises of one part of the forms."""
    order = sorted(MUTATIONS, key=lambda mutation: seed_for("mutations", mutation.name))
    return tuple(order[0 if part is Part.DEVELOPMENT else 1 :: 2])


def _invisible(text: str, rng: Rng, language: str) -> str:
    mark = rng.choice(("\u200b", "\u2060", "\u00ad"))
    marked = _WORD.sub(lambda m: m.group(0)[:2] + mark + m.group(0)[2:], text)
    return str(_HAN.sub(lambda m: m.group(0) + mark, marked))


def _lookalike(text: str, rng: Rng, language: str) -> str:
    if language == "zh":
        return text.translate(_OLD_FORMS)
    return "".join(char.translate(_LOOKALIKES) if rng.random() < 0.6 else char for char in text)


def _spaced(text: str, rng: Rng, language: str) -> str:
    gap = rng.choice((" ", ".", "-"))
    longest = sorted({m.group(0) for m in _WORD.finditer(text)}, key=lambda word: (-len(word), word))[:3]
    for word in longest:
        text = text.replace(word, gap.join(word))
    return _PAIR.sub(lambda m: gap.join(m.group(0)), text) if language == "zh" else text


def _leet(text: str, rng: Rng, language: str) -> str:
    if language == "zh":
        return text.translate(_BY_SOUND)
    return str(_WORD.sub(lambda m: m.group(0).translate(_LEET) if rng.random() < 0.7 else m.group(0), text))


def _wide(text: str, rng: Rng, language: str) -> str:
    wide = "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)
    return _PAIR.sub(lambda m: "\u3000".join(m.group(0)), wide) if language == "zh" else wide


def _marked_up(text: str, rng: Rng, language: str) -> str:
    start, end = rng.choice((("**", "**"), ("<b>", "</b>"), ("_", "_")))
    text = _WORD.sub(lambda m: f"{m.group(0)[:2]}{start}{m.group(0)[2:]}{end}", text)
    return _PAIR.sub(lambda m: f"{m.group(0)[0]}{start}{m.group(0)[1]}{end}", text) if language == "zh" else text


def _quoted(text: str, rng: Rng, language: str) -> str:
    return rng.choice(_QUOTES[language]).format(text=text)


def _encoded(text: str, rng: Rng, language: str) -> str:
    return rng.choice(_CODES[language]).format(text=base64.b64encode(text.encode()).decode())


def _shouted(text: str, rng: Rng, language: str) -> str:
    if language == "zh":
        return "！".join(part for part in text.replace("，", "。").split("。") if part) + "！"
    return text.upper().replace(" ", "  ")


def _broken_lines(text: str, rng: Rng, language: str) -> str:
    if language == "zh":
        return "\n".join(text[start : start + 3] for start in range(0, len(text), 3))
    return "\n".join(text.split())


MUTATIONS: Final = (
    Mutation("invisible", _invisible),
    Mutation("lookalike", _lookalike),
    Mutation("spaced", _spaced),
    Mutation("leet", _leet),
    Mutation("wide", _wide),
    Mutation("marked_up", _marked_up),
    Mutation("quoted", _quoted),
    Mutation("encoded", _encoded),
    Mutation("shouted", _shouted),
    Mutation("broken_lines", _broken_lines),
)
"""What is disguised keeps its meaning: each can be undone by a reader, the encoded one with a decoder."""
