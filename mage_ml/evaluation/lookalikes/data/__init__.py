"""Data files: own sentences only, nothing copied."""
