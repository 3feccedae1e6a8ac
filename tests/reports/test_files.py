"""Are the files of a report the same, whether they are kept in a folder or elsewhere?"""

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

from primad.errors import UsageError
from primad.reports.files import report_files, zipped
from primad.reports.folder import write_report
from primad.reports.track.folder import write_track_report
from tests.reports import assessments, quantified
from tests.reports.track import examples


@pytest.mark.slow
@pytest.mark.parametrize(
    ("result", "write", "page"),
    [
        pytest.param(assessments.baseline_only(), write_report, "How well", id="assessment"),
        pytest.param(quantified.single(), write_report, "How precise", id="quantified"),
        pytest.param(examples.full(), write_track_report, "<h1>", id="track"),
    ],
)
def test_files_in_memory_are_those_of_the_folder(result: Any, write: Any, page: str, tmp_path: Path) -> None:
    forms = {} if write is write_track_report else {"pictures": ["svg"]}
    written = write(result, tmp_path / "report", **forms)

    assert report_files(result) == {path.name: path.read_bytes() for path in written}
    assert page in report_files(result)["report.html"].decode()


def test_only_the_forms_of_pictures_that_are_asked_for_are_made() -> None:
    found = report_files(examples.full(), pictures=["png"])

    assert {Path(name).suffix for name in found} == {".html", ".tex", ".json", ".csv", ".png"}


def test_an_archive_holds_the_files_in_a_folder_and_has_the_same_bytes_each_time() -> None:
    kept = {"report.html": b"<p>\xc3\xa4</p>", "qra.csv": b""}

    archive = zipfile.ZipFile(io.BytesIO(zipped(kept, "qra-2")))

    assert {name: archive.read(name) for name in archive.namelist()} == {
        "qra-2/report.html": b"<p>\xc3\xa4</p>",
        "qra-2/qra.csv": b"",
    }
    assert zipped(kept, "qra-2") == zipped(kept, "qra-2")
    assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


@pytest.mark.parametrize("folder", ["", "..", "/tmp", "a/b", "a\\b", "a\0"])  # noqa: S108  (a name, nothing is opened)
def test_a_folder_that_leads_elsewhere_is_refused(folder: str) -> None:
    with pytest.raises(UsageError, match="expected as name of a folder"):
        zipped({"a": b""}, folder)
