"""Agents that nobody scripted: language models over any OpenAI-compatible endpoint, and recorded real runs."""
