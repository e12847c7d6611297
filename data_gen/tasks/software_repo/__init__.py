"""Maintenance of a repository: dependencies, settings, pipelines, issues, pull requests, releases, keys, access."""

from data_gen.tasks.software_repo.domain import DOMAIN

__all__ = ["DOMAIN"]
