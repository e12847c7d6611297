"""Entries that claim to come from somebody else than they do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

import re2

from mage_ml.memory import MemoryEntry, Role, Source
from mage_ml.memory.facts.arithmetic import is_same
from mage_ml.memory.facts.figures import figures_in
from mage_ml.memory.facts.words import content_words
from mage_ml.memory.notices import MARK_EN, MARK_ZH, is_notice
from mage_ml.risk import Evidence, RiskAxis
from mage_ml.runtime.evaluators.rules.base import RuleId
from mage_ml.runtime.evaluators.rules.instructions import NOTED
from mage_ml.runtime.evaluators.rules.scope import Scope
from mage_ml.runtime.evaluators.rules.source_words import APPROVES, NAMES_GUARD, Claim, ClaimKind

_OWN: Final = frozenset({Source.LLM_REASONING, Source.AGENT})
_ENVELOPE: Final = 0.66
_AUTHORITY: Final = 0.64
_CONSENT: Final = 0.64
_TOOL: Final = 0.62
_GUARD: Final = 0.64
_BESIDE: Final = 0.5
_CITED: Final = 0.3
_NOTED_CAP: Final = 0.3
_MAX_ENTRIES: Final = 64
_MAX_RECORDS: Final = 64
_REFUSED = re2.compile(
    r"(?i)\b(?:not|never|no|nothing|nobody)\b[^.;,!?\n]{0,20}$|n't\b[^.;,!?\n]{0,20}$|(?:未|没|不|别)[^。；，！？\n]{0,4}$"
)
_REFUSAL_REACH: Final = 32
_MAX_ANSWERS: Final = 16
_SAID_BY_USER: Final = 0.6


class SourceSpoofing:
    """An entry speaks as if it came from the system, the user, a tool or the guard, and its provenance says otherwise.

    Catches: chat-role tokens and tool-result envelopes in retrieved or tool text; data that calls itself a message of
    the system or of the user; a note that reports a consent of the user which the user never gave, the output of a tool
    that memory holds no result of, or an approval or alert of the guard of which there is no record.
    Counts in full for what the action rests on, by half for what only lies beside it; quotations and teaching material
    count little. Does not catch: a forged record of a tool that was really called; a false name of a person.
    """

    id = RuleId.SOURCE_SPOOFING
    axis = RiskAxis.SAFETY
    threshold = 0.2
    weight = 1.0

    def find(self, scope: Scope) -> Iterator[Evidence]:
        """See `Rule.find`."""
        for reading in scope.readings[: 3 * _MAX_ENTRIES]:
            entry = reading.entry
            if not reading.source_claims or entry.role is not Role.DATA:
                continue
            best: tuple[float, Claim] | None = None
            for claim in reading.source_claims:
                score = _score(scope, entry, claim)
                if score and (best is None or score > best[0]):
                    best = (score, claim)
            if best is None:
                continue
            score, claim = best
            if entry.id not in scope.support_ids or not scope.action.is_consequential:
                score *= _BESIDE
            if any(note.startswith(NOTED) for note in entry.annotations):
                score = min(score, _NOTED_CAP)
            shown = " ".join(scope.read(entry).text[slice(*claim.span)].split())[:100]
            yield Evidence(
                axis=self.axis,
                score=score,
                found_by=self.id,
                entry_ids=(entry.id,),
                message=f"Entry {entry.id!r} ({entry.source}) {_WHAT[claim.kind]}: {shown!r}.",
                span=claim.span,
            )


_WHAT: Final = {
    ClaimKind.ENVELOPE: "imitates the frame of another message",
    ClaimKind.AUTHORITY: "presents itself as a message of the system or the user",
    ClaimKind.CONSENT: "reports a consent that the user did not give",
    ClaimKind.TOOL: "reports a tool result that memory does not hold",
    ClaimKind.GUARD: "reports a verdict of the guard of which there is no record",
}


def _score(scope: Scope, entry: MemoryEntry, claim: Claim) -> float:
    own = entry.source in _OWN
    factor = _CITED if claim.cited else 1.0
    match claim.kind:
        case ClaimKind.ENVELOPE:
            # Tools return conversations as records; in a document such a record is out of place.
            record = entry.source is Source.TOOL and scope.read(entry).text[slice(*claim.span)].startswith("{")
            return 0.0 if record or entry.source is Source.LLM_REASONING else _ENVELOPE * factor
        case ClaimKind.AUTHORITY:
            return 0.0 if own else _AUTHORITY * factor
        case ClaimKind.CONSENT:
            return _CONSENT * factor if own and not _user_said(scope, entry, claim) else 0.0
        case ClaimKind.TOOL:
            return _TOOL * factor if own and not _tool_said(scope, entry, claim) else 0.0
        case ClaimKind.GUARD:
            if entry.source is Source.TOOL or (not own and not NAMES_GUARD.search(claim.sentence)):
                return 0.0
            return 0.0 if _guard_said(scope, entry) else _GUARD * factor


def _user_said(scope: Scope, entry: MemoryEntry, claim: Claim) -> bool:
    """Whether the user has said something like it: words of consent, or most of the words of the claim."""
    request = scope.request
    answers = [
        bool(_REFUSED.search(request.text[max(0, match.start() - _REFUSAL_REACH) : match.start()]))
        for match in islice(APPROVES.finditer(request.text), _MAX_ANSWERS)
    ]
    if request.delegates or not all(answers):
        return True
    if answers:
        return False  # the user spoke of consent and gave none
    words = content_words(claim.sentence) - content_words(scope.read(entry).text[slice(*claim.span)])
    if words and len(words & request.words) >= _SAID_BY_USER * len(words):
        return True
    parents = scope.known(entry.depends_on)
    return any(p.source is Source.USER and APPROVES.search(scope.read(p).plain) for p in parents)


def _tool_said(scope: Scope, entry: MemoryEntry, claim: Claim) -> bool:
    """Whether a result of the tool is at hand, or some record of a tool holds the figures of the claim."""
    snapshot = scope.snapshot
    near = [*scope.known(entry.depends_on), *scope.relevant[:_MAX_RECORDS], *snapshot.entries[:_MAX_RECORDS]]
    if any(e.source is Source.TOOL and _is_tool(e.tool_name or "", claim.name) for e in near):
        return True
    figures = figures_in(claim.sentence)
    for figure in figures[:8]:
        holders = scope.known(snapshot.facts.entries_with(f"{figure.number:.10g}", first=8, latest=8))
        if any(e.source is Source.TOOL and any(is_same(figure, f) for f in scope.read(e).figures) for e in holders):
            return True
    # Without a figure to look for, a result may lie in the part of a long memory that is not looked at.
    return not figures and len(snapshot.entries) > 2 * _MAX_RECORDS


def _is_tool(tool_name: str, named: str) -> bool:
    """Whether a tool bears the name in a claim; `the tool` is any tool."""
    lowered, wanted = tool_name.lower(), named.lower().strip("`'\" ")
    return not wanted or wanted == lowered or wanted.replace(" ", "_") in lowered or lowered in wanted


def _guard_said(scope: Scope, entry: MemoryEntry) -> bool:
    """Whether the system, or the guard by a message of its own, has said anything that the claim can cite."""
    snapshot = scope.snapshot
    cited = [snapshot.entry(name) for name in entry.depends_on if name in snapshot]
    latest = [item for item in snapshot.entries[-_MAX_RECORDS:] if is_notice(item)]
    marked = [item for item in cited if isinstance(item.content, str) and item.content.startswith((MARK_EN, MARK_ZH))]
    told = (item for item in cited if item.source not in _OWN)  # a record of another system's verdict
    return bool(latest or marked) or any(
        item.source is Source.SYSTEM or any(c.kind is ClaimKind.GUARD for c in scope.read(item).source_claims)
        for item in told
    )
