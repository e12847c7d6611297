"""`mage-ml data`: third-party corpora as labelled episodes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from mage_ml.cli.terminal import (
    Format,
    FormatOption,
    errors_as_exit_codes,
    figures,
    out,
    print_result,
    progress_bars,
)

if TYPE_CHECKING:
    from mage_ml.evaluation.importers.writing import ImportCard

NAME = "data"
app = typer.Typer(no_args_is_help=True, help="Import published corpora as labelled episodes.")


@app.command("import")
def import_command(
    name: Annotated[str, typer.Argument(help="Name of the corpus; `mage-ml data list` shows them.")],
    path: Annotated[Path, typer.Option("--path", "-p", help="Your copy: a published file, or the folder of them.")],
    folder: Annotated[Path, typer.Option("--out", "-o", help="Folder for the episodes and their card.")],
    for_training: Annotated[
        bool,
        typer.Option("--for-training", help="Assign groups to train, validation and test; refused where not allowed."),
    ] = False,
    validation: Annotated[float, typer.Option(min=0.0, max=0.5, help="Share of the groups for validation.")] = 0.15,
    test: Annotated[float, typer.Option(min=0.0, max=0.5, help="Share of the groups for test.")] = 0.15,
    partial: Annotated[
        bool, typer.Option("--partial", help="Accept another number of records than the published one.")
    ] = False,
    reworded: Annotated[
        bool, typer.Option("--reworded", help="Say every injected text in other words, where that can be done.")
    ] = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Read a corpus and write its episodes as Parquet, with a card; without --for-training all of it is test data.

    Example: mage-ml data import stepshield --path corpora/stepshield --out runs/stepshield
    """
    with errors_as_exit_codes():
        from mage_ml.evaluation.importers.corpus import SplitShares
        from mage_ml.evaluation.importers.writing import write_corpus

        with progress_bars() as progress:
            card = write_corpus(
                name,
                path,
                folder,
                shares=SplitShares(validation, test) if for_training else None,
                for_training=for_training,
                check_count=not partial,
                reworded=reworded,
                progress=progress,
            )
    print_result(f"{summary(card)}\nwritten to {folder}", card.model_dump(mode="json"), form)


@app.command("list")
def list_command(form: FormatOption = Format.TEXT) -> None:
    """List the corpora: licence, whether a model may learn from them, number of records, what a label means.

    Example: mage-ml data list
    """
    from mage_ml.evaluation.importers.table import CORPORA

    rows = [
        {
            "corpus": info.name,
            "title": info.title,
            "licence": info.licence.value,
            "may_train": info.may_train,
            "records": list(info.record_counts),
            "axes": [axis.value for axis in info.axes],
            "label": info.label,
            "split_key": info.split_key,
            "protocol": info.protocol,
        }
        for info in CORPORA.values()
    ]
    if form is Format.JSON:
        print_result("", rows, form)
        return
    table = Table("corpus", "licence", "training", "records", "label at risk")
    for info in CORPORA.values():
        records = " or ".join(f"{number:,}" for number in info.record_counts)
        table.add_row(info.name, info.licence.value, "yes" if info.may_train else "no", records, info.label)
    out.print(table)


def summary(card: ImportCard) -> str:
    """What was imported, in a few lines."""
    share = f"{card.risky_share:.1%} of the labelled ones at risk"
    return figures(
        {
            "corpus": f"{card.title}, {card.licence}" + ("" if card.may_train else ", evaluation only"),
            "records": f"{card.records:,}" + "".join(f", {n:,} left out: {why}" for why, n in card.left_out.items()),
            "episodes": f"{card.episodes:,} in {card.groups:,} groups",
            "snapshots": f"{card.snapshots:,}, {share}",
            "standing": ", ".join(f"{name} {number:,}" for name, number in sorted(card.by_standing.items())),
            "axes": ", ".join(f"{name} {number:,}" for name, number in sorted(card.by_axis.items())) or "none",
            "located": f"{card.located:,} risky snapshots with a known contaminated entry",
            "languages": ", ".join(f"{name} {number:,}" for name, number in sorted(card.by_language.items())),
            "entries": f"{card.entries.shortest} to {card.entries.longest} per chain, median {card.entries.median:g}",
            "splits": ", ".join(f"{name} {number:,}" for name, number in sorted(card.by_split.items())),
        }
    )
