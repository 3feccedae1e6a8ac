"""What is handed from one tool to another?

    Thing         files with what is known of them: a run, an experiment, an assessment, an attempt, a collection
    File          one of its files: where it stands, what it is for, and how its bytes are got
    Statement     what only whoever publishes a thing can say: title, authors, licence, date, publisher, DOI
    side_file     the metadata of a run as a file beside it, for runs whose own bytes carry none
    measurements_file   measurements as a file of their own

Every format is written from a thing, and every format that can be read gives one.  Bytes are read when a format asks
for them, so that a thing of many runs does not hold them all.
"""

from __future__ import annotations

import hashlib
import mimetypes
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from primad.exchange.told import Deed, Person, day_in, people_of
from primad.metadata.record import Record
from primad.qra.material import Material
from primad.qra.writing import as_yaml

MEASUREMENTS = "measurements.qra.yaml"

Kind = Literal["run", "experiment", "assessment", "precision", "attempt", "query", "collection"]
Role = Literal["run", "metadata", "qrels", "topics", "measurements", "result", "system", "transcript", "sheet", "other"]

_MEDIA_TYPES = {
    "run": "text/plain",
    "qrels": "text/plain",
    "topics": "text/plain",
    "metadata": "application/yaml",
}
_BY_SUFFIX = {
    ".cff": "application/yaml",
    ".jsonl": "application/jsonl",
    ".md": "text/markdown",
    ".tex": "application/x-tex",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
    ".gz": "application/gzip",
}


@dataclass(frozen=True)
class File:
    """A file of a thing.

    path      where it stands below the folder of the thing, with slashes
    role      what it is for
    read      gives its bytes, as they are on the disk: packed where they are packed
    record    what it says about itself, of a run, or of a file of metadata
    about     of metadata in a file of its own, the path of the run that it is about
    title     what a person calls it
    """

    path: str
    role: Role
    read: Callable[[], bytes] = field(repr=False)
    record: Record | None = None
    about: str = ""
    title: str = ""

    @classmethod
    def of_path(cls, source: Path, path: str, role: Role, **more: Any) -> File:
        """Return the file SOURCE on the disk, which stands at PATH in the thing."""
        return cls(path, role, source.read_bytes, **more)

    @classmethod
    def of_bytes(cls, data: bytes, path: str, role: Role, **more: Any) -> File:
        """Return DATA as a file that stands at PATH in the thing."""
        return cls(path, role, lambda: data, **more)

    @cached_property
    def sha256(self) -> str:
        """Return the digest of its bytes."""
        return hashlib.sha256(self.read()).hexdigest()

    @cached_property
    def size(self) -> int:
        """Return how many bytes it has."""
        return len(self.read())

    @property
    def media_type(self) -> str:
        """Return of what kind its bytes are, as the web says it."""
        suffix = PurePosixPath(self.path).suffix.lower()
        known = _BY_SUFFIX.get(suffix) or mimetypes.guess_type(self.path)[0]
        return known or _MEDIA_TYPES.get(self.role, "application/octet-stream")

    @property
    def tag(self) -> str:
        """Return the tag of a run, or the name of the file."""
        return (self.record.tag if self.record else "") or PurePosixPath(self.path).name


@dataclass(frozen=True)
class Statement:
    """What only whoever publishes a thing can say; empty where nobody has said it.

    licence is an identifier of SPDX or an address, date as ISO 8601 writes it; authors count in place of those whom
    records name.
    """

    title: str = ""
    licence: str = ""
    date: str = ""
    publisher: str = ""
    doi: str = ""
    description: str = ""
    authors: tuple[Person, ...] = ()


@dataclass(frozen=True)
class Thing:
    """Something that is handed over whole.

    kind          what it is
    name          short, and fit for the name of a file
    title         what a person calls it
    description   one or two sentences
    files         in the order in which a person would look at them
    material      the measurements that it has, if any
    facts         what else is known, by name: plain values, in words that a person reads
    deeds         the commands that were carried out and that no record of it tells, as those of an attempt
    people        who carried them out
    identifier    under which permanent address it is kept, if it is kept anywhere
    stated        what its publisher says of it
    left_out      a line on each thing that belongs to it and is not handed over
    """

    kind: Kind
    name: str
    title: str
    description: str = ""
    files: tuple[File, ...] = ()
    material: Material = field(default_factory=Material)
    facts: Mapping[str, Any] = field(default_factory=dict)
    identifier: str = ""
    stated: Statement = Statement()
    left_out: tuple[str, ...] = ()
    deeds: tuple[Deed, ...] = ()
    people: tuple[Person, ...] = ()

    def stating(self, stated: Statement) -> Thing:
        """Return it with what its publisher says of it."""
        title, description = stated.title or self.title, stated.description or self.description
        return replace(self, stated=stated, title=title, description=description)

    def of_role(self, *roles: Role) -> tuple[File, ...]:
        """Return the files that are for one of ROLES."""
        return tuple(file for file in self.files if file.role in roles)

    @property
    def runs(self) -> tuple[File, ...]:
        """Return its runs."""
        return self.of_role("run")

    def records(self) -> Iterator[Record]:
        """Yield what its runs say about themselves, and metadata that is about no run of it."""
        of_runs = {file.path for file in self.runs if file.record is not None}
        for file in self.files:
            if file.record is not None and file.about not in of_runs:
                yield file.record

    @property
    def authors(self) -> tuple[Person, ...]:
        """Return those whom its publisher states, else all whom records and deeds name, each once.

        People are told apart by their ORCID, or else by name and team.
        """
        named = [*(person for record in self.records() for person in people_of(record)), *self.people]
        found: dict[str, Person] = {}
        for person in self.stated.authors or named:
            found.setdefault(person.orcid or f"{person.name}\n{person.team}", person)
        return tuple(found.values())

    def published_on(self) -> str:
        """Return the day that it is published on, as 2026-11-17: as stated, else that of its newest run, else today.

        A run is as new as the time at which its command stopped.
        """
        times = (str(record.get("resources.runtime.stop time", "")) for record in self.records())
        newest = max(map(day_in, times), default="")
        return day_in(self.stated.date) or newest or datetime.now(UTC).date().isoformat()


def side_file(run: str, record: Record) -> File:
    """Return RECORD as the file of metadata beside the run at the path RUN."""
    return File.of_bytes(record.to_yaml().encode(), f"{run}.meta", "metadata", record=record, about=run)


def measurements_file(material: Material) -> File:
    """Return MATERIAL as a file of measurements, without what was remarked when it was read."""
    text = as_yaml(replace(material, remarks=()))
    return File.of_bytes(text.encode(), MEASUREMENTS, "measurements")
