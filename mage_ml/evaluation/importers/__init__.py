"""Readers of published corpora: each turns recorded runs into labelled episodes."""
