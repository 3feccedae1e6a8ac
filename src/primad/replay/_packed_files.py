"""Which files are the code of a recording, and which of them must nobody else have?

    Gathered          files by their paths in the bundle, and sentences on those that were left out
    files_of_commit   all files of a commit, as git keeps them
    files_below       named files and folders below a folder

A file is left out if its name, or what is in it, looks like a secret; if it is a link, which a bundle cannot have; or
if it lies elsewhere.  Where a password may only be an example, naming the file itself lets it in.  Git is asked for
contents alone: no filter, hook or attribute of the repository is heeded.
"""

from __future__ import annotations

import io
import os
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

from primad.errors import FileError
from primad.metadata.capture.repository import LARGE_FILE_POINTER
from primad.metadata.showing import harmless
from primad.replay._packed_secrets import Finding, is_secret_name, secret_in
from primad.replay.committed import listed
from primad.replay.git import PATIENCE_TO_CLONE, answering
from primad.replay.unpacking import folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MOST_BYTES = 1 << 30

_OF_NO_USE = {".venv", "__pycache__", "node_modules", ".mypy_cache", ".pytest_cache", ".ruff_cache"}


@dataclass(frozen=True)
class Packable:
    """A file to pack: its CONTENT, or where that is, and whether it may be executed."""

    content: bytes | Path
    is_executable: bool = False

    def read(self) -> bytes:
        """Return what is in the file."""
        return self.content.read_bytes() if isinstance(self.content, Path) else self.content

    @property
    def size(self) -> int:
        """Return how many bytes that is."""
        return self.content.stat().st_size if isinstance(self.content, Path) else len(self.content)

    def opened(self) -> IO[bytes]:
        """Return the file, open."""
        return self.content.open("rb") if isinstance(self.content, Path) else io.BytesIO(self.content)


@dataclass
class Gathered:
    """Files by their paths in the bundle, a sentence on each that was LEFT_OUT, and the NAMES that are taken.

    DOUBTED are the paths of files that are there only because they were named.
    """

    files: dict[str, Packable] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    doubted: list[str] = field(default_factory=list)

    def take(self, path: str, file: Packable, *, is_named: bool = False) -> None:
        """Take FILE as PATH, unless it looks like a secret; what may be an example is taken if it IS_NAMED."""
        self.left_out = [sentence for sentence in self.left_out if not sentence.startswith(_left_out(path))]
        odd = self._why_odd(path)
        found = Finding(odd) if odd else _found_in(path, file)
        if found and not (found.may_be_example and is_named):
            hint = "; if that is an example, name the file with --include" if found.may_be_example else ""
            self.left_out.append(f"{_left_out(path)}{found.reason}{hint}")
            self.files.pop(path, None)
            return
        self.files[path] = file
        self.doubted += [path] if found else []

    def _why_odd(self, path: str) -> str:
        """Return why no bundle may have a file at PATH, empty if it may; from now on the name is taken."""
        if harmless(path) != path or "\\" in path:
            return "its name cannot be that of a file everywhere"
        parts = path.split("/")
        above = ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
        others = [other for one in above if (other := self.names.setdefault(folded(one), one)) != one]
        return f"{others[0]} has the same name on some systems" if others else ""


def _left_out(path: str) -> str:
    """Return how the sentence on a file at PATH begins that is not packed."""
    return f"{path} is left out, for "


def _found_in(path: str, file: Packable) -> Finding | None:
    """Return why nobody else should have, or can have, the FILE at PATH, None if nothing speaks against it."""
    if is_secret_name(path):
        return Finding("files of that name hold secrets")
    try:
        with file.opened() as stream:
            return secret_in(stream)
    except OSError as error:
        return Finding(f"it cannot be read ({error.strerror})")


# Files on the disk -----------------------------------------------------------------------------------------------


def files_below(folder: Path, paths: Iterable[Path], to: Gathered | None = None) -> Gathered:
    """Return the files at PATHS, of folders all in them, that lie below FOLDER, together with those gathered before."""
    gathered, root = to or Gathered(), folder.resolve()
    for path in paths:
        place = (folder / path).resolve()
        if not place.is_relative_to(root):
            gathered.left_out.append(f"{path} is left out, for it lies outside of {folder}")
            continue
        for file in _walk(place):
            name = file.relative_to(root).as_posix()
            if file.is_symlink():
                gathered.left_out.append(f"{name} is left out, for it is a link")
            elif file.is_file():
                gathered.take(name, Packable(file, os.access(file, os.X_OK)), is_named=file == place)
    return gathered


def _walk(place: Path) -> Iterator[Path]:
    """Yield the file at PLACE, or all files in it, in order; what can be made again stays."""
    if not place.is_dir():
        yield place
        return
    for folder, folders, files in os.walk(place):
        folders[:] = sorted(name for name in folders if name not in _OF_NO_USE and name != ".git")
        yield from (Path(folder, name) for name in folders if Path(folder, name).is_symlink())
        yield from (Path(folder, name) for name in sorted(files))


# Files of a commit -----------------------------------------------------------------------------------------------


def files_of_commit(root: Path, commit: str) -> Gathered:
    """Return the files of COMMIT, a hash, of the repository at ROOT."""
    gathered = Gathered()
    entries, fault = listed(root, commit, hint="commit fewer")
    if fault:
        found = f"git cannot list the files of the commit {commit} ({fault})"
        raise FileError(str(root), found, "fetch it once more: it may be damaged")
    if sum(entry.size for entry in entries) > MOST_BYTES:
        raise FileError(str(root), f"the commit has more than {MOST_BYTES:,} bytes", "name its files with --include")
    plain = [entry for entry in entries if entry.mode in {"100644", "100755"}]
    kinds = {"120000": "it is a link", "160000": "it is a repository of its own"}
    gathered.left_out += [f"{one.path} is left out, for {kinds[one.mode]}" for one in entries if one.mode in kinds]
    contents = _contents(root, [entry.digest for entry in plain])
    for entry, content in zip(plain, contents, strict=True):
        if content.startswith(LARGE_FILE_POINTER):
            left = f"{entry.path} is left out, for git keeps it elsewhere (LFS); name it with --include"
            gathered.left_out.append(left)
        else:
            gathered.take(entry.path, Packable(content, entry.mode == "100755"))
    return gathered


def _contents(root: Path, digests: list[str]) -> Iterator[bytes]:
    """Yield the content of each of DIGESTS."""
    with TemporaryFile() as asked:
        asked.write("".join(f"{digest}\n" for digest in digests).encode())
        asked.seek(0)
        with answering(["cat-file", "--batch"], root, seconds=PATIENCE_TO_CLONE, asked=asked) as answer:
            lost = ""
            for digest in digests:
                content = _next_content(answer.stream)
                if content is None:
                    lost = digest
                    break
                yield content
    if lost:
        reason = f" ({answer.fault})" if answer.fault else ""
        raise FileError(str(root), f"git does not have {lost}{reason}", "fetch it first")


def _next_content(stream: IO[bytes]) -> bytes | None:
    """Return the next of the contents that git writes to STREAM, None if it does not have it whole."""
    facts = stream.readline().split()
    if len(facts) != len(("digest", "type", "size")):
        return None
    size = int(facts[2])
    content = stream.read(size + 1)  # with an end of line
    return content[:-1] if len(content) > size else None
