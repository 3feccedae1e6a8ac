"""Which of the files that are handed to an archive are runs?

run_files   the run files among files and folders
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from primad.metadata.beside import METADATA_SUFFIXES
from primad.store.folder import SETTINGS


def run_files(files: Any) -> Iterator[str]:
    """Yield the run files among FILES and in the folders among them; metadata files go with their runs."""
    from primad.metadata.checking.files import files_to_check

    given = [files] if isinstance(files, str | os.PathLike) else files
    for one in given:
        path = os.fspath(one)
        found = files_to_check([path])
        is_folder = path != "-" and os.path.isdir(path)  # noqa: PTH112 - a name may be no possible path
        yield from (name for name in found if not (is_folder and _goes_without_saying(name)))


def _goes_without_saying(name: str) -> bool:
    """Tell whether the file NAME in a folder is no run to add: metadata go with runs, contents are in an archive."""
    if name.endswith(METADATA_SUFFIXES):
        return True
    return any(above.name == "blobs" and (above.parent / SETTINGS).is_file() for above in Path(name).parents)
