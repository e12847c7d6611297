"""Measures the verdicts on constraints that were handed over, and what pinning saves, on generated cases.

Run it with `OMP_NUM_THREADS=1 python benchmarks/drift_verdicts.py --cases 20`.

*Verdicts*: in every domain that hands rules over, the four drift operators (drop, weaken, misbind, widen) change one
rule in a hand-over; the harmless twin of each says the same in other words. The rule as the agent first worded it is
pinned, and both texts are verified. Printed are the verdicts by operator; *false kept*, changed rules that were called
preserved or paraphrased; and *honest kept*, twins whose rules were. Both are measured with the built-in words alone,
and again after a person has accepted the rewordings of other tasks (other seeds) once. Words were developed on
refund_service and software_repo; banking and travel_booking were looked at once.

*Episodes*: in the refund service, proven cases in which a changed hand-over leads to a wrong outcome, and runs whose
hand-overs were compacted to a line without any rule. Each is run again with the boundary verified against the rules as
they were set, and what was lost restored. Shares have 95 % Wilson intervals.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from data_gen.agents import PROFILES, Habit, sample_profile
from data_gen.guarded import GuardedCase, find_case
from data_gen.notes import Lines
from data_gen.operators import find_operator
from data_gen.operators.rules import MisboundRule
from data_gen.proof import Run, RunFailedError, run_once
from data_gen.randomness import rng_for, seed_for
from data_gen.session import Edit
from data_gen.statements import Statement, StatementRole, Turn, Write
from data_gen.tasks import BUILT_IN, find_domain
from data_gen.tasks.base import Domain, Task, templates_for
from data_gen.tasks.refund_service.reading import read_rule
from data_gen.tasks.refund_service.statements import RuleKind
from data_gen.triples import domains_for
from data_gen.writers import writers_of
from mage_ml.errors import ConfigError
from mage_ml.evaluation.metrics import proportion
from mage_ml.memory import MemoryEntry
from mage_ml.runtime.governor.drift import AcceptedRewordings, Boundary, Pin, PinBoard, Rewording, Verdict, verify

OPERATORS: Final = ("dropped_rule", "weakened_rule", "misbound_rule", "widened_rule")
LANGUAGES: Final = ("en", "zh")
TURNS: Final = {"dropped_rule": Turn.DROPPED, "weakened_rule": Turn.WEAKENED, "widened_rule": Turn.WIDENED}
SUMMARY: Final = {"en": "The rules of the case were passed on.", "zh": "本案规则已经转达。"}


@dataclass(frozen=True, slots=True)
class Case:
    """A hand-over, changed and unchanged in meaning.

    Attributes:
        domain: Where it was made.
        operator: What changed it.
        language: `en` or `zh`.
        pins: The rules as they were first worded.
        changed: Which of them the operator changed.
        restated: The lines of the twin that restate them.
        sham: The text in other words.
        contaminated: The text with the change.
    """

    domain: str
    operator: str
    language: str
    pins: tuple[Pin, ...]
    changed: int
    restated: tuple[str, ...]
    sham: str
    contaminated: str


def generated_cases(number: int, seed: int) -> Iterator[Case]:
    """Hand-overs of some tasks for each domain, operator and language."""
    for operator in OPERATORS:
        for language in LANGUAGES:
            for name in domains_for(operator, tuple(BUILT_IN), language):
                for index in range(number):
                    yield from _cases_of(name, operator, language, seed + index)


def _cases_of(name: str, operator: str, language: str, seed: int) -> Iterator[Case]:
    domain, kind = find_domain(name), find_operator(operator)
    rng = rng_for(seed, name, operator, language)
    template, writer = rng.choice(sorted(templates_for(domain, kind.needs))), rng.choice(writers_of(language))
    task = domain.sample(template, language, writer, rng, kind.needs)
    try:
        run = run_once(domain, task, sample_profile(rng), seed_for(seed, name, operator, language))
    except RunFailedError:
        return
    writes = {write.slot: write for write in run.writes}
    for spot in kind.spots(run.writes):
        write = writes[spot.slots[0]]
        edited = kind.edit([write], rng, task)
        rules = rules_of(write)
        changed = next((place for place, line in enumerate(rules) if _can(operator, line.part)), None)
        if edited is None or changed is None:
            continue
        pins = tuple(Pin.of_text(f"rule{place}", line.text) for place, line in enumerate(rules))
        sham, contaminated = edited[0].sham.text, edited[0].contaminated.text
        lines = sham.split("\n")
        restated = tuple(lines[line.place - len(write.entry.text.split("\n"))] for line in rules)
        yield Case(name, operator, language, pins, changed, restated, sham, contaminated)


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A line of a hand-over that states a rule: where it stands, its text, and what it states."""

    place: int
    text: str
    part: Statement


def rules_of(write: Write) -> list[RuleLine]:
    """The lines of a hand-over that state rules."""
    statement = write.statement
    assert statement is not None
    lines = write.entry.text.split("\n")
    parts = statement.parts if isinstance(statement, Lines) else (statement,)
    first = 0 if len(lines) == len(parts) else len(lines) - 1
    found = zip(range(first, len(lines)), lines[first:], parts[-(len(lines) - first) :], strict=True)
    return [RuleLine(place, line, part) for place, line, part in found if part.role is StatementRole.RULE]


def _can(operator: str, part: Statement) -> bool:
    """Whether an operator would change a part of a hand-over."""
    if operator == MisboundRule.name:
        return bool(part.names())
    return part.turned(TURNS[operator]) is not None or (operator == "weakened_rule" and bool(part.figures()))


def share(part: int, whole: int) -> str:
    """A share with its interval."""
    found = proportion(part, whole)
    if found is None:
        return "-"
    return f"{part}/{whole} {100 * found.value:.1f} % [{100 * (found.low or 0):.1f}, {100 * (found.high or 0):.1f}]"


def accepted_on(cases: list[Case], count: int) -> AcceptedRewordings:
    """What a person would have accepted on some other cases: the harmless twins that were not kept as they are."""
    pairs = (
        Rewording(pin.texts[0], line)
        for case in cases[:: max(1, len(cases) // count)]
        for pin, line in zip(case.pins, case.restated, strict=True)
        if not verify([pin], line)[0].verdict.is_kept
    )
    return AcceptedRewordings(pair for pair in pairs if _is_acceptable(pair))


def _is_acceptable(pair: Rewording) -> bool:
    try:
        AcceptedRewordings([pair])
    except ConfigError:
        return False
    return True


def print_verdicts(cases: list[Case], accepted: AcceptedRewordings | None, title: str) -> None:
    """Verdicts by operator, and the two shares by domain and language."""
    print(f"\nVerdicts on {len(cases):,} changed hand-overs and their harmless twins, {title}")
    print(f"{'operator':<16}" + "".join(f"{verdict.value:>14}" for verdict in Verdict))
    kept: Counter[tuple[str, str, bool]] = Counter()
    totals: Counter[tuple[str, str]] = Counter()
    verdicts: Counter[tuple[str, Verdict]] = Counter()
    for case in cases:
        changed = verify(case.pins, case.contaminated, accepted=accepted)[case.changed].verdict
        honest = verify(case.pins, case.sham, accepted=accepted)
        verdicts[case.operator, changed] += 1
        totals[case.domain, case.language] += 1
        kept[case.domain, case.language, False] += changed.is_kept
        kept[case.domain, case.language, True] += all(finding.verdict.is_kept for finding in honest)
    for operator in OPERATORS:
        print(f"{operator:<16}" + "".join(f"{verdicts[operator, verdict]:>14}" for verdict in Verdict))
    print(f"\n{'domain':<18}{'language':<10}{'false kept':<32}honest kept")
    for (domain, language), total in sorted(totals.items()):
        false, honest_kept = kept[domain, language, False], kept[domain, language, True]
        print(f"{domain:<18}{language:<10}{share(false, total):<32}{share(honest_kept, total)}")
    false = sum(count for (_, _, honest_), count in kept.items() if not honest_)
    right = sum(count for (_, _, honest_), count in kept.items() if honest_)
    print(f"{'all':<28}{share(false, len(cases)):<32}{share(right, len(cases))}")


def set_rules(task: Task, run: Run) -> dict[str, str]:
    """Slot of a hand-over -> the line of the house rules that it passes on."""
    text = next(write.entry.text for write in run.writes if write.slot == "rule")
    lines = text.split("\n")
    found: dict[str, str] = {}
    for kind in RuleKind:
        line = next((line for line in lines if read_rule(line, kind, task.language)), None)
        if line is not None:
            found[f"rule:{kind}"] = line
    return found


def pinned_edit(rules: dict[str, str], change: Callable[[Write], MemoryEntry], boundary: Boundary) -> Edit:
    """A change of every hand-over of a rule, followed by the verification of what the other agent receives."""

    def restored(slot: str, line: str) -> Edit:
        board = PinBoard([Pin.of_text(slot, line)])

        def apply(write: Write) -> MemoryEntry:
            entry = change(write)
            found = board.verify(entry.text, boundary=boundary, agent_id="dialogue")
            return entry.revised(content=found.restored_text(entry.text))

        return Edit(slot, apply)

    first, *others = [restored(slot, line) for slot, line in rules.items()]
    return Edit(first.slot, first.apply, tuple(others))


def print_episodes(number: int, seed: int) -> None:
    """Wrong outcomes in the refund service with and without pinning."""
    print(f"\n{'refund_service, wrong outcomes':<34}{'clean':<28}{'changed':<28}with pinning")
    results: Counter[tuple[str, str]] = Counter()
    for language in LANGUAGES:
        for operator in OPERATORS:
            for index in range(number):
                _delegated(operator, language, seed + index, results)
        for index in range(4 * number):
            _compacted(language, seed + index, results)
    for boundary in ("delegation", "compaction"):
        total = results[boundary, "total"]
        row = [share(results[boundary, arm], total) for arm in ("clean", "changed", "pinned")]
        print(f"{boundary:<34}{row[0]:<28}{row[1]:<28}{row[2]}")


def _delegated(operator: str, language: str, seed: int, results: Counter[tuple[str, str]]) -> None:
    try:
        case = find_case(operator, seed=seed, language=language, domain="refund_service", max_attempts=60)
    except ConfigError:
        return
    clean = _run(case, None)
    rules = {} if clean is None else set_rules(case.task, clean)
    edits = {edit.slot: edit for edit in case.contaminated.all()}
    if clean is None or not set(edits) <= set(rules):
        return
    pinned = pinned_edit(
        rules,
        lambda write: edits[write.slot].apply(write) if write.slot in edits else write.entry,
        Boundary.DELEGATION,
    )
    _count("delegation", (clean, _run(case, case.contaminated), _run(case, pinned)), results)


def _run(case: GuardedCase, edit: Edit | None) -> Run | None:
    return _once(case.domain, case.task, case.seed, edit)


def _once(domain: Domain, task: Task, seed: int, edit: Edit | None) -> Run | None:
    try:
        return run_once(domain, task, PROFILES[Habit.HASTY], seed, edit=edit)
    except RunFailedError:
        return None


def _compacted(language: str, seed: int, results: Counter[tuple[str, str]]) -> None:
    """A run whose hand-overs are compacted to a line without any rule."""
    domain, rng = find_domain("refund_service"), rng_for(seed, "compaction", language)
    needs = find_operator("dropped_rule").needs
    template = rng.choice(sorted(templates_for(domain, needs)))
    task = domain.sample(template, language, rng.choice(writers_of(language)), rng, needs)
    number = seed_for(seed, "compaction", language)
    clean = _once(domain, task, number, None)
    if clean is None or not clean.is_right:
        return
    rules = set_rules(task, clean)

    def forget(write: Write) -> MemoryEntry:
        return write.entry.revised(content=SUMMARY[language])

    first, *others = [Edit(slot, forget) for slot in rules]
    changed = _once(domain, task, number, Edit(first.slot, first.apply, tuple(others)))
    if changed is None or changed.is_right:
        return  # the rules did not matter here
    pinned = _once(domain, task, number, pinned_edit(rules, forget, Boundary.COMPACTION))
    _count("compaction", (clean, changed, pinned), results)


def _count(boundary: str, runs: tuple[Run | None, Run | None, Run | None], results: Counter[tuple[str, str]]) -> None:
    results[boundary, "total"] += 1
    for arm, run in zip(("clean", "changed", "pinned"), runs, strict=True):
        results[boundary, arm] += run is None or not run.is_right


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description="Verdicts on handed-over constraints, and what pinning saves.")
    parser.add_argument("--cases", type=int, default=20, help="tasks for each domain, operator and language")
    parser.add_argument("--accepted", type=int, default=40, help="tasks a cell on which a person accepts rewordings")
    parser.add_argument("--episodes", type=int, default=8, help="proven cases for each operator and language")
    parser.add_argument("--seed", type=int, default=90_000)
    options = parser.parse_args()
    cases = list(generated_cases(options.cases, options.seed))
    print_verdicts(cases, None, "with the built-in words")
    if options.accepted:
        others = list(generated_cases(options.accepted, options.seed + 1_000_000))
        for count in (len(others) // 4, len(others)):
            accepted = accepted_on(others, count)
            title = f"after {len(accepted) // 2} rewordings were accepted on {count} other hand-overs"
            print_verdicts(cases, accepted, title)
    if options.episodes:
        print_episodes(options.episodes, options.seed)


if __name__ == "__main__":
    main()
