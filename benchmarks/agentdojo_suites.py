"""Plays every pair of AgentDojo's suites (user task, injection task) and says which goals were reached, and why not.

Run it with `python benchmarks/agentdojo_suites.py`; it needs the extra `agentdojo`. The agent plays the recorded steps
of the user task and follows every order that it reads; one injection vector, drawn for each pair, is filled at a time.
A goal counts as reached if AgentDojo's own check says so with the injection and not without it, after some step.
"""

from __future__ import annotations

import argparse

from rich.console import Console

from data_gen.tasks.agentdojo.suites import SUITES
from data_gen.tasks.agentdojo.survey import SuiteSurvey, survey
from mage_ml.cli.terminal import progress_bars


def show(found: SuiteSurvey) -> str:
    """One suite's figures and the reasons of its failures."""
    lines = [
        f"{found.suite:10} pairs {found.pairs:4}  user task solved {found.solved_clean:4}"
        f"  goal reached {found.reached:4}  of these undone later {found.undone:3}"
        f"  user task solved too {found.still_solved:4}"
    ]
    if found.without_steps:
        lines.append(f"{'':10} left out, no steps: {', '.join(found.without_steps)}")
    for reason, pairs in sorted(found.failures.items(), key=lambda item: -len(item[1])):
        lines += [f"{'':10} {len(pairs):4} x {reason}", *(f"{'':17}{pair}" for pair in pairs)]
    return "\n".join(lines)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--suites", default=",".join(SUITES), help="comma-separated")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with progress_bars() as progress:
        found = survey(tuple(options.suites.split(",")), seed=options.seed, progress=progress)
    for item in found:
        Console().print(show(item), highlight=False, soft_wrap=True)


if __name__ == "__main__":
    main()
