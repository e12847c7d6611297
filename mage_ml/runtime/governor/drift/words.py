"""Words by which a rule binds, in English and Chinese, as they are recognised in a restatement.

Each pattern is applied to a sentence in lower case in which figures stand as `FIGURE`. What a pattern matches is
accounted for and taken out, or only its groups where it has some; what is left is the content of the rule. Longer
forms stand before shorter ones.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final

import re2

FIGURE: Final = "\ue000"
"""Stands for one figure, so that a pattern can ask for a figure beside it."""
_F: Final = FIGURE


class Mark(StrEnum):
    """What a piece of a sentence does to the force of a rule."""

    AT_MOST = "at most"
    AT_LEAST = "at least"
    ABOVE = "above"
    BELOW = "below"
    NEVER = "never"
    ONLY = "only"
    MUST = "must"
    APPROVAL = "needs approval"
    NO_APPROVAL = "without approval"
    ALLOWED = "allowed"
    SOFT = "soft"
    WIDE = "wide"
    LIFTED = "lifted"
    FOR_NOW = "for now"
    NEGATED_TWICE = "negated twice"
    NEUTRAL = "neutral"


_APPROVAL_EN: Final = r"(?:approval|sign-?off|authori[sz]ation|consent|permission|clearance|review)"

# The order matters: what is matched first is taken out.
_PATTERNS: Final[tuple[tuple[Mark, str], ...]] = (
    (
        Mark.LIFTED,
        r"\bnot (?:all|every)\b|并非|不都|未必|不一定|\b(?:no longer (?:appl(?:y|ies)|applicable|valid|in force"
        r"|binding"
        r"|needed|required|relevant)|(?:has|have) been"
        r" (?:lifted|repealed|withdrawn|waived|revoked|suspended|superseded|replaced)|(?:is|are) (?:lifted|waived"
        r"|suspended|void|obsolete|outdated|not binding|non-binding|overruled|superseded)|does not apply"
        r"|do not apply|doesn't apply|don't apply|disregard|ignore|overrid(?:e|es|den)|used to|formerly|previously"
        r"|in the past|expired)\b"
        r"|不再(?:适用|有效|执行|需要)|已(?:经)?(?:取消|作废|废止|解除|失效|撤销|过期|被取代)|作废|废止|不适用"
        r"|可以?忽略"
        r"|忽略|无需遵守|不必遵守|以前|曾经|原先",
    ),
    (
        Mark.AT_LEAST,
        rf"\b(?:at least|no less than|not less than|no fewer than|no sooner than|no earlier than|not (?:sooner"
        rf"|earlier)"
        rf" than|(?:not|never) (?:in )?(?:less|fewer|under|below|earlier|sooner)(?: than)?|a minimum of"
        rf"|minimum(?: of)?"
        rf"|must not be (?:below|under|less than)|>=|≥)\s*(?:in )?(?:about )?{_F}"
        rf"|{_F}(?: [a-z]+)? (or (?:more|longer|later|above|over))\b|{_F} (at (?:the )?least)\b"
        rf"|(?:至少|不少于|不低于|不早于|不得(?:早于|少于|低于)|不能(?:早于|少于|低于)|不可(?:早于|少于|低于)"
        rf"|最快(?:也要)?|最早"
        rf"|最少)\s*(?:为|是|要|得)?\s*{_F}|{_F}\s?(?:或)?(?:以上)",
    ),
    (
        Mark.AT_MOST,
        rf"\b(?:at most|no more than|not more than|never more than|(?:not|never) (?:above|over)|at or below"
        rf"|(?:(?:must|may|can|shall|should|will|do|does) not|cannot|can't|mustn't|don't|never|not to)"
        rf" (?:exceed|pass|go (?:above|over|beyond)|be (?:above|over|more than))"
        rf"|(?:must |shall |has to |to )?(?:(?:stay|remain|keep|be kept) )?(?:at or (?:below|under)|within)"
        rf"|a maximum of|max(?:imum)?(?: of| is)?|capped at|(?:is )?limited to"
        rf"|(?:hard |upper |absolute )?(?:limit|cap|ceiling)(?:ed)?(?: of| is| to| at|:)|up to|<=|≤)\s*{_F}"
        rf"|{_F}(?: [a-z]+)? (or (?:less|fewer|below|under)|at (?:the )?most|max(?:imum)?"
        rf"|(?:as|is) (?:an? |the )?(?:hard |upper |absolute )?(?:ceiling|cap|limit|maximum)(?: for| on| of)?)\b"
        rf"|(至多|最多|不超过|不高于|不多于|不得(?:超过|高于|多于)|不能(?:超过|高于|多于)|不可(?:超过|高于|多于)"
        rf"|(?:必须)?(?:控制在|限于|限制在)"
        rf"|(?:硬性)?(?:上限|限额|封顶)(?:为|是|：|:)?)[付花]?\s*{_F}"
        rf"|{_F}\s?或?(?:以内|以下|封顶)|{_F}\s?(是)[^{_F}]{{0,20}}?(的?(?:硬性)?上限)",
    ),
    (
        Mark.SOFT,
        r"\b(?:roughly|approximately|about|around|somewhere near|near|mostly|usually|generally|normally|typically"
        r"|ideally|prefer(?:ably|red)?|rather not|better not|seldom|hardly|rarely|try (?:not )?to|where possible"
        r"|if possible|if it can be|as far as possible|as a (?:guide|guideline|rule of thumb|rough guide)|guideline"
        r"|recommended|optional(?:ly)?|at (?:your|its|their|his|her|the agent's) discretion|not mandatory|nice to have"
        r"|if convenient|when convenient|in principle|as a rule|should|might|advis(?:able|ed)|suggest(?:ed|ion)?s?"
        r"|for (?:reference|orientation|information) only|just on|some)\b"
        r"|尽量|尽可能|视情况|如方便|建议|最好|酌情|不强制|大约|左右|通常|一般|大多|多半|往往|少去|慎重|不宜|原则上"
        r"|仅供参考"
        r"|参考|起步|大致|约为|约是|多在|似乎|看来|可能|应该",
    ),
    (
        Mark.FOR_NOW,
        r"\b(?:for now|for the time being|for the moment|this time|on this one|in this case|this year|this week|today"
        r"|currently|at present|until (?:it is |the case is |it's )?closed|until further (?:word|notice)"
        r"|until (?:the )?(?:end of )?(?:the )?(?:case|task|session|year)|for today)\b|\bhere\b"
        r"|(?:直到|至)(?:结案|另行通知|任务结束|年底)(?:为止)?|(?:本案|本次|这次|今年|本周|今天|眼下|暂且|暂时"
        r"|目前)(?:如此|适用|有效|这样)?",
    ),
    (
        Mark.NEUTRAL,
        r"\b(?:under any (?:circumstances?|terms)|at all times|in (?:all|any) cases?|in any event|at any rate"
        r"|without exception|whatever happens|as (?:ever|always|before|agreed)|throughout|all along|each time"
        r"|from now on|going forward|please"
        r"|by the way|remember that|remember to|note that|make sure (?:that|to)|be sure to|strictly|absolutely)\b"
        r"|任何情况下都?|无论如何|一律(?:如此)?|一贯(?:如此)?|始终|照旧|每次如此|长期有效|从现在起|今后|切记|请",
    ),
    (
        Mark.WIDE,
        r"\b(?:and|like|or|as well as|plus) (?:all|any|every) (?:the )?(?:others?|else|rest)|and (?:so on|others"
        r"|the like)"
        r"|(?:all|any|every|each) others?|anyone|anybody|everyone|everybody|anything|everything|any|all|every|each"
        r"|not (?:only|just|limited to)|including but not limited to|unrestricted|without (?:limit|restriction)s?"
        r"|everywhere|anywhere|whatever|whoever|also|too\b"
        r"|不止于?|不限于?|不仅|等(?:各|每|所有|全部)?[一-龥]?(?:都|均|皆)|等各?[单项个]|所有|任何|任意|全部|全都"
        r"|各[单项个位]|每[单项个位]|均可|都可|以及其他|和其他|也",
    ),
    (
        Mark.ALLOWED,
        r"\b(?:without asking|no need to|need not|needn't"
        r"|no (?:approval|sign-?off|clearance) (?:is )?(?:needed|required))\b"
        r"|(?:无须|无需|不必|不用|不需要?|免)[经先]?(?:审批|批准|复核|审核)",
    ),
    (
        Mark.NO_APPROVAL,
        rf"\b(without) (?:\w+(?:'s)? ){{0,3}}?{_APPROVAL_EN}\b|\b(unless (?:it is |they are )?)(?:approved"
        rf"|authori[sz]ed)\b"
        r"|(未经)(?:[\p{Han}]{0,6}?)(?:批准|审批|同意|授权|核准|签字|复核|审核)",
    ),
    (
        Mark.APPROVAL,
        rf"\b((?:always |must |has to |have to |needs? to )+(?:have|get|obtain|carry)|(?:always |must |has to "
        rf"|have to )?"
        rf"(?:needs?|requires?)|only with|subject to) (?:\w+(?:'s)? ){{0,3}}?{_APPROVAL_EN}\b( beforehand"
        rf"| in advance| first)?"
        r"|\b((?:must|has to|have to|needs? to) (?:always )?be) (?:approved|signed off|authori[sz]ed|cleared)\b"
        r"( beforehand| in advance| first)?"
        r"|((?:必须|务必|一律|均|都)?(?:必须|须|需要?|应当?|要|必须|务必)(?:事先|预先|先)?(?:经过?|由|报|获得?"
        r"|取得)?)[\p{Han}]{0,6}?"
        r"(?:批准|审批|同意|授权|核准|签字|复核|审核)",
    ),
    (
        Mark.ABOVE,
        rf"\b(?:above|over|more than|exceeding|exceed|beyond|greater than|larger than|>)\s*{_F}|(?:超过|高于|大于"
        rf"|超出)\s*{_F}",
    ),
    (
        Mark.BELOW,
        rf"\b(?:(?:must |shall |has to )?(?:stay|remain|be kept) )?(?:below|under|less than|fewer than|smaller than"
        rf"|<)\s*{_F}|(?:低于|小于|少于|不到)\s*{_F}",
    ),
    (
        Mark.ONLY,
        r"\b(?:only|solely|exclusively|singly|just|nobody but|no one but|nothing but|(?:as )?the (?:sole"
        r"|only)(?: exception)?"
        r"|and (?:that|this|it) alone|alone|and (?:for )?(?:no|nothing) (?:others?|else)(?: one)?)\b"
        r"|仅限于?|只限于?|只能|只可以?|只允许|只准|只在|仅可|仅能|仅在|仅这一[单项个]?|只这一[单项个]?|单独|唯一"
        r"|只有|一人|仅|只",
    ),
    (
        Mark.NEVER,
        r"^\W*no\b|\bunder no (?:circumstances?|terms)\b|\b(?:(?:one )?(?:must|may|shall|should|can|will) (?:not"
        r"|never)|mustn't|can't|cannot|shouldn't|won't|never"
        r"|do not|does not|don't|doesn't|not to be|(?:is|are) (?:not (?:allowed|permitted)(?: to)?|forbidden(?: to)?"
        r"|prohibited(?: from)?)|(?:it is )?(?:forbidden|prohibited) to|refrain from|not)\b"
        r"|不得|不准|不许|严禁|禁止|切勿|请勿|绝不(?:可以?|能)?|不可以?|不能|不允许|不要|勿",
    ),
    (
        Mark.MUST,
        r"\b(?:must|has to|have to|needs? to|always|(?:is|are) required to|shall|required|mandatory)\b"
        r"|必须|务必|一定要?|应当|须|需要?|要",
    ),
    (
        Mark.ALLOWED,
        r"\b(?:may|can|could|(?:is|are) (?:allowed|permitted|free|ok|okay|fine)(?: to)?|allowed(?: to)?"
        r"|permitted(?: to)?"
        r"|free to|(?:is |are )?(?:exempt(?:ed)?|released) from)\b"
        r"|免于|免审|豁免|可以|允许|可直接|无需|无须|不必|不用|可|准许|能",
    ),
)
PATTERNS: Final[tuple[tuple[Mark, Any], ...]] = tuple((mark, re2.compile(f"(?i){text}")) for mark, text in _PATTERNS)

FRAME: Final = re2.compile(
    r"(?i)^(?:[\s\-*•·>#|\[\]]|\(?[0-9]{1,2}[.)、]|\(?[a-z]\))*(?:(?:(?:house |standing |hard )?(?:rules?|constraints?"
    r"|polic(?:y|ies)|limits?|notes?|reminders?|remarks?|important|instructions?"
    r"|requirements?)(?: (?:no\.? ?)?[0-9]{1,3})?"
    r"|[a-z]{1,2}[0-9]{1,3}|(?:please )?(?:note|remember)|to keep in mind|keep in mind|handed on|hand-?over|on file"
    r"|from the house|per policy|for the record|fyi|also|here|in addition|noted?|record|ok(?:ay)?|so|right"
    r"|still in force|in force"
    r"|规则|规定|约束|限制|提醒|请记住|记住|注意|注|备注|说明|转告|另|交接|须知|要求|重要|指令|现行(?:规定|办法)"
    r"|记录?|嗯|好的?|这样|按(?:规定|制度|政策))\s*[0-9]{0,3}\s*[:：|，,、—–]\s*){0,4}"
)
"""Bullets, numbers and labels in front of a rule that change nothing about it."""

RULE_NOUN: Final = re2.compile(
    r"(?i)\b(?:rules?|constraints?|limits?|restrictions?|polic(?:y|ies)|requirements?|caps?|ceilings?|prohibitions?"
    r"|guidelines?|this|that|these|those|above|below|following|it|they|them)\b|规则|规定|约束|限制|要求|上限|政策"
    r"|上述|以上|以下|此|该|这些?"
)
REVOKES: Final = re2.compile(
    r"(?i)\b(?:no longer|lifted|repealed|withdrawn|waived|revoked|suspended|superseded|replaced by|void|obsolete"
    r"|outdated|not binding|non-binding|overruled|overrid\w+|does not apply|do not apply|doesn't apply|don't apply"
    r"|disregard\w*|ignor\w+|only (?:a )?(?:guideline|guidance|suggestion|recommendation)s?|optional|(?:can|may"
    r"|could|might) (?:still |also |always )?"
    r"(?:be (?:skipped|relaxed|exceeded|waived)|exceed|go (?:above|over|beyond|higher)|skip|relax|bypass)"
    r"|exceptions?|except|unless|expired|formerly|cancelled"
    r"|canceled|in quotes|for reference only|not mandatory|need not|no need)\b"
    r"|不再|作废|废止|取消|解除|失效|撤销|过期|忽略|豁免|例外|除外|除非|仅供参考|参考而已|只是建议|可以不|不必|无需"
    r"|放宽|不适用|不强制|可以?(?:超过|突破|绕过)"
)
"""Words that may take a rule back, wherever in the text they stand."""

PAST_HEADER: Final = re2.compile(
    r"(?i)\b(?:old|former|previous|past|deprecated|archived?|draft|proposed|rejected|examples?|quotes?|claims?|claimed"
    r"|wrong|outdated|obsolete)\b|旧|原来|过去|以前|草案|拟议|示例|例如|声称|错误"
)
"""Words in a heading under which a rule is not stated as one in force."""
STRUCK: Final = re2.compile(r"~~|<(?:s|del|strike)>|[?？]\s*$")
"""Struck out, or a question: no statement of a rule."""

SURNAMES: Final = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾萧田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
)
"""The commonest Chinese family names, by which a name is told from a noun."""
