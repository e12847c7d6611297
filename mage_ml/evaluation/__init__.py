"""Evaluation: importers of recorded runs, metrics, guarded replay, baselines, report."""
