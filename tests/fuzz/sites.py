"""A small site for every input: an archive with runs, a track, people, always as it was at the beginning.

    small_site   a site that is open in this process
    Fresh        its data folder, and how its database becomes again what it was

The database is a file: where an input has changed it, a copy takes its place before the next one.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib as mpl
from django.conf import settings
from django.core.cache import caches

from primad.store import database
from primad.store.folder import find_folder
from primad.web.settings import Site, configure

if not settings.configured:  # before any model is imported
    os.environ["PRIMAD_SECRET_KEY"] = "A" * 43 + "="
    configure(Site(hosts=("testserver",)))

from tests.web.people import Everybody, fill
from tests.web.small_site import SmallSite, made

_ENDS = ("", "-wal", "-shm", "-journal")


@cache
def _template() -> tuple[TemporaryDirectory[str], Everybody]:
    """Return a folder with a small site, made once in each process, and everybody in it."""
    mpl.get_configdir(), mpl.get_cachedir()  # which are made when it is first used, by no input
    place = TemporaryDirectory(prefix="primad-fuzz-")
    made(Path(place.name))
    everybody = fill()
    database.close()
    return place, everybody


class Fresh:
    """The data folder of a small site in PLACE, with a copy of its database as it was."""

    def __init__(self, place: Path) -> None:
        template, self.everybody = _template()
        self.folder = Path(shutil.copytree(Path(template.name) / "data", place / "data"))
        self._own = self.folder / "primad.sqlite3"
        self._copy = place / "before.sqlite3"
        self.keep()

    def keep(self) -> None:
        """Let what is in the database now be what it becomes again."""
        database.close()
        shutil.copy(self._own, self._copy)
        database.use(find_folder(self.folder))
        self._known = self._stamp()

    def restore(self) -> None:
        """Let the database be what it was, if anything has changed it."""
        for one in caches.all():
            one.clear()
        if self._stamp() == self._known:
            return
        database.close()
        for end in _ENDS:
            Path(f"{self._own}{end}").unlink(missing_ok=True)
        shutil.copy(self._copy, self._own)
        database.use(find_folder(self.folder))
        self._known = self._stamp()

    def _stamp(self) -> tuple[tuple[int, int], ...]:
        """Return what tells whether the database was changed."""
        paths = [Path(f"{self._own}{end}") for end in _ENDS[:2]]
        return tuple((one.stat().st_mtime_ns, one.stat().st_size) if one.exists() else (0, 0) for one in paths)


@contextmanager
def small_site(place: Path) -> Iterator[tuple[Fresh, SmallSite]]:
    """Give a small site in PLACE, for as long as it is asked."""
    fresh = Fresh(place)
    try:
        with SmallSite.opened(fresh.folder, fresh.everybody) as site:
            yield fresh, site
    finally:
        database.close()
