"""Is what was kept shown to whoever has its address, and removed only by those who may?"""

import io
import zipfile
from datetime import UTC, datetime

import pytest

from primad.errors import NotAllowed, UsageError
from primad.store import database, results
from primad.store.actors import VISITOR, Actor, acting
from primad.store.folder import find_folder
from primad.store.models import Event, Job, Result
from tests.web.expected.tools import result
from tests.web.small_site import SmallSite

LAPTOP = "laptop"  # what a token is called
SCRIPT = "<script>alert(1)</script>"


@pytest.fixture(autouse=True)
def spoken_to(site: SmallSite) -> None:
    """Let what a test looks up itself be looked up in its own site."""
    database.use(find_folder(site.folder))


def test_whoever_has_the_address_sees_the_result_and_the_name_of_its_maker_but_not_their_mail(site: SmallSite) -> None:
    key = result(site)

    text = site.client().get(f"/results/{key}/").content.decode()

    assert "<article class=report><h1>How precise?</h1></article>" in text
    assert "made by User at <time" in text
    assert "user@example.org" not in text
    assert f'value="http://testserver/results/{key}/"' in text
    assert text.count("<h1") == 1
    assert "/static/reports/qra.css" in text


def test_the_report_is_an_archive_of_all_files_but_the_part_of_a_page(site: SmallSite) -> None:
    answer = site.client().get(f"/results/{result(site)}/report.zip")

    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        read = {name.rpartition("/")[2]: archive.read(name) for name in archive.namelist()}
    assert read == {"qra.csv": b"object\n"}
    assert "attachment" in answer["Content-Disposition"]


def test_a_single_file_is_downloaded_and_never_shown_as_a_page(site: SmallSite) -> None:
    answer = site.client().get(f"/results/{result(site)}/files/qra.csv")

    assert answer.content == b"object\n"
    assert answer["Content-Disposition"] == 'attachment; filename="qra.csv"'
    assert answer["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path", ["no.csv", "../primad.json", "..%2f..%2fprimad.json", "%00"])
def test_no_path_leads_out_of_a_result(site: SmallSite, path: str) -> None:
    assert site.client().get(f"/results/{result(site)}/files/{path}").status_code == 404


@pytest.mark.parametrize(("key", "what"), [("d" * 32, "result"), ("x", "page"), ("%27%22", "page"), ("%00", "page")])
def test_a_guessed_address_leads_nowhere(site: SmallSite, key: str, what: str) -> None:
    answer = site.client("administrator").get(f"/results/{key}/")

    assert answer.status_code == 404
    assert f"there is no {what} at this address" in answer.content.decode()


@pytest.mark.parametrize("role", ["user", "administrator"])
def test_a_removed_result_is_gone_for_others_and_can_be_brought_back(site: SmallSite, role: str) -> None:
    key, client, other = result(site), site.client(role), site.client("member")

    removed = client.post(f"/results/{key}/remove/", follow=True)
    gone = [other.get(f"/results/{key}/{path}").status_code for path in ("", "report.zip", "files/qra.csv")]
    back = client.post(f"/results/{key}/bring-back/", follow=True)

    assert "This result was removed" in removed.content.decode()
    assert "Bring it back" in removed.content.decode()
    assert gone == [404, 404, 404]
    assert "How precise?" in back.content.decode()
    assert other.get(f"/results/{key}/").status_code == 200
    verbs = Event.objects.filter(subject=f"result {key[:8]}").values_list("verb", flat=True)
    assert list(verbs) == ["kept", "removed", "brought back"]


def test_the_log_and_the_administration_tell_nobody_the_address_of_a_result(site: SmallSite) -> None:
    key = result(site)
    now = datetime.now(UTC)
    job = Job.objects.create(
        key="d" * 32,
        kind="qra",
        title="x",
        owner="user@example.org",
        state="done",
        result={"result": key},
        created_at=now,
    )
    office = site.client("administrator")

    shown = [
        office.get(f"/admin/store/{place}/").content.decode() for place in (f"job/{job.pk}/change", "job", "event")
    ]

    assert [key in one for one in shown] == [False, False, False]
    assert key not in str(list(Event.objects.values_list("subject", "details")))


@pytest.mark.parametrize(
    "actor",
    [
        pytest.param(VISITOR, id="a visitor"),
        pytest.param(Actor("ada", user=7, scopes=frozenset({"read"}), token=LAPTOP), id="a token that may only read"),
    ],
)
def test_whoever_may_keep_nothing_keeps_no_result(site: SmallSite, actor: Actor) -> None:
    with acting(actor), pytest.raises(NotAllowed):
        results.keep(find_folder(site.folder), "qra", "Precision", {"qra.csv": b"object\n"})

    assert Result.objects.count() == 0


def test_no_file_stands_in_for_what_pages_show_as_it_is(site: SmallSite) -> None:
    with acting(site.actor("user")):
        with pytest.raises(UsageError, match="is a part of a page"):
            results.keep(find_folder(site.folder), "qra", "x", {"fragment.html": SCRIPT.encode()})
        plain = results.keep(find_folder(site.folder), "qra", "x", {"qra.csv": b"object\n"})

    assert site.client("user").get(f"/results/{plain.key}/").status_code == 404


def test_somebody_else_neither_removes_a_result_nor_is_offered_to(site: SmallSite) -> None:
    key, client = result(site), site.client("member")

    page = client.get(f"/results/{key}/").content.decode()
    answer = client.post(f"/results/{key}/remove/")

    assert "Remove" not in page
    assert answer.status_code == 403
    assert client.get(f"/results/{key}/").status_code == 200


def test_the_results_of_somebody_are_listed_to_them_and_to_nobody_else(site: SmallSite) -> None:
    key = result(site)

    assert f"/results/{key}/" in site.client("user").get("/jobs/").content.decode()
    assert f"/results/{key}/" not in site.client("member").get("/jobs/").content.decode()


def test_a_title_and_the_names_of_files_become_no_script(site: SmallSite) -> None:
    with acting(site.actor("user")):
        kept = results.keep(find_folder(site.folder), SCRIPT[:40], SCRIPT, {f"{SCRIPT}.csv": b""}, "<p>A report.</p>")

    pages = [site.client("user").get(address).content for address in (f"/results/{kept.key}/", "/jobs/")]

    assert all(b"<script>alert" not in page and b"&lt;script&gt;alert" in page for page in pages)
