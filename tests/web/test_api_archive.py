"""Does the API say of the archive what the archive says, and change it only for those who may?"""

import gzip
from dataclasses import asdict

import pytest

from primad.store.actors import acting, keeper
from primad.store.models import Event
from tests.web.api_client import Answer, Asker, upload
from tests.web.small_site import QRELS, SmallSite, run_text

SCRIPT = '<script>alert("x")</script>'


@pytest.fixture
def visitor(site: SmallSite) -> Asker:
    return Asker(site)


@pytest.fixture
def user(site: SmallSite) -> Asker:
    return Asker(site, "user")


def added(asker: Asker, tag: str, turn: int = 4, **facts: str) -> str:
    """Return the address of a run that ASKER adds."""
    answer = asker.send("/archive/runs", {"files": upload(f"{tag}.run", run_text(tag, turn, **facts))})
    return str(answer.json["kept"][0]["address"])


# Reading ---------------------------------------------------------------------------------------------------------


def test_runs_are_found_in_parts_with_facets_and_scores(visitor: Asker) -> None:
    first = visitor.get("/archive/runs?query=team:alpha&sort=-year&limit=2&facets=year&measures=map&measures=P_10").json
    rest = visitor.get("/archive/runs?query=team:alpha&sort=-year&limit=2&offset=2&measures=map").json

    assert [one["tag"] for one in first["items"]] == ["first", "second"]
    assert (first["total"], first["offset"], first["next"]) == (3, 0, 2)
    assert first["facets"]["year"][0] == {"value": "2018", "runs": 1}
    assert set(first["items"][0]["scores"]) == {"map", "P_10"}
    assert [one["tag"] for one in rest["items"]] == ["third"]
    assert rest["next"] is None


def test_a_run_is_told_by_its_address_the_beginning_of_it_or_its_tag(visitor: Asker) -> None:
    by_tag = visitor.get("/archive/runs/second").json
    address = by_tag["run"]["address"]

    assert visitor.get(f"/archive/runs/{address}").json == by_tag
    assert visitor.get(f"/archive/runs/{address[:10]}").json == by_tag
    assert visitor.get("/archive/addresses?name=second").json == {
        "address": address,
        "tag": "second",
        "is_removed": False,
    }


def test_who_did_something_to_a_run_is_told_to_users_only(visitor: Asker, user: Asker) -> None:
    address = added(user, "mine")

    assert user.get(f"/archive/runs/{address}").json["events"][0]["whom"] == "user@example.org"
    assert b"user@example.org" not in visitor.get(f"/archive/runs/{address}").content


def test_the_file_of_a_run_comes_with_and_without_its_header(visitor: Asker) -> None:
    whole = visitor.get("/archive/runs/first/file")
    bare = visitor.get("/archive/runs/first/file?bare=true")

    assert whole.content.decode() == run_text("first", 0, year="2018")
    assert bare.content.decode() == whole.content.decode().partition("# ir_metadata.end\n")[2]
    assert whole.headers["Content-Disposition"] == 'attachment; filename="first.run"'


def test_topics_completeness_citation_and_record_say_what_is_known(visitor: Asker) -> None:
    topics = visitor.get("/archive/runs/first/topics?measure=P_10").json
    complete = visitor.get("/archive/runs/first/completeness").json
    cited = visitor.get("/archive/runs/first/citation").json

    assert topics["topics"] == dict.fromkeys("12345", 0.3)
    assert {"actor.name"} <= {one["field"] for one in complete["missing"]}
    assert all(one["why"] for one in complete["missing"])
    assert cited["bibtex"].startswith("@misc{first-")
    assert "tag: first\n" in visitor.get("/archive/runs/first/record").content.decode()


def test_a_comparison_says_the_type_and_the_fields_that_differ(visitor: Asker) -> None:
    found = visitor.get("/archive/comparison?original=first&run=second").json

    assert [one["run"]["tag"] for one in found["runs"]] == ["second"]
    assert found["runs"][0]["changed"] == {"research goal": ["research goal.venue.year"]}
    assert visitor.get("/archive/comparison?original=first&run=first").status == 422


def test_the_archive_answers_the_same_as_its_facade(site: SmallSite, visitor: Asker) -> None:
    with acting(keeper()):
        archive = site.archive()
        expected = (
            archive.baselines_for("first"),
            archive.progress("small"),
            archive.overview(""),
            archive.collections(),
        )
        standing = archive.standings([archive.run("third").address])[0]
    baselines, progress, overview, collections = expected

    assert visitor.get("/archive/runs/first/baselines").json["baselines"][0]["p"] == baselines.baselines[0].p
    assert visitor.get("/archive/progress?collection=small").json["sentences"] == list(progress.sentences)
    assert visitor.get("/archive/overview").json["items"] == [
        asdict(one) | {"collections": ["small"]} for one in overview
    ]
    assert visitor.get("/archive/collections/SMALL").json["runs"] == collections[0].runs
    assert visitor.post("/archive/standings", {"addresses": [standing.address]}).json == [asdict(standing)]


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        pytest.param("/archive/runs?query=nope:3", 422, "unknown field 'nope'", id="a query nobody understands"),
        pytest.param("/archive/runs?limit=1001", 422, "limit", id="too many at once"),
        pytest.param("/archive/runs?sort=nope", 422, "nope", id="an order that there is not"),
        pytest.param("/archive/runs?measures=nope", 422, "unknown measure", id="a measure that there is not"),
        pytest.param("/archive/runs/nope", 404, "no run has the address or tag 'nope'", id="no such run"),
        pytest.param("/archive/runs/a%00b", 404, "no run has", id="a name with a null byte"),
        pytest.param("/archive/progress?collection=nope", 404, "nope", id="no such collection"),
        pytest.param("/archive/runs/first/topics?measure=all_trec", 422, "expected one measure", id="many measures"),
        pytest.param(f"/archive/runs?query={'x' * 60_000}", 422, "query", id="a long query"),
        pytest.param("/nowhere", 404, "openapi.json", id="no such question"),
    ],
)
def test_what_cannot_be_answered_is_told_as_a_problem(visitor: Asker, path: str, status: int, said: str) -> None:
    answer = visitor.get(path)

    assert answer.status == status
    assert said in answer.detail
    assert answer.json["status"] == status


# Adding ----------------------------------------------------------------------------------------------------------


def test_a_check_says_each_finding_with_its_line_and_stores_nothing(site: SmallSite, user: Asker) -> None:
    text = run_text("mine", 4).replace("1 Q0 d0 ", "1 Q0 ", 1).replace("#   role: experimenter", "#   role: boss")
    before = sorted(path.name for path in (site.folder / "blobs").rglob("*"))

    found = user.send("/archive/checks", {"files": upload("mine.run", text)}).json[0]

    wrong = [one for one in found["findings"] if one["severity"] == "error" and one["code"] != "missing"]
    assert found["refused"] == (
        "line 6: actor.role: expected experimenter or reproducer, found 'boss'; "
        "line 25: expected 6 columns (topic Q0 document rank score tag), found '1 Q0 6 4 mine'"
    )
    assert [(one["line"], one["file"]) for one in wrong] == [(6, "mine.run"), (25, "mine.run")]
    assert sorted(path.name for path in (site.folder / "blobs").rglob("*")) == before
    assert user.get("/archive/runs").json["total"] == 3


def test_runs_are_added_with_the_metadata_beside_them_and_refused_with_a_reason(user: Asker) -> None:
    header, _, ranking = run_text("beside", 5).partition("# ir_metadata.end\n")
    metadata = "\n".join(line.removeprefix("# ") for line in header.splitlines()[1:])
    files = [
        upload("beside.run", ranking),
        upload("beside.yml", metadata),
        upload("packed.run.gz", gzip.compress(run_text("packed", 6).encode())),
        upload("bad.run", "1 2 3\n"),
    ]

    answer = user.send("/archive/runs", {"files": files}).json

    assert {one["path"]: one["status"] for one in answer["kept"]} == {"beside.run": "added", "packed.run.gz": "added"}
    assert [one["name"] for one in answer["refused"]] == ["bad.run"]
    assert all("/tmp" not in one["reason"] for one in answer["refused"])  # noqa: S108 - what must not be told
    assert user.get("/archive/runs/beside").json["run"]["team"] == "alpha"


def test_a_new_version_takes_the_address_of_the_run_that_it_replaces(user: Asker) -> None:
    address = added(user, "mine")
    text = run_text("mine", 4, team="other")

    answer = user.send("/archive/runs", {"files": upload("mine.run", text), "replaces": address}).json

    assert (answer["kept"][0]["status"], answer["kept"][0]["address"]) == ("new version", address)
    assert user.get(f"/archive/runs/{address}").json["run"]["version"] == 2


def test_nobody_replaces_or_removes_the_run_of_somebody_else(site: SmallSite, user: Asker) -> None:
    address, other = added(user, "mine"), Asker(site, "rival")

    replaced = other.send("/archive/runs", {"files": upload("x.run", run_text("x", 5)), "replaces": address})
    removed = other.ask("DELETE", f"/archive/runs/{address}")

    assert (replaced.status, removed.status) == (403, 403)
    assert "whoever added the run" in removed.detail


def test_a_run_that_was_removed_is_gone_for_others_and_can_be_brought_back(visitor: Asker, user: Asker) -> None:
    address = added(user, "mine")

    removed = user.ask("DELETE", f"/archive/runs/{address}?reason=wrong+topics").json
    gone = visitor.get(f"/archive/runs/{address}/file")
    own = user.get(f"/archive/runs/{address}").json
    back = user.post(f"/archive/runs/{address}/restoration").json

    assert (removed["is_changed"], back["is_changed"]) == (True, True)
    assert (gone.status, "was removed" in gone.detail) == (410, True)
    assert own["removed_at"] is not None
    assert Event.objects.get(verb="removed").details["reason"] == "wrong topics"
    assert visitor.get(f"/archive/runs/{address}").json["removed_at"] is None


@pytest.mark.parametrize("name", ["../../x.run", "..", "-x.run", ".hidden", "a\nb.run", "x" * 300 + ".run"])
def test_a_file_with_a_name_for_harm_is_kept_nowhere_else_or_refused(site: SmallSite, user: Asker, name: str) -> None:
    answer = user.send("/archive/runs", {"files": upload(name, run_text("mine", 4))})

    assert answer.status in (200, 422)
    assert not (site.folder.parent / "x.run").exists()


def test_script_in_a_run_comes_back_as_text_of_json(user: Asker) -> None:
    address = added(user, "mine", team=SCRIPT)

    answer = user.get(f"/archive/runs/{address}")

    assert answer.json["run"]["team"] == SCRIPT
    assert answer.headers["Content-Type"] == "application/json; charset=utf-8"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


# Scopes, collections, jobs ---------------------------------------------------------------------------------------


def test_a_token_that_may_only_read_changes_nothing(site: SmallSite) -> None:
    reader = Asker(site, "administrator", ("read",))
    address = reader.get("/archive/addresses?name=first").json["address"]

    def changed() -> list[Answer]:
        return [
            reader.send("/archive/runs", {"files": upload("mine.run", run_text("mine", 4))}),
            reader.ask("DELETE", f"/archive/runs/{address}"),
            reader.send("/archive/collections", {"name": "other"}),
            reader.post("/archive/evaluations"),
            reader.post("/tokens"),
            reader.ask("PATCH", "/me", {"name": "Other"}),
            reader.ask("DELETE", "/invitations/1"),
            reader.post(f"/users/{site.everybody['user']}/exclusion"),
        ]

    assert [one.status for one in changed()] == [403] * 8


def test_an_administrator_describes_a_collection_with_judgments(site: SmallSite) -> None:
    administrator = Asker(site, "administrator")
    fields = {"name": "other", "qrels": upload("other.qrels", QRELS), "also": ["OTHER-2", "third name"]}

    made = administrator.send("/archive/collections", fields).json
    more = administrator.send("/archive/collections", {"name": "other-2", "ir_datasets": "x/other"}).json
    wrong = administrator.send("/archive/collections", {"name": "other", "qrels": upload("x.qrels", "1 2\n")})

    assert (made["qrels"][0]["name"], made["qrels"][0]["judgments"]) == ("other.qrels", 45)
    assert (more["name"], more["ir_datasets"], len(more["qrels"])) == ("other", "x/other", 1)
    assert (wrong.status, wrong.json["problems"][0]["where"]) == (422, "line 1")
    assert "primad-" not in wrong.detail


def test_an_assessment_is_a_job_with_settings_that_fit(user: Asker) -> None:
    job = user.post("/archive/assessments", {"original": ["first"], "settings": {"measures": ["map"], "depth": 5}})
    twice = user.post("/archive/assessments", {"original": ["first"], "setings": {}})
    unknown = user.post("/archive/assessments", {"original": ["nope"]})
    wrong = user.post("/archive/assessments", {"original": ["first"], "settings": {"measures": ["nope"]}})

    assert (job.status, job.json["kind"], job.json["state"]) == (202, "archive.assess", "waiting")
    assert (twice.status, "setings" in twice.detail) == (422, True)
    assert (unknown.status, wrong.status) == (404, 422)
