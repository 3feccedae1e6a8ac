"""What files came with a question: one by one, or packed as one zip?

    files_in      each with its path, in the order in which they came
    tree_in       the same by path; no path may come twice
    chosen        those that came in a field of a form, whose box says whether they are packed

A browser sends the names of files without their folders; whoever needs those sends a zip.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest

from primad.errors import FileError, UsageError
from primad.metadata.showing import harmless
from primad.replay._archive_members import ArchiveLimits, Refusal, contents_of
from primad.store.turns import READING
from primad.web import served

MOST_FILES = 10_000  # in one question


def files_in(files: Sequence[UploadedFile] | None, *, packed: bool) -> list[tuple[str, bytes]]:
    """Return the FILES that came, each with its name; where they are PACKED, the members of the one that did."""
    came = list(files or ())
    if not packed:
        return [(str(one.name), one.read()) for one in came]
    if len(came) != 1:
        raise UsageError(f"expected one zip where files are packed, found {len(came)} files")
    with READING.turn():
        return _members(str(came[0].name), came[0].read())


def _members(name: str, data: bytes) -> list[tuple[str, bytes]]:
    """Return the files in the zip DATA, called NAME, with their paths, in its order, within the limits of bundles.

    How many there are is known before the list of them is read, and all of them are not larger than a site takes.
    """
    if not data.startswith(b"PK"):
        raise FileError(
            name, "expected a zip that can be read, found something else", "send it without saying that it is one"
        )
    limits = ArchiveLimits(members=MOST_FILES, bytes=served.site().upload_limit)
    try:
        return list(contents_of(data, limits))
    except Refusal as refusal:
        raise FileError(name, f"is not unpacked, for it {refusal}", "send the files as they are, or fewer") from None


def tree_in(files: Sequence[UploadedFile] | None, *, packed: bool) -> dict[str, bytes] | None:
    """Return the FILES that came by their paths, None where none did; no path may come twice."""
    found: dict[str, bytes] = {}
    for path, data in files_in(files, packed=packed) if files else ():
        if path in found:
            raise UsageError(f"expected each path once, found '{harmless(path[:80])}' twice; rename one of them")
        found[path] = data
    return found or None


def chosen(request: HttpRequest, field: str) -> dict[str, bytes] | None:
    """Return the files that came with REQUEST in a FIELD of a form, None if there are none."""
    return tree_in(request.FILES.getlist(field), packed=bool(request.POST.get(f"{field}-packed")))
