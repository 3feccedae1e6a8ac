"""Which collection do runs belong to, and what is known of it?

    find_collection     the collection that has a name
    how_to_judge        what a person can do about one without judgments
    collections_of      those of runs that arrive; what their records say of names is remembered
    set_collection      make a collection, or say more about one

Two collections become one when a record, or a person, says that they are the same: it gives the identifier of the one
and the name of the other.  That is done only if one of them came about by records alone, without judgments, topics or
a profile, and the collection of that name has no identifier of its own; so the order in which runs are added does not
matter.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.db.models import Exists, OuterRef

from primad.archive import rights
from primad.archive.called import Called, called, key_of, meant
from primad.archive.models import Collection, CollectionName, Fact, Qrels, Run
from primad.archive.search.facts import LONGEST, canonical
from primad.errors import UsageError
from primad.store.database import writing
from primad.store.log import note

if TYPE_CHECKING:
    from primad.archive.arriving import Arriving
    from primad.archive.collection_files import Judgments

_AT_ONCE = 500  # names that are looked up together
_NAME_FIELD = canonical("data.test collection.name")


def find_collection(*names: str) -> Collection | None:
    """Return the collection that has one of NAMES."""
    known = _known(names)
    return next((known[key] for key in map(key_of, names) if key in known), None)


def how_to_judge(collection: str) -> str:
    """Return what a person can do who wants scores on a COLLECTION without judgments.

    >>> how_to_judge("My tests")
    "give them with: primad archive collection 'My tests' --qrels FILE"
    """
    return f"give them with: primad archive collection {shlex.quote(collection)} --qrels FILE"


def collections_of(
    batch: Sequence[Arriving], named: str = ""
) -> tuple[dict[str, Collection], dict[str, tuple[str, ...]]]:
    """Return the collection of each of BATCH by its identity, and what is to be said about it.

    It is the one NAMED for all, else the one that the record names; a new name makes a new collection.
    """
    wanted = {one.identity: called(named) if named else one.called for one in batch}
    register = Register(_known(name for names in wanted.values() for name in names.names))
    found = {identity: register.collection(names) for identity, names in wanted.items()}
    found = {identity: register.current(collection) for identity, collection in found.items()}
    remarks = {identity: register.remarks[names] for identity, names in wanted.items() if names in register.remarks}
    return found, remarks if named else _ambiguous(wanted, found) | remarks


def _ambiguous(wanted: Mapping[str, Called], found: Mapping[str, Collection]) -> dict[str, tuple[str, ...]]:
    """Return what is to be said of runs whose record gives no identifier, only a name that several collections have.

    Runs are given by their identities: what they WANTED, and the collection FOUND for each.
    """
    before: dict[str, set[str]] = {}  # the identifiers that runs stated together with a name
    remarks: dict[str, tuple[str, ...]] = {}
    for identity, names in wanted.items():
        key, taken = key_of(names.name), found[identity].ir_datasets
        if not key or not taken:
            continue
        if key not in before:
            before[key] = _identifiers_called(key)
        if names.ir_datasets:
            before[key].add(taken)
        elif before[key] - {taken}:
            several = ", ".join([taken, *sorted(before[key] - {taken})])
            remark = f"{names.name} is the name of several collections ({several}); taken for {taken}"
            remarks[identity] = (f"{remark}; say which with --collection",)
    return remarks


def _identifiers_called(key: str) -> set[str]:
    """Return the identifiers of the collections whose runs call it by the name with this KEY."""
    stated = Fact.objects.filter(
        run__collection=OuterRef("pk"), run__removed_at=None, field__name=_NAME_FIELD, value=key
    )
    called_so = Collection.objects.exclude(ir_datasets="").filter(Exists(stated))
    return set(called_so.values_list("ir_datasets", flat=True))


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
    rights.require("collection")
    name, ir_datasets, *further = (_named_by_person(one) for one in (name, ir_datasets, *also))
    with writing():
        collection = _of_all_names(name, ir_datasets, further)
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
        given["qrels"] = ", ".join(one.name for one in qrels)
        note("collection", collection.name, **{key: value for key, value in given.items() if value})
        return collection


def _named_by_person(name: str) -> str:
    """Return NAME, which a person gives, as it is kept; empty if it was left out."""
    clean = called(name).name
    if name and (not clean or len(" ".join(name.split())) > LONGEST):
        raise UsageError(f"expected the name of a collection, at most {LONGEST} characters, found {name!r:.60}")
    return clean


def _of_all_names(name: str, ir_datasets: str, also: Sequence[str]) -> Collection:
    """Return the one collection that has all these names from now on."""
    names = list(filter(None, [name, ir_datasets, *also]))
    register = Register(_known(names))
    keys = [key_of(one) for one in names if key_of(one) in register.known]
    if not keys:
        return register.new(name, names)
    collection = register.known[keys[0]]
    collection.ir_datasets = ir_datasets or collection.ir_datasets
    for key in keys:
        if not register.joined(collection, register.known[key]):
            other = register.known[key]
            raise UsageError(
                f"the name '{key}' is that of the collection {other}, which is another; expected a new name"
            )
        collection = register.current(collection)
    register.give_names(collection, names)
    if collection.name == collection.ir_datasets:  # the person has a better name for it
        collection.name = name
    return collection


def _known(names: Iterable[str]) -> dict[str, Collection]:
    """Return the collections that have one of NAMES, by the keys of these names."""
    keys = list({key_of(name) for name in names})
    known: dict[str, Collection] = {}
    for start in range(0, len(keys), _AT_ONCE):
        rows = CollectionName.objects.filter(folded__in=keys[start : start + _AT_ONCE]).select_related("collection")
        known |= {row.folded: row.collection for row in rows}
    return known


class Register:
    """The collections that are KNOWN, by the keys of their names; what it learns it writes down.

    REMARKS are what is to be said about names.  Works within a transaction.
    """

    def __init__(self, known: Mapping[str, Collection]) -> None:
        """Begin with what is KNOWN; each collection is there once, whatever number of names it has."""
        once = {collection.pk: collection for collection in known.values()}
        self.known = {key: once[collection.pk] for key, collection in known.items()}
        self.remarks: dict[Called, tuple[str, ...]] = {}
        self._instead: dict[int, Collection] = {}

    def current(self, collection: Collection) -> Collection:
        """Return the collection that COLLECTION has become a part of, or itself."""
        while collection.pk in self._instead:
            collection = self._instead[collection.pk]
        return collection

    def collection(self, names: Called) -> Collection:
        """Return the collection that a record calls by NAMES, a new one if none is known."""
        found = meant(names, self.known, lambda one: one.ir_datasets)
        if found is None:
            is_taken = key_of(names.title) in self.known  # by a collection with another identifier
            return self.new(names.ir_datasets if is_taken else names.title, names.names, names.ir_datasets)
        by_name = self.known.get(key_of(names.name)) if names.name else None
        if by_name is not None and by_name is not found and not by_name.ir_datasets:
            if self.joined(found, by_name):
                self.remarks[names] = (f"the collections {by_name} and {found} are one, by what its record says",)
                found = self.current(found)
            else:
                self.remarks[names] = (f"belongs to {found} by its ir_datasets; {by_name} is another collection",)
        self.give_names(found, names.names)
        self._learn(found, names)
        return found

    def _learn(self, collection: Collection, names: Called) -> None:
        """Remember the identifier of COLLECTION from the NAMES in a record, and its name if it had none."""
        before = collection.ir_datasets, collection.name
        collection.ir_datasets = collection.ir_datasets or names.ir_datasets
        is_nameless = collection.name == collection.ir_datasets and names.name
        if is_nameless and self.known[key_of(names.name)] is collection and _is_bare(collection):
            collection.name = names.name
        if before != (collection.ir_datasets, collection.name):
            collection.save(update_fields=["ir_datasets", "name"])

    def new(self, name: str, names: Iterable[str], ir_datasets: str = "") -> Collection:
        """Return a new collection called NAME, also found by its other NAMES."""
        collection: Collection = Collection.objects.create(name=name, ir_datasets=ir_datasets)
        self.give_names(collection, [name, *names])
        note("collection", name)
        return collection

    def give_names(self, collection: Collection, names: Iterable[str]) -> None:
        """Let COLLECTION be found by those of NAMES that no other collection has."""
        new = [key for key in dict.fromkeys(map(key_of, names)) if key not in self.known]
        CollectionName.objects.bulk_create(CollectionName(folded=key, collection=collection) for key in new)
        self.known |= dict.fromkeys(new, collection)

    def joined(self, one: Collection, other: Collection) -> bool:
        """Tell whether ONE and OTHER are the same collection now; if not, each has something that is its own."""
        if one is other:
            return True
        if one.ir_datasets and other.ir_datasets and key_of(one.ir_datasets) != key_of(other.ir_datasets):
            return False
        kept, given_up = (one, other) if _is_bare(other) else (other, one)
        if not _is_bare(given_up):
            return False
        if _is_bare(kept) and kept.ir_datasets == kept.name:  # the other one has a name that people know it by
            kept, given_up = given_up, kept
        self._move(given_up, kept)
        return True

    def _move(self, given_up: Collection, kept: Collection) -> None:
        """Give everything that the collection GIVEN_UP has to the one that is KEPT."""
        Run.objects.filter(collection=given_up).update(collection=kept)
        CollectionName.objects.filter(collection=given_up).update(collection=kept)
        identifier, name = given_up.ir_datasets, given_up.name
        self._instead[given_up.pk] = kept
        self.known = {key: self.current(collection) for key, collection in self.known.items()}
        Collection.objects.filter(pk=given_up.pk).delete()
        if identifier and not kept.ir_datasets:
            kept.ir_datasets = identifier
            kept.save(update_fields=["ir_datasets"])
        note("collection", kept.name, joined=name)


def _is_bare(collection: Collection) -> bool:
    """Tell whether COLLECTION came about by records alone: nobody has said what it is judged by."""
    said = collection.topics or collection.profile or collection.qrels_id
    return not said and not collection.all_qrels.exists()
