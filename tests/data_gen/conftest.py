"""Shared pieces of the generator's tests."""

import pytest

from data_gen.config import GenerateConfig
from data_gen.splits import plan_splits
from data_gen.tasks import DOMAINS
from data_gen.triples import make_triple, plan_candidate
from data_gen.writers import writers_of
from mage_ml.memory.episode import Split


@pytest.fixture(scope="session")
def results():
    """One result for each operator, language and kind (two rounds over the operators and languages)."""
    config = GenerateConfig(triples=48, hard_negative_share=0.25)
    plan = plan_splits(
        DOMAINS["sales_report"].templates(), {name: writers_of(name) for name in config.languages}, config.seed
    )
    return [make_triple(config, plan, plan_candidate(config, index, Split.TRAIN)) for index in range(48)]


@pytest.fixture(scope="session")
def triples(results):
    return [result.triple for result in results if result.triple is not None]
