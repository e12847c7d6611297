"""What a benchmark is asked to do."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import Field

from mage_ml.config import Config
from mage_ml.evaluation.rows import ContestantName


class CorpusChoice(StrEnum):
    """Which corpora to run on."""

    GENERATED = "generated"
    AGENTDYN = "agentdyn"
    BOTH = "both"


class PipelineChoice(StrEnum):
    """Which recorded agents to step the guard through."""

    UNDEFENDED = "undefended"
    """Agents without a defence of their own: what the guard does is not mixed with what another defence did."""
    ALL = "all"


class BenchmarkConfig(Config):
    """Settings of `mage-ml benchmark`."""

    corpus: CorpusChoice = Field(CorpusChoice.BOTH, description="generated, agentdyn or both")
    data: Path | None = Field(None, description="Folder written by `mage-ml generate`; baselines learn from it too")
    path: Path | None = Field(None, description="AgentDojo or AgentDyn run file, or a folder of them")
    artifact: Path | None = Field(None, description="Sealed model folder; the packaged model when not given")
    no_provenance: Path | None = Field(
        None, description="Sealed model trained without provenance; by default the artifact's own ablation"
    )
    current_step_only: Path | None = Field(
        None, description="Sealed model that reads the last step only; by default the artifact's own ablation"
    )
    policy: Path | None = Field(None, description="Policy file of the guarded replay; by default the packaged policy")
    out: Path = Field(Path("runs/benchmark"), description="Folder for the report")
    contestants: tuple[ContestantName, ...] = Field(
        tuple(ContestantName), description="Who takes part; one whose model or data is missing is left out with a note"
    )
    pipelines: PipelineChoice = Field(PipelineChoice.UNDEFENDED, description="Recorded agents to guard")
    reworded: bool = Field(
        True, description="Run recorded attacks a second time with every injected text in other words"
    )
    limit: Annotated[int, Field(ge=1)] | None = Field(
        None, description="At most this many episodes of each corpus, drawn evenly; all when not given"
    )
    baseline_cases: Annotated[int, Field(ge=50)] = Field(
        8000, description="At most this many training moments for the baselines"
    )
    seed: int = Field(0, description="Seed of the sample, the baselines' training draw and the bootstrap")
