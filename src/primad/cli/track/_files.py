"""Files that people name on the command line of a track.

yaml_in             what a YAML file says
text_in             the text of a file, - for standard input
refuse_absent       refuse paths at which there is nothing
files_at            files and folders as contents by path
all_problems_told   everything that is wrong in a file, not only the first thing
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import typer

from primad.cli._input import is_there
from primad.cli._output import say
from primad.errors import FileError, FormatError, Problem, UsageError


def yaml_in(path: str) -> Any:
    """Return what the YAML file at PATH says, as plain values."""
    from primad.safe_yaml import read_yaml
    from primad.trec.files import name_of

    return read_yaml(text_in(path), name_of(path)).plain()


def text_in(path: str) -> str:
    """Return the text of the file at PATH, - for standard input."""
    from primad.trec.files import name_of, read_bytes

    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError as error:
        raise FormatError(name_of(path), [Problem(1, "UTF-8", f"other bytes at {error.start}")]) from None


def refuse_absent(*paths: str) -> None:
    """Refuse PATHS at which there is neither a file nor a folder."""
    for path in paths:
        if not is_there(path):
            raise FileError(path, "no such file or folder")


@contextmanager
def all_problems_told() -> Iterator[None]:
    """Say every problem of a file that is wrong, each with its line, and exit with the code of that error."""
    try:
        yield
    except FormatError as error:
        for one in error.problems:
            say(f"{error.path}:{one.line}: {one}")
        more = error.total - len(error.problems)
        for sentence in filter(None, (f"{error.path}: and {more:,} more" if more else "", error.hint)):
            say(sentence)
        raise typer.Exit(error.exit_code) from None


def files_at(paths: Iterable[str]) -> dict[str, bytes]:
    """Return the files at PATHS, and below those that are folders, by their names; no name may come twice."""
    from primad.track.folders.trees import read_tree

    found: dict[str, bytes] = {}
    for path in paths:
        refuse_absent(path)
        tree = read_tree(path)
        if not tree:
            raise FileError(path, "expected files in the folder, found none")
        twice = sorted(found.keys() & tree.keys())
        if twice:
            raise UsageError(f"expected each name of a file once, found '{twice[0]}' again in {path}")
        found |= tree
    return found
