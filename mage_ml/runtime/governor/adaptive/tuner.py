"""Tunes constraints from labels: within hard bounds, every change on record, every change reversible."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from mage_ml.config import nearest
from mage_ml.errors import ConfigError, MageError
from mage_ml.runtime.governor.adaptive.bandit import Choice, choose
from mage_ml.runtime.governor.adaptive.bounds import Tunable, TuningPlan, check_plan
from mage_ml.runtime.governor.adaptive.labels import Label, LabelBook
from mage_ml.runtime.governor.adaptive.settings import Setting, setting_of, settings_within, with_setting
from mage_ml.runtime.governor.adaptive.tables import TUNINGS
from mage_ml.runtime.governor.constraint import Constraint, ConstraintSet, Severity
from mage_ml.runtime.governor.constraint_file import as_source
from mage_ml.runtime.governor.loop import ConstraintGovernor


@dataclass(frozen=True, slots=True)
class Tuning:
    """A change that was made.

    Attributes:
        number: Counted up, from 1.
        at: Seconds since the epoch.
        constraint_id: The constraint.
        before: Its setting before.
        after: Its setting since.
        author: Who made it, or let it be made.
        reason: Why.
        labels: On how many labels it rests.
        reverts: Number of the change that it takes back; `None` for none.
    """

    number: int
    at: float
    constraint_id: str
    before: Setting
    after: Setting
    author: str
    reason: str
    labels: int
    reverts: int | None = None


class Tuner:
    """Tunes a governor's constraints.

    A change is put into force as a new version of the constraint set (`ConstraintGovernor.replace`): it is in the
    version history and in the audit log as any other. It holds for the governor's own process, until its constraint
    file is changed by hand.

    Args:
        governor: The governor.
        plan: What may be tuned, and how far.
        seed: Seed of the bandit's draws.
        folder: Folder that paths in the constraints, such as a classifier's, are relative to.

    Raises:
        ConfigError: The constraints do not allow the plan.
        StateError: The state cannot be written.
    """

    def __init__(
        self, governor: ConstraintGovernor, plan: TuningPlan, *, seed: int = 0, folder: Path | None = None
    ) -> None:
        check_plan(plan, governor.constraints)
        self.labels = LabelBook(governor.state)
        self._governor = governor
        self._plan = plan
        self._tunables = {one.constraint: one for one in plan.tunables}
        self._seed = seed
        self._folder = folder

    def label(
        self,
        constraint_id: str,
        *,
        is_violation: bool,
        flagged: bool,
        author: str,
        score: float | None = None,
        text: str = "",
    ) -> Label:
        """Keep what somebody said about an output.

        Args:
            constraint_id: The constraint.
            is_violation: Whether the output breaks it.
            flagged: Whether the governor found it.
            author: Who says so.
            score: The validator's score, as `Finding.score` has it; with it the label tells of every threshold.
            text: The output; proposals are drawn from what was missed.

        Raises:
            ConfigError: There is no such constraint, or no author.
            StateError: It could not be written.
        """
        now = setting_of(self._constraint(constraint_id))
        made = Label(constraint_id, is_violation, author, score, flagged, now.threshold, now.severity, text)
        return self.labels.add(made)

    def choice(self, constraint_id: str) -> Choice:
        """What the bandit would choose now, without changing anything.

        Raises:
            ConfigError: It may not be tuned.
            MissingExtraError: Without the `adapt` extra.
        """
        constraint, tunable = self._constraint(constraint_id), self._tunable(constraint_id)
        labels = self.labels.all(constraint_id)
        settings = settings_within(tunable, constraint)
        seed = self._seed + len(self.history())
        return choose(settings, labels, miss_weight=self._plan.miss_weight, seed=seed)

    def step(self, *, author: str) -> tuple[Tuning, ...]:
        """Let the bandit choose for each constraint that has enough new labels, and put its choices into force.

        Args:
            author: Who lets it; goes into the history.

        Raises:
            ConfigError: No author.
            StateError: It could not be recorded; nothing was changed.
            MissingExtraError: Without the `adapt` extra.
        """
        made = []
        for constraint_id in self._tunables:
            done = [one for one in self.history() if one.constraint_id == constraint_id]
            labels = len(self.labels.all(constraint_id))
            if labels - (done[-1].labels if done else 0) < self._plan.min_labels:
                continue
            constraint, choice = self._constraint(constraint_id), self.choice(constraint_id)
            now = setting_of(constraint)
            if choice.setting != now:
                share = choice.right[choice.setting]
                reason = f"right on {share:.0%} of {labels} labels (misses count {self._plan.miss_weight} times)"
                made.append(self._change(constraint, choice.setting, author, reason, labels))
        return tuple(made)

    def revert(self, number: int, *, author: str, reason: str) -> Tuning:
        """Take a change back: the setting before it is put into force again, as a new change.

        Raises:
            ConfigError: There is no such change, or author or reason is missing.
            StateError: It could not be recorded; nothing was changed.
        """
        known = {one.number: one for one in self.history()}
        if number not in known:
            there = ", ".join(map(str, known)) or "none"
            raise ConfigError(f"no change {number} by tuning; there are {there}")
        if not reason.strip():
            raise ConfigError("taking a change back needs a reason; it is kept in the history")
        found = known[number]
        constraint = self._constraint(found.constraint_id)
        labels = len(self.labels.all(found.constraint_id))
        return self._change(constraint, found.before, author, reason, labels, reverts=number)

    def history(self) -> tuple[Tuning, ...]:
        """All changes, the oldest first.

        Raises:
            StateError: They cannot be read.
        """
        with self._governor.state.database.read() as connection:
            rows = connection.execute(sa.select(TUNINGS).order_by(TUNINGS.c.number)).mappings().all()
        return tuple(_tuning(dict(row)) for row in rows)

    def _change(
        self,
        constraint: Constraint,
        setting: Setting,
        author: str,
        reason: str,
        labels: int,
        reverts: int | None = None,
    ) -> Tuning:
        if not author.strip():
            raise ConfigError("a change needs an author; it is kept in the history")
        self._must_be_allowed(constraint, setting)
        before = setting_of(constraint)
        values = {
            "at": self._governor.state.now(),
            "constraint_id": constraint.id,
            "before": _written(before),
            "after": _written(setting),
            "author": author,
            "reason": reason,
            "labels": labels,
            "reverts": reverts,
        }
        given = self._governor.constraints
        changed = tuple(with_setting(one, setting) if one.id == constraint.id else one for one in given.constraints)
        said = f"{constraint.id}: {setting} instead of {before}: {reason}"
        self._put(given.model_copy(update={"constraints": changed}), author, said)
        try:
            with self._governor.state.database.write() as connection:
                done = connection.execute(TUNINGS.insert().values(**values))
                number = int(done.inserted_primary_key[0]) if done.inserted_primary_key else 0
        except MageError:
            self._put(given, author, f"not recorded, taken back: {said}")
            raise
        return _tuning({"number": number, **values})

    def _put(self, constraints: ConstraintSet, author: str, reason: str) -> None:
        self._governor.replace(as_source(constraints, folder=self._folder), author=author, reason=reason)

    def _must_be_allowed(self, constraint: Constraint, setting: Setting) -> None:
        """The last guard, whatever chose the setting."""
        is_block, would_block = constraint.severity is Severity.BLOCK, setting.severity is Severity.BLOCK
        if is_block != would_block:
            raise ConfigError(f"{constraint.id}: tuning neither takes severity block away nor gives it")

    def _constraint(self, constraint_id: str) -> Constraint:
        known = {one.id: one for one in self._governor.constraints.constraints}
        if constraint_id not in known:
            raise ConfigError(f"unknown constraint {constraint_id!r}; {nearest(constraint_id, list(known))}")
        return known[constraint_id]

    def _tunable(self, constraint_id: str) -> Tunable:
        if constraint_id not in self._tunables:
            raise ConfigError(f"the plan does not tune {constraint_id!r}; add it under `tunables`")
        return self._tunables[constraint_id]


def _written(setting: Setting) -> str:
    return json.dumps({"threshold": setting.threshold, "severity": setting.severity.value})


def _read(text: str) -> Setting:
    data: Mapping[str, Any] = json.loads(text)
    return Setting(data["threshold"], Severity(data["severity"]))


def _tuning(row: Mapping[str, Any]) -> Tuning:
    return Tuning(**{**row, "before": _read(row["before"]), "after": _read(row["after"])})
