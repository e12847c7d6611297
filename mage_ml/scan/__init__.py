"""Finds the risky steps in runs that were recorded elsewhere."""

from mage_ml.scan.results import Culprit, Location, OutcomeCount, RiskyStep, ScanReport, TraceResult
from mage_ml.scan.run import ScanSettings, Tiers, scan
from mage_ml.scan.trace import TraceFormat

__all__ = [
    "Culprit",
    "Location",
    "OutcomeCount",
    "RiskyStep",
    "ScanReport",
    "ScanSettings",
    "Tiers",
    "TraceFormat",
    "TraceResult",
    "scan",
]
