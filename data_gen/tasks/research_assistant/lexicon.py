"""Words by which notes are read back, and from which they are worded."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from data_gen.tasks.research_assistant.statements import TraitKind, VerdictKind, Way

_ABOVE_EN: Final = ("above", "well above", "ahead of")
_BELOW_EN: Final = ("below", "well below", "short of")
_ABOVE_ZH: Final = ("高于", "大于", "超过")
_BELOW_ZH: Final = ("低于", "小于", "不及")

WAYS: Final[Mapping[str, Mapping[str, Mapping[Way, tuple[str, ...]]]]] = MappingProxyType(
    {
        "en": {
            VerdictKind.GAP: {Way.YES: _ABOVE_EN, Way.NO: _BELOW_EN},
            VerdictKind.RATIO: {Way.YES: _ABOVE_EN, Way.NO: _BELOW_EN},
            VerdictKind.LIMIT: {Way.YES: _ABOVE_EN, Way.NO: _BELOW_EN},
            VerdictKind.TOP: {Way.ONLY: ("highest", "largest", "greatest")},
            VerdictKind.LOW: {Way.ONLY: ("lowest", "smallest", "least")},
            VerdictKind.MEAN: {Way.ONLY: ("mean", "average")},
            VerdictKind.MEDIAN: {Way.ONLY: ("median", "middle value")},
            VerdictKind.SPREAD: {Way.ONLY: ("spread", "full range")},
            VerdictKind.AGREE: {Way.YES: ("concur", "match", "coincide"), Way.NO: ("differ", "clash", "disagree")},
            VerdictKind.INSIDE: {Way.YES: ("inside", "within"), Way.NO: ("beyond", "outside")},
            VerdictKind.CLAIM: {
                Way.YES: ("supported", "confirmed", "borne out", "sustained"),
                Way.NO: ("unfounded", "disproved", "not shown", "untenable"),
            },
            VerdictKind.COUNT: {
                Way.ONE: ("one lone origin", "one lone source", "only one origin", "only one source"),
                Way.TWO: ("two own origins", "two own sources", "two raw origins", "two raw sources"),
                Way.THREE: ("three own origins", "three own sources", "three raw origins", "three raw sources"),
            },
            TraitKind.STANDING: {
                Way.YES: ("remains valid", "still stands", "still counts"),
                Way.NO: ("was retracted", "is withdrawn", "is retracted"),
            },
            TraitKind.OWN_DATA: {
                Way.YES: ("rests on primary data", "rests on separate data", "gives original text"),
                Way.NO: ("rests on derived data", "rests on borrowed data", "gives repeated text"),
            },
            TraitKind.SUITED: {
                Way.YES: ("clears the sample bar", "meets the sample size", "has sufficient cases"),
                Way.NO: ("misses the sample bar", "lacks the sample size", "has inadequate cases"),
            },
            TraitKind.SAME_METHOD: {
                Way.YES: ("identical designs", "matching designs", "equivalent designs"),
                Way.NO: ("different designs", "distinct designs", "dissimilar designs"),
            },
            TraitKind.SUPPORT: {
                Way.YES: (
                    "a second separate study", "another separate study", "a second distinct study",
                    "another distinct study",
                ),
                Way.NO: (
                    "merely one single study", "one unreplicated study", "simply one single study",
                    "one unduplicated study",
                ),
            },
        },
        "zh": {
            VerdictKind.GAP: {Way.YES: _ABOVE_ZH, Way.NO: _BELOW_ZH},
            VerdictKind.RATIO: {Way.YES: _ABOVE_ZH, Way.NO: _BELOW_ZH},
            VerdictKind.LIMIT: {Way.YES: _ABOVE_ZH, Way.NO: _BELOW_ZH},
            VerdictKind.TOP: {Way.ONLY: ("最高", "最大", "居首")},
            VerdictKind.LOW: {Way.ONLY: ("最低", "最小", "垫底")},
            VerdictKind.MEAN: {Way.ONLY: ("均值", "平均数")},
            VerdictKind.MEDIAN: {Way.ONLY: ("中位数", "居中值")},
            VerdictKind.SPREAD: {Way.ONLY: ("极差", "全距")},
            VerdictKind.AGREE: {Way.YES: ("吻合", "一致", "相符"), Way.NO: ("相左", "不合", "不符")},
            VerdictKind.INSIDE: {Way.YES: ("之内", "以内"), Way.NO: ("之外", "以外")},
            VerdictKind.CLAIM: {
                Way.YES: ("属实", "有据", "成立", "可信"), Way.NO: ("失实", "无据", "有误", "存疑"),
            },
            VerdictKind.COUNT: {
                Way.ONE: ("一个出处", "一处来源", "一条来路"), Way.TWO: ("两个出处", "两处来源", "两条来路"),
                Way.THREE: ("三个出处", "三处来源", "三条来路"),
            },
            TraitKind.STANDING: {
                Way.YES: ("仍然有效", "可以引用", "照常有效"), Way.NO: ("已经撤稿", "不可引用", "已被撤回"),
            },
            TraitKind.OWN_DATA: {
                Way.YES: ("用的是一手数据", "出自原始数据", "属自行采集"),
                Way.NO: ("用的是二手数据", "出自转载数据", "属他处摘录"),
            },
            TraitKind.SUITED: {
                Way.YES: ("样本量足够", "样本数达标", "例数够用"), Way.NO: ("样本量不足", "样本数偏少", "例数太少"),
            },
            TraitKind.SAME_METHOD: {
                Way.YES: ("方法相同", "方法一致", "做法一样"), Way.NO: ("方法不同", "方法有别", "做法两样"),
            },
            TraitKind.SUPPORT: {
                Way.YES: ("另有一项独立研究", "共有两项独立研究", "有两家各自测得"),
                Way.NO: ("仅有一项单独研究", "只有一项孤立研究", "只一家单独测得"),
            },
        },
    }
)  # fmt: skip
SURE: Final = {
    "en": ("confirmed", "settled", "definite", "published", "verified"),
    "zh": ("已核实", "已确认", "已发表", "已定稿"),
}
UNSURE: Final = {
    "en": ("tentative", "guessed", "doubtful", "uncertain", "unproved"),
    "zh": ("未核实", "待确认", "待查证", "凭印象"),
}
CLAIM_CUES: Final = {"en": ("claim", "assertion", "statement"), "zh": ("说法", "断言", "论断")}
CHOICE_CUES: Final = {"en": ("to work from", "to rely on", "to go by"), "zh": ("作依据", "为依据", "作底本")}
BECAUSE: Final = {
    "en": ("because of", "due to", "down to", "owing to", "explained by"),
    "zh": ("主要由于", "原因是", "归因于", "缘于", "起因是"),
}
NO_REASON: Final = {
    "en": ("no cause is stated", "no cause is given", "no reason is named", "the texts name no reason"),
    "zh": ("未说明原因", "没有给出原因", "没有写明原因", "未提及原因"),
}
RESEARCH_OBJECTS: Final = {
    "en": ("brief", "answer", "findings", "abstract", "review", "results"),
    "zh": ("简报", "答复", "结论", "摘要", "综述", "结果"),
}
CITE_CUES: Final = {"en": ("cite", "citing", "quote", "reference"), "zh": ("引用", "列入文献", "注明出处", "引上")}
