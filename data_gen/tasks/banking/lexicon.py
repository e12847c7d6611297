"""Words that carry meaning in banking notes: what writers choose from is what readers look for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from data_gen.tasks.banking.attributes import Attribute
from data_gen.tasks.banking.templates import Verdict

Words = tuple[str, ...]
_A, _V = Attribute, Verdict

METRICS: Final[Mapping[str, Mapping[Attribute, Words]]] = {
    "en": {
        _A.DUE: ("amount due", "sum payable", "invoice total", "amount payable"),
        _A.DISCOUNT: ("discount", "rebate", "early-payment discount"),
        _A.LATE_FEE: ("late fee", "overdue charge"),
        _A.PAID: ("amount paid", "sum paid"),
        _A.BALANCE: ("balance", "book balance"),
        _A.MINIMUM: ("minimum reserve", "floor amount"),
        _A.INFLOW: ("receipts this month", "monthly intake"),
        _A.LIMIT: ("daily limit", "payment limit"),
        _A.CLOSING: ("statement figure", "closing figure"),
        _A.SPENT: ("card spending", "spending this month"),
        _A.CARD_LIMIT: ("card limit", "credit line"),
        _A.INSTALMENT: ("standing amount", "regular amount"),
        _A.AGREED: ("agreed amount", "contract amount"),
        _A.CLAIMED: ("amount claimed", "claim total"),
        _A.CAP: ("allowance", "claim ceiling"),
        _A.CHARGED: ("amount charged", "fee charged"),
        _A.TARIFF: ("list fee", "tariff fee"),
        _A.RATE: ("price per hundred", "selling rate per hundred"),
    },
    "zh": {
        _A.DUE: ("应付金额", "发票金额", "待付金额"),
        _A.DISCOUNT: ("折扣额", "优惠额"),
        _A.LATE_FEE: ("滞纳金", "逾期费"),
        _A.PAID: ("已付金额", "已付款额"),
        _A.BALANCE: ("账户余额", "账面余额", "当前余额"),
        _A.MINIMUM: ("最低留存", "留存底额"),
        _A.INFLOW: ("本月入账", "当月收款"),
        _A.LIMIT: ("单日限额", "付款限额"),
        _A.CLOSING: ("账单结余", "期末结余"),
        _A.SPENT: ("本月消费", "已用额度"),
        _A.CARD_LIMIT: ("卡片额度", "信用额度"),
        _A.INSTALMENT: ("定期金额", "每期金额"),
        _A.AGREED: ("合同金额", "约定金额"),
        _A.CLAIMED: ("报销金额", "申报金额"),
        _A.CAP: ("报销上限", "报销标准"),
        _A.CHARGED: ("实收费用", "扣收金额"),
        _A.TARIFF: ("标准收费", "公示收费"),
        _A.RATE: ("每百卖出价", "百元卖出价"),
    },
}
DUE_DATE: Final[Mapping[str, Words]] = {
    "en": ("due date", "falls due", "payable by", "deadline"),
    "zh": ("到期日", "付款期限", "付款截止", "最迟付款日"),
}
UP: Final[Mapping[str, Words]] = {
    "en": ("is above", "stands above", "lies above", "comes out above", "ends above"),
    "zh": ("高于", "大于", "多于"),
}
DOWN: Final[Mapping[str, Words]] = {
    "en": ("is below", "stands below", "lies below", "comes out below", "ends below"),
    "zh": ("低于", "小于", "少于"),
}
VERDICTS: Final[Mapping[str, Mapping[Verdict, Words]]] = {
    "en": {
        _V.SUM: ("adds up to", "comes to a total of", "totals", "sums to"),
        _V.REST: ("leaves", "comes down to", "gives a rest of", "results in"),
        _V.COVER: (*UP["en"], *DOWN["en"]),
        _V.MOST: ("ranks first", "comes first", "tops the list", "is the largest"),
        _V.LEAST: ("ranks last", "comes last", "ends the list", "is the smallest"),
        _V.SHARE: ("the wanted share of", "the agreed share of", "the given share of"),
        _V.PART: ("one part of", "a single part of", "each part of"),
        _V.HALF: ("half the gap between", "half the difference between", "half the distance between"),
        _V.RAISE: ("goes up to", "rises to", "increases to"),
        _V.CONVERT: ("the purchase costs", "the purchase takes", "the exchange costs", "the exchange takes"),
    },
    "zh": {
        _V.SUM: ("合计", "总计", "加总为"),
        _V.REST: ("余下", "剩余", "还剩", "差额为"),
        _V.COVER: (*UP["zh"], *DOWN["zh"]),
        _V.MOST: ("居首位", "排第一", "列首位", "数额最大"),
        _V.LEAST: ("居末位", "排最后", "列末位", "数额最小"),
        _V.SHARE: ("按比例为", "按比例计", "按比例是"),
        _V.PART: ("每期应付", "每期支付", "分摊到每期"),
        _V.HALF: ("相差的一半为", "相差的一半是", "相差一半计"),
        _V.RAISE: ("上调至", "提高到", "调升至"),
        _V.CONVERT: ("购汇需", "换汇需", "购汇要", "换汇要"),
    },
}
BRIEF_LEADS: Final[Mapping[str, Words]] = {
    "en": ("Task:", "As I understand it:", "In short:", "Wanted:", "My job here:", "The request:"),
    "zh": ("任务：", "我的理解：", "简言之：", "要求：", "要办的事：", "请求："),
}
BECAUSE: Final[Mapping[str, Words]] = {
    "en": ("because of", "due to", "explained by", "owing to", "on account of", "caused by"),
    "zh": ("主要由于", "原因是", "归因于", "缘于", "起因是"),
}
NO_REASON: Final[Mapping[str, Words]] = {
    "en": ("no reason is on file", "the letters give no cause", "no cause is recorded", "the letters name no reason"),
    "zh": ("未说明原因", "没有给出原因", "没有记录原因", "未提及原因"),
}
INDEPENDENT: Final[Mapping[str, Words]] = {
    "en": (
        "a second separate source",
        "a second distinct source",
        "another separate source",
        "another distinct source",
    ),
    "zh": ("两个独立来源", "另一独立来源", "两处独立来源"),
}
SINGLE: Final[Mapping[str, Words]] = {
    "en": (
        "merely one single source",
        "simply one single source",
        "one unreplicated source",
        "one unduplicated source",
    ),
    "zh": ("只有一个来源", "仅有单一来源", "只有单一出处"),
}
TENTATIVE: Final[Mapping[str, Words]] = {
    "en": ("rough", "unconfirmed", "preliminary", "tentative", "ballpark"),
    "zh": ("粗略", "未经确认", "初步", "暂估", "大致"),
}
APPROVAL: Final[Mapping[str, Words]] = {"en": ("approval", "clearance"), "zh": ("审批", "复核")}
BINDING: Final[Mapping[str, Words]] = {
    "en": ("must have", "have to get", "always need", "must carry"),
    "zh": ("必须先经", "一律须经", "务必先经", "都要先经"),
}
WEAK: Final[Mapping[str, Words]] = {
    "en": ("may have", "could get", "might also see", "do best with"),
    "zh": ("可以先经", "最好能经", "不妨先经", "方便时经"),
}
EXEMPT: Final[Mapping[str, Words]] = {"en": ("exempt", "released"), "zh": ("免审", "豁免")}
EVERY_INVOICE: Final[Mapping[str, Words]] = {
    "en": tuple(
        form.format(first)
        for first in ("INV-10000", "INV-12000", "INV-15000", "INV-20000")
        for form in ("{} onward", "{} upward", "beyond {}")
    ),
    "zh": ("凡FP-开头的发票", "所有FP-打头的发票", "以FP-开头的全部发票", "全部FP-编号的发票", "各张FP-开头的"),
}
ONLY_NOTED: Final[Mapping[str, Words]] = {
    "en": ("are kept", "get noted", "are listed", "are filed", "get filed"),
    "zh": ("照常先记入", "照旧先写进", "依例先登入", "平常先列入"),
}
