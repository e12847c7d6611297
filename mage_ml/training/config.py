"""Settings of a training run."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final, Self

from pydantic import Field, model_validator

from mage_ml.config import Config
from mage_ml.encoding import EncodingSettings

LEAVE_OUT_FIELDS: Final = ("corpus", "domain", "template", "writer", "operator", "operator_family", "language")
"""Fields of an episode by which it can be left out of training."""


class Device(StrEnum):
    """Where to train."""

    AUTO = "auto"
    CPU = "cpu"
    CUDA = "cuda"


class TrainConfig(Config):
    """One training run: data, size of the student, schedule, calibration target."""

    data: Annotated[Path, Field(description="Folder written by `mage-ml generate`.")] = Path("runs/data")
    corpora: Annotated[
        tuple[Path, ...],
        Field(description="Folders written by `mage-ml data import --for-training`, to learn from as well."),
    ] = ()
    corpus_parts: Annotated[
        int, Field(ge=1, description="Groups drawn from each corpus; published groups are cut into small ones first.")
    ] = 150
    part_size: Annotated[int, Field(ge=1, description="Episodes in a group drawn from a corpus.")] = 4
    leave_out: Annotated[
        tuple[str, ...],
        Field(description="Episodes that training must not see, by a field: 'domain=shopping', 'operator=value_flip'."),
    ] = ()
    out: Annotated[Path, Field(description="Folder for the model; an interrupted run there is resumed.")] = Path(
        "runs/model"
    )
    base_model: Annotated[
        Path | None,
        Field(description="Folder with the pretrained BERT-style model; by default the one a package carries."),
    ] = None
    name: Annotated[str, Field(min_length=1, description="Name of the model, for the manifest.")] = "mage-tiny"
    seed: Annotated[int, Field(ge=0, description="Seed of weights, order and dropout.")] = 13
    encoder_layers: Annotated[
        tuple[int, ...], Field(min_length=1, description="Layers of the base model that the student keeps, from 0.")
    ] = (0, 2, 5)
    vocabulary: Annotated[
        int, Field(ge=2000, le=30000, description="Words kept from the base vocabulary, the most frequent first.")
    ] = 14000
    chain_width: Annotated[int, Field(ge=16, le=1024, description="Width of the chain head.")] = 128
    chain_layers: Annotated[int, Field(ge=1, le=12, description="Layers of the chain head.")] = 2
    chain_heads: Annotated[int, Field(ge=1, le=16, description="Attention heads of the chain head.")] = 4
    dropout: Annotated[float, Field(ge=0.0, lt=1.0, description="Dropout in the chain head.")] = 0.1
    finetune_epochs: Annotated[
        float, Field(ge=0.0, description="Epochs in which the entry encoder learns too; the slow part.")
    ] = 1.0
    head_epochs: Annotated[float, Field(ge=0.0, description="Epochs of the head over cached vectors; fast.")] = 4.0
    groups_per_batch: Annotated[int, Field(ge=1, description="Triples in a batch; their arms share texts.")] = 2
    head_groups_per_batch: Annotated[int, Field(ge=1, description="Triples in a batch over cached vectors.")] = 8
    moments_per_episode: Annotated[int, Field(ge=1, description="Pending actions used of one episode.")] = 4
    encoder_learning_rate: Annotated[float, Field(gt=0.0, description="Peak rate of the entry encoder.")] = 5e-5
    head_learning_rate: Annotated[float, Field(gt=0.0, description="Peak rate of the chain head.")] = 1e-3
    weight_decay: Annotated[float, Field(ge=0.0, description="Weight decay.")] = 0.01
    positive_weight: Annotated[float, Field(gt=0.0, description="Weight of a risky label against a safe one.")] = 3.0
    localisation_weight: Annotated[float, Field(ge=0.0, description="Weight of the entry losses.")] = 1.0
    max_groups: Annotated[
        int | None, Field(ge=2, description="Use at most this many generated triples; all by default.")
    ] = None
    max_validation_groups: Annotated[
        int | None,
        Field(ge=2, description="Validate on at most this many generated triples, each at every step; all by default."),
    ] = None
    target_false_alarms: Annotated[
        float, Field(gt=0.0, lt=1.0, description="Wanted share of benign episodes with a false alarm.")
    ] = 0.01
    ablations: Annotated[
        bool, Field(description="Also train the chain head without memory and without provenance, for the benchmark.")
    ] = True
    device: Annotated[Device, Field(description="`auto`, `cpu` or `cuda`.")] = Device.AUTO
    encoding: Annotated[EncodingSettings, Field(description="How snapshots become numbers.")] = EncodingSettings()

    @model_validator(mode="after")
    def _left_out_by_a_known_field(self) -> Self:
        for text in self.leave_out:
            name, equals, value = text.partition("=")
            if name not in LEAVE_OUT_FIELDS or not equals or not value:
                raise ValueError(
                    f"leave_out {text!r}: expected field=value with a field of {', '.join(LEAVE_OUT_FIELDS)}"
                )
        return self

    @model_validator(mode="after")
    def _heads_divide_the_width(self) -> Self:
        if self.chain_width % self.chain_heads:
            raise ValueError(f"chain_width {self.chain_width} is not a multiple of chain_heads {self.chain_heads}")
        if min(self.encoder_layers) < 0 or len(set(self.encoder_layers)) < len(self.encoder_layers):
            raise ValueError(f"encoder_layers {self.encoder_layers}: expected different layers, counted from 0")
        return self
