"""The sorts of facts that a household assistant keeps: which tool knows them, their units and ranges, their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class Shape(StrEnum):
    """What kind of value a fact has."""

    FIGURE = "figure"
    NAME = "name"
    FLAG = "flag"


class Noun(StrEnum):
    """Kinds of names that can be taken for one another."""

    PERSON = "person"
    SHOP = "shop"
    VENUE = "venue"
    DISH = "dish"


class Family(StrEnum):
    """Kinds of yes and no."""

    COMING = "coming"
    FREE = "free"
    STOCK = "stock"
    ALLOWED = "allowed"
    FITS = "fits"
    ABOVE = "above"


@dataclass(frozen=True, slots=True)
class Sort:
    """A sort of fact.

    Attributes:
        name: Its name.
        tool: The reading tool that knows it; empty if the user says it.
        origin: Where the record comes from.
        shape: What its value is.
        unit: `money`, or a unit as English has it; empty where it has none.
        low: Smallest number.
        high: Largest number.
        step: Step of the numbers.
        noun: Kind of name, for names.
        family: Kind of yes and no, for flags.
    """

    name: str
    tool: str
    origin: str
    shape: Shape = Shape.FIGURE
    unit: str = "money"
    low: float = 0.0
    high: float = 0.0
    step: float = 1.0
    noun: Noun | None = None
    family: Family | None = None


_ALL: Final = (
    Sort("fee", "get_subscription", "subscriptions", low=8, high=90, step=0.5),
    Sort("bill", "get_bill", "household-inbox", low=40, high=480, step=0.1),
    Sort("price", "get_offer", "shop-catalogue", low=20, high=400, step=0.5),
    Sort("wage", "get_agreement", "household-book", low=15, high=140, step=0.5),
    Sort("budget", "", "user", low=120, high=600, step=5),
    Sort("interval", "get_health_plan", "health-plan", unit="hours", low=3, high=36),
    Sort("lead", "get_calendar", "calendar", unit="days", low=11, high=90),
    Sort("runtime", "get_device", "home-hub", unit="hours", low=2, high=19),
    Sort("supply", "get_pantry", "pantry-list", unit="kg", low=2, high=24, step=0.5),
    Sort("luggage", "get_trip", "travel-folder", unit="kg", low=6, high=29, step=0.5),
    Sort("distance", "get_trip", "travel-folder", unit="km", low=25, high=640),
    Sort("usage", "get_usage", "usage-meter", unit="hours", low=4, high=70),
    Sort("mark", "", "user", unit="hours", low=10, high=60),
    Sort("range", "", "user", unit="km", low=80, high=500),
    Sort("need", "", "user", unit="kg", low=26, high=60, step=0.5),
    Sort("helper", "get_agreement", "household-book", Shape.NAME, "", noun=Noun.PERSON),
    Sort("shop", "get_preferences", "preferences", Shape.NAME, "", noun=Noun.SHOP),
    Sort("venue", "get_calendar", "calendar", Shape.NAME, "", noun=Noun.VENUE),
    Sort("dish", "get_preferences", "preferences", Shape.NAME, "", noun=Noun.DISH),
    Sort("guest", "get_calendar", "calendar", Shape.FLAG, "", family=Family.COMING),
    Sort("slot", "get_calendar", "calendar", Shape.FLAG, "", family=Family.FREE),
    Sort("ware", "get_offer", "shop-catalogue", Shape.FLAG, "", family=Family.STOCK),
    Sort("permit", "get_health_plan", "health-plan", Shape.FLAG, "", family=Family.ALLOWED),
)
SORTS: Final[Mapping[str, Sort]] = MappingProxyType({sort.name: sort for sort in _ALL})
READ_TOOLS: Final = tuple(dict.fromkeys(sort.tool for sort in _ALL if sort.tool))
UNITS_ZH: Final = MappingProxyType({"hours": "小时", "days": "天", "kg": "公斤", "km": "公里"})

TOPICS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = MappingProxyType(
    {
        "en": {
            "fee": (
                "the gym plan", "the film channel", "the music plan", "the cloud storage", "the news app",
                "the meal kit", "the phone plan", "the language course", "the parking permit", "the book club",
            ),
            "bill": (
                "the plumber's bill", "the dentist's bill", "the vet's bill", "the water bill", "the heating bill",
                "the garage bill", "the chimney sweep's bill", "the locksmith's bill", "the optician's bill",
            ),
            "price": (
                "the hiking boots", "the rice cooker", "the school bag", "the reading lamp", "the bike helmet",
                "the winter coat", "the desk fan", "the board game", "the tent", "the coffee grinder", "the picnic set",
            ),
            "wage": (
                "the babysitter's pay", "the piano lesson", "the dog walker's pay", "the maths lesson",
                "the gardener's pay", "the swimming lesson", "the window cleaner's pay", "the riding lesson",
            ),
            "budget": ("the spending cap", "the birthday budget", "the monthly allowance", "the family fund"),
            "interval": (
                "the gap between eye drops", "the gap between antibiotic doses", "the gap between inhaler puffs",
                "the gap between iron tablets", "the gap between bandage changes", "the gap between cough syrup doses",
            ),
            "lead": (
                "the wait until the passport office visit", "the wait until the car inspection",
                "the wait until the dental check", "the wait until the school interview",
                "the wait until the boiler service", "the wait until the visa appointment",
            ),
            "runtime": (
                "the night light timer", "the sprinkler timer", "the aquarium lamp timer", "the heater timer",
                "the dehumidifier timer", "the porch lamp timer",
            ),
            "supply": (
                "the dog food", "the basmati rice", "the potatoes", "the cat litter", "the flour", "the bird seed",
            ),
            "luggage": ("the red suitcase", "the ski bag", "the buggy", "the camera case", "the large rucksack"),
            "distance": (
                "the way to the lake house", "the way to the airport hotel", "the way to the cousins' farm",
                "the way to the ferry", "the way to the campsite",
            ),
            "usage": (
                "the gym time", "the film time", "the audiobook time", "the e-scooter time", "the chess app time",
            ),
            "mark": ("the least that pays off",),
            "range": ("the longest drive we take",),
            "need": ("the stock we want at home",),
            "helper": (
                "the babysitter for Friday", "the dog walker", "the piano teacher", "the house sitter",
                "the driver for the school run", "the stand-in for the garden",
            ),
            "shop": (
                "the shop for groceries", "the shop for shoes", "the shop for pet things",
                "the shop for birthday gifts",
                "the shop for school things",
            ),
            "venue": (
                "the place for the birthday", "the place for the reunion", "the place for the farewell dinner",
                "the place for the anniversary",
            ),
            "dish": (
                "the dish that agrees with Grandma", "the cake the twins want", "the menu without nuts",
                "the menu without gluten",
            ),
            "guest": ("Grandma's reply", "the neighbours' reply", "the godfather's reply",
                "the reply of the cousin from abroad",
                "Uncle Rob's reply",),
            "slot": (
                "the Saturday morning slot", "the slot after school", "the Sunday evening slot", "the lunch slot",
            ),
            "ware": ("the red scooter", "the oak stool", "the garden hose", "the blue teapot", "the camping stove"),
            "permit": (
                "the swimming after the operation", "the flight with the ear infection",
                "the sport with the sprained ankle", "the second vaccination",
            ),
        },
        "zh": {
            "fee": (
                "健身房月卡", "影视会员", "音乐会员", "网盘会员", "手机套餐", "英语网课", "小区车位", "读书会",
                "鲜奶订阅",
                "宽带套餐",
            ),
            "bill": (
                "水管维修费", "牙科费用", "宠物医院费用", "水费", "暖气费", "汽车保养费", "开锁费", "配镜费用",
                "物业费",
            ),
            "price": (
                "登山鞋", "电饭煲", "新书包", "护眼灯", "骑行头盔", "羽绒服", "落地扇", "拼图", "帐篷", "磨豆机",
                "野餐垫",
            ),
            "wage": (
                "保姆工钱", "钢琴课课时费", "遛狗费", "数学家教费", "园艺工钱", "游泳课课时费", "擦窗工钱",
                "书法课课时费",
            ),
            "budget": ("开支上限", "生日预算", "本月零用钱", "家庭公用金"),
            "interval": (
                "眼药水间隔", "消炎药间隔", "喷雾剂间隔", "铁剂间隔", "换药间隔", "止咳糖浆间隔",
            ),
            "lead": (
                "离办护照的日子", "离年检的日子", "离洗牙的日子", "离入学面谈的日子", "离锅炉检修的日子",
                "离面签的日子",
            ),
            "runtime": ("小夜灯定时", "浇花器定时", "鱼缸灯定时", "电暖器定时", "除湿机定时", "门廊灯定时"),
            "supply": ("狗粮", "东北大米", "土豆", "猫砂", "面粉", "鸟食"),
            "luggage": ("红色行李箱", "滑雪包", "婴儿车", "相机箱", "大背包"),
            "distance": ("去湖边小屋的路", "去机场酒店的路", "去表哥家的路", "去渡口的路", "去露营地的路"),
            "usage": ("健身时长", "观影时长", "听书时长", "滑板车时长", "棋类软件时长"),
            "mark": ("划算的最低时长",),
            "range": ("我们能接受的最远路程",),
            "need": ("家里想备的数量",),
            "helper": ("周五的保姆", "遛狗的人", "钢琴老师", "看家的人", "接孩子的司机", "代管花园的人"),
            "shop": ("买菜的店", "买鞋的店", "买宠物用品的店", "买生日礼物的店", "买文具的店"),
            "venue": ("过生日的地方", "聚会的地方", "饯行的地方", "纪念日的地方"),
            "dish": ("奶奶能吃的菜", "双胞胎想要的蛋糕", "不含坚果的套餐", "不含麸质的套餐"),
            "guest": ("奶奶的回复", "楼上邻居的回复", "干爹的回复", "国外表姐的回复", "大伯的回复"),
            "slot": ("周六上午的时段", "放学后的时段", "周日晚上的时段", "午间的时段"),
            "ware": ("红色滑板车", "橡木凳", "花园水管", "青瓷茶壶", "露营炉"),
            "permit": ("术后游泳一事", "中耳炎期间坐飞机一事", "脚踝扭伤后运动一事", "第二针疫苗一事"),
        },
    }
)  # fmt: skip

NOUNS: Final[Mapping[str, Mapping[Noun, tuple[str, ...]]]] = MappingProxyType(
    {
        "en": {
            Noun.SHOP: (
                "Marlow & Sons", "Greenleaf", "Corner Basket", "Tilly's", "Hartfield", "Bluebell", "Pennyworth",
                "Old Mill Store", "Rowan Market", "Stillwater",
            ),
            Noun.VENUE: (
                "Villa Serena", "Harbour Hall", "The Walnut Tree", "Casa Lupo", "Garden House", "The Old Forge",
                "Lakeview", "The Copper Pot", "Rose Court", "Mill Barn",
            ),
            Noun.DISH: (
                "pumpkin risotto", "lemon chicken", "apple crumble", "mushroom pie", "carrot cake", "tomato gratin",
                "rice noodles", "poppy seed cake", "leek quiche", "baked trout",
            ),
        },
        "zh": {
            Noun.SHOP: (
                "福满超市", "绿叶商行", "街角小铺", "禾丰商店", "百顺商场", "蓝铃百货", "万家小店", "老磨坊",
                "红杉集市",
                "静水商行",
            ),
            Noun.VENUE: (
                "听雨轩", "望江楼", "胡桃树餐厅", "半亩园", "竹里馆", "老铁匠铺", "湖景山房", "铜锅居", "玫瑰庭院",
                "稻香村舍",
            ),
            Noun.DISH: (
                "南瓜粥", "柠檬鸡", "清蒸鲈鱼", "香菇炖鸡", "胡萝卜蛋糕", "番茄牛腩", "炒米粉", "桂花糕", "韭菜盒子",
                "红枣蛋糕",
            ),
        },
    }
)  # fmt: skip

FLAG_WORDS: Final[Mapping[str, Mapping[Family, tuple[tuple[str, str], ...]]]] = MappingProxyType(
    {
        "en": {
            Family.COMING: (("positive", "negative"), ("accepted", "declined"), ("a glad yes", "a clear no")),
            Family.FREE: (("free", "busy"), ("open", "full"), ("available", "scheduled")),
            Family.STOCK: (("in stock", "sold out"), ("on hand", "run out"), ("available", "exhausted")),
            Family.ALLOWED: (("allowed", "refused"), ("permitted", "forbidden"), ("approved", "rejected")),
            Family.FITS: (
                ("within the limit", "beyond the limit"), ("acceptable", "exorbitant"), ("small enough",
                "beyond reach"),
            ),
            Family.ABOVE: (
                ("above the mark", "below the mark"), ("sufficient", "inadequate"), ("ample", "scant"),
            ),
        },
        "zh": {
            Family.COMING: (("会来", "不来"), ("参加", "缺席"), ("出席", "请假")),
            Family.FREE: (("空着", "占满"), ("可约", "已满"), ("有空", "没空")),
            Family.STOCK: (("有货", "缺货"), ("现货", "断货"), ("在售", "售罄")),
            Family.ALLOWED: (("允许", "禁止"), ("准许", "拒绝"), ("同意", "驳回")),
            Family.FITS: (("在限度内", "超出限度"), ("没有超出", "已经超出"), ("还算合适", "明显偏高")),
            Family.ABOVE: (("高于标准", "低于标准"), ("时长充足", "时长不足"), ("达标", "欠缺")),
        },
    }
)  # fmt: skip
