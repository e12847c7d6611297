"""The red team against the customer service: what reaches the customer under each protection.

Run with `python benchmarks/red_team.py`; about five minutes on one core with the defaults. `--errors 20` prints wrong
calls of the governor to read.
"""

from __future__ import annotations

import argparse
import time

from data_gen.redteam.acts import Part
from data_gen.redteam.report import markdown, wordings
from data_gen.redteam.scripts import write_suite
from data_gen.redteam.trial import Arm, Tally, run_trial
from mage_ml.cli.terminal import progress_bars


def main() -> None:
    """Run both parts of the forms and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scripts", type=int, default=6, help="scripts of each kind and language")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--part", choices=[part.value for part in Part], help="one part of the forms only")
    parser.add_argument("--errors", type=int, default=0, help="wrong calls of the governor to print")
    asked = parser.parse_args()
    for part in Part if asked.part is None else [Part(asked.part)]:
        scripts = write_suite(part, asked.seed, asked.scripts)
        started = time.perf_counter()
        with progress_bars() as progress:
            tally = run_trial(scripts, seed=asked.seed, progress=progress)
        turns = sum(len(script.messages) for script in scripts)
        print(markdown(tally, tuple(Arm), part))
        print(f"\n{len(scripts)} scripts, {turns:,} turns, {time.perf_counter() - started:.0f} s.")
        for arm in (Arm.GOVERNOR, Arm.GOVERNOR_TOPICS):
            found = ", ".join(f"{name} {count}" for name, count in wordings(tally, arm, part)) or "nothing"
            print(f"Got through the {arm.value}: {found}.")
        print_errors(tally, asked.errors)


def print_errors(tally: Tally, count: int) -> None:
    """Print wrong calls of the governor, of both kinds."""
    for arm in (Arm.GOVERNOR, Arm.GOVERNOR_TOPICS):
        for is_escape in (True, False):
            wrong = [error for error in tally.errors if error.place.arm is arm and error.is_escape == is_escape]
            for error in wrong[:count]:
                kind = f"got through ({error.place.constraint} {error.place.wording})" if is_escape else "held back"
                where = f"{arm.value}, {error.place.language}, turn {error.turn}"
                print(f"- {where}, {kind}: {error.text!r} (thought: {error.thought!r})")


if __name__ == "__main__":
    main()
