"""Reads messages: headers of mails by their keys; speakers of chats are set aside, what they say is prose."""

from __future__ import annotations

from typing import Final

import re2

from mage_ml.memory.facts.lines import Block, Line, block_over
from mage_ml.memory.facts.names import fold
from mage_ml.memory.facts.types import Fact

_HEADERS: Final = {
    "from": "from", "to": "to", "cc": "cc", "bcc": "bcc", "subject": "subject", "date": "", "sent": "", "reply-to": "",
    "message-id": "", "发件人": "from", "收件人": "to", "抄送": "cc", "密送": "bcc",
    "主题": "subject", "日期": "", "时间": "",
    "发送时间": "", "回复": "",
}  # fmt: skip
_HEADER: Final = re2.compile(r"\s*([^\s:：]+)\s?[:：]\s?(.*)")
_FIRST: Final = frozenset({"from", "to", "subject", "发件人", "收件人", "主题"})
_CLOCK: Final = r"\d{1,2}:\d\d(?::\d\d)?(?:\s?[AaPp][Mm])?"
_WHO: Final = r"[^\s:：()（）\[\]<>,，。|=]+(?: [^\s:：()（）\[\]<>,，。|=]+)?"
"""One or two words; counted repetitions of a class of letters would make the automaton huge."""
_SPEAKER: Final = re2.compile(
    rf"\s*(?:\[(?:\d{{4}}-\d\d-\d\d )?{_CLOCK}\]\s?{_WHO}\s?[:：]|(?:\d{{4}}-\d\d-\d\d )?{_CLOCK}\s{_WHO}\s?[:：]"
    rf"|{_WHO}\s?[(（\[](?:\d{{4}}-\d\d-\d\d )?{_CLOCK}[)）\]]\s?[:：]|<{_WHO}>\s)"
)
_HEADING: Final = re2.compile(rf"\s*{_WHO}\s+(?:\d{{4}}-\d\d-\d\d\s)?{_CLOCK}\s*")
_MAX_VALUE: Final = 80


def header_at(entry_id: str, lines: list[Line], index: int) -> tuple[int, Block | None]:
    """The headers of a mail: two lines or more that begin with known keys, at the start or after an empty line.

    They name no entity: senders and recipients of one subject change from mail to mail without contradiction.
    """
    if index and lines[index - 1].text.strip():
        return index, None
    facts, stop = list[Fact](), index
    while stop < len(lines):
        match = _HEADER.fullmatch(lines[stop].text)
        key = match.group(1).lower() if match is not None else ""
        if key not in _HEADERS or (stop == index and key not in _FIRST):
            break
        value = match.group(2).strip()
        if _HEADERS[key] and 0 < len(value) <= _MAX_VALUE:
            facts.append(Fact(entry_id, "", _HEADERS[key], word=fold(value)))
        stop += 1
    if stop - index < 2:
        return index, None
    return stop, block_over(lines, index, stop, facts)


def chat_at(_entry_id: str, lines: list[Line], index: int) -> tuple[int, Block | None]:
    """Who speaks at which time in a chat: the start of the line, or a line of its own. What is said stays as prose."""
    line = lines[index]
    match = _SPEAKER.match(line.text)
    if match is not None:
        return index + 1, Block(line.start, line.start + len(match.group(0)), ())
    if _HEADING.fullmatch(line.text):
        return index + 1, Block(line.start, line.end, ())
    return index, None
