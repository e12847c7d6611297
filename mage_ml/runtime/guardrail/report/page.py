"""The page: one HTML file without outside parts or scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import resources
from string import Template
from typing import Final

from mage_ml.memory import MemoryEntry, Snapshot
from mage_ml.risk import Evidence, RiskAxis
from mage_ml.runtime.guardrail.decision import Decision
from mage_ml.runtime.guardrail.diagnosis import ACTION_NODE, Diagnosis, EntryNote, Finding, diagnose
from mage_ml.runtime.guardrail.report.graph import DrawnGraph, draw, graph_of
from mage_ml.runtime.guardrail.report.labels import level_of, plain, shown, words_in
from mage_ml.runtime.guardrail.report.text import excerpt_with_marks
from mage_ml.runtime.guardrail.wording import Language, describe, language_of, language_of_text

_PAGE: Final = Template("""<!doctype html>
<html lang="$lang">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>$title</title>
<style>$style</style>
</head>
<body><main>
<h1>$title</h1>
$body
</main></body>
</html>
""")
_MAX_ENTRIES: Final = 40


def render_html(decision: Decision, snapshot: Snapshot | None = None, *, language: Language | None = None) -> str:
    """A decision as a self-contained HTML page.

    Everything that comes from memory is shown as text, whatever it holds; characters that cannot be seen are written
    out. The page runs no script, loads nothing, and reads on a phone, in the dark and on paper.

    Args:
        decision: What was decided.
        snapshot: What was judged. Without it the page has what the decision's own diagnosis has: excerpts, and only the
            entries that findings touch.
        language: Language of the headings; by default that of the task.
    """
    if language is None:
        language = language_of(snapshot) if snapshot is not None else language_of_text(decision.message)
    words = words_in(language)
    diagnosis = _diagnosis(decision, snapshot)
    graph = graph_of(diagnosis, snapshot)
    scores = _scores(decision)
    entries = _entries(diagnosis, snapshot, graph)
    body = [
        _verdict(decision, words),
        _section(words["action"], f"<pre>{shown(diagnosis.action)}</pre>" if diagnosis.action else ""),
        _section(words["goal"], f"<p>{shown(snapshot.goal)}</p>" if snapshot is not None and snapshot.goal else ""),
        _section(words["why"], _list(reason.text for reason in decision.reasons)),
        _section(words["told"], f"<p>{shown(decision.message)}</p>" if decision.message else ""),
        _section(words["risk"], _risk(decision, words)),
        _section(words["graph"], _graph(graph, entries, scores, words, diagnosis) if graph.nodes else ""),
        _section(words["findings"], _findings(diagnosis, words, language)),
        _section(words["patches"], _list(_patch_lines(decision))),
        _section(words["entries"], _cards(entries, graph, decision, scores, words)),
        _section(words["coverage"], _coverage(decision, words)),
    ]
    return page(f"{decision.action.upper()}: {words['title']}", "\n".join(body), language)


def page(title: str, body: str, language: Language) -> str:
    """A self-contained page in the style of the report.

    Args:
        title: Its title, as text.
        body: What stands below the title, as HTML.
        language: Its language.
    """
    style = resources.files(__package__ or "").joinpath("style.css").read_text(encoding="utf-8")
    lang = "zh-CN" if language is Language.CHINESE else "en"
    return _PAGE.substitute(lang=lang, title=plain(title), style=style, body=body)


def _diagnosis(decision: Decision, snapshot: Snapshot | None) -> Diagnosis:
    if decision.diagnosis is not None:
        return decision.diagnosis
    if snapshot is not None:
        return diagnose(snapshot, decision.evidence, decision.action.value)
    return Diagnosis(summary=decision.action.value, action="")


def _scores(decision: Decision) -> dict[str, float]:
    """Entry id -> the strongest finding that points at it first."""
    scores: dict[str, float] = {}
    for item in decision.evidence:
        for name in item.entry_ids[:1]:
            scores[name] = max(scores.get(name, 0.0), item.score)
    return scores


def _entries(diagnosis: Diagnosis, snapshot: Snapshot | None, graph: DrawnGraph) -> dict[str, MemoryEntry | EntryNote]:
    if snapshot is None:
        return {entry.id: entry for entry in diagnosis.entries}
    return {name: snapshot.entry(name) for name in graph.nodes}


def _section(title: str, content: str) -> str:
    return f"<section><h2>{plain(title)}</h2>{content}</section>" if content else ""


def _verdict(decision: Decision, words: Mapping[str, str]) -> str:
    said = words["allowed" if decision.allowed else "stopped"]
    names = [decision.decision_id, decision.action_type, decision.mode.value, decision.policy_version]
    details = " · ".join(plain(name) for name in [*names, decision.model_version] if name)
    badge = f'<span class="badge {plain(decision.action.value)}">{plain(decision.action.upper())}</span>'
    return f'<div class="verdict">{badge}<strong>{plain(said)}</strong><span class="dim">{details}</span></div>'


def _risk(decision: Decision, words: Mapping[str, str]) -> str:
    rows = []
    for axis in RiskAxis:
        score = decision.risk[axis]
        level = level_of(score)
        bar = f'<span class="bar"><i class="{level}" style="width:{score:.0%}"></i></span>'
        number = f'<span class="tag {level}">{score:.2f} {plain(words[level])}</span>'
        rows.append(f"<span>{plain(words[f'axis_{axis.value}'])}</span>{bar}{number}")
    return f'<div class="risk">{"".join(rows)}</div><p class="dim">{plain(words["risk_note"])}</p>'


def _graph(
    graph: DrawnGraph,
    entries: Mapping[str, MemoryEntry | EntryNote],
    scores: Mapping[str, float],
    words: Mapping[str, str],
    diagnosis: Diagnosis,
) -> str:
    drawing = draw(
        graph,
        sources={name: _kind(entry) for name, entry in entries.items()},
        scores=scores,
        statuses={name: _status(entry) for name, entry in entries.items() if _status(entry) != "active"},
        words=words,
        action=diagnosis.action,
    )
    more = words["more"].format(count=graph.left_out) if graph.left_out else ""
    return (
        f'<p class="dim">{plain(words["graph_note"])}</p><div class="graph" tabindex="0">{drawing}</div>'
        f'<p class="dim">{plain(more)}</p>'
    )


def _findings(diagnosis: Diagnosis, words: Mapping[str, str], language: Language) -> str:
    cards = []
    for item in diagnosis.findings:
        level = level_of(item.score)
        tag = f'<span class="tag {level}">{item.score:.2f} {plain(words[level])}</span>'
        named = plain(words.get(f"axis_{item.axis}", item.axis))
        steps = (words["action"] if step == ACTION_NODE else step for step in item.path)
        route = " → ".join(f"<b>{shown(step)}</b>" for step in steps)
        way = f"{plain(words['path'])}: {route}" if route else plain(words["no_path"])
        cards.append(
            f'<div class="card {level}"><h3>{named} {tag} <span class="dim">{shown(item.found_by)}</span></h3>'
            f'{_said(item, language)}<p class="dim path">{way}</p></div>'
        )
    return "".join(cards) or f"<p>{plain(words['no_findings'])}</p>"


def _said(finding: Finding, language: Language) -> str:
    if language is Language.ENGLISH:
        return f"<p>{shown(finding.message)}</p>"
    told = Evidence(
        axis=RiskAxis(finding.axis), score=finding.score, found_by=finding.found_by, entry_ids=finding.entry_ids
    )
    return f'<p>{shown(describe(told, language))}</p><p class="dim" lang="en">{shown(finding.message)}</p>'


def _cards(
    entries: Mapping[str, MemoryEntry | EntryNote],
    graph: DrawnGraph,
    decision: Decision,
    scores: Mapping[str, float],
    words: Mapping[str, str],
) -> str:
    cards = []
    on_path = {name for edge in graph.strong for name in edge} | set(scores)
    order = sorted(enumerate(graph.nodes), key=lambda pair: (pair[1] not in on_path, -scores.get(pair[1], 0.0)))
    for number, name in order[:_MAX_ENTRIES]:
        level = level_of(scores.get(name, 0.0))
        spans = [item.span for item in decision.evidence if item.span and item.entry_ids[:1] == (name,)]
        said = f"{scores[name]:.2f} {words[level]}" if name in scores else words[level]
        cards.append(
            f'<article class="card {level}" id="entry-{number}"><h3>{shown(name)} '
            f'<span class="tag {level}">{plain(said)}</span></h3>{_facts(entries[name], words)}'
            f"<pre>{_text(entries[name], spans, words)}</pre></article>"
        )
    return "".join(cards)


def _facts(entry: MemoryEntry | EntryNote, words: Mapping[str, str]) -> str:
    found = [_kind(entry)]
    found += [f"{words['origin']} {entry.origin}"] if entry.origin else []
    found += [f"{words['confidence']} {entry.confidence:.2f}", f"{words['status']} {_status(entry)}"]
    if isinstance(entry, MemoryEntry):
        found.append(f"{words['step']} {entry.step}")
        found += [f"{words['rests_on']} {', '.join(entry.depends_on)}"] if entry.depends_on else []
        found += [f"{words['notes']}: {'; '.join(entry.annotations)}"] if entry.annotations else []
    return f'<p class="dim path">{" · ".join(shown(item) for item in found)}</p>'


def _text(entry: MemoryEntry | EntryNote, spans: list[tuple[int, int]], words: Mapping[str, str]) -> str:
    if isinstance(entry, EntryNote):
        return shown(entry.excerpt)
    return excerpt_with_marks(entry.text, spans, words["cut"])


def _kind(entry: MemoryEntry | EntryNote) -> str:
    if isinstance(entry, MemoryEntry):
        return f"{entry.source.value} {entry.tool_name}" if entry.tool_name else entry.source.value
    return entry.source


def _status(entry: MemoryEntry | EntryNote) -> str:
    return entry.status.value if isinstance(entry, MemoryEntry) else entry.status


def _patch_lines(decision: Decision) -> list[str]:
    return [f"{item.operation.value} {item.entry_id}: {item.reason}" for item in decision.patches]


def _coverage(decision: Decision, words: Mapping[str, str]) -> str:
    coverage = decision.coverage
    rows = [(words["ran"], ", ".join(coverage.ran) or words["nothing"])]
    rows += [(words["skipped"], f"{name}: {why}") for name, why in coverage.skipped.items()]
    rows += [(words["failed"], f"{name}: {why}") for name, why in coverage.failed.items()]
    rows.append((words["tokens"], f"{coverage.tokens_seen} / {coverage.tokens_total}"))
    return f"<dl>{''.join(f'<dt>{plain(name)}</dt><dd>{shown(value)}</dd>' for name, value in rows)}</dl>"


def _list(lines: Iterable[str]) -> str:
    items = "".join(f"<li>{shown(line)}</li>" for line in lines)
    return f"<ul>{items}</ul>" if items else ""
