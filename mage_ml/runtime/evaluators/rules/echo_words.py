"""Words by which a text claims support, in English and Chinese."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import re2

MAX_CHARS: Final = 8_000
_COPY_CHARS: Final = 2_000
_BEFORE_CHARS: Final = 28
_SEVERAL = re2.compile(
    r"(?i)\b(?:(two|2|three|3|several|multiple|a second|a third|another|further)\s+(?:\w+\s+)?(?:independent|separate"
    r"|different|distinct|unrelated)\s+(?:\w+\s+)?(?:sources?|records?|systems?|reports?|parties|origins?"
    r"|documents?))\b"
    r"|\b(?:independently|separately)\s+(?:confirmed|verified|corroborated|supported|backed)\b"
    r"|([两二三2-3]|多|数|几|另一|另有)(?:个|份|处|家|方|项)?(?:相互|彼此|互相)?(?:独立|不同|互不相关|单独)的?(?:来源"
    r"|信源|渠道|出处"
    r"|记录|系统)|(?:经|由|被|得到)?独立(?:核实|验证|证实|印证)|多方(?:证实|印证|核实)"
)
_NOT_SAID = re2.compile(
    r"(?i)\b(?:no|not|none|without|lacks?|only|merely|whether|if|or|should|must|need|needs|find|seek|look for|cannot"
    r"|never)\b"
    r"[^.;!?\n]{0,24}$|n't\b[^.;!?\n]{0,24}$|(?:没有|并无|无|未|非|不是|缺少|缺乏|是否|若|如果|还是|须|应|需要"
    r"|寻找)[^。；！？\n]{0,8}$"
)
_THREE: Final = frozenset({"three", "3", "三", "a third"})
_COPY = re2.compile(
    r"(?i)\b(?:taken over from|copied from|copy of|reproduced from|transcribed from|quoted from|forwarded from"
    r"|mirror(?:ed|s)? (?:of|from)|as reported by)\b|转录自|转载自|抄自|复制自|摘自|引自|同步自|转发自"
)
_CONFIRMED = re2.compile(
    r"(?i)\b(?:confirm(?:ed|s)|verified|established|known to|as (?:noted|found|established|recorded|stated)"
    r"|double-?checked|already (?:checked|confirmed|verified)|certain(?:ly)?|for a fact)\b"
    r"|确认|证实|核实|已核|查实|如前所述|前文已|已知|确定|属实"
)
_UNCONFIRMED = re2.compile(
    r"(?i)\b(?:un(?:confirmed|verified)|(?:not|never|nobody|no one|to be|must be|needs? to be|yet to be)\b[^.;\n]{0,20}"
    r"(?:confirmed|verified|checked|established))|未(?:经)?(?:核实|确认|证实)|待(?:核实|确认|证实)|没有(?:核实|确认"
    r"|证实)|尚未"
)


@dataclass(frozen=True, slots=True)
class ClaimedSources:
    """A claim of several independent sources.

    Attributes:
        number: How many are claimed, at least.
        span: Start and end character of the claim.
    """

    number: int
    span: tuple[int, int]


def claimed_sources(text: str) -> ClaimedSources | None:
    """The independent sources that a text claims; `None` when it claims none, or denies or asks for them."""
    for match in _SEVERAL.finditer(text[:MAX_CHARS]):
        if _NOT_SAID.search(text[max(0, match.start() - _BEFORE_CHARS) : match.start()]):
            continue
        word = (match.group(1) or match.group(2) or "").lower()
        return ClaimedSources(3 if word in _THREE else 2, match.span())
    return None


def says_confirmed(text: str) -> bool:
    """Whether a text calls what it says confirmed, and nothing in it unconfirmed."""
    read = text[:MAX_CHARS]
    return bool(_CONFIRMED.search(read)) and not _UNCONFIRMED.search(read)


def is_copy(text: str) -> bool:
    """Whether a text says near its start that it was taken over from elsewhere."""
    return bool(_COPY.search(text[:_COPY_CHARS]))
