"""Chooses among settings by Thompson sampling (W. R. Thompson, 1933), with the `river` library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from mage_ml.extras import require
from mage_ml.runtime.governor.adaptive.labels import Label
from mage_ml.runtime.governor.adaptive.settings import Setting


@dataclass(frozen=True, slots=True)
class Choice:
    """What the bandit chose.

    Attributes:
        setting: The setting.
        right: Share of labels on which each setting would have been right, misses weighted.
        labels: How many labels it rests on.
    """

    setting: Setting
    right: Mapping[Setting, float]
    labels: int


def choose(settings: Sequence[Setting], labels: Sequence[Label], *, miss_weight: int, seed: int) -> Choice:
    """Choose a setting from what is known of each.

    The policy is made anew from the labels each time, so that what was learnt can be traced and undone. A label with a
    score tells of every threshold; one without tells of the setting that was in force.

    Args:
        settings: The settings within the bounds.
        labels: What people said.
        miss_weight: How many false alarms weigh as much as one missed violation.
        seed: Seed of the draws.

    Raises:
        MissingExtraError: Without the `adapt` extra.
    """
    bandit = require("river.bandit", extra="adapt", purpose="tune constraints from labels")
    proba = require("river.proba", extra="adapt", purpose="tune constraints from labels")
    policy = bandit.ThompsonSampling(reward_obj=proba.Beta(), seed=seed)
    right: dict[Setting, list[int]] = {setting: [0, 0] for setting in settings}
    for label in labels:
        for arm, setting in enumerate(settings):
            acts = setting.acts_on(label)
            if acts is None:
                continue
            is_right = acts == label.is_violation
            # A miss counts several times; so does a find, or whoever never acts would look right by doing nothing.
            for _ in range(miss_weight if label.is_violation else 1):
                policy.update(arm, is_right)
                right[setting][0] += is_right
                right[setting][1] += 1
    chosen = settings[int(policy.pull(list(range(len(settings)))))]
    shares = {setting: part / whole if whole else 0.5 for setting, (part, whole) in right.items()}
    return Choice(chosen, MappingProxyType(shares), len(labels))
