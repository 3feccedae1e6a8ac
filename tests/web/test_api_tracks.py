"""What does the API do on tracks?  What teams hand in, and what nobody may see or send."""

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

import pytest
from django.urls import reverse

from primad.store.actors import acting, keeper
from primad.track.outputs import NewOutput
from primad.web import arriving
from primad.web.api.idempotency import digest
from primad.web.models import Answered
from tests.track import small
from tests.web.api_client import BASE, Answer, Asker, upload
from tests.web.expected.api_tracks import ROWS
from tests.web.small_site import SmallSite
from tests.web.track_stories import at_results


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return FILES as a zip."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return target.getvalue()


def submitted(asker: Asker, name: str = "run2", key: str = "", **more: Any) -> Answer:
    """Return the answer to an output that is submitted under a NAME."""
    fields = {"team": "alpha", "name": name, "files": upload("output.tsv", small.OUTPUT)} | more
    return asker.send("/tracks/demo/submissions", fields, key=key)


# Nobody sees what is hidden ----------------------------------------------------------------------------------------


def test_a_guessed_token_is_refused_by_every_question_on_tracks(site: SmallSite) -> None:
    asker = Asker(site)
    asker.token = "primad_" + "a" * 43
    answers = {}

    for name, row in ROWS.items():
        (method,) = row.answers
        filled = {key: "demo" if callable(value) else value for key, value in row.arguments.items()}
        answers[name] = asker.ask(method, reverse(name, kwargs=filled).removeprefix(BASE))

    assert {name: answer.status for name, answer in answers.items()} == dict.fromkeys(ROWS, 401)
    assert all("this token is not valid" in answer.detail for answer in answers.values())


def test_a_token_for_reading_changes_nothing_and_one_for_the_archive_reads_nothing_hidden(site: SmallSite) -> None:
    reader, stranger = Asker(site, "member", ("read",)), Asker(site, "member", ("archive",))

    refused = reader.post("/tracks/demo/submissions/alpha/run1/withdrawal", {"reason": "a mistake"})

    assert (refused.status, refused.detail) == (
        403,
        "this token was not made for that; make one with the scope 'track'",
    )
    assert reader.get("/tracks/demo/submissions/alpha/run1").status == 200
    assert stranger.get("/tracks/demo/submissions/alpha/run1").status == 404


def test_what_is_told_of_a_track_has_no_score_by_hidden_gold_before_publication(site: SmallSite) -> None:
    told = Asker(site, "member").get("/tracks/demo/submissions/alpha/run1").json
    whole = Asker(site, "organiser").get("/tracks/demo/submissions/alpha/run1").json

    assert told["outputs"][0]["scored"] == {}
    assert whole["outputs"][0]["scored"]["f1"] == pytest.approx(0.8)


def test_gold_is_fetched_by_organisers_only_and_by_no_other_name(site: SmallSite) -> None:
    path = "/tracks/demo/files/{}/content?name=coding/test&path={}"

    assert Asker(site, "organiser").get(path.format("gold", "gold.tsv")).content == small.GOLD
    assert Asker(site, "analyst").get(path.format("gold", "gold.tsv")).status == 403
    assert Asker(site, "analyst").get(path.format("inputs", "gold.tsv")).status == 404
    assert Asker(site, "analyst").get(path.format("inputs", "../gold.tsv")).status == 404
    assert Asker(site, "analyst").get(path.format("inputs", "texts.tsv")).content == small.TEXTS


# What teams hand in ------------------------------------------------------------------------------------------------


def test_an_output_that_is_sent_twice_with_one_key_is_one_submission(site: SmallSite) -> None:
    at_results(site)
    asker = Asker(site, "member")

    first, again = submitted(asker, key="k"), submitted(asker, key="k")
    other = submitted(asker, "run3", key="k")
    packed = submitted(asker, key="k", packed="true")
    without = submitted(asker)

    assert (first.status, again.status, first.json) == (201, 201, again.json)
    assert first.json == {"submission": "alpha/run2", "remarks": [], "missing": []}
    assert (other.status, packed.status, without.status) == (409, 409, 422)
    assert without.detail == "alpha/run2 was submitted already; name another"


def test_outputs_are_what_their_description_says_with_paths_in_folders(site: SmallSite) -> None:
    at_results(site)
    described = [
        {"files": ["deep/output.tsv"], "configuration": "fast", "values": {"f1": 0.8}},
        {"files": ["output.tsv"], "configuration": "slow"},
    ]
    parts = zipped({"a": small.OUTPUT, "b": small.WORSE})

    answer = submitted(
        Asker(site, "member"), outputs=json.dumps(described), files=upload("files.zip", parts), packed="true"
    )

    assert answer.status == 201
    listed = Asker(site, "member").get("/tracks/demo/files/output?name=alpha/run2").json
    assert [one["path"] for one in listed] == ["fast@test/deep/output.tsv", "slow@test/output.tsv"]


@pytest.mark.parametrize(
    ("outputs", "file", "packed", "detail"),
    [
        pytest.param("[1", "o", "", "expected JSON as outputs", id="no JSON"),
        pytest.param(
            '[{"files": ["a", "b"]}]', "o", "", "expected as many files as outputs name, 2, found 1", id="few"
        ),
        pytest.param('[{"values": {"f1": 1e999}}]', "o", "", "finite number", id="infinite"),
        pytest.param('[{"unknown": 1}]', "o", "", "outputs: 0.unknown", id="a field that is not known"),
        pytest.param("", "no zip", "true", "expected a zip that can be read", id="no zip"),
        pytest.param(
            '[{"files": ["../../etc/passwd"]}]', small.OUTPUT, "", "expected the path of a file below", id="a way out"
        ),
        pytest.param("[" * 5000, "o", "", "expected JSON as outputs", id="nested too deep"),
    ],
)
def test_an_output_that_is_not_what_it_should_be_is_refused_and_nothing_kept(
    site: SmallSite, outputs: str, file: str | bytes, packed: str, detail: str
) -> None:
    at_results(site)

    answer = submitted(
        Asker(site, "member"),
        outputs=outputs,
        files=upload("output.tsv", file),
        **({"packed": packed} if packed else {}),
    )

    assert answer.status == 422
    assert detail in answer.detail
    assert [one["address"] for one in Asker(site, "member").get("/tracks/demo").json["submissions"]] == ["alpha/run1"]


def test_a_zip_that_would_fill_the_memory_is_refused(site: SmallSite, monkeypatch: pytest.MonkeyPatch) -> None:
    at_results(site)
    monkeypatch.setattr(arriving, "MOST_FILES", 5)

    many = submitted(
        Asker(site, "member"), files=upload("f.zip", zipped({str(one): b"" for one in range(6)})), packed="true"
    )

    assert (many.status, many.detail) == (
        422,
        "f.zip: is not unpacked, for it holds more than 5 files and folders; send the files as they are, or fewer",
    )


def test_a_small_zip_of_very_much_is_not_unpacked_whole(site: SmallSite) -> None:
    at_results(site)
    bomb = zipped({"output.tsv": bytes(64 << 20)})

    answer = submitted(Asker(site, "member"), files=upload("f.zip", bomb), packed="true")

    assert len(bomb) < 100_000
    assert answer.status == 422
    assert "or to more than 200 times its own size" in answer.detail


@pytest.mark.parametrize(
    ("role", "path", "fields", "status"),
    [
        pytest.param("visitor", "tasks/coding", {"scorer": "coding"}, 401, id="a task, by a visitor"),
        pytest.param("member", "tasks/coding", {"scorer": "coding"}, 403, id="a task, by a member"),
        pytest.param("visitor", "tasks/coding/data-sets/test", {}, 401, id="a data set, by a visitor"),
        pytest.param("analyst", "tasks/coding/data-sets/test", {}, 403, id="a data set, by an analyst"),
        pytest.param("visitor", "submissions", {"team": "alpha", "name": "run9"}, 401, id="an output, by a visitor"),
        pytest.param("rival", "submissions", {"team": "alpha", "name": "run9"}, 403, id="an output, by a rival"),
        pytest.param("colleague", "attempts/1/end", {"outcome": "succeeded"}, 403, id="an end, by a colleague"),
    ],
)
def test_nothing_is_unpacked_for_somebody_who_may_not_send_it(
    site: SmallSite, role: str, path: str, fields: dict[str, str], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with acting(keeper()):
        track = site.track()
        number = track.start("ann", "alpha/run1").number
        track.stop(number, "succeeded", output={"output.tsv": small.OUTPUT})
        track.move_to("adjudication")
        track.move_to("published")  # from then on everybody knows of everything
    unpacked: list[bytes] = []

    def noted(_name: str, data: bytes) -> list[Any]:
        unpacked.append(data)
        return []

    monkeypatch.setattr(arriving, "_members", noted)
    packed = {"original_files": "packed", "inputs": "inputs_packed", "files": "packed", "output": "packed"}
    sent = {name: upload("f.zip", zipped({"a": b"1"})) for name in packed}

    answer = Asker(site, role).send(f"/tracks/demo/{path}", fields | sent | dict.fromkeys(packed.values(), "true"))

    assert (answer.status, unpacked) == (status, [])


def test_the_secret_of_a_remote_system_is_told_to_its_analysts_and_is_in_no_other_answer(
    site: SmallSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRIMAD_SECRET_KEY", "A" * 43 + "=")
    with acting(keeper()):
        track = at_results(site)
        track.submit("alpha", "run2", [NewOutput({"output.tsv": small.OUTPUT})])
    member = Asker(site, "member")
    asked = {"instructions": "Call us.", "secret": "open sesame"}

    taken = member.post("/tracks/demo/submissions/alpha/run2/remote", asked, key="k")
    again = member.post("/tracks/demo/submissions/alpha/run2/remote", asked, key="k")

    assert (taken.status, again.json) == (201, taken.json)
    assert taken.json["systems"][0]["has_secret"] is True
    assert "sesame" not in taken.content.decode()
    assert member.get("/tracks/demo/submissions/alpha/run2/secret").status == 403
    told = Asker(site, "organiser").get("/tracks/demo/submissions/alpha/run2/secret")
    assert told.json == {"secret": "open sesame"}


def test_another_secret_with_the_same_key_is_refused_and_nothing_that_is_stored_says_it(
    site: SmallSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRIMAD_SECRET_KEY", "A" * 43 + "=")
    with acting(keeper()):
        at_results(site).submit("alpha", "run2", [NewOutput({"output.tsv": small.OUTPUT})])
    member, place = Asker(site, "member"), "/tracks/demo/submissions/alpha/run2/remote"
    asked = {"instructions": "Call us.", "secret": "open sesame", "operating_system": "", "language": ""}

    taken = member.post(place, asked, key="k")
    other = member.post(place, asked | {"secret": "shut sesame"}, key="k")

    assert (taken.status, other.status) == (201, 409)
    assert "was used for another question" in other.detail
    told = Asker(site, "organiser").get("/tracks/demo/submissions/alpha/run2/secret")
    assert told.json == {"secret": "open sesame"}
    # Whoever reads the database, and guesses the secret, cannot see that they are right.
    head = f"POST /api/v1{place}\0".encode()
    guesses = [asked, asked | {"secret": hashlib.sha256(b"open sesame").hexdigest()}]
    kept = Answered.objects.get(key="k").asked
    assert kept not in [hashlib.sha256(head + digest(guess, ())).hexdigest() for guess in guesses]


def test_a_bundle_is_checked_without_being_kept(site: SmallSite, tmp_path: Any) -> None:
    bundle = small.bundle(tmp_path, contact="").read_bytes()

    answer = Asker(site, "member").send(
        "/tracks/demo/submissions/alpha/run1/bundle-check", {"bundle": upload("system.tar.gz", bundle)}
    )

    assert answer.status == 200
    assert {"question", "what", "why", "how"} == set(answer.json[0])
    facts = Asker(site, "member").get("/tracks/demo/submissions/alpha/run1").json
    assert [one["version"] for one in facts["systems"]] == [1]


# Organising and judging --------------------------------------------------------------------------------------------


def test_a_data_set_takes_folders_and_hides_the_gold_of_others(site: SmallSite) -> None:
    at_results(site)
    organiser = Asker(site, "organiser")
    fields = {
        "inputs": upload("files.zip", zipped({"a/texts.tsv": small.TEXTS, "b.txt": b"more"})),
        "inputs_packed": "true",
        "gold": upload("gold.tsv", small.GOLD),
    }

    answer = organiser.send("/tracks/demo/tasks/coding/data-sets/second", fields)

    assert answer.status == 200
    assert answer.json["data_sets"][1] == {
        "slug": "second",
        "about": "",
        "inputs": 2,
        "has_gold": True,
        "public": False,
    }
    listed = organiser.get("/tracks/demo/files/inputs?name=coding/second").json
    assert [one["path"] for one in listed] == ["a/texts.tsv", "b.txt"]


def test_an_attempt_goes_from_its_beginning_to_its_verdict(site: SmallSite) -> None:
    ann = Asker(site, "analyst")

    begun = ann.post("/tracks/demo/attempts", {"analyst": "ann", "submission": "alpha/run1"}, key="k")
    again = ann.post("/tracks/demo/attempts", {"analyst": "ann", "submission": "alpha/run1"}, key="k")
    ended = ann.send(
        "/tracks/demo/attempts/1/end",
        {"outcome": "succeeded", "run_minutes": "12", "output": upload("output.tsv", small.OUTPUT)},
    )
    filled = ann.post("/tracks/demo/sheets/ann/alpha/run1", {"answers": {"Q6": "yes"}})

    assert (begun.status, begun.json["row"]["number"], again.json) == (201, 1, begun.json)
    assert (ended.status, ended.json["agreement"], ended.json["submitted"]) == (200, "identical bytes", None)
    assert next(one["value"] for one in filled.json["questions"] if one["key"] == "Q6") == "yes"
    assert Asker(site, "organiser").get("/tracks/demo/attempts/1/verdict").json["submitted"] == pytest.approx(0.8)


def test_the_report_is_told_and_fetched_as_files_once_the_track_is_published(site: SmallSite) -> None:
    before = Asker(site).get("/tracks/demo/report")
    Asker(site, "organiser").post("/tracks/demo/phase", {"phase": "published"})

    told, files = Asker(site).get("/tracks/demo/report"), Asker(site).get("/tracks/demo/report/files")

    assert before.status == 401
    assert (told.json["slug"], told.json["phase"]) == ("demo", "published")
    with zipfile.ZipFile(io.BytesIO(files.content)) as archive:
        assert {"demo-report/report.html", "demo-report/track.json"} <= set(archive.namelist())


def test_a_time_without_its_zone_and_a_number_that_no_attempt_has_are_refused(site: SmallSite) -> None:
    ann = Asker(site, "analyst")
    asked = {"analyst": "ann", "submission": "alpha/run1", "at": "2026-05-01T10:00:00"}

    assert ann.post("/tracks/demo/attempts", asked).status == 422
    assert ann.get("/tracks/demo/attempts/0").status == 422
    assert ann.get("/tracks/demo/attempts/99999999999999999999").status == 422
    assert ann.get("/tracks/demo/attempts/7").status == 404


def test_whoever_organises_invites_an_analyst_by_a_link_that_is_told_once(site: SmallSite) -> None:
    organiser = Asker(site, "organiser")
    asked = {"kind": "analyst", "slug": "ann", "email": "new@example.org"}

    made = organiser.post("/tracks/demo/invitations", asked)
    unknown = organiser.post("/tracks/demo/invitations", asked | {"slug": "nobody"})

    assert made.status == 201
    assert made.json["link"].startswith("http://testserver/")
    assert unknown.status == 422
    assert organiser.ask("DELETE", f"/tracks/demo/invitations/{made.json['key']}").status == 204
