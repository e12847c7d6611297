"""Entry point of the `mage-ml` command."""

from __future__ import annotations

import typer

from mage_ml.cli import (
    alarms,
    audit,
    audit_replay,
    benchmark,
    calibrate,
    constraints,
    data,
    demo,
    doctor,
    export,
    generate,
    governor,
    graph,
    guard,
    inspect,
    policy,
    policy_compare,
    quarantine,
    scan,
    train,
)
from mage_ml.version import __version__

app = typer.Typer(
    name="mage-ml",
    no_args_is_help=True,
    add_completion=False,
    help="Protect LLM agents from their own memory: generate poisoned runs, train and benchmark a small risk "
    "classifier, and guard live agents with it. Exit codes: 0 fine, 1 findings, 2 error.",
)
for command in (demo, generate, train, export, benchmark, alarms, guard, scan, calibrate, inspect, graph, doctor):
    app.command(name=command.NAME)(command.command)
policy.app.command(name=policy_compare.NAME)(policy_compare.command)
app.add_typer(policy.app, name=policy.NAME)
app.add_typer(quarantine.app, name=quarantine.NAME)
app.add_typer(constraints.app, name=constraints.NAME)
app.add_typer(data.app, name=data.NAME)
app.add_typer(governor.app, name=governor.NAME)
audit.app.command(name=audit_replay.NAME)(audit_replay.command)
app.add_typer(audit.app)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version."),
) -> None:
    pass


def main() -> None:
    """Run the command line."""
    app()
