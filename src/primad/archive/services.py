"""What changes an archive?  Each verb is one transaction: it happens wholly or not at all, and is written down.

add_arriving      keep runs whose contents are stored
set_collection    make a collection, or say more about one
remove, restore   take a run out of sight, and bring it back
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from django.db import IntegrityError, transaction
from django.utils import timezone

from primad.archive.facts import LONGEST, folded
from primad.archive.models import Collection, CollectionName, Fact, Field, Qrels, Ranking, Run, Version
from primad.errors import UsageError
from primad.store.log import note

if TYPE_CHECKING:
    from primad.archive.arriving import Arriving

Status = Literal["added", "new version", "known", "restored"]

_TRIES = 3


@dataclass(frozen=True)
class Kept:
    """What became of a file: STATUS says whether its run is new, and ADDRESS where it is found for ever."""

    path: str
    status: Status
    address: str
    tag: str
    collection: str
    remarks: tuple[str, ...] = ()


# Runs ------------------------------------------------------------------------------------------------------------


def add_arriving(arriving: Sequence[Arriving], *, collection: str = "", replaces: Run | None = None) -> list[Kept]:
    """Keep the runs ARRIVING, and return what became of each; once this returns, they are on the disk.

    They belong to the COLLECTION, or to the one that their records name.  With REPLACES, they are new versions of that
    run.
    """
    kept: list[Kept] = []
    for batch in _without_interplay(arriving):
        kept += _with_others_at_work(batch, collection, replaces)
    return kept


def _without_interplay(arriving: Sequence[Arriving]) -> Iterator[list[Arriving]]:
    """Yield ARRIVING in parts of which none has two runs with the same ranking: the second looks for the first."""
    batch: list[Arriving] = []
    for one in arriving:
        if any(one.ranking == other.ranking for other in batch):
            yield batch
            batch = []
        batch.append(one)
    if batch:
        yield batch


def _with_others_at_work(batch: list[Arriving], collection: str, replaces: Run | None) -> list[Kept]:
    """Keep BATCH in one transaction; if another process was faster with the same run, look again."""
    for left in reversed(range(_TRIES)):
        try:
            with transaction.atomic():
                return _keep(batch, collection, replaces)
        except IntegrityError:
            if not left:
                raise
    raise AssertionError  # the loop returns or raises


def _keep(batch: list[Arriving], collection: str, replaces: Run | None) -> list[Kept]:
    """Keep the runs of BATCH: known ones are found, newer headers become versions, all others are new runs."""
    known = _known(batch)
    fresh = [one for one in batch if one.identity not in known]
    collections = {one.identity: _collection_of(one, collection) for one in fresh}
    rankings = _rankings(fresh)
    earlier = {one.identity: replaces or _earlier_version(one, rankings) for one in fresh}
    new = [one for one in fresh if earlier[one.identity] is None]
    runs = _new_runs(new, collections, rankings)
    runs |= {one.identity: _renewed(run, one, collections, rankings) for one in fresh if (run := earlier[one.identity])}
    _add_versions(fresh, runs)
    _add_facts(fresh, runs)
    kept = []
    for one in batch:
        run = known.get(one.identity) or runs[one.identity]
        status = _status(run, is_known=one.identity in known, is_new=earlier.get(one.identity) is None)
        kept.append(Kept(one.path, status, run.address, run.tag, run.collection.name, one.remarks))
    return kept


def _known(batch: Sequence[Arriving]) -> dict[str, Run]:
    """Return the runs of BATCH that are there already, by the identity of their files."""
    wanted = [one.identity for one in batch]
    versions = Version.objects.filter(identity__in=wanted).select_related("run__collection")
    return {version.identity: version.run for version in versions}


def _status(run: Run, *, is_known: bool, is_new: bool) -> Status:
    """Return what became of the file of RUN; who adds a removed run again wants it back."""
    if is_known:
        return "restored" if restore(run) else "known"
    note("added" if is_new else "new version", run.address, tag=run.tag, number=run.number)
    return "added" if is_new else "new version"


def _rankings(batch: Sequence[Arriving]) -> dict[str, Ranking]:
    """Return the rankings of BATCH by their digests, the new ones stored."""
    rows = [Ranking(digest=one.ranking, topics=one.topics, depth=one.depth, lines=one.lines) for one in batch]
    known = {row.digest for row in Ranking.objects.filter(digest__in=[row.digest for row in rows])}
    Ranking.objects.bulk_create([row for row in rows if row.digest not in known], ignore_conflicts=True)
    return {row.digest: row for row in Ranking.objects.filter(digest__in=[row.digest for row in rows])}


def _earlier_version(one: Arriving, rankings: Mapping[str, Ranking]) -> Run | None:
    """Return the run of which ONE is a newer version: same ranking, tag and actor, and a higher run-version."""
    columns = one.facts.columns
    same = Run.objects.filter(
        ranking=rankings[one.ranking], tag=columns["tag"], actor=columns["actor"], removed_at=None
    ).select_related("collection")
    run: Run
    for run in same.order_by("-id"):
        current = run.versions.get(number=run.number)
        if _version_number(one.run_version) > _version_number(current.run_version):
            return run
    return None


def _version_number(text: str) -> tuple[int, ...]:
    """Return the version that TEXT writes, so that 1.10 is higher than 1.9; nothing is the lowest.

    >>> _version_number("1.10") > _version_number("1.9") > _version_number("") == _version_number("new")
    True
    """
    parts = text.strip().removeprefix("v").split(".")
    return tuple(int(part) for part in parts) if all(part.isdecimal() and len(part) < LONGEST for part in parts) else ()


def _new_runs(
    batch: Sequence[Arriving], collections: Mapping[str, Collection], rankings: Mapping[str, Ranking]
) -> dict[str, Run]:
    """Return new runs for BATCH, stored, by the identity of their files, which is their address."""
    rows = [
        Run(
            address=one.identity,
            collection=collections[one.identity],
            ranking=rankings[one.ranking],
            words=one.facts.words,
            **one.facts.columns,
        )
        for one in batch
    ]
    return {row.address: row for row in Run.objects.bulk_create(rows)}


def _renewed(run: Run, one: Arriving, collections: Mapping[str, Collection], rankings: Mapping[str, Ranking]) -> Run:
    """Return RUN saying what its new version says."""
    run.number = run.versions.latest("number").number + 1
    run.collection = collections[one.identity]
    run.ranking = rankings[one.ranking]
    run.words = one.facts.words
    for name, value in one.facts.columns.items():
        setattr(run, name, value)
    run.save()
    run.facts.all().delete()
    return run


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


def file_name(path: str) -> str:
    """Return the last part of PATH as a column can hold it."""
    return path.replace("\0", "").rstrip("/").rpartition("/")[2].encode("utf-8", "backslashreplace").decode()[:LONGEST]


def _add_facts(batch: Sequence[Arriving], runs: Mapping[str, Run]) -> None:
    """Store what the record of each of BATCH states."""
    fields = _fields({fact.field for one in batch for fact in one.facts.facts})
    Fact.objects.bulk_create(
        [
            Fact(
                run=runs[one.identity],
                field_id=fields[fact.field],
                value=fact.value,
                shown=fact.shown,
                number=fact.number,
            )
            for one in batch
            for fact in one.facts.facts
        ],
        batch_size=2000,
    )


def _fields(names: set[str]) -> dict[str, int]:
    """Return the number of each of the fields NAMES, the new ones stored."""
    known = dict(Field.objects.filter(name__in=names).values_list("name", "id"))
    new = sorted(names - known.keys())
    if new:
        Field.objects.bulk_create([Field(name=name) for name in new], ignore_conflicts=True)
        known = dict(Field.objects.filter(name__in=names).values_list("name", "id"))
    return known


def remove(run: Run, reason: str = "") -> bool:
    """Take RUN out of sight, and say so in the log; tell whether it was in sight."""
    with transaction.atomic():
        removed = Run.objects.filter(pk=run.pk, removed_at=None).update(removed_at=timezone.now())
        if removed:
            note("removed", run.address, tag=run.tag, reason=reason)
    return bool(removed)


def restore(run: Run) -> bool:
    """Bring RUN back into sight; tell whether it was out of it."""
    with transaction.atomic():
        brought = Run.objects.filter(pk=run.pk).exclude(removed_at=None).update(removed_at=None)
        if brought:
            note("restored", run.address, tag=run.tag)
    return bool(brought)


# Collections -----------------------------------------------------------------------------------------------------


def _collection_of(one: Arriving, named: str) -> Collection:
    """Return the collection NAMED for all, else the one that the record of ONE names; a new name makes a new one."""
    names = [named] if named else list(one.names)
    found = find_collection(*names)
    return found or _new_collection(names[-1] if len(names) == 1 else names[1], names)


def find_collection(*names: str) -> Collection | None:
    """Return the collection that has one of NAMES."""
    keys = [folded(name)[:LONGEST] for name in names]
    found = {row.folded: row.collection for row in CollectionName.objects.filter(folded__in=keys).select_related()}
    return next((found[key] for key in keys if key in found), None)


def _new_collection(name: str, names: Sequence[str]) -> Collection:
    """Return a new collection called NAME, also found by its other NAMES."""
    collection: Collection = Collection.objects.create(name=name[:LONGEST])
    _give_names(collection, [name, *names])
    note("collection", name)
    return collection


def _give_names(collection: Collection, names: Sequence[str]) -> None:
    """Let COLLECTION be found by NAMES; a name that another collection has is refused."""
    for key in dict.fromkeys(folded(name)[:LONGEST] for name in names):
        row, _ = CollectionName.objects.get_or_create(folded=key, defaults={"collection": collection})
        if row.collection_id != collection.pk:
            raise UsageError(f"the name '{key}' is that of the collection {row.collection}; expected another")


@dataclass(frozen=True)
class Judgments:
    """A qrels file whose content is stored."""

    digest: str
    content: str
    name: str
    topics: int
    judgments: int


def set_collection(
    name: str,
    *,
    qrels: Sequence[Judgments] = (),
    topics: str = "",
    ir_datasets: str = "",
    profile: str = "",
    also: Sequence[str] = (),
) -> Collection:
    """Return the collection called NAME with what is given about it; what is not given stays as it is.

    The last of QRELS are those that its runs are scored by from now on; earlier ones are kept.  TOPICS is the digest of
    a file.
    """
    with transaction.atomic():
        names = [name, *([ir_datasets] if ir_datasets else []), *also]
        collection = find_collection(*names) or _new_collection(name, names)
        _give_names(collection, names)
        given: dict[str, Any] = {"topics": topics, "ir_datasets": ir_datasets, "profile": profile}
        for field, value in given.items():
            if value:
                setattr(collection, field, value)
        for one in qrels:
            collection.qrels, _ = Qrels.objects.get_or_create(
                collection=collection,
                content=one.content,
                defaults={"digest": one.digest, "name": one.name, "topics": one.topics, "judgments": one.judgments},
            )
        collection.save()
        note("collection", collection.name, **{key: value for key, value in given.items() if value})
        return collection
