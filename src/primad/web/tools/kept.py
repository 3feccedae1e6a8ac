"""Which results are kept, who made them, and who may remove them?

result_at    the result with a key; one that was removed only for those who may bring it back
may_remove   whether whoever acts may remove a result, and bring it back
maker_of     who made a result, by their name: their address is nobody's business
mine         the results of whoever acts
paths_of     the files of a result
content_of   one of them
report_of    all of them as one archive
"""

from __future__ import annotations

from primad.accounts.models import User
from primad.errors import PairingError
from primad.reports.files import zipped
from primad.store import results
from primad.store.actors import current
from primad.store.folder import DataFolder
from primad.store.models import Result, ResultFile
from primad.store.results import FRAGMENT  # a part of a page, and no file of the report

_MOST_LISTED = 50


def result_at(key: str) -> Result:
    """Return the result with this KEY; one that was removed only for those who may bring it back."""
    removed: Result | None = Result.objects.filter(key=key).exclude(removed_at=None).first()
    return removed if removed and may_remove(removed) else results.found(key)


def may_remove(result: Result) -> bool:
    """Tell whether whoever acts may remove RESULT, and bring it back."""
    actor = current()
    return actor.is_over_all or (actor.user is not None and actor.user == result.user)


def maker_of(result: Result) -> str:
    """Return the name of whoever made RESULT."""
    user: User | None = User.objects.filter(pk=result.user).first() if result.user else None
    return user.name if user else "whoever runs this site"


def mine() -> list[Result]:
    """Return the results of whoever acts that are in sight, the newest first."""
    actor = current()
    if actor.user is None:
        return []
    return list(Result.objects.filter(user=actor.user, removed_at=None).order_by("-made_at", "-id")[:_MOST_LISTED])


def paths_of(result: Result) -> list[ResultFile]:
    """Return the files of the report of RESULT."""
    return list(ResultFile.objects.filter(result=result).exclude(path=FRAGMENT).order_by("path"))


def content_of(folder: DataFolder, result: Result, path: str) -> bytes:
    """Return the file of RESULT at PATH."""
    digests = dict(ResultFile.objects.filter(result=result).values_list("path", "digest"))
    if path not in digests:  # which PostgreSQL could not be asked of every path
        raise PairingError("this result has no such file; was the address cut?")
    return folder.blobs.get(digests[path])


def fragment_of(folder: DataFolder, result: Result) -> str:
    """Return RESULT as a part of a page."""
    return content_of(folder, result, FRAGMENT).decode()


def report_of(folder: DataFolder, result: Result) -> bytes:
    """Return the files of the report of RESULT as one archive."""
    files = {row.path: folder.blobs.get(row.digest) for row in paths_of(result)}
    return zipped(files, f"{result.kind}-{result.key[:8]}")
