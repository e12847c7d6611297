"""The small texts that records hold: titles of issues, lines of logs."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from data_gen.texts.grammar import Rules

PROSE: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        "en": {
            "title": ("<thing> <fails> <when>", "<when> <thing> <fails>", "<thing>: <fails> <when>"),
            "thing": (
                "search page", "login form", "export job", "upload", "nightly build", "cache warm-up", "sort order",
            ),
            "fails": ("hangs", "gives up", "returns nothing", "is slow", "loses a row", "ignores the filter"),
            "when": ("after an update", "on large files", "behind a proxy", "with an empty list", "at midnight"),
            "noise": (
                "restored the cache, {size}", "runner {handle} took the job", "fetched {n} packages",
                "warning: {n} deprecated calls", "uploaded the symbols, {size}", "lint finished, nothing to report",
                "container started on {handle}", "waiting for a free slot",
            ),
            "severity": ("moderate", "high", "critical", "low"),
        },
        "zh": {
            "title": ("<when><thing><fails>", "<thing><fails>，<when>", "<thing>在<when><fails>"),
            "thing": ("搜索页", "登录表单", "导出任务", "上传", "夜间构建", "缓存预热", "排序"),
            "fails": ("卡住", "中断", "没有返回", "变慢", "丢了一行", "不理会筛选"),
            "when": ("升级后", "文件较大时", "走代理时", "列表为空时", "零点前后"),
            "noise": (
                "已恢复缓存，{size}", "执行机{handle}接单", "拉取{n}个包", "警告：{n}处弃用调用",
                "已上传符号表，{size}", "静态检查完成，无异常", "容器在{handle}上启动", "等待空闲槽位",
            ),
            "severity": ("中等", "高", "严重", "低"),
        },
    }
)  # fmt: skip
