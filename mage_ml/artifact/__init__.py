"""The sealed model folder: what it holds, how it is written, and how it is verified on load."""

from mage_ml.artifact.folder import default_artifact_path, load_artifact, seal_artifact
from mage_ml.artifact.manifest import ArtifactManifest, AxisCalibration, FileRecord, ParityReport
from mage_ml.artifact.model import ModelArtifact

__all__ = [
    "ArtifactManifest",
    "AxisCalibration",
    "FileRecord",
    "ModelArtifact",
    "ParityReport",
    "default_artifact_path",
    "load_artifact",
    "seal_artifact",
]
