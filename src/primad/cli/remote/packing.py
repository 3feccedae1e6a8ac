"""How do files get to a site, with their paths?

packed     files as a question has them: one by one, or several as a zip
unpacked   a zip that a site has sent, as contents by path
"""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Mapping, Sequence

from primad.errors import FileError

Part = tuple[str, str, bytes]  # a field, a name and the content
_MOST = 100  # files that are sent one by one
_MOST_BYTES = 512 << 20  # of what a site has sent, unpacked


def packed(field: str, given: str | os.PathLike[str] | Mapping[str, bytes] | None) -> tuple[list[Part], bool]:
    """Return the files that are GIVEN as parts of a question in a FIELD, and whether they are packed."""
    from primad.track.folders.trees import files_of

    files = files_of(given) if given else {}
    if len(files) == 1 and "/" not in next(iter(files)):
        ((name, data),) = files.items()
        return [(field, name, data)], False
    return ([(field, "files.zip", _zip(list(files.items())))], True) if files else ([], False)


def packed_in_order(field: str, files: Sequence[bytes]) -> tuple[list[Part], bool]:
    """Return FILES, whose names are said elsewhere, as parts of a question in a FIELD, and whether they are packed."""
    named = [(f"{place}.file", data) for place, data in enumerate(files)]
    if len(named) <= _MOST:
        return [(field, name, data) for name, data in named], False
    return [(field, "files.zip", _zip(named))], True


def _zip(files: Sequence[tuple[str, bytes]]) -> bytes:
    """Return FILES in their order as a zip."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(name, data)
    return target.getvalue()


def unpacked(data: bytes, where: str) -> dict[str, bytes]:
    """Return the files in the zip DATA, which came from WHERE, by their paths below the one folder in it."""
    from primad.replay._archive_members import ArchiveLimits, Refusal, contents_of

    try:
        members = [*contents_of(data, ArchiveLimits(bytes=_MOST_BYTES))]
        files = {path.partition("/")[2] or path: content for path, content in members}
    except Refusal as refusal:
        raise FileError(where, f"has sent an archive that is not unpacked, for it {refusal}") from None
    if len(files) != len(members):
        raise FileError(where, "has sent an archive that is not unpacked, for files of several folders have one name")
    return files
