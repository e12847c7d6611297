"""Checks whether outputs keep constraints."""
