"""Reads policies from YAML; every mistake is named with file, line and the nearest valid name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from pathlib import Path

from mage_ml.config import MAX_YAML_CHARS, build_config, nearest, parse_yaml
from mage_ml.errors import ConfigError
from mage_ml.runtime.guardrail.policy_matrix import PolicyMatrix, action_problems


class Preset(StrEnum):
    """Policies that ship with the package, from mildest to strictest."""

    PERMISSIVE = "permissive"
    """Reads and thoughts are only warned about; writes are repaired, and halted where safety is plainly at stake."""
    BALANCED = "balanced"
    """The default."""
    STRICT = "strict"
    """Mail and payments halt at the slightest sign of risk; expect false alarms."""

    @property
    def file_name(self) -> str:
        """Name of its file in the package."""
        return "default_policy.yaml" if self is Preset.BALANCED else f"{self.value}_policy.yaml"


@dataclass(frozen=True, slots=True)
class PolicySource:
    """A policy and where its parts stand.

    Attributes:
        policy: The policy.
        name: The file, for messages.
        lines: Path of a field -> its line, from 1.
    """

    policy: PolicyMatrix
    name: str
    lines: Mapping[tuple[str | int, ...], int]

    def line(self, *path: str | int) -> int:
        """The line of a field, or of the nearest one around it that is in the file."""
        return next((self.lines[path[:cut]] for cut in range(len(path), -1, -1) if path[:cut] in self.lines), 1)


def load_policy(source: Path | str | None = None) -> PolicyMatrix:
    """Read a policy.

    Args:
        source: A YAML file, or the name of a preset: `permissive`, `balanced`, `strict`; `None` for `balanced`. For a
            file that is called like a preset write `./strict`.

    Raises:
        ConfigError: One line per mistake, each with file, line and the nearest valid name.
    """
    return read_policy(source).policy


def read_policy(source: Path | str | None = None) -> PolicySource:
    """Read a policy together with the lines of its fields; see `load_policy`."""
    text, name = policy_text(source)
    return parse_policy_source(text, name)


def policy_text(source: Path | str | None = None) -> tuple[str, str]:
    """The YAML text of a policy, and the name of its file for messages.

    Raises:
        ConfigError: The file cannot be read.
    """
    preset = _preset(source)
    if preset is not None:
        shipped = resources.files("mage_ml.runtime.guardrail").joinpath(preset.file_name)
        return shipped.read_text(encoding="utf-8"), preset.file_name
    path = Path(str(source))
    try:
        with path.open("rb") as file:  # a bound on what is read, too: the parser refuses what is longer
            return file.read(4 * MAX_YAML_CHARS + 4).decode("utf-8"), str(source)
    except (OSError, UnicodeDecodeError) as error:
        hint = ""
        if isinstance(error, FileNotFoundError) and not path.suffix:
            hint = f"; among the presets, {nearest(str(source), [item.value for item in Preset])}"
        raise ConfigError(f"{source}: cannot be read: {error}{hint}") from error


def parse_policy(text: str, name: str) -> PolicyMatrix:
    """Read a policy from YAML text; `name` stands for the file in error messages. See `load_policy`."""
    return parse_policy_source(text, name).policy


def parse_policy_source(text: str, name: str) -> PolicySource:
    """Read a policy from YAML text, with the lines of its fields. See `load_policy`."""
    data, lines = parse_yaml(text, name)
    actions, own = data.get("actions"), data.get("own_actions") or ()
    if isinstance(actions, dict) and isinstance(own, list | tuple):
        problems = action_problems(actions, [str(item) for item in own])
        if problems:
            raise ConfigError("\n".join(f"{name}:{lines['actions', key]}: {message}" for key, message in problems))
    return PolicySource(build_config(PolicyMatrix, data, lines, name), name, lines)


def _preset(source: Path | str | None) -> Preset | None:
    if source is None:
        return Preset.BALANCED
    return next((preset for preset in Preset if isinstance(source, Path | str) and str(source) == preset.value), None)
