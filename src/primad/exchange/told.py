"""What does a record tell, in the terms that all formats of others have in common?

    Person        somebody who did something: name, ORCID, team
    Software      a program or a library: name, version, where its source is
    Dataset       what an experiment was done on
    Deed          a command that was carried out: when, by whom, with what, on which files
    people_of, software_of, datasets_of, deed_of, publication_of    each of them, out of a record
    making_of     how a run was made, also where nobody has recorded the command
    is_making_told    whether a record says by what
    orcid_in, doi_in, address_in, repository_in, day_in    what a text writes, empty if it is none

Formats differ in how they write this down, not in what it is.  A record is all that is looked at here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.metadata.record import Record

_ORCID = re.compile(r"(?:https?://orcid\.org/)?([0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9X])/?")
_DOI = re.compile(r"(?:(?:https?://)?(?:dx\.)?doi\.org/|doi:)?(10\.[0-9]{4,9}/\S+)", re.IGNORECASE)
_ADDRESS = re.compile(r"https?://\S+")
_SSH = re.compile(r"(?:ssh://(?:[^@/\s]+@)?([\w.-]+)(?::[0-9]+)?/|git@([\w.-]+):(?!/))(\S+)")
_CHECK_BASE = 11
_DAY = len("2026-11-17")


@dataclass(frozen=True)
class Person:
    """Somebody who did something; ORCID is sixteen digits with hyphens, empty if it is not known or is none."""

    name: str
    orcid: str = ""
    mail: str = ""
    team: str = ""
    role: str = ""

    @property
    def address(self) -> str:
        """Return the address that the ORCID has, empty if there is none."""
        return f"https://orcid.org/{self.orcid}" if self.orcid else ""


@dataclass(frozen=True)
class Software:
    """A program or a library; SOURCE is an address, COMMIT the state that was used."""

    name: str
    version: str = ""
    kind: Literal["program", "toolkit", "library", "runtime", "system"] = "library"
    source: str = ""
    commit: str = ""


@dataclass(frozen=True)
class Dataset:
    """What an experiment was done on; IR_DATASETS is the identifier that this package has for it."""

    name: str
    use: Literal["test", "training", "other"] = "test"
    source: str = ""
    qrels: str = ""
    topics: str = ""
    ir_datasets: str = ""


@dataclass(frozen=True)
class Used:
    """A file that a command read or wrote."""

    path: str
    sha256: str = ""
    bytes: int | None = None


@dataclass(frozen=True)
class Deed:
    """A command that was carried out, and what came of it; STATUS is that of its exit, None if nobody knows it."""

    command: str
    began: str = ""
    ended: str = ""
    status: int | None = None
    inputs: tuple[Used, ...] = ()
    outputs: tuple[Used, ...] = ()


@dataclass(frozen=True)
class Publication:
    """The publication that a record belongs to; DOI without an address in front of it.

    No schema has a field for TITLE and AUTHORS, but a record is open: where somebody has stated them they are here.
    """

    doi: str = ""
    address: str = ""
    venue: str = ""
    year: int | None = None
    title: str = ""
    authors: tuple[str, ...] = ()


def people_of(record: Record) -> tuple[Person, ...]:
    """Return who did what RECORD is about, as far as it says so; of a team without a name, the team."""
    name, team = str(record.get("actor.name", "")), str(record.get("actor.team", ""))
    if not name and not team:
        return ()
    return (
        Person(
            name or team,
            orcid_in(str(record.get("actor.orcid", ""))),
            str(record.get("actor.mail", "")),
            team,
            str(record.get("actor.role", "")),
        ),
    )


def orcid_in(text: str) -> str:
    """Return the ORCID that TEXT writes, with or without its address; empty if its last digit does not check.

    >>> orcid_in("https://orcid.org/0000-0002-0661-7189"), orcid_in("0000-0002-0661-7188")
    ('0000-0002-0661-7189', '')
    """
    found = _ORCID.fullmatch(text.strip())
    if not found:
        return ""
    digits = found[1].replace("-", "")
    total = 0
    for digit in digits[:-1]:
        total = (total + int(digit)) * 2
    check = (_CHECK_BASE + 1 - total % _CHECK_BASE) % _CHECK_BASE
    return found[1] if digits[-1] == ("X" if check == _CHECK_BASE - 1 else str(check)) else ""


def doi_in(text: str) -> str:
    """Return the DOI that TEXT writes, without an address in front of it, empty if it writes none.

    >>> doi_in("https://doi.org/10.1145/3397271.3401036"), doi_in("none")
    ('10.1145/3397271.3401036', '')
    """
    found = _DOI.fullmatch(text.strip())
    return found[1] if found else ""


def address_in(text: str) -> str:
    """Return TEXT if it is an address of the web, empty otherwise."""
    found = _ADDRESS.fullmatch(text.strip())
    return found[0] if found else ""


def repository_in(text: str) -> str:
    """Return the address of the web at which the repository TEXT is, also where it is reached by SSH.

    >>> repository_in("git@example.org:team/code.git"), repository_in("https://example.org/code"), repository_in("code")
    ('https://example.org/team/code.git', 'https://example.org/code', '')
    """
    found = _SSH.fullmatch(text.strip())
    return f"https://{found[1] or found[2]}/{found[3]}" if found else address_in(text)


def program_of(record: Record) -> Software | None:
    """Return the code that made the run, None if nothing is said of it."""
    repository = str(record.get("implementation.source.repository", ""))
    release = str(record.get("implementation.source.release", ""))
    program = str(record.get("implementation.executable.program", ""))
    name, _, version = release.partition("==")
    name = name or repository.rstrip("/").rsplit("/", 1)[-1].removesuffix(".git") or program
    if not name:
        return None
    commit = str(record.get("implementation.source.commit", ""))
    return Software(name, version or commit, "program", repository_in(repository), commit)


def software_of(record: Record) -> tuple[Software, ...]:
    """Return the toolkits, runtimes and libraries that RECORD names, with their versions, and its operating system."""
    found = [_pinned(text, "toolkit") for text in _texts(record.get("platform.software.retrieval toolkit"))]
    found += [_pinned(text, "runtime") for text in _texts(record.get("platform.software.runtime"))]
    libraries = record.get("platform.software.libraries", {})
    lists = libraries.values() if isinstance(libraries, dict) else [libraries]
    found += [_pinned(text, "library") for texts in lists for text in _texts(texts)]
    system = str(record.get("platform.operating system.distribution", ""))
    kernel = str(record.get("platform.operating system.kernel", ""))
    found += [Software(system or kernel, kernel, "system")] if system or kernel else []
    return tuple(found)


def datasets_of(record: Record) -> tuple[Dataset, ...]:
    """Return what the experiment of RECORD was done on: its test collection first."""
    found = [_dataset(record.get("data.test collection"), "test")]
    found += [_dataset(value, "training") for _, value in record.find("data.training data[]")]
    found += [_dataset(value, "other") for _, value in record.find("data.other[]")]
    return tuple(one for one in found if one is not None)


def deed_of(record: Record) -> Deed | None:
    """Return the command that made the run, None if RECORD does not tell it."""
    deed = making_of(record)
    return deed if deed.command else None


def is_making_told(record: Record) -> bool:
    """Tell whether RECORD says by what the run was made: a command, a program, a toolkit or a library."""
    tools = (one for one in software_of(record) if one.kind != "system")
    return deed_of(record) is not None or program_of(record) is not None or any(tools)


def making_of(record: Record) -> Deed:
    """Return how the run was made, as far as RECORD tells it; the command is empty if it does not."""
    return Deed(
        str(record.get("implementation.executable.cmd", "")),
        str(record.get("resources.runtime.start time", "")),
        str(record.get("resources.runtime.stop time", "")),
        _whole(record.get("resources.exit status")),
        tuple(_used(record, "data.inputs[]")),
        tuple(_used(record, "data.outputs[]")),
    )


def publication_of(record: Record) -> Publication | None:
    """Return the publication that RECORD belongs to, None if it names none: a venue alone is no publication."""
    top = "research goal.publication"
    doi = doi_in(str(record.get(f"{top}.doi", "")))
    others = (str(record.get(f"{top}.{key}", "")) for key in ("url", "dblp", "arxiv"))
    address = next((found for text in others if (found := address_in(text))), "")
    year = record.get("research goal.venue.year")
    venue = str(record.get("research goal.venue.name", ""))
    title = str(record.get(f"{top}.title", ""))
    if not (doi or address or title):
        return None
    authors = tuple(_texts(record.get(f"{top}.authors")))
    return Publication(doi, address, venue, _whole(year), title, authors)


def day_in(text: str) -> str:
    """Return the day of the date or the time that TEXT writes as ISO 8601 does, empty if it writes none.

    >>> day_in("2026-11-17T23:59:00+01:00"), day_in("17.11.2026")
    ('2026-11-17', '')
    """
    beginning, rest = text.strip()[:_DAY], text.strip()[_DAY:]
    try:
        day = date.fromisoformat(beginning)
    except ValueError:
        return ""
    return day.isoformat() if day.isoformat() == beginning and rest[:1] in ("", "T", "t", " ") else ""


def _pinned(text: str, kind: Literal["toolkit", "library", "runtime"]) -> Software:
    """Return the software that TEXT such as 'numpy==2.4' names."""
    name, _, version = text.partition("==")
    return Software(name.strip(), version.strip(), kind)


def _whole(value: Any) -> int | None:
    """Return VALUE if it is a whole number, None otherwise."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _texts(value: Any) -> list[str]:
    """Return VALUE, a text or a list, as texts."""
    values = value if isinstance(value, list) else [] if value is None else [value]
    return [str(one) for one in values]


def _dataset(value: Any, use: Literal["test", "training", "other"]) -> Dataset | None:
    """Return the data that VALUE describes, None if it says nothing."""
    if not isinstance(value, dict):
        return Dataset(str(value), use) if value else None
    said = {key: str(value.get(key) or "") for key in ("name", "source", "qrels", "topics", "ir_datasets")}
    name = said.pop("name") or said["ir_datasets"] or said["source"]
    return Dataset(name, use, **said) if name else None


def _used(record: Record, path: str) -> Iterator[Used]:
    """Yield the files that RECORD lists at PATH."""
    for _, value in record.find(path):
        if isinstance(value, dict) and value.get("path"):
            size = value.get("bytes")
            yield Used(str(value["path"]), str(value.get("sha256") or ""), _whole(size))
