"""Generates clean, sham and contaminated memory chains by running agents with injected errors."""
