"""The report as one HTML page without outside parts or scripts."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from mage_ml.risk import Evidence
from mage_ml.runtime.guardrail.report.labels import level_of, plain, shown, words_in
from mage_ml.runtime.guardrail.report.page import page
from mage_ml.runtime.guardrail.wording import Language, describe, language_of_text
from mage_ml.scan.groups import StepGroup, grouped
from mage_ml.scan.results import Culprit, Location, OutcomeCount, RiskyStep, ScanReport

_ENGLISH: Final = {
    "title": "Risky steps in recorded runs",
    "summary": "{traces} traces, {actions} actions: {risky} risky steps",
    "checked": "Judged by policy {policy} ({mode}) with {model}",
    "files": "Files",
    "would": "What the guard would have done",
    "by_rule": "What was found",
    "by_outcome": "By outcome",
    "outcome": "outcome",
    "traces": "traces",
    "flagged": "with a risky step",
    "stopped": "with a step held back",
    "halted": "halted",
    "steps": "Risky steps",
    "none": "No risky step was found.",
    "step": "step",
    "more": "The same finding at {count} more steps: {steps}",
    "left_out": "{count} milder steps are counted above but not shown.",
    "malformed": "Could not be read",
    "failed": "{count} actions were not fully checked, because a tier failed.",
    "ended": "ended with",
    "no_entry": "The action itself; no entry of memory is behind it.",
}
_CHINESE: Final = {
    "title": "运行记录中的风险步骤",
    "summary": "{traces}条记录，{actions}个操作：{risky}个风险步骤",
    "checked": "依据策略{policy}（{mode}），使用{model}判定",
    "files": "文件",
    "would": "守护本会如何处理",
    "by_rule": "发现的问题",
    "by_outcome": "按结果统计",
    "outcome": "结果",
    "traces": "记录",
    "flagged": "含风险步骤",
    "stopped": "有步骤被拦下",
    "halted": "被中止",
    "steps": "风险步骤",
    "none": "没有发现风险步骤。",
    "step": "步骤",
    "more": "同一问题还影响另外{count}个步骤：{steps}",
    "left_out": "另有{count}个较轻的步骤已计入但未显示。",
    "malformed": "无法读取",
    "failed": "有{count}个操作因某一层失败而未能完整检查。",
    "ended": "结果为",
    "no_entry": "问题在操作本身，没有相关的记忆条目。",
}
_WORDS: Final = MappingProxyType({Language.ENGLISH: _ENGLISH, Language.CHINESE: _CHINESE})
_LISTED: Final = 30


def render_page(report: ScanReport, language: Language | None = None) -> str:
    """The report as a page. What comes from the traces is shown as text, whatever it holds.

    Args:
        report: What was found.
        language: Language of the headings; by default that of most risky actions.
    """
    language = language or _language(report)
    words = {**words_in(language), **_WORDS[language]}
    body = [
        _summary(report, words),
        _counts(report, words),
        _outcomes(report.by_outcome, words),
        _steps(report, words, language),
        _malformed(report, words),
    ]
    return page(words["title"], "\n".join(part for part in body if part), language)


def _language(report: ScanReport) -> Language:
    chinese = sum(language_of_text(step.action) is Language.CHINESE for step in report.steps)
    return Language.CHINESE if 2 * chinese > len(report.steps) else Language.ENGLISH


def _summary(report: ScanReport, words: Mapping[str, str]) -> str:
    actions = sum(report.actions.values())
    said = words["summary"].format(traces=f"{report.traces:,}", actions=f"{actions:,}", risky=f"{report.risky:,}")
    checked = words["checked"].format(policy=report.policy_version, mode=report.mode, model=report.model_version)
    failed = words["failed"].format(count=report.failed_checks) if report.failed_checks else ""
    line = f'<div class="verdict"><strong>{plain(said)}</strong><span class="dim">{plain(checked)}</span></div>'
    return line + (f"<p>{plain(failed)}</p>" if failed else "")


def _counts(report: ScanReport, words: Mapping[str, str]) -> str:
    rows = [(words["files"], ", ".join(f"{form} {count:,}" for form, count in report.files.items()))]
    rows.append((words["would"], ", ".join(f"{action.value} {count:,}" for action, count in report.decisions.items())))
    rows.append((words["by_rule"], ", ".join(f"{rule} {count:,}" for rule, count in report.by_rule.items())))
    rows += [
        (words["risk"], ", ".join(f"{words[f'axis_{axis.value}']} {count:,}" for axis, count in report.by_axis.items()))
    ]
    listed = "".join(f"<dt>{plain(name)}</dt><dd>{plain(value)}</dd>" for name, value in rows if value)
    return f"<dl>{listed}</dl>"


def _outcomes(outcomes: tuple[OutcomeCount, ...], words: Mapping[str, str]) -> str:
    if not outcomes:
        return ""
    heads = "".join(
        f'<th align="{"left" if name == "outcome" else "right"}">{plain(words[name])}</th>'
        for name in ("outcome", "traces", "flagged", "stopped", "halted")
    )
    rows = []
    for item in outcomes:
        shares = (f"{count:,} ({count / item.traces:.0%})" for count in (item.flagged, item.stopped, item.halted))
        cells = "".join(f'<td align="right">{plain(cell)}</td>' for cell in (f"{item.traces:,}", *shares))
        rows.append(f"<tr><td>{shown(item.outcome)}</td>{cells}</tr>")
    table = f'<table cellpadding="6"><tr>{heads}</tr>{"".join(rows)}</table>'
    return f"<section><h2>{plain(words['by_outcome'])}</h2>{table}</section>"


def _steps(report: ScanReport, words: Mapping[str, str], language: Language) -> str:
    cards = "".join(_card(group, words, language) for group in grouped(report.steps))
    left = words["left_out"].format(count=f"{report.left_out:,}") if report.left_out else ""
    more = f'<p class="dim">{plain(left)}</p>' if left else ""
    content = cards or f"<p>{plain(words['none'])}</p>"
    return f"<section><h2>{plain(words['steps'])}</h2>{content}{more}</section>"


def _card(group: StepGroup, words: Mapping[str, str], language: Language) -> str:
    step = group.gravest
    level = level_of(step.score)
    badge = f'<span class="badge {plain(step.decision.value)}">{plain(step.decision.upper())}</span>'
    axis = plain(words[f"axis_{step.axis.value}"])
    tag = f'<span class="tag {level}">{axis} {step.score:.2f} {plain(words[level])}</span>'
    ended = f" · {shown(words['ended'])} {shown(step.outcome)}" if step.outcome else ""
    place = f"{shown(step.trace_id)} · {plain(words['step'])} {step.step} · {_place(step.location)}{ended}"
    findings = "".join(_finding(item, words, language) for item in step.culprits)
    return (
        f'<article class="card {level}"><h3>{badge} {tag} <span class="dim">{shown(step.rule)}</span></h3>'
        f'<p class="dim path">{place}</p><pre>{shown(step.action)}</pre>{findings}{_others(group, words)}</article>'
    )


def _finding(item: Culprit, words: Mapping[str, str], language: Language) -> str:
    named = words[f"axis_{item.axis.value}"]
    head = f'<p>{shown(_said(item, language))} <span class="dim">{plain(named)} {item.score:.2f}</span></p>'
    if not item.entry_id:
        return f'{head}<p class="dim">{plain(words["no_entry"])}</p>'
    origin = f" · {shown(words['origin'])} {shown(item.origin)}" if item.origin else ""
    place = "" if item.location is None else f" · {_place(item.location)}"
    about = f'<p class="dim path"><b>{shown(item.entry_id)}</b> {shown(item.source)}{origin}{place}</p>'
    return f"{head}{about}<pre>{shown(item.before)}<mark>{shown(item.quote)}</mark>{shown(item.after)}</pre>"


def _said(item: Culprit, language: Language) -> str:
    ids = (item.entry_id,) if item.entry_id else ()
    told = Evidence(axis=item.axis, score=item.score, found_by=item.found_by, entry_ids=ids, message=item.message)
    return describe(told, language)


def _others(group: StepGroup, words: Mapping[str, str]) -> str:
    if not group.others:
        return ""
    steps = ", ".join(_one(step) for step in group.others[:_LISTED])
    steps += " …" if len(group.others) > _LISTED else ""
    return f'<p class="dim path">{plain(words["more"].format(count=len(group.others), steps=steps))}</p>'


def _one(step: RiskyStep) -> str:
    line = "" if step.location.line is None else f":{step.location.line}"
    return f"{step.step} ({step.decision.value}{line})"


def _place(location: Location) -> str:
    return shown(f"{location.text} {location.inside}".strip())


def _malformed(report: ScanReport, words: Mapping[str, str]) -> str:
    if not report.malformed_count:
        return ""
    listed = "".join(f"<li>{shown(text)}</li>" for text in report.malformed)
    return f"<section><h2>{plain(words['malformed'])}: {report.malformed_count:,}</h2><ul>{listed}</ul></section>"
