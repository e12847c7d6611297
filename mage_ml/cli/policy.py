"""`mage-ml policy`: check, show and publish policies."""

from __future__ import annotations

import datetime
import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from mage_ml.cli.terminal import EXIT_ERROR, Format, FormatOption, errors_as_exit_codes, figures, print_result
from mage_ml.errors import ConfigError
from mage_ml.runtime.guardrail.policy_explain import explain_tool
from mage_ml.runtime.guardrail.policy_file import Preset, load_policy, policy_text
from mage_ml.runtime.guardrail.policy_lint import Level, lint_policy
from mage_ml.runtime.guardrail.policy_schema import policy_schema

NAME = "policy"

app = typer.Typer(no_args_is_help=True, help="Check, explain and compare policies.")

PolicyArgument = Annotated[str, typer.Argument(help="A policy file, or a preset: permissive, balanced, strict.")]
ToolsOption = Annotated[
    str | None,
    typer.Option("--tools", help="The agent's tools: names with commas between them, or a file with one name a line."),
]


@app.command()
def lint(
    files: Annotated[list[str], typer.Argument(help="Policy files, or presets.")],
    tools: ToolsOption = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 when there are warnings, too.")] = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Check policies. Exit code 2 for a policy that is refused, 1 for warnings with --strict.

    Example: mage-ml policy lint policy.yaml --tools send_mail,query_sales
    """
    with errors_as_exit_codes():
        names = _tool_names(tools)
        today = datetime.datetime.now(tz=datetime.UTC).date()
        found = [finding for file in files for finding in lint_policy(file, tools=names, today=today)]
    errors = sum(finding.level is Level.ERROR for finding in found)
    lines = [f"{finding.level}: {finding.text}" for finding in found]
    lines.append(f"{len(files)} policies: {errors} errors, {len(found) - errors} warnings")
    print_result("\n".join(lines).replace("[", r"\["), [asdict(finding) for finding in found], form)
    if errors:
        raise typer.Exit(EXIT_ERROR)
    if found and strict:
        raise typer.Exit(1)


@app.command()
def schema() -> None:
    """Print the JSON Schema of policies, for editors and other checkers."""
    typer.echo(json.dumps(policy_schema(), ensure_ascii=False, indent=2))


@app.command()
def presets(form: FormatOption = Format.TEXT) -> None:
    """List the policies that ship with the package; `show NAME` prints one."""
    about = {
        Preset.PERMISSIVE: "thoughts and reads are only warned about; writes are repaired, plain danger is halted",
        Preset.BALANCED: "the default",
        Preset.STRICT: "mail and payments halt at the slightest sign of risk; expect false alarms",
    }
    print_result(figures({preset.value: text for preset, text in about.items()}), about, form)


@app.command()
def show(
    policy: PolicyArgument = "balanced",
    tool: Annotated[str | None, typer.Option(help="Say which row and override apply to this tool, and why.")] = None,
    action_type: Annotated[str | None, typer.Option("--type", help="The action type the host gives the tool.")] = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Print a policy, or what it says about a tool.

    Example: mage-ml policy show strict --tool send_mail
    """
    with errors_as_exit_codes():
        if tool is None:
            text, _ = policy_text(policy)
            print_result(text.replace("[", r"\["), load_policy(policy).model_dump(mode="json"), form)
            return
        found = explain_tool(load_policy(policy), tool, action_type)
    print_result(found.to_text(), found.model_dump(mode="json"), form)


def _tool_names(given: str | None) -> list[str]:
    if given is None:
        return []
    path = Path(given)
    try:
        is_file = path.is_file()
    except OSError:
        is_file = False
    if not is_file:
        return [name.strip() for name in given.split(",") if name.strip()]
    try:
        return [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"--tools {given}: cannot be read: {error}") from error
