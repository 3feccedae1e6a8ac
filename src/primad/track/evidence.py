"""Which files go with the evidence for a badge?

write_evidence_of   what was run of a submission, with the bundle, and each attempt's transcript and output
"""

from __future__ import annotations

from pathlib import Path

from primad.reports.track.evidence import write_evidence
from primad.reports.track.facts import TrackReport
from primad.safe_yaml import write_yaml
from primad.store.folder import DataFolder
from primad.track import filing
from primad.track.folders.columns import in_order
from primad.track.models import Attempt, Submission, System


def write_evidence_of(folder: DataFolder, report: TrackReport, submission: Submission, target: Path) -> list[Path]:
    """Write what REPORT says of SUBMISSION into the folder TARGET, with the files that show it."""
    return write_evidence(report, str(submission), target, dict(_files(folder, submission)))


def _files(folder: DataFolder, submission: Submission) -> dict[str, bytes]:
    """Return the bundle of SUBMISSION, and what its attempts left, by path."""
    found: dict[str, bytes] = {}
    system = System.objects.filter(submission=submission).order_by("-version").first()
    if system is not None:
        found |= {f"system/{path}": data for path, data in filing.contents(folder, system.bundle).items()}
    for attempt in (
        Attempt.objects.filter(submission=submission).select_related("output", "transcript").order_by("number")
    ):
        top = f"attempt-{attempt.number}"
        found |= {f"{top}/output/{path}": data for path, data in filing.contents(folder, attempt.output).items()}
        found |= {f"{top}/{path}": data for path, data in filing.contents(folder, attempt.transcript).items()}
        if attempt.replay:
            found[f"{top}/replay.yaml"] = write_yaml(in_order(attempt.replay)).encode()
    return found
