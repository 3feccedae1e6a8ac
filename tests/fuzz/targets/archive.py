"""An archive that is searched, is given runs, and is restored from what somebody says is a backup."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from primad.archive.archive import Archive
from primad.archive.arriving import Refused as RefusedFile
from primad.store import database
from tests.archive.backups import table_changed
from tests.fuzz.bundles import packed_tar
from tests.fuzz.mutating import mutated
from tests.fuzz.sites import Fresh, small_site
from tests.fuzz.target import Refused, in_bytes, packed, target, unpacked
from tests.fuzz.targets.metadata import make_annotated
from tests.fuzz.trees import changed

QUERIES = (
    "bm25", "team:alpha", "year>=2019", "year:2018..2020", 'name:"a b" -tag:first', "map>0.2", "method:org.*",
    "(a OR b) c", "NOT team:alpha", "tag:first,second", "actor.team:alpha collection:small", "P_10<=0.5",
    "role:experimenter|reproducer", "has:doi", "-has:orcid", "k1=0.9", "added>2020-01-01", "like:first", "*", '"',
    "text:~bm", "venue:SIGIR year<2030",
)  # fmt: skip
SORTS = ("", "map", "-map", "year", "-added", "tag", "ndcg_cut_10", "team", "x")
FACETS = ("team", "year", "venue", "method", "collection", "map", "x")


def make_query(chance: Random) -> bytes:
    """Return a question to an archive."""
    texts = [one.encode() for one in QUERIES]
    query = b" ".join(chance.choice(texts) for _ in range(chance.choice((1, 1, 2, 3))))
    sort, facet = (chance.choice(known).encode() for known in (SORTS, FACETS))
    damaged = chance.choice(((1, 0, 0), (1, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0)))
    query, sort, facet = (
        mutated(one, chance, texts) if is_odd else one
        for one, is_odd in zip((query, sort, facet), damaged, strict=True)
    )
    return packed(
        {
            "query": query,
            "sort": sort,
            "facet": facet,
            "measure": chance.choice((b"map", b"P_10", mutated(b"map", chance))),
        }
    )


class _Open:
    """The archive that questions go to."""

    archive: Archive
    fresh: Fresh
    members: dict[str, bytes]


@contextmanager
def opened(shared: Path) -> Iterator[None]:
    """Let questions go to a small archive in SHARED, of which there is a backup."""
    with small_site(shared) as (fresh, _):
        _Open.fresh, _Open.archive = fresh, Archive(fresh.folder)
        _Open.archive.backup(shared / "saved.tar")
        with tarfile.open(shared / "saved.tar") as tar:
            _Open.members = {one.name: file.read() for one in tar if (file := tar.extractfile(one))}
        yield


@target("search", make_query, weight=15, set_up=opened)
def take_query(data: bytes, _place: Path) -> Any:
    """Search an archive."""
    given = {name: in_bytes(text).decode("utf-8", "surrogateescape") for name, text in unpacked(data).items()}
    return _Open.archive.search(
        given["query"], sort=given["sort"], facets=[given["facet"]], measures=[given["measure"]]
    )


@target(
    "find",
    lambda chance: mutated(chance.choice((b"first", b"second", b"small", b"0123abcd")), chance),
    weight=15,
    set_up=opened,
)
def take_name(data: bytes, _place: Path) -> Any:
    """Find a run or what is known of a collection by any name."""
    name = data.decode("utf-8", "surrogateescape")
    archive = _Open.archive
    if len(data) % 2:
        return archive.show(name)
    return archive.progress(name) if len(data) % 4 else archive.baselines_for(name)


@target("add", make_annotated, weight=3, set_up=opened)
def take_run(data: bytes, place: Path) -> Any:
    """Put a run into an archive, where it may be refused."""
    path = place / "x.run"
    path.write_bytes(data)
    (one,) = _Open.archive.add([path])
    if isinstance(one, RefusedFile):
        raise Refused(one.reason)
    shown = _Open.archive.show(one.address)
    _Open.fresh.restore()
    return shown


def make_backup(chance: Random) -> bytes:
    """Return which members of a backup are odd, and how; the backup itself is made where there is one."""
    return packed({"seed": chance.randrange(1 << 30)})


@target("restore", make_backup, weight=0.1, set_up=opened)
def take_backup(data: bytes, place: Path) -> Any:
    """Restore an archive from what is nearly a backup; nothing is left of one that is refused."""
    chance = Random(unpacked(data)["seed"])
    members = dict(_Open.members)
    name = chance.choice(sorted(members))
    if name.startswith("tables/"):  # the digests of which are made anew
        table = name.removeprefix("tables/").removesuffix(".jsonl.zst")
        table_changed(members, table, lambda columns, rows: (columns, _rows(rows, chance)))
    else:
        members[name] = mutated(members[name], chance)
    path = place / "x.tar"
    path.write_bytes(_tar(members) if chance.random() < 0.8 else packed_tar(members, chance))
    try:
        Archive.restore(path, place / "new")
    finally:
        left = sorted(one.name for one in place.iterdir())
        database.close()
        _Open.archive = Archive(_Open.fresh.folder)
    assert left == ["new", "x.tar"], left


def _rows(rows: list[Any], chance: Random) -> list[Any]:
    """Return ROWS of a table with odd values."""
    odd_rows = changed(rows, chance)
    return odd_rows if isinstance(odd_rows, list) else [odd_rows]


def _tar(members: dict[str, bytes]) -> bytes:
    """Return MEMBERS as a tar archive."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as tar:
        for name, data in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            tar.addfile(entry, io.BytesIO(data))
    return stream.getvalue()
