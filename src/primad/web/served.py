"""What does this process serve?

site      what is set of it
folder    the data folder
archive   the archive in it
track     a track in it
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings

from primad.archive.archive import Archive
from primad.store.folder import DataFolder, find_folder
from primad.track.track import Track

if TYPE_CHECKING:
    from primad.web.settings import Site


def site() -> Site:
    """Return what is set of the site."""
    here: Site = settings.PRIMAD
    return here


def folder() -> DataFolder:
    """Return the data folder that is served."""
    return find_folder(site().folder)


def archive() -> Archive:
    """Return the archive that is served."""
    return Archive(folder())


def track(slug: str) -> Track:
    """Return the track SLUG."""
    return Track(folder(), slug)
