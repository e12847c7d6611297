"""Blocks made on a Ray cluster: the same bytes as anywhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final

from data_gen.blocks import build_key, make_block
from data_gen.config import GenerateConfig
from data_gen.engines import MadeBlock
from mage_ml.errors import ConfigError, MageError
from mage_ml.extras import require

_AHEAD: Final = 2


class RayEngine:
    """Makes blocks as Ray tasks of one CPU each.

    Without `ray_address` a cluster of `workers` CPUs is started on this machine and stopped afterwards. With it, or
    when the host has called `ray.init` itself, that cluster is used and left running; its nodes need the same release
    of `mage-ml` installed, which is checked before the first block.
    """

    def run(self, config: GenerateConfig, numbers: Iterable[int]) -> Iterator[MadeBlock]:
        """Make blocks on the cluster; only the blocks travel, so nodes need no common disk.

        Raises:
            MissingExtraError: Ray is not installed.
            MageError: The cluster cannot be reached, or runs other code.
        """
        ray = require("ray", extra="ray", purpose="generate on a cluster")
        started = _connect(ray, config)
        try:
            _check_code(ray, config)
            yield from _run(ray, config, iter(numbers))
        finally:
            if started:
                ray.shutdown()


def _connect(ray: Any, config: GenerateConfig) -> bool:  # noqa: ANN401 - the module
    """Connect; whether it has to be undone afterwards."""
    if ray.is_initialized():
        return False
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if config.ray_address is None:
        options |= {"num_cpus": config.workers, "include_dashboard": False}
    else:
        options |= {"address": config.ray_address}
    try:
        ray.init(**options)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise ConfigError(
            f"ray_address: the cluster at {config.ray_address or 'this machine'} cannot be used: {error}"
        ) from error
    return True


def _check_code(ray: Any, config: GenerateConfig) -> None:  # noqa: ANN401 - the module
    here = build_key(config)
    there = ray.get(ray.remote(build_key).remote(config))
    if here != there:
        raise MageError(
            f"the cluster runs other generator code ({there}) than this machine ({here}); install the same release of "
            "mage-ml on its nodes"
        )


def _run(ray: Any, config: GenerateConfig, waiting: Iterator[int]) -> Iterator[MadeBlock]:  # noqa: ANN401
    task, settings = ray.remote(num_cpus=1)(make_block), ray.put(config)
    width = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
    running = {task.remote(settings, number): number for number in islice(waiting, width)}
    while running:
        finished, _ = ray.wait(list(running), num_returns=1)
        for reference in finished:
            number = running.pop(reference)
            for following in islice(waiting, 1):
                running[task.remote(settings, following)] = following
            yield MadeBlock(number, ray.get(reference))
