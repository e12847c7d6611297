"""AgentDojo run files as typed records: one run a JSON file, or one a line, plain or gzipped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from mage_ml.errors import RecordError
from mage_ml.evaluation.importers.files import bare_name, data_files, first_problem, parse_json, read_bytes, read_lines

INJECTED_GOAL_PREFIX: Final = "injection_task_"


class ToolCall(BaseModel):
    """One tool call of an assistant message."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    function: str
    args: dict[str, Any] = Field(default_factory=dict)
    id: str | None = None


class Message(BaseModel):
    """One message of a recorded run."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    role: Literal["system", "user", "assistant", "tool"]
    content: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call: ToolCall | None = None
    error: str | None = None

    @field_validator("content", mode="before")
    @classmethod
    def _join_parts(cls, value: Any) -> Any:  # noqa: ANN401 - three shapes are published
        if value is None:
            return ""
        if isinstance(value, list):
            parts = [part.get("content", part.get("text")) if isinstance(part, dict) else part for part in value]
            return "\n".join(part for part in parts if isinstance(part, str))
        return value

    @field_validator("tool_calls", mode="before")
    @classmethod
    def _absent_calls(cls, value: Any) -> Any:  # noqa: ANN401 - null means none
        return value or ()


class RecordedRun(BaseModel):
    """One run as AgentDojo writes it; fields that are not used here are ignored.

    Attributes:
        security: In an attacked run, whether the attack SUCCEEDED. In a clean run it means nothing. `None` when the
            run was aborted before it was judged.
        utility: Whether the user's own task was solved; `None` when the run was not judged.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    suite_name: str
    pipeline_name: str
    user_task_id: str
    injection_task_id: str | None = None
    attack_type: str | None = None
    injections: dict[str, str] = Field(default_factory=dict)
    messages: tuple[Message, ...]
    error: str | None = None
    utility: bool | None = None
    security: bool | None = None

    @field_validator("attack_type", mode="before")
    @classmethod
    def _none_is_no_attack(cls, value: Any) -> Any:  # noqa: ANN401 - folder names say "none"
        return None if value == "none" else value

    @property
    def gives_injected_goal(self) -> bool:
        """Whether the attacker's goal was given as the user's own task: not an episode, but a key to the labels."""
        return self.user_task_id.startswith(INJECTED_GOAL_PREFIX)

    @property
    def is_attacked(self) -> bool:
        """Whether text was planted in the environment."""
        return self.attack_type is not None

    @property
    def is_judged(self) -> bool:
        """Whether the recording says how the run ended."""
        return self.utility is not None and self.security is not None

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """All tool calls in order."""
        return tuple(call for message in self.messages for call in message.tool_calls)

    @property
    def user_prompt(self) -> str:
        """The first user message."""
        return next((message.content for message in self.messages if message.role == "user"), "")


@dataclass(frozen=True, slots=True)
class RunAt:
    """A run and the place it was read from.

    Attributes:
        run: The run.
        path: The file.
        line: The line in it, from 1.
        pipeline: The agent and its defence, from the folder the run was recorded in. The run's own `pipeline_name`
            is not unique: locally served models of different sizes all say `local`.
    """

    run: RecordedRun
    path: Path
    line: int
    pipeline: str

    @property
    def place(self) -> str:
        """File and line for messages."""
        return f"{self.path}:{self.line}"


def run_files(path: Path) -> tuple[Path, ...]:
    """The run files at a path, in order of name: the file itself, or all run files below a folder.

    Raises:
        RecordError: Nothing there can be read as runs.
    """
    return data_files(path, (".jsonl", ".json"), "run files")


def read_runs(files: Sequence[Path]) -> Iterator[RunAt]:
    """Read runs one at a time.

    Raises:
        RecordError: A file cannot be read, or a record is not a run; it names file and line.
    """
    for path in files:
        lines = iter([(1, read_bytes(path))]) if bare_name(path).endswith(".json") else read_lines(path)
        for line, raw in lines:
            yield _parse(raw, path, line)


def _parse(raw: bytes, path: Path, line: int) -> RunAt:
    fields = parse_json(raw, f"{path}:{line}")
    recorded_as = path
    if isinstance(fields, dict) and isinstance(fields.get("run"), dict):
        recorded_as = Path(str(fields.get("path", path)))
        fields = fields["run"]
    if not isinstance(fields, dict):
        raise RecordError(f"{path}:{line}: expected a run as a JSON object, found {type(fields).__name__}")
    try:
        run = RecordedRun.model_validate(fields)
    except ValidationError as error:
        raise RecordError(f"{path}:{line}: not an AgentDojo run: {first_problem(error)}") from error
    return RunAt(run, path, line, _pipeline_of(run, recorded_as))


def _pipeline_of(run: RecordedRun, recorded_as: Path) -> str:
    """The folder above the suite's folder: `runs/<pipeline>/<suite>/<user task>/<attack>/<injection>.json`."""
    folders = recorded_as.parent.parts
    if run.suite_name in folders[1:]:
        return folders[folders.index(run.suite_name, 1) - 1]
    return run.pipeline_name
