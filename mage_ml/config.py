"""Configuration files become frozen types; every mistake is named with file, line and the nearest valid name."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar, get_args

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from mage_ml.errors import ConfigError


class Config(BaseModel):
    """Base of every configuration: frozen, unknown keys refused, defaults checked too."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)


ConfigT = TypeVar("ConfigT", bound=BaseModel)
_Lines = dict[tuple[str | int, ...], int]
_FROM_OVERRIDE = 0
MAX_YAML_CHARS: Final = 1_000_000
_MAX_NODES: Final = 100_000


def load_config(
    model: type[ConfigT],
    path: Path | None = None,
    overrides: Sequence[str] = (),
    given: Mapping[str, object] | None = None,
) -> ConfigT:
    """Read a YAML file into a config type.

    Args:
        model: The config type.
        path: The YAML file; `None` for the defaults alone.
        overrides: `field=value` or `section.field=value`; the value is read as YAML and wins over the file.
        given: Values by field, taken as they are (a path is no YAML); `None` values are left out. They win over the
            file, and `overrides` over them.

    Raises:
        ConfigError: The file cannot be read, or does not describe a valid configuration.
    """
    data: dict[str, Any] = {}
    lines: _Lines = {}
    name = "command line"
    if path is not None:
        name = str(path)
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigError(f"{path}: cannot be read: {error}") from error
        data, lines = parse_yaml(text, name)
    for field, value in (given or {}).items():
        if value is not None:
            data[field] = str(value) if isinstance(value, Path) else value
            lines[(field,)] = _FROM_OVERRIDE
    for override in overrides:
        lines[_apply_override(data, override)] = _FROM_OVERRIDE
    return build_config(model, data, lines, name)


def parse_yaml(text: str, name: str) -> tuple[dict[str, Any], _Lines]:
    """Parse a YAML mapping and remember the line of every key.

    Raises:
        ConfigError: Not YAML, not a mapping, a key given twice, too long, or aliases that stand for too much.
    """
    if len(text) > MAX_YAML_CHARS:
        line = text.count("\n", 0, MAX_YAML_CHARS) + 1
        raise ConfigError(f"{name}:{line}: longer than {MAX_YAML_CHARS:,} characters; a configuration is a short file")
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        lines: _Lines = {}
        if node is not None:
            _count_nodes(node, {}, name)
            _collect_lines(node, (), lines, name, set())
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{name}:{mark.line + 1}" if mark is not None else name
        raise ConfigError(f"{place}: not valid YAML: {getattr(error, 'problem', None) or error}") from error
    except RecursionError as error:
        raise ConfigError(f"{name}: nested too deeply to be read") from error
    if data is None:
        data = {}
    if not isinstance(data, dict):
        raise ConfigError(f"{name}:1: expected a mapping of fields, found {type(data).__name__}")
    return data, lines


def build_config(model: type[ConfigT], data: Mapping[str, Any], lines: _Lines, name: str) -> ConfigT:
    """Validate parsed data into a config type; see `load_config`.

    Raises:
        ConfigError: With one line per mistake.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        problems = [_explain(item, model, lines, name) for item in error.errors(include_url=False)]
        raise ConfigError("\n".join(problems)) from error


def nearest(word: str, valid: Sequence[str]) -> str:
    """A hint naming the closest valid word, or all of them when none is close."""
    close = difflib.get_close_matches(word, valid, n=1, cutoff=0.6)
    return f"did you mean {close[0]!r}?" if close else f"valid names: {', '.join(sorted(valid))}"


def dump_config(config: BaseModel) -> str:
    """The resolved configuration as YAML, to be written beside every output."""
    return yaml.safe_dump(config.model_dump(mode="json"), sort_keys=False, allow_unicode=True)


def _count_nodes(node: yaml.Node, sizes: dict[yaml.Node, int], name: str) -> int:
    """How many values a node stands for when its aliases are written out; refused where that is too many."""
    if node in sizes:
        return sizes[node]
    sizes[node] = 1  # an alias inside its own anchor is met again here; it is not written out
    children = node.value if isinstance(node, yaml.SequenceNode | yaml.MappingNode) else ()
    flat = [part for child in children for part in (child if isinstance(child, tuple) else (child,))]
    total = 1 + sum(_count_nodes(child, sizes, name) for child in flat)
    if total > _MAX_NODES:
        line = node.start_mark.line + 1
        raise ConfigError(f"{name}:{line}: stands for more than {_MAX_NODES:,} values when its aliases are written out")
    sizes[node] = total
    return total


def _collect_lines(
    node: yaml.Node, path: tuple[str | int, ...], lines: _Lines, name: str, visited: set[yaml.Node]
) -> None:
    lines[path] = node.start_mark.line + 1
    if node in visited:
        return  # an alias: what it stands for has been read, and may stand for itself
    visited.add(node)
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise ConfigError(f"{name}:{key.start_mark.line + 1}: a key must be a name, found a list or a mapping")
            if key.value in seen:
                raise ConfigError(f"{name}:{key.start_mark.line + 1}: {key.value!r} is given twice")
            seen.add(key.value)
            _collect_lines(value, (*path, key.value), lines, name, visited)
            lines[(*path, key.value)] = key.start_mark.line + 1
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            _collect_lines(value, (*path, index), lines, name, visited)


def _apply_override(data: dict[str, Any], override: str) -> tuple[str, ...]:
    field, separator, raw = override.partition("=")
    if not separator or not field:
        raise ConfigError(f"override {override!r}: expected field=value, for example seed=7")
    try:
        value = yaml.safe_load(raw)
    except yaml.YAMLError as error:
        raise ConfigError(f"override {override!r}: the value is not valid YAML") from error
    *sections, last = field.split(".")
    target = data
    for section in sections:
        if target.get(section) is None:
            target[section] = {}
        target = target[section]
        if not isinstance(target, dict):
            raise ConfigError(f"override {override!r}: {section!r} is not a section")
    target[last] = value
    return (*sections, last)


def _explain(item: Any, model: type[BaseModel], lines: _Lines, name: str) -> str:  # noqa: ANN401 - pydantic's dict
    path = tuple(item["loc"])
    line = next((lines[path[:cut]] for cut in range(len(path), -1, -1) if path[:cut] in lines), None)
    place = "command line" if line == _FROM_OVERRIDE else f"{name}:{line}" if line is not None else name
    dotted = ".".join(str(part) for part in path) or "configuration"
    if item["type"] == "extra_forbidden":
        owner = _model_at(model, path[:-1])
        hint = nearest(str(path[-1]), list(owner.model_fields)) if owner is not None else ""
        return f"{place}: unknown field {dotted!r}; {hint}"
    message = str(item["msg"]).removeprefix("Value error, ")
    if item["type"] == "missing":
        return f"{place}: {dotted}: required, but not given"
    return f"{place}: {dotted}: {message} (found {ascii(item['input'])[:80]})"


def _model_at(model: type[BaseModel], path: tuple[str | int, ...]) -> type[BaseModel] | None:
    """The model that owns a path, looking through containers and unions."""
    current: type[BaseModel] | None = model
    for part in path:
        if current is None:
            return None
        field = current.model_fields.get(str(part))
        if field is None:
            continue  # an index or a mapping key: still the same element type
        current = _first_model(field.annotation)
    return current


def _first_model(annotation: Any) -> type[BaseModel] | None:  # noqa: ANN401 - any annotation
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for arg in get_args(annotation) if (found := _first_model(arg)) is not None), None)
