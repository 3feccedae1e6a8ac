"""What is in a bundle that a team hands in?

    manifest_of_bundle   its manifest, and what analysts will miss
    preflight            what analysts will miss in it

No database is needed: a team asks before it submits.  On a site few bundles are unpacked at once, and to no more than
it takes at once.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from primad.errors import FileError, FormatError
from primad.store.actors import is_site
from primad.store.turns import READING

if TYPE_CHECKING:
    from primad.replay.manifest import Manifest
    from primad.replay.preflight import Missing
    from primad.replay.unpacking import ArchiveLimits


def manifest_of_bundle(data: bytes, name: str) -> tuple[Manifest, tuple[Missing, ...]]:
    """Return the manifest in DATA, the bundle called NAME, and what analysts will miss in it."""
    from primad.replay.manifest import manifest_in
    from primad.replay.preflight import preflight_in
    from primad.replay.unpacking import unpack

    with READING.turn(), tempfile.TemporaryDirectory(prefix="primad-") as scratch:
        place = Path(scratch) / "system"
        try:
            unpack(data, place, _limits())
            return manifest_in(place), tuple(preflight_in(place))
        except FormatError as error:
            raise FormatError(f"{name}/{Path(error.path).name}", error.problems, error.total, error.hint) from None
        except FileError as error:
            raise FileError(name, error.found, error.hint) from None


def _limits() -> ArchiveLimits:
    """Return how much a bundle may hold: on a site, as many bytes as it takes at once."""
    from primad.replay.unpacking import LIMITS

    if not is_site():
        return LIMITS
    from django.conf import settings

    return replace(LIMITS, bytes=settings.PRIMAD.upload_limit)


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
