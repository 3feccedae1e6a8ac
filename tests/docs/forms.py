"""What do commands on archives and tracks print as JSON?  The forms that are dataclasses of the upper rooms."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from primad.archive.services import Kept
from primad.cli._probes.found import Surroundings
from primad.exchange.reading import Imported
from primad.exchange.writing import Exported
from primad.replay.preflight import Missing
from primad.reports.archive import answers as archive
from primad.reports.documentation.outputs import Form, documents
from primad.reports.documentation.outputs.systems import Verdict
from primad.reports.track import answers as track
from primad.reports.track.badges import Badge
from primad.reports.track.facts import TrackReport


class Refusal(TypedDict):
    """A file that was not added, and why."""

    path: str
    reason: str
    status: str


class Added(TypedDict):
    """What became of files that were to be added.

    added, new_version, known, restored, refused   how many files became what
    lacking_essential_fields                       how many of them lack essential fields
    kept                                           the files that are runs of the archive now, or were before
    refusals                                       the others
    unscored                                       runs without a score, and why
    standings                                      where the runs rank in their collections
    """

    added: int
    new_version: int
    known: int
    restored: int
    refused: int
    lacking_essential_fields: int
    kept: list[Kept]
    refusals: list[Refusal]
    unscored: list[archive.Unscored]
    standings: list[archive.Standing]


class Collections(TypedDict):
    """The collections of an archive."""

    collections: list[archive.CollectionFacts]


class Overview(TypedDict):
    """How many runs of which method each team has."""

    runs: int
    rows: list[archive.OverviewRow]


class Facet(TypedDict):
    """How many of the runs found have a value."""

    value: str
    runs: int


class Listed(TypedDict):
    """A file of the evidence."""

    path: str
    bytes: int
    sha256: str


class Evidence(TypedDict):
    """What a track found of one system, for those who award badges.

    submission   its address
    awarded      that nothing is awarded by this
    badges       each badge, what it asks for, and what was found
    report       the part of the track's report that is about the system
    files        what lies beside
    """

    submission: str
    awarded: str
    badges: list[Badge]
    report: TrackReport
    files: list[Listed]


class Submitted(TypedDict):
    """A submission that was taken: its address, and what analysts will miss in its system."""

    submission: str
    remarks: list[str]
    missing: list[Missing]


class Machine(TypedDict):
    """A machine of an analyst."""

    analyst: str
    slug: str
    facts: dict[str, Any]


class Begun(TypedDict):
    """An attempt that has begun."""

    number: int


class OnTrack(TypedDict):
    """What a command on a track was asked for, under the key that names it.

    track, task, team, analyst, submission, attempt   what `primad track show` was asked for
    attempt                                           its number, where a level or a verdict is about it
    phase, next_phase                                 where the track is, and what comes next
    submitted                                         what became of a submission
    missing                                           what analysts will miss in a system
    assignments, notes                                who runs what, and what could not be had
    machine                                           one that was written down
    sheet                                             a score sheet, with its answers
    verdict                                           on the output of an attempt
    level                                             that an attempt shows
    secret                                            what is needed to reach a system
    """

    track: NotRequired[track.TrackFacts]
    task: NotRequired[track.TaskFacts]
    team: NotRequired[track.TeamFacts]
    analyst: NotRequired[track.AnalystFacts]
    submission: NotRequired[track.SubmissionFacts | str]
    attempt: NotRequired[track.AttemptFacts | Begun | int]
    phase: NotRequired[str]
    next_phase: NotRequired[str | None]
    submitted: NotRequired[Submitted]
    missing: NotRequired[list[Missing]]
    assignments: NotRequired[list[track.AssignmentRow]]
    notes: NotRequired[list[str]]
    machine: NotRequired[Machine]
    sheet: NotRequired[track.SheetFacts]
    verdict: NotRequired[Verdict | None]
    level: NotRequired[track.LevelFacts]
    secret: NotRequired[str]


FORMS: dict[str, Form] = documents | {
    "primad.export/1": Form(("primad export",), Exported),
    "primad.import/1": Form(("primad import",), Imported),
    "primad.doctor/1": Form(("primad doctor",), Surroundings, {"is_good": bool}),
    "primad.archive.add/1": Form(("primad archive add",), Added),
    "primad.archive.search/1": Form(("primad archive search",), archive.Found, {"facets": dict[str, list[Facet]]}),
    "primad.archive.baselines/1": Form(("primad archive search --baseline-for",), archive.Baselines),
    "primad.archive.reproductions/1": Form(("primad archive search --reproductions-of",), archive.Reproductions),
    "primad.archive.show/1": Form(("primad archive show",), archive.Shown),
    "primad.archive.collections/1": Form(("primad archive collection",), Collections),
    "primad.archive.overview/1": Form(("primad archive overview",), Overview),
    "primad.archive.progress/1": Form(("primad archive progress",), archive.Progress),
    "primad.archive.evaluate/1": Form(("primad archive evaluate",), archive.Evaluated),
    "primad.archive.verify/1": Form(("primad archive verify",), archive.Verified, {"is_good": bool}),
    "primad.track/1": Form(("primad track: all others of its commands",), OnTrack),
    "primad.track-report/1": Form(("primad track report",), TrackReport),
    "primad.badge-evidence/1": Form(("primad track report --evidence",), Evidence),
}
