"""Does the page on precision answer what was asked, keep what may be kept, and point at every wrong line?"""

import html
import io
import re
import zipfile
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse

from primad.store import database
from primad.store.folder import find_folder
from primad.store.models import Job, Result
from primad.web.tools.measuring import MOST_AT_ONCE
from tests.web.small_site import SmallSite

ADDRESS = "/precision/"
SCRIPT = "<script>alert(1)</script>"
PICTURE = "<svg onload=alert(1)>"  # the name of a file has no slash
VALUES = "object,measurand,value,c:performed_by\nnts,BLEU,84.51,Nisioi\nnts,BLEU,85.6,Cooper\nnts,BLEU,86.2,Belz\n"


@pytest.fixture(autouse=True)
def spoken_to(site: SmallSite) -> None:
    """Let what a test looks up itself be looked up in its own site."""
    database.use(find_folder(site.folder))


def ask(site: SmallSite, role: str = "visitor", **fields: object) -> HttpResponse:
    answer: HttpResponse = site.client(role).post(ADDRESS, {"source": "given", "variant": "acl2022"} | fields)
    return answer


def file(name: str, text: str | bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, text if isinstance(text, bytes) else text.encode())


def shown(answer: HttpResponse) -> str:
    return html.unescape(answer.content.decode())


def test_a_visitor_sees_the_precision_of_what_they_pasted_and_nothing_is_kept(site: SmallSite) -> None:
    answer = ask(site, text=VALUES)

    assert answer.status_code == 200
    assert "How precise are the values of nts?" in shown(answer)
    # (1 + 1/12) * 100 * s*/mean, with s = .8567 of three values and c4(3) = .8862
    assert "1.226" in shown(answer)
    assert "Sign in" in shown(answer)
    assert Result.objects.count() == 0


def test_what_a_user_asks_is_kept_under_an_address_that_a_visitor_can_open(site: SmallSite) -> None:
    answer = ask(site, "user", text=VALUES, title="BLEU again")

    address = answer["Location"]
    seen = site.client().get(address)
    report = site.client().get(f"{address}report.zip")
    with zipfile.ZipFile(io.BytesIO(report.content)) as archive:
        names = {name.partition("/")[2] for name in archive.namelist()}
    assert answer.status_code == 303
    assert re.fullmatch(r"/results/[0-9a-f]{32}/", address)
    assert "BLEU again" in shown(seen)
    assert "1.226" in shown(seen)
    assert {"report.html", "qra.csv", "qra.json", "qra.tex", "values.svg"} <= names
    assert "fragment.html" not in names


def test_the_example_fills_the_form_with_lines_that_can_be_sent_again(site: SmallSite) -> None:
    page = site.client().get(ADDRESS, {"example": "nts"}).content.decode()
    text = html.unescape(re.search(r"<textarea[^>]*>\n(.*?)</textarea>", page, re.DOTALL)[1])  # type: ignore[index]  # else the test fails here

    answer = ask(site, text=text)

    assert text.count("\n") > 20
    assert "1.562" in shown(answer)  # CV* of NTS_def, BLEU, as the paper of 2022 prints it
    assert site.client().get(ADDRESS, {"example": "../checklist"}).status_code == 404


def test_a_file_is_read_as_its_name_says(site: SmallSite) -> None:
    answer = ask(site, file=file("values.tsv", VALUES.replace(",", "\t")))

    assert "1.226" in shown(answer)


def test_groups_are_parted_by_a_condition_and_causes_are_told(site: SmallSite) -> None:
    answer = ask(site, text=VALUES + "nts,BLEU,84.9,Belz\n", by="performed_by", causes="1")

    assert "performed_by=Belz" in shown(answer)
    assert "what would settle an open question" in shown(answer)


def test_every_wrong_line_is_named_and_what_was_typed_stays(site: SmallSite) -> None:
    answer = ask(site, text="object,measurand,value\na,b,1\na,b,many\na,b,2\na,,3\n", by="seed, role", title="Mine")

    text = shown(answer)
    assert answer.status_code == 422
    assert "2 things are wrong" in text
    assert "pasted text:3" in text
    assert "many" in text
    assert "pasted text:5" in text
    assert "a,b,many\na,b,2" in text
    assert 'value="seed, role"' in text
    assert 'value="Mine"' in text


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        pytest.param({}, "expected measurements, found none", id="nothing"),
        pytest.param({"text": VALUES, "file": file("v.csv", VALUES)}, "found both", id="both"),
        pytest.param({"text": "a: &x [1]\nb: *x\n"}, "alias", id="alias"),
        pytest.param({"text": "[" * 100_000}, "lists and objects of a few levels", id="deep JSON"),
        pytest.param({"text": "x: " + "{a: " * 60 + "1" + "}" * 60}, "at most 32 levels", id="deep YAML"),
        pytest.param({"text": "!!python/object/apply:os.system ['id']\n"}, "tag", id="tag"),
        pytest.param({"text": VALUES, "variant": "mine"}, "expected one of acl2022, qra3", id="variant"),
        pytest.param({"text": VALUES, "by": "no such condition"}, "no such condition", id="condition"),
        pytest.param({"file": file("v.csv", b"\xff\xfe\x00")}, "UTF-8", id="no text"),
        pytest.param({"file": file("v.csv", bytes(8_000_001))}, "expected at most 8 MB", id="too large"),
        pytest.param({"text": "object,measurand,value\n"}, "", id="no rows"),
    ],
)
def test_what_cannot_be_assessed_is_refused_with_its_reason(
    site: SmallSite, fields: dict[str, object], said: str
) -> None:
    for one in fields.values():
        if isinstance(one, SimpleUploadedFile):
            one.seek(0)

    answer = ask(site, "user", **fields)

    assert answer.status_code == 422
    assert said in shown(answer)
    assert Result.objects.count() == 0


@pytest.mark.slow
def test_runs_of_the_archive_are_measured_for_users_only(site: SmallSite) -> None:
    refused = ask(site, source="archive", query="", measures="map")
    answer = ask(site, "user", source="archive", query="", measures="map, P_10")

    seen = shown(site.client().get(answer["Location"]))
    assert refused.status_code == 403
    assert "sign in first" in shown(refused)
    assert "map" in seen
    assert "P_10" in seen


def test_a_search_that_cannot_be_understood_is_told_beside_the_form(site: SmallSite) -> None:
    answer = ask(site, "user", source="archive", query="year:(", measures="map")

    assert answer.status_code == 422
    assert "query, position" in shown(answer)
    assert 'value="year:("' in shown(answer)


def test_the_guide_says_from_how_many_values_on_an_assessment_is_a_job() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "guides" / "api.md").read_text()

    assert f"a `qra` of more than {MOST_AT_ONCE:,} values" in guide


def test_many_measurements_become_a_job_of_a_user_and_are_refused_to_a_visitor(site: SmallSite) -> None:
    many = "object,measurand,value\n" + "".join(f"o{place},m,{place % 7}\n" for place in range(501))

    refused = ask(site, text=many)
    answer = ask(site, "user", text=many, by="", causes="1")

    job = Job.objects.get()
    assert refused.status_code == 403
    assert answer["Location"] == f"/jobs/{job.key}/"
    assert job.kind == "qra"
    assert job.arguments["given"]["text"] == many.replace("\r\n", "\n")
    assert job.arguments["given"]["causes"] is True


def test_no_text_of_a_measurement_a_field_or_a_file_name_becomes_a_script(site: SmallSite) -> None:
    rows = [f'"{SCRIPT}","{SCRIPT}",{value},"{SCRIPT}"' for value in (1, 2, 3)]
    hostile = "object,measurand,value,c:performed_by\n" + "\n".join(rows) + "\n"

    pages = [
        ask(site, text=hostile, causes="1", title=SCRIPT, by=""),
        ask(site, text=hostile.replace(",2,", ",two,"), title=SCRIPT, by=SCRIPT, query=SCRIPT, measures=SCRIPT),
        ask(site, file=file(f"{PICTURE}.csv", "object,measurand,value\na,b,x\n"), variant=SCRIPT),
        ask(site, "user", source="archive", query=SCRIPT, measures=SCRIPT),
        site.client().get(ADDRESS, {"query": SCRIPT, "by": SCRIPT}),
        site.client().get(ask(site, "user", text=hostile, title=SCRIPT)["Location"]),
    ]

    for page in pages:
        assert not re.search(b"<(script>alert|svg onload)", page.content)
        assert re.search(b"&lt;(script&gt;alert|svg onload)", page.content)
