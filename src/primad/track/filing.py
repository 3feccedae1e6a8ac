"""How do files get into a track, and out of it again?

    keep       a set of files, their contents stored
    contents   the contents of a set, by their paths
    files_of   files as they are given, by a path or as contents
    read_tree  the files at a path, a file or a folder, as bytes by path
    write_tree a set of files into a folder

Paths come from outside: one that leaves its folder is refused on its way in, and again on its way out.
"""

from __future__ import annotations

from collections.abc import Mapping

from primad.safe_paths import safe_path
from primad.store.folder import DataFolder
from primad.track.folders.trees import files_of, read_tree, write_tree
from primad.track.models import File, Files

__all__ = ["contents", "digests", "files_of", "keep", "read_tree", "write_tree"]


def keep(folder: DataFolder, files: Mapping[str, bytes]) -> Files:
    """Return FILES, contents by path, as a new set; the contents are stored in FOLDER, within a transaction."""
    paths = {safe_path(path): data for path, data in files.items()}
    digests = {path: folder.blobs.put(data, flush=False) for path, data in paths.items()}
    folder.blobs.flush(set(digests.values()))
    made: Files = Files.objects.create()
    File.objects.bulk_create(
        File(files=made, path=path, digest=digests[path], size=len(data)) for path, data in paths.items()
    )
    return made


def contents(folder: DataFolder, files: Files | None) -> dict[str, bytes]:
    """Return the contents of FILES by their paths; nothing where there is no set."""
    if files is None:
        return {}
    rows = File.objects.filter(files=files).order_by("path")
    return {row.path: folder.blobs.get(row.digest) for row in rows}


def digests(files: Files | None) -> dict[str, str]:
    """Return the digests of FILES by their paths."""
    rows = sorted(files.files.all(), key=lambda row: row.path) if files else ()
    return {row.path: row.digest for row in rows}
