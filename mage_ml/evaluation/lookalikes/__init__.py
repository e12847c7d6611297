"""Harmless texts that look like attacks, and planted orders in disguise: what a guard must let pass and must not."""
