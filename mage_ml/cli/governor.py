"""`mage-ml governor`: how the constraints are doing, and what could be added to them."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mage_ml.cli.terminal import (
    EXIT_FINDINGS,
    Format,
    FormatOption,
    errors_as_exit_codes,
    print_result,
)

if TYPE_CHECKING:
    from mage_ml.runtime.audit import AuditLog
    from mage_ml.runtime.governor.adaptive import NearMiss
    from mage_ml.runtime.guardrail.wording import Language

NAME = "governor"

app = typer.Typer(no_args_is_help=True, help="See how the constraints of a governor are doing, and what is missing.")

StateOption = Annotated[
    str, typer.Option("--state", help="The governor's shared state: a SQLite file or a postgresql:// URL.")
]
ConstraintsOption = Annotated[Path | None, typer.Option("--constraints", "-c", help="The constraint file (YAML).")]
AuditOption = Annotated[str | None, typer.Option("--audit", help="The audit log: a SQLite file or postgresql:// URL.")]


@app.command()
def report(
    state: StateOption,
    constraints: ConstraintsOption = None,
    audit: AuditOption = None,
    days: Annotated[float, typer.Option("--days", min=0.001, help="Days up to now that are reported.")] = 7.0,
    html: Annotated[Path | None, typer.Option("--html", help="Also write the report as one HTML page.")] = None,
    language: Annotated[str, typer.Option("--language", help="en or zh.")] = "en",
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 when a constraint was under pressure.")] = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Report checks, violations, pressure and changes, by constraint, by agent and over time.

    Example: mage-ml governor report --state governor.db --constraints constraints.yaml --html report.html
    """
    from mage_ml.cli.pages import write_page
    from mage_ml.runtime.governor import StateStore, load_constraints
    from mage_ml.runtime.governor.monitor import MonitorSettings, collect, render_page, render_text

    with errors_as_exit_codes():
        spoken = _language(language)
        _must_exist(state, "--state")
        known = load_constraints(constraints).constraints if constraints is not None else None
        log = _audit_log(audit)
        found = collect(StateStore(state), MonitorSettings(days=days), constraints=known, audit=log)
        if html is not None:
            write_page(html, render_page(found, spoken))
    print_result(render_text(found, spoken).replace("[", r"\["), asdict(found), form)
    if strict and found.alerts:
        raise typer.Exit(EXIT_FINDINGS)


@app.command("propose")
def propose_command(
    out: Annotated[Path, typer.Option("--out", "-o", help="Where the proposed constraints are written (YAML).")],
    state: Annotated[str | None, typer.Option("--state", help="Shared state with labels of missed violations.")] = None,
    audit: AuditOption = None,
    accepted: Annotated[
        Path | None, typer.Option("--accepted", help="Text file of outputs that are fine, one a line.")
    ] = None,
    baseline: Annotated[
        bool, typer.Option("--baseline", help="Also propose an allow-list of sentences accepted more than once.")
    ] = False,
    min_size: Annotated[int, typer.Option("--min-size", min=2, help="Fewest near-misses that are alike.")] = 3,
    form: FormatOption = Format.TEXT,
) -> None:
    """Propose constraints from near-misses that are alike, for a person to word and to switch on.

    Near-misses are outputs that left although they broke something (audit log), and violations that people found and
    the governor did not (labels in the state). Proposals are switched off until somebody accepts them.

    Example: mage-ml governor propose --audit audit.sqlite --accepted good.txt --out proposed.yaml
    """
    from mage_ml.config import dump_config
    from mage_ml.runtime.governor.adaptive import ProposalSettings, allow_list, propose, templates_from
    from mage_ml.runtime.governor.versions import write_whole

    with errors_as_exit_codes():
        near, fine = _evidence(state, audit, accepted)
        made = propose(near, fine, ProposalSettings(min_size=min_size))
        if baseline:
            both = (*made.constraints, allow_list(templates_from(fine)))
            made = made.model_copy(update={"constraints": both})
        if made.constraints:
            write_whole(out, dump_config(made))
    lines = [f"{len(near)} near-misses, {len(fine)} accepted outputs, {len(made.constraints)} constraints proposed"]
    lines += [f"  {one.id}: {one.text.en}" for one in made.constraints]
    if made.constraints:
        lines.append(f"written to {out}; all are switched off. Word them, then run `mage-ml constraints test {out}`.")
    else:
        lines.append("nothing was written: no near-misses share a phrase that no accepted output has")
    print_result("\n".join(lines).replace("[", r"\["), made.model_dump(mode="json"), form)


def _evidence(state: str | None, audit: str | None, accepted: Path | None) -> tuple[list[NearMiss], list[str]]:
    from mage_ml.errors import ConfigError
    from mage_ml.runtime.governor import StateStore
    from mage_ml.runtime.governor.adaptive import LabelBook, from_audit, from_labels

    if state is None and audit is None:
        raise ConfigError("expected --state, --audit, or both: proposals are drawn from what was nearly stopped")
    near: list[NearMiss] = []
    fine: list[str] = []
    if state is not None:
        _must_exist(state, "--state")
        labels = LabelBook(StateStore(state)).all()
        near += from_labels(labels)
        fine += [label.text for label in labels if not label.is_violation and label.text.strip()]
    log = _audit_log(audit)
    if log is not None:
        near += from_audit(log)
    if accepted is not None:
        try:
            fine += [line.strip() for line in accepted.read_text(encoding="utf-8").splitlines() if line.strip()]
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"--accepted {accepted}: cannot be read: {error}") from error
    return near, fine


def _audit_log(place: str | None) -> AuditLog | None:
    if place is None:
        return None
    from mage_ml.runtime.audit import AuditLog

    _must_exist(place, "--audit")
    return AuditLog(place, read_only=True)


def _language(name: str) -> Language:
    from mage_ml.errors import ConfigError
    from mage_ml.runtime.guardrail.wording import Language

    if name not in (known := [language.value for language in Language]):
        raise ConfigError(f"--language {name}: expected one of {', '.join(known)}")
    return Language(name)


def _must_exist(place: str, option: str) -> None:
    from mage_ml.errors import ConfigError

    if "://" not in place and not Path(place).is_file():
        raise ConfigError(f"{option} {place}: not found; expected the file of a governor")
