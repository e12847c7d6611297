"""What can be said of things in a repository: what writers choose from is what readers look for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from data_gen.tasks.software_repo.nouns import NameKind

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Measure:
    """A number: its unit in each language, and the smallest sensible change."""

    units: tuple[str, str] = ("", "")
    step: float = 1.0

    def unit(self, language: str) -> str:
        """The unit in a language; empty for counts."""
        return self.units[0 if language == "en" else 1]


@dataclass(frozen=True, slots=True)
class Flag:
    """A yes or no, with the words for each; both lists have words of like length."""

    yes: tuple[Words, Words]
    no: tuple[Words, Words]

    def words(self, value: bool, language: str) -> Words:
        """The words for yes or no in a language."""
        return (self.yes if value else self.no)[0 if language == "en" else 1]


@dataclass(frozen=True, slots=True)
class Meaning:
    """An attribute: what kind of value it has, and what it is called."""

    kind: Measure | Flag | NameKind
    en: Words
    zh: Words

    def words(self, language: str) -> Words:
        """What it is called in a language."""
        return self.en if language == "en" else self.zh


class Attribute(StrEnum):
    """What a finding is about."""

    TIMEOUT = "timeout"
    MEMORY = "memory"
    REPLICAS = "replicas"
    PORT = "port"
    POOL = "pool"
    RETENTION = "retention"
    PEAK = "peak"
    LATENCY = "latency"
    CUTOFF = "cutoff"
    COVERAGE = "coverage"
    DURATION = "duration"
    DOWNTIME = "downtime"
    SIZE = "size"
    MERGED = "merged"
    FIXES = "fixes"
    USERS = "users"
    REPORTS = "reports"
    IDLE = "idle"
    APPROVALS = "approvals"
    LINES = "lines"
    AGE = "age"
    LOAD = "load"
    CAPACITY = "capacity"
    FIXED = "fixed"
    CURRENT = "current"
    HEALTHY = "healthy"
    NEXT = "next"
    CULPRIT = "culprit"
    MERGE_COMMIT = "merge_commit"
    FAILING = "failing"
    OWNER = "owner"
    ORIGINAL = "original"
    AREA = "area"
    MILESTONE = "milestone"
    HOME = "home"
    BRANCH = "branch"
    LEAKED = "leaked"
    LEVEL = "level"
    UNUSED = "unused"
    LEAVER = "leaver"
    SLOWEST = "slowest"
    SMALLEST = "smallest"
    MOST_REPORTED = "most_reported"
    OLDEST = "oldest"
    AFFECTED = "affected"
    CHECKS = "checks"
    FLAKY = "flaky"
    TRIAL = "trial"
    MET = "met"


_SECONDS: Final = Measure(("seconds", "秒"), 5)
_MB: Final = Measure(("MB", "MB"), 16)
_MINUTES: Final = Measure(("minutes", "分钟"))
_DAYS: Final = Measure(("days", "天"))
_MS: Final = Measure(("ms", "毫秒"))
_PERCENT: Final = Measure(("%", "%"), 0.1)
_COUNT: Final = Measure()
_A: Final = Attribute
MEANINGS: Final[Mapping[Attribute, Meaning]] = MappingProxyType(
    {
        _A.TIMEOUT: Meaning(_SECONDS, ("timeout", "time limit"), ("超时时间", "超时设置")),
        _A.MEMORY: Meaning(_MB, ("memory limit", "memory cap"), ("内存上限", "内存限额")),
        _A.REPLICAS: Meaning(_COUNT, ("replica count", "number of replicas"), ("副本数", "实例数")),
        _A.PORT: Meaning(_COUNT, ("listening port", "service port"), ("监听端口", "服务端口")),
        _A.POOL: Meaning(_COUNT, ("pool size", "connection pool"), ("连接池", "连接数")),
        _A.RETENTION: Meaning(_DAYS, ("retention", "retention period"), ("保留期", "保留时长")),
        _A.PEAK: Meaning(_MB, ("peak memory", "memory peak"), ("内存峰值", "峰值内存")),
        _A.LATENCY: Meaning(_MS, ("latency", "response time"), ("响应延迟", "响应时间")),
        _A.CUTOFF: Meaning(_MS, ("cutoff", "cutoff time"), ("熔断阈值", "熔断时限")),
        _A.COVERAGE: Meaning(_PERCENT, ("coverage", "test coverage"), ("覆盖率", "测试覆盖率")),
        _A.DURATION: Meaning(_MINUTES, ("build time", "build duration"), ("构建耗时", "构建时长")),
        _A.DOWNTIME: Meaning(_MINUTES, ("downtime", "outage time"), ("停机时间", "中断时长")),
        _A.SIZE: Meaning(_MB, ("artifact size", "bundle size"), ("产物大小", "包体大小")),
        _A.MERGED: Meaning(_COUNT, ("merged changes", "changes merged"), ("合入数", "合并数")),
        _A.FIXES: Meaning(_COUNT, ("bug fixes", "fixed bugs"), ("修复数", "缺陷修复数")),
        _A.USERS: Meaning(_COUNT, ("users hit", "affected users"), ("受影响用户数", "波及用户数")),
        _A.REPORTS: Meaning(_COUNT, ("report count", "number of reports"), ("反馈数", "报告数")),
        _A.IDLE: Meaning(_DAYS, ("idle time", "time without activity"), ("闲置时间", "无活动时长")),
        _A.APPROVALS: Meaning(_COUNT, ("approvals", "approval count"), ("批准数", "批准人数")),
        _A.LINES: Meaning(_COUNT, ("changed lines", "lines changed"), ("改动行数", "变更行数")),
        _A.AGE: Meaning(_DAYS, ("key age", "time in use"), ("使用天数", "使用时长")),
        _A.LOAD: Meaning(_COUNT, ("peak load", "load at peak"), ("峰值请求数", "高峰请求数")),
        _A.CAPACITY: Meaning(_COUNT, ("load per replica", "capacity per replica"), ("单副本承载", "单实例承载")),
        _A.FIXED: Meaning(NameKind.VERSION, ("fixed version", "patched version"), ("修复版本", "补丁版本")),
        _A.CURRENT: Meaning(NameKind.VERSION, ("version in use", "installed version"), ("在用版本", "当前版本")),
        _A.HEALTHY: Meaning(
            NameKind.VERSION, ("last good version", "last healthy version"), ("最后正常版本", "最近稳定版本"),
        ),
        _A.NEXT: Meaning(NameKind.VERSION, ("next version", "version due"), ("下一版本", "待发版本")),
        _A.CULPRIT: Meaning(NameKind.COMMIT, ("first bad commit", "culprit commit"), ("出错提交", "问题提交")),
        _A.MERGE_COMMIT: Meaning(NameKind.COMMIT, ("merge commit", "squashed commit"), ("合并提交", "压缩提交")),
        _A.FAILING: Meaning(NameKind.TEST, ("failing test", "broken test"), ("失败用例", "出错用例")),
        _A.OWNER: Meaning(NameKind.PERSON, ("code owner", "owner on file"), ("负责人", "代码负责人")),
        _A.ORIGINAL: Meaning(NameKind.ISSUE, ("earlier report", "original report"), ("原始问题", "先前问题")),
        _A.AREA: Meaning(NameKind.LABEL, ("area label", "triage label"), ("分类标签", "模块标签")),
        _A.MILESTONE: Meaning(NameKind.MILESTONE, ("milestone", "planned milestone"), ("里程碑", "计划里程碑")),
        _A.HOME: Meaning(NameKind.SERVICE, ("home repository", "right repository"), ("所属仓库", "归属仓库")),
        _A.BRANCH: Meaning(NameKind.BRANCH, ("target branch", "branch to use"), ("目标分支", "指定分支")),
        _A.LEAKED: Meaning(NameKind.KEY, ("leaked key", "exposed key"), ("泄露密钥", "外泄密钥")),
        _A.LEVEL: Meaning(NameKind.LEVEL, ("access level", "level of access"), ("权限级别", "访问级别")),
        _A.UNUSED: Meaning(NameKind.PACKAGE, ("unused dependency", "idle dependency"), ("未用依赖", "闲置依赖")),
        _A.LEAVER: Meaning(NameKind.PERSON, ("former member", "departed member"), ("离职成员", "离组成员")),
        _A.SLOWEST: Meaning(NameKind.COMMIT, ("slowest commit", "slowest of them"), ("最慢提交", "最慢的提交")),
        _A.SMALLEST: Meaning(NameKind.PULL, ("smallest change", "smallest request"), ("最小改动", "最小的合并请求")),
        _A.MOST_REPORTED: Meaning(
            NameKind.ISSUE, ("most reported issue", "most reports"), ("反馈最多的问题", "反馈最多"),
        ),
        _A.OLDEST: Meaning(NameKind.KEY, ("oldest key", "longest in use"), ("最旧密钥", "最老的密钥")),
        _A.AFFECTED: Meaning(
            Flag(
                (("exposed", "affected", "at risk"), ("有风险", "受影响")),
                (("spared", "untouched", "no risk"), ("无风险", "没影响")),
            ),
            ("exposure", "advisory status"), ("风险评估", "公告状态"),
        ),
        _A.CHECKS: Meaning(
            Flag(
                (("green", "passing", "clean"), ("通过", "正常")),
                (("red now", "failing", "amiss"), ("失败", "异常")),
            ),
            ("checks", "pipeline"), ("检查", "流水线"),
        ),
        _A.FLAKY: Meaning(
            Flag(
                (("flaky", "sporadic", "by chance"), ("偶发", "随机")),
                (("solid", "constant", "each time"), ("必现", "稳定")),
            ),
            ("kind of failure", "failure type"), ("失败类型", "故障类型"),
        ),
        _A.TRIAL: Meaning(
            Flag(
                (("ahead", "winning", "in front"), ("领先", "正向")),
                (("behind", "losing", "trailing"), ("落后", "负向")),
            ),
            ("trial result", "result of the trial"), ("试验结果", "实验结论"),
        ),
        _A.MET: Meaning(
            Flag(
                (("enough", "reached", "attained"), ("达标", "够数")),
                (("lacking", "missed", "too low"), ("不足", "欠缺")),
            ),
            ("requirement", "bar to clear"), ("要求", "门槛"),
        ),
    }
)  # fmt: skip
