"""What changes an archive?  Each verb is one transaction: it happens wholly or not at all, and is written down.

add_arriving   keep runs whose contents are stored; one that was removed comes back into sight
remove         take a run out of sight
bring_back     bring a run that was removed back into sight
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from django.db import connection
from django.db.models import F
from django.utils import timezone

from primad.archive import rights
from primad.archive.collecting import collections_of, find_collection
from primad.archive.collection_files import file_name
from primad.archive.models import Collection, Fact, Field, Ranking, Run, Version
from primad.archive.search.facts import LONGEST, storable
from primad.archive.search.texts import forget_texts, keep_texts
from primad.errors import UsageError
from primad.metadata.record import Record
from primad.store.database import writing
from primad.store.log import note, note_all

if TYPE_CHECKING:
    from primad.archive.arriving import Arriving
    from primad.metadata.record import Tree

Actor = tuple[str, str, str]
Status = Literal["added", "new version", "known", "restored"]

_INSERT_FACT = "INSERT INTO archive_fact (run_id, field_id, value, shown, number) VALUES (%s, %s, %s, %s, %s)"
_AT_ONCE = 500  # so many things are asked for together
_ACTOR = ("name", "team", "orcid")
# What a new version of a run may say anew.
_SAID = [
    *("collection", "ranking", "number", "removed_at", "tag", "team", "actor", "role", "method", "venue", "year"),
    "schema_version",
]


@dataclass(frozen=True)
class Kept:
    """What became of a file: STATUS says whether its run is new, and ADDRESS where it is found for ever.

    MISSING is the number of essential fields that its record does not state; if there are any, the first remark names
    them.
    """

    path: str
    status: Status
    address: str
    tag: str
    collection: str
    remarks: tuple[str, ...] = ()
    missing: int = 0


def add_arriving(arriving: Sequence[Arriving], *, collection: str = "", replaces: Run | None = None) -> list[Kept]:
    """Keep the runs ARRIVING, and return what became of each; once this returns, they are on the disk.

    They belong to the COLLECTION, or to the one that their records name.  With REPLACES, they are new versions of that
    run.  They count in the order in which they come: a lower run-version that comes later is another run.
    """
    rights.require("add")
    if replaces:
        rights.require("replace", replaces)
    with writing():
        return [kept for part in _without_interplay(arriving) for kept in _keep(part, collection, replaces)]


def _without_interplay(arriving: Iterable[Arriving]) -> Iterator[list[Arriving]]:
    """Yield the runs ARRIVING in parts without two of the same ranking and tag: the second looks for the first."""
    part: list[Arriving] = []
    there: set[tuple[str, str]] = set()
    for one in arriving:
        what = one.ranking, one.facts.columns["tag"]
        if what in there or len(part) >= _AT_ONCE:
            yield part
            part, there = [], set()
        part.append(one)
        there.add(what)
    if part:
        yield part


def _keep(batch: Sequence[Arriving], collection: str, replaces: Run | None) -> list[Kept]:
    """Keep the runs of BATCH: known ones are found, newer headers become versions, all others are new runs."""
    known = _known(batch)
    fresh = [one for one in batch if one.identity not in known]
    collections, remarks = collections_of(fresh, collection)
    earlier = _replaced(batch, known, replaces) if replaces else _earlier_versions(fresh)
    runs = known | _stored(fresh, collections, earlier)
    status = {one.identity: _status(one, known, earlier) for one in batch}
    remarks |= _staying(known, collection)
    _bring_back([run for run in known.values() if run.removed_at])
    _add_versions(fresh, runs)
    _add_facts(fresh, runs)
    keep_texts({runs[one.identity].pk: one.facts.texts for one in fresh})
    changed = {one.identity: runs[one.identity] for one in batch if status[one.identity] != "known"}
    note_all((status[key], run.address, {"tag": run.tag, "number": run.number}) for key, run in changed.items())
    return [
        Kept(
            path=one.path,
            status=status[key],
            address=run.address,
            tag=run.tag,
            collection=run.collection.name,
            remarks=(*one.remarks, *remarks.get(key, ())),
            missing=one.missing,
        )
        for one, key, run in ((one, one.identity, runs[one.identity]) for one in batch)
    ]


# Runs that are there already -------------------------------------------------------------------------------------


def _known(batch: Sequence[Arriving]) -> dict[str, Run]:
    """Return the runs of BATCH that are there already, by the identity of their files."""
    wanted = [one.identity for one in batch]
    versions = Version.objects.filter(identity__in=wanted).select_related("run__collection")
    return {version.identity: version.run for version in versions}


def _status(one: Arriving, known: Mapping[str, Run], earlier: Mapping[str, Run]) -> Status:
    """Return what became of ONE; who adds a removed run again wants it back."""
    if one.identity in known:
        return "restored" if known[one.identity].removed_at else "known"
    return "new version" if one.identity in earlier else "added"


def _staying(known: Mapping[str, Run], collection: str) -> dict[str, tuple[str, ...]]:
    """Return what is to be said of KNOWN runs that were to be put into another COLLECTION."""
    wanted = find_collection(collection) if collection and known else None
    elsewhere = {key: run for key, run in known.items() if collection and run.collection != wanted}
    return {key: (f"is in the collection {run.collection}, and stays there",) for key, run in elsewhere.items()}


def _bring_back(runs: Sequence[Run]) -> None:
    """Bring RUNS that were removed back into sight."""
    for run in runs:
        rights.require("bring-back", run)
    if runs:
        Run.objects.filter(pk__in=[run.pk for run in runs]).update(removed_at=None)


# Versions --------------------------------------------------------------------------------------------------------


def _replaced(batch: Sequence[Arriving], known: Mapping[str, Run], replaces: Run) -> dict[str, Run]:
    """Return the run that BATCH REPLACES the current version of, by the identity of the newer files."""
    for run in known.values():
        if run.pk != replaces.pk:
            raise UsageError(f"expected a new version of the run {replaces}, found a file of the run {run}")
    run = Run.objects.select_related("collection").get(pk=replaces.pk)  # as it is now that nobody else writes
    return {one.identity: run for one in batch if one.identity not in known}


def _earlier_versions(batch: Sequence[Arriving]) -> dict[str, Run]:
    """Return the runs of which some of BATCH are newer versions: same ranking, tag and actor, and a higher run-version.

    A run of somebody else is not touched: what looks like a newer version of it becomes a run of its own.  Runs are
    found by the identity of the newer files.  Of several, it is the one with the highest run-version.
    """
    known = [(one, actor) for one in batch if any(actor := _actor(one.record))]  # whoever is unknown is nobody's equal
    alike = Version.objects.filter(
        number=F("run__number"),
        run__removed_at=None,
        run__ranking__digest__in={one.ranking for one, _ in known},
        run__tag__in={one.facts.columns["tag"] for one, _ in known},
    )
    current: dict[tuple[str, str, Actor], list[Version]] = defaultdict(list)
    for version in alike.select_related("run__collection", "run__ranking"):
        current[version.run.ranking.digest, version.run.tag, _actor(version.record)].append(version)
    earlier: dict[str, Run] = {}
    for one, actor in known:
        same = current[one.ranking, one.facts.columns["tag"], actor]
        own = _version_number(one.run_version)
        lower = [(number, version) for version in same if (number := _version_number(version.run_version)) < own]
        lower = [(number, version) for number, version in lower if rights.may("replace", version.run)]
        if lower:
            earlier[one.identity] = max(lower, key=lambda found: (found[0], found[1].run.pk))[1].run
    return earlier


def _actor(record: Tree) -> Actor:
    """Return by what RECORD tells its actor from others: name, team and ORCID, empty where nothing is stated."""
    name, team, orcid = (" ".join(str(Record(record).get(f"actor.{part}", "")).split()) for part in _ACTOR)
    return name, team, orcid.rpartition("/")[2]  # which may be written as an address


def _version_number(text: str) -> tuple[int, ...]:
    """Return the version that TEXT writes, so that 1.10 is higher than 1.9; nothing is the lowest.

    >>> _version_number("1.10") > _version_number("v1.9.0") == _version_number("1.9") > _version_number("new")
    True
    """
    parts = text.strip().lower().removeprefix("v").split(".")
    if not all(part.isdecimal() and len(part) < LONGEST for part in parts):
        return ()
    numbers = [int(part) for part in parts]
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


# New rows --------------------------------------------------------------------------------------------------------


def _stored(
    batch: Sequence[Arriving], collections: Mapping[str, Collection], earlier: Mapping[str, Run]
) -> dict[str, Run]:
    """Return the runs of BATCH by the identity of their files: new ones, and EARLIER ones that say what is new."""
    rankings = _rankings(batch)
    runs: dict[str, Run] = {}
    for one in batch:
        run = runs[one.identity] = earlier.get(one.identity) or Run(address=one.identity, number=0)
        run.number += 1
        run.collection = collections[one.identity]
        run.ranking = rankings[one.ranking]
        run.removed_at = None
        for name, value in one.facts.columns.items():
            setattr(run, name, value)
    Run.objects.bulk_create([run for run in runs.values() if run.pk is None])
    _renew([run for key, run in runs.items() if key in earlier])
    return runs


def _renew(runs: Sequence[Run]) -> None:
    """Write what has become of RUNS that were there, and forget what their former records have stated."""
    if runs:
        Run.objects.bulk_update(runs, _SAID)
        Fact.objects.filter(run__in=[run.pk for run in runs]).delete()
        forget_texts(run.pk for run in runs)


def _rankings(batch: Sequence[Arriving]) -> dict[str, Ranking]:
    """Return the rankings of BATCH by their digests, the new ones stored."""
    found = {row.digest: row for row in Ranking.objects.filter(digest__in=[one.ranking for one in batch])}
    new = {
        one.ranking: Ranking(digest=one.ranking, topics=one.topics, depth=one.depth, lines=one.lines)
        for one in batch
        if one.ranking not in found
    }
    return found | {row.digest: row for row in Ranking.objects.bulk_create(new.values())}


def _add_versions(batch: Sequence[Arriving], runs: Mapping[str, Run]) -> None:
    """Store the files and the record of each of BATCH."""
    Version.objects.bulk_create(
        Version(
            run=runs[one.identity],
            number=runs[one.identity].number,
            identity=one.identity,
            file=one.file,
            side=one.side,
            name=file_name(one.path),
            size=one.size,
            run_version=one.run_version,
            record=one.record,
        )
        for one in batch
    )


def _add_facts(batch: Sequence[Arriving], runs: Mapping[str, Run]) -> None:
    """Store what the record of each of BATCH states."""
    fields = _fields({fact.field for one in batch for fact in one.facts.facts})
    rows = [
        (runs[one.identity].pk, fields[fact.field], fact.value, fact.shown, fact.number)
        for one in batch
        for fact in one.facts.facts
    ]
    # A run has some forty facts: to make an object of each would take longer than all the rest.
    with connection.cursor() as cursor:
        cursor.executemany(_INSERT_FACT, rows)


def _fields(names: set[str]) -> dict[str, int]:
    """Return the number of each of the fields NAMES, the new ones stored."""
    wanted = sorted(names)
    known: dict[str, int] = {}
    for start in range(0, len(wanted), _AT_ONCE):
        some = Field.objects.filter(name__in=wanted[start : start + _AT_ONCE])
        known |= dict(some.values_list("name", "id"))
    new = Field.objects.bulk_create(Field(name=name) for name in wanted if name not in known)
    return known | {row.name: row.pk for row in new}


# Out of sight ----------------------------------------------------------------------------------------------------


def remove(run: Run, reason: str = "") -> bool:
    """Take RUN out of sight, and say so in the log; tell whether it was in sight."""
    rights.require("remove", run)
    with writing():
        removed = Run.objects.filter(pk=run.pk, removed_at=None).update(removed_at=timezone.now())
        if removed:
            note("removed", run.address, tag=run.tag, reason=storable(reason))
    return bool(removed)


def bring_back(run: Run) -> bool:
    """Bring RUN back into sight, and say so in the log; tell whether it was out of sight."""
    rights.require("bring-back", run)
    with writing():
        came = Run.objects.filter(pk=run.pk).exclude(removed_at=None).update(removed_at=None)
        if came:
            note("restored", run.address, tag=run.tag)
    return bool(came)
