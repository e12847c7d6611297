"""The data card: what is in a generated data set, how it was proved and probed, and what was thrown away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict

from data_gen.probes import ProbeRow
from data_gen.splits import SplitPlan
from mage_ml.memory.episode import Episode, EpisodeTriple, Split
from mage_ml.memory.parquet import EpisodeRow

CARD_SCHEMA_VERSION: Final = 2
_CONSEQUENCES: Final = {
    "surplus_no_effect": "no_effect",
    "surplus_corrected": "corrected",
    "too_few_seeds_wrong": "unstable",
    "not_restored": "unstable",
}
_LENGTHS: Final = ((0, 9), (10, 14), (15, 19), (20, 10_000))


class DataCard(BaseModel):
    """What is in a generated data set.

    Attributes:
        accepted: Whether every probe passed; data that failed is not kept.
        seed: Seed of the generator.
        triples: Triples kept.
        episodes: Episodes kept, three a triple.
        moments: Labelled moments.
        risky_moments: Moments at risk on some axis.
        consequential: Triples with proven consequence.
        hard_negatives: Triples whose contamination had no effect.
        by_split: Triples by split.
        by_domain: Triples by domain.
        by_language: Triples by language.
        by_operator: Triples by operator; `consequential` and `hard_negative` apart.
        by_axis: Risky moments by axis.
        by_template: Triples by template.
        by_writer: Triples by writer.
        by_entries: Contaminated episodes by number of entries.
        attempts: Attempts made.
        rejections: Rejected attempts by reason.
        attempts_by_operator: Attempts by operator.
        failures: Crashed runs by message.
        missing: Indices for which no attempt succeeded.
        duplicates_compared: Pairs of triples compared in full for similarity.
        held_out: Templates and writers that occur in one split only.
        probes: The probe table.
        consequences: Per operator, what came of the contaminated runs that were to have a consequence: `proven`,
            `no_effect`, `corrected` (the agent noticed), `unstable` (too few seeds, or not restored).
        rarely_matter: Operators of which fewer than half of those runs had a proven consequence.
        proof: Sums over the proofs of consequential triples.
        digests: SHA-256 of each split's episodes, as `mage_ml.memory.records.digest_of` gives it.
        examples: Two triples, as text.
        schema_version: Format of this record.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    accepted: bool
    seed: int
    triples: int
    episodes: int
    moments: int
    risky_moments: int
    consequential: int
    hard_negatives: int
    by_split: dict[str, int]
    by_domain: dict[str, int]
    by_language: dict[str, int]
    by_operator: dict[str, dict[str, int]]
    by_axis: dict[str, int]
    by_template: dict[str, int]
    by_writer: dict[str, int]
    by_entries: dict[str, int]
    attempts: int
    rejections: dict[str, int]
    attempts_by_operator: dict[str, int]
    failures: dict[str, int]
    missing: int
    duplicates_compared: int
    held_out: dict[str, list[str]]
    probes: tuple[ProbeRow, ...]
    consequences: dict[str, dict[str, int]]
    rarely_matter: tuple[str, ...]
    proof: dict[str, int]
    digests: dict[str, str]
    examples: tuple[str, ...]
    schema_version: int = CARD_SCHEMA_VERSION


@dataclass
class CardCounts:
    """Counts gathered while triples pass by."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    examples: list[str] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)

    def count(self, table: str, name: str, by: int = 1) -> None:
        """Add to a line of a table."""
        self.counts.setdefault(table, Counter())[name] += by

    def table(self, name: str) -> dict[str, int]:
        """A table in order of names."""
        return dict(sorted(self.counts.get(name, Counter()).items()))

    def attempted(
        self, operator: str, attempts: int, rejections: Mapping[str, int], failures: Mapping[str, int]
    ) -> None:
        """Count the attempts behind one index."""
        self.count("attempts", "all", attempts)
        self.count("attempts_by_operator", operator, attempts)
        for reason, number in rejections.items():
            self.count("rejections", reason, number)
            if reason in _CONSEQUENCES:
                self.count(f"consequence:{operator}", _CONSEQUENCES[reason], number)
        for message, number in failures.items():
            self.count("failures", message, number)

    def add(self, triple: EpisodeTriple) -> None:
        """Count a triple that is kept."""
        episode = triple.contaminated
        kind = "consequential" if episode.consequential else "hard_negative"
        for table, name in (
            ("split", episode.split.value),
            ("domain", episode.domain),
            ("language", episode.language),
            (f"operator:{episode.operator}", kind),
            ("kind", kind),
            ("template", episode.template),
            ("writer", episode.writer),
            ("entries", _bucket(len(episode.entries))),
        ):
            self.count(table, name)
        for arm in triple.episodes:
            self.count("moments", "all", len(arm.moments))
            for moment in arm.moments:
                self.count("moments", "risky", int(moment.label.is_risky))
                for axis in moment.label.axes:
                    self.count("axis", axis.value)
        if episode.consequential:
            self.count(f"consequence:{episode.operator}", "proven")
        if episode.consequential and episode.proof is not None:
            for name, number in episode.proof.model_dump().items():
                self.count("proof", name, number)

    def merge(self, tables: Mapping[str, Mapping[str, int]]) -> None:
        """Add the counts of a triple that another process made."""
        for table, rows in tables.items():
            for name, number in rows.items():
                self.count(table, name, number)

    def offer_example(self, rows: Sequence[EpisodeRow]) -> None:
        """Keep the first triple with proven consequence of each language as an example."""
        shown = {example.split("\n", 1)[0].split()[-1] for example in self.examples}
        if rows[-1].consequential and rows[-1].language not in shown:
            clean, sham, contaminated = (Episode.model_validate_json(item.record) for item in rows)
            self.examples.append(show_triple(EpisodeTriple(clean=clean, sham=sham, contaminated=contaminated)))

    def _by_operator(self, table: str) -> dict[str, dict[str, int]]:
        prefix = f"{table}:"
        return {name.removeprefix(prefix): self.table(name) for name in sorted(self.counts) if name.startswith(prefix)}

    def card(
        self, *, accepted: bool, seed: int, missing: int, compared: int, plan: SplitPlan, probes: tuple[ProbeRow, ...]
    ) -> DataCard:
        """The finished card."""
        kinds, moments = self.table("kind"), self.table("moments")
        operators, consequences = self._by_operator("operator"), self._by_operator("consequence")
        triples = sum(kinds.values())
        return DataCard(
            accepted=accepted,
            seed=seed,
            triples=triples,
            episodes=3 * triples,
            moments=moments.get("all", 0),
            risky_moments=moments.get("risky", 0),
            consequential=kinds.get("consequential", 0),
            hard_negatives=kinds.get("hard_negative", 0),
            by_split=self.table("split"),
            by_domain=self.table("domain"),
            by_language=self.table("language"),
            by_operator=operators,
            by_axis=self.table("axis"),
            by_template=self.table("template"),
            by_writer=self.table("writer"),
            by_entries=self.table("entries"),
            attempts=self.table("attempts").get("all", 0),
            rejections=self.table("rejections"),
            attempts_by_operator=self.table("attempts_by_operator"),
            failures=self.table("failures"),
            missing=missing,
            duplicates_compared=compared,
            held_out=_held_out(plan),
            probes=probes,
            consequences=consequences,
            rarely_matter=tuple(name for name, rows in consequences.items() if proven_share(rows) < 0.5),
            proof=self.table("proof"),
            digests=dict(self.digests),
            examples=tuple(self.examples),
        )


def proven_share(consequences: Mapping[str, int]) -> float:
    """Share of contaminated runs with proven consequence, from one row of `DataCard.consequences`."""
    return consequences.get("proven", 0) / max(1, sum(consequences.values()))


def write_card(card: DataCard, folder: Path) -> None:
    """Write `data_card.json`, `data_card.md` and `data_card.html`."""
    from data_gen.card_page import card_page
    from data_gen.card_text import render_card

    (folder / "data_card.html").write_text(card_page(card), encoding="utf-8")
    (folder / "data_card.json").write_text(card.model_dump_json(indent=2) + "\n", encoding="utf-8")
    (folder / "data_card.md").write_text(render_card(card), encoding="utf-8")


def show_triple(triple: EpisodeTriple) -> str:
    """A triple as text: the contaminated run with the edited entry in its three versions."""
    run = triple.contaminated
    clean = {entry.id: entry for entry in triple.clean.entries}
    sham = {entry.id: entry for entry in triple.sham.entries}
    lines = [f"{run.group_id} {run.operator} {run.template} {run.writer} {run.language}", f"goal: {run.goal}"]
    tainted = set(run.moments[-1].label.tainted)
    for entry in run.entries:
        mark = "!" if entry.id == run.injected_entry else "~" if entry.id in tainted else " "
        place = f"{entry.id} {entry.source}{'/' + entry.tool_name if entry.tool_name else ''}"
        lines.append(f"{mark} {place} {entry.confidence:.2f} <- {','.join(entry.depends_on) or '-'}: {entry.text}")
        if entry.id == run.injected_entry:
            lines.append(f"    clean: {clean[entry.id].text}")
            lines.append(f"    sham:  {sham[entry.id].text}")
    for moment in run.moments:
        if moment.label.is_risky:
            lines.append(f"> {moment.action.type} after {moment.visible} entries: {moment.action.text}")
    for arm in triple.episodes:
        lines.append(f"{arm.arm}: {'right' if arm.outcome.task_solved else 'wrong'} ({arm.outcome.detail})")
    return "\n".join(lines)


def _bucket(entries: int) -> str:
    low, high = next(span for span in _LENGTHS if span[0] <= entries <= span[1])
    return f"{low:02d}-{high:02d}" if high < _LENGTHS[-1][1] else f"{low} and more"


def _held_out(plan: SplitPlan) -> dict[str, list[str]]:
    held = {f"templates, {split} only": list(plan.templates[split]) for split in (Split.VALIDATION, Split.TEST)}
    for split in (Split.VALIDATION, Split.TEST):
        held[f"writers, {split} only"] = [name for hands in plan.writers.values() for name in hands[split]]
    return held
