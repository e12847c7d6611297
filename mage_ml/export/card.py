"""The model card: what a model is, what it was measured on, and what it must not be used for."""

from __future__ import annotations

from pathlib import Path

from mage_ml.artifact import ArtifactManifest


def write_model_card(path: Path, manifest: ArtifactManifest) -> None:
    """Write the card as Markdown."""
    path.write_text(_card(manifest), encoding="utf-8")


def _corpora(manifest: ArtifactManifest) -> str:
    uses = manifest.training.get("corpora")
    if not isinstance(uses, list):
        return ""
    return "".join(f", {use['title']} ({use['licence']}, {use['episodes']} episodes)" for use in uses)


def _card(manifest: ArtifactManifest) -> str:
    parity = manifest.parity
    metrics = "\n".join(f"| {name} | {value:.3f} |" for name, value in manifest.metrics.items())
    return f"""# {manifest.name} {manifest.model_version}

A risk classifier for the memory of LLM agents. It reads the entries that bear on a pending action, with their
provenance, and gives four scores (consistency, factuality, safety, dependency) and one score per entry.

| | |
|---|---|
| created | {manifest.created} |
| licence | {manifest.licence} |
| languages | {", ".join(manifest.languages)} |
| weights | {manifest.parameters:,} |
| entry encoder | layers {manifest.training.get("encoder_layers")} of all-MiniLM-L6-v2 (Apache-2.0), fine-tuned |
| training data | generated episodes{_corpora(manifest)}; SHA-256 `{manifest.data_digest[:16]}` |
| encoder file | {parity.shipped}: {parity.reason} |

## Measured on validation data

Generated episodes of other templates and another writer than the training data; a figure with the name of a published
corpus is on other groups of it.

| metric | value |
|---|---|
{metrics}

At the operating threshold, with {manifest.false_alarm_confidence:.0%} confidence at most
{manifest.false_alarm_bound:.1%} of benign episodes raise an alarm ({manifest.benign_episodes} benign episodes; each
counts once, whatever its number of steps). The bound holds for traffic like those episodes; recalibrate on your own.

## Agreement of the exported files

On {parity.snapshots} validation snapshots: largest difference of a probability between torch and fp32
{parity.fp32_max_difference:.2g}; equal decisions between torch and int8 {parity.int8_decisions_agree:.1%}; recall drop
{parity.int8_recall_drop:+.1%}.

## Limits

- Figures on real agents' runs that it never saw are in the benchmark report and are lower.
- Chinese is read character by character with characters added to an English base model.
- It sees at most {manifest.encoding.max_entries} entries and {manifest.encoding.max_items} pieces of text per decision;
  coverage says how much that was.

## Not for

Judging people, content moderation, or as the only protection of an action that cannot be undone.
"""
