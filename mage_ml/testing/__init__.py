"""For tests of code that uses the guard: evaluators with a known answer, a model server, faults at every seam."""

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
from mage_ml.testing.judge_faults import JudgeFault, good_answer, respond_with, risky_answer
from mage_ml.testing.llm_server import LlmServer, ReceivedRequest, ServerReply
from mage_ml.testing.resources import damage_file, file_handles_exhausted, file_size_limited, locked_database

__all__ = [
    "EvaluatorFault",
    "FailingEvaluator",
    "FaultyEvaluator",
    "FaultySink",
    "FaultyStore",
    "FixedEvaluator",
    "JudgeFault",
    "JumpingClock",
    "LlmServer",
    "ReceivedRequest",
    "ServerReply",
    "SinkFault",
    "SlowEvaluator",
    "StoreFault",
    "damage_file",
    "file_handles_exhausted",
    "file_size_limited",
    "good_answer",
    "locked_database",
    "respond_with",
    "risky_answer",
]
