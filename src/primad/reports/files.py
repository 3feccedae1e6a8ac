"""What are the files of a report?  Their contents, for whoever keeps a report elsewhere than in a folder.

report_files   the files of a report of any kind by their names, as write_report and write_track_report write them
zipped         files as one archive, the same bytes for the same files
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from primad.errors import UsageError
from primad.reports.folder import write_report
from primad.reports.track.facts import TrackReport
from primad.reports.track.folder import write_track_report

if TYPE_CHECKING:
    from primad.qra.result import QuantifiedAssessment
    from primad.reproducibility.assessment.result import Assessment

_PICTURES = ("svg",)
_TEXTS = ("html", "latex", "csv", "json")
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_NO_TIME = (1980, 1, 1, 0, 0, 0)  # the first that an archive can hold
_READABLE = 0o100644 << 16  # a plain file


def report_files(
    result: Assessment | QuantifiedAssessment | TrackReport, *, pictures: Sequence[str] = _PICTURES
) -> dict[str, bytes]:
    """Return the content of each file of the report about RESULT by its name; PICTURES are some of svg, pdf and png."""
    with TemporaryDirectory(prefix="primad-report-") as place:
        folder = Path(place, "report")
        if isinstance(result, TrackReport):
            written = write_track_report(result, folder, [*_TEXTS, *pictures])
        else:
            written = write_report(result, folder, pictures=pictures)
        return {path.name: path.read_bytes() for path in written}


def zipped(files: Mapping[str, bytes], folder: str) -> bytes:
    """Return FILES as a zip archive in which they lie in a FOLDER."""
    if not _NAME.fullmatch(folder):
        raise UsageError(f"expected as name of a folder letters, digits, '_', '.' and '-', found {folder!r}")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(f"{folder}/{name}", _NO_TIME)
            entry.external_attr = _READABLE
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return out.getvalue()
