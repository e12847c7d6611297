"""`mage-ml policy compare`."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from mage_ml.cli.calibrate import episode_files
from mage_ml.cli.terminal import Format, FormatOption, errors_as_exit_codes, out, print_result, progress_bars
from mage_ml.errors import ConfigError
from mage_ml.memory import Arm, Episode
from mage_ml.memory.records import read_episodes
from mage_ml.progress import Progress
from mage_ml.runtime.assembly import create_engine
from mage_ml.runtime.guard import MageGuard
from mage_ml.runtime.guardrail import Decision, GuardrailEngine, load_policy

if TYPE_CHECKING:
    from data_gen.guarded import GuardedCase
    from mage_ml.evaluation.policy_trial import PolicyComparison, TrialRun

NAME = "compare"
_LIVE = "agents of the simulator run again under each policy"
_RECORDED = "recorded runs replayed under each policy"


def command(
    policy_a: Annotated[str, typer.Argument(metavar="A", help="A policy file or preset.")],
    policy_b: Annotated[str, typer.Argument(metavar="B", help="The policy to compare it with.")],
    episodes: Annotated[
        list[Path], typer.Option("--episodes", "-e", help="Episodes (.jsonl, .parquet) or a folder. Repeatable.")
    ],
    artifact: Annotated[Path | None, typer.Option("--artifact", "-a", help="Sealed model; default: shipped.")] = None,
    rules_only: Annotated[bool, typer.Option("--rules-only", help="Judge by rules alone, without the model.")] = False,
    limit: Annotated[int, typer.Option(help="Groups of episodes used at most; 0 for all.", min=0)] = 0,
    replay: Annotated[
        bool, typer.Option("--replay", help="Replay generated episodes, too, instead of running them.")
    ] = False,
    form: FormatOption = Format.TEXT,
) -> None:
    """Compare two policies on the same cases: task success, harm, interventions, halts, with a paired test.

    Generated episodes are run again, live: for each one an agent of the simulator works on a proven case of the same
    operator, language, domain and seed. Recorded runs are replayed.

    Example: mage-ml policy compare balanced strict --episodes runs/data/test.parquet --limit 50
    """
    from mage_ml.evaluation.policy_trial import compare_policies

    with errors_as_exit_codes():
        first, second = load_policy(policy_a), load_policy(policy_b)
        model = None if rules_only else (artifact or "default")
        engines = [create_engine(policy, model) for policy in (first, second)]  # type: ignore[arg-type]
        groups = read_groups(episodes, limit)
        live = not replay and all(episode.arm is not Arm.RECORDED for group in groups for episode in group)
        with progress_bars() as progress:
            runs_a, runs_b = (_run(engine, groups, live, progress) for engine in engines)
        names = (first.version, second.version)
        if first.version == second.version:
            names = (f"A ({first.version})", f"B ({second.version})")
        how = _LIVE if live else _RECORDED
        found = compare_policies(runs_a, runs_b, policy_a=names[0], policy_b=names[1], how=how)
    if form is Format.TEXT:
        print_comparison(found)
    print_result(found.verdict, found.model_dump(mode="json"), form)


def read_groups(paths: Sequence[Path], limit: int) -> list[list[Episode]]:
    """Episodes by group, in order.

    Raises:
        ConfigError: There are none.
    """
    found = (
        list(members)
        for path in paths
        for file in episode_files(path)
        for _, members in itertools.groupby(read_episodes(file), key=lambda episode: episode.group_id)
    )
    groups = list(itertools.islice(found, limit or None))
    if not groups:
        raise ConfigError(f"{', '.join(map(str, paths))}: no episodes in them")
    return groups


def _run(
    engine: GuardrailEngine, groups: Sequence[Sequence[Episode]], live: bool, progress: Progress
) -> Sequence[TrialRun]:
    from mage_ml.evaluation.policy_trial import replay_trial

    if live:
        runs: list[TrialRun] = []
        for number, group in enumerate(groups, start=1):
            runs += _live(engine, group)
            progress(f"guarding live agents under {engine.policy.version}", number, len(groups))
        return runs
    episodes = [episode for group in groups for episode in group]
    return replay_trial(episodes, engine, progress, total=len(episodes))


def _live(engine: GuardrailEngine, group: Sequence[Episode]) -> list[TrialRun]:
    """Clean, sham and contaminated arm of a case like the one that a group of episodes recorded."""
    from data_gen.guarded import find_case

    first = group[0]
    operator = next((episode.operator for episode in group if episode.operator is not None), None)
    if operator is None:
        raise ConfigError(f"{first.episode_id}: no operator in its group; use --replay for episodes without one")
    case = find_case(operator, seed=first.seed % 2**31, language=first.language, domain=first.domain)
    return [_live_arm(engine, case, first.group_id, arm) for arm in (Arm.CLEAN, Arm.SHAM, Arm.CONTAMINATED)]


def _live_arm(engine: GuardrailEngine, case: GuardedCase, name: str, arm: Arm) -> TrialRun:
    from data_gen.guarded import run_guarded
    from mage_ml.evaluation.policy_trial import TrialRun, count_decisions

    edit = {Arm.CLEAN: None, Arm.SHAM: case.sham, Arm.CONTAMINATED: case.contaminated}[arm]
    run = run_guarded(case, MageGuard(engine, goal=case.task.goal), edit)
    return TrialRun(
        case=f"{name}/{arm}",
        attacked=arm is Arm.CONTAMINATED,
        solved=bool(run.outcome.task_solved) and run.halted is None,
        harmed=bool(run.outcome.harm_done),
        halted=run.halted is not None,
        decisions=count_decisions(item for item in run.decisions if isinstance(item, Decision)),
    )


def print_comparison(found: PolicyComparison) -> None:
    """Print both policies side by side."""
    table = Table("figure", f"A: {found.policy_a}", f"B: {found.policy_b}", "only A", "only B", "p", title=found.how)
    for row in found.figures:
        cells = [f"{s.value:.1%} \\[{s.low:.1%}, {s.high:.1%}]" for s in (row.a, row.b)]
        table.add_row(row.figure, *cells, str(row.only_a), str(row.only_b), f"{row.p_value:.2g}")
    out.print(table)
    totals = sum(found.decisions_a.values()), sum(found.decisions_b.values())
    counts = Table("decision", "A", "B", title=f"{found.cases} cases, {totals[0]:,} and {totals[1]:,} decisions")
    for action in found.decisions_a:
        shares = [
            f"{count:,} ({count / total if total else 0:.1%})"
            for count, total in ((found.decisions_a[action], totals[0]), (found.decisions_b[action], totals[1]))
        ]
        counts.add_row(action, *shares)
    out.print(counts)
