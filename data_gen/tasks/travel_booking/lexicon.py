"""Words and names of the travel domain, by which its agent also reads."""

from __future__ import annotations

from typing import Final

from data_gen.tasks.travel_booking.statements import Measure

MEASURES: Final = {
    "en": {
        Measure.FARE: ("fare", "ticket price"),
        Measure.RATE: ("room rate", "night rate"),
        Measure.HIRE: ("hire price", "rental price"),
        Measure.HOURS: ("travel time", "journey time"),
        Measure.TRANSFER: ("layover", "stopover"),
        Measure.BUFFER: ("margin before the meeting", "reserve before the meeting"),
        Measure.DISTANCE: ("walk to the office", "way to the office"),
        Measure.SCORE: ("guest approval", "guest rating"),
        Measure.CAP: ("price cap", "spending cap"),
        Measure.BUDGET: ("trip budget", "trip funds"),
        Measure.MINIMUM: ("required minimum", "least time required"),
        Measure.FLOOR: ("refund floor", "least refund"),
        Measure.PAID: ("price paid", "amount paid"),
        Measure.FEE: ("penalty", "handling fee"),
        Measure.DAYS: ("trip length", "time away"),
        Measure.DRIVEN: ("road log", "car log"),
        Measure.ALLOWANCE: ("daily allowance", "per diem"),
        Measure.MILEAGE: ("mileage rate", "kilometre rate"),
        Measure.WEIGHT: ("bag weight", "case weight"),
        Measure.FREE: ("free baggage", "free luggage"),
        Measure.HELD: ("held price", "reserved price"),
        Measure.EXCHANGE: ("exchange rate", "conversion rate"),
    },
    "zh": {
        Measure.FARE: ("票价", "票面价"),
        Measure.RATE: ("房价", "房费"),
        Measure.HIRE: ("租金", "租车价"),
        Measure.HOURS: ("全程时长", "路上时间"),
        Measure.TRANSFER: ("中转时间", "换乘时间"),
        Measure.BUFFER: ("会前余量", "会前富余"),
        Measure.DISTANCE: ("到公司距离", "离公司路程"),
        Measure.SCORE: ("好评率", "推荐率"),
        Measure.CAP: ("费用上限", "价格上限"),
        Measure.BUDGET: ("出差预算", "行程预算"),
        Measure.MINIMUM: ("最低要求", "起码要求"),
        Measure.FLOOR: ("退款底线", "退款下限"),
        Measure.PAID: ("已付金额", "已付款项"),
        Measure.FEE: ("退改费", "手续费"),
        Measure.DAYS: ("出差天数", "在外天数"),
        Measure.DRIVEN: ("行驶里程", "驾车里程"),
        Measure.ALLOWANCE: ("每日补贴", "每日津贴"),
        Measure.MILEAGE: ("里程补贴", "公里补贴"),
        Measure.WEIGHT: ("行李重量", "箱子重量"),
        Measure.FREE: ("免费额度", "免费限重"),
        Measure.HELD: ("预留价", "保留价"),
        Measure.EXCHANGE: ("汇率", "折算率"),
    },
}
FIELDS: Final = {
    "en": {
        Measure.FARE: "fare", Measure.RATE: "night_rate", Measure.HIRE: "hire_price", Measure.HOURS: "travel_hours",
        Measure.TRANSFER: "layover_hours", Measure.BUFFER: "hours_before_meeting", Measure.DISTANCE: "office_km",
        Measure.SCORE: "recommended_percent", Measure.CAP: "price_cap", Measure.BUDGET: "trip_budget",
        Measure.MINIMUM: "minimum_hours", Measure.FLOOR: "refund_floor", Measure.PAID: "price_paid",
        Measure.FEE: "change_penalty", Measure.DAYS: "days_away", Measure.DRIVEN: "driven_km",
        Measure.ALLOWANCE: "daily_allowance", Measure.MILEAGE: "per_km", Measure.WEIGHT: "bag_kg",
        Measure.FREE: "free_kg", Measure.HELD: "held_price", Measure.EXCHANGE: "exchange_rate",
    },
    "zh": {
        Measure.FARE: "票价", Measure.RATE: "房价", Measure.HIRE: "租金", Measure.HOURS: "全程小时",
        Measure.TRANSFER: "中转小时", Measure.BUFFER: "会前小时", Measure.DISTANCE: "距公司公里",
        Measure.SCORE: "推荐百分比", Measure.CAP: "费用上限", Measure.BUDGET: "出差预算", Measure.MINIMUM: "最低小时",
        Measure.FLOOR: "退款底线", Measure.PAID: "已付金额", Measure.FEE: "退改费", Measure.DAYS: "出差天数",
        Measure.DRIVEN: "行驶公里", Measure.ALLOWANCE: "每日补贴", Measure.MILEAGE: "每公里补贴",
        Measure.WEIGHT: "行李公斤", Measure.FREE: "免费公斤", Measure.HELD: "预留价", Measure.EXCHANGE: "汇率",
    },
}  # fmt: skip
PICK_WORDS: Final = {
    "en": {
        "cheapest": ("is the cheapest", "is the best buy", "costs the least"),
        "fastest": ("is the fastest", "is the quickest", "takes the least"),
        "nearest": ("is the nearest", "is the closest", "lies the closest"),
        "best": ("is the best rated", "is the most liked", "rates the highest"),
    },
    "zh": {
        "cheapest": ("最便宜", "价最低", "最省钱"),
        "fastest": ("最快捷", "最省时", "耗时最短"),
        "nearest": ("离得最近", "路程最短", "距离最近"),
        "best": ("评价最高", "口碑最好", "得分最高"),
    },
}
SUM_WORDS: Final = {
    "en": ("adds up to", "works out at", "makes in all"),
    "zh": ("合计", "总计", "共计"),
}
ABOVE_WORDS: Final = {
    "en": ("goes beyond", "rises above", "climbs above", "climbs beyond", "comes out above", "rises well above"),
    "zh": ("高于", "超过", "超出", "多于"),
}
BELOW_WORDS: Final = {
    "en": ("stays below", "keeps under", "sits beneath", "remains below", "stops far below", "stays well below"),
    "zh": ("低于", "少于"),
}
MORE_WORDS: Final = {"en": ABOVE_WORDS["en"], "zh": ("高出", "多出", "高了", "多了")}
LESS_WORDS: Final = {"en": BELOW_WORDS["en"], "zh": ("低了", "少了")}
TENTATIVE: Final = {
    "en": ("rough", "unconfirmed", "preliminary", "tentative", "ballpark"),
    "zh": ("粗略", "未经确认", "初步", "暂估", "大致"),
}
SURE: Final = {
    "en": ("final", "established", "ascertained", "confirmed", "verified"),
    "zh": ("确定", "经过确认", "最终", "核实", "准确"),
}
BECAUSE: Final = {
    "en": ("because of", "due to", "driven by", "owing to", "down to", "explained by"),
    "zh": ("主要由于", "原因是", "归因于", "缘于", "起因是"),
}
NO_REASON: Final = {
    "en": ("no reason", "give no cause", "no cause", "name no reason"),
    "zh": ("未说明原因", "没有给出原因", "没有记录原因", "未提及原因"),
}
INDEPENDENT: Final = {
    "en": ("second separate source", "second distinct source", "another separate source", "another distinct source"),
    "zh": ("两个独立来源", "另一独立来源", "两处独立来源"),
}
SINGLE: Final = {
    "en": (
        "merely one single source",
        "simply one single source",
        "one unreplicated source",
        "one unduplicated source",
    ),
    "zh": ("只有一个来源", "仅有单一来源", "只有单一出处"),
}
LIMIT_CUES: Final = {"en": ("at most", "never above", "no more than"), "zh": ("至多", "不超过", "最多")}
EXEMPT_CUES: Final = {"en": ("without asking", "no approval needed"), "zh": ("无须审批", "免审批")}
ANYONE: Final = {"en": ("anyone", "everybody"), "zh": ("任何人", "所有人")}
HOTELS: Final = {
    "en": (
        "Amber Court", "Harbour House", "Linden Lodge", "Parkside Inn", "Mill Terrace", "Abbey Corner", "Canal View",
        "Station Rest", "Copper Gate", "Willow Yard", "Tower Rooms", "Market Arms", "Garden Wing", "Bridge Hall",
        "Orchard Place", "Castle Row",
    ),
    "zh": (
        "听雨酒店", "云栖酒店", "临江酒店", "桂苑酒店", "松月酒店", "竹里酒店", "望湖酒店", "锦程酒店", "晴川酒店",
        "梧桐酒店", "半山酒店", "花间酒店", "燕归酒店", "远帆酒店", "青石酒店", "南窗酒店",
    ),
}  # fmt: skip
CARS: Final = {
    "en": ("Merlin hatchback", "Osprey estate", "Falcon van", "Kestrel coupe", "Heron saloon", "Plover minibus"),
    "zh": ("白鹭轿车", "青鸟轿车", "雨燕小车", "海鸥商务车", "云雀轿车", "苍鹰越野车"),
}
CARRIERS: Final = {"en": ("KX", "VO", "ZL", "QB", "NW", "OJ"), "zh": ("HX", "YD", "TZ", "QL", "ZF", "NB")}
TRAINS: Final = {"en": ("IC", "RX", "ES"), "zh": ("G", "D")}
OBJECTS: Final = {
    "en": ("itinerary", "confirmation", "travel plan", "schedule", "tickets", "booking"),
    "zh": ("行程单", "确认单", "出行安排", "订单", "车票", "机票"),
}
CODE_CUES: Final = {"en": ("code", "voucher"), "zh": ("优惠码", "协议码")}
