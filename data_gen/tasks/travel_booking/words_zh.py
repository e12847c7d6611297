"""How five Chinese writers put the notes of a travel agent into words."""

from __future__ import annotations

from typing import Final

from data_gen.tasks.travel_booking import lexicon

_COMMON: Final = {
    "item_day": ("{day}{subject}", "{day}的{subject}", "{subject}在{day}", "{subject}于{day}"),
    "plan": (
        "<planlead>先查可选项和价格，看规定和资料，定下来后<deliver>。",
        "<planlead>查清价格与规定再作决定，然后<deliver>。",
        "<planlead>查询、看资料、作决定，最后<deliver>。",
    ),
    "planlead": ("计划：", "步骤：", "安排：", "思路：", "工作顺序："),
    "deliver": ("办妥并回复", "落实并告知", "办理并通知", "把事情办完"),
    "brief": (
        "<brieflead>{city}一行，<briefto>{name}。", "<brieflead>{city}出差，<briefto>{name}。",
        "<brieflead>{name}<briefwants>去{city}的安排。", "<brieflead>目的地{city}，出行人{name}。",
        "<brieflead>出行人{name}，目的地{city}。", "<brieflead>办理{city}行程，出行人是{name}。",
    ),
    "brieflead": ("任务：", "我的理解：", "简言之：", "要求：", "要办的事：", "请求："),
    "briefto": ("出行人是", "都是给", "替的是", "本人是"),
    "briefwants": ("想要", "等着", "需要", "在等", "要看"),
    "brief_mismatch": (
        "任务概述有误，用户指定的是{name}。", "重看了请求，出行人是{name}。", "对照原请求更正，应为{name}办理。",
    ),
    "where": (
        "<wherelead>{customer}的会在{city}。", "<wherelead>在{city}见{customer}。",
        "<wherelead>见{customer}，去{city}。",
        "<wherelead>去{city}，见{customer}。", "<wherelead>与{customer}会面地点是{city}。",
        "<wherelead>{city}，与{customer}会面。",
    ),
    "wherelead": ("日程：", "日历：", "会面：", "日历上写着：", "目的地：", "查日程："),
    "where_mismatch": (
        "{customer}的会面地点与日历不符，以日历为准。", "笔记和日历在{customer}一事上不一致，采用日历。",
    ),
    "skim": (
        "<skimverb>{topic}的资料，<nothing>。", "{topic}的资料<seen>，<nothing>。", "{topic}相关资料：<nothing>。",
    ),
    "skimverb": ("看了", "翻阅了", "浏览了", "查阅了", "读过"),
    "seen": ("已看", "已读", "看完了", "浏览过"),
    "nothing": ("只是背景情况", "没有影响价格的内容", "多为一般说明", "供了解当地情况"),
    "checked": (
        "已将{item}的笔记与原始记录核对，一致。", "重读了{item}的记录，笔记无误。", "{item}的笔记经核对与记录相符。",
    ),
    "mismatch": (
        "{item}的笔记与记录不符，以记录为准。", "记录和笔记在{item}上不一致，采用记录。",
        "发现{item}的笔记有出入，改用原始记录。",
    ),
    "verdict_mismatch": (
        "结论与数字对不上，重新得出。", "复核发现结论有误，重新计算。", "先前的结论站不住，按数字重做。",
    ),
    "rules_mismatch": ("转达的规定与制度原文不符，以原文为准。", "交接内容和制度不一致，按制度办。"),
    "thing_flight": ("去{city}的航班",), "thing_train": ("去{city}的火车",), "thing_hotel": ("{city}的酒店",),
    "thing_car": ("{city}的租车",), "thing_trip": ("{city}的行程",),
    "did_book_offer": ("{subject}已订好", "已预订{subject}", "{subject}的预订已完成"),
    "did_hold_offer": ("{subject}已预留", "已为您留下{subject}", "{subject}先留着"),
    "did_request_approval": ("已提交审批", "已请主管审批", "审批申请已报上"),
    "did_change_booking": ("{subject}已改好", "{subject}已完成改签"),
    "did_cancel_booking": ("{subject}已退订", "{subject}已取消"),
    "did_submit_claim": ("报销已提交", "报销单已交上"),
    "did_add_baggage": ("行李额已加购", "超出的公斤数已买"),
    "did_nothing": ("无需办理", "一切照旧", "没有新的预订"),
    "reason_mismatch": ("所记原因与资料不符，重新查看。", "资料里并不是这样说的，原因需改。"),
    "support_mismatch": ("所记来源与出处不符，重新核对。", "两个数字的出处与笔记说法不一。"),
    "skip_mail": (
        "资料里说邮件先别发，那就不发了。", "按资料的说法，这次不发邮件。", "看到资料要求略过邮件，因此不发送。",
    ),
    "background": (
        "列出{count}次以往行程，都与此事无关。", "名下有{count}个旧订单，用不上。",
        "查到{count}个早先的订单，均已结束。",
    ),
    "mail_subject": ("{subject}：{topic}", "关于{subject}的{topic}", "您的{subject}之行", "{subject}{topic}"),
    "topic": ("办理结果", "出行安排", "预订情况", "简要说明", "行程确认"),
    "greeting": ("{name}，您好：", "{name}：", "尊敬的{name}：", "{name}，你好。", "{name}，早上好："),
    "closing": ("此致敬礼", "祝好", "谢谢", "祝旅途顺利", "一路平安"),
    "intro": ("情况如下。", "结果已经查清。", "现将办理情况报上。", "按您的要求整理如下。", "事情已核实。"),
    "final": (
        "完成。<finalmail>{recipients}。", "已办结，<finalmail>{recipients}。", "处理完毕：<finalmail>{recipients}。",
    ),
    "final_none": ("完成，未发邮件。", "已办结，没有寄出邮件。", "处理完毕，邮件略过。"),
    "finalmail": ("详情已发给", "邮件已寄至", "已发送到", "详情寄给了"),
    "because": lexicon.BECAUSE["zh"],
    "no_reason": lexicon.NO_REASON["zh"],
    "none_lead": ("所读便笺中", "现有的材料里", "目前看过的文件里", "就这一价格而言"),
    "independent": lexicon.INDEPENDENT["zh"],
    "single": lexicon.SINGLE["zh"],
    "sure": lexicon.SURE["zh"],
    "unsure": lexicon.TENTATIVE["zh"],
    "updated": ("更正", "更新", "修正", "调整"),
    "sure_tail": ("", "", "，据记录", "，已查得", "，系统查询"),
    "pick": ("{subject}{word}，<with>{figure}", "{figure}的{subject}{word}", "相比之下{figure}的{subject}{word}"),
    "with": ("为", "是", "计"),
    "sum": ("{subject}{word}{figure}", "加起来，{subject}{word}{figure}", "算下来，{subject}{word}{figure}"),
    "limit": (
        "{subject}{word}{limit}{figure}", "{subject}比{limit}{more}{figure}", "对照{limit}，{subject}{more}{figure}",
    ),
    "rlead": ("", "", "另：", "注：", "规定：", "说明：", "按制度：", "现行办法："),
    "rend": (
        "", "，每次如此", "，今年如此", "，暂且这样", "，一律如此", "，自开春起", "，到年底为止", "，照旧", "，不变",
        "，长期有效", "，直到另行通知",
    ),
    "limit_rule": (
        "<rlead>{thing}至多{limit}<rend>。", "<rlead>{thing}不超过{limit}<rend>。",
        "<rlead>订{thing}最多付{limit}<rend>。",
    ),
    "limit_soft": (
        "<rlead>{thing}大约{limit}<rend>。", "<rlead>{thing}一般在{limit}<rend>。",
        "<rlead>订{thing}多半付{limit}<rend>。",
    ),
    "limit_gone": (
        "<rlead>{thing}上回{limit}<rend>。", "<rlead>{thing}去年是{limit}<rend>。",
        "<rlead>订{thing}旁人付{limit}<rend>。",
    ),
    "permit": (
        "<rlead>{person}超出也无须审批<rend>。", "<rlead>{person}超过上述数额免审批<rend>。",
        "<rlead>只有{person}可免审批超额<rend>。", "<rlead>对{person}免审批<rend>。",
        "<rlead>{person}一人免审批<rend>。",
        "<rlead>对{person}超出部分免审批<rend>。",
    ),
    "permit_all": (
        "<rlead>{person}等所有人超出无须审批<rend>。", "<rlead>任何人同{person}一样免审批<rend>。",
        "<rlead>{person}等任何人可免审批<rend>。", "<rlead>{person}及任何人免审批<rend>。",
        "<rlead>对{person}和所有人免审批<rend>。",
        "<rlead>对所有人免审批如{person}<rend>。",
    ),
}  # fmt: skip

WRITERS: Final = {
    "terse": {
        **_COMMON,
        "fact": (
            "{item}{measure}：{amount}", "{measure}，{item}：{amount}", "{item}，{measure}：{amount}",
            "{item}/{measure}{amount}", "{measure}/{item}：{amount}", "{item}/{measure}：{amount}", "<settled>",
        ),
        "settled": ("{item}{measure}：{amount}，<sure>", "<sure>：{item}{measure}{amount}"),
        "tentative": ("{item}{measure}：{amount}，<unsure>", "<unsure>：{item}{measure}{amount}"),
        "revised": ("<updated>：{item}{measure}{amount}", "{item}{measure}{amount}（<updated>）"),
        "reason": ("<because>{phrase}", "价格<because>{phrase}"),
        "reason_none": ("<none_lead><no_reason>",),
        "support_yes": ("{subject}：<independent>", "{subject}的依据：<independent>"),
        "support_no": ("{subject}：<single>", "{subject}的依据：<single>"),
        "verdict_lead": ("", "", "结论：", "得出："),
    },
    "formal": {
        **_COMMON,
        "fact": (
            "经查询，{item}的{measure}<isat>{amount}。", "根据记录，{item}{measure}<isat>{amount}。",
            "{item}的{measure}<isat>{amount}<sure_tail>。", "兹记录{item}{measure}<isat>{amount}。", "<settled>",
        ),
        "isat": ("为", "列为", "是", "计"),
        "settled": ("{item}的{measure}确为{amount}，该数字为<sure>数。", "据<sure>数，{item}{measure}正是{amount}。"),
        "tentative": (
            "{item}的{measure}或为{amount}，该数字为<unsure>数。", "据<unsure>数，{item}{measure}约为{amount}。",
        ),
        "revised": ("{item}的{measure}已<updated>为{amount}。", "依据<updated>通知，{item}{measure}为{amount}。"),
        "reason": ("该价格<because>{phrase}。", "资料载明，价格<because>{phrase}。", "这一情况<because>{phrase}。"),
        "reason_none": ("关于起因<none_lead><no_reason>。", "经查<none_lead><no_reason>。"),
        "support_yes": ("{subject}的数字，<independent>可查。", "就{subject}而言，<independent>支持。"),
        "support_no": ("{subject}的数字，<single>可查。", "就{subject}而言，<single>支持。"),
        "verdict_lead": ("由此可见，", "综上，", "比较后得出，", "据此判断，"),
    },
    "chatty": {
        **_COMMON,
        "fact": (
            "好，{item}的{measure}<was>{amount}", "查到了，{item}，{measure}{amount}",
            "嗯，{item}的{measure}<was>{amount}<sure_tail>", "看了下，{item}{measure}<was>{amount}", "<settled>",
        ),
        "was": ("是", "有", "就是", "为"),
        "settled": ("大家说{item}{measure}就是{amount}，而且已是<sure>数", "{item}的{measure}<sure>数是{amount}"),
        "tentative": ("有人说{item}{measure}大概{amount}，不过只是<unsure>数", "{item}的{measure}<unsure>数是{amount}"),
        "revised": ("哦，{item}的{measure}<updated>成{amount}了", "注意<updated>：{item}的{measure}现在是{amount}"),
        "reason": ("都<because>{phrase}", "看来<because>{phrase}", "这事<because>{phrase}"),
        "reason_none": ("看来<none_lead><no_reason>", "这事<none_lead><no_reason>"),
        "support_yes": ("嗯，{subject}这数，<independent>这么说", "{subject}这个数<independent>撑着"),
        "support_no": ("嗯，{subject}这数，<single>这么说", "{subject}这个数<single>撑着"),
        "verdict_lead": ("所以", "算下来", "这么看", "总之"),
    },
    "bullet": {
        **_COMMON,
        "fact": (
            "- {item}{measure}：{amount}", "- {measure}，{item}：{amount}", "- {item}，{measure}：{amount}<sure_tail>",
            "· {measure}（{item}）：{amount}", "- 查得{item}{measure}：{amount}", "<settled>",
        ),
        "settled": ("- {item}{measure}：{amount}（<sure>）", "- <sure>：{item}{measure}{amount}"),
        "tentative": ("- {item}{measure}：{amount}（<unsure>）", "- <unsure>：{item}{measure}{amount}"),
        "revised": ("- {item}{measure}：{amount}（<updated>）", "- <updated>：{item}{measure}{amount}"),
        "reason": ("- 说明：<because>{phrase}", "- 价格：<because>{phrase}"),
        "reason_none": ("- 说明：<none_lead><no_reason>", "- 价格：<none_lead><no_reason>"),
        "support_yes": ("- {subject}依据：<independent>", "- {subject}：<independent>，数字相同"),
        "support_no": ("- {subject}依据：<single>", "- {subject}：<single>，数字相同"),
        "verdict_lead": ("- ", "- 结论：", "· ", "- 判断："),
    },
    "table": {
        **_COMMON,
        "fact": (
            "{item} | {measure} | {amount}", "{measure} | {item} | {amount}", "数字 | {measure} | {item} | {amount}",
            "对象={item}，项目={measure}，数值={amount}", "{item} | {measure} | {amount} | 已查", "<settled>",
        ),
        "settled": ("{item} | {measure} | {amount} | <sure>", "<sure> | {measure} | {item} | {amount}"),
        "tentative": ("{item} | {measure} | {amount} | <unsure>", "<unsure> | {measure} | {item} | {amount}"),
        "revised": ("{item} | {measure} | {amount} | <updated>", "<updated> | {measure} | {item} | {amount}"),
        "reason": ("说明 | <because>{phrase}", "说明 | 价格<because>{phrase}"),
        "reason_none": ("说明 | <none_lead><no_reason>", "说明 | 价格<none_lead><no_reason>"),
        "support_yes": ("依据 | {subject} | <independent>", "{subject} | 依据为<independent>"),
        "support_no": ("依据 | {subject} | <single>", "{subject} | 依据为<single>"),
        "verdict_lead": ("结论 | ", "判断 | ", "得出 | "),
    },
}  # fmt: skip
