"""What is known of a submission, and which of its files can be had?

submission   the page of one
file         one file of a track
files        all files of a thing as one archive
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from primad.errors import PairingError, UsageError
from primad.reports.files import zipped
from primad.reports.track.answers import AttemptRow, SubmissionFacts
from primad.track.track import Track
from primad.web import served
from primad.web.pages import download, page
from primad.web.track.reading import can, for_members, lines, seen

_MOST_BYTES = 256_000_000  # in one archive, which is made in memory
_MOST_FILES = 20_000


@require_safe
@for_members
def submission(request: HttpRequest, track: str, team: str, name: str) -> HttpResponse:
    """Show a submission as whoever looks may see it."""
    here = served.track(track)
    address = f"{team}/{name}"
    whole, facts = here.facts(), here.submission_facts(address)
    return page(
        request,
        "track/public_submission.html",
        track=whole,
        facts=facts,
        about=lines(facts.about),
        attempts=[(one, *_told(here, one)) for one in facts.attempts],
        files=seen(here, "output", address),
        bundles=_bundles(here, facts),
        may=can(here, ("submit-system", "withdraw", "answer"), team=team),
    )


def _told(track: Track, attempt: AttemptRow) -> tuple[str, list[tuple[str, str]]]:
    """Return the sentence on ATTEMPT, and which of its files can be downloaded, each with its path."""
    verdict = track.verdict_facts(attempt.number)
    paths = [(kind, one.path) for kind in ("result", "transcript") for one in seen(track, kind, str(attempt.number))]
    return verdict.sentence if verdict else "", paths


def _bundles(track: Track, facts: SubmissionFacts) -> dict[str, tuple[str, int]]:
    """Return the path and the size of the bundle of each version of a system."""
    if not facts.systems:
        return {}
    rows = seen(track, "bundle", facts.row.address)
    return {row.path.partition("/")[0]: (row.path, row.size) for row in rows}


@require_safe
@for_members
def file(request: HttpRequest, track: str, what: str, name: str, path: str) -> HttpResponse:
    """Hand out a file of a track to whoever may see it."""
    del request
    return download(served.track(track).download(what, name, path), path.rpartition("/")[2])


@require_safe
@for_members
def files(request: HttpRequest, track: str, what: str, name: str) -> HttpResponse:
    """Hand out all files of a thing as one archive to whoever may see them."""
    del request
    here = served.track(track)
    rows = here.file_list(what, name)
    if not rows:
        raise PairingError(f"there are no files here: nobody has put any into the {what} of {name} yet")
    if len(rows) > _MOST_FILES or sum(one.size for one in rows) > _MOST_BYTES:
        most = f"{_MOST_FILES:,} files or {_MOST_BYTES // 1_000_000} MB"
        raise UsageError(f"expected at most {most} to pack at once, found {len(rows)} files; ask an organiser for them")
    folder = f"{track}-{what}-{name.replace('/', '-')}"
    return download(zipped(here.contents(what, name), folder), f"{folder}.zip", "application/zip")
