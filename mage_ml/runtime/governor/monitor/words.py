"""Words of the report, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Final

from mage_ml.runtime.guardrail.wording import Language

_ENGLISH: Final = {
    "title": "Constraint governor",
    "span": "{since} to {until} (UTC)",
    "totals": "{checks} checks, {violated} violations, {held} outputs held back, {failed} checks failed",
    "alerts": "Pressure",
    "no_alerts": "No constraint was under pressure.",
    "alert": "{name}: broken {count} times between {since} and {until}, at most {peak} times within one window; by "
    "{agents}; in {runs} runs",
    "over_time": "Violations over time",
    "constraints": "Constraints",
    "agents": "Agents",
    "pairs": "Who broke what",
    "conflicts": "Conflicts",
    "changes": "Changes",
    "constraint": "constraint",
    "agent": "agent",
    "severity": "severity",
    "checked": "checked",
    "violated": "broken",
    "held_back": "held back",
    "warned": "warned",
    "waived": "waived",
    "failed": "failed",
    "confidence": "confidence",
    "trend": "earlier, later",
    "off": "off",
    "nothing": "Nothing was checked in this time.",
    "none": "none",
    "peak": "at most {count} in {hours} h",
    "unknown": "unknown",
}
_CHINESE: Final = {
    "title": "约束治理器",
    "span": "{since} 至 {until}（UTC）",
    "totals": "检查 {checks} 次，违反 {violated} 次，拦下 {held} 次，检查失败 {failed} 次",
    "alerts": "压力告警",
    "no_alerts": "没有约束处于压力之下。",
    "alert": "{name}：{since} 至 {until} 期间被违反 {count} 次，单个窗口内最多 {peak} 次；"
    "涉及 {agents}；共 {runs} 次运行",
    "over_time": "违反次数随时间的变化",
    "constraints": "约束",
    "agents": "智能体",
    "pairs": "谁违反了什么",
    "conflicts": "冲突",
    "changes": "变更",
    "constraint": "约束",
    "agent": "智能体",
    "severity": "严重程度",
    "checked": "检查",
    "violated": "违反",
    "held_back": "拦下",
    "warned": "警告",
    "waived": "让位",
    "failed": "失败",
    "confidence": "置信度",
    "trend": "前半、后半",
    "off": "已停用",
    "nothing": "这段时间没有检查过任何内容。",
    "none": "无",
    "peak": "{hours} 小时内最多 {count} 次",
    "unknown": "未知",
}


def words_in(language: Language) -> Mapping[str, str]:
    """The words in a language."""
    return MappingProxyType(_CHINESE if language is Language.CHINESE else _ENGLISH)


def moment(at: float) -> str:
    """A moment in UTC, to the minute."""
    return datetime.fromtimestamp(at, tz=UTC).strftime("%Y-%m-%d %H:%M")


def percent(share: float | None) -> str:
    """A share in percent; a dash for none."""
    return "–" if share is None else f"{share:.1%}"
