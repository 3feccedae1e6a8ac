"""What is in a bundle that a team hands in?

    manifest_of_bundle   its manifest, and the paths of its files
    preflight            what analysts will miss in it

No database is needed: a team asks before it submits.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from primad.errors import FileError

if TYPE_CHECKING:
    from primad.replay.manifest import Manifest
    from primad.replay.preflight import Missing


def manifest_of_bundle(data: bytes, name: str) -> tuple[Manifest, list[str]]:
    """Return the manifest in DATA, the bundle called NAME, and the paths of its files."""
    from primad.replay.manifest import manifest_in
    from primad.replay.unpacking import unpack

    with tempfile.TemporaryDirectory(prefix="primad-") as scratch:
        place = Path(scratch) / "system"
        try:
            unpack(data, place)
            files = sorted(path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file())
            return manifest_in(place), files
        except FileError as error:
            raise FileError(name, error.found, error.hint) from None


def preflight(bundle: str | os.PathLike[str]) -> tuple[Missing, ...]:
    """Return what analysts will miss in BUNDLE, a folder or one file."""
    from primad.replay.manifest import manifest_in
    from primad.replay.preflight import preflight as look

    place = Path(bundle)
    if place.is_dir():
        files = sorted(path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file())
        return tuple(look(manifest_in(place), files))
    try:
        data = place.read_bytes()
    except OSError as error:
        raise FileError(str(place), f"cannot be read ({error.strerror})") from None
    manifest, names = manifest_of_bundle(data, place.name)
    return tuple(look(manifest, names))
