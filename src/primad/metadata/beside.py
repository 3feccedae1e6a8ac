"""Which file beside a run holds its metadata?

    Folder       the files of a folder, listed once, and the metadata file of each run among them
    named_after  the names of files that can only be about one run

A file that is named after a run is about this run only: ``<run>.meta``, ``<run>.yml``, ``<run>-metadata.yml``.  Any
other run of the folder has the one file that is about the whole folder: ``ir-metadata.yml``, ``metadata.yml``, or
``X-metadata.yml`` where no run has the name X.  A file whose name says less must say something of a record: YAML beside
a run is often a configuration.
"""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path

from primad.errors import NoMetadata
from primad.metadata.recording.written import looks_like_run
from primad.safe_yaml import MAX_BYTES
from primad.trec.files import PACKINGS

METADATA_SUFFIXES = (".yml", ".yaml", ".meta")

_SUFFIXES = (".meta", ".yml", ".yaml", "-metadata.yml", "-metadata.yaml", "-ir-metadata.yml", ".ir-metadata.yml")
_SHARED_NAMES = ("ir-metadata.yml", "ir-metadata.yaml", ".ir-metadata.yml", "metadata.yml", "metadata.yaml")
_SHARED_SUFFIXES = ("-ir-metadata.yml", "-ir-metadata.yaml", "-metadata.yml", "-metadata.yaml")
_SAYS_ENOUGH = re.compile(r".*(\.meta|ir-metadata\.ya?ml)", re.DOTALL)
_COMPONENT = re.compile(
    rb"^(?:\xef\xbb\xbf)?(?:\{\s*)?[\"']?"
    rb"(platform|research[ _-]goal|implementation|method|actor|data|resources|tag|(schema|run)[ _-]version)"
    rb"[\"']?[ \t]*:",
    re.MULTILINE | re.IGNORECASE,
)


class Folder:
    """The files of a folder: which of them is the metadata of which run?"""

    def __init__(self, path: Path, names: list[str] | None = None) -> None:
        """Look at the files of the folder PATH, whose NAMES may be known already."""
        self.path = path
        self.names = frozenset(_listed(path) if names is None else names)

    def side_file(self, run: str) -> Path | None:
        """Return the metadata file of the RUN of this folder: the one named after it, else the one of the folder."""
        for name in named_after(run):
            if name != run and self._is_metadata(name):
                return self.path / name
        shared = [name for name in self._shared if name != run]
        if len(shared) > 1:
            found = f"found {len(shared)}: {', '.join(shared)}"
            expected = f"expected metadata in the file or one metadata file beside it, {found}"
            raise NoMetadata(str(self.path / run), expected, "name the one that is meant")
        return self.path / shared[0] if shared else None

    @cached_property
    def _shared(self) -> list[str]:
        """Return the metadata files that are about no run by name."""
        named = [
            name
            for suffix in _SHARED_SUFFIXES
            for name in sorted(self.names)
            if name.endswith(suffix) and not self._has_run(_named_by(name))
        ]
        return [name for name in dict.fromkeys((*_SHARED_NAMES, *named)) if self._is_metadata(name)]

    def _has_run(self, name: str) -> bool:
        """Tell whether a run of this folder has the NAME, its suffixes apart."""
        return any(looks_like_run(self.path / file) for file in self._by_name.get(name, ()))

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        """Return the files that may be runs by each of their names."""
        files: dict[str, list[str]] = {}
        for file in self.names:
            for name in _names_of(file) if not file.endswith(METADATA_SUFFIXES) else ():
                files.setdefault(name, []).append(file)
        return files

    def _is_metadata(self, name: str) -> bool:
        """Tell whether the file NAME is there, and is metadata by its name or by what it says."""
        if name not in self.names or not (self.path / name).is_file():
            return False
        return bool(_SAYS_ENOUGH.fullmatch(name)) or states_component(self.path / name)


def named_after(run: str) -> list[str]:
    """Return the names that a metadata file about the RUN alone may have, the first that is there being the one.

    >>> named_after("a.run")[:3], "a.yml" in named_after("a.run.gz")
    (['a.run.meta', 'a.run.yml', 'a.run.yaml'], True)
    """
    return [name + suffix for name in _names_of(run) for suffix in _SUFFIXES]


def states_component(path: Path) -> bool:
    """Tell whether a file has a component of a record at its top level, whatever else is wrong with it."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as stream:
            return _COMPONENT.search(stream.read(MAX_BYTES)) is not None
    except OSError:
        return False


def _named_by(side_file: str) -> str:
    """Return the name that a SIDE_FILE has, what makes it metadata apart."""
    return next(side_file.removesuffix(suffix) for suffix in _SHARED_SUFFIXES if side_file.endswith(suffix))


def _listed(folder: Path) -> list[str]:
    """Return the names of the files in FOLDER, none if that is not possible."""
    try:
        return [path.name for path in folder.iterdir()]
    except OSError:
        return []


def _names_of(run: str) -> list[str]:
    """Return the names that a RUN goes by: whole, unpacked, and without suffix."""
    unpacked = run
    for suffix in PACKINGS:
        unpacked = unpacked.removesuffix(suffix)
    return list(dict.fromkeys((run, unpacked, Path(unpacked).stem)))
