"""How five Chinese writers put statements into words."""

from __future__ import annotations

from typing import Final

_COMMON: Final = {
    "plan": (
        "<planlead>先取数，再看资料，得出结论，最后<deliver>。", "<planlead>查清所需数字后下结论，然后<deliver>。",
        "<planlead>取数、看文件、下结论，<deliver>。",
    ),
    "planlead": ("计划：", "步骤：", "安排：", "思路：", "工作顺序："),
    "deliver": ("给出答复", "把结果发出去", "写好并发送", "完成交付"),
    "brief": (
        "<brieflead>{subject}，结果<briefto>{name}。", "<brieflead>就{subject}的问题答复{name}。",
        "<brieflead>{name}<briefwants>{subject}的结果。", "<brieflead>办理{subject}一事，收件人是{name}。",
    ),
    "brieflead": ("任务：", "我的理解：", "简言之：", "要求：", "要办的事：", "请求："),
    "briefto": ("发给", "交给", "送交", "报给"),
    "briefwants": ("想要", "等着看", "需要", "在等", "要看"),
    "brief_mismatch": (
        "任务概述有误，用户指定的是{name}。", "重看了请求，应发给{name}。", "对照原请求更正，收件人是{name}。",
    ),
    "skim": (
        "<skimverb>{topic}的资料，<nothing>。", "{topic}的资料<seen>，<nothing>。", "{topic}相关文件：<nothing>。",
    ),
    "skimverb": ("看了", "翻阅了", "浏览了", "查阅了", "读过"),
    "seen": ("已看", "已读", "看完了", "浏览过"),
    "nothing": ("只是背景情况", "没有影响取数的内容", "多为一般说明，不含台账数据", "供了解情况"),
    "checked": (
        "已将{entity}{period}的笔记与原始记录核对，一致。", "重读了{entity}{period}的记录，笔记无误。",
        "{entity}{period}的笔记经核对与记录相符。",
    ),
    "mismatch": (
        "{entity}{period}的笔记与记录不符，以记录为准。", "记录和笔记在{entity}{period}上不一致，采用记录。",
        "发现{entity}{period}的笔记有出入，改用原始记录。",
    ),
    "skip_mail": (
        "资料里说邮件先别发，那就不发了。", "按资料的说法，这次不发邮件。", "看到资料要求略过邮件，因此不发送。",
    ),
    "background": (
        "列出{count}份旧报告，都与本题无关。", "报告目录里有{count}个文件，均为往期。",
        "目录中共{count}份早先的报告，用不上。",
    ),
    "mail_subject": (
        "{subject}：{topic}", "关于{subject}的{topic}", "您询问的{subject}", "{subject}{topic}", "{subject}结果",
    ),
    "topic": ("核对结果", "季度核查", "销售问题", "简要报告", "所需数字"),
    "greeting": ("{name}，您好：", "{name}：", "尊敬的{name}：", "{name}，你好。", "{name}，早上好："),
    "closing": ("此致敬礼", "祝好", "谢谢", "顺祝工作顺利", "祝工作愉快"),
    "intro": ("您要的结果如下。", "结果已核出。", "现将结果报上。", "按您的要求整理如下。", "核对完毕。"),
    "final": (
        "完成。<finalmail>{recipients}。", "已办结，<finalmail>{recipients}。", "处理完毕：<finalmail>{recipients}。",
    ),
    "final_none": ("完成，未发邮件。", "已办结，没有寄出邮件。", "处理完毕，邮件略过。"),
    "finalmail": ("结果已发给", "邮件已寄至", "已发送到", "结果寄给了"),
    "final_file": ("报告存于{path}。", "报告已保存为{path}。", "报告见{path}。"),
    "because": ("主要由于", "原因是", "归因于", "缘于", "起因是"),
    "no_reason": ("未说明原因", "没有给出原因", "没有记录原因", "未提及原因"),
    "independent": ("两个独立来源", "另一独立来源", "两处独立来源"),
    "single": ("只有一个来源", "仅有单一来源", "只有单一出处"),
    "none_lead": ("所读便笺中", "现有的材料里", "目前看过的文件里", "就这一结果而言"),
    "sure": ("确定", "经过确认", "最终", "核实", "准确"),
    "unsure": ("粗略", "未经确认", "初步", "暂估", "大致"),
    "updated": ("更正", "更新", "修正", "订正"),
    "sure_tail": ("", "", "，据记录", "，已查得", "，系统查询"),
    "change": ("{subject}{metric}从{a}到{b}{word}{figure}", "从{a}到{b}，{subject}{metric}{word}{figure}"),
    "target": ("{subject}{a}{word}目标{figure}", "{a}{subject}{word}目标{figure}"),
    "budget": ("{subject}{a}支出{word}预算{figure}", "{a}{subject}支出{word}预算{figure}"),
    "top": ("{a}{subject}{word}，为{figure}", "{subject}{a}{word}，数额{figure}"),
    "low": ("{a}{subject}{word}，为{figure}", "{subject}{a}{word}，数额{figure}"),
    "total": ("{a}{subject}{word}{figure}", "{subject}{a}{word}为{figure}"),
    "share": ("{a}{subject}{word}全部{metric}的{figure}", "{subject}{a}{word}总{metric}的{figure}"),
    "gap": ("{a}{subject}{word}{other}{figure}", "{subject}{a}{word}{other}{figure}"),
}  # fmt: skip

WRITERS: Final = {
    "terse": {
        **_COMMON,
        "level": (
            "{entity}{period}{metric}：{amount}", "{metric}，{entity}，{period}={amount}",
            "{period}{entity}{metric}{amount}",
            "{entity}/{period}/{metric}{amount}", "<settled>",
        ),
        "settled": ("{entity}{period}{metric}：{amount}，<sure>", "<sure>：{entity}{period}{metric}{amount}"),
        "tentative": ("{entity}{period}{metric}：{amount}，<unsure>", "<unsure>：{entity}{period}{metric}{amount}"),
        "revised": ("<updated>：{entity}{period}{metric}{amount}", "{entity}{period}{metric}{amount}（<updated>）"),
        "reason": ("<because>{phrase}", "结果<because>{phrase}"),
        "reason_none": ("<none_lead><no_reason>",),
        "support_yes": ("{entity}{period}：<independent>", "{entity}{period}的依据：<independent>"),
        "support_no": ("{entity}{period}：<single>", "{entity}{period}的依据：<single>"),
        "verdict_lead": ("", "", "结论：", "得出："),
        "level_lead": ("",),
    },
    "formal": {
        **_COMMON,
        "level": (
            "经查询，{entity}{period}{metric}<amounts>{amount}。",
            "根据记录，{entity}{period}的{metric}<amounts>{amount}。",
            "{period}，{entity}的{metric}<amounts>{amount}<sure_tail>。",
            "兹记录{entity}{period}{metric}<amounts>{amount}。",
            "<settled>",
        ),
        "amounts": ("为", "共计", "是", "计"),
        "tentative": (
            "{entity}{period}的{metric}或为{amount}，该数字为<unsure>数。",
            "据<unsure>数，{entity}{period}{metric}约为{amount}。",
        ),
        "settled": (
            "{entity}{period}的{metric}确为{amount}，该数字为<sure>数。",
            "据<sure>数，{entity}{period}{metric}正是{amount}。",
        ),
        "revised": (
            "{entity}{period}的{metric}已<updated>为{amount}。",
            "依据<updated>通知，{entity}{period}{metric}为{amount}。",
        ),
        "reason": ("该结果<because>{phrase}。", "资料载明，结果<because>{phrase}。", "这一情况<because>{phrase}。"),
        "reason_none": ("关于起因<none_lead><no_reason>。", "经查<none_lead><no_reason>。"),
        "support_yes": ("{entity}{period}的数字，<independent>可查。", "就{entity}{period}而言，<independent>支持。"),
        "support_no": ("{entity}{period}的数字，<single>可查。", "就{entity}{period}而言，<single>支持。"),
        "verdict_lead": ("由此可见，", "综上，", "比较后得出，", "据此判断，"),
        "level_lead": ("", "供参考："),
    },
    "chatty": {
        **_COMMON,
        "level": (
            "好，{entity}{period}的{metric}<was>{amount}", "查到了，{entity}，{period}，{metric}{amount}",
            "嗯，{entity}在{period}的{metric}<was>{amount}<sure_tail>", "看了下，{period}{entity}{metric}<was>{amount}",
            "<settled>",
        ),
        "was": ("是", "有", "就是", "为"),
        "tentative": (
            "有人说{entity}{period}{metric}大概{amount}，不过只是<unsure>数",
            "{entity}{period}的{metric}<unsure>数是{amount}",
        ),
        "settled": (
            "大家说{entity}{period}{metric}就是{amount}，而且已是<sure>数",
            "{entity}{period}的{metric}<sure>数是{amount}",
        ),
        "revised": (
            "哦，{entity}{period}的{metric}<updated>成{amount}了",
            "注意<updated>：{entity}{period}{metric}现在是{amount}",
        ),
        "reason": ("都<because>{phrase}", "看来<because>{phrase}", "这事<because>{phrase}"),
        "reason_none": ("看来<none_lead><no_reason>", "这事<none_lead><no_reason>"),
        "support_yes": ("嗯，{entity}{period}这数，<independent>这么说", "{entity}{period}这个数<independent>撑着"),
        "support_no": ("嗯，{entity}{period}这数，<single>这么说", "{entity}{period}这个数<single>撑着"),
        "verdict_lead": ("所以", "算下来", "这么看", "总之"),
        "level_lead": ("", "顺便说下，"),
    },
    "bullet": {
        **_COMMON,
        "level": (
            "- {entity}{period}{metric}：{amount}", "- {period}，{entity}，{metric}：{amount}<sure_tail>",
            "· {metric}（{entity}，{period}）：{amount}", "- 查得{entity}{period}{metric}：{amount}",
            "<settled>",
        ),
        "settled": ("- {entity}{period}{metric}：{amount}（<sure>）", "- <sure>：{entity}{period}{metric}{amount}"),
        "tentative": (
            "- {entity}{period}{metric}：{amount}（<unsure>）", "- <unsure>：{entity}{period}{metric}{amount}",
        ),
        "revised": (
            "- {entity}{period}{metric}：{amount}（<updated>）", "- <updated>：{entity}{period}{metric}{amount}",
        ),
        "reason": ("- 说明：<because>{phrase}", "- 结果：<because>{phrase}"),
        "reason_none": ("- 说明：<none_lead><no_reason>", "- 结果：<none_lead><no_reason>"),
        "support_yes": ("- {entity}{period}依据：<independent>", "- {entity}{period}：<independent>，数字相同"),
        "support_no": ("- {entity}{period}依据：<single>", "- {entity}{period}：<single>，数字相同"),
        "verdict_lead": ("- ", "- 结论：", "· ", "- 判断："),
        "level_lead": ("",),
    },
    "table": {
        **_COMMON,
        "level": (
            "{entity} | {period} | {metric} | {amount}", "数字 | {metric} | {entity} | {period} | {amount}",
            "对象={entity}，期间={period}，项目={metric}，数值={amount}",
            "{period} | {entity} | {metric} | {amount} | 已查",
            "<settled>",
        ),
        "settled": (
            "{entity} | {period} | {metric} | {amount} | <sure>", "<sure> | {metric} | {entity} | {period} | {amount}",
        ),
        "tentative": (
            "{entity} | {period} | {metric} | {amount} | <unsure>",
            "<unsure> | {metric} | {entity} | {period} | {amount}",
        ),
        "revised": (
            "{entity} | {period} | {metric} | {amount} | <updated>",
            "<updated> | {metric} | {entity} | {period} | {amount}",
        ),
        "reason": ("说明 | <because>{phrase}", "说明 | 结果<because>{phrase}"),
        "reason_none": ("说明 | <none_lead><no_reason>", "说明 | 结果<none_lead><no_reason>"),
        "support_yes": ("依据 | {entity} | {period} | <independent>", "{entity} | {period} | 依据为<independent>"),
        "support_no": ("依据 | {entity} | {period} | <single>", "{entity} | {period} | 依据为<single>"),
        "verdict_lead": ("结论 | ", "判断 | ", "得出 | "),
        "level_lead": ("",),
    },
}  # fmt: skip
