"""Does the form make the header that was typed, and leave the lines of the ranking as they are?"""

import contextlib
import gzip
import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse

from primad.errors import PrimadError
from primad.metadata.header import split
from primad.metadata.paths import leaves
from primad.metadata.profile import load_profile
from primad.metadata.reading import metadata_in, read_record
from primad.metadata.record import Record, Tree, is_stated
from primad.store import database
from primad.store.folder import find_folder
from primad.store.models import Event
from primad.web.tools.form import parts_of, texts_of, tree_of
from tests.web.small_site import SmallSite, run_text

ADDRESS = "/annotate/"
SCRIPT = "<script>alert(1)</script>"
PICTURE = "<svg onload=alert(1)>"  # the name of a file has no slash
RANKING = b"1 Q0 d1 1 0.50 bm25\r\n1\tQ0\td2 2 0.25   bm25\n2 Q0 d1 1 7e-1 bm25"
SCHEMA = load_profile().schema


@pytest.fixture(autouse=True)
def spoken_to(site: SmallSite) -> None:
    """Let what a test looks up itself be looked up in its own site."""
    database.use(find_folder(site.folder))


def send(site: SmallSite, action: str, role: str = "visitor", **fields: object) -> HttpResponse:
    answer: HttpResponse = site.client(role).post(ADDRESS, {"action": action} | fields)
    return answer


def file(name: str, data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


def shown(answer: HttpResponse) -> str:
    return html.unescape(answer.content.decode())


def record_in(answer: HttpResponse) -> Record:
    found = metadata_in(answer.content, "answer")
    assert found is not None
    return found.record


def typed_in(answer: HttpResponse) -> dict[str, str]:
    """Return what the inputs of a page hold."""
    page = answer.content.decode()
    lines = dict(re.findall(r'<input id="in-[^"]*" name="([^"]*)" type="text" value="([^"]*)"', page))
    areas = dict(re.findall(r'<textarea[^>]* name="([^"]*)"[^>]*>\n(.*?)</textarea>', page, re.DOTALL))
    choices = re.findall(r'<select id="in-[^"]*" name="([^"]*)"(.*?)</select>', page, re.DOTALL)
    chosen = {name: found[1] for name, inner in choices if (found := re.search("<option selected>([^<]*)<", inner))}
    return {name: html.unescape(text) for name, text in (lines | areas | chosen).items() if text}


def test_without_a_run_the_header_alone_is_downloaded_with_values_of_their_types(site: SmallSite) -> None:
    answer = send(
        site,
        "download",
        **{
            "tag": "bm25",
            "actor.name": "Ada",
            "actor.fields": "information retrieval\r\nlinguistics\r\n",
            "method.automatic": "true",
            "platform.hardware.ram": "64 GB",
            "research goal.venue.year": "2020",
            "method.retrieval[0].name": "bm25",
            "method.retrieval[0].params": "k1: 0.9\r\nb: 0.4",
            "method.retrieval[2].name": "rm3",
            "method.retrieval[2].reranks": "bm25",
            "method.retrieval[2]": "feedback: 10",
            "more": "resources:\r\n  exit status: 0\r\n",
        },
    )

    tree = record_in(answer).tree
    assert answer["Content-Disposition"] == 'attachment; filename="header.yaml"'
    assert tree["actor"] == {"name": "Ada", "fields": ["information retrieval", "linguistics"]}
    assert tree["method"]["automatic"] is True
    assert tree["method"]["retrieval"] == [
        {"name": "bm25", "params": {"k1": 0.9, "b": 0.4}},
        {"name": "rm3", "reranks": "bm25", "feedback": 10},
    ]
    assert tree["platform"]["hardware"]["ram"] == "64 GB"
    assert tree["research goal"]["venue"]["year"] == 2020
    assert tree["resources"] == {"exit status": 0}
    assert tree["schema-version"] == "0.2"


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "packed"])
def test_a_run_comes_back_with_its_header_and_the_same_bytes_below_it(site: SmallSite, *, packed: bool) -> None:
    data = gzip.compress(RANKING) if packed else RANKING

    answer = send(site, "download", run=file("my.run.gz" if packed else "my.run", data), **{"actor.name": "Ada"})

    assert split(answer.content, "answer").rest == RANKING
    assert record_in(answer)["actor.name"] == "Ada"
    assert record_in(answer).tag == "bm25"
    assert answer["Content-Disposition"] == 'attachment; filename="my.run"'


def test_what_the_header_of_a_run_says_stays_unless_it_is_to_be_replaced(site: SmallSite) -> None:
    run = run_text("first").encode()

    kept = send(site, "download", run=file("first.run", run), **{"actor.name": "Ada"})
    replaced = send(site, "download", run=file("first.run", run), replace="1", **{"actor.name": "Ada"})

    assert record_in(kept)["actor.team"] == "alpha"
    assert record_in(kept)["actor.name"] == "Ada"
    assert record_in(replaced).tree["actor"] == {"name": "Ada"}
    assert split(kept.content, "kept").rest == split(replaced.content, "replaced").rest == split(run, "run").rest


def test_nothing_that_is_sent_is_stored(site: SmallSite) -> None:
    before = Event.objects.count(), sorted(site.folder.rglob("*.run")), len(list((site.folder / "blobs").rglob("*")))

    send(site, "check", "user", run=file("my.run", RANKING))
    send(site, "download", "user", run=file("my.run", RANKING))

    after = Event.objects.count(), sorted(site.folder.rglob("*.run")), len(list((site.folder / "blobs").rglob("*")))
    assert after == before


def test_each_value_that_cannot_be_meant_is_told_beside_its_field_and_stays(site: SmallSite) -> None:
    wrong = {
        "research goal.venue.year": "soon",
        "method.automatic": "perhaps",
        "platform.hardware.ram": "much",
        "method.retrieval[0].params": "k1: [1",
        "actor.role": "onlooker",
        "actor.name": "Ada",
    }

    answer = send(site, "download", **wrong)

    assert answer.status_code == 422
    text = shown(answer)
    assert text.count('class="field wrong"') == 5
    assert "expected a whole number, found 'soon'" in text
    assert "expected true or false, found 'perhaps'" in text
    assert "expected experimenter or reproducer, found 'onlooker'" in text
    assert typed_in(answer).items() >= wrong.items()


def test_checking_says_what_is_missing_beside_each_field_and_what_is_wrong_with_the_ranking(site: SmallSite) -> None:
    twice = b"1 Q0 d1 1 0.5 bm25\n1 Q0 d1 2 0.4 bm25\n"

    answer = send(site, "check", run=file("twice.run", twice), **{"actor.name": "Ada"})

    text = shown(answer)
    assert answer.status_code == 200
    assert 'id="in-actor-role-wrong"' in text
    assert 'id="in-actor-name-wrong"' not in text
    assert "error: is not stated, but essential" in text
    assert (
        "error: line 2: expected each document once per topic, found 'd1' of topic '1' again (first in line 1)" in text
    )
    assert "fields that matter for it are stated" in text


def test_the_header_of_a_run_is_loaded_and_comes_out_the_same(site: SmallSite) -> None:
    run = run_text("first", year="2019").encode()

    loaded = send(site, "load", header_from=file("first.run", run))
    again = send(site, "download", run=file("first.run", run), replace="1", **typed_in(loaded))

    assert typed_in(loaded)["actor.team"] == "alpha"
    assert typed_in(loaded)["method.retrieval[0].method"] == "org.bm25"
    assert "The form holds the header of first.run" in shown(loaded)
    before, after = metadata_in(run, "run"), record_in(again)
    assert before is not None
    expected = {key: value for key, value in before.record.tree.items() if key != "schema-version"}
    assert {key: after.tree[key] for key in expected} == expected


def test_the_record_of_a_run_in_the_archive_is_loaded_by_a_link(site: SmallSite) -> None:
    address = site.archive().search("", limit=1).hits[0].address

    answer = site.client().get(ADDRESS, {"run": address})

    assert typed_in(answer)["data.test collection.name"] == "small"
    assert site.client().get(ADDRESS, {"run": "nothing"}).status_code == 404


def real_records(folder: Path) -> Iterator[Record]:
    """Yield the records of the real metadata files in FOLDER that can be read."""
    for path in sorted(folder.rglob("*.y*ml")):
        with contextlib.suppress(PrimadError):
            yield read_record(path)


def test_every_real_header_goes_through_the_form_and_comes_out_the_same(shared_data: Path) -> None:
    records = list(real_records(shared_data / "ir_metadata"))
    assert len(records) > 15

    for record in records:
        tree, wrong = tree_of(texts_of(record.tree, SCHEMA), SCHEMA)
        assert wrong.keys() <= {"implementation.source.repository"}  # two name one that has no address
        assert wrong or said_by(tree) == said_by(record.tree)


def said_by(tree: Tree) -> dict[object, object]:
    """Return each value that TREE states, but for those that are written anew with each header."""
    stated = {path: value for path, value in leaves(tree) if is_stated(value)}
    kept = {path: value for path, value in stated.items() if path[0] not in {"schema-version", "ranking"}}
    return {path: value.strip() if isinstance(value, str) else value for path, value in kept.items()}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        pytest.param({"more": "a: &x [1]\nb: *x\n"}, "alias", id="alias"),
        pytest.param({"more": "x: " + "{a: " * 60 + "1" + "}" * 60}, "at most 32 levels", id="deep"),
        pytest.param({"more": "!!python/object/apply:os.system ['id']"}, "tag", id="tag"),
        pytest.param({"more": "just text"}, "expected a mapping", id="no mapping"),
        pytest.param({"more": "a: 1\na: 2\n"}, "each key once", id="a key twice"),
        pytest.param(
            {"more": "actor: somebody", "actor.name": "Ada"}, "expected a mapping at 'actor'", id="in the way"
        ),
    ],
)
def test_yaml_that_could_do_harm_or_cannot_be_meant_is_refused(
    site: SmallSite, fields: dict[str, str], said: str
) -> None:
    answer = send(site, "download", **fields)

    assert answer.status_code == 422
    assert said in shown(answer)
    assert typed_in(answer)["more"].strip() == fields["more"].strip()


@pytest.mark.parametrize(
    ("action", "field", "data", "said"),
    [
        pytest.param("load", "header_from", RANKING, "is a run without a header", id="no header"),
        pytest.param("load", "header_from", b"# ir_metadata.start\n# a: *x\n# ir_metadata.end\n", "alias", id="alias"),
        pytest.param("load", "header_from", b"\xff\xfe", "UTF-8", id="no text"),
        pytest.param("download", "run", b"", "expected a run, found no ranking lines", id="empty"),
        pytest.param("download", "run", gzip.compress(RANKING)[:-9], "truncated or damaged", id="cut"),
    ],
)
def test_a_file_that_is_none_is_refused_by_its_name(
    site: SmallSite, action: str, field: str, data: bytes, said: str
) -> None:
    answer = send(site, action, **{field: file("my.run", data)})

    assert answer.status_code == 422
    assert said in shown(answer)
    assert "my.run" in shown(answer)
    assert "<bytes>" not in shown(answer)


def test_a_file_to_load_must_be_chosen(site: SmallSite) -> None:
    assert "choose one first" in shown(send(site, "load"))


def test_a_ranking_that_was_changed_since_it_was_annotated_is_not_annotated_again(site: SmallSite) -> None:
    annotated = send(site, "download", run=file("my.run", RANKING)).content

    answer = send(site, "download", run=file("my.run", annotated + b"\n3 Q0 d1 1 1 bm25\n"), replace="1")

    assert answer.status_code == 422
    assert "changed after it was annotated" in shown(answer)


def test_no_value_no_name_and_no_header_becomes_a_script(site: SmallSite) -> None:
    names = [one.name for part in parts_of(SCHEMA, {}, {}) for one in (*part.inputs, *part.optional)]
    names += [one.name for part in parts_of(SCHEMA, {}, {}) for rows in part.lists for row in rows.rows for one in row]
    hostile = (
        f"# ir_metadata.start\n# tag: '{SCRIPT}'\n# actor:\n#   team: '{SCRIPT}'\n# x: '{SCRIPT}'\n# ir_metadata.end\n"
    )

    pages = [
        send(site, "check", **dict.fromkeys([*names, "more"], f'"{SCRIPT}')),
        send(site, "check", **dict.fromkeys(["actor.team", "tag", "more"], f"'{SCRIPT}': '{SCRIPT}'")),
        send(site, "load", header_from=file(f"{PICTURE}.run", hostile.encode() + RANKING)),
        send(site, "load", header_from=file(f"{PICTURE}.run", b"nothing")),
    ]

    assert len(names) > 60
    for page in pages:
        assert not re.search(b"<(script>alert|svg onload)", page.content)
        assert re.search(b"&lt;(script&gt;alert|svg onload)", page.content)
