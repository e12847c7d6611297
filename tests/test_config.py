from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pytest
from pydantic import Field, ValidationError

from mage_ml.config import Config, build_config, dump_config, load_config, nearest, parse_yaml
from mage_ml.errors import ConfigError


class Inner(Config):
    rate: Annotated[float, Field(gt=0, description="Rate.")] = 0.5
    names: tuple[str, ...] = ()


class Outer(Config):
    seed: int = 7
    folder: Path = Path("runs")
    inner: Inner = Inner()
    many: tuple[Inner, ...] = ()
    by_name: dict[str, Inner] = Field(default_factory=dict)


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_without_a_file_the_defaults_hold() -> None:
    assert load_config(Outer) == Outer()


def test_an_override_wins_over_the_file_and_the_file_over_the_default(tmp_path: Path) -> None:
    path = write(tmp_path / "c.yaml", "seed: 1\ninner:\n  rate: 0.25\n  names: [甲, b]\n")
    config = load_config(Outer, path, ["inner.rate=0.75", "folder=out/x"])
    assert (config.seed, config.inner, config.folder) == (1, Inner(rate=0.75, names=("甲", "b")), Path("out/x"))


def test_an_override_fills_an_empty_section(tmp_path: Path) -> None:
    assert load_config(Outer, write(tmp_path / "c.yaml", "inner:\n"), ["inner.rate=2"]).inner.rate == 2.0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed: 1\nsede: 2\n", r"c\.yaml:2: unknown field 'sede'; did you mean 'seed'\?"),
        ("seed: 1\ninner:\n  rat: 2\n", r"c\.yaml:3: unknown field 'inner\.rat'; did you mean 'rate'\?"),
        ("many:\n- rate: 1\n- {rat: 1}\n", r"c\.yaml:3: unknown field 'many\.1\.rat'; did you mean 'rate'\?"),
        ("by_name:\n  x:\n    nmes: []\n", r"c\.yaml:3: unknown field .*nmes'; did you mean 'names'\?"),
        ("zzz: 1\n", r"c\.yaml:1: unknown field 'zzz'; valid names: by_name, folder, inner, many, seed"),
        ("\nseed: many\n", r"c\.yaml:2: seed: .*integer.*found 'many'"),
        ("inner:\n  rate: -1\n", r"c\.yaml:2: inner\.rate: .*greater than 0.*found -1"),
        ("seed: 1\nfolder: x\nseed: 2\n", r"c\.yaml:3: 'seed' is given twice"),
        ("inner: {rate: 1, rate: 2}\n", r"c\.yaml:1: 'rate' is given twice"),
        ("seed: [1\n", r"c\.yaml:2: not valid YAML"),
        ("- 1\n- 2\n", r"c\.yaml:1: expected a mapping of fields, found list"),
        ("just text\n", r"c\.yaml:1: expected a mapping of fields, found str"),
        ("? [a, b]\n: 1\n", r"c\.yaml:1: a key must be a name"),
        ("seed: !!python/object/apply:os.getcwd []\n", r"c\.yaml:1: not valid YAML"),
        ("inner: " + "[" * 5000 + "]" * 5000 + "\n", r"c\.yaml: nested too deeply"),
        ("seed: \x07\n", r"c\.yaml: not valid YAML"),
        ("1: 2\n", r"c\.yaml:1: .*string"),
    ],
)
def test_a_mistake_is_named_with_file_line_and_remedy(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load_config(Outer, write(tmp_path / "c.yaml", text))


def test_every_mistake_is_reported_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(Outer, write(tmp_path / "c.yaml", "seed: x\ninner:\n  rate: 0\n"))
    assert [line.split(":")[1] for line in str(caught.value).splitlines()] == ["1", "3"]


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("seed", "expected field=value"),
        ("=1", "expected field=value"),
        ("seed=[", "not valid YAML"),
        ("seed.deep=1", "'seed' is not a section"),
        ("sede=1", r"command line: unknown field 'sede'; did you mean 'seed'\?"),
        ("inner.rate=0", r"command line: inner\.rate"),
    ],
)
def test_a_wrong_override_is_named_as_such(tmp_path: Path, override: str, message: str) -> None:
    path = write(tmp_path / "c.yaml", "seed: 1\ninner:\n  rate: 1\n")
    with pytest.raises(ConfigError, match=message):
        load_config(Outer, path, [override])


def test_a_missing_or_unreadable_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.yaml: cannot be read"):
        load_config(Outer, tmp_path / "nowhere.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"folder: \xe9\n")
    with pytest.raises(ConfigError, match=r"latin\.yaml: cannot be read"):
        load_config(Outer, tmp_path / "latin.yaml")


def test_an_alias_that_holds_itself_is_no_endless_loop(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        load_config(Outer, write(tmp_path / "c.yaml", "inner: &a\n  rate: *a\n"))


def test_an_alias_is_read_and_its_mistake_found(tmp_path: Path) -> None:
    path = write(tmp_path / "c.yaml", "inner: &a {rate: 0.125}\nmany: [*a, *a]\n")
    assert load_config(Outer, path).many == (Inner(rate=0.125), Inner(rate=0.125))


def test_nested_aliases_do_not_multiply_the_work(tmp_path: Path) -> None:
    levels = "\n".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 30))
    with pytest.raises(ConfigError, match="aliases are written out"):
        load_config(Outer, write(tmp_path / "c.yaml", f"l0: &l0 [x]\n{levels}\n"))


def test_the_resolved_configuration_round_trips(tmp_path: Path) -> None:
    config = Outer(seed=3, inner=Inner(names=("华东",)), by_name={"x": Inner(rate=2)})
    assert "华东" in dump_config(config)
    assert load_config(Outer, write(tmp_path / "c.yaml", dump_config(config))) == config


def test_a_configuration_cannot_be_changed_in_place() -> None:
    with pytest.raises(ValidationError):
        Outer().seed = 1  # type: ignore[misc]


def test_parsed_data_can_be_built_under_another_name() -> None:
    data, lines = parse_yaml("seed: x", "policy")
    with pytest.raises(ConfigError, match="policy:1: seed"):
        build_config(Outer, data, lines, "policy")


@pytest.mark.parametrize(("word", "hint"), [("hlat", "did you mean 'halt'?"), ("zzz", "valid names: halt, warn")])
def test_the_nearest_name_is_offered(word: str, hint: str) -> None:
    assert nearest(word, ["warn", "halt"]) == hint
