"""A track on a site: the methods of primad.track.track.Track that commands use, answered by its API.

RemoteTrack   a track of a site
"""

from __future__ import annotations

from typing import Any

from primad.cli.remote.site import RemoteSite
from primad.cli.remote.tracks.concluding import Concluding
from primad.cli.remote.tracks.organising import Organising
from primad.cli.remote.tracks.replicating import Replicating
from primad.cli.remote.tracks.seeing import Seeing
from primad.errors import PairingError


class RemoteTrack(Seeing, Organising, Replicating, Concluding):
    """A track of a site."""

    @classmethod
    def opened(cls, site: RemoteSite, slug: str = "") -> RemoteTrack:
        """Return the track SLUG of SITE, or the only one that it has."""
        if slug:
            return cls(site, slug)
        from primad.cli.remote.paging import Page
        from primad.reports.track.answers import TrackRow

        found = [one.slug for one in site.get(Page[TrackRow], "tracks").items]
        if len(found) == 1:
            return cls(site, found[0])
        if found:
            raise PairingError(f"there are several tracks on {site.address}, name one with --track", found)
        raise PairingError(f"there is no track on {site.address} yet; make one with: primad track init")

    @classmethod
    def init(cls, site: RemoteSite, slug: str, title: str = "", **facts: Any) -> RemoteTrack:
        """Return the new track SLUG on SITE."""
        site.send(None, "POST", "tracks", slug=slug, title=title, **facts)
        return cls(site, slug)
