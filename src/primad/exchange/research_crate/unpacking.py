"""What is in a research object that somebody hands us?

    read            an RO-Crate, of version 1.0 to 1.3 and of any profile, as a thing
    looks_like      whether a file or folder is one

A crate of ours comes back as it was: the same bytes, the same records.  Of others the files are told apart by content,
as everywhere, and a run that says nothing about itself gets a record of what the crate says of how it was made.
Digests are checked; what the crate names and does not have, or keeps elsewhere, is never fetched, only said.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from primad.errors import FileError
from primad.exchange.formats import Received, reads
from primad.exchange.gathering import gather, role_of, short_name
from primad.exchange.licences import SPDX
from primad.exchange.plain_text import counted
from primad.exchange.research_crate.graph import read_graph
from primad.exchange.research_crate.packing import describe, published
from primad.exchange.research_crate.recounting import FILES, recounted
from primad.exchange.research_crate.words import (
    DESCRIPTION,
    METADATA,
    METADATA_OF_1_0,
    NO_LICENCE,
    PROFILE,
    describes_crate,
)
from primad.exchange.thing import File, Kind, Role, Statement, Thing, side_file
from primad.exchange.told import Person, day_in, doi_in, orcid_in
from primad.qra.material import Material
from primad.qra.measurement import Measurement, number_of
from primad.trec.files import read_bytes

if TYPE_CHECKING:
    from primad.exchange.research_crate.graph import Entity, Graph

_ACTIONS = ("CreateAction", "UpdateAction", "ActivateAction")
_DIGESTS = ("sha512", "sha256", "sha1")
_COUNT = re.compile(r"[0-9]{1,15}")
# What a crate says of a file that its content cannot contradict.
_SAID: tuple[Role, ...] = ("qrels", "topics", "result", "system", "transcript", "sheet", "other")
_MOST_RECORDS = 1000
_MOST_NAMED = 3
_MOST_LINES = 30
_LONGEST_SHOWN = 200


def looks_like(path: Path) -> bool:
    """Tell whether the file or folder PATH is a crate, or only the metadata of one."""
    return _home(path) is not None if path.is_dir() else path.name.endswith((METADATA, METADATA_OF_1_0))


@reads("ro-crate", title="RO-Crate (Process Run Crate)", source=PROFILE, recognise=looks_like)
def read(path: Path) -> Received:
    """Return what the crate at PATH holds and says."""
    home = _home(path) if path.is_dir() else None
    metadata = path if home is None else _metadata_in(home)
    assert metadata is not None  # noqa: S101 - looks_like has found it
    reading = _Reading(read_graph(metadata), home)
    thing = reading.thing(path.stem if home is None else home.resolve().name)
    return Received(thing, tuple(reading.lost(thing)), tuple(reading.remarks(thing)))


def _home(path: Path) -> Path | None:
    """Return the folder of the crate at PATH: itself, the one folder in it, or where a bag keeps what it holds."""
    try:
        folders = [one for one in path.iterdir() if one.is_dir() and not one.is_symlink()]
    except OSError:
        return None
    places = [path, path / "data", *(folders if len(folders) == 1 else ())]
    return next((one for one in places if not one.is_symlink() and _metadata_in(one)), None)


def _metadata_in(folder: Path) -> Path | None:
    """Return the file of metadata in FOLDER, None if there is none that can be read."""
    files = (folder / METADATA, folder / METADATA_OF_1_0)
    return next((one for one in files if one.is_file() and not one.is_symlink()), None)


@dataclass
class _Reading:
    """The crate of GRAPH while it is read; HOME is its folder, None where only its metadata is there."""

    graph: Graph
    home: Path | None
    counts: dict[str, list[str]] = field(default_factory=dict)
    unlisted: int = 0
    left_out: tuple[str, ...] = ()

    def thing(self, name: str) -> Thing:
        """Return what the crate is; its folder is called NAME."""
        graph, root = self.graph, self.graph.root
        listed = dict(self._listed())
        gathered = Thing("experiment", name, name) if self.home is None else gather(self.home)
        files = list(self._recounted(self._files(gathered, listed), listed))
        title = graph.text(root, "name") or name
        self.left_out = gathered.left_out
        return Thing(
            self._kind(gathered, files),
            short_name(graph.text(root, "alternateName") or title),
            title,
            graph.text(root, "description"),
            tuple(files),
            gathered.material if gathered.material != Material() else self._measured(title),
            dict(self._facts()),
            next((one for one in graph.texts(root, "identifier") if not doi_in(one)), ""),
            self._stated(tuple(files)),
        )

    def _listed(self) -> Iterator[tuple[str, Entity]]:
        """Yield the files that the crate lists and that can be in it, by path; what cannot be is counted."""
        for entity in self.graph.entities.values():
            is_file = not set(self.graph.types(entity)).isdisjoint(FILES)
            place, path = self.graph.place(entity)
            there = "" if self.home is None else os.path.join(self.home, path)  # noqa: PTH118 - Path fails on long names
            if place == "here" and (is_file or os.path.isfile(there)):  # noqa: PTH113
                yield path, entity
            elif place == "here" and os.path.isdir(there):  # noqa: PTH112
                self.graph.use(entity)  # a folder, which is as its files are
            elif place == "outside" and is_file:
                self.graph.use(entity)
                self._count("with a path that leads out of the crate, which nobody has followed", entity["@id"])
            elif place == "elsewhere" and is_file:
                self.graph.use(entity)
                self._count("on the web, which nobody has fetched", entity["@id"])

    def _count(self, what: str, name: str) -> None:
        """Count a file called NAME that is WHAT."""
        self.counts.setdefault(what, []).append(name)

    def _files(self, gathered: Thing, listed: dict[str, Entity]) -> Iterator[File]:
        """Yield the files that were GATHERED, those LISTED first and in this order; what describes a crate is not."""
        by_path = {file.path: file for file in gathered.files if not describes_crate(file.path)}
        for path, entity in listed.items():
            file = by_path.pop(path, None) or self._hidden(path)
            if file is None and not describes_crate(path):
                self._count("that the crate lists and does not have", path)
            self.graph.use(entity)
            if file is not None:
                self._refuse_other_bytes(file, entity)
                if self.graph.text(entity, "additionalType") != DESCRIPTION:
                    yield self._said(file, entity)
        self.unlisted = len(by_path)
        yield from by_path.values()

    def _hidden(self, path: str) -> File | None:
        """Return the file at PATH that gathering leaves out because its name begins with a dot, None if it is none."""
        parts = path.split("/")
        if self.home is None or not any(part.startswith(".") for part in parts):
            return None
        steps = [self.home.joinpath(*parts[: depth + 1]) for depth in range(len(parts))]
        # As in _listed: a name that no disk can have is no file.
        if any(map(os.path.islink, steps)) or not os.path.isfile(steps[-1]):  # noqa: PTH113
            return None
        role = role_of(parts[-1], read_bytes(steps[-1]))
        return File.of_path(steps[-1], path, "other" if role in ("run", "metadata", "measurements") else role)

    def _refuse_other_bytes(self, file: File, entity: Entity) -> None:
        """Refuse FILE if it is not the one that ENTITY tells of; a size that does not fit is counted."""
        for name in _DIGESTS:
            said = self.graph.text(entity, name).strip().lower()
            found = hashlib.new(name, file.read(), usedforsecurity=False).hexdigest() if said else ""
            if said != found:
                raise FileError(
                    file.path,
                    f"is not the file that the crate tells of: expected {name} {said[:128]}, found {found}",
                    "get the crate again from where it is kept",
                )
        size = self.graph.text(entity, "contentSize")
        if _COUNT.fullmatch(size) and int(size) != file.size:
            self._count("whose size is not as the crate says", file.path)

    def _said(self, file: File, entity: Entity) -> File:
        """Return FILE with what ENTITY says that it is for, where its content does not say otherwise."""
        said = self.graph.text(entity, "additionalType")
        name = self.graph.text(entity, "name")
        title = "" if name == file.path.rsplit("/", 1)[-1] else name
        role: Role = next((one for one in _SAID if one == said), file.role)
        is_other = role != file.role
        return replace(file, role=role, title=title, record=None if is_other else file.record)

    def _recounted(self, files: Iterator[File], listed: dict[str, Entity]) -> Iterator[File]:
        """Yield FILES, and beside each run without a record one by what an action says; of no run, those of actions."""
        makers = self._makers()
        has_any = False
        for file in files:
            has_any = has_any or file.role == "run" or file.record is not None
            entity = listed.get(file.path, {"@id": ""})
            maker = makers.get(entity["@id"])
            record = None
            if file.role == "run" and file.record is None and maker is not None:
                record = recounted(self.graph, maker, entity)
            yield file if record is None else replace(file, record=record)
            if record is not None:
                yield side_file(file.path, record)
        if not has_any and self._stated_kind() is None:  # a crate of ours has all of its records in files
            yield from self._records()

    def _makers(self) -> dict[str, Entity]:
        """Return the action that each result came from; a step counts before the workflow that it is a step of."""
        workflows = {one["@id"] for one in self.graph.references(self.graph.root, "mainEntity")}
        found: dict[str, Entity] = {}
        for action in self.graph.of_type(*_ACTIONS):
            is_whole = any(one["@id"] in workflows for one in self.graph.references(action, "instrument"))
            for result in self.graph.references(action, "result"):
                for one in (result, *self.graph.references(result, "hasPart")):
                    if not is_whole or one["@id"] not in found:
                        found[one["@id"]] = action
        return found

    def _records(self) -> Iterator[File]:
        """Yield a record of each action, of a crate that holds no run."""
        taken: Counter[str] = Counter()
        for action in list(self.graph.of_type(*_ACTIONS))[:_MOST_RECORDS]:
            record = recounted(self.graph, action)
            if record is None:
                continue
            name = short_name(self.graph.text(action, "name") or action["@id"])[:100]
            taken[name] += 1
            path = f"{name}-{taken[name]}.yml" if taken[name] > 1 else f"{name}.yml"
            yield File.of_bytes(record.to_yaml().encode(), path, "metadata", record=record)

    def _kind(self, gathered: Thing, files: list[File]) -> Kind:
        """Return what the crate is: as it says, else one run if there is nothing but that, else as GATHERED."""
        is_run = [file.role for file in files if file.role != "metadata"] == ["run"]
        return self._stated_kind() or ("run" if is_run else gathered.kind)

    def _stated_kind(self) -> Kind | None:
        """Return what a crate of ours says that it is, None if it is of others."""
        said = self.graph.text(self.graph.root, "additionalType")
        return next((one for one in get_args(Kind) if one == said), None)

    def _measured(self, title: str) -> Material:
        """Return the values that the crate says were measured."""
        found = []
        for entity in self.graph.references(self.graph.root, "variableMeasured"):
            name, value = self.graph.text(entity, "name"), self.graph.text(entity, "value")
            if name and number_of(value) is not None:
                self.graph.use(entity)
                unit = self.graph.text(entity, "unitText")
                found.append(Measurement(object=title, measurand=name, value=value, unit=unit))
        return Material(tuple(found))

    def _facts(self) -> Iterator[tuple[str, Any]]:
        """Yield what else the crate says of itself, by name."""
        for entity in self.graph.references(self.graph.root, "additionalProperty"):
            value = entity.get("value")
            is_plain = all(
                isinstance(one, str | int | float) for one in (value if isinstance(value, list) else [value])
            )
            if (name := self.graph.text(entity, "name")) and is_plain:
                self.graph.use(entity)
                yield name, value

    def _stated(self, files: tuple[File, ...]) -> Statement:
        """Return what the publisher of the crate with FILES says; authors only where records name others."""
        graph, root = self.graph, self.graph.root
        publishers = graph.references(root, "publisher")
        licences = graph.references(root, "license")
        graph.use(*publishers[:1], *licences[:1], *graph.references(root, "conformsTo"))
        licence = licences[0]["@id"] if licences else graph.text(root, "license")
        if licence.startswith("#"):
            licence = "" if licence == NO_LICENCE else graph.text(licences[0], "name", "description")
        authors = tuple(map(self._person, graph.references(root, "author")))
        named = {one.name for one in Thing("experiment", "", "", files=files).authors}
        return Statement(
            authors=() if {one.name for one in authors} == named else authors,
            licence=licence.removeprefix(SPDX),
            date=day_in(graph.text(root, "datePublished")),
            publisher=graph.text(publishers[0], "name") if publishers else graph.text(root, "publisher"),
            doi=next((found for one in graph.texts(root, "identifier") if (found := doi_in(one))), ""),
        )

    def _person(self, author: Entity) -> Person:
        """Return AUTHOR, a person or an organisation."""
        teams = self.graph.references(author, "affiliation")
        self.graph.use(author, *teams[:1])
        name = self.graph.text(author, "name") or author["@id"]
        is_team = "Organization" in self.graph.types(author)
        team = (
            name if is_team else self.graph.text(teams[0], "name") if teams else self.graph.text(author, "affiliation")
        )
        return Person(name, orcid_in(author["@id"]), team=team, role=self.graph.text(author, "description"))

    def lost(self, thing: Thing) -> Iterator[str]:
        """Yield a line on what the crate says and THING does not: entities by type, and files that are not there."""
        again = {one["@id"]: one for one in json.loads(describe(published(thing)))["@graph"]}
        self.graph.use(*(one for one in self.graph.entities.values() if again.get(one["@id"]) == one))
        unused = self.graph.unused().most_common()
        for what, number in sorted(unused[:_MOST_LINES]):
            yield f"{counted(number, 'entity', 'entities')} of type {_shown(what)}"
        if unused[_MOST_LINES:]:
            yield f"{sum(number for _, number in unused[_MOST_LINES:]):,} entities of other types"
        for what, names in self.counts.items():
            yield f"{counted(len(names), 'file')} {what}: {_some(names)}"
        if thing.facts:
            told = _shown(", ".join(thing.facts))
            yield f"{counted(len(thing.facts), 'fact')} on the {thing.kind} as a whole: {told}"
        yield from self.left_out

    def remarks(self, thing: Thing) -> Iterator[str]:
        """Yield what there is to know about THING."""
        licence = _shown(thing.stated.licence) or "none is stated"
        by = _some([one.name for one in thing.stated.authors])
        yield f"the crate is called '{_shown(thing.title)}'{', by ' * bool(by)}{by}; its licence: {licence}"
        if self.unlisted:
            yield f"files in the folder that the crate does not list, taken over all the same: {self.unlisted:,}"
        if self.graph.repeated:
            yield f"entities that are described again, of which the first description counts: {self.graph.repeated:,}"


def _some(names: list[str]) -> str:
    """Return the first of NAMES as a message can have them."""
    return ", ".join(map(_shown, names[:_MOST_NAMED])) + " and others" * (len(names) > _MOST_NAMED)


def _shown(text: str) -> str:
    """Return TEXT as a message can have it."""
    short = text[:_LONGEST_SHOWN] + "..." * (len(text) > _LONGEST_SHOWN)
    return short if short.isprintable() else ascii(short)[1:-1]
