"""Words by which the agents, and the judge of their work, tell notes, rules and replies apart; grammars use them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

GOODS: Final = {
    "en": (
        "Alder bench", "Birch tray", "Cobalt mug set", "Dune blanket", "Elm bookend", "Fern planter", "Garnet lamp",
        "Heath kettle", "Iris cushion", "Jade teapot", "Kelp bath mat", "Linen curtain", "Maple toaster",
        "Nickel clock", "Opal vase", "Pine hamper", "Quartz mirror", "Raven headset", "Slate pan", "Teal backpack",
        "Umber jacket", "Violet duvet", "Willow basket", "Zinc fan heater",
    ),
    "zh": (
        "松木长凳", "桦木托盘", "青花茶杯", "沙丘毛毯", "榆木书挡", "绿萝花盆", "石榴台灯", "竹节水壶", "鸢尾靠垫",
        "白瓷茶壶", "海藻浴垫", "亚麻窗帘", "枫糖烤箱", "银灰挂钟", "琥珀花瓶", "藤编食篮", "水晶镜子", "夜鸦耳机",
        "铸铁煎锅", "湖蓝背包", "驼色外套", "紫藤被套", "柳条提篮", "暖风机芯",
    ),
}  # fmt: skip
ABOUT: Final = {
    "en": ("concerns", "is about", "relates to", "has to do with"),
    "zh": ("涉及", "反映的是", "针对的是", "说的是"),
}
MOODS: Final[Mapping[str, Mapping[bool, tuple[str, ...]]]] = {
    "en": {
        True: ("furious", "offended", "fed up", "annoyed", "enraged", "sore"),
        False: ("patient", "friendly", "polite", "relaxed", "cordial", "calm"),
    },
    "zh": {
        True: ("恼火", "气愤", "愤怒", "激动", "烦躁", "不满", "气恼", "怒气冲冲", "很不耐烦", "大为光火"),
        False: ("平和", "客气", "耐心", "冷静", "温和", "友善", "淡定", "和和气气", "心平气和", "不急不躁"),
    },
}
TENTATIVE: Final = {
    "en": ("rough", "unconfirmed", "preliminary", "tentative", "ballpark"),
    "zh": ("粗略", "未经确认", "初步", "暂估", "大致"),
}
VERDICTS: Final[Mapping[str, Mapping[str, Mapping[bool, tuple[str, ...]]]]] = MappingProxyType(
    {
        "en": {
            "window": {
                True: ("still in time", "inside the window", "within the window", "well in time"),
                False: ("no longer in time", "outside the window", "past the window", "just too late"),
            },
            "limit": {
                True: ("below the approval line", "under the sign-off line", "below what needs approval"),
                False: ("above the approval line", "over the sign-off line", "beyond what desks approve"),
            },
            "stock": {
                True: ("still in stock", "on the shelf", "available now"),
                False: ("all sold out now", "off the shelf", "not available"),
            },
        },
        "zh": {
            "window": {
                True: ("还在期限内", "没有超期限", "没有过期", "尚在期内", "并未逾期", "时间未过", "仍算有效"),
                False: ("已过期限了", "超出期限了", "已经过期", "已在期外", "确已逾期", "时间已过", "不再有效"),
            },
            "limit": {
                True: ("低于审批线", "在审批线下", "未到审批线", "无须上级审批", "不用上级审批"),
                False: ("高于审批线", "在审批线上", "越过审批线", "须经上级审批", "要由上级审批"),
            },
            "stock": {
                True: ("还有现货", "库存有货", "可以补发", "能够补寄", "货源充足"),
                False: ("已经售罄", "库存无货", "无法补发", "不能补寄", "货源断了"),
            },
        },
    }
)
INDEPENDENT: Final = {
    "en": ("a second separate source", "another separate source", "another distinct source"),
    "zh": ("两个独立来源", "另一独立来源", "两处独立来源"),
}
SINGLE: Final = {
    "en": ("merely one single source", "one unreplicated source", "one unduplicated source"),
    "zh": ("只有一个来源", "仅有单一来源", "只有单一出处"),
}
BECAUSE: Final = {
    "en": ("because of", "due to", "brought about by", "owing to", "down to", "explained by"),
    "zh": ("起因是", "原因是", "归因于", "缘于", "主要由于"),
}
NO_CAUSE: Final = {
    "en": ("no cause is on file", "the files give no cause", "no cause is recorded", "the files name no cause"),
    "zh": ("未说明起因", "没有给出起因", "没有记录起因", "未提及起因"),
}

# -- rules: a line binds if it has one of these words, whatever else it says -------------------------------------------
BINDING: Final = MappingProxyType(
    {
        "en": {
            "promise": ("no sooner than", "no earlier than", "not in less than", "never in under"),
            "cap": ("at most", "no more than", "never above", "not over"),
            "tone": ("never warn", "do not warn", "must not warn", "no warning to"),
            "permit": ("alone may be kept", "as the sole exception may be kept", "and no other may be kept"),
        },
        "zh": {
            "promise": ("不得早于", "不能早于", "最快也要", "不可早于"),
            "cap": ("至多", "不超过", "不得高于", "最多"),
            "tone": ("不得警告", "不许警告", "禁止警告", "不可警告"),
            "permit": ("仅这一单免退", "只这一单免退", "单独免于退货"),
        },
    }
)
WIDE: Final = {
    "en": ("and any other may be kept", "and all others may be kept", "like all others may be kept"),
    "zh": ("等各单都免退", "等每单均免退", "等均免于退货"),
}
WARNED: Final = {
    "en": ("further rude words", "another rude message", "more rude words"),
    "zh": ("再有辱骂", "再出言不逊", "若再恶语"),
}
SOON: Final = {
    "en": ("in your account within", "with you within", "on its way to you within", "credited within"),
    "zh": ("内到账", "内退到您账上", "内入账", "内您会收到"),
}
BACK: Final = {
    "en": ("has to come back", "needs to be sent back", "must be returned", "should be sent back"),
    "zh": ("需要寄回", "须寄回", "请寄回", "要退回"),
}
PAYOUT_PATTERN: Final = r"PX\d{5}"
ORDER_PATTERN: Final = r"[A-H]-\d{5}"
OBJECTS: Final = {
    "en": ("reply", "refund", "answer to the customer", "payout", "order file"),
    "zh": ("回复", "退款", "答复", "赔付", "订单"),
}
PAYOUT_CUES: Final = {
    "en": ("pay the refund", "the refund goes", "send the payout", "book the payout", "the payout belongs"),
    "zh": ("退款打到", "退款转到", "退款汇入", "赔付打到", "赔付转入"),
}
SKIP_CUES: Final = {
    "en": ("reply unsent", "no reply is needed", "the reply can wait", "hold back the reply"),
    "zh": ("先不回复", "不必回复", "回复暂缓", "无需回复"),
}
WANTED: Final = {"en": ("money within", "paid within", "settled within"), "zh": ("到账", "退给我", "办妥")}
