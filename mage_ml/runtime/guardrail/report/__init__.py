"""A decision as a page that a person can read."""

from mage_ml.runtime.guardrail.report.page import render_html

__all__ = ["render_html"]
