"""What a scan finds."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel, ConfigDict

from mage_ml.risk import RiskAxis, RiskVector
from mage_ml.runtime.guardrail import DecisionAction


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Location(_Frozen):
    """Where something stands.

    Attributes:
        path: The file.
        line: The line in it, from 1; `None` inside an archive.
        inside: The place within the record, as a path of keys.
    """

    path: str
    line: int | None = None
    inside: str = ""

    @property
    def text(self) -> str:
        """File and line."""
        return self.path if self.line is None else f"{self.path}:{self.line}"


class Culprit(_Frozen):
    """One finding, and the entry behind it.

    Attributes:
        found_by: Rule or model.
        axis: Axis of risk.
        score: Strength, 0 to 1; 0.5 is the operating threshold.
        message: One sentence.
        entry_id: The entry, by its number in the trace: `m3` is the fourth.
        source: Who produced the entry.
        origin: Where it comes from.
        before: Text before the quoted words.
        quote: The words that the finding points at; the beginning of the entry where it points at the whole.
        after: Text after them.
        location: Where the entry stands; `None` for a finding without an entry.
    """

    found_by: str
    axis: RiskAxis
    score: float
    message: str
    entry_id: str = ""
    source: str = ""
    origin: str = ""
    before: str = ""
    quote: str = ""
    after: str = ""
    location: Location | None = None


class RiskyStep(_Frozen):
    """An action that the guard would not simply have let go.

    Attributes:
        trace_id: The trace.
        outcome: How the trace ended, in the words of its source.
        step: Number of the action in its trace, from 1.
        location: Where the action stands.
        action_type: The type the policy sees.
        tool: The tool to be called; empty for an answer.
        action: The action in words, cut.
        decision: What the guard would have done.
        stopped: Whether the action would have been held back.
        axis: The axis with the highest score.
        score: That score.
        risk: All four.
        rule: The rule or model with the most telling finding on that axis.
        culprits: The findings, strongest first.
        reasons: Why, in sentences.
        unchecked: Tiers that failed, with the reason.
    """

    trace_id: str
    outcome: str = ""
    step: int
    location: Location
    action_type: str
    tool: str = ""
    action: str
    decision: DecisionAction
    stopped: bool
    axis: RiskAxis
    score: float
    risk: RiskVector
    rule: str = ""
    culprits: tuple[Culprit, ...] = ()
    reasons: tuple[str, ...] = ()
    unchecked: Mapping[str, str] = {}

    @property
    def rank(self) -> tuple[int, float]:
        """The graver, the higher."""
        return self.decision.severity, self.score


class TraceResult(_Frozen):
    """What was found in one trace.

    Attributes:
        trace_id: The trace.
        format: Its format, or its corpus.
        outcome: How it ended.
        actions: Actions by type.
        entries: Entries of its memory.
        risky: The risky steps in order.
        failed_checks: Actions for which a tier failed.
    """

    trace_id: str
    format: str
    outcome: str = ""
    actions: Mapping[str, int] = {}
    entries: int = 0
    risky: tuple[RiskyStep, ...] = ()
    failed_checks: int = 0


class OutcomeCount(_Frozen):
    """Traces that ended in one way.

    Attributes:
        outcome: The way.
        traces: How many.
        flagged: Of those, with a risky step.
        stopped: Of those, with a step that would have been held back.
        halted: Of those, with a step at which the run would have been halted.
        actions: Actions in them.
        risky: Risky steps among these.
    """

    outcome: str
    traces: int = 0
    flagged: int = 0
    stopped: int = 0
    halted: int = 0
    actions: int = 0
    risky: int = 0


class ScanReport(_Frozen):
    """The result of a scan.

    Attributes:
        policy_version: The policy.
        mode: Its mode: in shadow mode the guard would only have said so.
        model_version: The model, or `rules only`.
        files: Files by format; paths of a corpus by its name.
        traces: Traces read.
        empty: Of those, without a single message.
        actions: Actions judged, by type.
        entries: Entries of memory.
        decisions: What the guard would have done, risky steps only.
        by_rule: Risky steps by the rule or model with the most telling finding.
        by_axis: Risky steps by axis.
        by_outcome: Traces by how they ended, where their source tells it.
        steps: The gravest risky steps, in the order of the traces.
        left_out: Risky steps beyond `max_steps`; they are counted everywhere else.
        malformed: Records that could not be read, with the reason; the first hundred.
        malformed_count: All of them.
        failed_checks: Actions for which a tier failed; for these the verdict is not whole.
    """

    policy_version: str
    mode: str
    model_version: str
    files: Mapping[str, int] = {}
    traces: int = 0
    empty: int = 0
    actions: Mapping[str, int] = {}
    entries: int = 0
    decisions: Mapping[DecisionAction, int] = {}
    by_rule: Mapping[str, int] = {}
    by_axis: Mapping[RiskAxis, int] = {}
    by_outcome: tuple[OutcomeCount, ...] = ()
    steps: tuple[RiskyStep, ...] = ()
    left_out: int = 0
    malformed: tuple[str, ...] = ()
    malformed_count: int = 0
    failed_checks: int = 0

    @property
    def risky(self) -> int:
        """How many steps are risky."""
        return sum(self.decisions.values())

    def reaches(self, level: DecisionAction) -> bool:
        """Whether any step calls for this decision or a stricter one."""
        return any(action.severity >= level.severity for action in self.decisions)
