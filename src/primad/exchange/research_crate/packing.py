"""How does a thing become a research object that a data archive takes as it is?

    write      a thing as an RO-Crate 1.1 by the profile Process Run Crate 0.5
    describe   the metadata of such a crate alone
    published  a thing whose records have no secrets in them

All files are in it as they are, with digests.  Runs carry their records themselves or in a file beside them, so what
the entities say is a second telling, for those who do not read records: who did what, with what, on what, and when.
Beside the files of the thing lie descriptions for archives and for those who cite it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from primad.errors import PrimadError
from primad.exchange.catalogue import formats
from primad.exchange.citations.citing import ALL_KINDS, described
from primad.exchange.computing import computing_of
from primad.exchange.formats import Written, writes
from primad.exchange.plain_text import one_line
from primad.exchange.research_crate.acting import Actions
from primad.exchange.research_crate.crate import Crate, file_id, web_id
from primad.exchange.research_crate.describing import (
    dataset,
    licence,
    measured,
    organisation,
    person,
    publication,
    value,
)
from primad.exchange.research_crate.words import (
    DESCRIPTION,
    DESCRIPTIONS,
    METADATA,
    METADATA_OF_1_0,
    PROFILE,
    PROFILE_VERSION,
    ROOT,
    describes_crate,
)
from primad.exchange.thing import File, Thing, measurements_file, side_file
from primad.exchange.told import datasets_of, doi_in, publication_of
from primad.metadata.paths import leaves, written
from primad.metadata.reading import metadata_in
from primad.metadata.record import Record, is_stated
from primad.metadata.secrets import redact_tree
from primad.qra.material import Material
from primad.trec.files import read_bytes

if TYPE_CHECKING:
    from primad.exchange.research_crate.crate import Reference

_MOST_VALUES = 1000  # measurements beyond these are in their file only


@writes("ro-crate", title="RO-Crate (Process Run Crate)", source=PROFILE, form="folder", of=ALL_KINDS)
def write(thing: Thing) -> Written:
    """Return THING as a crate: its files as they are, their description, and the metadata that describe all of it."""
    lost = tuple(_former_crate(thing))
    whole = _whole(published(thing))
    others, remarks = _descriptions(whole)
    metadata = describe(whole, others)
    files = (File.of_bytes(metadata, METADATA, "other"), *whole.files, *others)
    return Written(files, lost, tuple(dict.fromkeys((*_remarks(whole), *remarks))))


def published(thing: Thing) -> Thing:
    """Return THING without what looks like a secret in its records; the bytes of its files stay as they are."""
    return replace(thing, files=tuple(_published(file) for file in thing.files))


def _published(file: File) -> File:
    """Return FILE without secrets in its record."""
    return file if file.record is None else replace(file, record=Record(redact_tree(file.record.tree)))


def describe(thing: Thing, others: tuple[File, ...] = ()) -> bytes:
    """Return the metadata of the crate of THING, which is published, and in which OTHERS lie beside its own files."""
    crate = Crate()
    profile = {"name": "Process Run Crate", "version": PROFILE_VERSION}
    conforms = crate.once("profile", PROFILE, "CreativeWork", profile)
    entities = {file.path: _file(crate, file) for file in thing.files}
    for other in others:
        crate.file(other.path, _bytes(other) | {"about": {"@id": ROOT}, "additionalType": DESCRIPTION})
    actions = _actions(crate, thing, entities)
    crate.root(_root(crate, thing) | {"conformsTo": conforms, "mentions": actions})
    return crate.metadata()


def _former_crate(thing: Thing) -> Iterator[str]:
    """Yield a line if THING is a crate already, which this one takes the place of."""
    if any(file.path in (METADATA, METADATA_OF_1_0) for file in thing.files):
        yield f"the description of the crate that it is already ({METADATA}), in place of which there is a new one"


def _whole(thing: Thing) -> Thing:
    """Return THING with what its files do not say in files of their own, and without the crate that it was before."""
    was_crate = any(True for _ in _former_crate(thing))
    files = list(_apart(file for file in thing.files if not (was_crate and describes_crate(file.path))))
    beside = {(PurePosixPath(file.path).parent, file.about) for file in files if file.about}
    files += [
        side_file(run.path, run.record)
        for run in files
        if run.role == "run"
        and run.record is not None
        and (PurePosixPath(run.path).parent, run.path) not in beside
        and not _carries_record(run)
        and not _shares_record(run, files)
    ]
    if replace(thing.material, remarks=()) != Material() and not thing.of_role("measurements"):
        files.append(measurements_file(thing.material))
    return replace(thing, files=tuple(_apart(files)))


def _apart(files: Iterable[File]) -> Iterator[File]:
    """Yield FILES, those that stand where another does already with a number in their names."""
    taken: set[str] = set()
    numbers: Counter[str] = Counter()
    for file in files:
        path = file.path
        while path in taken:
            numbers[file.path] += 1
            wanted = PurePosixPath(file.path)
            path = str(wanted.with_stem(f"{wanted.stem}-{numbers[file.path] + 1}"))
        taken.add(path)
        yield file if path == file.path else replace(file, path=path)


def _carries_record(run: File) -> bool:
    """Tell whether the bytes of RUN have a header."""
    return metadata_in(read_bytes(run.read()), run.path) is not None


def _shares_record(run: File, files: Iterable[File]) -> bool:
    """Tell whether FILES have the record of RUN in a file of its folder that it shares with other runs."""
    place = PurePosixPath(run.path).parent
    return any(
        file.role == "metadata" and PurePosixPath(file.path).parent == place and file.record == run.record
        for file in files
    )


def _descriptions(thing: Thing) -> tuple[tuple[File, ...], tuple[str, ...]]:
    """Return the descriptions of THING in formats of others, and what there is to know about them."""
    files: list[File] = []
    remarks: list[str] = []
    taken = {file.path for file in thing.files}
    for name, path in DESCRIPTIONS.items():
        form = formats().get(name)
        if form is None or form.write is None or thing.kind not in form.of or path in taken:
            continue
        try:
            written_so = form.write(thing)
        except PrimadError as error:
            remarks.append(f"{path} is not in it: {error}")
            continue
        files += [replace(file, path=path, role="other") for file in written_so.files]
        remarks += written_so.remarks
    return tuple(file for file in files if file.read().strip()), tuple(remarks)


def _file(crate: Crate, file: File) -> Reference:
    """Return the entity of FILE."""
    properties = _bytes(file) | {"additionalType": file.role}
    if file.title:
        properties["name"] = file.title
    if file.role == "run" and file.record is not None:
        properties["alternateName"] = file.record.tag
        properties["about"] = [dataset(crate, one) for one in datasets_of(file.record) if one.use == "test"]
        cited = publication_of(file.record)
        properties["citation"] = [publication(crate, cited)] if cited else []
    elif file.about:
        properties["about"] = {"@id": file_id(file.about)}
    return crate.file(file.path, properties)


def _bytes(file: File) -> dict[str, Any]:
    """Return what can be said of the bytes of FILE."""
    return {
        "name": PurePosixPath(file.path).name,
        "encodingFormat": file.media_type,
        "contentSize": str(file.size),
        "sha256": file.sha256,
    }


def _actions(crate: Crate, thing: Thing, entities: dict[str, Reference]) -> list[Reference]:
    """Return the actions of THING, the files of which are ENTITIES by their paths."""
    # Of files with the same bytes the first is meant: of an attempt, what it gave comes before what was submitted.
    actions = Actions(crate, {file.sha256: entities[file.path] for file in reversed(thing.files)})
    of_runs = {file.path for file in thing.runs if file.record is not None}
    for file in thing.files:
        if file.record is not None and file.about not in of_runs:
            actions.made(file.record, [entities[file.path]] if file.role == "run" else [], file.record.tag)
    for deed in thing.deeds:
        actions.done(deed, thing.people)
    if computing := computing_of(thing):
        actions.computed(described(thing), computing, [entities[file.path] for file in computing.outputs])
    return actions.references


def _root(crate: Crate, thing: Thing) -> dict[str, Any]:
    """Return what is said of the crate of THING as a whole."""
    doi = doi_in(thing.stated.doi)
    cited = dict.fromkeys(one for record in thing.records() if (one := publication_of(record)))
    publisher = thing.stated.publisher
    return {
        "name": one_line(thing.title) or thing.name,
        "alternateName": thing.name,
        "additionalType": thing.kind,
        "description": described(thing),
        "datePublished": thing.published_on(),
        "license": licence(crate, thing.stated.licence),
        "author": [person(crate, one) for one in thing.authors],
        "publisher": [organisation(crate, publisher)] if publisher else [],
        "identifier": [f"https://doi.org/{doi}"] * bool(doi) + [thing.identifier] * bool(thing.identifier),
        "url": web_id(thing.identifier),
        "citation": [publication(crate, one) for one in cited],
        "additionalProperty": [
            value(crate, name, said, "fact") for name, said in _flat(redact_tree(dict(thing.facts)))
        ],
        "variableMeasured": [
            measured(crate, number, one)
            for number, one in enumerate(thing.material.measurements[:_MOST_VALUES], start=1)
        ],
    }


def _flat(facts: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the values of FACTS by where they stand, those of a list together."""
    found: dict[str, list[Any]] = {}
    for path, said in leaves(facts):
        if is_stated(said):
            is_listed = len(path) > 1 and isinstance(path[-1], int)
            found.setdefault(written(path[:-1] if is_listed else path), []).append(said)
    for name, values in found.items():
        yield name, values[0] if len(values) == 1 else values


def _remarks(thing: Thing) -> Iterator[str]:
    """Yield what there is to know about the crate of THING itself; its descriptions say what is not stated."""
    beyond = len(thing.material.measurements) - _MOST_VALUES
    if beyond > 0:
        yield f"{beyond:,} measurements are in their file only, not among the entities of the crate"
