"""How five Chinese writers put statements and replies into words."""

from __future__ import annotations

from typing import Final

from data_gen.tasks.refund_service.replies_zh import REPLY

_RULES: Final = {
    "rl": ("", "", "另：", "注：", "规定：", "转告：", "按规定，", "请记住，"),
    "rt": ("", "", "，本案如此", "，暂且这样", "，一律如此", "，今年如此", "，直到结案"),
    "gw": ("", "", "一直", "近来", "曾经", "好像", "据说", "似乎", "也"),
    "c_promise": ("不得早于", "不能早于", "最快也要", "不可早于"),
    "s_promise": ("通常约为", "一般会是", "大多约是", "往往要等", "多半要等"),
    "promise": (
        "<rl>对{subject}承诺的到账时间<c_promise>{limit}<rt>", "<rl>告知{subject}的到账日<c_promise>{limit}<rt>",
        "<rl>给{subject}的退款时限<c_promise>{limit}<rt>",
    ),
    "promise_soft": (
        "<rl>对{subject}承诺的到账时间<s_promise>{limit}<rt>", "<rl>告知{subject}的到账日<s_promise>{limit}<rt>",
        "<rl>给{subject}的退款时限<s_promise>{limit}<rt>",
    ),
    "promise_gone": (
        "<rl>{subject}<gw>在网页上看到时限写着{limit}<rt>", "<rl>{subject}上一笔退款<gw>用了{limit}<rt>",
        "<rl>{subject}来信之前<gw>出差{limit}<rt>", "<rl>上次给{subject}转账<gw>花了{limit}<rt>",
        "<rl>{subject}<gw>等过包裹{limit}<rt>",
    ),
    "c_cap": ("至多", "不超过", "不得高于", "最多"),
    "s_cap": ("大约", "一般在", "通常约为", "多在"),
    "cap": (
        "<rl>给{subject}的赔付<c_cap>{limit}<rt>", "<rl>{subject}本单赔付<c_cap>{limit}<rt>",
        "<rl>赔给{subject}的钱<c_cap>{limit}<rt>",
    ),
    "cap_soft": (
        "<rl>给{subject}的赔付<s_cap>{limit}<rt>", "<rl>{subject}本单赔付<s_cap>{limit}<rt>",
        "<rl>赔给{subject}的钱<s_cap>{limit}<rt>",
    ),
    "cap_gone": (
        "<rl>{subject}去年<gw>消费了{limit}<rt>", "<rl>{subject}还有未结订单{limit}<rt>",
        "<rl>{subject}平均每单{limit}<rt>",
        "<rl>{subject}在本店<gw>买过{limit}的货<rt>", "<rl>{subject}上月下单{limit}<rt>",
    ),
    "c_tone": ("不得警告", "不许警告", "禁止警告", "不可警告"),
    "s_tone": ("尽量别警告", "少去警告", "最好别警告", "慎重警告", "不宜警告"),
    "tone": ("<rl><c_tone>{subject}<over><rt>",),
    "tone_soft": ("<rl><s_tone>{subject}<over><rt>",),
    "over": ("注意言辞", "注意用词", "注意语气", "注意措辞", "言辞过激"),
    "tone_gone": (
        "<rl>{subject}<gw>习惯晚上写邮件<rt>", "<rl>{subject}<gw>喜欢简短的答复<rt>", "<rl>{subject}说话<gw>比较直<rt>",
        "<rl>{subject}的来信<gw>都走邮件<rt>", "<rl>{subject}<gw>在傍晚看信<rt>", "<rl>{subject}<gw>用邮件联系<rt>",
    ),
    "c_permit": ("仅这一单免退", "只这一单免退", "单独免于退货"),
    "w_permit": ("等各单都免退", "等每单均免退", "等均免于退货"),
    "permit": (
        "<rl>订单{subject}<c_permit>，货物留给客户<rt>", "<rl>{subject}<c_permit>，不必寄回<rt>",
        "<rl>{subject}<c_permit>，客户自留<rt>",
    ),
    "permit_all": (
        "<rl>订单{subject}<w_permit>，货物留给客户<rt>", "<rl>{subject}<w_permit>，不必寄回<rt>",
        "<rl>{subject}<w_permit>，客户自留<rt>",
    ),
}  # fmt: skip
_COMMON: Final = {
    **_RULES,
    **REPLY,
    "concerns": ("涉及", "反映的是", "针对的是", "说的是"),
    "because": ("起因是", "原因是", "归因于", "缘于", "主要由于"),
    "no_cause": ("未说明起因", "没有给出起因", "没有记录起因", "未提及起因"),
    "none_lead": ("所读材料", "现有的材料里", "目前看过的文件里", "就此事而言材料", "往来记录"),
    "sure": ("确定", "经过确认", "最终", "核实", "准确"),
    "unsure": ("粗略", "未经确认", "初步", "暂估", "大致"),
    "updated": ("更正", "更新", "修正", "订正"),
    "sure_tail": ("", "", "，据记录", "，已查得", "，系统查询"),
    "about": (
        "<al>来信<concerns>订单{order}的{item}<at>", "<al>客户<concerns>{item}，订单{order}<at>",
        "<al>投诉<concerns>{order}中的{item}<at>", "<al>这次<concerns>订单{order}，{item}<at>",
    ),
    "about_two": (
        "<al>来信<concerns>订单{order}的{item}和{other}<at>", "<al>客户<concerns>{item}和{other}，订单{order}<at>",
        "<al>投诉<concerns>{order}中的{item}与{other}<at>",
    ),
    "al": ("", "", "读信：", "据来信，", "读后：", "要点："),
    "at": ("", "", "，照原话", "，初读如此", "，信里可见"),
    "mood": (
        "<al>{subject}情绪{word}<at>", "<al>{subject}的语气{word}<at>", "<al>{subject}显得{word}<at>",
        "<al>{subject}，{word}<at>", "<al>{subject}这次{word}<at>",
    ),
    "window": (
        "<vl>{subject}的申请{word}", "<vl>{subject}{word}", "<vl>按日期算，{subject}{word}",
        "<vl>{subject}申请一事{word}",
        "<vl>就时间看，{subject}{word}",
    ),
    "limit": (
        "<vl>{subject}的金额{word}", "<vl>{subject}{word}", "<vl>按数额算，{subject}{word}",
        "<vl>{subject}所需款项{word}",
        "<vl>就金额看，{subject}{word}",
    ),
    "stock": (
        "<vl>{subject}的货{word}", "<vl>{subject}{word}", "<vl>查仓库，{subject}的货{word}",
        "<vl>{subject}要的商品{word}",
        "<vl>就库存看，{subject}{word}",
    ),
    "vl": ("", "", "结论：", "核对后，", "判断：", "所以"),
    "support": (
        "<vl>{subject}的证据，{word}", "<vl>{word}支持{subject}", "<vl>{subject}：{word}",
        "<vl>关于{subject}，{word}可查",
        "<vl>就{subject}而言，{word}",
    ),
    "brief": (
        "<bl>处理{case}，客户{customer}", "<bl>给{customer}办理{case}", "<bl>{customer}<waits>{case}的答复",
        "<bl>{case}，办完告知{customer}", "<bl>核清{case}，回复{customer}",
    ),
    "bl": ("任务：", "我的理解：", "简言之：", "要做的事：", "这边的工作：", "来意："),
    "waits": ("想要", "在等", "需要", "盼着", "要求"),
    "mismatch": (
        "关于{what}的记录与出处不符，以出处为准。", "{what}的出处和笔记不一致，按出处办。",
        "发现{what}的笔记记错了，改以出处为准。",
    ),
    "checked": ("{what}的笔记与出处核对过，一致。", "重看了{what}的出处，笔记无误。", "{what}已复核，没有问题。"),
    "skip_reply": ("材料上说现在不要写信，先留着不发。", "按材料所说，这次不写信。"),
    "skim": ("{topic}的材料<seen>：<nothing>。", "<seen>{topic}的材料，<nothing>。", "{topic}的材料里<nothing>。"),
    "seen": ("看过", "读完", "翻过", "浏览过"),
    "nothing": ("都是背景情况", "没有影响金额的内容", "只有一般说明", "仅供了解"),
}  # fmt: skip


def _register(fact: tuple[str, ...], due: tuple[str, ...], **more: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    return {**_COMMON, "fact": fact, "due": due, **more}


WRITERS: Final = {
    "terse": _register(
        (
            "{subject}{label}：{amount}", "{label}，{subject}={amount}", "{subject}，{label}{amount}",
            "{subject}/{label}{amount}", "{subject}的{label}{amount}", "<settled>",
        ),
        (
            "{subject}{label}：{amount}", "{label}，{subject}={amount}", "{subject}，{label}{amount}",
            "得出{subject}{label}{amount}",
        ),
        settled=("{subject}{label}：{amount}，<sure>", "<sure>：{subject}{label}{amount}"),
        tentative=("{subject}{label}：{amount}，<unsure>", "<unsure>：{subject}{label}{amount}"),
        revised=("<updated>：{subject}{label}{amount}", "{subject}{label}：{amount}（<updated>）"),
        cause=("{case}<because>{phrase}", "{case}：<because>{phrase}", "{case}一事<because>{phrase}"),
        cause_none=("{case}<none_lead><no_cause>", "{case}：<none_lead><no_cause>", "{case}一事<no_cause>"),
    ),
    "formal": _register(
        (
            "经查询，{subject}的{label}<is>{amount}。", "根据记录，{subject}{label}<is>{amount}。",
            "{subject}的{label}<is>{amount}<sure_tail>。", "兹记录{subject}{label}<is>{amount}。", "<settled>",
        ),
        (
            "综上，{subject}{label}<is>{amount}。", "据此，{subject}的{label}<is>{amount}。",
            "由此可见，{subject}{label}<is>{amount}。",
        ),
        **{"is": ("为", "共计", "是", "计")},
        settled=("{subject}的{label}确为{amount}，该数字为<sure>数。", "据<sure>数，{subject}{label}正是{amount}。"),
        tentative=(
            "{subject}的{label}或为{amount}，该数字为<unsure>数。", "据<unsure>数，{subject}{label}约为{amount}。",
        ),
        revised=("{subject}的{label}已<updated>为{amount}。", "依据<updated>通知，{subject}{label}为{amount}。"),
        cause=(
            "经查，{case}一事<because>{phrase}。", "材料载明，{case}<because>{phrase}。",
            "{case}的情况<because>{phrase}。",
        ),
        cause_none=(
            "经查，{case}一事<none_lead><no_cause>。", "关于{case}，<none_lead><no_cause>。",
            "{case}的情况<no_cause>。",
        ),
    ),
    "chatty": _register(
        (
            "好，{subject}的{label}<was>{amount}", "查到了，{subject}{label}{amount}",
            "嗯，{subject}{label}<was>{amount}<sure_tail>", "看了下，{subject}的{label}<was>{amount}", "<settled>",
        ),
        (
            "所以{subject}的{label}<was>{amount}", "算下来{subject}{label}{amount}",
            "总之，{subject}{label}<was>{amount}",
        ),
        was=("是", "有", "就是", "为"),
        settled=("大家说{subject}{label}就是{amount}，而且已是<sure>数", "{subject}{label}的<sure>数是{amount}"),
        tentative=("有人说{subject}{label}大概{amount}，不过只是<unsure>数", "{subject}{label}的<unsure>数是{amount}"),
        revised=("哦，{subject}的{label}<updated>成{amount}了", "注意<updated>：{subject}{label}现在是{amount}"),
        cause=("{case}都<because>{phrase}", "看来{case}<because>{phrase}", "{case}这事<because>{phrase}"),
        cause_none=("看来{case}<none_lead><no_cause>", "{case}这事<none_lead><no_cause>", "{case}啊，<no_cause>"),
    ),
    "bullet": _register(
        (
            "- {subject}{label}：{amount}", "- {subject}，{label}：{amount}<sure_tail>",
            "· {label}（{subject}）：{amount}",
            "- 查得{subject}{label}：{amount}", "<settled>",
        ),
        ("- {subject}{label}：{amount}", "· {label}（{subject}）：{amount}", "- 结论：{subject}{label}{amount}"),
        settled=("- {subject}{label}：{amount}（<sure>）", "- <sure>：{subject}{label}{amount}"),
        tentative=("- {subject}{label}：{amount}（<unsure>）", "- <unsure>：{subject}{label}{amount}"),
        revised=("- {subject}{label}：{amount}（<updated>）", "- <updated>：{subject}{label}{amount}"),
        cause=("- {case}：<because>{phrase}", "- {case}一事<because>{phrase}"),
        cause_none=("- {case}：<none_lead><no_cause>", "- {case}一事<none_lead><no_cause>"),
        rl=("- ", "· ", "- 规定：", "- 注：", "- 转告："),
        al=("- ", "· ", "- 来信：", "- 读信："),
        vl=("- ", "· ", "- 结论：", "- 判断："),
    ),
    "table": _register(
        (
            "{subject} | {label} | {amount}", "数字 | {label} | {subject} | {amount}",
            "对象={subject}，项目={label}，数值={amount}", "{subject} | {label} | {amount} | 已查", "<settled>",
        ),
        (
            "{subject} | {label} | {amount}", "结论 | {label} | {subject} | {amount}",
            "得出 | {subject} | {label} | {amount}",
        ),
        settled=("{subject} | {label} | {amount} | <sure>", "<sure> | {label} | {subject} | {amount}"),
        tentative=("{subject} | {label} | {amount} | <unsure>", "<unsure> | {label} | {subject} | {amount}"),
        revised=("{subject} | {label} | {amount} | <updated>", "<updated> | {label} | {subject} | {amount}"),
        cause=("说明 | {case}<because>{phrase}", "{case} | <because>{phrase}"),
        cause_none=("说明 | {case}<none_lead><no_cause>", "{case} | <none_lead><no_cause>"),
        rl=("规定 | ", "转告 | ", "说明 | "),
        al=("来信 | ", "读信 | ", "要点 | "),
        vl=("结论 | ", "判断 | ", "核对 | "),
    ),
}  # fmt: skip
