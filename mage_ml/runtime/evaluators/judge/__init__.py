"""The third tier: a language model behind any endpoint that speaks the chat-completions protocol."""

from mage_ml.runtime.evaluators.judge.answer import Finding, InvalidAnswerError, JudgeAnswer, Scores, Verdict
from mage_ml.runtime.evaluators.judge.budget import Spent
from mage_ml.runtime.evaluators.judge.evaluator import LlmJudge
from mage_ml.runtime.evaluators.judge.settings import (
    AnswerFormat,
    JudgeBudget,
    JudgeConfig,
    JudgeLanguage,
    JudgePrices,
    JudgeRedaction,
    LimitField,
)
from mage_ml.runtime.evaluators.judge.stats import JudgeStats

__all__ = [
    "AnswerFormat",
    "Finding",
    "InvalidAnswerError",
    "JudgeAnswer",
    "JudgeBudget",
    "JudgeConfig",
    "JudgeLanguage",
    "JudgePrices",
    "JudgeRedaction",
    "JudgeStats",
    "LimitField",
    "LlmJudge",
    "Scores",
    "Spent",
    "Verdict",
]
