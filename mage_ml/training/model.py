"""The network: an entry encoder whose vectors can be cached, and a chain head over vectors plus provenance.

A decision then costs one short encoding and one pass of a small transformer, however long the chain is.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import torch  # noqa: TID253 - this module is the network; nothing imports it unless it trains or exports
from torch import Tensor, nn  # noqa: TID253

from mage_ml.encoding import RELATION_NAMES, feature_names
from mage_ml.errors import ConfigError
from mage_ml.risk import RiskAxis
from mage_ml.training.base_model import BaseModel
from mage_ml.training.config import TrainConfig
from mage_ml.training.vocabulary import Vocabulary

TEXTS_PER_SLICE: Final = 24
MAX_SUSPICION: Final = 8.0
"""How unlikely an entry can look at the most; no entry at all looks like this."""


class EntryEncoder(nn.Module):
    """A few layers of the base model with mean pooling: token ids -> one vector per text."""

    def __init__(self, bert: nn.Module) -> None:
        super().__init__()
        self.bert = bert

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Encode texts.

        Args:
            input_ids: Shape (texts, tokens).
            attention_mask: Shape (texts, tokens), 1 for tokens and 0 for padding.

        Returns:
            Shape (texts, vector size).
        """
        states = self.bert(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        weights = attention_mask.unsqueeze(-1).to(states.dtype)
        return torch.as_tensor((states * weights).sum(1) / weights.sum(1).clamp(min=1.0))


class RelationalLayer(nn.Module):
    """A pre-norm transformer layer whose attention is biased by the relations between items."""

    def __init__(self, width: int, heads: int, relations: int, dropout: float) -> None:
        super().__init__()
        self.heads = heads
        self.norm_attention = nn.LayerNorm(width)
        self.norm_mixing = nn.LayerNorm(width)
        self.queries_keys_values = nn.Linear(width, 3 * width)
        self.output = nn.Linear(width, width)
        self.relation_bias = nn.Linear(relations, heads, bias=False)
        nn.init.zeros_(self.relation_bias.weight)
        self.mixing = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor, relations: Tensor, blocked: Tensor) -> Tensor:
        """Mix items: states (batch, items, width), relations (batch, items, items, R), blocked (batch, 1, 1, items)."""
        batch, items, width = states.shape
        mixed = self.queries_keys_values(self.norm_attention(states))
        queries, keys, values = mixed.view(batch, items, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        scores = queries @ keys.transpose(-1, -2) / (width // self.heads) ** 0.5
        scores = scores + self.relation_bias(relations).permute(0, 3, 1, 2) + blocked
        attended = (scores.softmax(-1) @ values).transpose(1, 2).reshape(batch, items, width)
        states = states + self.dropout(self.output(attended))
        mixed_states: Tensor = states + self.dropout(self.mixing(self.norm_mixing(states)))
        return mixed_states


class ChainHead(nn.Module):
    """Item vectors, features and relations -> four axis logits and one logit per item."""

    def __init__(self, vector_size: int, config: TrainConfig) -> None:
        super().__init__()
        width = config.chain_width
        self.read_vector = nn.Sequential(nn.LayerNorm(vector_size), nn.Linear(vector_size, width))
        self.feature_size = len(feature_names(config.encoding.version))
        self.read_features = nn.Sequential(nn.Linear(self.feature_size, width), nn.GELU(), nn.Linear(width, width))
        self.layers = nn.ModuleList(
            RelationalLayer(width, config.chain_heads, len(RELATION_NAMES), config.dropout)
            for _ in range(config.chain_layers)
        )
        self.norm = nn.LayerNorm(width)
        self.item = nn.Linear(width, 1)
        self.axes = nn.Sequential(
            nn.Linear(2 * width + 2, width), nn.GELU(), nn.Dropout(config.dropout), nn.Linear(width, len(RiskAxis))
        )
        self.axes_of_suspicion = nn.Linear(2, len(RiskAxis))
        names = feature_names(config.encoding.version)
        self._lineage = [names.index("is_basis_of_action"), names.index("is_ancestor_of_action")]

    def forward(self, vectors: Tensor, features: Tensor, relations: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Score snapshots.

        Args:
            vectors: Shape (batch, items, vector size).
            features: Shape (batch, items, features).
            relations: Shape (batch, items, items, relations).
            mask: Shape (batch, items), 1 for items and 0 for padding.

        Returns:
            Axis logits (batch, 4) and item logits (batch, items).
        """
        states = self.read_vector(vectors) + self.read_features(features)
        blocked = (1.0 - mask)[:, None, None, :] * -1e4
        for layer in self.layers:
            states = layer(states, relations, blocked)
        states = self.norm(states)
        item_logits = self.item(states).squeeze(-1)
        is_action = features[..., 0:1]
        action = (states * is_action).sum(1)
        hidden = (1.0 - mask.unsqueeze(-1)) * 1e4 + is_action * 1e4
        # A chain may be empty: then nothing but the action is visible and the maximum must stay finite.
        strongest = (states - hidden).amax(1).clamp(min=-50.0)
        # A contaminated entry is a risk only to an action that rests on it: both maxima are told apart.
        outside = hidden.squeeze(-1) + (1.0 - features[..., self._lineage].amax(-1)) * 1e4
        anywhere = (item_logits - hidden.squeeze(-1)).amax(1, keepdim=True).clamp(min=-MAX_SUSPICION)
        below = (item_logits - outside).amax(1, keepdim=True).clamp(min=-MAX_SUSPICION)
        suspicion = torch.cat([anywhere, below], dim=-1)
        axes = self.axes(torch.cat([action, strongest, suspicion], dim=-1)) + self.axes_of_suspicion(suspicion)
        return axes, item_logits


@dataclass(frozen=True, slots=True)
class LossWeights:
    """Weights of the loss terms."""

    positive: float
    localisation: float


class MageClassifier(nn.Module):
    """Entry encoder and chain head with their loss, in the form that `transformers.Trainer` expects."""

    def __init__(self, encoder: EntryEncoder, head: ChainHead, weights: LossWeights) -> None:
        super().__init__()
        self.encoder = encoder
        self.head = head
        self.weights = weights

    def forward(
        self,
        features: Tensor,
        relations: Tensor,
        mask: Tensor,
        axis_labels: Tensor,
        axis_known: Tensor,
        item_labels: Tensor,
        item_known: Tensor,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        item_text: Tensor | None = None,
        vectors: Tensor | None = None,
    ) -> dict[str, Tensor]:
        """Loss and logits of a batch.

        Either `vectors` (batch, items, vector size) is given, or the distinct texts of the batch (`input_ids`,
        `attention_mask`) with `item_text` (batch, items), the row of each item's text.
        """
        if vectors is None:
            assert input_ids is not None
            assert attention_mask is not None
            vectors = self._encode(input_ids, attention_mask)[item_text]
        axis_logits, item_logits = self.head(vectors, features, relations, mask)
        loss = self._axis_loss(axis_logits, axis_labels, axis_known)
        loss = loss + self.weights.localisation * self._item_loss(item_logits, item_labels, item_known)
        return {"loss": loss, "axis_logits": axis_logits, "item_logits": item_logits}

    def _encode(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Encode texts that are sorted by length, slice by slice, each no wider than its longest text."""
        slices = []
        for start in range(0, len(input_ids), TEXTS_PER_SLICE):
            mask = attention_mask[start : start + TEXTS_PER_SLICE]
            width = int(mask.sum(1).max())
            slices.append(self.encoder(input_ids[start : start + TEXTS_PER_SLICE, :width], mask[:, :width]))
        return torch.cat(slices)

    def _axis_loss(self, logits: Tensor, labels: Tensor, known: Tensor) -> Tensor:
        weight = torch.full((logits.shape[-1],), self.weights.positive, device=logits.device)
        losses = nn.functional.binary_cross_entropy_with_logits(logits, labels, pos_weight=weight, reduction="none")
        return (losses * known).sum() / known.sum().clamp(min=1.0)

    def _item_loss(self, logits: Tensor, labels: Tensor, known: Tensor) -> Tensor:
        losses = nn.functional.binary_cross_entropy_with_logits(logits, labels, reduction="none")
        each = (losses * known).sum() / known.sum().clamp(min=1.0)
        # Where a contaminated entry is visible, it must also outrank the others.
        visible = (labels * known).sum(-1) > 0
        scores = logits.masked_fill(known == 0, -1e4).log_softmax(-1)
        ranked = -(scores * labels * known).sum(-1) / (labels * known).sum(-1).clamp(min=1.0)
        return each + (ranked * visible).sum() / visible.sum().clamp(min=1)


def build_model(config: TrainConfig, base: BaseModel, vocabulary: Vocabulary) -> MageClassifier:
    """Assemble the student from the base model's weights.

    The student keeps some layers of the base model; embeddings of added characters start at the mean embedding plus
    noise from torch's generator, which the caller seeds.
    """
    from safetensors.torch import load_file
    from transformers import BertConfig, BertModel

    settings = json.loads((base.folder / "config.json").read_text(encoding="utf-8"))
    if max(config.encoder_layers) >= settings["num_hidden_layers"]:
        raise ConfigError(
            f"encoder_layers {config.encoder_layers}: the base model has {settings['num_hidden_layers']} layers, from 0"
        )
    bert = BertModel(
        BertConfig(
            vocab_size=len(vocabulary.base_rows),
            hidden_size=settings["hidden_size"],
            num_hidden_layers=len(config.encoder_layers),
            num_attention_heads=settings["num_attention_heads"],
            intermediate_size=settings["intermediate_size"],
            max_position_embeddings=settings["max_position_embeddings"],
            attention_probs_dropout_prob=0.0,
            hidden_dropout_prob=0.0,
        ),
        add_pooling_layer=False,
    )
    weights = _student_weights(load_file(base.folder / "model.safetensors"), config, vocabulary)
    absent, unknown = bert.load_state_dict(weights, strict=False)
    if unknown or any("position_ids" not in name for name in absent):
        raise ConfigError(
            f"base model {base.folder.name}: its weights do not make a BERT student ({absent}, {unknown})"
        )
    head = ChainHead(settings["hidden_size"], config)
    return MageClassifier(EntryEncoder(bert), head, LossWeights(config.positive_weight, config.localisation_weight))


def _student_weights(weights: dict[str, Tensor], config: TrainConfig, vocabulary: Vocabulary) -> dict[str, Tensor]:
    student = {name: tensor for name, tensor in weights.items() if name.startswith("embeddings.") and "ids" not in name}
    words = student["embeddings.word_embeddings.weight"]
    mean, spread = words.mean(0), words.std(0) * 0.5
    rows = [words[row] if row is not None else mean + spread * torch.randn_like(mean) for row in vocabulary.base_rows]
    student["embeddings.word_embeddings.weight"] = torch.stack(rows)
    for new, old in enumerate(config.encoder_layers):
        prefix = f"encoder.layer.{old}."
        for name, tensor in weights.items():
            if name.startswith(prefix):
                student[f"encoder.layer.{new}.{name.removeprefix(prefix)}"] = tensor
    return student


def model_parameters(model: nn.Module) -> int:
    """Number of weights."""
    return sum(parameter.numel() for parameter in model.parameters())


def save_weights(model: nn.Module, path: Path) -> None:
    """Write all weights as safetensors; no pickle anywhere."""
    from safetensors.torch import save_file

    save_file({name: tensor.contiguous() for name, tensor in model.state_dict().items()}, path)
