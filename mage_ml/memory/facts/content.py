"""What kind of text an entry holds, and where each kind begins and ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import re2
from pydantic import JsonValue

from mage_ml.memory.facts.code import code_at, fence_at, trace_at
from mage_ml.memory.facts.diffs import diff_at
from mage_ml.memory.facts.html import html_tables
from mage_ml.memory.facts.lines import Block, Line, lines_of
from mage_ml.memory.facts.logs import json_lines_at, log_at
from mage_ml.memory.facts.messages import chat_at, header_at
from mage_ml.memory.facts.structured import parse_structured
from mage_ml.memory.facts.tables import blocks_in


class ContentType(StrEnum):
    """How the content of an entry is read."""

    TOOL_JSON = "tool_json"
    TABLE = "table"
    MESSAGE = "message"
    CODE = "code"
    LOG = "log"
    DIFF = "diff"
    PROSE = "prose"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of text that is not plain prose.

    Attributes:
        type: Its kind.
        block: Where it is, and what it states.
    """

    type: ContentType
    block: Block


_Finder = Callable[[str, list[Line], int], "tuple[int, Block | None]"]
# Order matters: the first finder that takes a line keeps it. Diffs and traces hold lines that look like code.
_FINDERS: Final[tuple[tuple[ContentType, _Finder], ...]] = (
    (ContentType.CODE, fence_at),
    (ContentType.DIFF, diff_at),
    (ContentType.CODE, trace_at),
    (ContentType.LOG, json_lines_at),
    (ContentType.LOG, log_at),
    (ContentType.MESSAGE, header_at),
    (ContentType.MESSAGE, chat_at),
    (ContentType.CODE, code_at),
)
_HINT: Final = re2.compile(
    r"(?im)```|~~~|^@@ |^--- \S|^diff --git|traceback \(|^\s*at \S|\.\.\. \d+ more|^\s*\{.*\}\s*$|\d:\d\d|\S=\S"
    r"|^\s*(?:from|to|subject|发件人|收件人|主题)\s?[:：]|^\s*<\S+(?: \S+)?>\s"
    r"|^\s*(?:async |export |public |private |protected |static )*"
    r"(?:def|class|import|from|function|const|let|var|package)\b.*[(:;=]"
    r"|^(?:import|from) \S+|^\s*(?:public|private|protected) .*\(|^\s*#(?:include|!)"
    r"|\b(?:select|insert|update|delete|create)\s.*\s(?:from|into|set|table|index|view)?\s?\S+"
    r"|file \"|(?:error|exception|warning|throwable)\b:?|caused by:"
)
"""Without one of these signs a text holds no special stretch: most prose is done after one search."""


def content_type(content: JsonValue) -> ContentType:
    """The kind that most of a content is: by characters, the largest stretch; prose when nothing else is found."""
    if isinstance(content, dict | list):
        return ContentType.TOOL_JSON
    if not isinstance(content, str) or not content.strip():
        return ContentType.EMPTY
    if parse_structured(content) is not None:
        return ContentType.TOOL_JSON
    text = content[:20_000]
    sizes: dict[ContentType, int] = {}
    for segment in segments_in("", text):
        size = segment.block.end - segment.block.start
        sizes[segment.type] = sizes.get(segment.type, 0) + size
    kind, size = max(sizes.items(), key=lambda item: item[1], default=(ContentType.PROSE, 0))
    if kind is ContentType.MESSAGE:
        return kind  # headers and speakers are short, what they introduce is the message
    return kind if 2 * size >= len(text.strip()) else ContentType.PROSE


def segments_in(entry_id: str, text: str) -> list[Segment]:
    """The stretches of a text that are not plain prose, in order, without overlap; empty for plain prose."""
    special = list(_special(entry_id, text))
    rest = blanked(text, [segment.block for segment in special])
    tables = [Segment(ContentType.TABLE, block) for block in blocks_in(entry_id, rest)]
    return sorted([*special, *tables], key=lambda segment: segment.block.start)


def blanked(text: str, blocks: list[Block]) -> str:
    """The text with blocks replaced by line breaks, so that the offsets of the rest stay true."""
    if not blocks:
        return text
    kept, done = [], 0
    for block in sorted(blocks, key=lambda block: block.start):
        kept += [text[done : block.start], "\n" * (block.end - block.start)]
        done = block.end
    return "".join(kept) + text[done:]


def _special(entry_id: str, text: str) -> Iterator[Segment]:
    tables = html_tables(entry_id, text)
    others = list(_lines_with_form(entry_id, blanked(text, tables)))
    yield from others
    # A table inside a fence or a diff is quoted, not stated.
    inside = [block for block in tables if any(_overlap(block, other.block) for other in others)]
    yield from (Segment(ContentType.TABLE, block) for block in tables if block not in inside)


def _overlap(one: Block, other: Block) -> bool:
    return one.start < other.end and other.start < one.end


def _lines_with_form(entry_id: str, text: str) -> Iterator[Segment]:
    if _HINT.search(text) is None:
        return
    lines = lines_of(text)
    index = 0
    while index < len(lines):
        stop = index + 1
        if lines[index].text.strip():
            for kind, finder in _FINDERS:
                end, block = finder(entry_id, lines, index)
                if block is not None:
                    yield Segment(kind, block)
                    stop = max(end, index + 1)
                    break
        index = stop
