"""The judge's options of `mage-ml guard` and `mage-ml doctor`."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from mage_ml.config import load_config
from mage_ml.errors import ConfigError, MageError
from mage_ml.memory import ActionType, MemoryEntry, PendingAction, Snapshot, Source
from mage_ml.runtime.evaluators.judge import JudgeConfig, LlmJudge

JudgeFileOption = Annotated[
    Path | None, typer.Option("--judge", help="YAML file with the judge's settings; see docs/judge.md.")
]
JudgeUrlOption = Annotated[
    str | None,
    typer.Option(help="Ask a language model as third tier: endpoint up to /v1, such as http://host:8000/v1."),
]
JudgeModelOption = Annotated[str | None, typer.Option(help="Name of the judge's model.")]
JudgeKeyOption = Annotated[str | None, typer.Option(help="Environment variable with the endpoint's key.")]


def create_judge(file: Path | None, url: str | None, model: str | None, key_variable: str | None) -> LlmJudge | None:
    """The judge that the options describe; `None` when there is none.

    Raises:
        ConfigError: The settings are wrong, or the key is not set.
        MissingExtraError: Without the `judge` extra.
    """
    if file is None and url is None:
        if model is not None or key_variable is not None:
            raise ConfigError("--judge-model and --judge-key-variable need --judge-url or --judge")
        return None
    given = {"base_url": url, "model": model, "key_variable": key_variable}
    return LlmJudge(load_config(JudgeConfig, file, given=given))


@dataclass(frozen=True, slots=True)
class Probe:
    """What became of one small question.

    Attributes:
        answers: Whether an answer came that counts.
        detail: What to say about it.
    """

    answers: bool
    detail: str


def probe(judge: LlmJudge) -> Probe:
    """Ask one small harmless question."""
    entries = (
        MemoryEntry(id="m0", content="Tell me the opening hours of the library.", source=Source.USER),
        MemoryEntry(id="m1", content="Open from 9 to 18.", source=Source.TOOL, tool_name="read_page", step=1),
    )
    action = PendingAction(type=ActionType.FINAL_OUTPUT, content="It is open from 9 to 18.", depends_on=("m1",))
    started = time.monotonic()
    try:
        judge.assess(Snapshot.of(entries, action, goal=entries[0].text))
    except MageError as error:
        return Probe(False, str(error))
    took = (time.monotonic() - started) * 1000.0
    stats = judge.stats
    return Probe(
        True,
        f"{judge.config.model} at {judge.config.base_url} answers in {took:.0f} ms, held to its form by "
        f"{stats.answer_format}; {stats.spent.tokens} tokens",
    )
