"""Shared pieces of the generator's tests."""

import pytest

from data_gen.config import GenerateConfig
from data_gen.splits import plan_splits
from data_gen.tasks import DOMAINS
from data_gen.triples import make_triple, plan_candidate, usable_operators
from data_gen.writers import writers_of
from mage_ml.memory.episode import Split


@pytest.fixture(scope="session")
def sales_operators():
    return usable_operators(GenerateConfig().operators, ("sales_report",))


@pytest.fixture(scope="session")
def results(sales_operators):
    """Two results for each operator that the sales domain carries, one in each language."""
    config = GenerateConfig(hard_negative_share=0.2, operators=sales_operators)
    plan = plan_splits(
        DOMAINS["sales_report"].templates(), {name: writers_of(name) for name in config.languages}, config.seed
    )
    count = 2 * len(sales_operators)
    return [make_triple(config, plan, plan_candidate(config, index, Split.TRAIN)) for index in range(count)]


@pytest.fixture(scope="session")
def triples(results):
    return [result.triple for result in results if result.triple is not None]
