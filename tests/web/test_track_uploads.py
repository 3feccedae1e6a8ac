"""Is every hostile upload refused with a sentence, and is nothing of it stored?"""

import gzip
import io
import lzma
import stat
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from primad.safe_yaml import write_yaml
from primad.track import models
from primad.web.arriving import files_in
from tests.replay.test_unpacking import MANIFEST, Entry, tar_of, zip_of
from tests.track import small
from tests.web.small_site import SmallSite, set_up
from tests.web.track_stories import at_database, at_results, obeyed, plain, text

SYSTEM = "/tracks/demo/submissions/alpha/run1/system/"
FORM = "/tracks/demo/teams/alpha/submit/coding/"
GOOD: Entry = (MANIFEST, write_yaml(small.MANIFEST).encode(), {})


@pytest.fixture(autouse=True)
def _spoken_to(site: SmallSite) -> None:
    at_database(site)
    at_results(site)


def stored(site: SmallSite) -> tuple[dict[str, int], set[str]]:
    """Return how many rows of files there are, and all files of the data folder but the database."""
    counted = {model.__name__: model.objects.count() for model in (models.File, models.Files, models.System)}
    below = (path for path in site.folder.rglob("*") if path.is_file() and "sqlite" not in path.name)
    return counted | {"Submission": models.Submission.objects.count()}, {str(path) for path in below}


def link(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> Entry:
    """Return a member of a tar that is a link."""
    return name, b"", {"type": kind, "linkname": target}


def many() -> bytes:
    """Return a tar of more members than a bundle may have."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for number in range(20_001):
            archive.addfile(tarfile.TarInfo(f"f{number}"))
    return gzip.compress(out.getvalue(), 1)


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "zip bomb": (lambda: zip_of(("zeros", bytes(40 << 20), {})), "more than 200 times its own size"),
    "tar bomb": (lambda: lzma.compress(tar_of(("zeros", bytes(40 << 20), {})), preset=0), "times its own size"),
    "bomb in a bomb": (lambda: gzip.compress(gzip.compress(tar_of(GOOD))), "is not a zip or tar archive"),
    "many members": (many, "more than 20,000"),
    "path up": (lambda: tar_of(GOOD, ("../../outside", b"x", {})), "leads out of the folder"),
    "absolute path": (lambda: zip_of(GOOD, ("/etc/cron.d/x", b"x", {})), "is an absolute name"),
    "backslashes": (lambda: zip_of(GOOD, ("..\\outside", b"x", {})), "is a name of another system"),
    "escape sequence": (lambda: tar_of(GOOD, ("a\x1b[2Jb", b"x", {})), "whose name has characters that cannot"),
    "turned writing": (lambda: tar_of(GOOD, ("a\u202eb", b"x", {})), "whose name has characters that cannot"),
    "symbolic link": (lambda: tar_of(GOOD, link("x", "/etc/passwd")), "holds a symbolic link, 'x'"),
    "hard link": (lambda: tar_of(GOOD, link("x", "/etc/passwd", tarfile.LNKTYPE)), "holds a hard link, 'x'"),
    "link in a zip": (
        lambda: zip_of(
            GOOD, ("x", b"/etc/passwd", {"create_system": 3, "external_attr": (stat.S_IFLNK | 0o644) << 16})
        ),
        "holds a symbolic link, 'x'",
    ),
    "device": (lambda: tar_of(GOOD, ("x", b"", {"type": tarfile.CHRTYPE, "devmajor": 1})), "holds a device, 'x'"),
    "twice the same": (lambda: tar_of(GOOD, ("a", b"1", {}), ("a", b"2", {})), "holds 'a' twice"),
    "half of it": (lambda: gzip.compress(tar_of(GOOD))[:-20], "system.bin"),
    "no archive": (lambda: b"MZ\x90\0" * 1000, "is not a zip or tar archive"),
    "nothing": (lambda: b"", "system.bin"),
    "no manifest": (lambda: zip_of(("code.py", b"", {})), MANIFEST),
    "manifest that is no YAML": (lambda: zip_of((MANIFEST, b"{[\0", {})), MANIFEST),
    "manifest that makes objects": (
        lambda: zip_of((MANIFEST, b"name: !!python/object/apply:os.system ['id']\n", {})),
        MANIFEST,
    ),
    "name with markup": (
        lambda: tar_of(GOOD, ("../<img src=x onerror=alert(1)>", b"x", {})),
        "leads out of the folder",
    ),
}


KINDS = [pytest.param(kind, marks=pytest.mark.slow if kind == "many members" else ()) for kind in HOSTILE]


@pytest.mark.parametrize("kind", KINDS)
def test_a_hostile_bundle_is_refused_with_a_sentence_and_nothing_is_stored(site: SmallSite, kind: str) -> None:
    refused(site, kind, "bundle")


@pytest.mark.parametrize("kind", ["zip bomb", "path up", "symbolic link", "manifest that makes objects"])
def test_a_hostile_bundle_is_refused_too_where_it_is_only_checked(site: SmallSite, kind: str) -> None:
    refused(site, kind, "check")


def refused(site: SmallSite, kind: str, wish: str) -> None:
    """See to it that a hostile bundle of a KIND, sent with a WISH, is refused."""
    make, reason = HOSTILE[kind]
    before = stored(site)

    answer = site.client("member").post(SYSTEM, {"wish": wish, "bundle": SimpleUploadedFile("system.bin", make())})

    assert answer.status_code == 422
    assert "This did not work: system.bin" in plain(answer) or "expected a bundle" in plain(answer)
    assert reason in plain(answer)
    assert obeyed(answer) == []
    assert stored(site) == before


def test_an_archive_in_a_bundle_stays_an_archive(site: SmallSite) -> None:
    inner = zip_of(("../../outside", b"x", {}))

    answer = site.client("member").post(
        SYSTEM, {"wish": "check", "bundle": SimpleUploadedFile("s.zip", zip_of(GOOD, ("inner.zip", inner, {})))}
    )

    assert answer.status_code == 200
    assert "s.zip was checked, not submitted" in plain(answer)


def sent(site: SmallSite, name: str, data: bytes = small.OUTPUT) -> Any:
    """Return what is answered to results whose file is called NAME, which no library of ours has mended."""
    edge = "edge"
    fields = b"".join(
        f'--{edge}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'.encode()
        for key, value in (("name", "run2"), ("configuration-0", "default"))
    )
    head = f'--{edge}\r\nContent-Disposition: form-data; name="files-0"; filename="{name}"\r\n\r\n'.encode()
    body = fields + head + data + f"\r\n--{edge}--\r\n".encode()
    return site.client("member").post(FORM, body, content_type=f"multipart/form-data; boundary={edge}")


@pytest.mark.parametrize(
    "name", ["../../../etc/passwd", "C:\\\\windows\\\\passwd", "/etc/passwd", "pass\u202ewd", "pass\x1bwd"]
)
def test_of_the_name_of_an_uploaded_file_only_the_last_part_is_taken_and_what_can_be_shown(
    site: SmallSite, name: str
) -> None:
    answer = sent(site, name)

    assert answer.status_code == 303
    kept = models.Output.objects.get(submission__slug="run2").files
    assert list(models.File.objects.filter(files=kept).values_list("path", flat=True)) == ["passwd"]


@pytest.mark.parametrize("name", ["..", ".", ""])
def test_a_file_without_a_name_is_refused_and_nothing_is_stored(site: SmallSite, name: str) -> None:
    before = stored(site)

    answer = sent(site, name)

    assert answer.status_code == 422
    assert "This did not work: " in plain(answer)
    assert stored(site) == before


def test_the_hidden_gold_standard_is_in_no_message_on_an_output_that_cannot_be_read(site: SmallSite) -> None:
    before = stored(site)

    answer = sent(site, "output.tsv", b"d1\tj11\textra\tcolumns\n\0\xff")

    assert answer.status_code == 422
    assert "output.tsv" in plain(answer)
    assert "r52" not in text(answer)
    assert stored(site) == before


def test_two_files_of_the_same_name_are_refused_and_not_one_of_them_dropped(site: SmallSite) -> None:
    files = [SimpleUploadedFile("output.tsv", small.OUTPUT), SimpleUploadedFile("output.tsv", small.WORSE)]

    answer = site.client("member").post(FORM, {"name": "run2", "configuration-0": "default", "files-0": files})

    assert answer.status_code == 422
    assert "expected each path once, found 'output.tsv' twice; rename one of them" in plain(answer)


def packed(site: SmallSite, data: bytes) -> Any:
    """Return what is answered to results that are packed in the zip DATA."""
    fields = {"name": "run2", "configuration-0": "default", "files-0-packed": "1"}
    return site.client("member").post(FORM, fields | {"files-0": SimpleUploadedFile("output.zip", data)})


def test_files_of_a_zip_are_taken_with_their_folders(site: SmallSite) -> None:
    answer = packed(site, zip_of(("out/", b"", {}), ("out/output.tsv", small.OUTPUT, {})))

    assert answer.status_code == 303
    kept = models.Output.objects.get(submission__slug="run2").files
    assert list(models.File.objects.filter(files=kept).values_list("path", flat=True)) == ["out/output.tsv"]


@pytest.mark.parametrize(
    "kind",
    ["zip bomb", "tar bomb", "path up", "absolute path", "backslashes", "link in a zip", "no archive", "nothing"],
)
def test_a_hostile_zip_of_results_is_not_unpacked(site: SmallSite, kind: str) -> None:
    before = stored(site)

    answer = packed(site, HOSTILE[kind][0]())

    assert answer.status_code == 422
    assert "This did not work: " in plain(answer)
    assert stored(site) == before


@pytest.mark.usefixtures("site")
def test_labels_that_pack_well_are_taken() -> None:
    labels = b"0\n" * 2_500_000

    found = files_in([SimpleUploadedFile("output.zip", zip_of(("labels.txt", labels, {})))], packed=True)

    assert found == [("labels.txt", labels)]


def test_all_zips_of_one_form_are_unpacked_up_to_what_a_site_takes(site: SmallSite) -> None:
    large = "\n".join(map(str, range(100_000))).encode()
    fields: dict[str, Any] = {"name": "run2"}
    for place in range(2):
        zipped = SimpleUploadedFile("output.zip", zip_of(("numbers", large, {})))
        fields |= {f"configuration-{place}": f"c{place}", f"files-{place}": zipped, f"files-{place}-packed": "1"}

    with set_up(upload_limit=1 << 20):
        answer = site.client("member").post(FORM, fields)

    assert answer.status_code == 422
    assert "more than this site takes at once; submit fewer outputs at a time" in plain(answer)


def test_many_outputs_in_one_form_are_bounded(site: SmallSite) -> None:
    fields = {f"configuration-{place}": f"c{place}" for place in range(200)} | {"name": "run2"}

    answer = site.client("member").post(FORM, fields)

    assert answer.status_code == 422
    assert text(answer).count("<fieldset>") == 50


def test_a_bundle_with_a_very_long_name_is_taken_with_a_shorter_one(site: SmallSite, tmp_path: Path) -> None:
    data = small.bundle(tmp_path).read_bytes()

    answer = site.client("member").post(
        SYSTEM, {"wish": "bundle", "bundle": SimpleUploadedFile("a" * 300 + ".tar.gz", data)}, follow=True
    )

    assert answer.status_code == 200
    assert len(models.File.objects.order_by("-id")[0].path) <= 255
