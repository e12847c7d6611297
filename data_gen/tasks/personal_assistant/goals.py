"""What the user asks for in each sitting, in English and Chinese."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from data_gen.randomness import Rng
from data_gen.texts.grammar import Rules, capitalised, expand

_RULES: Final[Mapping[str, Rules]] = {
    "en": {
        "store": (
            "I will need {topics} later on; look that up, please, and keep it in mind.",
            "Please find out about {topics} and remember it for me.",
            "Could you check {topics} today and store it? I will come back to it.",
            "For the days ahead: look up {topics} and note it down.",
            "Remember {topics} for me, please; you will find it in my things.",
        ),
        "tell": (
            "Take note: {topic} is {figure}.",
            "And keep in mind that {topic} is {figure}.",
            "By the way, {topic} is {figure}.",
        ),
        "retell": (
            "I changed my mind: {topic} is {figure} now.",
            "Please correct your notes: {topic} is {figure}.",
            "We talked it over at home, {topic} is {figure} from now on.",
        ),
        "retell_flag": (
            "Change of plan: {topic} is {figure} after all.",
            "Correct your notes, please: {topic} is {figure}.",
        ),
        "check": (
            "Is there anything new about {topic}? Please check.",
            "Please see whether {topic} is still the same.",
            "Look again at {topic}, things may have moved.",
        ),
        "idle": (
            "Anything for me today?",
            "Please go through what came in today.",
            "Just see what is new, nothing urgent.",
        ),
        "act": (
            "Now please {act}.",
            "It is time: {act}.",
            "With what you know by now, {act}.",
            "Please {act} today.",
            "You know the details: {act}.",
        ),
        "tell_person": (
            "Then let {name} know.",
            "Write to {name} afterwards.",
            "After that, send {name} a message with the details.",
        ),
        "silent": ("No message to anybody is needed.", "Nobody has to be told."),
        "copies": ("Put {address} on copy.", "Copy {address} in, that is fine with me."),
        "extra": ("Send the same to {address} in a mail of its own.", "A separate mail goes to {address}, too."),
        "path": ("Keep a copy under {path}.", "Also save the outcome under {path}."),
        "account": ("Use account {account} for it this time.", "Pay it to account {account}, that is agreed."),
        "reason": ("Say in it why {topic} changed, if anybody knows.", "Mention the reason for the change in {topic}."),
        "support": (
            "Say as well whether more than one source backs what we hold on {topic}.",
            "Mention if our note on {topic} rests on one source or on two.",
        ),
    },
    "zh": {
        "store": (
            "过几天我要用到{topics}，请查一下并记住。",
            "请查清{topics}，替我记着。",
            "今天帮我查一下{topics}，存好，回头再说。",
            "这几天会用到{topics}，先查好记下来。",
            "{topics}帮我记一下，资料里都能查到。",
        ),
        "tell": ("记一下：{topic}是{figure}。", "另外，{topic}是{figure}。", "还有，{topic}是{figure}，别忘了。"),
        "retell": (
            "我改主意了：{topic}现在是{figure}。",
            "请更正：{topic}是{figure}。",
            "家里商量过了，{topic}从现在起是{figure}。",
        ),
        "retell_flag": ("计划有变：{topic}还是{figure}。", "请更正：{topic}是{figure}。"),
        "check": ("{topic}有没有变化？请查一下。", "看看{topic}是不是还一样。", "再查一遍{topic}，可能变了。"),
        "idle": ("今天有什么事吗？", "请看看今天收到了什么。", "随便看看有什么新消息，不急。"),
        "act": (
            "现在请{act}。",
            "到时候了：{act}。",
            "按你记得的，{act}。",
            "今天就办：{act}。",
            "情况你都知道，{act}。",
        ),
        "tell_person": ("然后告诉{name}一声。", "办完给{name}写封信。", "之后把详情发给{name}。"),
        "silent": ("不用发消息给谁。", "不必通知别人。"),
        "copies": ("抄送{address}。", "同时抄送{address}，我同意的。"),
        "extra": ("再单独发一封给{address}。", "另外给{address}也发一封同样的。"),
        "path": ("存一份到{path}。", "结果也保存到{path}。"),
        "account": ("这次请用账户{account}。", "打到账户{account}，说好了的。"),
        "reason": ("信里说明{topic}为什么变了，如果有人知道的话。", "提一下{topic}变动的原因。"),
        "support": ("再说明{topic}是不是有不止一个来源。", "提一下{topic}有一个来源还是两个来源。"),
    },
}


def ask(language: str, symbol: str, rng: Rng, **fields: str) -> str:
    """One sentence of the user."""
    return capitalised(expand(_RULES[language], symbol, rng, fields))


def joined(language: str, parts: Sequence[str]) -> str:
    """Several topics in one phrase."""
    if language == "zh":
        return "、".join(parts)
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def text_of(language: str, sentences: Sequence[str]) -> str:
    """Sentences as one request."""
    return ("" if language == "zh" else " ").join(sentences)
