"""The guard: evaluators that score a snapshot, a guardrail that decides, an audit log that remembers."""
