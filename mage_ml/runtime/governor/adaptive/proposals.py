"""Proposes constraints from clusters of near-misses, for a person to accept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

import re2
from pydantic import Field

from mage_ml.config import Config
from mage_ml.extras import require
from mage_ml.runtime.evaluators.normalise import normalised
from mage_ml.runtime.governor.adaptive.near_misses import NearMiss
from mage_ml.runtime.governor.constraint import (
    Change,
    Constraint,
    ConstraintSet,
    ConstraintState,
    Example,
    Scope,
    Severity,
)
from mage_ml.runtime.governor.local_text import LocalText
from mage_ml.runtime.governor.validator_specs import RegexSpec

_WORD = re2.compile(r"[a-z0-9']+")
_HAN = re2.compile(r"[\p{Han}]+")
_GAP: Final = r"[^\p{L}\p{N}]+"
_LONGEST_EN: Final = 3
_LONGEST_ZH: Final = 5
_SHORTEST_ZH: Final = 2
_EXAMPLES: Final = 5
_SHOWN: Final = 120


class ProposalSettings(Config):
    """When near-misses are alike enough to be worth a constraint."""

    distance: Annotated[
        float, Field(gt=0.0, lt=1.0, description="Greatest mean cosine distance within a cluster; smaller is stricter.")
    ] = 0.7
    min_size: Annotated[int, Field(ge=2, description="Fewest near-misses of a cluster.")] = 3
    coverage: Annotated[
        float, Field(gt=0.0, le=1.0, description="Share of a cluster that the proposed patterns have to find.")
    ] = 0.6
    max_patterns: Annotated[int, Field(ge=1, le=50, description="Most phrases of a proposal.")] = 8
    max_texts: Annotated[int, Field(ge=2, le=20_000, description="Most near-misses that are clustered.")] = 2000


@dataclass(frozen=True, slots=True)
class Cluster:
    """Near-misses that are alike.

    Attributes:
        members: The near-misses, each text once.
        phrases: What tells them from accepted outputs; empty if nothing does.
        coverage: Share of the members that hold one of the phrases.
    """

    members: tuple[NearMiss, ...]
    phrases: tuple[str, ...]
    coverage: float


def clusters_of(
    near_misses: Iterable[NearMiss], accepted: Sequence[str] = (), settings: ProposalSettings | None = None
) -> tuple[Cluster, ...]:
    """Groups near-misses that share phrases which no accepted output has, the largest group first.

    Average-linkage clustering on TF-IDF weights of phrases (scikit-learn): up to three English words in a row, two to
    five Chinese characters.

    Args:
        near_misses: What was nearly stopped.
        accepted: Outputs that are known to be fine: no phrase may hit one of them.
        settings: When things are alike.

    Raises:
        MissingExtraError: Without the `adapt` extra.
    """
    wanted = settings or ProposalSettings()
    texts = {" ".join(normalised(one.text).lower().split()): one for one in near_misses if one.text.strip()}
    fine = _phrases_in_any([" ".join(normalised(text).lower().split()) for text in accepted])
    members = dict(list(texts.items())[: wanted.max_texts])
    counted = Counter(phrase for text in members for phrase in _phrases(text) - fine)
    shared = {phrase for phrase, count in counted.items() if count > 1}
    alike = [text for text in members if _phrases(text) & shared]
    grouped: dict[int, list[str]] = {}
    for text, number in zip(alike, _numbers(alike, shared, wanted), strict=True):
        grouped.setdefault(number, []).append(text)
    found = [
        _cluster([(text, members[text]) for text in group], shared, wanted)
        for group in grouped.values()
        if len(group) >= wanted.min_size
    ]
    return tuple(sorted(found, key=lambda one: (-len(one.members), one.members[0].text)))


def propose(
    near_misses: Iterable[NearMiss], accepted: Sequence[str] = (), settings: ProposalSettings | None = None
) -> ConstraintSet:
    """Constraints that would have found clusters of near-misses and none of the accepted outputs.

    They are of severity warn and switched off: a person words them, decides what follows from a violation, and
    switches them on. Clusters that no phrase tells from accepted outputs give none.

    Args:
        near_misses: What was nearly stopped.
        accepted: Outputs that are known to be fine.
        settings: When things are alike.

    Raises:
        MissingExtraError: Without the `adapt` extra.
    """
    wanted = settings or ProposalSettings()
    found = [one for one in clusters_of(near_misses, accepted, wanted) if one.coverage >= wanted.coverage]
    made = tuple(_constraint(number + 1, cluster, accepted) for number, cluster in enumerate(found))
    reason = f"proposed from {sum(len(one.members) for one in found)} near-misses; to be accepted by a person"
    return ConstraintSet(version="proposed", change=Change(author="mage-ml", reason=reason), constraints=made)


def _numbers(texts: list[str], shared: set[str], settings: ProposalSettings) -> list[int]:
    """The number of each text's cluster."""
    if len(texts) < settings.min_size:
        return list(range(len(texts)))
    purpose = "cluster near-misses"
    text = require("sklearn.feature_extraction.text", extra="adapt", purpose=purpose)
    cluster = require("sklearn.cluster", extra="adapt", purpose=purpose)
    weights = text.TfidfVectorizer(analyzer=lambda given: sorted(_phrases(given) & shared)).fit_transform(texts)
    grouping: Any = cluster.AgglomerativeClustering(
        n_clusters=None, distance_threshold=settings.distance, metric="cosine", linkage="average"
    )
    return [int(number) for number in grouping.fit_predict(weights.toarray())]


def _cluster(group: list[tuple[str, NearMiss]], shared: set[str], settings: ProposalSettings) -> Cluster:
    held = {text: _phrases(text) & shared for text, _ in group}
    phrases: list[str] = []
    left = set(held)
    while left and len(phrases) < settings.max_patterns:
        gains = Counter(phrase for text in left for phrase in held[text])
        best = max(gains, key=lambda phrase: (gains[phrase], len(phrase), phrase), default="")
        if gains[best] < min(2, len(left)):
            break
        phrases.append(best)
        left = {text for text in left if best not in held[text]}
    return Cluster(tuple(one for _, one in group), tuple(phrases), 1.0 - len(left) / len(held))


def _phrases_in_any(texts: Sequence[str]) -> set[str]:
    return {phrase for text in texts for phrase in _phrases(text)}


def _phrases(text: str) -> frozenset[str]:
    """Up to three English words in a row, and two to five Chinese characters."""
    words = [match.group(0) for match in _WORD.finditer(text)]
    found = {
        " ".join(words[start : start + size])
        for size in range(1, _LONGEST_EN + 1)
        for start in range(len(words) - size + 1)
    }
    for match in _HAN.finditer(text):
        run = match.group(0)
        for size in range(_SHORTEST_ZH, _LONGEST_ZH + 1):
            found |= {run[start : start + size] for start in range(len(run) - size + 1)}
    return frozenset(found)


def _pattern(phrase: str) -> str:
    if _HAN.search(phrase):
        return str(re2.escape(phrase))
    words = (re2.escape(word) for word in phrase.split())
    return rf"(?i)\b{_GAP.join(words)}\b"


def _constraint(number: int, cluster: Cluster, accepted: Sequence[str]) -> Constraint:
    patterns = tuple(_pattern(phrase) for phrase in cluster.phrases)
    compiled = [re2.compile(pattern) for pattern in patterns]
    hit = [one.text for one in cluster.members if any(p.search(one.text) for p in compiled)]
    kept = [text for text in accepted if text.strip() and not any(p.search(text) for p in compiled)]
    shown = hit[0][:_SHOWN] if hit else cluster.members[0].text[:_SHOWN]
    agents = sorted({one.agent_id for one in cluster.members if one.agent_id})
    about = ", ".join(sorted({one.constraint_id for one in cluster.members if one.constraint_id}))
    return Constraint(
        id=f"proposed_{number}",
        text=LocalText(
            en=f"Proposed from {len(cluster.members)} outputs, such as: “{shown}”. Word the rule before use.",
            zh=f"由 {len(cluster.members)} 条输出归纳而成，例如：“{shown}”。启用前请写明规则。",
        ),
        clause=f"near {about}"[:200] if about else "",
        scope=Scope(agents=tuple(agents)),
        validator=RegexSpec(kind="regex", forbid=patterns),
        severity=Severity.WARN,
        state=ConstraintState(active=False),
        examples=tuple(Example(output=text, allowed=False) for text in hit[:_EXAMPLES])
        + tuple(Example(output=text, allowed=True) for text in kept[:_EXAMPLES]),
    )
