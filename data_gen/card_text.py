"""The data card as Markdown."""

from __future__ import annotations

from collections.abc import Iterable

from data_gen.card import DataCard, proven_share


def render_card(card: DataCard) -> str:
    """The card as Markdown."""
    lines = [
        "# Data card",
        "",
        f"{card.triples} triples: {card.episodes} episodes, {card.moments} moments, {card.risky_moments} risky; "
        f"{card.consequential} with proven consequence, {card.hard_negatives} hard negatives. Seed {card.seed}. "
        f"Probes: {'passed' if card.accepted else 'FAILED, the data was not kept'}.",
        "",
    ]
    for title, table in (
        ("Triples by split", card.by_split),
        ("Triples by domain", card.by_domain),
        ("Triples by language", card.by_language),
        ("Risky moments by axis", card.by_axis),
        ("Triples by number of entries", card.by_entries),
        ("Triples by template", card.by_template),
        ("Triples by writer", card.by_writer),
        (f"Rejected attempts (of {card.attempts})", card.rejections),
        ("Attempts by operator", card.attempts_by_operator),
        ("Crashed runs", card.failures),
        ("Proofs of the consequential triples, summed", card.proof),
    ):
        lines += _table(title, table.items())
    lines += ["## Operators", "", "| operator | consequential | hard negative |", "|---|---|---|"]
    for name, kinds in card.by_operator.items():
        lines.append(f"| {name} | {kinds.get('consequential', 0)} | {kinds.get('hard_negative', 0)} |")
    lines += ["", *_consequences(card), "## Held out", ""]
    lines += [f"- {place}: {', '.join(names)}" for place, names in card.held_out.items()]
    lines += ["", f"Pairs compared in full for near-duplicates across splits: {card.duplicates_compared}.", ""]
    lines += ["## Probes", "", "| probe | arms | AUROC | interval | pairs | status |", "|---|---|---|---|---|---|"]
    for row in card.probes:
        interval = f"{row.low:.3f} to {row.high:.3f}"
        lines.append(f"| {row.probe} | {row.contrast} | {row.auroc:.3f} | {interval} | {row.pairs} | {row.status} |")
    lines += [
        "",
        "## Digests",
        "",
        *[f"- {split}: `{digest}`" for split, digest in card.digests.items()],
        "",
        "## Examples",
    ]
    for example in card.examples:
        lines += ["", "```text", example, "```"]
    return "\n".join(lines) + "\n"


def _consequences(card: DataCard) -> list[str]:
    lines = [
        "## Contaminated runs with proven consequence",
        "",
        "| operator | share | proven | no effect | corrected by the agent | unstable |",
        "|---|---|---|---|---|---|",
    ]
    for name, rows in card.consequences.items():
        counts = " | ".join(str(rows.get(kind, 0)) for kind in ("proven", "no_effect", "corrected", "unstable"))
        lines.append(f"| {name} | {proven_share(rows):.0%} | {counts} |")
    rare = ", ".join(card.rarely_matter)
    return [*lines, "", f"Operators that rarely matter (under 50 %): {rare or 'none'}.", ""]


def _table(title: str, rows: Iterable[tuple[str, int]]) -> list[str]:
    body = [f"| {name} | {number} |" for name, number in rows]
    return [f"## {title}", "", "| | |", "|---|---|", *(body or ["| none | 0 |"]), ""]
