"""`mage-ml guard`."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from pydantic import ValidationError

from mage_ml.cli.judge import JudgeFileOption, JudgeKeyOption, JudgeModelOption, JudgeUrlOption, create_judge
from mage_ml.cli.pages import write_page
from mage_ml.cli.terminal import EXIT_FINDINGS, Format, FormatOption, errors_as_exit_codes, print_result
from mage_ml.errors import ConfigError
from mage_ml.memory import PendingAction, Role, Snapshot, Source
from mage_ml.memory.records import read_chain
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guardrail import Decision
from mage_ml.runtime.guardrail.report import render_html

NAME = "guard"


def command(
    chain: Annotated[Path, typer.Argument(help="The agent's memory: JSON Lines, one entry a line.")],
    action: Annotated[
        str,
        typer.Option("--action", "-A", help="The pending action: a JSON object, or a file with one."),
    ],
    goal: Annotated[str | None, typer.Option(help="The user's task; by default the chain's first user entry.")] = None,
    policy: Annotated[
        str | None, typer.Option(help="Policy file, or a preset: permissive, balanced (the default), strict.")
    ] = None,
    artifact: Annotated[Path | None, typer.Option("--artifact", "-a", help="Sealed model; default: shipped.")] = None,
    rules_only: Annotated[bool, typer.Option("--rules-only", help="Judge by rules alone, without the model.")] = False,
    audit: Annotated[Path | None, typer.Option(help="SQLite file to record the decision in.")] = None,
    page: Annotated[
        Path | None, typer.Option("--html", help="Also write the decision as a page for a browser to this file.")
    ] = None,
    judge: JudgeFileOption = None,
    judge_url: JudgeUrlOption = None,
    judge_model: JudgeModelOption = None,
    judge_key_variable: JudgeKeyOption = None,
    form: FormatOption = Format.TEXT,
) -> None:
    """Judge one pending action against a recorded memory chain. Exit code 1 when it may not go ahead.

    Example: mage-ml guard chain.jsonl --action '{"type": "call_tool:write", "tool_name": "send_mail",
    "arguments": {"to": "a@b.example"}}'
    """
    with errors_as_exit_codes(), ExitStack() as closing:
        memory = read_chain(chain, allow_dangling=True)
        task = goal if goal is not None else next((e.text for e in memory if _is_task(e.source, e.role)), "")
        model = None if rules_only else (artifact or "default")
        if (third := create_judge(judge, judge_url, judge_model, judge_key_variable)) is not None:
            closing.enter_context(third)
        guard = MageGuard.create(
            goal=task,
            policy=policy,
            artifact=model,  # type: ignore[arg-type]
            audit=audit,
            judge=third,
            notifiers=(),
        )
        for entry in memory:
            guard.observe(entry)
        pending = _read_action(action)
        decision = guard.check(pending)
        if page is not None:
            write_page(page, render_html(decision, Snapshot.of(guard.memory.list(), pending, goal=task)))
    print_result(f"{describe(decision)}\n{guard.tier_stats.to_text()}", decision.model_dump(mode="json"), form)
    if not decision.allowed:
        raise typer.Exit(EXIT_FINDINGS)


def describe(decision: Decision) -> str:
    """A decision as text: what, why, what was checked."""
    coverage = decision.coverage
    lines = [f"{decision.action.upper()}: the action may {'' if decision.allowed else 'not '}go ahead"]
    lines += [f"  {axis}: {decision.risk[axis]:.2f}" for axis in type(decision.risk.highest)]
    lines += [f"why: {reason.text}" for reason in decision.reasons]
    if decision.message:
        lines.append(f"for the agent: {decision.message}")
    if decision.diagnosis is not None:
        lines.append(decision.diagnosis.to_text())
    checked = ", ".join(coverage.ran) or "nothing"
    skipped = "".join(f"; {name} skipped: {why}" for name, why in coverage.skipped.items())
    failed = "".join(f"; {name} FAILED: {why}" for name, why in coverage.failed.items())
    lines.append(f"checked by: {checked}{skipped}{failed}; tokens {coverage.tokens_seen}/{coverage.tokens_total}")
    return "\n".join(lines)


def _is_task(source: Source, role: Role) -> bool:
    return source is Source.USER and role is Role.INSTRUCTION


def _read_action(text: str) -> PendingAction:
    name = "--action"
    if not text.lstrip().startswith("{"):
        name = text
        try:
            text = Path(text).read_text(encoding="utf-8")
        except OSError as error:
            raise ConfigError(f"--action: neither a JSON object nor a readable file: {error}") from error
    try:
        return PendingAction.model_validate_json(text)
    except ValidationError as error:
        raise ConfigError(f"{name}: not a pending action: {error}") from error
