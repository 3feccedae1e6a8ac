"""In which programming languages is a repository written?

    languages   their names, the one with most lines first

A language is told by the extension of a file.  Texts, data, markup and build files are not counted.  Of a notebook only
the lines in its cells of code count.
"""

from __future__ import annotations

import json
import os
import stat
from collections import Counter
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_FILES = 5000
MAX_BYTES = 64 << 20
MAX_BYTES_OF_A_FILE = 4 << 20  # what is larger was not written by hand
SMALLEST_SHARE = 0.01

_EXTENSIONS = {
    "Ada": "adb ads",
    "C": "c",
    "C#": "cs",
    "C++": "cc cpp cxx c++ hh hpp hxx",
    "Clojure": "clj cljc cljs",
    "Common Lisp": "lisp lsp",
    "CUDA": "cu cuh",
    "Cython": "pyx pxd",
    "Dart": "dart",
    "Elixir": "ex exs",
    "Erlang": "erl",
    "F#": "fs",
    "Fortran": "f f77 f90 f95 f03 f08 for",
    "Go": "go",
    "Groovy": "groovy",
    "Haskell": "hs",
    "Java": "java",
    "JavaScript": "js cjs mjs jsx",
    "Julia": "jl",
    "Jupyter Notebook": "ipynb",
    "Kotlin": "kt kts",
    "Lua": "lua",
    "Matlab": "m",  # Objective-C has the same, but runs hardly any experiment
    "Nextflow": "nf",
    "Nim": "nim",
    "OCaml": "ml mli",
    "Objective-C++": "mm",
    "PHP": "php",
    "Pascal": "pas",
    "Perl": "pl pm",
    "Python": "py",
    "R": "r",
    "Ruby": "rb",
    "Rust": "rs",
    "SQL": "sql",
    "Scala": "scala sc",
    "Scheme": "scm",
    "Shell": "sh bash zsh ksh",
    "Snakemake": "smk",
    "Stata": "do ado",
    "Swift": "swift",
    "TypeScript": "ts tsx",
    "Zig": "zig",
}
_LANGUAGE_OF = {extension: name for name, extensions in _EXTENSIONS.items() for extension in extensions.split()}
_NOTEBOOK = "Jupyter Notebook"
_HEADER = "h"  # of C or of C++


def languages(root: str | os.PathLike[str], files: Iterable[str]) -> list[str]:
    """Return the languages of those of FILES, paths from the folder ROOT, that are plain files there.

    Links are not followed.  At most 5,000 files and 64 megabytes are read; a language with less than one line in a
    hundred is left out.
    """
    known = ((file, _kind(file)) for file in files)
    chosen = [(file, kind) for file, kind in known if kind][:MAX_FILES]
    lines: Counter[str] = Counter()
    top = Path(os.path.realpath(root))
    is_plain = cache(_has_no_link)  # most files share their folder with others
    left = MAX_BYTES
    for file, kind in chosen:
        path = top / file
        size, count = (
            _size_and_lines(path, kind, min(left, MAX_BYTES_OF_A_FILE)) if is_plain(path.parent, top) else (0, 0)
        )
        left -= size
        lines[kind] += count
    return _by_share(_with_headers(lines))


def _kind(file: str) -> str | None:
    """Return the language of FILE, or that it is a header."""
    extension = PurePath(file).suffix[1:].lower()
    return _HEADER if extension == _HEADER else _LANGUAGE_OF.get(extension)


def _with_headers(lines: Counter[str]) -> Counter[str]:
    """Return LINES with those of headers given to C++ if there is more of it than of C."""
    counted = lines.copy()
    headers = counted.pop(_HEADER, 0)
    counted["C++" if lines["C++"] > lines["C"] else "C"] += headers
    return counted


def _by_share(lines: Counter[str]) -> list[str]:
    """Return the languages of LINES that have their share, the largest first, equal ones by name."""
    least = max(1, SMALLEST_SHARE * lines.total())
    return sorted((name for name, count in lines.items() if count >= least), key=lambda name: (-lines[name], name))


def _has_no_link(folder: Path, top: Path) -> bool:
    """Return whether FOLDER is below TOP, and its path has no link in it."""
    return folder.is_relative_to(top) and os.path.realpath(folder) == str(folder)


def _size_and_lines(path: Path, kind: str, limit: int) -> tuple[int, int]:
    """Return how many bytes and lines the file at PATH has; none if it is more than LIMIT bytes, or no plain file."""
    with suppress(OSError, ValueError):
        now = path.lstat()
        if now.st_size <= limit:
            return _counted(path, kind, (now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns))
    return 0, 0


@lru_cache(maxsize=MAX_FILES)
def _counted(path: Path, kind: str, _state: tuple[int, ...]) -> tuple[int, int]:
    """Return how many bytes and lines a file has in this STATE: who records again and again counts it once."""
    content = _read(path, MAX_BYTES_OF_A_FILE)
    return len(content), _lines_of_notebook(content) if kind == _NOTEBOOK else _lines(content)


def _read(path: Path, limit: int) -> bytes:
    """Return the content of the file at PATH; nothing if it is more than LIMIT bytes, or no plain file."""
    with suppress(OSError, ValueError):
        # Neither is a link followed nor a pipe waited for.
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as stream:
            state = os.fstat(descriptor)
            return stream.read() if stat.S_ISREG(state.st_mode) and state.st_size <= limit else b""
    return b""


def _lines(content: bytes) -> int:
    """Return the number of lines with something in them."""
    return sum(1 for line in content.splitlines() if line.strip())


def _lines_of_notebook(content: bytes) -> int:
    """Return the number of lines in the cells of code of a notebook."""
    try:
        cells = json.loads(content)["cells"]
        sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return 0
    return sum(_lines(source.encode("utf-8", "replace")) for source in sources)
