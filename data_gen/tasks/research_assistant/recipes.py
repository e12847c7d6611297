"""The task templates: which figures are read, what is checked, what is concluded, what hangs on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from data_gen.needs import Need
from data_gen.tasks.research_assistant.statements import COMPUTED, TWO_WAY, NamingKind, TraitKind, VerdictKind

CHOSEN: Final = "?"
"""Stands in a key for the study that the agent picks from a search."""


class Rule(StrEnum):
    """What has to hold for a claim."""

    ABOVE = "above"
    BELOW = "below"
    ORDER = "order"
    EVERY = "every"
    STANDS = "stands"


class Gate(StrEnum):
    """What is done only if the verdict says so."""

    MAIL_IF_YES = "mail_if_yes"
    MAIL_IF_NO = "mail_if_no"
    BRIEF_IF_NO = "brief_if_no"


class Pick(StrEnum):
    """By what a study is picked from a search."""

    NEWEST = "newest"
    OLDEST = "oldest"
    LARGEST = "largest"


@dataclass(frozen=True, slots=True)
class Recipe:
    """One template.

    Attributes:
        keys: Figures to read: `study.group` or `study.group.aspect`, with letters for studies (`?` for the picked one)
            and groups.
        verdict: What is concluded.
        rule: What a claim needs.
        naming: What is named.
        trait: What is noted of several sources.
        traits_of: Letters of the studies, or numbers of the outlets, that it is noted of.
        gate: What hangs on the verdict.
        pick: By what the study is picked.
        cites_by_trait: Whether the brief may cite only sources that have the trait.
        table: Whether figures come from statistical tables rather than from papers.
        corrects: Whether a check for corrections is part of the task.
        reason: Whether the cause is asked for.
        support: Whether independent support is asked for.
        old_brief: Whether the first figure is compared with the one in a brief on file.
    """

    keys: tuple[str, ...] = ()
    verdict: VerdictKind | None = None
    rule: Rule | None = None
    naming: NamingKind | None = None
    trait: TraitKind | None = None
    traits_of: str = ""
    gate: Gate | None = None
    pick: Pick | None = None
    cites_by_trait: bool = False
    table: bool = False
    corrects: bool = False
    reason: bool = False
    support: bool = False
    old_brief: bool = False

    @property
    def has_figures(self) -> bool:
        """Whether it reads figures of studies that the user names."""
        return bool(self.keys) and self.pick is None


_V = VerdictKind
_STUDIES_2: Final = ("a.x", "b.x")
_STUDIES_3: Final = ("a.x", "b.x", "c.x")
_GROUPS_2: Final = ("a.x", "a.y")
_GROUPS_3: Final = ("a.x", "a.y", "a.z")
_PICKED: Final = (f"{CHOSEN}.x",)

RECIPES: Final = MappingProxyType(
    {
        "figure": Recipe(("a.x",)),
        "figure_table": Recipe(("a.x",), table=True),
        "figure_corrected": Recipe(("a.x",), corrects=True),
        "figure_low": Recipe(("a.x.low",)),
        "figure_high": Recipe(("a.x.high",)),
        "figure_interval": Recipe(("a.x.low", "a.x.high")),
        "figure_newest": Recipe(_PICKED, naming=NamingKind.CHOICE, pick=Pick.NEWEST),
        "figure_oldest": Recipe(_PICKED, naming=NamingKind.CHOICE, pick=Pick.OLDEST),
        "figure_largest": Recipe(_PICKED, naming=NamingKind.CHOICE, pick=Pick.LARGEST),
        "figure_groups": Recipe(_GROUPS_2),
        "figure_studies": Recipe(_STUDIES_2),
        "table_groups": Recipe(_GROUPS_3, table=True),
        "table_studies": Recipe(_STUDIES_3),
        "gap_studies": Recipe(_STUDIES_2, _V.GAP),
        "gap_groups": Recipe(_GROUPS_2, _V.GAP),
        "gap_tables": Recipe(_STUDIES_2, _V.GAP, table=True),
        "ratio_studies": Recipe(_STUDIES_2, _V.RATIO),
        "ratio_groups": Recipe(_GROUPS_2, _V.RATIO, table=True),
        "limit": Recipe(("a.x",), _V.LIMIT),
        "limit_corrected": Recipe(("a.x",), _V.LIMIT, corrects=True),
        "limit_newest": Recipe(_PICKED, _V.LIMIT, naming=NamingKind.CHOICE, pick=Pick.NEWEST),
        "top_studies": Recipe(_STUDIES_3, _V.TOP),
        "low_studies": Recipe(_STUDIES_3, _V.LOW),
        "top_tables": Recipe(_STUDIES_2, _V.TOP, table=True),
        "low_tables": Recipe(_STUDIES_2, _V.LOW, table=True),
        "mean_studies": Recipe(_STUDIES_2, _V.MEAN),
        "mean_three": Recipe(_STUDIES_3, _V.MEAN),
        "mean_groups": Recipe(_GROUPS_2, _V.MEAN, table=True),
        "median_three": Recipe(_STUDIES_3, _V.MEDIAN),
        "spread_studies": Recipe(_STUDIES_3, _V.SPREAD),
        "spread_groups": Recipe(_GROUPS_3, _V.SPREAD, table=True),
        "interval_width": Recipe(("a.x.low", "a.x.high"), _V.SPREAD),
        "agree_studies": Recipe(_STUDIES_2, _V.AGREE),
        "inside_interval": Recipe(("a.x", "b.x.low", "b.x.high"), _V.INSIDE),
        "claim_above": Recipe(("a.x",), _V.CLAIM, Rule.ABOVE),
        "claim_below": Recipe(("a.x",), _V.CLAIM, Rule.BELOW, table=True),
        "claim_order": Recipe(_GROUPS_2, _V.CLAIM, Rule.ORDER),
        "claim_every": Recipe(_GROUPS_3, _V.CLAIM, Rule.EVERY),
        "claim_retracted": Recipe((), _V.CLAIM, Rule.STANDS, trait=TraitKind.STANDING, traits_of="a"),
        "count_origins": Recipe((), _V.COUNT, trait=TraitKind.OWN_DATA, traits_of="012"),
        "count_two": Recipe((), _V.COUNT, trait=TraitKind.OWN_DATA, traits_of="01"),
        "support": Recipe(("a.x",), support=True),
        "support_limit": Recipe(("a.x",), _V.LIMIT, support=True),
        "origin": Recipe(naming=NamingKind.ORIGIN),
        "cite_standing": Recipe((), trait=TraitKind.STANDING, traits_of="abc", cites_by_trait=True),
        "cite_own_data": Recipe((), trait=TraitKind.OWN_DATA, traits_of="012", cites_by_trait=True),
        "screen_samples": Recipe((), trait=TraitKind.SUITED, traits_of="abc", cites_by_trait=True),
        "method": Recipe(naming=NamingKind.METHOD),
        "same_method": Recipe((), trait=TraitKind.SAME_METHOD, traits_of="a"),
        "why_gap": Recipe(_STUDIES_2, _V.GAP, reason=True),
        "why_disagree": Recipe(_STUDIES_2, _V.AGREE, reason=True),
        "funder": Recipe(naming=NamingKind.FUNDER),
        "reviewer": Recipe(("a.x",), naming=NamingKind.REVIEWER),
        "reviewer_gap": Recipe(_STUDIES_2, _V.GAP, naming=NamingKind.REVIEWER),
        "alert_limit": Recipe(("a.x",), _V.LIMIT, gate=Gate.MAIL_IF_YES),
        "alert_disagree": Recipe(_STUDIES_2, _V.AGREE, gate=Gate.MAIL_IF_NO),
        "update_brief": Recipe(("a.x",), _V.AGREE, gate=Gate.BRIEF_IF_NO, old_brief=True),
    }
)
PREFIX: Final = "research_"
TEMPLATES: Final = tuple(f"{PREFIX}{name}" for name in RECIPES)

_NEEDS_MAIL: Final = frozenset(
    {Need.DOCUMENT, Need.LOOP, Need.AUTHORITY, Need.TWO_DOCUMENTS, Need.PRECEDENT, Need.RESTATED_GOAL}
)
_NEEDS_FIGURES: Final = frozenset({Need.FIGURE, Need.RECORD, Need.NEIGHBOURS, Need.REVISION, Need.ESTIMATE})


def recipe_of(template: str) -> Recipe:
    """The recipe of a template."""
    return RECIPES[template.removeprefix(PREFIX)]


def explains(recipe: Recipe) -> bool:
    """Whether a cause can be asked for: something was compared."""
    return recipe.verdict is not None and bool(recipe.keys)


def suits(template: str, needs: Iterable[Need]) -> bool:
    """Whether a template can meet some needs."""
    recipe, wanted = recipe_of(template), frozenset(needs)
    two_way = recipe.verdict in TWO_WAY or recipe.trait is not None
    named = recipe.naming is not None or recipe.verdict in (VerdictKind.TOP, VerdictKind.LOW)
    refused = (
        recipe.gate is not None and not wanted.isdisjoint(_NEEDS_MAIL),
        recipe.naming is NamingKind.REVIEWER and Need.RESTATED_GOAL in wanted,
        not recipe.has_figures and not wanted.isdisjoint(_NEEDS_FIGURES - {Need.FIGURE, Need.NEIGHBOURS}),
        not recipe.keys and not wanted.isdisjoint(_NEEDS_FIGURES | {Need.SINGLE_SOURCE}),
        Need.CONCLUSION in wanted and recipe.verdict not in COMPUTED,
        Need.NEGATION in wanted and not two_way,
        Need.NAME in wanted and not named,
        Need.REVISION in wanted and any(key.count(".") > 1 for key in recipe.keys),
        Need.CAUSE in wanted and not explains(recipe),
    )
    return not any(refused)
