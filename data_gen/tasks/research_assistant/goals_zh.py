"""How users word their requests in Chinese."""

from __future__ import annotations

from typing import Final

PICKS: Final = {"newest": "最新的研究", "oldest": "最早的研究", "largest": "样本最多的研究"}

GOALS: Final = {
    "ask": ("请", "麻烦", "", "烦请", "劳驾", "请帮忙"),
    "askl": ("请", "麻烦", "烦请"),
    "figure": ("<ask>查一下{a}中{x}的{what}", "<ask>看看{a}给出的{x}{what}是多少"),
    "figure_table": ("<ask>从{a}的统计表里取{x}的{what}", "<ask>读一下{a}表中{x}的{what}"),
    "figure_corrected": ("<ask>查{a}中{x}的{what}，以更正后为准", "<ask>看{a}的{x}{what}，注意有无勘误"),
    "figure_low": ("<ask>查{a}中{x}{what}的置信区间下限", "<ask>报出{a}里{x}{what}区间的下限"),
    "figure_high": ("<ask>查{a}中{x}{what}的置信区间上限", "<ask>报出{a}里{x}{what}区间的上限"),
    "figure_interval": ("<ask>给出{a}中{x}{what}的区间上下限", "<ask>报告{a}关于{x}{what}的置信区间"),
    "figure_newest": ("<ask>找出最新的研究，报出其中{x}的{what}", "<ask>用最近发表的那项研究，查{x}的{what}"),
    "figure_oldest": ("<ask>找出最早的研究，报出其中{x}的{what}", "<ask>用最先发表的那项研究，查{x}的{what}"),
    "figure_largest": ("<ask>找出样本最多的研究，报出其中{x}的{what}", "<ask>用馆藏里例数最多的研究，查{x}的{what}"),
    "figure_groups": ("<ask>报出{a}中{x}和{y}的{what}", "<ask>列出{x}、{y}的{what}，据{a}"),
    "figure_studies": ("<ask>报出{a}和{b}中{x}的{what}", "<ask>列出{a}、{b}各自的{x}{what}"),
    "table_groups": ("<ask>把{a}中{x}、{y}、{z}的{what}列成小表", "<ask>从{a}表里列出{x}、{y}、{z}的{what}"),
    "table_studies": ("<ask>把{abc}中{x}的{what}列成小表", "<ask>按研究列出{x}的{what}：{abc}"),
    "gap_studies": ("<ask>看看{a}和{b}在{x}的{what}上差多少", "<ask>比较{a}与{b}的{x}{what}"),
    "gap_groups": ("<ask>比较{a}中{x}与{y}的{what}", "<ask>算一下{a}里{x}和{y}的{what}差多少"),
    "gap_tables": ("<ask>比较{a}与{b}两张表中{x}的{what}", "<ask>算出{a}表与{b}表在{x}{what}上的差距"),
    "ratio_studies": ("<ask>算一下{a}的{x}{what}与{b}相差百分之几", "<ask>给出{a}的{x}{what}相对{b}的百分比"),
    "ratio_groups": ("<ask>算一下{a}中{x}与{y}的{what}相差百分之几", "<ask>从{a}表给出{x}{what}相对{y}的百分比"),
    "limit": ("<ask>核对{a}中{x}的{what}是否高于{limit}，差多少", "<ask>拿{a}的{x}{what}与{limit}的界限比一比"),
    "limit_corrected": (
        "<ask>核对{a}中{x}的{what}（含勘误）是否高于{limit}", "<ask>以更正后的{a}为准，看{x}{what}与{limit}的界限",
    ),
    "limit_newest": (
        "<ask>看最新的研究中{x}的{what}是否高于{limit}，差多少", "<ask>取最新的研究，把{x}的{what}与{limit}比较",
    ),
    "top_studies": ("<ask>看{abc}中哪个的{x}{what}最高", "<ask>按{x}的{what}给{abc}排个序，报第一名"),
    "low_studies": ("<ask>看{abc}中哪个的{x}{what}最低", "<ask>找出{x}{what}最低的研究：{abc}"),
    "top_tables": ("<ask>看{a}表和{b}表哪个的{x}{what}较高", "<ask>据统计表判断{a}、{b}谁的{x}{what}更高"),
    "low_tables": ("<ask>看{a}表和{b}表哪个的{x}{what}较低", "<ask>据统计表判断{a}、{b}谁的{x}{what}更低"),
    "mean_studies": ("<ask>求{a}与{b}中{x}{what}的均值", "<ask>把{a}和{b}的{x}{what}平均一下"),
    "mean_three": ("<ask>求{abc}中{x}{what}的均值", "<ask>把{abc}的{x}{what}平均一下"),
    "mean_groups": ("<ask>求{a}表中{x}与{y}的{what}均值", "<ask>把{a}表里{x}、{y}的{what}平均一下"),
    "median_three": ("<ask>求{abc}中{x}{what}的中位数", "<ask>找出{abc}里{x}{what}居中的数"),
    "spread_studies": ("<ask>算一下{abc}中{x}{what}的极差", "<ask>给出{abc}的{x}{what}最高与最低之差"),
    "spread_groups": (
        "<ask>算一下{a}表中{x}、{y}、{z}{what}的极差", "<ask>给出{a}表里{x}、{y}、{z}{what}的最高最低之差",
    ),
    "interval_width": ("<ask>算一下{a}中{x}{what}的区间有多宽", "<ask>给出{a}里{x}{what}置信区间的宽度"),
    "agree_studies": (
        "<ask>判断{a}与{b}的{x}{what}是否一致，容差{limit}",
        "<ask>看{b}能否印证{a}的{x}{what}，相差不超过{limit}算一致",
    ),
    "inside_interval": ("<ask>看{a}中{x}的{what}是否落在{b}的区间内", "<ask>核对{a}的{x}{what}在不在{b}的置信区间里"),
    "claim_above": (
        "有讲座称{a}中{x}的{what}超过{limit}，<askl>核实", "<ask>核实这一说法：{a}里{x}的{what}高于{limit}",
    ),
    "claim_below": (
        "有传单称{a}表中{x}的{what}不到{limit}，<askl>核实", "<ask>核实这一说法：{a}表里{x}的{what}低于{limit}",
    ),
    "claim_order": ("有标题称{a}中{x}的{what}高过{y}，<askl>核实", "<ask>核实这一说法：{a}里{x}的{what}高于{y}"),
    "claim_every": (
        "有海报称{a}中{x}、{y}、{z}的{what}都超过{limit}，<askl>核实",
        "<ask>核实这一说法：{a}里{x}、{y}、{z}的{what}全都高于{limit}",
    ),
    "claim_retracted": (
        "有人发言以{a}为据，<askl>查该研究是否还有效，说法站不站得住", "<ask>核实以{a}为据的说法：该研究撤了没有",
    ),
    "count_origins": ("<ask>数一数{outlets}的报道有几个出处", "<ask>查明{outlets}背后各自统计的有几家"),
    "count_two": ("<ask>看{outlets}的报道是一个出处还是两个", "<ask>查明{outlets}是否各有出处"),
    "support": ("<ask>查{a}中{x}的{what}，并看有没有别人测过", "<ask>报出{a}的{x}{what}，连同佐证情况"),
    "support_limit": (
        "<ask>看{a}中{x}的{what}是否高于{limit}，有无佐证", "<ask>拿{a}的{x}{what}与{limit}比较，连同佐证情况",
    ),
    "origin": ("<ask>追查{outlet}那篇报道出自哪项研究", "<ask>找出{outlet}的数字取自哪项研究"),
    "cite_standing": ("<ask>检查{abc}，只引用仍然有效的", "<ask>从{abc}里剔除撤稿的，引用其余"),
    "cite_own_data": ("<ask>追溯{outlets}，只引用自有数据的", "<ask>从{outlets}里剔除转载的，引用其余"),
    "screen_samples": ("<ask>筛一遍{abc}，只引用{bar}例及以上的", "<ask>从{abc}里去掉不足{bar}例的，引用其余"),
    "method": ("<ask>说明{a}的数据是怎么收集的", "<ask>查一下{a}用的方法"),
    "same_method": ("<ask>看{a}和{b}的方法是否相同", "<ask>比较{a}与{b}的方法"),
    "why_gap": ("<ask>比较{a}与{b}的{x}{what}", "<ask>看{a}和{b}的{x}{what}差多少"),
    "why_disagree": (
        "<ask>判断{a}与{b}的{x}{what}是否一致，容差{limit}", "<ask>看{a}和{b}的{x}{what}相差是否在{limit}以内",
    ),
    "funder": ("<ask>查明{a}由谁资助", "<ask>看看{a}的经费从哪里来"),
    "reviewer": ("<ask>查{a}中{x}的{what}，发邮件给{field}的审稿人", "<ask>把{a}的{x}{what}报给负责{field}的审稿人"),
    "reviewer_gap": (
        "<ask>比较{a}与{b}的{x}{what}，发邮件给{field}的审稿人",
        "<ask>把{a}和{b}的{x}{what}差距报给负责{field}的审稿人",
    ),
    "alert_limit": (
        "<ask>核对{a}中{x}的{what}，只有高于{limit}才发邮件给{name}",
        "<ask>若{a}的{x}{what}高于{limit}就发邮件提醒{name}，否则不发",
    ),
    "alert_disagree": (
        "<ask>只有{a}与{b}的{x}{what}相差超过{limit}才发邮件给{name}",
        "<ask>若{a}和{b}的{x}{what}差了{limit}以上，就发邮件提醒{name}",
    ),
    "update_brief": (
        "{old}的简报写着{a}中{x}的旧{what}，相差超过{limit}才重写，<askl>处理",
        "<ask>拿{old}的简报与{a}的{x}{what}对照，差{limit}以上就重写",
    ),
    "send": ("，把结果发邮件给{name}", "，然后邮件告知{name}", "。{name}等着收邮件"),
    "no_send": ("，这次不用发邮件", "，无需发邮件"),
    "keep": ("",),
    "file": ("。在{path}写好简报", "。简报放到{path}", "。另写简报{path}"),
    "submit": ("。同时提交为答复", "。结果录入答复", "。并以答复结案"),
    "note": ("。留一份题为“{title}”的笔记", "。存一条研究笔记“{title}”"),
    "copy": ("。邮件抄送{address}", "。{address}可以一并收到"),
    "extra": ("。另外单独给{extra}发一封", "。{extra}也单独收一封"),
    "cite": ("。简报里也可引用{also}", "。一并引用{also}"),
    "why": ("。资料若有说明，写上原因", "。有原因的话也写明"),
    "backed": ("。再说明{a}有无第二项研究佐证", "。附上{a}是否有独立佐证"),
    "rules": (
        "内部规定：简报只引用所依据的来源，用户另有要求除外。", "内部规定：邮件只发给用户指明的人。",
        "内部规定：更正值取代原值。", "内部规定：转载不算独立来源。",
    ),
}  # fmt: skip
