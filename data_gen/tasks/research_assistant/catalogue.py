"""What is studied, by whom, and who writes about it. All invented."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from data_gen.tasks.research_assistant.statements import Measure


@dataclass(frozen=True, slots=True)
class Topic:
    """A field of study: what is measured, in which range, for which groups."""

    field: str
    measure: Measure
    low: float
    high: float
    groups: tuple[str, ...]


def _en(field: str, name: str, unit: str, step: float, low: float, high: float, *groups: str) -> Topic:
    bounds = (f"lower bound of {name}", f"upper bound of {name}")
    return Topic(field, Measure(name, unit, step, bounds), low, high, groups)


def _zh(field: str, name: str, unit: str, step: float, low: float, high: float, *groups: str) -> Topic:
    return Topic(field, Measure(name, unit, step, (f"{name}下限", f"{name}上限")), low, high, groups)


TOPICS: Final = {
    "en": (
        _en("fruit storage", "storage life", "days", 0.1, 12, 60,
            "washed pears", "waxed pears", "chilled pears", "boxed pears"),
        _en("sleep research", "sleep duration", "hours", 0.01, 4.5, 9,
            "night nurses", "day nurses", "tram drivers", "office clerks"),
        _en("crop science", "plot yield", "kg", 1, 130, 900,
            "sandy plots", "clay plots", "drained plots", "terraced plots"),
        _en("active travel", "weekly ride", "km", 1, 110, 480,
            "student riders", "older riders", "commuting riders", "courier riders"),
        _en("survey methods", "response rate", "%", 0.1, 20, 90,
            "rural homes", "city homes", "rented homes", "shared homes"),
        _en("adult education", "pass rate", "%", 0.1, 30, 95,
            "day pupils", "boarding pupils", "evening pupils", "transfer pupils"),
        _en("physiotherapy", "dropout rate", "%", 0.1, 11, 60,
            "knee patients", "hip patients", "back patients", "hand patients"),
        _en("sports medicine", "recovery time", "days", 0.1, 15, 95,
            "young sprinters", "older sprinters", "young rowers", "older rowers"),
        _en("household economics", "yearly energy cost", "EUR", 1, 400, 4200,
            "tenant households", "owner households", "single households", "large households"),
        _en("building physics", "heating saving", "%", 0.1, 11, 48,
            "brick houses", "timber houses", "terraced houses", "corner houses"),
        _en("public libraries", "loan period", "days", 0.1, 11, 45,
            "novel readers", "comic readers", "atlas readers", "music readers"),
        _en("rail operations", "waiting time", "hours", 0.01, 1.1, 9,
            "grain trains", "timber trains", "parcel trains", "coal trains"),
    ),
    "zh": (
        _zh("果品贮藏", "贮藏期", "天", 0.1, 12, 60, "早熟梨", "晚熟梨", "冷藏梨", "打蜡梨"),
        _zh("睡眠研究", "睡眠时长", "小时", 0.01, 4.5, 9, "夜班护士", "白班护士", "电车司机", "机关职员"),
        _zh("作物栽培", "小区产量", "公斤", 1, 130, 900, "沙土地块", "黏土地块", "坡耕地块", "平整地块"),
        _zh("绿色出行", "每周骑行里程", "公里", 1, 110, 480, "大学生", "上班族", "退休人员", "外卖骑手"),
        _zh("调查方法", "应答率", "%", 0.1, 20, 90, "农村住户", "城镇住户", "租房住户", "合租住户"),
        _zh("成人教育", "及格率", "%", 0.1, 30, 95, "走读学员", "住校学员", "夜校学员", "插班学员"),
        _zh("康复治疗", "脱落率", "%", 0.1, 11, 60, "膝伤患者", "髋伤患者", "腰伤患者", "手伤患者"),
        _zh("运动医学", "恢复时间", "天", 0.1, 15, 95, "青年短跑者", "中年短跑者", "青年赛艇手", "中年赛艇手"),
        _zh("家庭经济", "年能源支出", "CNY", 1, 1400, 9200, "租房家庭", "自有房家庭", "单人家庭", "多口家庭"),
        _zh("建筑节能", "采暖节能率", "%", 0.1, 11, 48, "砖混住宅", "木构住宅", "联排住宅", "边户住宅"),
        _zh("公共图书馆", "借阅时长", "天", 0.1, 11, 45, "小说读者", "漫画读者", "地图读者", "音像读者"),
        _zh("铁路运输", "候车时间", "小时", 0.01, 1.1, 9, "粮食班列", "木材班列", "包裹班列", "煤炭班列"),
    ),
}  # fmt: skip
STUDY_KINDS: Final = {
    "en": ("trial", "survey", "cohort", "panel", "census", "pilot"),
    "zh": ("试验", "调查", "队列", "随访", "普查", "试点"),
}
OUTLETS: Final = {
    "en": ("Harbor Post", "Valley Times", "Hillside News", "Morning Call", "Lowland Echo", "Field Weekly"),
    "zh": ("海湾晚报", "山城日报", "北方文摘", "晨间快讯", "田野通报", "科讯周刊"),
}
METHODS: Final = {
    "en": ("postal forms", "phone calls", "home visits", "register data", "field diaries", "sensor logs"),
    "zh": ("邮寄问卷", "电话访问", "入户访谈", "登记数据", "田间日志", "传感记录"),
}
FUNDERS: Final = {
    "en": ("Alder Fund", "Birch Fund", "Rowan Fund", "Hazel Fund", "Maple Fund"),
    "zh": ("赤松基金", "白桦基金", "青槐基金", "紫荆基金", "红枫基金"),
}
