"""How five Chinese writers put banking notes into words."""

from __future__ import annotations

from typing import Final

from data_gen.tasks.banking import lexicon
from data_gen.tasks.banking.words_en import framed

_COMMON: Final = {
    "plan": (
        "<planlead>先查记录，再看来函，算清之后<deliver>。", "<planlead>把要用的数查齐，定下做法，然后<deliver>。",
        "<planlead>查记录、看来函、作判断，最后<deliver>。", "<planlead>逐项取数并记下，再决定，<deliver>。",
    ),
    "planlead": ("计划：", "步骤：", "安排：", "思路：", "工作顺序："),
    "deliver": ("给出答复", "办理并说明", "执行到位", "把结果写清楚"),
    "brieflead": lexicon.BRIEF_LEADS["zh"],
    "brief": ("<brieflead>办理{subject}。", "<brieflead>{subject}，不必发函。", "<brieflead>处理{subject}一事。"),
    "brief_for": (
        "<brieflead>{subject}，结果<briefto>{name}。", "<brieflead>办理{subject}并告知{name}。",
        "<brieflead>{name}<briefwants>{subject}的结果。", "<brieflead>处理{subject}，收件人是{name}。",
    ),
    "brief_from": (
        "<brieflead>{subject}，款从{source}出。", "<brieflead>从{source}办理{subject}。",
        "<brieflead>{subject}，记在{source}名下。", "<brieflead>处理{subject}，使用{source}。",
    ),
    "brief_for_from": (
        "<brieflead>从{source}办理{subject}，结果<briefto>{name}。",
        "<brieflead>{subject}走{source}，{name}<briefwants>回音。",
        "<brieflead>{name}<briefwants>{subject}的结果，款从{source}出。",
        "<brieflead>用{source}处理{subject}，告知{name}。",
    ),
    "briefto": ("发给", "交给", "送交", "报给"),
    "briefwants": ("想要", "等着", "需要", "在等", "要看"),
    "brief_mismatch": ("任务概述有误，用户说的是{name}。", "重看了请求，应为{name}。", "对照原请求更正，是{name}。"),
    "skim": (
        "<skimverb>{topic}的来函，<nothing>。", "{topic}的来函<seen>，<nothing>。", "{topic}相关来函：<nothing>。",
    ),
    "skimverb": ("看了", "翻阅了", "浏览了", "查阅了", "读过"),
    "seen": ("已看", "已读", "看完了", "浏览过"),
    "nothing": ("只是背景情况", "没有影响金额的内容", "多为一般说明，不涉及入账", "供了解情况"),
    "checked": (
        "已将{entity}的笔记与原始记录核对，一致。", "重读了{entity}的记录，笔记无误。",
        "{entity}的笔记经核对与记录相符。",
    ),
    "mismatch": (
        "{entity}的笔记与记录不符，以记录为准。", "记录和笔记在{entity}上不一致，采用记录。",
        "发现{entity}的笔记有出入，改用原始记录。",
    ),
    "background": (
        "{entity}近期流水{count}笔，与本事无关。", "看过{entity}最近{count}笔流水，均正常。",
        "{entity}列出{count}笔近期流水，没有异常。",
    ),
    "left_out": (
        "来函要求这件事先放一放，就先不办。", "按来函的说法，这一项今天不执行。", "看到来函要求暂缓，因此不做处理。",
    ),
    "subject": ("{subject}：{topic}", "关于{subject}的{topic}", "您交办的{subject}", "{subject}{topic}"),
    "topic": ("办理结果", "付款通知", "账务情况", "简要报告", "处理说明"),
    "greeting": ("{name}，您好：", "{name}：", "尊敬的{name}：", "{name}，你好。", "{name}，早上好："),
    "closing": ("此致敬礼", "祝好", "谢谢", "顺祝工作顺利", "祝工作愉快"),
    "intro": ("您要的结果如下。", "事情已办妥。", "现将结果报上。", "按您的要求整理如下。", "办理完毕。"),
    "final": (
        "完成。<finalmail>{recipients}。", "已办结，<finalmail>{recipients}。",
        "处理完毕：<finalmail>{recipients}。",
    ),
    "final_none": ("完成，未发通知。", "已办结，没有发函。", "处理完毕，无需通知。"),
    "finalmail": ("结果已发给", "通知已寄至", "已发送到", "结果寄给了"),
    "handover": (
        "请现在<carry>{subject}，<keep>。", "{subject}交由你<carry>，<keep>。", "{subject}可以<carry>了，<keep>。",
    ),
    "carry": ("办理", "执行", "付讫", "完成"),
    "keep": ("请遵守以下各条", "要求见下", "注意下列事项", "条件如下"),
    "reference": ("{subject}", "支付{subject}", "{subject}款项", "结清{subject}", "货款{subject}"),
    "because": lexicon.BECAUSE["zh"],
    "no_reason": lexicon.NO_REASON["zh"],
    "independent": lexicon.INDEPENDENT["zh"],
    "single": lexicon.SINGLE["zh"],
    "none_lead": ("所读来函中", "现有的来函里", "目前看过的来函里", "已收到的来函中"),
    "sure": ("确定", "经过确认", "最终", "核实", "准确"),
    "unsure": lexicon.TENTATIVE["zh"],
    "updated": ("更正", "更新", "修正", "订正"),
    "sure_tail": ("", "", "，据记录", "，已查得", "，系统查询"),
    "up": lexicon.UP["zh"], "down": lexicon.DOWN["zh"],
    "approval": lexicon.APPROVAL["zh"], "binding": lexicon.BINDING["zh"], "weak": lexicon.WEAK["zh"],
    "exempt": lexicon.EXEMPT["zh"], "every": lexicon.EVERY_INVOICE["zh"],
    "ahead": ("再付", "再支付", "再汇出", "再办理"),
    **{verdict.value: words for verdict, words in lexicon.VERDICTS["zh"].items()},
    "c_sum": ("{left}与{right}<sum>{figure}", "{left}加{right}，<sum>{figure}"),
    "c_rest": ("{left}减去{right}，<rest>{figure}", "{left}扣除{right}后<rest>{figure}"),
    "c_up": ("{left}<up>{right}，相差{figure}", "{left}<up>{right}{figure}"),
    "c_down": ("{left}<down>{right}，相差{figure}", "{left}<down>{right}{figure}"),
    "c_most": ("{winner}<most>，为{figure}", "{winner}以{figure}<most>"),
    "c_least": ("{winner}<least>，为{figure}", "{winner}以{figure}<least>"),
    "c_share": ("{left}<share>{figure}", "{left}，<share>{figure}"),
    "c_part": ("{left}<part>{figure}", "{left}，<part>{figure}"),
    "c_half": ("{left}与{right}<half>{figure}", "{left}和{right}<half>{figure}"),
    "c_raise": ("{left}<raise>{figure}", "调整后{left}<raise>{figure}"),
    "c_convert": ("按{left}<convert>{figure}", "依{left}计，<convert>{figure}"),
    "c_number": (
        "{payee}的收款账号为{number}", "{payee}账号{number}", "付给{payee}的款打到{number}",
        "{payee}收款账户{number}",
    ),
    "c_date": (
        "{entity}到期日{day}", "{entity}付款期限{day}", "{entity}付款截止{day}", "{entity}最迟付款日{day}",
        "{entity}到期日为{day}", "{entity}付款期限是{day}",
    ),
    "c_rule": (
        "付给{payee}超过{limit}的款项<binding><approval><ahead>",
        "给{payee}的付款，超过{limit}<binding><approval><ahead>",
        "单笔{limit}以上付给{payee}的，<binding><approval><ahead>",
    ),
    "c_rule_weak": (
        "付给{payee}超过{limit}的款项<weak><approval><ahead>", "给{payee}的付款，超过{limit}<weak><approval><ahead>",
        "单笔{limit}以上付给{payee}的，<weak><approval><ahead>",
    ),
    "c_rule_dropped": (
        "付给{payee}超过{limit}的款项<usual>台账<ahead>", "给{payee}的付款，超过{limit}<usual>流水<ahead>",
        "单笔{limit}以上付给{payee}的，<usual>底册<ahead>",
    ),
    "usual": lexicon.ONLY_NOTED["zh"],
    "c_permit": (
        "{payee}的款项中，<alone>此次<exempt>", "与{payee}有约，<alone>本次<exempt>",
        "{payee}知悉，<alone>这回<exempt>",
    ),
    "c_permit_all": (
        "{payee}的款项中，<every>此次<exempt>", "与{payee}有约，<every>本次<exempt>",
        "{payee}知悉，<every>这回<exempt>",
    ),
    "alone": ("仅{entity}", "只有{entity}", "仅{entity}一张", "{entity}这一张", "{entity}"),
    "c_reason": (
        "{subject}有此金额，<because>{phrase}", "{subject}的变动<because>{phrase}",
        "{subject}如此，<because>{phrase}",
    ),
    "c_none": ("<none_lead>{subject}<no_reason>", "就{subject}，<none_lead><no_reason>"),
    "c_yes": ("{entity}的金额，<independent>可查", "就{entity}而言，<independent>支持"),
    "c_no": ("{entity}的金额，<single>可查", "就{entity}而言，<single>支持"),
}  # fmt: skip

WRITERS: Final = {
    "terse": {
        **_COMMON, **framed(("", "", "记：", "得："), ("", "")),
        "amount": (
            "{entity}[metric]：{amount}", "[metric]，{entity}={amount}", "{entity}，[metric]{amount}",
            "{entity} [metric] {amount}", "<settled>",
        ),
        "settled": ("{entity}[metric]：{amount}，<sure>", "<sure>：{entity}[metric]{amount}"),
        "tentative": ("{entity}[metric]：{amount}，<unsure>", "<unsure>：{entity}[metric]{amount}"),
        "revised": ("<updated>：{entity}[metric]{amount}", "{entity}[metric]{amount}（<updated>）"),
    },
    "formal": {
        **_COMMON, **framed(("经核，", "兹记录，", "据查，", ""), ("。", "。")),
        "amount": (
            "经查询，{entity}[metric]<amounts>{amount}。", "根据记录，{entity}的[metric]<amounts>{amount}。",
            "{entity}的[metric]<amounts>{amount}<sure_tail>。", "兹记录{entity}[metric]<amounts>{amount}。",
            "<settled>",
        ),
        "amounts": ("为", "共计", "是", "计"),
        "settled": (
            "{entity}的[metric]确为{amount}，该数字为<sure>数。", "据<sure>数，{entity}[metric]正是{amount}。",
        ),
        "tentative": (
            "{entity}的[metric]或为{amount}，该数字为<unsure>数。", "据<unsure>数，{entity}[metric]约为{amount}。",
        ),
        "revised": ("{entity}的[metric]已<updated>为{amount}。", "依据<updated>通知，{entity}[metric]为{amount}。"),
    },
    "chatty": {
        **_COMMON, **framed(("好，", "看了下，", "这样，", "嗯，"), ("", "")),
        "amount": (
            "查到了，{entity}[metric]<was>{amount}", "好，{entity}的[metric]<was>{amount}",
            "{entity}[metric]<was>{amount}，记一下",
            "看了下{entity}，[metric]<was>{amount}", "<settled>",
        ),
        "was": ("是", "为", "有", "就是"),
        "settled": ("大家都说{entity}[metric]是{amount}，已<sure>", "已<sure>：{entity}[metric]{amount}"),
        "tentative": ("有人说{entity}[metric]是{amount}，还<unsure>", "还<unsure>：{entity}[metric]{amount}"),
        "revised": ("哦，<updated>了：{entity}[metric]现在是{amount}", "{entity}[metric]<updated>成{amount}了"),
    },
    "bullet": {
        **_COMMON, **framed(("- ", "* ", "- 记录：", "- 结果："), ("", "")),
        "amount": (
            "- [metric]，{entity}：{amount}", "- {entity}[metric]：{amount}<sure_tail>",
            "* {entity}：[metric]{amount}",
            "- 查得{entity}：[metric]{amount}", "<settled>",
        ),
        "settled": ("- {entity}[metric]：{amount}（<sure>）", "- <sure>：[metric]，{entity}，{amount}"),
        "tentative": ("- {entity}[metric]：{amount}（<unsure>）", "- <unsure>：[metric]，{entity}，{amount}"),
        "revised": ("- {entity}[metric]：{amount}（<updated>）", "- <updated>：[metric]，{entity}，{amount}"),
    },
    "table": {
        **_COMMON, **framed(("记录 | ", "结果 | ", "结论 | "), ("", "", " | 已记")),
        "amount": (
            "{entity} | [metric] | {amount}", "数字 | [metric] | {entity} | {amount}",
            "项目={entity}，栏目=[metric]，数值={amount}",
            "{entity} | [metric] | {amount} | 已查", "<settled>",
        ),
        "settled": ("{entity} | [metric] | {amount} | <sure>", "<sure> | [metric] | {entity} | {amount}"),
        "tentative": ("{entity} | [metric] | {amount} | <unsure>", "<unsure> | [metric] | {entity} | {amount}"),
        "revised": ("{entity} | [metric] | {amount} | <updated>", "<updated> | [metric] | {entity} | {amount}"),
    },
}  # fmt: skip
