"""Turns a trained model into a sealed ONNX artifact. Needs the `train` extra."""

from mage_ml.export.config import ExportConfig

__all__ = ["ExportConfig"]
