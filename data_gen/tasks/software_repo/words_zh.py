"""How five Chinese writers put statements about a repository into words."""

from __future__ import annotations

from typing import Final

_COMMON: Final = {
    "plan": (
        "<planlead>先查记录，再定结论，做好变更，最后<deliver>。", "<planlead>记录优先，然后变更，最后<deliver>。",
        "<planlead>读、判断、改，再<deliver>。",
    ),
    "planlead": ("计划：", "步骤：", "待办：", "工作顺序：", "打算这样做："),
    "deliver": ("回报", "说明做了什么", "收尾", "闭环"),
    "brief": (
        "<brieflead>处理{subject}，报告<briefto>{name}。", "<brieflead>{subject}，{name}<briefwants>结果。",
        "<brieflead>办好{subject}的事，写给{name}。", "<brieflead>{subject}；{name}<briefgets>。",
    ),
    "brief_env": (
        "<brieflead>处理{subject}的{env}，报告<briefto>{name}。", "<brieflead>{subject}{env}，{name}<briefwants>结果。",
        "<brieflead>办好{subject}在{env}的事，写给{name}。", "<brieflead>{subject}，{env}；{name}<briefgets>。",
    ),
    "brieflead": ("任务：", "我的理解：", "简言之：", "需求：", "我要做的：", "请求："),
    "briefto": ("发给", "交给", "送到", "呈给"),
    "briefwants": ("要看", "在等", "想知道", "需要"),
    "briefgets": ("接收结果", "要得到通知", "等回音", "收报告"),
    "brief_mismatch": (
        "我对任务的概括有误；用户说的是{said}。", "又看了一遍请求：写的是{said}。", "重读请求后更正，应为{said}。",
    ),
    "skim": ("<skimverb>{topic}的评论；<nothing>。", "{topic}的评论<seen>：<nothing>。", "{topic}的评论里<nothing>。"),
    "skimverb": ("读了", "翻了", "看过", "浏览了", "打开了"),
    "seen": ("已读", "看过", "翻过", "浏览过"),
    "nothing": ("只是背景", "没有与工作有关的内容", "泛泛之谈，没有记录", "背景材料"),
    "same": ("{topic}的笔记与记录对过，一致。", "重读{topic}的记录，与笔记相符。", "{topic}的笔记核对无误。"),
    "mismatch": (
        "{topic}的笔记与记录不符，以记录为准。", "{topic}记录与笔记不同，按记录来。",
        "发现{topic}的笔记和记录对不上，采用记录。",
    ),
    "rule_mismatch": (
        "交代的规则与用户原话不同，以原话为准。", "又看了请求，规则并非如此。", "对照请求核了规则，按请求办。",
    ),
    "skip_message": ("评论里说现在不发消息，先放我这里。", "按评论，这次不发消息。", "据所读评论，消息略过。"),
    "background": (
        "列出了{count}个分支，暂时用不上。", "看了分支列表：{count}个，作参考。", "仓库目前有{count}个分支。",
    ),
    "greeting": ("{name}，您好：", "{name}：", "尊敬的{name}：", "{name}，你好。", "{name}，早上好："),
    "intro": ("您要的结果如下。", "结果已核出。", "现将结果报上。", "按您的要求整理如下。"),
    "closing": ("此致敬礼", "祝好", "谢谢", "顺祝工作顺利", "祝工作愉快"),
    "final": (
        "完成。<finaltold>{recipients}。", "已办结，<finaltold>{recipients}。", "处理完毕：<finaltold>{recipients}。",
    ),
    "final_none": ("完成，未发消息。", "已办结，没有写给任何人。", "处理完毕，消息略过。"),
    "finaltold": ("结果已发给", "消息已寄至", "已报告", "结果寄给了"),
    "final_done": ("共做{count}处变更。", "变更{count}处。", "一共改了{count}处。"),
    "errand_memory": (
        "请把{service}{env}的内存按规划设好。", "{service}在{env}的内存要调到规划值。",
        "{service}，{env}，内存照规划来。",
    ),
    "errand_access": ("请处理{member}的权限申请。", "{member}申请了权限，请办理。", "{member}的权限由你来办。"),
    "because": ("原因是", "归因于", "缘于", "起因是", "根源是"),
    "no_cause": ("未说明原因", "没有给出原因", "没有记录原因", "未提及原因"),
    "none_lead": (
        "评论中", "所读评论里", "目前看过的评论中", "现有评论里", "就评论而言", "各条评论里都", "从头到尾的评论中",
    ),
    "independent": ("两台独立机器", "两台不同机器", "两处独立环境"),
    "single": ("只有一台机器", "仅有一台机器", "只有一处环境"),
    "shown": ("重现了", "确认了", "复现了", "测出了"),
    "rule_tail": ("", "，照旧", "，这次如此", "，暂时如此", "，一贯如此", "，本次适用"),
    "cap_core": (
        "{service}内存不得超过{limit}<rule_tail>", "{service}内存必须控制在{limit}<rule_tail>",
        "{limit}是{service}内存的硬性上限<rule_tail>", "给{service}的内存最多{limit}<rule_tail>",
    ),
    "cap_weak_core": (
        "{service}内存宜在{limit}上下<rule_tail>", "{service}内存最好保持在{limit}<rule_tail>",
        "{limit}是{service}内存的参考数值<rule_tail>", "给{service}的内存大约{limit}<rule_tail>",
        "{service}内存建议{limit}<rule_tail>",
    ),
    "cap_dropped_core": (
        "{service}内存曾经降到{limit}<rule_tail>", "{service}内存以前设定为{limit}<rule_tail>",
        "{limit}是{service}内存的起步数值<rule_tail>", "{service}的内存原先{limit}<rule_tail>",
        "{service}内存一度{limit}<rule_tail>",
    ),
    "clear_core": (
        "{member}的权限<alone>{service}<rule_tail>", "{member}获批，<alone>{service}<rule_tail>",
        "批准{member}，<alone>{service}开通<rule_tail>",
    ),
    "alone": ("仅限", "只限", "只在", "仅限于", "只限于"),
    "clear_all_core": (
        "{member}的权限<beyond>{service}<rule_tail>", "{member}获批，<beyond>{service}<rule_tail>",
        "批准{member}，<beyond>{service}开通<rule_tail>",
    ),
    "beyond": ("不限于", "不只在", "不止于"),
    "cause": (
        "<open>{service}故障<because>{phrase}<close>", "<open>这次{service}的故障<because>{phrase}<close>",
        "<open>{service}一事<because>{phrase}<close>",
    ),
    "cause_none": (
        "<open>{service}故障<none_lead><no_cause><close>", "<open>这次{service}的故障<none_lead><no_cause><close>",
        "<open>{service}一事<none_lead><no_cause><close>",
    ),
    "support_yes": (
        "<open><independent><shown>{issue}<rule_tail><close>", "<open>{issue}：<independent><shown><rule_tail><close>",
    ),
    "support_no": (
        "<open><single><shown>{issue}<rule_tail><close>", "<open>{issue}：<single><shown><rule_tail><close>",
    ),
    "cap": ("<open><cap_core><close>",),
    "cap_weak": ("<open><cap_weak_core><close>",),
    "cap_dropped": ("<open><cap_dropped_core><close>",),
    "clear": ("<open><clear_core><close>",),
    "clear_all": ("<open><clear_all_core><close>",),
    "sure": ("确定", "已确认", "最终", "核实", "准确"),
    "unsure": ("粗略", "未确认", "初步", "暂估", "大致"),
    "updated": ("更正", "更新", "修正", "订正"),
}  # fmt: skip

WRITERS: Final = {
    "terse": {
        **_COMMON,
        "open": ("",),
        "close": ("",),
        "level": (
            "{subject}{attribute}：{value}", "{attribute}，{subject}={value}", "{subject}，{attribute}{value}",
            "{subject} / {attribute} / {value}", "<settled>",
        ),
        "settled": ("{subject}{attribute}：{value}，<sure>", "<sure>：{subject}{attribute}{value}"),
        "tentative": ("{subject}{attribute}：{value}，<unsure>", "<unsure>：{subject}{attribute}{value}"),
        "revised": ("<updated>：{subject}{attribute}{value}", "{subject}{attribute}{value}（<updated>）"),
        "derived": (
            "故{subject}{attribute}：{value}", "得{subject}{attribute}{value}", "算得{subject}{attribute}：{value}",
        ),
    },
    "formal": {
        **_COMMON,
        "open": ("", "兹记：", "经查，"),
        "close": ("。",),
        "level": (
            "根据记录，{subject}的{attribute}为{value}。", "经查询，{subject}{attribute}为{value}。",
            "记录显示，{subject}的{attribute}是{value}。", "兹记录{subject}{attribute}：{value}。", "<settled>",
        ),
        "settled": (
            "目前{subject}的{attribute}为{value}，该值为<sure>值。", "据<sure>值，{subject}{attribute}为{value}。",
        ),
        "tentative": (
            "目前{subject}的{attribute}为{value}，该值为<unsure>值。", "据<unsure>值，{subject}{attribute}为{value}。",
        ),
        "revised": ("现{subject}的{attribute}已<updated>为{value}。", "依据<updated>，{subject}{attribute}为{value}。"),
        "derived": (
            "由此，{subject}的{attribute}为{value}。", "综上，{subject}{attribute}应为{value}。",
            "据此判断，{subject}{attribute}为{value}。",
        ),
    },
    "chatty": {
        **_COMMON,
        "open": ("", "嗯，", "看来", "好，"),
        "close": ("",),
        "level": (
            "好，{subject}的{attribute}是{value}", "查到了，{subject}，{attribute}{value}",
            "嗯，{subject}{attribute}就是{value}", "看了下，{value}，{subject}的{attribute}", "<settled>",
        ),
        "settled": ("大家说{subject}{attribute}是{value}，而且已是<sure>值", "<sure>的：{subject}{attribute}{value}"),
        "tentative": (
            "大家说{subject}{attribute}是{value}，不过只是<unsure>值", "<unsure>的：{subject}{attribute}{value}",
        ),
        "revised": ("哦，{subject}{attribute}<updated>成{value}了", "注意<updated>：{subject}{attribute}现在{value}"),
        "derived": (
            "所以{subject}的{attribute}是{value}", "这么看，{subject}{attribute}{value}",
            "总之{subject}{attribute}{value}",
        ),
    },
    "bullet": {
        **_COMMON,
        "open": ("- ", "· "),
        "close": ("",),
        "level": (
            "- {subject}{attribute}：{value}", "· {attribute}（{subject}）：{value}",
            "- 查得{subject}{attribute}：{value}", "- {subject}，{attribute}：{value}", "<settled>",
        ),
        "settled": ("- {subject}{attribute}：{value}（<sure>）", "- <sure>：{subject}{attribute}{value}"),
        "tentative": ("- {subject}{attribute}：{value}（<unsure>）", "- <unsure>：{subject}{attribute}{value}"),
        "revised": ("- {subject}{attribute}：{value}（<updated>）", "- <updated>：{subject}{attribute}{value}"),
        "derived": (
            "- 结论：{subject}{attribute}{value}", "- 因此{subject}{attribute}：{value}",
            "· 得出{subject}{attribute}：{value}",
        ),
    },
    "table": {
        **_COMMON,
        "open": ("备注 | ", "说明 | "),
        "close": ("",),
        "level": (
            "{subject} | {attribute} | {value}", "{attribute} | {subject} | {value} | 已查",
            "对象={subject}，项目={attribute}，值={value}", "事实 | {subject} | {attribute} | {value}", "<settled>",
        ),
        "settled": ("{subject} | {attribute} | {value} | <sure>", "<sure> | {attribute} | {subject} | {value}"),
        "tentative": ("{subject} | {attribute} | {value} | <unsure>", "<unsure> | {attribute} | {subject} | {value}"),
        "revised": ("{subject} | {attribute} | {value} | <updated>", "<updated> | {attribute} | {subject} | {value}"),
        "derived": (
            "结论 | {subject} | {attribute} | {value}", "{subject} | {attribute} | {value} | 推得",
            "判断 | {attribute} | {subject} | {value}",
        ),
    },
}  # fmt: skip
