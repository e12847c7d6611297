"""Words of the page, in both languages, and text made safe to show."""

from __future__ import annotations

import html
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import re2

from mage_ml.runtime.guardrail.wording import Language

_ENGLISH: Final = {
    "title": "Why the guard decided so",
    "allowed": "the action may go ahead",
    "stopped": "the action may not go ahead",
    "action": "Pending action",
    "goal": "Task",
    "why": "Reasons",
    "told": "What the agent was told",
    "risk": "Risk",
    "risk_note": "0 to 1; from 0.50 on an evaluator alarms by itself.",
    "graph": "How memory reaches the action",
    "graph_note": "Arrows lead from an entry to what was derived from it; thick ones from a finding to the action.",
    "more": "{count} further entries on which the action rests are not shown.",
    "findings": "Findings",
    "no_findings": "No evidence was recorded.",
    "path": "Path",
    "no_path": "The action does not rest on it.",
    "entries": "Entries",
    "patches": "Changes to memory",
    "coverage": "What was checked",
    "ran": "ran",
    "skipped": "skipped",
    "failed": "failed",
    "tokens": "tokens read by the classifier",
    "nothing": "nothing",
    "origin": "from",
    "confidence": "confidence",
    "status": "status",
    "step": "step",
    "rests_on": "rests on",
    "notes": "notes",
    "high": "high",
    "raised": "raised",
    "noted": "noted",
    "none": "no finding",
    "cut": "{count} characters are not shown",
    "axis_consistency": "consistency",
    "axis_factuality": "factuality",
    "axis_safety": "safety",
    "axis_dependency": "dependency",
}
_CHINESE: Final = {
    "title": "守护为何如此决定",
    "allowed": "该操作可以继续",
    "stopped": "该操作不得继续",
    "action": "待执行的操作",
    "goal": "任务",
    "why": "理由",
    "told": "对智能体的说明",
    "risk": "风险",
    "risk_note": "取值0到1；达到0.50时评估器自身即会报警。",
    "graph": "记忆如何影响该操作",
    "graph_note": "箭头由条目指向由它得出的内容；粗箭头由问题条目通向该操作。",
    "more": "该操作所依据的另外{count}个条目未显示。",
    "findings": "发现",
    "no_findings": "没有记录任何证据。",
    "path": "路径",
    "no_path": "该操作并不依据它。",
    "entries": "条目",
    "patches": "对记忆的改动",
    "coverage": "检查范围",
    "ran": "已运行",
    "skipped": "已跳过",
    "failed": "失败",
    "tokens": "分类器读到的词元",
    "nothing": "无",
    "origin": "来自",
    "confidence": "置信度",
    "status": "状态",
    "step": "步骤",
    "rests_on": "依据",
    "notes": "备注",
    "high": "高",
    "raised": "偏高",
    "noted": "有提示",
    "none": "无发现",
    "cut": "有{count}个字符未显示",
    "axis_consistency": "一致性",
    "axis_factuality": "事实性",
    "axis_safety": "安全",
    "axis_dependency": "依赖",
}
_WORDS: Final = {Language.ENGLISH: _ENGLISH, Language.CHINESE: _CHINESE}
_HIDDEN: Final = re2.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x{7f}-\x{9f}\x{200b}\x{200e}\x{200f}\x{202a}-\x{202e}"
    r"\x{2060}-\x{2064}\x{2066}-\x{2069}\x{feff}\x{e0000}-\x{e007f}]"
)


def words_in(language: Language) -> Mapping[str, str]:
    """The words of the page in a language."""
    return MappingProxyType(_WORDS[language])


def shown(text: str) -> str:
    """Text as HTML. What cannot be seen (controls, zero-width, bidi marks, tags) is written out as its code point."""
    escaped = html.escape(text, quote=True)
    return str(_HIDDEN.sub(lambda found: f'<span class="code">U+{ord(found.group(0)):04X}</span>', escaped))


def plain(text: str) -> str:
    """Text for an attribute or a drawing: the same without markup of its own."""
    return html.escape(str(_HIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)), quote=True)


def level_of(score: float) -> str:
    """Key of the word for a score."""
    if score >= 0.8:
        return "high"
    if score >= 0.5:
        return "raised"
    return "noted" if score > 0.0 else "none"
