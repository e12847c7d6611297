"""How users ask the further questions."""

from __future__ import annotations

from typing import Final

MORE_EN: Final = {
    "product_year_change": (
        "<ask>compare revenue of the {subject} in {b} with a year before ({a})",
        "<ask>work out how sales of the {subject} changed over the year, {a} against {b}",
    ),
    "company_change": (
        "<ask>find out how revenue of all regions moved from {a} to {b}",
        "<ask>tell by how much sales of all regions rose or fell between {a} and {b}",
    ),
    "company_year_change": (
        "<ask>compare revenue of all regions in {b} with a year before ({a})",
        "<ask>give the year-on-year change for all regions, {a} against {b}",
    ),
    "better_of_two_regions": (
        "<ask>tell which of {entities} sold more in {a}", "<ask>see who had more revenue in {a}: {entities}",
    ),
    "better_of_two_products": (
        "<ask>tell which of {entities} sold more in {a}", "<ask>see what brought more in {a}: {entities}",
    ),
    "best_of_four_regions": (
        "<ask>name the strongest region of {a} among {entities}", "<ask>compare {entities} and name the first in {a}",
    ),
    "best_of_four_products": (
        "<ask>name the best seller of {a} among {entities}", "<ask>compare {entities} and name the first in {a}",
    ),
    "weakest_product": (
        "<ask>find out which of {entities} sold least in {a}", "<ask>name the slowest seller of {a} among {entities}",
    ),
    "weakest_of_four_regions": (
        "<ask>name the weakest region of {a} among {entities}", "<ask>compare {entities} and name the last in {a}",
    ),
    "weakest_of_four_products": (
        "<ask>name the slowest seller of {a} among {entities}", "<ask>compare {entities} and name the last in {a}",
    ),
    "three_region_total": (
        "<ask>add up what {entities} sold in {a}", "<ask>give one total for {entities} in {a}",
    ),
    "three_product_total": (
        "<ask>add up what {entities} brought in {a}", "<ask>give one total for {entities} in {a}",
    ),
    "product_figure": (
        "<ask>look up what the {subject} brought in {a}", "<ask>get revenue of the {subject} for {a}",
    ),
    "company_figure": (
        "<ask>look up revenue of all regions for {a}", "<ask>get the sales of all regions in {a}",
    ),
    "target_figure": (
        "<ask>look up the sales target of {subject} for {a}", "<ask>get the {a} target of {subject}",
    ),
    "budget_figure": ("<ask>look up the budget of {subject} for {a}", "<ask>get the {a} budget of {subject}"),
    "cost_figure": ("<ask>look up the costs of {subject} in {a}", "<ask>get what {subject} spent in {a}"),
    "revenue_and_target": (
        "<ask>get revenue and target of {subject} for {a}", "<ask>look up what {subject} sold in {a}, and its target",
    ),
    "cost_and_budget": (
        "<ask>get costs and budget of {subject} for {a}", "<ask>look up what {subject} spent in {a}, and its budget",
    ),
    "two_region_figures": (
        "<ask>get the revenue of {entities} for {a}", "<ask>list what {entities} each sold in {a}",
    ),
    "three_region_figures": (
        "<ask>get the revenue of {entities} for {a}", "<ask>list what {entities} each sold in {a}",
    ),
    "two_product_figures": (
        "<ask>get the revenue of {entities} for {a}", "<ask>list what {entities} each brought in {a}",
    ),
    "region_two_quarters": (
        "<ask>get {subject} revenue for {a} and {b}", "<ask>list {subject} sales of {a} and {b}",
    ),
    "product_two_quarters": (
        "<ask>get revenue of the {subject} for {a} and {b}", "<ask>list sales of the {subject} in {a} and {b}",
    ),
    "region_year_apart": (
        "<ask>get {subject} revenue for {a} and for {b}, a year on", "<ask>list {subject} sales of {a} beside {b}",
    ),
}  # fmt: skip

MORE_ZH: Final = {
    "product_year_change": (
        "<ask>比较{subject}{b}与上年同期（{a}）的销售额", "<ask>计算{subject}销售额同比变化，{a}对{b}",
    ),
    "company_change": ("<ask>看一下全部大区销售额从{a}到{b}的变化", "<ask>查明全部大区营收从{a}到{b}升降多少"),
    "company_year_change": (
        "<ask>比较全部大区{b}与上年同期（{a}）的销售额", "<ask>计算全部大区销售额同比变化，{a}对{b}",
    ),
    "better_of_two_regions": ("<ask>看看{a}{entities}哪个卖得多", "<ask>查明{entities}两个大区{a}谁的销售额高"),
    "better_of_two_products": ("<ask>看看{a}{entities}哪个卖得多", "<ask>查明{entities}两种产品{a}谁的销售额高"),
    "best_of_four_regions": ("<ask>从{entities}里找出{a}最强的大区", "<ask>比较{entities}，报出{a}第一名"),
    "best_of_four_products": ("<ask>从{entities}里找出{a}最畅销的产品", "<ask>比较{entities}，报出{a}第一名"),
    "weakest_product": ("<ask>查出{a}{entities}中销售额最低的产品", "<ask>看看{entities}里{a}哪个卖得最少"),
    "weakest_of_four_regions": ("<ask>从{entities}里找出{a}最弱的大区", "<ask>比较{entities}，报出{a}最后一名"),
    "weakest_of_four_products": ("<ask>从{entities}里找出{a}最滞销的产品", "<ask>比较{entities}，报出{a}最后一名"),
    "three_region_total": ("<ask>算出{entities}三个大区{a}销售额之和", "<ask>给出{entities}{a}的销售总额"),
    "three_product_total": ("<ask>算出{entities}三种产品{a}销售额之和", "<ask>给出{entities}{a}的销售总额"),
    "product_figure": ("<ask>查询{subject}{a}的销售额", "<ask>取一下{subject}{a}的销售数字"),
    "company_figure": ("<ask>查询全部大区{a}的销售额", "<ask>取一下全部大区{a}的销售数字"),
    "target_figure": ("<ask>查询{subject}{a}的销售目标", "<ask>取一下{subject}{a}的目标数字"),
    "budget_figure": ("<ask>查询{subject}{a}的预算", "<ask>取一下{subject}{a}的预算数字"),
    "cost_figure": ("<ask>查询{subject}{a}的支出", "<ask>取一下{subject}{a}的费用数字"),
    "revenue_and_target": ("<ask>查询{subject}{a}的销售额和目标", "<ask>取一下{subject}{a}的销售额，目标也要"),
    "cost_and_budget": ("<ask>查询{subject}{a}的支出和预算", "<ask>取一下{subject}{a}的支出，预算也要"),
    "two_region_figures": ("<ask>查询{entities}{a}各自的销售额", "<ask>列出{entities}{a}分别卖了多少"),
    "three_region_figures": ("<ask>查询{entities}{a}各自的销售额", "<ask>列出{entities}{a}分别卖了多少"),
    "two_product_figures": ("<ask>查询{entities}{a}各自的销售额", "<ask>列出{entities}{a}分别卖了多少"),
    "region_two_quarters": ("<ask>查询{subject}{a}和{b}的销售额", "<ask>列出{subject}{a}、{b}两季的销售额"),
    "product_two_quarters": ("<ask>查询{subject}{a}和{b}的销售额", "<ask>列出{subject}{a}、{b}两季的销售额"),
    "region_year_apart": ("<ask>查询{subject}{a}和次年{b}的销售额", "<ask>列出{subject}相隔一年的{a}与{b}销售额"),
}  # fmt: skip
