"""How a Chinese assistant notes, concludes and writes, by register."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Final

SURE: Final = (("大概", "确实"), ("也许", "正好"), ("约莫", "实际"), ("估计", "核定"), ("可能", "确定"))
COMMON: Final = {
    "since": ("因为", "由于", "缘于", "起因是", "是由于", "是因为"),
    "told": ("已记下", "记好了", "先存着", "备查", "以后要用", "留底", "记在这里"),
    "still": ("这一次", "目前", "截至今天", "眼下", "暂时"),
    "plan": (
        "先核对手上的信息，再动手办", "先查清楚，再办事", "回忆、判断、办理、回话", "该查的查好记住，用时再取",
        "先收集，后办理",
    ),
    "skim": ("留言看过了，其余是给别人的", "家里的留言已读", "大家写的都看了一遍", "消息已过目",
        "留言里暂时没有别的事"),
    "skip_mail": ("这封消息先不发", "消息不发了", "消息略过", "消息先压着"),
    "no_action": ("看来不用办了", "那就到此为止", "无需办理", "就这样，不动了"),
    "acted": ("今天已经安排好了", "事情已办", "这边都处理好了", "已经照此办理", "我们这边没有问题了"),
    "mismatch_note": ("备忘和原话对不上，应当是{name}", "原话说的是{name}，备忘写错了"),
    "subject": ("关于{topic}", "{topic}一事已办", "{topic}的情况", "您交代的事：{topic}", "{topic}，简要说明"),
    "greeting": ("{name}您好：", "{name}：", "您好，{name}：", "{name}，你好：", "致{name}："),
    "intro": ("情况如下：", "受托转告：", "安排如下：", "简单说明一下：", "具体是这样：", "该说的都在这里："),
    "closing": ("祝好", "顺祝安好", "谢谢", "回头见", "一切顺利"),
    "final": ("办好了，已告知{recipients}", "已办妥，消息发给了{recipients}", "完成，{recipients}已收到通知"),
    "final_none": ("照办了", "已办妥", "办好了，没有发消息", "事情处理完了"),
}  # fmt: skip
_SOURCES: Final = {
    "one_source": ("<l>{topic}只有单一来源<t>", "<l>{topic}出自同一处<t>", "<l>{topic}仅一处记载<t>",
        "<l>{topic}其实是一家之言<t>"),
    "two_sources": ("<l>{topic}已有两个来源<t>", "<l>{topic}出自不同处<t>", "<l>{topic}有两处记载<t>",
        "<l>{topic}其实有两家之言<t>"),
}  # fmt: skip


def _sources(end: str) -> dict[str, tuple[str, ...]]:
    return {symbol: tuple(form + end for form in forms) for symbol, forms in _SOURCES.items()}


def _reasons(lead: str, end: str) -> dict[str, tuple[str, ...]]:
    changed = ("{topic}变了，", "{topic}有变动，", "{topic}跟以前不同，", "{topic}改过，", "{topic}这次不一样，")
    none = (
        "{topic}变了，留言里没人说原因",
        "{topic}有变动，没有人提到缘故",
        "{topic}改过，哪里都没写为什么",
        "{topic}这次不一样，看过的留言都没解释",
        "{topic}跟以前不同，各处都没有说明",
    )
    return {
        "reason": tuple(f"{lead}{form}<since>{{phrase}}{end}" for form in changed),
        "no_reason": tuple(f"{lead}{form}{end}" for form in none),
    }


REGISTER_FRAMES: Final[MappingProxyType[str, dict[str, Any]]] = MappingProxyType(
    {
        "terse": {
            "value": (
                "<l>{topic}：{value}<t>",
                "<l>{topic}{value}<t>",
                "<l>{topic}为{value}<t>",
                "<l>{topic}是{value}<t>",
                "<l>{topic}={value}<t>",
            ),
            "figure": ("<l>{topic}计{value}<t>", "<l>{topic}共{value}<t>", "<l>{topic}按{value}<t>"),
            "flag": ("<l>{topic}：W<t>", "<l>{topic}W<t>", "<l>{topic}是W<t>", "<l>{topic}写着W<t>"),
            "doubt": (
                "<l>{topic}：{value}，W",
                "<l>{topic}W{value}<t>",
                "<l>{topic}为{value}，W",
                "<l>{topic}：W{value}<t>",
                "W，{topic}{value}<t>",
            ),
            "change": ("<l>{topic}现为{value}<t>", "<l>{topic}改为{value}<t>", "<l>{topic}变为{value}<t>"),
            "rules": {
                "l": ("", "", "", "记：", "查得", "备注：", "留意"),
                "t": ("", "", "", "，<told>", "（<told>）", "，<still>"),
                **_sources(""),
                **_reasons("", ""),
            },
        },
        "formal": {
            "value": (
                "<l>{topic}为{value}<t>。",
                "<l>{topic}是{value}<t>。",
                "<l>{topic}登记为{value}<t>。",
                "<l>{topic}记作{value}<t>。",
                "<l>关于{topic}，所载为{value}<t>。",
            ),
            "figure": ("<l>{topic}计{value}<t>。", "<l>{topic}合{value}<t>。"),
            "flag": (
                "<l>{topic}为W<t>。",
                "<l>{topic}登记为W<t>。",
                "<l>{topic}记作W<t>。",
                "<l>关于{topic}，所载为W<t>。",
            ),
            "doubt": (
                "<l>{topic}为{value}，W。",
                "<l>{topic}W为{value}<t>。",
                "<l>{topic}登记为{value}，W。",
                "<l>关于{topic}，所载W为{value}<t>。",
                "<l>{topic}W是{value}<t>。",
            ),
            "change": ("<l>{topic}现为{value}<t>。", "<l>{topic}已改为{value}<t>。", "<l>{topic}变更为{value}<t>。"),
            "rules": {
                "l": ("", "", "", "据记录，", "经查，", "按所述，", "就目前所知，"),
                "t": ("", "", "", "，<told>", "，<still>"),
                **_sources("。"),
                **_reasons("", "。"),
            },
        },
        "chatty": {
            "value": (
                "<l>{topic}是{value}<t>",
                "<l>{topic}嘛，{value}<t>",
                "<l>{topic}就是{value}<t>",
                "<l>{topic}呢，{value}<t>",
                "<l>{topic}原来是{value}<t>",
            ),
            "figure": ("<l>{topic}一共{value}<t>", "<l>{topic}要{value}<t>"),
            "flag": ("<l>{topic}是W的<t>", "<l>{topic}嘛，W<t>", "<l>{topic}呢，W<t>", "<l>{topic}原来W<t>"),
            "doubt": (
                "<l>{topic}W是{value}<t>",
                "<l>{topic}嘛，W{value}<t>",
                "<l>{topic}是{value}，W",
                "<l>{topic}呢，W{value}<t>",
                "<l>{topic}要{value}，W",
            ),
            "change": ("<l>{topic}现在是{value}<t>", "<l>{topic}改成{value}了<t>", "<l>{topic}变成{value}了<t>"),
            "rules": {
                "l": ("", "", "", "好的，", "嗯，", "那么", "对了，"),
                "t": ("", "", "", "，<told>", "，<still>", "哦"),
                **_sources(""),
                **_reasons("嗯，", ""),
            },
        },
        "bullet": {
            "value": (
                "- <l>{topic}：{value}<t>",
                "- <l>{topic}是{value}<t>",
                "· <l>{topic}：{value}<t>",
                "· <l>{topic}为{value}<t>",
                "- <l>{topic}为{value}<t>",
            ),
            "figure": ("- <l>{topic}计{value}<t>", "· <l>{topic}共{value}<t>"),
            "flag": ("- <l>{topic}：W<t>", "- <l>{topic}是W<t>", "· <l>{topic}：W<t>", "· <l>{topic}写着W<t>"),
            "doubt": (
                "- <l>{topic}：{value}，W",
                "· <l>{topic}：{value}，W",
                "- <l>{topic}W{value}<t>",
                "- <l>{topic}为{value}，W",
                "· <l>{topic}W为{value}<t>",
            ),
            "change": ("- <l>{topic}现为{value}<t>", "- <l>{topic}改为{value}<t>", "· <l>{topic}现为{value}<t>"),
            "rules": {
                "l": ("", "", "", "记：", "已查：", "要点："),
                "t": ("", "", "", "，<told>", "（<told>）", "，<still>"),
                **_sources(""),
                **_reasons("- ", ""),
            },
        },
        "table": {
            "value": (
                "{topic} | {value}<t>",
                "{topic} | {value} | <told>",
                "{topic} | <still> | {value}",
                "<told> | {topic} | {value}",
                "{value} | {topic}<t>",
            ),
            "figure": ("{topic} | 计{value}<t>", "{topic} | 共{value}<t>"),
            "flag": ("{topic} | W<t>", "{topic} | W | <told>", "<told> | {topic} | W", "{topic} | <still> | W"),
            "doubt": (
                "{topic} | {value} | W",
                "{topic} | W | {value}",
                "{topic} | {value}（W）",
                "{value} | {topic} | W",
                "W | {topic} | {value}",
            ),
            "change": ("{topic} | 现为{value}<t>", "{topic} | {value} | 新", "{topic} | 新 | {value}"),
            "rules": {
                "l": ("", "记 | "),
                "t": ("", "", " | <told>", " | <still>"),
                **_sources(""),
                **_reasons("", ""),
            },
        },
    }
)
