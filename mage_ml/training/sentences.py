"""Sentence vectors of the base model as it comes, without any training of ours."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mage_ml.errors import ConfigError
from mage_ml.extras import require
from mage_ml.progress import Progress, silent
from mage_ml.training.base_model import find_base_model

_MAX_TOKENS: Final = 128
_BATCH: Final = 64


def sentence_vectors(
    texts: Sequence[str], base_model: Path | None = None, progress: Progress = silent
) -> NDArray[np.float32]:
    """Mean of the last hidden states over a text's first 128 tokens, at length 1 (as sentence-transformers does).

    Args:
        texts: What to encode.
        base_model: Folder of a BERT-style model, or `None` for the packaged one.
        progress: Told after each batch of 64 texts.

    Returns:
        One row for each text: float32, (texts, width).

    Raises:
        ConfigError: The model is not there; see `find_base_model`.
        MissingExtraError: Without the `train` extra.
    """
    torch = require("torch", extra="train", purpose="encode with the base model")
    transformers = require("transformers", extra="train", purpose="encode with the base model")
    safetensors = require("safetensors.torch", extra="train", purpose="encode with the base model")
    tokenizers = require("tokenizers", extra="train", purpose="encode with the base model")
    folder = find_base_model(base_model).folder
    tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(_MAX_TOKENS)
    tokenizer.enable_padding()
    model = transformers.AutoModel.from_config(transformers.AutoConfig.from_pretrained(folder)).eval()
    # Not from_pretrained: it draws a progress bar of its own.
    missing, _ = model.load_state_dict(safetensors.load_file(folder / "model.safetensors"), strict=False)
    if missing:
        raise ConfigError(f"base model {folder}: weights missing for {', '.join(missing[:3])}")
    order = sorted(range(len(texts)), key=lambda place: len(texts[place]))  # alike lengths pad little
    vectors = np.zeros((len(texts), model.config.hidden_size), dtype=np.float32)
    for start in range(0, len(order), _BATCH):
        places = order[start : start + _BATCH]
        encoded = tokenizer.encode_batch([texts[place] for place in places])
        mask = torch.tensor([item.attention_mask for item in encoded])
        with torch.inference_mode():
            states = model(torch.tensor([item.ids for item in encoded]), attention_mask=mask).last_hidden_state
        weights = mask.unsqueeze(-1).float()
        means = (states * weights).sum(1) / weights.sum(1).clamp(min=1)
        vectors[places] = torch.nn.functional.normalize(means, dim=-1).numpy()
        progress("encode", min(start + _BATCH, len(order)), len(order))
    return vectors
