"""Finds code and stack traces. They state nothing about the world: their numbers and names are no facts."""

from __future__ import annotations

from typing import Final

import re2

from mage_ml.memory.facts.lines import Block, Line, block_over

_FENCE: Final = re2.compile(r"\s{0,3}(```|~~~)\s?([A-Za-z0-9+#_\-]*).*")
_PLAIN_FENCES: Final = frozenset({"", "text", "txt", "md", "markdown", "json", "yaml", "yml", "csv", "tsv"})
"""What is fenced as data or text is read as if it were not fenced."""
_MAX_FENCED_LINES: Final = 2000
_NAME: Final = r"[^\s()\[\]{}:;,=+*/|<>\"'#@!?。，：（）]+"
_STRONG: Final = re2.compile(
    rf"\s*(?:async\s+)?def\s+{_NAME}\s?\(.*\)?.*:?"
    rf"|\s*class\s+{_NAME}\s?(?:\(.*\))?:"
    rf"|from\s+[\w.]+\s+import\s+[\w.*, ()]+|import\s+[\w.]+(?:\s+as\s+\w+)?;?"
    rf"|\s*(?:export\s+|public\s+|private\s+|protected\s+|static\s+|async\s+)*function\s*{_NAME}?\s?\(.*"
    rf"|\s*(?:export\s+)?(?:const|let|var)\s+{_NAME}\s?(?::\s?\w+\s?)?=.*"
    rf"|\s*(?:public|private|protected)\s+[\w<>\[\] ]+\(.*\)\s*\{{?"
    r"|\s*#include\s*[<\"].*|\s*#!/.*|package\s+[\w.]+;"
    r"|(?i:\s*select\s.+\sfrom\s.+|\s*insert\s+into\s+\S+.*|\s*update\s+\S+\s+set\s+\S+\s?=.*|\s*delete\s+from\s+\S+.*"
    r"|\s*create\s+(?:table|index|view)\s+\S+.*)"
)
_WEAK: Final = re2.compile(
    rf"\s+\S.*|\s*[)}}\]]+[;,]?|\s*{_NAME}(?:\[.*\])?\s?(?:[-+*/|]?=)\s?[^=].*|.*[{{;]\s*|\s*(?:#|//|--|\*).*"
    rf"|\s*(?:if|for|while|elif|else|try|except|finally|with|return|raise|print)\b.*[:;()].*|\s*@{_NAME}.*"
    rf"|(?i:\s*(?:from|where|and|or|group\s+by|order\s+by|having|join|left\s+join|limit|values|set)\s.*)"
)
_PYTHON_TRACE: Final = re2.compile(r"\s*Traceback \(most recent call last\):\s*")
_FRAME: Final = re2.compile(
    r"\s*at\s+[\w.$<>\[\]/\- ]+\(.*\)\s*|\s*at\s+\S+:\d+(?::\d+)?\s*"
    r"|\s*File \"[^\"]*\", line \d+.*|\s*\.\.\. \d+ more\s*"
)
_RAISED: Final = re2.compile(
    r"(?:Caused by:\s?)?[\w.$]*(?:Error|Exception|Warning|Interrupt|Exit|Throwable)\b(?::.*)?|Caused by:.*"
)


def fence_at(_entry_id: str, lines: list[Line], index: int) -> tuple[int, Block | None]:
    """A fenced block of code that begins at a line."""
    match = _FENCE.fullmatch(lines[index].text)
    if match is None or match.group(2).lower() in _PLAIN_FENCES:
        return index, None
    mark = match.group(1)
    last = min(len(lines), index + _MAX_FENCED_LINES)
    stop = next((at + 1 for at in range(index + 1, last) if lines[at].text.strip().startswith(mark)), last)
    return stop, block_over(lines, index, stop)


def trace_at(_entry_id: str, lines: list[Line], index: int) -> tuple[int, Block | None]:
    """A stack trace that begins at a line: Python, Java, JavaScript and what looks like them."""
    text = lines[index].text
    following = lines[index + 1].text if index + 1 < len(lines) else ""
    opens = _PYTHON_TRACE.fullmatch(text) or _FRAME.fullmatch(text)
    if not opens and not (_RAISED.fullmatch(text.strip()) and _FRAME.fullmatch(following)):
        return index, None
    stop = index + 1
    while stop < len(lines) and _is_traced(lines[stop].text):
        stop += 1
    return stop, block_over(lines, index, stop)


def _is_traced(line: str) -> bool:
    indented = line.startswith((" ", "\t")) and bool(line.strip())
    return indented or bool(_FRAME.fullmatch(line)) or bool(_RAISED.fullmatch(line.strip()))


def code_at(_entry_id: str, lines: list[Line], index: int) -> tuple[int, Block | None]:
    """Code without a fence: from a line that can be nothing else, on through lines that look like code."""
    if not _STRONG.fullmatch(lines[index].text):
        return index, None
    stop = index + 1
    while stop < len(lines):
        text = lines[stop].text
        if not text.strip():
            following = lines[stop + 1].text if stop + 1 < len(lines) else ""
            if not (following.startswith((" ", "\t")) or _STRONG.fullmatch(following)):
                break
        elif not (_WEAK.fullmatch(text) or _STRONG.fullmatch(text)):
            break
        stop += 1
    return stop, block_over(lines, index, stop)
