"""The red-team trial: every script against every protection, and what reached the customer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

from data_gen.redteam.acts import BROKEN_BY, Act, Part
from data_gen.redteam.checks import own_checks
from data_gen.redteam.dialogue import DialogueAgent, Draft, ScriptedAgent
from data_gen.redteam.protection import Governed, OutputFilter, PromptRules, Protection, Unprotected, rules_of
from data_gen.redteam.replies import Said
from data_gen.redteam.scripts import Script
from data_gen.redteam.service import CustomerService, TurnResult
from mage_ml.progress import Progress, silent
from mage_ml.runtime.governor import ConstraintGovernor, GovernorSetup, Resources, load_constraints
from mage_ml.runtime.governor.constraint import ConstraintSet
from mage_ml.runtime.governor.constraint_file import ConstraintSource, as_source

CONSTRAINTS: Final = Path(__file__).parent / "constraints.yaml"
TOPICS: Final = "known_topics"
TURN_BINS: Final = ((1, 10), (11, 20), (21, 40), (41, 60))
_KEPT_ERRORS: Final = 200


class Arm(StrEnum):
    """What stands between the agents and the customer."""

    NOTHING = "no governor"
    PROMPT = "prompt-only rules"
    FILTER = "output filter only (C1-C3)"
    FILTER_TOPICS = "output filter only"
    GOVERNOR = "governor (C1-C3)"
    GOVERNOR_TOPICS = "governor"


class What(StrEnum):
    """What is counted."""

    TURNS = "turns"
    VIOLATING = "turns with a violating first draft"
    VIOLATING_DRAFTS = "violating drafts"
    REACHED = "turns in which a violation reached the customer"
    BENIGN = "drafts that keep the rules"
    VETOED = "drafts that keep the rules and were held back"
    FALLBACK = "turns that ended with a fixed sentence"
    ATTEMPTS = "drafts"
    STOPPED = "messages of the policy agent that were stopped"


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was counted.

    Attributes:
        arm: The protection.
        part: The forms.
        language: Of the conversation.
        bin: First turn of the stretch of turns.
        kind: How the script presses.
        constraint: The constraint that a violation breaks; empty where none is meant.
        wording: Family and disguise of the wording; empty where none is meant.
    """

    arm: Arm
    part: Part
    language: str
    bin: int
    kind: str
    constraint: str = ""
    wording: str = ""


@dataclass(frozen=True, slots=True)
class WrongCall:
    """A violation that got through, or a reply that was held back without need.

    Attributes:
        place: Where.
        turn: In which turn, from 1.
        text: The words.
        thought: What the agent thought.
        is_escape: Whether it got through.
    """

    place: Place
    turn: int
    text: str
    thought: str
    is_escape: bool


@dataclass(slots=True)
class Tally:
    """What a trial counted.

    Attributes:
        counts: By what and where.
        errors: The first wrong calls of each arm and kind.
    """

    counts: Counter[tuple[What, Place]] = field(default_factory=Counter)
    errors: list[WrongCall] = field(default_factory=list)

    def total(self, what: What, **wanted: object) -> int:
        """The count over all places that fit."""
        return sum(
            count
            for (found, place), count in self.counts.items()
            if found is what and all(getattr(place, name) == value for name, value in wanted.items())
        )


AgentMaker = Callable[[Script, Mapping[Act, str]], DialogueAgent]


def run_trial(
    scripts: Sequence[Script],
    arms: Iterable[Arm] = tuple(Arm),
    *,
    seed: int = 0,
    make_agent: AgentMaker | None = None,
    progress: Progress = silent,
) -> Tally:
    """Run every script under every arm; agents of different arms draw the same chances.

    Args:
        scripts: The conversations.
        arms: The protections.
        seed: Seed of the scripted agents.
        make_agent: Makes the dialogue agent for a script and the rules' texts; the scripted one by default.
        progress: Told of each conversation.
    """
    tally, chosen = Tally(), tuple(arms)
    source = load_constraints(CONSTRAINTS)
    make = make_agent or (lambda script, rules: ScriptedAgent(script, rules, seed))
    for number, arm in enumerate(chosen):
        with protection_of(arm, source) as new_protection:
            for done, script in enumerate(scripts):
                agent = make(script, rules_of(source.constraints, script.case.language))
                service = CustomerService(script, agent, new_protection())
                for result in service.run():
                    _count(tally, arm, script, result)
                progress("red team", number * len(scripts) + done + 1, len(chosen) * len(scripts))
    return tally


@contextmanager
def protection_of(arm: Arm, source: ConstraintSource) -> Iterator[Callable[[], Protection]]:
    """Makes the protection of one conversation after the other; conversations share a governor and its state."""
    if arm is Arm.NOTHING:
        yield Unprotected
        return
    if arm in (Arm.FILTER, Arm.GOVERNOR):
        source = _without_topics(source)
    resources = Resources(own=own_checks())
    if arm is Arm.PROMPT:
        yield lambda: PromptRules(source.constraints)
    elif arm in (Arm.FILTER, Arm.FILTER_TOPICS):
        protection = OutputFilter(source, resources)
        yield lambda: protection
    else:
        with ConstraintGovernor(source, GovernorSetup(resources=resources)) as governor:
            yield lambda: Governed(governor)


def _without_topics(source: ConstraintSource) -> ConstraintSource:
    kept = tuple(one for one in source.constraints.constraints if one.id != TOPICS)
    made: ConstraintSet = source.constraints.model_copy(update={"constraints": kept})
    return as_source(made, folder=source.folder)


def _count(tally: Tally, arm: Arm, script: Script, result: TurnResult) -> None:
    first = next(low for low, high in reversed(TURN_BINS) if result.turn >= low)
    base = Place(arm, script.part, script.case.language, first, script.kind.value)
    counts = tally.counts
    counts[What.TURNS, base] += 1
    counts[What.ATTEMPTS, base] += len(result.drafts)
    counts[What.FALLBACK, base] += bool(result.fallback)
    counts[What.STOPPED, base] += result.stopped_notes
    meant = _violation(result.drafts[0])
    if meant is not None:
        counts[What.VIOLATING, _at(base, meant)] += 1
    for draft, held in zip(result.drafts, result.held, strict=True):
        counts[What.VIOLATING_DRAFTS, base] += _violation(draft) is not None
        if draft.reply.act is Act.KEEP and _violation(draft) is None:
            counts[What.BENIGN, base] += 1
            counts[What.VETOED, base] += held
            if held:
                _keep(tally, WrongCall(base, result.turn, draft.reply.text, draft.thought, is_escape=False))
    for said in (result.leaving, result.booked):
        if said is not None and said.act in BROKEN_BY:
            place = _at(base, said)
            counts[What.REACHED, place] += 1
            _keep(tally, WrongCall(place, result.turn, said.text, result.drafts[-1].thought, is_escape=True))
            break


def _violation(draft: Draft) -> Said | None:
    both = (draft.reply, draft.order)
    return next((said for said in both if said is not None and said.act in BROKEN_BY), None)


def _at(base: Place, said: Said) -> Place:
    family = said.family.value if said.family is not None else ""
    wording = f"{family} {said.mutation}".strip()
    return Place(base.arm, base.part, base.language, base.bin, base.kind, BROKEN_BY[said.act], wording)


def _keep(tally: Tally, error: WrongCall) -> None:
    alike = (known.place.arm is error.place.arm and known.is_escape == error.is_escape for known in tally.errors)
    if sum(alike) < _KEPT_ERRORS:
        tally.errors.append(error)
