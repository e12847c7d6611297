"""Words that carry meaning in sales notes: what writers choose from is what readers look for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from data_gen.tasks.sales_report.statements import Direction, Metric, VerdictKind

_UP, _DOWN, _NONE = Direction.UP, Direction.DOWN, Direction.NONE
Words = tuple[str, ...]

METRICS: Final[Mapping[str, Mapping[Metric, Words]]] = {
    "en": {
        Metric.REVENUE: ("revenue", "sales", "turnover"),
        Metric.TARGET: ("target", "quota"),
        Metric.BUDGET: ("budget",),
        Metric.COST: ("costs", "expenses"),
    },
    "zh": {
        Metric.REVENUE: ("销售额", "营收"),
        Metric.TARGET: ("目标", "指标"),
        Metric.BUDGET: ("预算",),
        Metric.COST: ("支出", "费用"),
    },
}

VERDICTS: Final[Mapping[str, Mapping[VerdictKind, Mapping[Direction, Words]]]] = {
    "en": {
        VerdictKind.CHANGE: {
            _UP: ("rose", "grew", "climbed", "increased", "gained"),
            _DOWN: ("fell", "dropped", "declined", "decreased", "slipped"),
        },
        VerdictKind.TARGET: {_UP: ("beat", "exceeded", "surpassed"), _DOWN: ("missed", "fell short of", "undershot")},
        VerdictKind.BUDGET: {
            _UP: ("overran", "overspent", "exceeded"),
            _DOWN: ("undercut", "stayed below", "came in under"),
        },
        VerdictKind.TOP: {_NONE: ("leads", "ranks first", "comes out ahead", "tops the list")},
        VerdictKind.LOW: {_NONE: ("ranks last", "brings up the rear", "trails the others", "comes in last")},
        VerdictKind.TOTAL: {_NONE: ("together", "combined", "taken together")},
        VerdictKind.SHARE: {_NONE: ("accounts for", "contributes", "makes up")},
        VerdictKind.GAP: {_NONE: ("is ahead of", "outsells", "outpaces")},
    },
    "zh": {
        VerdictKind.CHANGE: {_UP: ("增长", "上升", "提高", "增加"), _DOWN: ("下降", "减少", "回落", "降低")},
        VerdictKind.TARGET: {_UP: ("高于", "超出", "超过"), _DOWN: ("低于", "不及", "落后于")},
        VerdictKind.BUDGET: {_UP: ("超出", "高于", "突破"), _DOWN: ("低于", "少于", "不到")},
        VerdictKind.TOP: {_NONE: ("居首", "排名第一", "位列首位", "领跑")},
        VerdictKind.LOW: {_NONE: ("垫底", "排名末位", "位居最后", "殿后")},
        VerdictKind.TOTAL: {_NONE: ("合计", "加总", "相加")},
        VerdictKind.SHARE: {_NONE: ("占到", "占比达", "贡献了")},
        VerdictKind.GAP: {_NONE: ("领先", "多于", "胜过")},
    },
}

BECAUSE: Final = {
    "en": ("because of", "due to", "driven by", "owing to", "down to", "explained by"),
    "zh": ("主要由于", "原因是", "归因于", "缘于", "起因是"),
}
NO_REASON: Final = {
    "en": ("no reason is on file", "the files give no cause", "no cause is recorded", "the files name no reason"),
    "zh": ("未说明原因", "没有给出原因", "没有记录原因", "未提及原因"),
}
INDEPENDENT: Final = {
    "en": (
        "a second separate source",
        "a second distinct source",
        "another separate source",
        "another distinct source",
    ),
    "zh": ("两个独立来源", "另一独立来源", "两处独立来源"),
}
SINGLE: Final = {
    "en": (
        "merely one single source",
        "simply one single source",
        "one unreplicated source",
        "one unduplicated source",
    ),
    "zh": ("只有一个来源", "仅有单一来源", "只有单一出处"),
}
TENTATIVE: Final = {
    "en": ("rough", "unconfirmed", "preliminary", "tentative", "ballpark"),
    "zh": ("粗略", "未经确认", "初步", "暂估", "大致"),
}
