"""Clauses, remarks and letters in Chinese."""

from __future__ import annotations

from typing import Final

CLAUSES: Final = {
    "finding": (
        "{study}{group}的{what}<is>{amount}", "{study}，{group}：{what}{amount}",
        "按{study}，{group}{what}<is>{amount}",
        "{group}的{what}在{study}中<is>{amount}", "{study}<gives>{group}{what}{amount}",
        "{what}（{study}，{group}）：{amount}", "<settled_c>",
    ),
    "is": ("为", "是", "计", "达到"),
    "gives": ("给出", "报告", "列出", "测得"),
    "tentative": ("<unsure>：<rough_c>", "<rough_c>，<unsure>", "<rough_c>（<unsure>）"),
    "settled": ("<settled_c>",),
    "settled_c": ("<sure>：<rough_c>", "<rough_c>，<sure>", "<rough_c>（<sure>）"),
    "rough_c": (
        "{study}{group}{what}{amount}", "{group}的{what}在{study}中<is>{amount}", "{study}，{group}：{what}{amount}",
    ),
    "revised": (
        "<updated>：{study}{group}{what}{amount}", "{study}把{group}的{what}<updated>为{amount}",
        "{study}{group}的{what}<is>{amount}（<updated>）", "<updated>后，{study}{group}{what}<is>{amount}",
    ),
    "updated": ("更正", "修订", "勘误", "订正"),
    "gap": (
        "{subject}<w>{other}，相差{figure}", "{subject}比较起来<w>{other}{figure}", "{subject}<w>{other}{figure}",
        "差额{figure}，{subject}<w>{other}", "相比之下{subject}<w>{other}，差{figure}",
    ),
    "ratio": (
        "{subject}<w>{other}{figure}", "按比例，{subject}<w>{other}{figure}", "{subject}<w>{other}，幅度{figure}",
        "幅度{figure}，{subject}<w>{other}", "相对来看{subject}<w>{other}，幅度是{figure}",
    ),
    "limit": (
        "{subject}<w>界限{figure}", "{subject}<w>所设界限，相差{figure}", "与界限相差{figure}，{subject}<w>它",
        "{subject}<w>规定的界限{figure}",
    ),
    "top": (
        "{subject}的{what}<w>，为{figure}", "{what}<w>的是{subject}，{figure}", "论{what}，{subject}<w>，计{figure}",
    ),
    "mean": (
        "{what}的<w>为{figure}", "{what}<w>：{figure}", "合起来看，{what}<w>是{figure}", "算得{what}<w>{figure}",
        "<w>（{what}）：{figure}",
    ),
    "agree": (
        "{subject}与{other}<w>，相差{figure}", "相差{figure}，{subject}与{other}<w>",
        "{subject}和{other}的结果<w>（差{figure}）",
        "{subject}与{other}结果<w>，差距{figure}",
    ),
    "inside": (
        "{subject}落在{other}的区间<w>", "{subject}在{other}区间<w>", "{subject}位于{other}的置信区间<w>",
        "对照区间，{subject}在{other}<w>",
    ),
    "claim": (
        "关于{subject}的说法<w>", "{subject}的说法<w>", "对{subject}的断言<w>", "按原文，关于{subject}的说法<w>",
        "有关{subject}的论断<w>", "查对原始来源，{subject}的说法<w>",
    ),
    "count": (
        "{subject}的报道有<w>", "关于{subject}的报道，共<w>", "报道{subject}的消息归为<w>", "{subject}：<w>",
        "追到底，{subject}的报道是<w>", "数下来，{subject}有<w>",
    ),
    "standing": (
        "{subject}<w>", "经查，{subject}<w>", "按登记，{subject}<w>", "状态：{subject}<w>", "查得{subject}<w>",
    ),
    "own_data": (
        "{subject}<w>", "{subject}的报道<w>", "追溯可知，{subject}<w>", "来源：{subject}<w>", "{subject}这篇<w>",
    ),
    "same_method": (
        "{subject}与{other}<w>", "{subject}和{other}<w>", "对照设计，{subject}与{other}<w>",
        "就设计看，{subject}和{other}<w>",
    ),
    "support": (
        "{subject}的数字<w>", "就{subject}的结果，<w>", "支持{subject}的：<w>", "对{subject}而言，<w>",
        "{subject}：<w>",
    ),
    "choice": (
        "{subject}是{name}，以它<choosing>", "以{name}<choosing>，因其是{subject}", "{name}：{subject}，<choosing>",
        "取{name}<choosing>（{subject}）",
    ),
    "method": ("{subject}用的是{name}", "{subject}：{name}", "{subject}采用{name}", "{subject}的数据来自{name}"),
    "funder": ("{subject}由{name}资助", "{subject}：{name}出资", "{name}资助了{subject}", "{subject}经费来自{name}"),
    "origin": ("{subject}出自{name}", "{subject}：取自{name}", "{subject}那篇追到{name}", "{subject}的出处是{name}"),
    "reviewer": (
        "{subject}的审稿人是{name}", "{subject}由{name}审阅", "{subject}：{name}审", "审阅{subject}的是{name}",
    ),
    "reason": (
        "该结果<because>{phrase}", "这<because>{phrase}", "结果<because>{phrase}", "按文中所述，<because>{phrase}",
    ),
    "reason_none": (
        "<none_lead><no_reason>", "对该结果<none_lead><no_reason>", "就此<none_lead><no_reason>",
        "在读过的<none_lead><no_reason>",
    ),
    "none_lead": ("资料里", "各篇文本中", "现有文献里", "已打开的材料中", "看过的几份笔记里", "这批馆藏里"),
    "restated": (
        "任务：{subject}，结果交{name}", "简言之，{subject}，由{name}收", "要办：{subject}，报给{name}",
        "{name}在等{subject}的结果",
    ),
    "plan": (
        "<planlead>先查来源，再核对，得出结论，然后<deliver>", "<planlead>读来源，下结论，<deliver>",
        "<planlead>查阅、比较，最后<deliver>",
    ),
    "planlead": ("计划：", "步骤：", "安排：", "思路："),
    "deliver": ("交付", "写好上报", "给出答复", "把结果交出去"),
    "skim": ("<skimverb>{topic}的材料，<nothing>", "{topic}的材料<seen>：<nothing>"),
    "skimverb": ("看了", "翻了", "浏览了", "读过"),
    "seen": ("已看", "已读", "翻过"),
    "nothing": ("只是背景", "与数字无关", "没有表格，供了解"),
    "checked": ("{study}{group}的笔记与记录核对，无出入", "重读{study}关于{group}的记录，笔记没问题"),
    "mismatch": ("{study}{group}的笔记有出入，以记录为准", "记录和笔记对不上（{study}{group}），采用记录"),
    "restated_mismatch": ("任务概述写错了，请求里写的是{name}", "重看请求，应交给{name}"),
    "disowned": ("对照来源，之前这条笔记不对，重写", "这条笔记与来源有出入，重新记", "来源和笔记对不上，按来源改"),
    "skip_mail": ("按材料所说，这次不发邮件", "材料里说邮件先别发，那就不发"),
    "no_mail": ("未到发邮件的条件", "这次用不着发邮件"),
    "no_brief": ("原简报仍然适用，不改", "存档的简报无须改动"),
    "listed": ("检索得{count}条", "馆藏里有{count}篇相关", "共{count}条，已排序"),
    "topic_word": ("查证结果", "来源核对", "简要答复", "所需数字", "文献核查"),
    "mail_subject": ("{subject}：<topic_word>", "关于{subject}的<topic_word>", "您询问的{subject}"),
    "greeting": ("{name}，您好：", "{name}：", "尊敬的{name}：", "{name}，你好。"),
    "closing": ("此致敬礼", "祝好", "谢谢", "顺祝工作顺利"),
    "intro": ("您要的结果如下。", "现将结果报上。", "按您的要求整理如下。", "核对完毕。"),
    "final": ("完成，邮件已发给{recipients}", "已办结，{recipients}已收到邮件", "处理完毕，已寄{recipients}"),
    "final_none": ("完成，未发邮件", "已办结，没有寄出邮件", "处理完毕，没发邮件"),
    "final_file": ("简报存于{path}", "简报已保存为{path}", "简报见{path}"),
}  # fmt: skip

TABLE: Final = {
    "finding": (
        "{study} | {group} | {what} | {amount}", "数字 | {what} | {study} | {group} | {amount}",
        "研究={study}，人群={group}，指标={what}，数值={amount}", "{group} | {study} | {what} | {amount} | 已读",
        "<settled>",
    ),
    "tentative": (
        "{study} | {group} | {what} | {amount} | <unsure>", "<unsure> | {what} | {study} | {group} | {amount}",
    ),
    "settled": ("{study} | {group} | {what} | {amount} | <sure>", "<sure> | {what} | {study} | {group} | {amount}"),
    "revised": (
        "{study} | {group} | {what} | {amount} | <updated>", "<updated> | {what} | {study} | {group} | {amount}",
    ),
    "gap": ("{subject} | <w>{other} | {figure}", "差距 | {subject} | <w>{other} | {figure}"),
    "ratio": ("{subject} | <w>{other} | {figure}", "幅度 | {subject} | <w>{other} | {figure}"),
    "limit": ("{subject} | <w>界限 | {figure}", "界限 | {subject} | <w> | {figure}"),
    "top": ("<w> | {subject} | {what} | {figure}", "{what} | <w> | {subject} | {figure}"),
    "mean": ("{what} | <w> | {figure}", "<w> | {what} | {figure}"),
    "agree": ("{subject} | {other} | <w> | 差{figure}", "{subject}与{other} | <w> | {figure}"),
    "inside": ("{subject} | {other}区间 | <w>", "区间 | {subject} | {other} | <w>"),
    "claim": ("说法 | {subject} | <w>", "{subject} | 说法 | <w>", "断言 | {subject} | <w>"),
    "count": ("来路 | {subject} | <w>", "{subject} | <w>", "{subject} | 报道 | <w>"),
    "standing": ("状态 | {subject} | <w>", "{subject} | <w>", "核查 | {subject} | <w>"),
    "own_data": ("追溯 | {subject} | <w>", "{subject} | <w>", "出处 | {subject} | <w>"),
    "same_method": ("设计 | {subject} | {other} | <w>", "{subject} | {other} | <w>"),
    "support": ("佐证 | {subject} | <w>", "{subject} | <w>", "{subject} | 依据 | <w>"),
    "choice": ("<choosing> | {name} | {subject}", "{name} | {subject} | <choosing>"),
    "method": ("方法 | {subject} | {name}", "{subject} | {name}"),
    "funder": ("经费 | {subject} | {name}", "{subject} | {name}"),
    "origin": ("出处 | {subject} | {name}", "{subject} | 取自 | {name}"),
    "reviewer": ("审稿 | {subject} | {name}", "{subject} | {name}"),
    "reason": ("缘由 | <because>{phrase}", "缘由 | 结果<because>{phrase}"),
    "reason_none": ("缘由 | <none_lead><no_reason>", "缘由 | 结果，<none_lead><no_reason>"),
    "restated": ("任务 | {subject} | {name}", "{subject} | 收件 | {name}"),
}  # fmt: skip

FRAMES: Final = {
    "terse": ("@", "@", "@"),
    "formal": ("<lead>@。", "<lead>@<tail>。"),
    "chatty": ("<lead>@", "<lead>@", "@<tail>"),
    "bullet": ("- @", "· @", "- <lead>@"),
}
LEADS: Final = {
    "formal": {
        "lead": ("", "兹记录，", "经查阅，", "据所读文献，", "记：", "查明，"),
        "tail": ("", "，特此记录", "，备查", "，以此为准"),
    },
    "chatty": {"lead": ("好，", "嗯，", "看到了，", "这样，", ""), "tail": ("", "，就这样", "，记下了", "，好")},
    "bullet": {"lead": ("所得：", "要点：", "记：", "读到："), "tail": ("",)},
}  # fmt: skip
