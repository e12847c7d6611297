"""What a benchmark row says: spellings that later work adds to and never changes."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from pydantic import BaseModel, ConfigDict, Field


class ContestantName(StrEnum):
    """The contestants of every benchmark; recorded defences are named by `recorded_name`."""

    RULES = "rules"
    CLASSIFIER = "classifier"
    TIERS = "tiers"
    CURRENT_STEP_ONLY = "current_step_only"
    BAG_OF_WORDS = "bag_of_words"
    NO_PROVENANCE = "no_provenance"
    TFIDF_LR = "tfidf_lr"
    STATIC_LINEAR = "static_linear"


RECORDED_PREFIX: Final = "recorded:"


def recorded_name(defence: str) -> str:
    """The contestant name of a defence whose runs were recorded by others."""
    return f"{RECORDED_PREFIX}{defence}"


class Metric(StrEnum):
    """The metrics of every benchmark."""

    AUROC = "auroc"
    AUPRC = "auprc"
    TPR_AT_FPR_1 = "tpr_at_fpr_0.01"
    TPR_AT_FPR_01 = "tpr_at_fpr_0.001"
    ECE = "ece"
    LOCALISATION_TOP1 = "localisation_top1"
    LOCALISATION_TOP3 = "localisation_top3"
    ATTACK_SUCCESS_LEFT = "attack_success_left"
    BENIGN_HALTED = "benign_halted"
    UTILITY_UNDER_ATTACK_KEPT = "utility_under_attack_kept"
    ACCURACY = "accuracy"
    F1 = "f1"
    LATENCY_P50_MS = "latency_p50_ms"
    LATENCY_P99_MS = "latency_p99_ms"
    SIZE_MB = "size_mb"


class BenchmarkRow(BaseModel):
    """One figure.

    Attributes:
        corpus: `generated`, or the name of a third-party corpus.
        split: Which part of it, or which question about it.
        contestant: Who was measured.
        metric: What was measured.
        value: The figure.
        ci_low: Lower end of its 95 % interval, where one is stated.
        ci_high: Upper end.
        n: Cases behind it.
        protocol: How it was measured, in a line.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    corpus: str
    split: str
    contestant: str
    metric: Metric
    value: float = Field(allow_inf_nan=False)
    ci_low: float | None = Field(default=None, allow_inf_nan=False)
    ci_high: float | None = Field(default=None, allow_inf_nan=False)
    n: int = Field(ge=0)
    protocol: str = ""
