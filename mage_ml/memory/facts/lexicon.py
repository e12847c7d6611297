"""Words that the fact extractor knows, in English and Chinese. Data, not code.

Every list is one string: words separated by white space, or phrases separated by `|` where a phrase holds a space.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


def _split(text: str) -> tuple[str, ...]:
    parts = text.split("|") if "|" in text else text.split()
    return tuple(part.strip() for part in parts if part.strip())


class Kind(StrEnum):
    """Which values an attribute can take."""

    MONEY = "money"
    RATIO = "ratio"
    COUNT = "count"
    ANY = "any"
    WORD = "word"


# Canonical attribute -> the words for it.
ATTRIBUTES: Final = {
    name: _split(words)
    for name, words in {
        "revenue": "revenue|revenues|sales|turnover|sales total|sales revenue|sales amount"
        "|营收|营业额|营业收入|销售额|销售收入|收入",
        "amount": "amount|payment|sum|payment amount|order amount|付款额|支付金额|订单金额|金额|款项",
        "refund": "refund|refunds|refunded|refund amount|refund total|退款额|退款金额|退款",
        "price": "price|unit price|list price|fare|单价|票价|价格|售价",
        "cost": "cost|costs|expense|expenses|spend|spending|成本|费用|支出|花费",
        "profit": "profit|profits|利润|毛利",
        "fee": "fee|fees|手续费|服务费",
        "tax": "tax|taxes|税费|税额",
        "salary": "salary|工资|薪资",
        "balance": "balance|余额|结余",
        "budget": "budget|预算",
        "growth": "growth|growth rate|revenue growth|sales growth|change|trend|change rate"
        "|增长率|增幅|涨幅|变化率|增速|营收增长率|销售增长率",
        "margin": "margin|profit margin|gross margin|毛利率|利润率",
        "share": "share|market share|市场份额|份额|占比",
        "conversion rate": "conversion rate|conversion|转化率",
        "refund rate": "refund rate|退款率",
        "return rate": "return rate|退货率",
        "churn rate": "churn rate|churn|流失率",
        "order value": "order value|客单价",
        "error rate": "error rate|错误率",
        "interest rate": "interest rate|利率",
        "exchange rate": "exchange rate|汇率",
        "satisfaction": "satisfaction|满意度",
        "quantity": "quantity|units sold|units|volume|sales volume|qty|count|orders|order count|sold"
        "|销量|销售量|数量|订单数|订单量|件数|售出|卖出",
        "stock": "stock|inventory|stock level|库存|库存量",
        "headcount": "headcount|staff count|人数",
        "total": "total|grand total|总额|合计|总计",
        "discount": "discount|折扣|优惠",
        "limit": "limit|cap|ceiling|上限|限额",
        "target": "target|quota|目标|指标",
        "score": "score|rating|评分|得分",
        "weight": "weight|重量",
        "distance": "distance|距离",
        "duration": "duration|delivery time|lead time|时长|交货期|工期",
        "recipient": "recipient|mail recipient|addressee|收件人|接收人",
        "email": "email|e-mail|email address|mail address|邮箱|邮件地址|电子邮箱|邮箱地址",
        "manager": "manager|owner|负责人|经理|主管",
        "status": "status|state|状态",
        "account": "account|iban|account number|账号|账户|卡号",
        "deadline": "deadline|due date|截止日期|截止时间|截止日",
        "currency": "currency|币种|货币",
    }.items()
}
KINDS: Final = {
    name: kind
    for kind, names in {
        Kind.MONEY: "revenue|amount|refund|price|cost|profit|fee|tax|salary|balance|budget|order value",
        Kind.RATIO: "growth|margin|share|conversion rate|refund rate|return rate|churn rate|error rate|interest rate"
        "|satisfaction",
        Kind.COUNT: "quantity stock headcount",
        Kind.ANY: "total|discount|limit|target|score|weight|distance|duration|exchange rate",
        Kind.WORD: "recipient email manager status account deadline currency",
    }.items()
    for name in _split(names)
}
# Words before an attribute that make it another measure: net revenue is not revenue.
MODIFIERS: Final = {
    word: name
    for name, words in {
        "net": "net 净", "average": "average avg mean 平均", "median": "median 中位",
        "highest": "max maximum highest 最高",
        "lowest": "min minimum lowest 最低", "cumulative": "cumulative 累计",
    }.items()
    for word in _split(words)
}  # fmt: skip

RISE: Final = _split(
    "raised by|raised to|lifted by|lifted to|rose|risen|rise|rising|rises|grew|grown|grow|grows|increase|"
    "increased|increases|increasing|climbed|gained|improved|up|上升|上涨|增长|增加|提高|攀升|上扬|增至|升至|涨至|增长至"
    "|增长到|增加至|增加到|上升至|上升到|上涨至|上涨到|提高至|提高到"
)
FALL: Final = _split(
    "cut by|cut to|reduced by|reduced to|lowered by|lowered to|fell|fallen|fall|falling|falls"
    "|dropped|drop|drops|declined|decline|declines|decrease|decreased|decreases|shrank"
    "|lost|down|down to|下降|下跌|减少|降低|下滑|回落|降至|减至|跌至|下降至|下降到|下跌至|下跌到|减少至|减少到|下滑至"
    "|降低至|降低到"
)

# Words that announce that an older value is replaced on purpose.
CORRECTIONS: Final = _split(
    "correction|corrected|corrects|correcting|updated|update|updates|revised|restated|supersedes|superseded|replaces"
    "|replaced|amended|amends|erratum|instead of|no longer|changed from|was wrong|更正|修正|更新|订正|纠正|改为|变更为"
    "|调整为|取代|不再|有误"
)


class Cue(StrEnum):
    """What a small word says about the number, period or clause after it."""

    FROM = "from"
    TO = "to"
    BY = "by"
    LINK = "link"
    NOT = "not"
    BOUND = "bound"
    BOUND_AFTER = "bound_after"
    COMPARE = "compare"
    FORECAST = "forecast"
    CONDITION = "condition"
    AND = "and"
    RESPECTIVELY = "respectively"
    YEARLY = "yoy"
    SEQUENTIAL = "qoq"
    SKIP = "skip"
    HARD = "hard"


_GENERIC_ZH: Final = "大区|地区|区域|片区|门店|客户|订单|产品|商品|项目|酒店|工单|发票|仓库|分公司|部门|公司"
GENERIC_ZH: Final = _split(_GENERIC_ZH)

CUES: Final = {
    word: cue
    for cue, words in {
        Cue.FROM: "from 从 由 自",
        Cue.TO: "to 至 到",
        Cue.BY: "by|了",
        Cue.LINK: "is|was|were|are|be|equals|totalled|totaled|totals|stood at|stands at|came to|came in at|amounted to"
        "|amounts to|reached|hit|为|是|达|达到|有|共|共计",
        Cue.NOT: "not|never|no|didn't|isn't|wasn't|instead of|rather than|而非|不是|并非|没有|未|并未|不",
        Cue.BOUND: "above|below|under|more than|less than|fewer than|at least|at most|up to|exceed|exceeds|exceeded"
        "|between|within|no more than|no less than|over|>|<|≥|≤|超过|低于|高于|不低于|不高于|不超过|至少|至多|最多|不足"
        "|未达|未达到",
        Cue.BOUND_AFTER: "or more|or less|or above|or below|以上|以下|以内",
        Cue.COMPARE: "compared with|compared to|versus|vs|vs.|against|than|relative to|较|比|相比|相较|对比|与",
        Cue.FORECAST: "forecast|forecasts|forecasted|projected|expected|expects|estimated|planned|predicted|anticipated"
        "|will be|would be|预计|预测|预期|计划|预估|估计",
        Cue.CONDITION: "if|unless|whether|in case|whenever|suppose|如果|若|假如|倘若|是否|除非|要是|一旦",
        Cue.AND: "and|while|whereas|but|和|而|及|以及|但|、",
        Cue.RESPECTIVELY: "respectively|分别",
        Cue.YEARLY: "yoy|y/y|year over year|year-over-year|year on year|year-on-year|同比",
        Cue.SEQUENTIAL: "qoq|q/q|mom|m/m|quarter over quarter|quarter-over-quarter|month over month"
        "|month-over-month|环比",
        Cue.SKIP: "的|总|该|本|本期|销售|" + _GENERIC_ZH,
        Cue.HARD: "根据|显示|数据|查询|结果|记录|报告|目前|当前|上期|其中|我们|在|达成|约|大约|已|把|对|将|被|并|请"
        "|发送|发给|系统|工具|返回|得到|可知|说明|确认|更正|修正|更新|订正|纠正|录得|实现|仅|只|于|后|改为|调整为|变更为|有误|维持|保持"
        "|现|则|仍|此前|之前|原|贡献|占",
    }.items()
    for word in _split(words)
}

# Articles and generic nouns: they stand beside the name of an entity without being part of it.
SKIP_WORDS: Final = frozenset(
    _split(
        """a an the this that its our their his her your my region regions regional area areas territory branch district
        division department team order invoice ticket product item customer client user employee hotel restaurant
        project sku store stores warehouse city company fiscal calendar monthly quarterly annual yearly overall total
        latest current actual approved allocated unit s"""
    )
)
# Function words, verbs and reporting nouns: they end the name of an entity.
HARD_WORDS: Final = frozenset(
    _split(
        """of for in on at to by from with and or is was were are be been being has have had it these those as per we i
        you they he she which who when where about around roughly nearly almost exactly only just also then than so far
        come came comes reach reached reaches stand stood stands totalled totaled equal equals amounted amounts recorded
        shows show showed says said say reported reports report found according note noted notes record records result
        results figure figures value values number period quarter month year week day first second third fourth last
        previous prior next versus vs compared over under between during until within approx approximately new old now
        still not no up down rose fell grew dropped increased decreased declined climbed change changed there here will
        would should must may can could please system agent tool data memory step query queried returned return returns
        got get confirms confirm confirmed computed stored business send sent mail write draft check use using set
        remains remained stayed stays while but because since after before again already however therefore thus
        summary sales-report database db table row column correction corrected update updated revised email e-mail
        delivered closed ended finished posted registered logged hit came sold paid pay spent cost costs goes go
        believes thinks claims claimed states stated mentions indicates indicated suggests estimates estimated
        concluded concludes sees verified verifies checked reads lists monday tuesday wednesday thursday friday
        saturday sunday end start out without date"""
    )
)
STOP_WORDS: Final = SKIP_WORDS | HARD_WORDS
# A number after one of these words counts steps or places, it is not a value.
ENUMERATORS: Final = frozenset(
    _split("step no no. number section page version row line figure table phase top tier level room chapter item task")
)
# A number after one of these words is the name of one: order 1001.
IDENTIFIED: Final = frozenset(
    _split("order ticket invoice customer employee id user case booking reservation transaction")
)
IDENTIFIED_ZH: Final = ("订单", "订单号", "工单", "发票", "编号", "客户")
# Chinese measure words: `3家门店` counts shops, it does not value the attribute before it.
MEASURE_WORDS: Final = frozenset("家个次名位份条张项人间种章页行步号款笔期")
ABBREVIATIONS: Final = frozenset(_split("no vs approx inc ltd co corp mr mrs ms dr st e.g i.e etc avg est dept"))
PRONOUNS: Final = frozenset(_split("it its there this"))
PRONOUNS_ZH: Final = ("其", "该")

# Keys of structured content that name what a record is about, the most specific first.
ENTITY_KEYS: Final = _split(
    """id id_ order_id product_id account_id ticket_id customer_id sku name region product customer item title user
    username city hotel restaurant repo_name channel file_name subject
    编号 订单号 产品编号 名称 产品名称 地区 区域 大区 产品 商品 客户 姓名 城市 门店"""
)
TIME_KEYS: Final = _split("quarter period month date year day timestamp 季度 期间 月份 日期 年份 时间")
# Keys that name the currency of a record.
UNIT_KEYS: Final = _split("currency unit 币种 货币 单位")
# Keys of a number that stands beside its own unit.
VALUE_KEYS: Final = frozenset(_split("value amount number quantity 数值 值 金额"))
# Keys of an object that describes the data beside it and is no thing of its own.
DESCRIBING_KEYS: Final = _split("meta metadata header context info units params parameters query 元数据 说明 参数")
