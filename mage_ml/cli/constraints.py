"""`mage-ml constraints`: check, try, and follow the constraints of a governor."""

from __future__ import annotations

import datetime
import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from mage_ml.cli.terminal import (
    EXIT_ERROR,
    EXIT_FINDINGS,
    Format,
    FormatOption,
    errors_as_exit_codes,
    print_result,
    progress_bars,
)

NAME = "constraints"

app = typer.Typer(no_args_is_help=True, help="Check, try and follow the constraints of a governor.")

FileArgument = Annotated[Path, typer.Argument(help="A constraint file (YAML).")]
StateOption = Annotated[
    str, typer.Option("--state", help="The governor's shared state: a SQLite file or a postgresql:// URL.")
]
LimitOption = Annotated[int, typer.Option("--limit", "-n", min=1, help="How many versions to list, the newest last.")]


@app.command()
def lint(
    files: Annotated[list[Path], typer.Argument(help="Constraint files.")],
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 when there are warnings, too.")] = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Check constraint files. Exit code 2 for a file that is refused, 1 for warnings with --strict.

    Example: mage-ml constraints lint configs/constraints.yaml
    """
    from mage_ml.runtime.governor.lint import LintLevel, lint_constraints

    with errors_as_exit_codes():
        found = [remark for file in files for remark in lint_constraints(file)]
    errors = sum(remark.level is LintLevel.ERROR for remark in found)
    lines = [f"{one.level}: {one.place + ': ' if one.place else ''}{one.text}" for one in found]
    lines.append(f"{len(files)} files: {errors} errors, {len(found) - errors} warnings")
    print_result("\n".join(lines).replace("[", r"\["), [asdict(one) for one in found], form)
    if errors:
        raise typer.Exit(EXIT_ERROR)
    if found and strict:
        raise typer.Exit(EXIT_FINDINGS)


@app.command("test")
def examples(
    file: FileArgument,
    only: Annotated[list[str] | None, typer.Option("--only", help="Id of a constraint to try. Repeatable.")] = None,
    say: Annotated[str | None, typer.Option("--say", help="Check this output instead of the examples.")] = None,
    agent: Annotated[str, typer.Option("--agent", help="With --say: who says it.")] = "agent",
    turn: Annotated[int, typer.Option("--turn", min=0, help="With --say: in which turn.")] = 1,
    user: Annotated[str, typer.Option("--user", help="With --say: what the user said before.")] = "",
    form: FormatOption = Format.TEXT,
) -> None:
    """Try constraints on the examples they come with, or on one output. Exit code 1 where something is not right.

    Example: mage-ml constraints test configs/constraints.yaml --say "I will add a small gift" --agent dialogue_agent
    """
    with errors_as_exit_codes():
        if say is not None:
            _say(file, say, agent, turn, user, form)
            return
        from mage_ml.runtime.governor.constraint_file import load_constraints
        from mage_ml.runtime.governor.trial import try_examples

        with progress_bars() as progress:
            results = try_examples(load_constraints(file), only=only or (), progress=progress)
    wrong = [one for one in results if not one.is_right]
    lines = [
        f"wrong: {one.place}: {one.constraint_id}: expected to be {'kept' if one.expected else 'broken'}: "
        f"{one.output[:100]} ({one.reason or 'nothing found'})"
        for one in wrong
    ]
    lines.append(f"{len(results)} examples: {len(results) - len(wrong)} as expected, {len(wrong)} not")
    print_result("\n".join(lines).replace("[", r"\["), [asdict(one) for one in results], form)
    if wrong:
        raise typer.Exit(EXIT_FINDINGS)


@app.command()
def history(state: StateOption, limit: LimitOption = 20, form: FormatOption = Format.TEXT) -> None:
    """List the versions of the constraints with reason and author.

    Example: mage-ml constraints history --state governor.db
    """
    from mage_ml.runtime.governor.state import StateStore
    from mage_ml.runtime.governor.versions import VersionHistory

    with errors_as_exit_codes():
        _must_exist(state)
        rows = VersionHistory(StateStore(state)).all()[-limit:]
    lines = []
    for row in rows:
        when = datetime.datetime.fromtimestamp(row.at, tz=datetime.UTC).strftime("%Y-%m-%d %H:%M:%S")
        back = f", brings back {row.restores}" if row.restores is not None else ""
        why = f"{row.author or 'unknown'}: {row.reason or 'no reason given'}"
        lines.append(f"{row.number:>4}  {when}  version {row.version}  {row.digest[:12]}  {why}{back}")
    text = "\n".join(lines) or "no versions yet"
    print_result(text.replace("[", r"\["), [asdict(row) for row in rows], form)


@app.command()
def rollback(
    file: FileArgument,
    state: StateOption,
    to: Annotated[int, typer.Option("--to", min=1, help="Number of the version to bring back.")],
    author: Annotated[str, typer.Option("--author", help="Who does it.")],
    reason: Annotated[str, typer.Option("--reason", help="Why.")],
    form: FormatOption = Format.TEXT,
) -> None:
    """Bring an old version of the constraints back. Governors that watch the file take it up within moments.

    Example: mage-ml constraints rollback constraints.yaml --state governor.db --to 3 --author mei --reason "too strict"
    """
    from mage_ml.runtime.governor.state import StateStore
    from mage_ml.runtime.governor.versions import VersionHistory

    with errors_as_exit_codes():
        _must_exist(state)
        row = VersionHistory(StateStore(state)).restore(to, file, author=author, reason=reason)
    print_result(f"version {to} is in force again as number {row.number}", asdict(row), form)


@app.command()
def schema() -> None:
    """Print the JSON Schema of constraint files, for editors and other checkers."""
    from mage_ml.runtime.governor.schema import constraints_schema

    typer.echo(json.dumps(constraints_schema(), ensure_ascii=False, indent=2))


def _say(file: Path, output: str, agent: str, turn: int, user: str, form: Format) -> None:
    from mage_ml.runtime.governor import ConstraintGovernor, GovernorContext, load_constraints

    with ConstraintGovernor(load_constraints(file)) as governor:
        ruling = governor.check_and_enforce(agent, output, GovernorContext(run_id="test", turn=turn, user=user))
        governor.drain()
    lines = [f"{ruling.outcome}: checked {', '.join(ruling.checked) or 'nothing'}"]
    lines += [f"also checked afterwards: {', '.join(ruling.deferred)}"] if ruling.deferred else []
    lines += [ruling.feedback] if ruling.feedback else []
    print_result("\n".join(lines).replace("[", r"\["), ruling.model_dump(mode="json"), form)
    if not ruling.allowed:
        raise typer.Exit(EXIT_FINDINGS)


def _must_exist(state: str) -> None:
    from mage_ml.errors import ConfigError

    if "://" not in state and not Path(state).is_file():
        raise ConfigError(f"--state {state}: not found; expected the state of a governor")
