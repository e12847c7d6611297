"""One file a format: what its records look like, and how they become memory and actions."""
