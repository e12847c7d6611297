"""How the constraints are doing: counters over time, by constraint and agent, pressure, changes; as text or page."""

from mage_ml.runtime.governor.monitor.alerts import PressureAlert, pressure_alerts
from mage_ml.runtime.governor.monitor.changes import ChangeRow, recorded_changes
from mage_ml.runtime.governor.monitor.page import render_page
from mage_ml.runtime.governor.monitor.report import (
    AgentRow,
    ConstraintRow,
    GovernorReport,
    MonitorSettings,
    PairRow,
    Point,
    Series,
    collect,
)
from mage_ml.runtime.governor.monitor.text import render_text

__all__ = [
    "AgentRow",
    "ChangeRow",
    "ConstraintRow",
    "GovernorReport",
    "MonitorSettings",
    "PairRow",
    "Point",
    "PressureAlert",
    "Series",
    "collect",
    "pressure_alerts",
    "recorded_changes",
    "render_page",
    "render_text",
]
