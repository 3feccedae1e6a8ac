"""Is an archive that a site has sent read as that of a stranger?"""

import io
import zipfile
from pathlib import Path

import pytest

from primad.cli.remote.packing import unpacked
from primad.cli.remote.reporting import _write
from primad.errors import FileError

SITE = "https://runs.example.org"


def zipped(**files: bytes) -> bytes:
    """Return FILES, in which two underscores stand for a slash, as a zip."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/"), content)
    return out.getvalue()


def test_files_are_named_below_the_one_folder_that_they_lie_in() -> None:
    assert unpacked(zipped(qra__report=b"r", qra__figures__one=b"1"), SITE) == {"report": b"r", "figures/one": b"1"}


def test_what_unpacks_to_far_more_than_was_sent_is_not_unpacked() -> None:
    with pytest.raises(FileError, match=r"runs\.example\.org: has sent .* unpacks to more than"):
        unpacked(zipped(qra__report=bytes(20_000_000)), SITE)


def test_files_of_two_folders_that_would_have_one_name_are_not_unpacked() -> None:
    with pytest.raises(FileError, match="files of several folders have one name"):
        unpacked(zipped(qra__report=b"1", assess__report=b"2"), SITE)


@pytest.mark.parametrize(
    ("start", "end"), [pytest.param(0, 100, id="cut"), pytest.param(60, None, id="without its beginning")]
)
def test_what_is_damaged_is_said_to_be(start: int, end: int | None) -> None:
    whole = zipped(qra__report=b"".join(b"%d\n" % number for number in range(999)))

    with pytest.raises(FileError, match="has sent an archive that is not unpacked"):
        unpacked(whole[start:end], SITE)


def test_bytes_that_cannot_be_inflated_are_no_crash() -> None:
    whole = bytearray(zipped(qra__report=b"".join(b"%d\n" % number for number in range(999))))
    whole[60:80] = bytes(20)

    with pytest.raises(FileError, match="has sent an archive that is not unpacked"):
        unpacked(bytes(whole), SITE)


def test_no_file_of_a_report_is_written_outside_of_its_folder(tmp_path: Path) -> None:
    sent = unpacked(zipped(**{"qra/../evil": b"x"}), SITE)

    with pytest.raises(FileError, match="expected the path of a file below its folder"):
        _write(sent, str(tmp_path / "report"))

    assert list(tmp_path.iterdir()) == []
