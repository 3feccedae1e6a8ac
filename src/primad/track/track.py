"""A track as a person uses it: a folder in which systems are submitted, run again and judged.

    Track   the track, with a method for each thing that can be done; each speaks to services and queries

The folder is that of an archive, so that one site serves both.  Names of tasks, teams, analysts and submissions are the
slugs that people type; TEAM/NAME is the address of a submission, attempts have numbers.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from primad.store import database
from primad.track.facade.concluding import Concluding
from primad.track.facade.elsewhere import Elsewhere
from primad.track.facade.opened import data_folder, tracks_in
from primad.track.facade.organising import Organising
from primad.track.facade.replicating import Replicating
from primad.track.facade.seeing import Seeing

if TYPE_CHECKING:
    from primad.exchange.thing import Thing


class Track(Seeing, Organising, Replicating, Elsewhere, Concluding):
    """A replication track in a data folder.

    ``Track.init(folder, "my-track")`` makes one, ``Track(folder)`` opens the only one there, or the one that is named.
    """

    tracks = staticmethod(tracks_in)

    @classmethod
    def init(
        cls, folder: str | os.PathLike[str], slug: str, title: str = "", *, database_url: str = "", **facts: Any
    ) -> Track:
        """Return the new track SLUG in FOLDER, which becomes a data folder if it is none."""
        database.configure()
        from primad.track.naming import slug_of
        from primad.track.services import setting_up

        slug_of(slug, "a track")  # before anything is made
        with data_folder(folder, database_url) as made, database.explained(made):
            setting_up.make_track(slug, title, **facts)
        return cls(made, slug)

    def export(self, folder: str | os.PathLike[str], *, private: bool = False) -> tuple[str, ...]:
        """Write the whole track to FOLDER as YAML and files, and return what was left out; PRIVATE has gold, too."""
        from primad.track.folders.exporting import export_track

        with self.speaking() as track:
            return export_track(self.folder, track, Path(folder), private=private)

    def handed_over(self, number: int) -> Thing:
        """Return the attempt NUMBER as a thing that can be written in formats of others."""
        from primad.track.handing_over import handed_over

        with self.speaking():
            return handed_over(self, self.attempt(number), self.attempt_facts(number))

    @classmethod
    def import_folder(
        cls,
        source: str | os.PathLike[str],
        folder: str | os.PathLike[str],
        *,
        database_url: str = "",
        trust: bool = False,
    ) -> Track:
        """Return the track that the folder SOURCE describes, new in the data folder FOLDER.

        A track that scores by a command of its own takes TRUST.
        """
        database.configure()
        from primad.track.folders.importing import import_track

        with data_folder(folder, database_url) as made, database.explained(made):
            row = import_track(made, Path(source), trust=trust)
        return cls(made, row.slug)
