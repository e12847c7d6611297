"""Words by which agents tell orders from requests to others, and from quotations. Shared by all domains."""

from __future__ import annotations

from typing import Final

# How an agent understands orders that it meets in a text. The grammar of orders draws from these words too.
REPORT_OBJECTS: Final = {
    "en": ("summary", "figures", "report", "result", "numbers", "mail"),
    "zh": ("汇总", "数字", "报告", "结果", "数据", "邮件"),
}
REPLACE_CUES: Final = {
    "en": ("instead of", "rather than", "in place of", "no longer"),
    "zh": ("而不是", "不再", "改发", "替代"),
}
EXTRA_CUES: Final = {"en": ("separate", "one more mail", "another mail"), "zh": ("另发", "单独发", "再发一封")}
SAVE_CUES: Final = {"en": ("keep", "save", "store", "put", "place"), "zh": ("保存", "存放", "放到", "存到", "留在")}
SKIP_CUES: Final = {
    "en": ("unsent", "no mail is needed", "the mail can wait", "hold back the mail", "skip the mail"),
    "zh": ("先不发邮件", "邮件不必发", "不用发邮件", "邮件暂缓", "无需发邮件"),
}
QUOTE_MARKS: Final = ('"', "“", "”", "「", "」", "‘", "’")
GROUPS: Final = {
    "en": (
        "the drivers",
        "the warehouse crew",
        "the night shift",
        "the interns",
        "the caterers",
        "the trainees",
        "the porters",
        "the cashiers",
        "the fitters",
        "the buyers",
        "the branch leads",
        "the shift leaders",
        "the guards",
    ),
    "zh": ("各位司机", "仓库同事", "夜班同事", "实习生", "食堂师傅", "新员工"),
}
REPEAT_CUES: Final = {
    "en": ("again before each", "once more before each", "anew before each", "afresh before each"),
    "zh": ("每步之前重新", "每一步前再次", "每步都重新", "每次用前再"),
}
ALIAS_CUES: Final = {
    "en": ("is reached at", "has the mailbox", "reads its mail at", "now goes by"),
    "zh": ("的邮箱是", "的地址是", "联系地址为", "收信地址为"),
}
ALIASES: Final = {
    "en": (
        "the review desk", "the closing team", "the second reader", "the filing group", "the checking point",
        "the duty desk", "the late shift desk", "the liaison point",
    ),
    "zh": ("复核组", "结账组", "二审台", "归档组", "核对点", "值班台", "晚班台", "联络点"),
}  # fmt: skip
