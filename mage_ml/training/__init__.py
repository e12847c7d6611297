"""Trains the risk classifier from labelled episodes. Needs the `train` extra."""

from mage_ml.training.config import TrainConfig

__all__ = ["TrainConfig"]
