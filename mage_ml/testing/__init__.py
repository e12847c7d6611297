"""For tests of code that uses the guard: evaluators with a known answer, and faults at every seam."""

from mage_ml.testing.evaluators import FailingEvaluator, FixedEvaluator, SlowEvaluator
from mage_ml.testing.faults import (
    EvaluatorFault,
    FaultyEvaluator,
    FaultySink,
    FaultyStore,
    JumpingClock,
    SinkFault,
    StoreFault,
)
from mage_ml.testing.resources import damage_file, file_handles_exhausted, file_size_limited, locked_database

__all__ = [
    "EvaluatorFault",
    "FailingEvaluator",
    "FaultyEvaluator",
    "FaultySink",
    "FaultyStore",
    "FixedEvaluator",
    "JumpingClock",
    "SinkFault",
    "SlowEvaluator",
    "StoreFault",
    "damage_file",
    "file_handles_exhausted",
    "file_size_limited",
    "locked_database",
]
