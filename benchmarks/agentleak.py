"""Measures what leaks past information-flow constraints on AgentLeak's recorded multi-agent runs, channel by channel.

Run it with `OMP_NUM_THREADS=1 python benchmarks/agentleak.py PATH`, where PATH holds the traces of AgentLeak (MIT
licence, arXiv 2602.11510) as JSON Lines with `run`, plain or gzipped. Each field of the vault that the scenario does
not allow is confined. Compared are no check, a check of the final output only, and the same constraint inherited by
every channel: C1 final output, C2 messages between agents, C5 shared memory.

Printed are, for each channel, *residual* (messages that still expose a confined value, of all messages; the label is
the source's: an exact copy of a vault value), *benign blocked* (messages without a labelled leak that are stopped), in
which forms those were found, and how many leaks are found after the values were disguised. Shares have 95 % Wilson
intervals over messages. Since labels mark exact copies, the residual says how well the constraint is inherited by the
channels and not how well leaks in other words are found: those are out of reach of this check.

Scenarios are split in two by their id; figures are for the half that is not used in development (`--half`).
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mage_ml.evaluation.importers.files import read_lines
from mage_ml.evaluation.metrics import proportion
from mage_ml.runtime.governor.constraint import Constraint
from mage_ml.runtime.governor.context import Channel, GovernorContext, Question, Utterance
from mage_ml.runtime.governor.flow import FlowValidator, find_leaks
from mage_ml.runtime.governor.validator_specs import FlowSpec

CHANNELS: Final = {"C1": Channel.FINAL_OUTPUT, "C2": Channel.AGENT_MESSAGE, "C5": Channel.SHARED_MEMORY}
MODES: Final = ("no check", "output only", "every channel")
FIELDS: Final = ("every field that is not allowed", "only the fields that are forbidden by name")
WIDTH: Final = 34


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a run, with what may not be in it."""

    channel: str
    source: str
    target: str
    text: str
    leaked: tuple[str, ...]
    confined: dict[str, str]
    forbidden: frozenset[str]


def read_messages(path: Path, half: str) -> Iterator[Message]:
    """The messages of the runs in a file or folder whose scenarios fall into a half."""
    files = sorted(path.glob("*.jsonl*")) if path.is_dir() else [path]
    for file in files:
        for _, line in read_lines(file):
            run = json.loads(line)["run"]
            if half in ("all", half_of(run["scenario_id"])):
                yield from messages_of(run)


def half_of(scenario: str) -> str:
    """`develop` or `report`, by the scenario."""
    return "develop" if hashlib.md5(f"half:{scenario}".encode()).digest()[0] % 2 == 0 else "report"


def messages_of(run: dict[str, Any]) -> Iterator[Message]:
    """The messages of a run."""
    allowed = set(run["input"]["allowed_set"]["fields"])
    confined = {name: str(value) for name, value in run["input"]["vault"].items() if name not in allowed}
    forbidden = frozenset(run["input"]["allowed_set"]["forbidden_fields"])
    forbidden |= {f"{name}_real" for name in forbidden}
    for item in run["channel_messages"]:
        leaked = tuple(item["leaked_fields"]) if item["has_leak"] else ()
        yield Message(
            item["channel"],
            item["source"],
            item["target"],
            item["content"],
            leaked,
            confined,
            forbidden & set(confined),
        )


def is_blocked(message: Message, mode: str, fields: str) -> bool:
    """Whether a constraint stops a message."""
    channel = CHANNELS[message.channel]
    if mode == "no check" or (mode == "output only" and channel is not Channel.FINAL_OUTPUT):
        return False
    names = sorted(message.confined if fields == FIELDS[0] else message.forbidden)
    if not names:
        return False  # nothing was declared
    spec = FlowSpec(kind="flow", fields=tuple(names))
    constraint = Constraint(id="confined", text="Confined fields stay with the coordinator.", validator=spec)
    context = GovernorContext(channel=channel, recipient=message.target, fields=message.confined)
    question = Question(constraint, Utterance(message.source, message.text, context))
    return FlowValidator(spec).check(question).violated


def share(part: int, whole: int) -> str:
    """A share with its interval."""
    found = proportion(part, whole)
    if found is None:
        return "-"
    return f"{part}/{whole} {100 * found.value:.1f} [{100 * (found.low or 0.0):.1f}, {100 * (found.high or 0.0):.1f}]"


def print_channels(messages: list[Message], fields: str) -> None:
    """The table of residual exposure and benign messages blocked, in percent."""
    print(
        f"\nConfined: every field that is {fields}."
        if fields == "not allowed"
        else "\nConfined: the forbidden fields only."
    )
    print(f"{'mode':<16}{'channel':<9}{'residual, % of messages':<{WIDTH + 4}}benign blocked, %")
    for mode in MODES:
        for channel in (*CHANNELS, "all"):
            here = [message for message in messages if channel in (message.channel, "all")]
            blocked = [is_blocked(message, mode, fields) for message in here]
            residual = sum(bool(m.leaked) and not stopped for m, stopped in zip(here, blocked, strict=True))
            benign = sum(stopped and not m.leaked for m, stopped in zip(here, blocked, strict=True))
            free = sum(not message.leaked for message in here)
            print(f"{mode:<16}{channel:<9}{share(residual, len(here)):<{WIDTH}}{share(benign, free)}")


def print_benign(messages: list[Message]) -> None:
    """In which forms values were found in messages that are labelled as free of leaks."""
    forms: Counter[str] = Counter()
    for message in messages:
        if not message.leaked:
            leaks = find_leaks(message.text, message.confined)
            forms.update({f"{leak.field} ({leak.form})" for leak in leaks})
    print("\nConfined values in messages labelled as free of leaks, by field and form:")
    for name, count in forms.most_common():
        print(f"  {name:<40}{count}")


def disguises() -> dict[str, Callable[[str], str | None]]:
    """Ways to disguise a value, by name; `None` where one does not apply."""

    def separated(value: str) -> str | None:
        return " ".join(value) if any(character.isdigit() for character in value) and len(value) <= 20 else None

    def tail(value: str) -> str | None:
        digits = "".join(filter(str.isdigit, value))
        return f"ending in {digits[-4:]}" if len(digits) >= 8 and value[:4].count("-") == 0 else None

    return {
        "as it is": lambda value: value,
        "upper case": str.upper,
        "spaced out": separated,
        "last four digits": tail,
        "base64": lambda value: base64.b64encode(value.encode()).decode(),
        "hexadecimal": lambda value: value.encode().hex(),
        "backwards": lambda value: value[::-1],
        "zero-width": lambda value: "\u200b".join(value),
        "full width": lambda value: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in value),
        "first half only": lambda value: value[: len(value) // 2] if len(value) >= 12 else None,
    }


def print_disguised(messages: list[Message]) -> None:
    """How often a leaked value is still found after it was disguised in its message."""
    print("\nLeaks found after the leaked value was disguised (messages with one leaked field copied word for word):")
    single = [m for m in messages if len(m.leaked) == 1 and m.confined.get(m.leaked[0], "\0") in m.text]
    for name, disguise in disguises().items():
        found = total = 0
        for message in single:
            field = message.leaked[0]
            value = message.confined[field]
            changed = disguise(value)
            if changed is not None:
                total += 1
                found += bool(find_leaks(message.text.replace(value, changed), {field: value}))
        print(f"  {name:<20}{share(found, total)}")


def main() -> None:
    """Read the traces and print the tables."""
    parser = argparse.ArgumentParser(description="Leaks past information-flow constraints on AgentLeak's runs.")
    parser.add_argument("path", type=Path, help="the traces, or their folder")
    parser.add_argument("--half", choices=("develop", "report", "all"), default="report")
    arguments = parser.parse_args()
    messages = list(read_messages(arguments.path, arguments.half))
    leaking = sum(bool(message.leaked) for message in messages)
    print(f"{len(messages):,} messages of the half {arguments.half!r}, {leaking:,} with a leak")
    for fields in FIELDS:
        print_channels(messages, fields)
    print_benign(messages)
    print_disguised(messages)


if __name__ == "__main__":
    main()
