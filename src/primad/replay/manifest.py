"""What does a bundle say of the system in it?  Its file ``primad-system.yaml``, checked.

    Manifest        the whole of it
    Prerequisite    what must be there before the system is installed
    Configuration   one way to run the system
    Expected        what a run takes, as its authors say
    MANIFEST        the name of the file
    read_manifest   a manifest from its text, every problem with its line
    manifest_in     the one in a folder
    manifest_tree   a manifest as plain values, and
    manifest_of     back again, without loss
    written         a manifest as the text of its file
    is_among        whether files have what a path in it names

In commands, ``$inputDataset`` is the folder with the data set and ``$outputDir`` the one that the output goes to, as
TIRA has it, so that one system serves both.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path, PurePosixPath
from typing import Any

from primad.errors import DataError, FileError, FormatError, Problem
from primad.metadata.showing import harmless
from primad.safe_yaml import MAX_BYTES, Node, node_of, read_yaml, write_yaml
from primad.trec.files import read_bytes

MANIFEST = "primad-system.yaml"
DEFAULT = "default"  # the configuration of a manifest that names none

_SLUG = re.compile(r"[a-z0-9][a-z0-9._-]{0,59}")
_NO_SLUG = re.compile(r"[^a-z0-9._-]+")
_SLUG_WORDS = "a name of lower case letters, digits, '.', '_' and '-', at most 60 of them"
_UNITS: dict[str, int] = {"b": 1} | {
    f"{letter}{end}": base**power for power, letter in enumerate("kmgt", 1) for end, base in (("b", 1000), ("ib", 1024))
}
_SIZE = re.compile(r"([0-9]{1,12}(?:\.[0-9]{1,9})?)\s*([A-Za-z]{1,3})")
_LARGEST_SIZE = 10**17
_LONGEST_SHOWN = 60
_PREREQUISITE = re.compile(r"([^\s<>=!~]+)\s*(.*)", re.DOTALL)
_STATED_VERSION = re.compile(r"\s*(?:[<>=!~]|[0-9])")


@dataclass(frozen=True)
class Prerequisite:
    """What must be there: NAME, VERSION as its authors state it (">=3.9"), and a command that CHECKs it, if any.

    Without one, the first word of NAME is taken for a program that is asked for its version.
    """

    name: str
    version: str = ""
    check: str = ""
    note: str = ""


@dataclass(frozen=True)
class Configuration:
    """One way to run the system: shell commands, one after the other."""

    name: str
    run: tuple[str, ...]
    about: str = ""


@dataclass(frozen=True)
class Expected:
    """What a run takes, as the authors say: MINUTES, and bytes of MEMORY and DISK; None where they say nothing."""

    minutes: float | None = None
    memory: int | None = None
    disk: int | None = None


@dataclass(frozen=True)
class Manifest:
    """A system as its authors describe it.

    OUTPUT names the files that a run leaves in ``$outputDir``, SAMPLE_OUTPUT is a path in the bundle, and PROGRESS says
    what is seen while it runs.  OPERATING_SYSTEM and LANGUAGE are as a table of systems has them.
    """

    name: str
    version: str = ""
    contact: str = ""
    operating_system: str = ""
    language: str = ""
    prerequisites: tuple[Prerequisite, ...] = ()
    install: tuple[str, ...] = ()
    configurations: Mapping[str, Configuration] = field(default_factory=dict)
    expected: Expected = field(default_factory=Expected)
    progress: str = ""
    output: tuple[str, ...] = ()
    sample_output: str = ""
    about: str = ""


_KEYS = (*(one.name for one in fields(Manifest)), "run")


def read_manifest(text: str, name: str) -> Manifest:
    """Return the manifest that the file NAME has as its TEXT; all that is wrong with it is said at once."""
    return _checked(read_yaml(text, name), name)


def manifest_in(folder: Path) -> Manifest:
    """Return the manifest at the top of FOLDER."""
    path = folder / MANIFEST
    if path.is_symlink() or not path.is_file():
        found = [*folder.glob("primad-system.*"), *folder.glob(f"*/{MANIFEST}")] if folder.is_dir() else []
        others = [one.relative_to(folder).as_posix() for one in sorted(found) if one != path]
        hint = (
            f"there is {others[0]}; it must be {MANIFEST} at the top" if others else "say in it how to run the system"
        )
        raise FileError(str(path), "no such file", hint)
    try:
        return read_manifest(read_bytes(path, limit=MAX_BYTES).decode(), str(path))
    except UnicodeDecodeError as error:
        raise FormatError(str(path), [Problem(1, "UTF-8", f"other bytes at {error.start}")]) from None


def manifest_of(tree: Mapping[str, Any]) -> Manifest:
    """Return the manifest whose plain values are TREE, as manifest_tree gives them."""
    try:
        return _checked(node_of(dict(tree)), MANIFEST)
    except FormatError as error:
        raise DataError(f"{MANIFEST}: {'; '.join(map(str, error.problems))}") from None


def manifest_tree(manifest: Manifest) -> dict[str, Any]:
    """Return MANIFEST as plain values, for YAML and JSON, without what it does not say."""
    plain: dict[str, Any] = {one.name: getattr(manifest, one.name) for one in fields(manifest)}
    expected = {one.name: getattr(manifest.expected, one.name) for one in fields(Expected)}
    return _said(
        plain
        | {
            "prerequisites": [_said(_values_of(one)) for one in manifest.prerequisites],
            "install": list(manifest.install),
            "configurations": {
                name: _said({"about": one.about, "run": list(one.run)}) for name, one in manifest.configurations.items()
            },
            "expected": {
                key: value if key == "minutes" else readable_size(int(value))
                for key, value in expected.items()
                if value is not None
            },
            "output": list(manifest.output),
        }
    )


def written(manifest: Manifest) -> str:
    """Return MANIFEST as the text of its file."""
    return write_yaml(manifest_tree(manifest))


def is_among(path: str, files: Iterable[str]) -> bool:
    """Tell whether PATH is one of FILES, or a folder that has some.

    >>> is_among("runs", ["runs/a.run"]), is_among("a.run", ["runs/a.run"])
    (True, False)
    """
    named = PurePosixPath(path)
    return any(named in (one, *one.parents) for one in map(PurePosixPath, files))


def readable_size(count: int) -> str | int:
    """Return a COUNT of bytes in the largest unit in which it is whole, as a number where there is none.

    >>> readable_size(4_000_000_000), readable_size(1 << 30), readable_size(1234)
    ('4 GB', '1 GiB', 1234)
    """
    for unit, size in sorted(_UNITS.items(), key=lambda one: -one[1]):
        if count and size > 1 and count % size == 0:
            return f"{count // size} {unit.upper().replace('IB', 'iB')}"
    return count


def size_in_bytes(text: str) -> int | None:
    """Return the bytes of a size with its unit, None if TEXT is none.

    >>> size_in_bytes("4 GB"), size_in_bytes("1.5 KiB"), size_in_bytes("much")
    (4000000000, 1536, None)
    """
    found = _SIZE.fullmatch(text.strip())
    if not found or found[2].lower() not in _UNITS:
        return None
    return round(float(found[1]) * _UNITS[found[2].lower()])


def slug_of(text: str) -> str:
    """Return TEXT as a name that a system may have.

    >>> slug_of("My System (v2)"), slug_of("...")
    ('my-system-v2', 'system')
    """
    return _NO_SLUG.sub("-", text.lower()).strip("-._")[:60].strip("-._") or "system"


def _said(values: dict[str, Any]) -> dict[str, Any]:
    """Return VALUES without those that say nothing."""
    return {key: value for key, value in values.items() if value not in ("", None, [], {})}


def _values_of(prerequisite: Prerequisite) -> dict[str, str]:
    """Return what is said of a PREREQUISITE by name."""
    return {one.name: getattr(prerequisite, one.name) for one in fields(prerequisite)}


# Reading ---------------------------------------------------------------------------------------------------------


def _checked(root: Node, name: str) -> Manifest:
    """Return the manifest that ROOT states, or say everything that is wrong in the file NAME."""
    reader = _Reader()
    manifest = reader.manifest(root)
    if reader.problems:
        raise FormatError(name, sorted(reader.problems))
    return manifest


class _Reader:
    """Takes values out of nodes, and keeps what is wrong with them."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def wrong(self, line: int, expected: str, found: str) -> None:
        """Note that something else than EXPECTED was FOUND in LINE."""
        self.problems.append(Problem(line, expected, found))

    def manifest(self, root: Node) -> Manifest:
        """Return the whole manifest."""
        nodes = self._mapping(root, _KEYS, "a manifest: a mapping with at least a name and a command to run")
        nothing = Node(None, root.line)
        texts = {
            key: self._text(nodes.get(key, nothing))
            for key in ("version", "contact", "operating_system", "language", "progress", "about")
        }
        return Manifest(
            name=self._name(nodes.get("name", nothing)),
            prerequisites=tuple(map(self._prerequisite, self._list(nodes.get("prerequisites", nothing)))),
            install=self._texts(nodes.get("install", nothing)),
            configurations=self._configurations(nodes, root),
            expected=self._expected(nodes.get("expected", nothing)),
            output=tuple(filter(None, map(self._path, self._list(nodes.get("output", nothing))))),
            sample_output=self._path(nodes.get("sample_output", nothing)),
            **texts,
        )

    def _mapping(self, node: Node, known: tuple[str, ...], what: str) -> dict[str, Node]:
        """Return the values of a mapping by key; blanks and hyphens in a key are as good as underscores."""
        if not isinstance(node.value, dict):
            self.wrong(node.line, what, _shown(node))
            return {}
        taken: dict[str, Node] = {}
        for key, value in node.value.items():
            plain = key.strip().lower().replace(" ", "_").replace("-", "_")
            if plain in taken:
                self.wrong(value.line, "each key once", f"{key!r} again")
            elif plain in known:
                taken[plain] = value
            else:
                near = difflib.get_close_matches(plain, known, n=1)
                meant = f"; did you mean '{near[0]}'?" if near else ""
                self.wrong(value.line, f"one of the keys {', '.join(known)}", f"{key[:_LONGEST_SHOWN]!r}{meant}")
        return taken

    def _text(self, node: Node) -> str:
        """Return a text, of a number the digits as they were written."""
        if node.value is None:
            return ""
        if isinstance(node.value, dict | list):
            self.wrong(node.line, "text", _shown(node))
            return ""
        text = node.value if isinstance(node.value, str) else node.text or str(node.value)
        if harmless(text, keep="\n\t") != text:
            self.wrong(node.line, "text without control characters", repr(text[:_LONGEST_SHOWN]))
        return text.strip()

    def _list(self, node: Node) -> list[Node]:
        """Return the elements of a list, of which a single one need not be a list."""
        if node.value is None:
            return []
        return node.value if isinstance(node.value, list) else [node]

    def _texts(self, node: Node) -> tuple[str, ...]:
        """Return the texts of a list, or a single one; an empty one in a list is a slip."""
        texts = [(one, self._text(one)) for one in self._list(node)]
        for one, text in texts:
            if not text and not isinstance(one.value, dict | list):
                self.wrong(one.line, "a command", "nothing")
        return tuple(text for _, text in texts if text)

    def _name(self, node: Node, text: str | None = None) -> str:
        """Return the name of a system or configuration, which people type."""
        name = self._text(node) if text is None else text
        if not name:
            self.wrong(node.line, "a name", "none")
        elif not _SLUG.fullmatch(name):
            self.wrong(node.line, _SLUG_WORDS, f"{name[:_LONGEST_SHOWN]!r}; perhaps '{slug_of(name)}'")
        return name

    def _path(self, node: Node) -> str:
        """Return a path within the bundle or the output."""
        path = self._text(node)
        parts = PurePosixPath(path).parts
        if path.startswith(("/", "~")) or ".." in parts or "\\" in path or "\n" in path:
            self.wrong(node.line, "a path below the folder, with '/' between its parts", repr(path[:_LONGEST_SHOWN]))
        return str(PurePosixPath(path)) if path else ""  # ./a//b/ is a/b

    def _prerequisite(self, node: Node) -> Prerequisite:
        """Return a prerequisite: a mapping, or a line with name and version."""
        if not isinstance(node.value, dict):
            return self._prerequisite_in_a_line(node)
        known = tuple(one.name for one in fields(Prerequisite))
        values = {key: self._text(value) for key, value in self._mapping(node, known, "a prerequisite").items()}
        if not values.get("name"):
            self.wrong(node.line, "the name of a prerequisite", "none")
        return Prerequisite(**({"name": ""} | values))

    def _prerequisite_in_a_line(self, node: Node) -> Prerequisite:
        """Return the prerequisite in a line such as 'python >=3.9'."""
        found = _PREREQUISITE.fullmatch(self._text(node))
        if not found:
            self.wrong(node.line, "a prerequisite, such as 'python >=3.9'", _shown(node))
            return Prerequisite("")
        if _STATED_VERSION.match(found[2]):
            return Prerequisite(found[1], found[2])
        return Prerequisite(found[0])

    def _configurations(self, nodes: dict[str, Node], root: Node) -> dict[str, Configuration]:
        """Return the ways to run the system, of which there is at least one."""
        if "run" in nodes and "configurations" in nodes:
            self.wrong(nodes["run"].line, "either 'run' or 'configurations'", "both")
        if "run" in nodes:
            found = {DEFAULT: self._configuration(DEFAULT, nodes["run"])}
        else:
            stated = nodes.get("configurations", Node({}, root.line))
            known = stated.value if isinstance(stated.value, dict) else {}
            found = {self._name(node, name): self._configuration(name, node) for name, node in known.items()}
        if not found:
            line = nodes["configurations"].line if "configurations" in nodes else root.line
            self.wrong(line, "a command under 'run', or at least one of 'configurations' with its commands", "none")
        return found

    def _configuration(self, name: str, node: Node) -> Configuration:
        """Return the configuration of that NAME: its commands, or a mapping that has them."""
        about, commands = Node(None, node.line), node
        if isinstance(node.value, dict):
            values = self._mapping(node, ("run", "about"), "a configuration")
            about, commands = values.get("about", about), values.get("run", Node(None, node.line))
        run = self._texts(commands)
        if not run:
            self.wrong(commands.line, "at least one command to run", "none")
        return Configuration(name, run, self._text(about))

    def _expected(self, node: Node) -> Expected:
        """Return what a run takes."""
        if node.value is None:
            return Expected()
        values = self._mapping(node, tuple(one.name for one in fields(Expected)), "minutes, memory and disk")
        sizes = {key: self._size(values[key]) for key in ("memory", "disk") if key in values}
        return Expected(self._minutes(values.get("minutes", Node(None, node.line))), **sizes)

    def _minutes(self, node: Node) -> float | None:
        """Return a number of minutes."""
        value = node.value
        if value is None:
            return None
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not math.isfinite(value) or value <= 0:
            self.wrong(node.line, "a number of minutes above 0", _shown(node))
            return None
        return float(value)

    def _size(self, node: Node) -> int | None:
        """Return a number of bytes."""
        if node.value is None:
            return None
        is_whole = isinstance(node.value, int) and not isinstance(node.value, bool)
        size = node.value if is_whole else size_in_bytes(node.value) if isinstance(node.value, str) else None
        if size is None or not 0 < size < _LARGEST_SIZE:
            self.wrong(node.line, "a size such as '4 GB', '512 MB', or a number of bytes", _shown(node))
            return None
        return int(size)


def _shown(node: Node) -> str:
    """Return what a message says of NODE."""
    if isinstance(node.value, dict | list):
        return "a mapping" if isinstance(node.value, dict) else "a list"
    return "nothing" if node.value is None else repr(node.text or node.value)[:_LONGEST_SHOWN]
