"""Does a page ever take what strangers wrote for markup of its own?"""

from urllib.parse import quote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.web.archive.pages import Parsed, sent, shown, upload
from tests.web.small_site import SmallSite, run_text

TAG = "<script>alert(1)</script>"
FIELD = "\"'><img src=x onerror=alert(2)>"
BOTH = (TAG, FIELD)
PAGES = (
    "/archive/",
    f"/archive/?q={quote(TAG)}",
    f"/archive/?q={quote(FIELD)}",
    f"/archive/?sort={quote(FIELD)}",
    f"/archive/?measure={quote(FIELD)}",
    "/archive/runs/{address}/",
    f"/archive/runs/{{address}}/?measure={quote(FIELD)}",
    "/archive/runs/{address}/baselines/",
    f"/archive/runs/{{address}}/baselines/?measure={quote(FIELD)}",
    "/archive/runs/{address}/reproductions/",
    "/archive/compare/?original=first&run={address}",
    f"/archive/compare/?original={quote(FIELD)}&run={quote(TAG)}",
    "/archive/assess/?original={address}",
    f"/archive/assess/?original={quote(FIELD)}&advanced={quote(TAG)}&run={quote(TAG)}&measure={quote(FIELD)}",
    "/archive/collections/",
    "/archive/collections/{collection}/",
    f"/archive/collections/{{collection}}/?measure={quote(FIELD)}",
    f"/archive/upload/?collection={quote(FIELD)}",
)


@pytest.fixture
def hostile(shelf: SmallSite) -> tuple[SmallSite, dict[str, str]]:
    """Return a site with a run that says hostile things wherever it can, and where the pages on it are."""
    quoted = FIELD.replace("'", "''")
    lines = run_text(TAG, 5, team=f"'{quoted}'", method=f"'{TAG}'", role="experimenter").replace(
        "name: small\n", f"name: '{quoted}'\n"
    )
    text = lines.replace("name: SIGIR", f"name: '{quoted}'").replace("name: bm25", f"name: '{TAG}'")
    upload(shelf.client("user"), "add", [SimpleUploadedFile(f"{TAG.replace('/', '')}.run", text.encode())])
    (hit,) = [hit for hit in shelf.archive().search("").hits if hit.tag == TAG]
    shelf.client("user").post(f"/archive/runs/{hit.address}/remove/", {"reason": TAG + FIELD})
    shelf.client("user").post(f"/archive/runs/{hit.address}/bring-back/")
    return shelf, {"address": hit.address, "collection": quote(hit.collection)}


def assert_harmless(text: str) -> None:
    """Tell whether the only scripts of a page are ours, and nothing in it runs one."""
    page = Parsed(text)
    assert all(str(one.get("src", "")).startswith("/static/") for one in page.all("script"))
    assert "img" not in [tag for tag, _ in page.elements]
    assert not [name for _, attributes in page.elements for name in attributes if name.startswith("on")]
    assert not [name for _, attributes in page.elements for name in attributes if name == "style"]
    assert not any(one.lower().startswith("javascript:") for one in page.links())


def test_every_page_shows_what_strangers_wrote_and_runs_none_of_it(
    hostile: tuple[SmallSite, dict[str, str]],
) -> None:
    site, places = hostile
    client = site.client("administrator")

    for pattern in PAGES:
        address = pattern.format(**places)
        answer = client.get(address)
        assert answer.status_code in (200, 422), address
        assert_harmless(answer.content.decode())


def test_what_strangers_wrote_is_on_the_page_as_text(hostile: tuple[SmallSite, dict[str, str]]) -> None:
    site, places = hostile

    text = shown(site.client().get(f"/archive/runs/{places['address']}/"))

    assert "<h1>&lt;script&gt;alert(1)&lt;/script&gt;</h1>" in text
    assert "&#34;&#39;&gt;&lt;img src=x onerror=alert(2)&gt;" in text


def test_a_file_that_is_downloaded_is_never_shown_as_a_page(hostile: tuple[SmallSite, dict[str, str]]) -> None:
    site, places = hostile

    for part in ("file", "ranking", "record"):
        answer = site.client().get(f"/archive/runs/{places['address']}/{part}/")
        assert answer["Content-Disposition"].startswith("attachment")
        assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
        assert "html" not in answer["Content-Type"]


@pytest.mark.parametrize("do", ["check", "add"])
def test_findings_in_hostile_files_are_text(shelf: SmallSite, do: str) -> None:
    broken = (
        run_text(TAG, 5).replace("name: small", f"name: small\n#     {FIELD}: {TAG}").replace("1 Q0", f"1 {FIELD}", 3)
    )
    files = [*sent(a__run=broken), SimpleUploadedFile(f"{FIELD}.run", b"1 Q0 <img> x y z\n")]

    answer = upload(shelf.client("user"), do, files, collection=FIELD)

    assert answer.status_code == 200
    assert_harmless(answer.content.decode())


def test_forms_that_come_back_hold_what_was_typed_as_text(shelf: SmallSite) -> None:
    client = shelf.client("administrator")
    typed = {"original": FIELD, "advanced": TAG, "run": FIELD, "partner": TAG, "measure": TAG}
    described = {"name": FIELD, "also": TAG, "ir_datasets": FIELD, "profile": TAG}

    for answer in (client.post("/archive/assess/", typed), client.post("/archive/collections/", described)):
        assert answer.status_code == 422
        assert_harmless(answer.content.decode())
