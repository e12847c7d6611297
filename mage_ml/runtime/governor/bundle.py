"""What is in force at one moment: replaced as a whole, so that a check sees the old rules or the new ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mage_ml.runtime.governor.conflicts import Arbiter, constraints_by_id
from mage_ml.runtime.governor.constraint import Constraint, ConstraintSet
from mage_ml.runtime.governor.constraint_file import ConstraintSource
from mage_ml.runtime.governor.context import MAX_OUTPUT_CHARS, Question, Utterance
from mage_ml.runtime.governor.ruling import Finding
from mage_ml.runtime.governor.triggers import IntentReader, Triggered, TriggerIndex
from mage_ml.runtime.governor.validators.base import KEPT, Validator, Verdict
from mage_ml.runtime.governor.validators.build import Resources, build_validators


@dataclass(frozen=True, slots=True)
class Bundle:
    """Constraints with everything made from them. Immutable.

    Attributes:
        source: The constraint file.
        digest: SHA-256 of its text.
        constraints: What it says.
        by_id: Its constraints by id.
        index: Finds the ones to be checked.
        validators: Validators by constraint.
        arbiter: Resolves conflicts.
    """

    source: ConstraintSource
    digest: str
    constraints: ConstraintSet
    by_id: dict[str, Constraint]
    index: TriggerIndex
    validators: Mapping[str, Validator]
    arbiter: Arbiter

    @classmethod
    def of(cls, source: ConstraintSource, resources: Resources, read_intents: IntentReader | None) -> Bundle:
        """Make everything that a constraint file needs.

        Raises:
            ConfigError: A validator cannot be made.
        """
        constraints = source.constraints
        validators = build_validators(source, resources)
        return cls(
            source=source,
            digest=source.digest,
            constraints=constraints,
            by_id=constraints_by_id(constraints),
            index=TriggerIndex(constraints, read_intents=read_intents),
            validators=validators,
            arbiter=Arbiter(constraints, validators),
        )

    def check(self, triggered: Triggered, utterance: Utterance) -> Finding | None:
        """Check one constraint; a validator that gives no verdict is a finding, whatever went wrong with it."""
        constraint = triggered.constraint
        failed, verdict = "", KEPT
        if len(utterance.output) > MAX_OUTPUT_CHARS:
            failed = f"the output has {len(utterance.output):,} characters; at most {MAX_OUTPUT_CHARS:,} are checked"
        else:
            try:
                verdict = _checked(self.validators[constraint.id].check(Question(constraint, utterance)))
            except Exception as error:
                failed = f"{type(error).__name__}: {error}"[:500]
        if not verdict.violated and not failed:
            return None
        return Finding(
            constraint_id=constraint.id,
            version=constraint.version,
            severity=constraint.severity,
            clause=constraint.clause,
            triggered_by=triggered.reason,
            offending=verdict.offending,
            explanation=verdict.explanation,
            score=1.0 if failed else verdict.score,
            found_by=verdict.found_by,
            failed=failed,
        )


def _checked(verdict: object) -> Verdict:
    if not isinstance(verdict, Verdict):
        raise TypeError(f"a validator gave {type(verdict).__name__}; expected a Verdict")
    return verdict
