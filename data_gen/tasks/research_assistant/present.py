"""How the tools of a research desk present what they hold."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from pydantic import JsonValue

from data_gen.tasks.research_assistant.statements import Aspect
from data_gen.tasks.research_assistant.world import Result, Shape, Study, World
from data_gen.texts.amounts import AmountStyle, format_quantity

FIELDS: Final = MappingProxyType(
    {
        "en": {
            "rank": "rank", "title": "title", "published": "published", "cases": "cases", "score": "score",
            "query": "query", "hits": "hits", "study": "study", "status": "status", "stands": "in force",
            "gone": "retracted by the journal", "corrected": "corrected", "group": "group", "value": "value",
            "unit": "unit", "printed": "first printed", "outlet": "outlet", "basis": "basis", "from": "taken from",
            "about": "about", "name": "name", "field": "field", "roster": "roster", "mailbox": "mailbox",
            "remark": "remark", "expression": "expression", "result": "result", "measure": "measure",
            "results": "results", "low": "low", "high": "high", "method": "method", "funding": "funding", "n": "n",
        },
        "zh": {
            "rank": "序号", "title": "题名", "published": "发表", "cases": "例数", "score": "相关度", "query": "检索词",
            "hits": "命中", "study": "研究", "status": "状态", "stands": "有效", "gone": "期刊已撤稿",
            "corrected": "有勘误",
            "group": "人群", "value": "数值", "unit": "单位", "printed": "初刊", "outlet": "媒体", "basis": "依据",
            "from": "取自", "about": "涉及", "name": "姓名", "field": "领域", "roster": "名册", "mailbox": "邮箱",
            "remark": "备注", "expression": "算式", "result": "得数", "measure": "指标", "results": "结果",
            "low": "下限",
            "high": "上限", "method": "方法", "funding": "资助", "n": "例数",
        },
    }
)  # fmt: skip
REMARKS: Final = MappingProxyType(
    {
        "en": {
            "own": "own enquiry, raw counts attached", "reprint": "press release, reworded",
            "replicated": "measured again by another team", "copied": "reprint of the same paper",
            "sent": "accepted for delivery", "saved": "stored", "entered": "entered in the queue",
        },
        "zh": {
            "own": "自行采访统计，附原始记录", "reprint": "改写自新闻稿", "replicated": "另一课题组重新测量",
            "copied": "同一论文的转载", "sent": "已受理投递", "saved": "已存储", "entered": "已录入队列",
        },
    }
)  # fmt: skip


def present(world: World, study: Study, rows: Sequence[Result], *, bounds: bool) -> JsonValue:
    """Results of a study as a record or as lines of text.

    Args:
        world: The collection.
        study: The study.
        rows: Its results.
        bounds: Whether lines of text show the intervals; records always do.
    """
    f, measure = FIELDS[world.language], world.topic.measure
    if world.shape is Shape.RECORD:
        return {
            f["study"]: study.name,
            f["measure"]: measure.name,
            f["unit"]: measure.unit,
            f["results"]: [
                {f["group"]: r.group, f["value"]: r.value, f["low"]: r.low, f["high"]: r.high, f["n"]: r.cases}
                for r in rows
            ],
            f["method"]: study.method,
            f["funding"]: study.funder,
            f["published"]: study.published,
        }
    style = AmountStyle.CODE if world.language == "en" else AmountStyle.PLAIN_ZH
    lines = [f"{study.name} | {f['published']} {study.published} | {f['method']}: {study.method} | {study.funder}"]
    for row in rows:
        amount = format_quantity(row.value, measure.unit, style)
        lines.append(f"{study.name} | {row.group} | {measure.name} | {amount} | {f['n']} {row.cases}")
        for aspect, value in ((Aspect.LOW, row.low), (Aspect.HIGH, row.high)) if bounds else ():
            bound = format_quantity(value, measure.unit, style)
            lines.append(f"{study.name} | {row.group} | {measure.words(aspect)} | {bound}")
    return "\n".join(lines)
