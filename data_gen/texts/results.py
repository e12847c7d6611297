"""How agents quote what a tool returned."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

RESULT_FRAMES: Final = MappingProxyType(
    {
        "en": (
            "{tool} returned: {text}", "from {tool}: {text}", "{text} (output of {tool})", "{tool} -> {text}",
            "result of {tool}: {text}", "{text} [{tool}]", "as {tool} gives it: {text}", "{tool} says: {text}",
        ),
        "zh": (
            "{tool}返回：{text}", "来自{tool}：{text}", "{text}（{tool}的输出）", "{tool} -> {text}",
            "{tool}结果：{text}", "{text} [{tool}]", "{tool}给出：{text}", "调用{tool}得到：{text}",
        ),
    }
)  # fmt: skip


def framed(text: str, tool: str, language: str, frame: int) -> str:
    """A note as a quotation of a tool's result, in one of `RESULT_FRAMES`."""
    return RESULT_FRAMES[language][frame].format(tool=tool, text=text)
