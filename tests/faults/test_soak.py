"""Memory, caches and threads stay flat over many runs of varied shape (complaints 10 and 44)."""

import importlib.util
from pathlib import Path

import pytest

from mage_ml.runtime.assembly import create_engine
from mage_ml.runtime.audit import AuditLog
from mage_ml.runtime.guardrail import load_policy

SCRIPT = Path(__file__).parent.parent.parent / "benchmarks" / "soak.py"


@pytest.fixture
def script():
    import sys

    spec = importlib.util.spec_from_file_location("soak_script", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


@pytest.mark.slow
def test_complaints_10_and_44_memory_stays_flat_over_many_runs(script, tmp_path):
    with AuditLog(tmp_path / "a.sqlite", durable=False) as log:
        found = script.soak(create_engine(load_policy()), log, 600, longest=150, samples=20)
        assert log.head().sequence == 600
    assert found.growth_mb < 12.0
    # Threads of tests before this one may still end; none may be added.
    assert max(sample.threads for sample in found.samples) == found.samples[0].threads


def test_a_leak_would_show(script):
    growing = tuple(script.Sample(n * 100, 100.0 + n, 1) for n in range(50))
    soak = script.Soak(growing, 1.0)
    assert soak.growth_mb > 12.0
    assert soak.slope_mb == pytest.approx(1000.0)
