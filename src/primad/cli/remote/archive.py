"""An archive on a site: the methods of primad.archive.archive.Archive that commands use, answered by its API.

RemoteArchive   the archive of a site
RemoteRun       a run there, by its address

What takes long there is a job, which is waited for.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from primad.cli.remote.site import RemoteSite
from primad.cli.remote.waiting import following
from primad.errors import UsageError
from primad.reports.archive.answers import (
    Baselines,
    CollectionFacts,
    Evaluated,
    Found,
    Hit,
    OverviewRow,
    Progress,
    Reproductions,
    Shown,
    Standing,
    Unscored,
)
from primad.reports.archive.runs import run_name

if TYPE_CHECKING:
    from primad.archive.arriving import Refused
    from primad.cli.remote.sending import Kept
    from primad.compute import Place

MEASURE = "map"
_MOST_HITS = 1000  # that a site tells at once
_MOST_ITEMS = 200
_MOST_RANKED = 1000
_MOST_ADDRESSES = 100  # that a query names


@dataclass(frozen=True)
class RemoteRun:
    """A run on a site."""

    address: str
    tag: str
    is_removed: bool = False

    def __str__(self) -> str:
        """Return how a message calls the run."""
        return run_name(self)


@dataclass(frozen=True)
class RemoteArchive:
    """The archive of a SITE."""

    site: RemoteSite

    # Putting in ------------------------------------------------------------------------------------------------

    def add(
        self,
        files: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
        *,
        collection: str = "",
        replaces: str = "",
        without_metadata: bool = False,
        jobs: int | None = None,
    ) -> Iterator[Kept | Refused]:
        """Send the runs in FILES to the site, and yield what became of each there."""
        from primad.archive.incoming import run_files
        from primad.cli.remote.sending import sent

        del jobs  # files are sent one after the other
        paths = list(dict.fromkeys(run_files(files)))
        if not paths:
            raise UsageError("expected runs to add, found none")
        if replaces and len(paths) > 1:
            raise UsageError(f"expected one file together with --replaces, found {len(paths)}")
        fields = {"collection": collection, "replaces": replaces, "without_metadata": without_metadata}
        yield from sent(self.site, paths, fields)

    def set_collection(
        self,
        name: str,
        *,
        qrels: Iterable[str | os.PathLike[str]] = (),
        topics: str | os.PathLike[str] = "",
        ir_datasets: str = "",
        profile: str = "",
        also: Sequence[str] = (),
    ) -> CollectionFacts:
        """Return the collection NAME with judgments, topics, profile and further names; what is not given stays."""
        from primad.cli.remote.sending import content_of
        from primad.metadata.profile import BUILT_IN

        parts = [("qrels", *content_of(path)) for path in qrels]
        parts += [("topics", *content_of(topics))] if topics else []
        is_file = bool(profile) and profile not in BUILT_IN
        parts += [("own_profile", *content_of(profile))] if is_file else []
        fields = {"name": name, "ir_datasets": ir_datasets, "also": list(also), "profile": "" if is_file else profile}
        described: CollectionFacts = self.site.upload(
            CollectionFacts, "archive", "collections", files=parts, fields=fields
        )
        return described

    # Finding again ---------------------------------------------------------------------------------------------

    def run(self, name: str) -> RemoteRun:
        """Return the run with the address, the beginning of an address, or the tag NAME."""
        found: RemoteRun = self.site.get(RemoteRun, "archive", "addresses", name=name)
        return found

    def search(
        self,
        query: str = "",
        *,
        sort: str = "",
        limit: int | None = 20,
        facets: Sequence[str] = (),
        measures: Sequence[str] = (MEASURE,),
    ) -> Found:
        """Return the runs that QUERY finds, in the order of SORT, with counts of the values of the fields FACETS."""
        asked: dict[str, Any] = {"query": query, "sort": sort, "measures": list(measures), "facets": list(facets)}
        first = self._page(asked, limit, 0)
        hits, following_at = list(first["items"]), first["next"]
        while following_at is not None and (limit is None or len(hits) < limit):
            page = self._page(asked | {"facets": []}, None if limit is None else limit - len(hits), following_at)
            hits += page["items"]
            following_at = page["next"]
        facts = {key: first[key] for key in ("query", "total", "measures", "remarks")}
        counted = {
            name: tuple((one["value"], one["runs"]) for one in values) for name, values in first["facets"].items()
        }
        return Found(hits=tuple(_hits(hits)), facets=counted, **facts)

    def _page(self, asked: Mapping[str, Any], limit: int | None, offset: int) -> dict[str, Any]:
        """Return the part of what is ASKED for that begins at OFFSET."""
        most = _MOST_HITS if limit is None else min(limit, _MOST_HITS)
        page: dict[str, Any] = self.site.get(dict[str, Any], "archive", "runs", **asked, limit=most, offset=offset)
        return page

    def show(self, name: str) -> Shown:
        """Return everything that is known of the run called NAME."""
        shown: Shown = self.site.get(Shown, "archive", "runs", self.run(name).address)
        return shown

    def collections(self) -> tuple[CollectionFacts, ...]:
        """Return all collections."""
        return tuple(self._all(CollectionFacts, "collections"))

    def overview(self, query: str = "") -> tuple[OverviewRow, ...]:
        """Return who has how many runs, by method and collection."""
        return tuple(self._all(OverviewRow, "overview", query=query))

    def _all(self, kind: Any, *path: str, **query: Any) -> Iterator[Any]:
        """Yield all items of the list at PATH, of a KIND."""
        from primad.cli.remote.paging import Page

        offset: int | None = 0
        while offset is not None:
            page = self.site.get(Page[kind], "archive", *path, **query, limit=_MOST_ITEMS, offset=offset)
            yield from page.items
            offset = page.next

    def standings(self, addresses: Sequence[str], measure: str = MEASURE) -> list[Standing]:
        """Return where the runs with ADDRESSES rank in their collections, those without a score left out."""
        return [
            one
            for some in _parts(addresses, _MOST_RANKED)
            for one in self.site.send(
                list[Standing], "POST", "archive", "standings", addresses=list(some), measure=measure
            )
        ]

    def baselines_for(self, name: str, *, measure: str = MEASURE, limit: int = 20) -> Baselines:
        """Return the strongest runs on the collection of the run called NAME, each compared with it."""
        most = min(limit, _MOST_HITS)
        found: Baselines = self.site.get(
            Baselines, "archive", "runs", self.run(name).address, "baselines", measure=measure, limit=most
        )
        return found

    def reproductions_of(self, name: str) -> Reproductions:
        """Return the runs that reproduce the run called NAME."""
        found: Reproductions = self.site.get(Reproductions, "archive", "runs", self.run(name).address, "reproductions")
        return found

    def progress(self, collection: str, measure: str = MEASURE) -> Progress:
        """Return the scores on COLLECTION over the years."""
        found: Progress = self.site.get(Progress, "archive", "progress", collection=collection, measure=measure)
        return found

    # Evaluating ------------------------------------------------------------------------------------------------

    def evaluate(
        self,
        query: str = "",
        measures: Sequence[str] = (),
        *,
        addresses: Sequence[str] | None = None,
        place: Place | None = None,
        watch: Any = None,
    ) -> Evaluated:
        """Have each run that QUERY finds scored by a worker of the site, or those with ADDRESSES only."""
        del watch  # the site says how far it is
        if place is not None and (place.jobs is not None or place.cluster or place.slurm is not None):
            raise UsageError("--jobs, --cluster and --slurm are for a folder; a site has workers of its own")
        if addresses is None:
            return self._evaluated(query, measures)
        names = [f"address:{','.join(some)}" for some in _parts(addresses, _MOST_ADDRESSES)]
        return _summed([self._evaluated(" ".join(filter(None, (one, query))), measures) for one in names], measures)

    def _evaluated(self, query: str, measures: Sequence[str]) -> Evaluated:
        """Return what became of an evaluation of the runs that QUERY finds."""
        asked: dict[str, Any] = {"query": query} | ({"measures": list(measures)} if measures else {})
        job = self.waited("archive", "evaluations", **asked)
        result = job["result"]
        return Evaluated(
            runs=result["runs"],
            measures=tuple(result["measures"]),
            computed=result["computed"],
            known=result["known"],
            unscored=tuple(Unscored(**one) for one in result["unscored"]),
            seconds=_seconds(job),
        )

    def waited(self, *path: str, **asked: Any) -> dict[str, Any]:
        """Ask for a job at PATH, wait for it, and return everything about it."""
        job: dict[str, Any] = self.site.send(dict[str, Any], "POST", *path, **asked)
        with following() as show:
            return self.site.followed(job["key"], show)

    # Keeping ---------------------------------------------------------------------------------------------------

    def remove(self, name: str, reason: str = "") -> bool:
        """Take the run called NAME out of sight; its files and history stay.  Tell whether it was in sight."""
        path = ("archive", "runs", self.run(name).address)
        return bool(self.site.change(dict[str, Any], "DELETE", *path, reason=reason)["is_changed"])


def _hits(items: Iterable[Mapping[str, Any]]) -> Iterator[Hit]:
    """Yield runs, as a site tells them, as the archive does."""
    from pydantic import TypeAdapter

    yield from TypeAdapter(list[Hit]).validate_python(list(items))


def _parts(things: Sequence[str], most: int) -> Iterator[Sequence[str]]:
    """Yield THINGS in parts of at most so many."""
    yield from (things[start : start + most] for start in range(0, len(things), most))


def _summed(several: Sequence[Evaluated], measures: Sequence[str]) -> Evaluated:
    """Return what became of SEVERAL evaluations together."""
    return Evaluated(
        runs=sum(one.runs for one in several),
        measures=several[0].measures if several else tuple(measures),
        computed=sum(one.computed for one in several),
        known=sum(one.known for one in several),
        unscored=tuple(unscored for one in several for unscored in one.unscored),
        seconds=sum(one.seconds for one in several),
    )


def _seconds(job: Mapping[str, Any]) -> float:
    """Return how long JOB took."""
    began, ended = job.get("started_at"), job.get("ended_at")
    if not began or not ended:
        return 0.0
    return (datetime.fromisoformat(ended) - datetime.fromisoformat(began)).total_seconds()
