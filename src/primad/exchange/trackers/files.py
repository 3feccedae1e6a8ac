"""How are the folders of a tracker read without harm?

    files_below    the plain files below a folder, by their paths
    folders_with   the folders below a path that have a certain file in them
    small_text     the text of a small file, None if it is too large or none
    loose_json     JSON as Python writes it, with numbers that are none as text, and floats as they were written

Links are not followed, and of files and folders there may be only so many.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Self

from primad.errors import FileError
from primad.exchange.gathering import MOST_FILES
from primad.qra.reading.foreign import LARGEST_TREE, json_of, read_text
from primad.safe_yaml import MAX_DEPTH

LARGEST_VALUE = 1 << 16  # of a parameter or a tag; MLflow takes 8,000 characters
_DEEPEST = 4  # folders between what somebody names and the runs: mlruns, experiment, run
_DEEPEST_JSON = MAX_DEPTH - 6  # which leaves room for the record around it


class WrittenFloat(float):
    """A number with a point or an exponent, and the text that wrote it."""

    text: str

    def __new__(cls, text: str) -> Self:
        """Read TEXT, and keep it."""
        number = super().__new__(cls, text)
        number.text = text
        return number


def files_below(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield each file below FOLDER that is no link, with its path below it, in their order."""
    found = []
    for place, folders, names in os.walk(folder):
        folders[:] = [one for one in folders if not Path(place, one).is_symlink()]
        found += [path for name in names if not (path := Path(place, name)).is_symlink() and path.is_file()]
        if len(found) > MOST_FILES:
            raise FileError(str(folder), f"has more than {MOST_FILES:,} files", "import parts of it")
    yield from sorted((path.relative_to(folder).as_posix(), path) for path in found)


def folders_with(name: str, top: Path, *, but: Collection[str] = ()) -> Iterator[Path]:
    """Yield the folders at or below TOP, in their order, that have a file called NAME, leaving out folders called BUT.

    Only a few levels are looked at, and only so many folders.
    """
    waiting, seen = [(top, 0)], 0
    while waiting:
        folder, depth = waiting.pop()
        seen += 1
        if seen > MOST_FILES:
            raise FileError(str(top), f"has more than {MOST_FILES:,} folders", "import parts of it")
        file = folder / name
        if file.is_file() and not file.is_symlink():
            yield folder
        if depth < _DEEPEST:
            inner = sorted(_folders_in(folder, but), reverse=True)
            waiting += [(one, depth + 1) for one in inner]


def _folders_in(folder: Path, but: Collection[str]) -> Iterator[Path]:
    """Yield the folders in FOLDER that are neither links nor hidden nor called BUT."""
    try:
        for entry in os.scandir(folder):
            if entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".") and entry.name not in but:
                yield Path(entry.path)
    except OSError as error:
        raise FileError(str(folder), f"cannot be read ({error.strerror})") from None


def small_text(path: Path) -> str | None:
    """Return the text of PATH without blanks around it; None for what is no text, and for more than a value has."""
    try:
        with path.open("rb") as stream:
            data = stream.read(LARGEST_VALUE + 1)
        return None if len(data) > LARGEST_VALUE else data.decode().strip()
    except (OSError, UnicodeDecodeError):
        return None


def loose_json(path: Path, *, limit: int = LARGEST_TREE) -> Any:
    """Return what the JSON file PATH of at most LIMIT bytes says; NaN and Infinity are the words, nothing is unpickled.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "run.json").write_text('{"a": NaN, "b": 0.50}')
    ...     said = loose_json(Path(folder) / "run.json")
    >>> said["a"], said["b"], said["b"].text
    ('NaN', 0.5, '0.50')
    """
    name = str(path)
    loads = partial(json.loads, parse_constant=str, parse_float=WrittenFloat)
    tree = json_of(read_text(path, name, limit=limit), name, loads)
    if _depth(tree) > _DEEPEST_JSON:
        raise FileError(name, f"nests lists and mappings more than {_DEEPEST_JSON} levels", "check what wrote it")
    return tree


def _depth(tree: Any) -> int:
    """Return how many lists and mappings are within each other in TREE."""
    level, depth = [tree], -1
    while level:
        depth += 1
        level = [
            inner
            for one in level
            if isinstance(one, dict | list)
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
    return depth
