"""What is in a bundle that a team hands in?

    manifest_of_bundle   its manifest, and what analysts will miss
    preflight            what analysts will miss in it

No database is needed: a team asks before it submits.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from primad.errors import FileError, FormatError

if TYPE_CHECKING:
    from primad.replay.manifest import Manifest
    from primad.replay.preflight import Missing


def manifest_of_bundle(data: bytes, name: str) -> tuple[Manifest, tuple[Missing, ...]]:
    """Return the manifest in DATA, the bundle called NAME, and what analysts will miss in it."""
    from primad.replay.manifest import manifest_in
    from primad.replay.preflight import preflight_in
    from primad.replay.unpacking import unpack

    with tempfile.TemporaryDirectory(prefix="primad-") as scratch:
        place = Path(scratch) / "system"
        try:
            unpack(data, place)
            return manifest_in(place), tuple(preflight_in(place))
        except FormatError as error:
            raise FormatError(f"{name}/{Path(error.path).name}", error.problems, error.total, error.hint) from None
        except FileError as error:
            raise FileError(name, error.found, error.hint) from None


def preflight(bundle: str | os.PathLike[str]) -> tuple[Missing, ...]:
    """Return what analysts will miss in BUNDLE, a folder or one file."""
    from primad.replay.preflight import preflight_in

    place = Path(bundle)
    if place.is_dir():
        return tuple(preflight_in(place))
    try:
        data = place.read_bytes()
    except OSError as error:
        raise FileError(str(place), f"cannot be read ({error.strerror})") from None
    return manifest_of_bundle(data, place.name)[1]
