"""What `mage-ml doctor` says of extras is what the project declares."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
import re2

from mage_ml.cli.doctor import _EXTRAS

DECLARED = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "optional-dependencies"
]


def plain(name: str) -> str:
    found = re2.match(r"[A-Za-z0-9._-]+", name)
    assert found is not None
    return str(found.group(0)).lower()


@pytest.mark.parametrize("extra", _EXTRAS)
def test_each_package_is_declared_for_its_extra(extra: str) -> None:
    assert {plain(name) for name in _EXTRAS[extra]} <= {plain(name) for name in DECLARED[extra]}
