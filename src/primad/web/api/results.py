"""What was computed and kept?

GET     /results                    those of whoever asks
GET     /results/KEY                one, with its files
GET     /results/KEY/files/PATH     a file of it
GET     /results/KEY/report         all files of its report as a zip archive
DELETE  /results/KEY                take it out of sight
POST    /results/KEY/restoration    bring it back

Whoever knows the key, which nobody can guess, can read a result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from django.http import HttpRequest, HttpResponse
from ninja import Path, Router

from primad.errors import NotAllowed
from primad.store import results
from primad.store.actors import current
from primad.store.models import Result
from primad.web import served
from primad.web.api.describing import file
from primad.web.api.fields import Key, Name, refuse_without
from primad.web.api.paging import Limit, Offset, Page, part
from primad.web.pages import download
from primad.web.tools import kept

router = Router()
ResultKey = Annotated[Key, Path(description="The key of a result.")]
_BYTES = "application/octet-stream"
_ZIP = "application/zip"


@dataclass(frozen=True)
class FileFacts:
    """A file of a result: its path, and its size in bytes."""

    path: str
    size: int


@dataclass(frozen=True)
class ResultFacts:
    """A result: of a KIND, made by MAKER, with FACTS for programs and FILES for people."""

    key: str
    kind: str
    title: str
    maker: str
    made_at: datetime
    removed_at: datetime | None
    facts: Mapping[str, Any]
    files: tuple[FileFacts, ...]


@router.get("", response=Page[ResultFacts], summary="List your results.")
def list_results(request: HttpRequest, limit: Limit = 50, offset: Offset = 0) -> Page[ResultFacts]:
    """Return the results of whoever asks, the newest first."""
    del request
    if not current().is_known:
        raise NotAllowed("sign in first: this lists the results of whoever asks")
    return part([_facts(one) for one in kept.mine()], limit, offset)


@router.get("/{key}", response=ResultFacts, summary="Say what a result is.")
def result(request: HttpRequest, key: ResultKey) -> ResultFacts:
    """Return a result and the names of its files."""
    del request
    return _facts(kept.result_at(key))


@router.get("/{key}/files/{path:path}", openapi_extra=file(_BYTES), summary="Fetch a file of a result.")
def result_file(request: HttpRequest, key: ResultKey, path: Annotated[Name, Path()]) -> HttpResponse:
    """Return a file of a result."""
    del request
    return download(kept.content_of(served.folder(), results.found(key), path), path.rpartition("/")[2], _BYTES)


@router.get("/{key}/report", openapi_extra=file(_ZIP), summary="Fetch the report of a result.")
def report(request: HttpRequest, key: ResultKey) -> HttpResponse:
    """Return all files of a report as a zip archive."""
    del request
    found = results.found(key)
    return download(kept.report_of(served.folder(), found), f"primad-{found.kind}-{found.key[:8]}.zip", _ZIP)


@router.delete("/{key}", response=ResultFacts, summary="Take a result out of sight; its files stay.")
def remove(request: HttpRequest, key: ResultKey) -> ResultFacts:
    """Remove a result, which can be brought back."""
    del request
    refuse_without("archive")
    results.remove(key)
    return _facts(kept.result_at(key))


@router.post("/{key}/restoration", response=ResultFacts, summary="Bring a result that was removed back.")
def restore(request: HttpRequest, key: ResultKey) -> ResultFacts:
    """Bring a result back into sight."""
    del request
    refuse_without("archive")
    results.bring_back(key)
    return _facts(results.found(key))


def _facts(found: Result) -> ResultFacts:
    """Return what is told of the result that was FOUND."""
    return ResultFacts(
        key=found.key,
        kind=found.kind,
        title=found.title,
        maker=kept.maker_of(found),
        made_at=found.made_at,
        removed_at=found.removed_at,
        facts=found.facts,
        files=tuple(FileFacts(one.path, one.size) for one in kept.paths_of(found)),
    )
