"""Writes and verifies the artifact folder."""

from __future__ import annotations

import hashlib
import json
from importlib import resources
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from mage_ml.artifact.manifest import FORMAT_VERSION, ArtifactManifest, FileRecord
from mage_ml.artifact.model import ModelArtifact
from mage_ml.encoding import RELATION_NAMES, feature_names
from mage_ml.errors import ArtifactError

MANIFEST: Final = "manifest.json"
REQUIRED: Final = ("encoder.onnx", "chain.onnx", "tokenizer.json")


def default_artifact_path() -> Path:
    """The folder of the model that ships inside the package.

    Raises:
        ArtifactError: This build carries none.
    """
    path = Path(str(resources.files("mage_ml.artifact"))) / "default"
    if not (path / MANIFEST).is_file():
        raise ArtifactError(
            "this build of mage-ml carries no default model; train one with `mage-ml train` and pass its folder"
        )
    return path


def seal_artifact(folder: Path, manifest: ArtifactManifest) -> ArtifactManifest:
    """Hash every file of a folder and write its manifest.

    Returns:
        The manifest as written, with the file records filled in.
    """
    files = {
        path.name: FileRecord(sha256=_sha256(path), size_bytes=path.stat().st_size)
        for path in sorted(folder.iterdir())
        if path.name != MANIFEST and path.is_file()
    }
    missing = [name for name in REQUIRED if name not in files]
    if missing:
        raise ArtifactError(f"{folder.name}: cannot be sealed, {', '.join(missing)} missing")
    sealed = manifest.model_copy(update={"files": files})
    text = json.dumps(sealed.model_dump(mode="json"), indent=2, ensure_ascii=False, sort_keys=True)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")
    return sealed


def load_artifact(folder: Path) -> ModelArtifact:
    """Open an artifact after checking version, hashes, features and relations.

    Raises:
        ArtifactError: The folder is incomplete, damaged, from a newer release, or made for other features.
    """
    manifest = read_manifest(folder)
    for name, record in manifest.files.items():
        path = folder / name
        if not path.is_file():
            if name in REQUIRED:
                raise ArtifactError(f"{folder.name}: {name} is missing; copy the whole folder again")
            continue  # the wheel leaves out what only a developer needs, such as the fp32 encoder
        found = _sha256(path)
        if found != record.sha256:
            raise ArtifactError(
                f"{folder.name}/{name}: damaged or changed (SHA-256 {found[:12]}, expected {record.sha256[:12]}); "
                "export it again or copy it again"
            )
    unlisted = [name for name in REQUIRED if name not in manifest.files]
    if unlisted:
        raise ArtifactError(f"{folder.name}: the manifest does not list {', '.join(unlisted)}; export the model again")
    return ModelArtifact(folder, manifest)


def read_manifest(folder: Path) -> ArtifactManifest:
    """Read and check a manifest without touching the other files.

    Raises:
        ArtifactError: No manifest, an invalid one, a newer format, or other features than this release computes.
    """
    try:
        data = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ArtifactError(f"{folder}: no {MANIFEST}; expected the folder of an exported model") from error
    except ValueError as error:
        raise ArtifactError(f"{folder.name}/{MANIFEST}: not valid JSON: {error}") from error
    version = data.get("format_version") if isinstance(data, dict) else None
    if not isinstance(version, int) or version > FORMAT_VERSION:
        raise ArtifactError(
            f"{folder.name}: format version {version!r}; this release reads up to {FORMAT_VERSION}. Upgrade mage-ml"
        )
    try:
        manifest = ArtifactManifest.model_validate(data)
    except ValidationError as error:
        raise ArtifactError(f"{folder.name}/{MANIFEST}: {error.error_count()} invalid fields: {error}") from error
    for what, found, expected in (
        ("features", manifest.feature_names, feature_names(manifest.encoding.version)),
        ("relations", manifest.relation_names, RELATION_NAMES),
    ):
        if found != expected:
            changed = sorted(set(found) ^ set(expected)) or ["their order"]
            raise ArtifactError(
                f"{folder.name}: made for other {what} than this release computes ({', '.join(changed)}); "
                "export the model again with this release"
            )
    return manifest


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
