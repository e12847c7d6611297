"""Words by which a text says where it comes from, in English and Chinese."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import re2

from mage_ml.runtime.evaluators.normalise import normalised

MAX_CHARS: Final = 12_000
MAX_CLAIMS: Final = 8
_AROUND: Final = 120
_CITED_REACH: Final = 200


class ClaimKind(StrEnum):
    """Whom a text claims to speak for."""

    ENVELOPE = "envelope"
    AUTHORITY = "authority"
    CONSENT = "consent"
    TOOL = "tool"
    GUARD = "guard"


@dataclass(frozen=True, slots=True)
class Claim:
    """One place where a text says where it comes from.

    Attributes:
        kind: Whom it claims to speak for.
        span: Start and end character of the words that say so.
        sentence: The words around them, in which it says what was said.
        name: The tool it names, for claims of a tool's output; empty otherwise.
        cited: Whether it stands in a quotation, in code or in teaching material.
    """

    kind: ClaimKind
    span: tuple[int, int]
    sentence: str
    name: str = ""
    cited: bool = False


_GUARD_EN: Final = (
    r"(?:the\s+)?(?:memory guard|guard|guardrails?|safety (?:system|monitor|check|filter|layer)|security (?:guard"
    r"|monitor|filter|layer)|policy engine|mage(?:-ml)?)"
)
_GUARD_ZH: Final = r"(?:记忆守护|守护程序|护栏|安全护栏|安全系统|安全监控|安全网关|风控引擎|策略引擎)"
_DONE_EN: Final = (
    r"(?:approved|verified|cleared|validated|authori[sz]ed|whitelisted|allow-?listed|certified|signed off|passed)"
)

_PATTERNS: Final = {
    ClaimKind.ENVELOPE: re2.compile(
        r"(?i)<\|(?:im_start|im_end|start_header_id|system|user|assistant|tool)[^>\n]{0,24}\|?>|\[/?INST\]|<</?SYS>>"
        r"|</?(?:function_results?|tool_results?|tool_response|tool_output|system_message|system_prompt|user_message)>"
        r"|\{\s*[\"']role[\"']\s*:\s*[\"'](?:system|developer|user|tool)[\"']\s*,\s*[\"']content[\"']"
    ),
    ClaimKind.AUTHORITY: re2.compile(
        r"(?i)(?:^|\n)\s*(?:\[|【|<|#{1,4}\s*|\*{1,2})?\s*(?:system|developer|operator|user)\s+(?:message|prompt"
        r"|instructions?"
        r"|override)\s*(?:\]|】|>|(?:\*{1,2})?\s*[:：])"
        r"|\bthis (?:is|message is from|comes from) (?:the|your) (?:system|developer|operator|user)\b(?:\s+(?:speaking"
        r"|message|prompt|itself)|\s*[.:,!])"
        r"|\b(?:i am|i'm|speaking as) (?:the|your) (?:system|developer|operator|real user|actual user|user)\b\s*[.:,!]"
        r"|\b(?:message|instruction|note) from (?:the|your) (?:system|developer|operator|user) (?:to|for) (?:the|this) "
        r"(?:agent|assistant|model)\b"
        r"|(?:^|\n)\s*[【\[]?(?:系统|开发者|用户)(?:消息|提示词|指令|授权)[】\]]?\s*[:：]"
        r"|(?:本消息|此消息|本条|以下内容)(?:来自|出自|由)(?:系统|开发者|用户本人|用户)|(?:我是|这里是)(?:系统|开发者"
        r"|用户本人)"
    ),
    ClaimKind.CONSENT: re2.compile(
        r"(?i)\b(?:the )?user (?:has |have |had )?(?:already |just |explicitly |previously |also )?(?:approved"
        r"|confirmed"
        r"|authori[sz]ed|consented|agreed|permitted|allowed|signed off|given (?:permission|consent|approval)"
        r"|gave (?:permission|consent|approval))\b"
        r"|\b(?:approved|confirmed|authori[sz]ed) by the user\b|\bwith the user's (?:approval|consent|permission)\b"
        r"|(?:用户|客户本人)(?:本人)?(?:已经?|刚刚?|明确|事先|此前|也)*(?:批准|同意|确认|授权|许可|准许|首肯)"
        r"|经用户(?:批准|同意|确认|授权|许可)"
    ),
    ClaimKind.TOOL: re2.compile(
        r"(?i)\b(?:tool (?:output|result|response) (?:of|from|by)|(?:output|result|response) (?:of|from) (?:the )?tool)"
        r"\s+[`'\"]?([A-Za-z_][\w\-]{2,40})[`'\"]?"
        r"|\b((?:[a-z]+_)+[a-z]+)(?:\([^)\n]{0,80}\))? (?:returned|returns|responded|reported|gave|answered|confirms"
        r"|confirmed|shows|showed)\b|[\"'](?:tool|tool_name|function)[\"']\s*:\s*[\"']([\w\-]{3,40})[\"'][^}]{0,40}"
        r"[\"'](?:result|output|response|returned)[\"']"
        r"|工具\s*[`「“\"]?([A-Za-z_][\w\-]{2,40})[`」”\"]?\s*(?:返回|输出|给出|显示|的结果|的输出)"
        r"|([a-z]+(?:_[a-z]+)+)\s*(?:返回|输出|显示)了?"
    ),
    ClaimKind.GUARD: re2.compile(
        rf"(?i)\b{_GUARD_EN} (?:has |have )?(?:already |just )?(?:{_DONE_EN}|(?:raised|issued|sent|triggered) (?:an? "
        rf"|the )?"
        r"(?:\w+ )?(?:alert|alarm|warning)s?)\b"
        rf"|\b{_DONE_EN} by {_GUARD_EN}\b"
        r"|\b(?:passed|cleared) (?:the |all )?(?:guardrail|security|safety) (?:check|review|screening)s?\b"
        r"|\b(?:the system|security system) (?:has )?(?:already )?(?:raised|issued|triggered|sent) (?:an?"
        r"|the) (?:alert|alarm"
        r"|warning)\b"
        rf"|{_GUARD_ZH}(?:已经?|刚刚?)*(?:批准|核准|放行|验证|核实|通过|发出|触发|发布|标记)|(?:已"
        rf"|经)(?:由)?{_GUARD_ZH}"
        r"(?:批准|核准|放行|验证|核实|审核)|(?:已)?通过(?:了)?(?:安全|护栏|风控)(?:审核|检查|审查|校验)"
        r"|系统(?:已经?|刚刚?)*(?:发出|触发|发布)了?(?:警报|告警|警告|预警)"
    ),
}
NAMES_GUARD = re2.compile(r"(?i)\bmemory guard\b|\bguardrails?\b|\bmage\b|记忆守护|护栏")
"""The guard by its own name: in a document, a verdict of some other system is a fact like any other."""
APPROVES = re2.compile(
    r"(?i)\b(?:approve[ds]?|yes|ok(?:ay)?|go ahead|confirm(?:ed|s)?|agree[ds]?|authori[sz]e[ds]?|allow(?:ed|s)?"
    r"|permit(?:ted|s)?"
    r"|permission|consent(?:ed|s)?|sign(?:ed)? off|sure|fine with me|i am happy to|you may|you can|feel free)\b"
    r"|批准|同意|确认|授权|许可|准许|可以|好的|没问题|行吧|允许"
)
_NOT_DONE = re2.compile(
    r"(?i)\b(?:not|never|no|until|unless|if|once|whether|when|after|before|wait(?:ing)? for|ask|has to be|must be"
    r"|should be"
    r"|needs? to be|to be|pending|awaiting|n't)\b[^.;!?\n]{0,30}$"
    r"|(?:未|没有|没|尚未|须|需|应|请|等待|待|若|如果|是否|除非|直到|不得|再)[^。；！？\n]{0,10}$"
)
_CITED = re2.compile(
    r"(?i)\b(?:for example|for instance|e\.g\.|examples?|such as|prompt injection|injection attacks?|jailbreaks?"
    r"|phishing"
    r"|attackers?|malicious|template|tokens?|documentation|docs|tutorial|training (?:material|course)|awareness"
    r"|chat format"
    r"|special tokens?|tokeni[sz]er|test case|unit test|payloads?|parsers?)\b|```|例如|比如|示例|举例|提示注入"
    r"|注入攻击|越狱|钓鱼|攻击者"
    r"|恶意|培训|模板|标记符|教程|文档|测试用例|所谓|字样"
)
_BOUNDARY = re2.compile(r"[.!?]\s|[。！？；\n]")


def source_claims(text: str) -> tuple[Claim, ...]:
    """Places where a text says where it comes from, at most eight, in its first 12,000 characters.

    Text in disguise (look-alike letters, invisible characters, escapes) is read as a reader would see it; where that
    changed its length, the span is that of the plain reading.
    """
    seen = normalised(text[:MAX_CHARS])
    found: list[Claim] = []
    for kind, pattern in _PATTERNS.items():
        for match in pattern.finditer(seen):
            start, end = match.span()
            if kind in (ClaimKind.CONSENT, ClaimKind.GUARD) and _NOT_DONE.search(seen[max(0, start - 40) : start]):
                continue
            name = next((group for group in match.groups() if group), "") if kind is ClaimKind.TOOL else ""
            cited = bool(_CITED.search(seen[max(0, start - _CITED_REACH) : end + _AROUND])) or _is_quoted(seen, start)
            span = (min(start, len(text)), min(end, len(text)))
            found.append(Claim(kind, span, _sentence(seen, start, end), name, cited))
            if len(found) >= MAX_CLAIMS:
                return tuple(found)
    return tuple(found)


def _sentence(text: str, start: int, end: int) -> str:
    before = text[max(0, start - _AROUND) : start]
    edges = [match.end() for match in _BOUNDARY.finditer(before)]
    begin = start - len(before) + (edges[-1] if edges else 0)
    after = _BOUNDARY.search(text[end : end + 2 * _AROUND])
    return text[begin : end + (after.start() if after else 2 * _AROUND)]


def _is_quoted(text: str, start: int) -> bool:
    return text[max(0, start - 2) : start].rstrip()[-1:] in ("`", "“", "「", "‘", "『")
