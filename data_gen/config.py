"""Settings of the generator."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, model_validator

from data_gen.operators import OPERATORS, find_operator
from data_gen.tasks import find_domain
from mage_ml.config import Config, nearest
from mage_ml.errors import ConfigError

LANGUAGES = ("en", "zh")


def _find_language(name: str) -> str:
    if name not in LANGUAGES:
        raise ConfigError(f"unknown name {name!r}; {nearest(name, LANGUAGES)}")
    return name


class EngineName(StrEnum):
    """Where triples are made."""

    LOCAL = "local"
    RAY = "ray"


class GenerateConfig(Config):
    """Settings of the generator. The same settings give the same bytes with any engine and number of workers."""

    triples: Annotated[int, Field(ge=6, le=1_000_000, description="How many triples to make, 6 to 1,000,000.")] = 400
    seed: Annotated[int, Field(ge=0, le=2**31, description="Seed of everything that is drawn.")] = 0
    domains: Annotated[
        tuple[str, ...], Field(min_length=1, description="Task domains: names, or files of your own.")
    ] = ("sales_report",)
    languages: Annotated[tuple[str, ...], Field(min_length=1, description="Languages: en, zh.")] = LANGUAGES
    operators: Annotated[
        tuple[str, ...], Field(min_length=1, description="Operators: names, two joined by +, or files of your own.")
    ] = tuple(OPERATORS)
    exclude_operators: Annotated[
        tuple[str, ...], Field(description="Operators to leave out, for leave-one-operator-out training.")
    ] = ()
    seeds_per_proof: Annotated[int, Field(ge=1, le=50, description="Seeds of each causal proof, 1 to 50.")] = 5
    needed_share: Annotated[
        float, Field(gt=0.5, le=1.0, description="Share of seeds that has to go wrong, and be restored; above 0.5.")
    ] = 0.8
    hard_negative_share: Annotated[
        float, Field(ge=0.0, le=0.8, description="Share of triples whose contamination has no effect; 0 to 0.8.")
    ] = 0.2
    validation_share: Annotated[float, Field(gt=0.0, lt=0.5, description="Share of triples for validation.")] = 0.15
    test_share: Annotated[float, Field(gt=0.0, lt=0.5, description="Share of triples for testing.")] = 0.2
    max_probe_auroc: Annotated[
        float, Field(ge=0.5, le=1.0, description="The build fails when a probe is surely above this; 0.5 to 1.")
    ] = 0.55
    probe_confidence: Annotated[
        float,
        Field(gt=0.5, lt=1.0, description="A probe above the limit fails if it is above chance at this confidence."),
    ] = 0.99
    duplicate_similarity: Annotated[
        float, Field(ge=0.1, le=1.0, description="Triples this similar (Jaccard) may not lie in different splits.")
    ] = 0.8
    probe_pairs: Annotated[
        int, Field(ge=10, le=100_000, description="Triples the probes look at; more are sampled. 10 to 100,000.")
    ] = 6_000
    encoder_pairs: Annotated[
        int,
        Field(
            ge=0, le=100_000, description="Triples the base encoder looks at as well, 0 to 100,000; 0 switches it off."
        ),
    ] = 0
    shard_triples: Annotated[
        int, Field(ge=1, le=1_000_000, description="Triples in one Parquet file; a larger split is cut into shards.")
    ] = 20_000
    workers: Annotated[int, Field(ge=1, le=256, description="Worker processes, 1 to 256.")] = 1
    engine: Annotated[EngineName, Field(description="Where triples are made: local, or ray for a Ray cluster.")] = (
        EngineName.LOCAL
    )
    ray_address: Annotated[
        str | None, Field(description="Address of a running Ray cluster; without it one is started on this machine.")
    ] = None

    @model_validator(mode="after")
    def _names_exist(self) -> Self:
        for field, names, find in (
            ("domains", self.domains, find_domain),
            ("languages", self.languages, _find_language),
            ("operators", self.operators, find_operator),
            ("exclude_operators", self.exclude_operators, find_operator),
        ):
            for name in names:
                try:
                    find(name)
                except ConfigError as error:
                    raise ValueError(f"{field}: {error}") from error
            if len(set(names)) != len(names):
                raise ValueError(f"{field}: a name is given twice: {', '.join(names)}")
        if not self.used_operators:
            raise ValueError("exclude_operators leaves no operator; take one of them off")
        return self

    @property
    def used_operators(self) -> tuple[str, ...]:
        """The operators that remain."""
        return tuple(name for name in self.operators if name not in self.exclude_operators)

    @property
    def seeds_needed(self) -> int:
        """In how many seeds of a proof the contaminated run has to be wrong."""
        return max(1, -int(-self.needed_share * self.seeds_per_proof // 1))
