"""Templates to copy: a domain and an operator, each in one file."""
