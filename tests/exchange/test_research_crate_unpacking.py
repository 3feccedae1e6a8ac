"""What is taken over from research objects of others, and what harm can a hostile one do?"""

from __future__ import annotations

import json
import os
import socket
import zipfile
from pathlib import Path
from typing import Any

import pytest
from rocrate.model.contextentity import ContextEntity  # type: ignore[import-untyped]
from rocrate.rocrate import ROCrate  # type: ignore[import-untyped]

from primad.errors import FileError, FormatError
from primad.exchange.catalogue import recognised
from primad.exchange.reading import import_file, receive
from primad.exchange.research_crate import graph
from primad.exchange.research_crate.unpacking import looks_like, read
from primad.exchange.writing import export
from primad.metadata.reading import from_tree
from tests.exchange import rocrate_crates as crates
from tests.exchange.some_things import QRELS, RUN, TOPICS

RANKING = crates.PLAIN
PARTS = {"out.run": RANKING, "topics.txt": b"307: a, b\n12"}

# Of a run that carries nothing itself, what process_run says of it.
TOLD = {
    "platform": {"software": {"libraries": ["lucene==9.9"]}},
    "implementation": {
        "executable": {"program": "Anserini", "cmd": "Anserini -index idx -topics topics.txt -bm25"},
        "source": {"repository": "https://github.com/castorini/anserini", "release": "Anserini==0.36.0"},
    },
    "method": {"parameters": {"k1": "0.9"}},
    "actor": {"name": "Jimmy Lin", "orcid": "0000-0002-0661-7189", "team": "University of Waterloo"},
    "data": {
        "inputs": [{"path": "topics.txt", "bytes": 12}],
        "other": [{"name": "Core17", "source": "https://example.org/core17/"}],
    },
    "resources": {
        "runtime": {"start time": "2024-05-17T01:04:50+01:00", "stop time": "2024-05-17T01:04:52+01:00"},
        "action status": "CompletedActionStatus",
    },
}


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse each connection: nothing that a crate names is ever fetched."""

    def refuse(*_: object) -> None:
        pytest.fail("something was fetched")

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.mark.parametrize("version", ["1.1", "1.2", "1.3"])
def test_the_run_of_a_process_run_crate_gets_a_record_of_what_its_action_says(tmp_path: Path, version: str) -> None:
    crate = crates.foreign_crate(tmp_path / "theirs", crates.process_run(), PARTS, version=version)

    received = read(crate)

    run, beside, topics = received.thing.files
    assert (run.path, run.role, run.read()) == ("out.run", "run", RANKING)
    assert run.record == from_tree(TOLD)
    assert (beside.path, beside.about, beside.record) == ("out.run.meta", "out.run", run.record)
    assert (topics.path, topics.role) == ("topics.txt", "topics")
    assert received.lost == ()


@pytest.mark.parametrize("version", ["1.0", "1.1", "1.2", "1.3"])
def test_a_crate_that_the_package_rocrate_writes_is_taken_over(tmp_path: Path, version: str) -> None:
    crates.write_files(tmp_path, {"bm25.run": RANKING})
    theirs = ROCrate(version=version)
    theirs.name = "By others"
    run = theirs.add_file(tmp_path / "bm25.run", "out/bm25 1.run", record_size=True)
    person = theirs.add(ContextEntity(theirs, "#ada", {"@type": "Person", "name": "Ada Lovelace"}))
    search = theirs.add(ContextEntity(theirs, "#search", {"@type": "SoftwareApplication", "name": "search"}))
    action = {
        "@type": "CreateAction",
        "instrument": search,
        "agent": person,
        "result": [run],
        "description": "search -k 5",
    }
    theirs.add(ContextEntity(theirs, "#action", action))
    theirs.write(tmp_path / "theirs")

    received = read(tmp_path / "theirs")

    assert received.thing.title == "By others"
    assert [(file.path, file.role) for file in received.thing.files] == [
        ("out/bm25 1.run", "run"),
        ("out/bm25 1.run.meta", "metadata"),
    ]
    assert received.thing.runs[0].record == from_tree(
        {
            "implementation": {"executable": {"program": "search", "cmd": "search -k 5"}},
            "actor": {"name": "Ada Lovelace"},
        }
    )
    assert received.lost == ()


def test_a_run_that_says_something_about_itself_is_left_as_it_is(tmp_path: Path) -> None:
    data = crates.annotated()
    crate = crates.foreign_crate(tmp_path, crates.process_run(), PARTS | {"out.run": data})

    received = read(crate)

    assert [file.path for file in received.thing.files] == ["out.run", "topics.txt"]
    assert received.thing.runs[0].read() == data
    assert received.thing.runs[0].record is not None
    assert received.thing.runs[0].record["actor.name"] == "Jan van der Berg"
    assert "1 entity of type CreateAction" in received.lost


def test_the_step_of_a_workflow_says_more_than_the_workflow(tmp_path: Path) -> None:
    name = "b9214658cc453331b62c2282b772a5c063dbd284"
    files = {name: RANKING, "workflow.cwl": b"class: Workflow\n"}
    crate = crates.foreign_crate(
        tmp_path, crates.provenance_run(RANKING), files, root={"mainEntity": {"@id": "workflow.cwl"}}
    )

    received = read(crate)

    assert received.thing.runs[0].record == from_tree(
        {
            "implementation": {"executable": {"program": "search.cwl"}},
            "method": {"parameters": {"main/depth": "1000"}},
        }
    )
    assert received.lost == (
        "1 entity of type ComputerLanguage",
        "1 entity of type CreateAction",
        "1 entity of type FormalParameter",
        "1 entity of type HowToStep",
    )


def test_files_of_others_are_told_apart_by_content(tmp_path: Path) -> None:
    entities: crates.Entities = [
        {"@id": "./a.txt", "@type": "File"},
        {"@id": "data/b.txt", "@type": ["File", "ImageObject"], "name": "the judgments"},
        {"@id": "data/", "@type": "Dataset", "hasPart": [{"@id": "data/b.txt"}]},
    ]
    files = {"a.txt": RUN, "data/b.txt": QRELS, "topics.xml": TOPICS}

    received = read(crates.foreign_crate(tmp_path, entities, files))

    assert [(file.path, file.role, file.title) for file in received.thing.files] == [
        ("a.txt", "run", ""),
        ("data/b.txt", "qrels", "the judgments"),
        ("topics.xml", "topics", ""),
    ]
    assert received.lost == ()
    assert received.remarks[1:] == ("files in the folder that the crate does not list, taken over all the same: 1",)


def test_what_has_no_place_in_a_record_is_listed_by_type_and_count(tmp_path: Path) -> None:
    entities: crates.Entities = [
        {"@id": "#a", "@type": "Person", "name": "Ada"},
        {"@id": "#b", "@type": "Person", "name": "Bob"},
        {"@id": "#place", "@type": ["Place", "Thing"]},
        {"@id": "#nothing"},
    ]

    assert read(crates.foreign_crate(tmp_path, entities, {"a.run": RANKING})).lost == (
        "2 entities of type Person",
        "1 entity of type Place and Thing",
        "1 entity of type an entity without a type",
    )


def test_what_a_crate_says_of_itself_is_what_its_publisher_states(tmp_path: Path) -> None:
    root = {
        "name": "Runs of May",
        "license": {"@id": "https://spdx.org/licenses/CC-BY-4.0"},
        "datePublished": "2024-05-17T10:00:00Z",
        "publisher": {"@id": "https://ror.org/1"},
        "identifier": ["https://doi.org/10.5281/zenodo.1"],
    }
    entities: crates.Entities = [{"@id": "https://ror.org/1", "@type": "Organization", "name": "Zenodo"}]

    thing = read(crates.foreign_crate(tmp_path, entities, {"a.run": RANKING}, root=root)).thing

    assert (thing.kind, thing.name, thing.title, thing.description) == ("run", "Runs_of_May", "Runs of May", "A crate.")
    assert (thing.stated.licence, thing.stated.date) == ("CC-BY-4.0", "2024-05-17")
    assert (thing.stated.publisher, thing.stated.doi) == ("Zenodo", "10.5281/zenodo.1")


def test_a_crate_without_runs_gives_a_record_of_each_action(tmp_path: Path) -> None:
    crate = crates.foreign_crate(tmp_path, crates.process_run(), {})

    received = read(crate / crates.DESCRIPTOR)

    (record,) = received.thing.files
    assert (record.path, record.role) == ("Search_Core17.yml", "metadata")
    assert record.record is not None
    assert record.record["data.outputs"] == [{"path": "out.run"}]
    assert record.record["actor.name"] == "Jimmy Lin"
    assert received.lost == ("2 files that the crate lists and does not have: out.run, topics.txt",)


def test_measured_values_become_measurements(tmp_path: Path) -> None:
    entities: crates.Entities = [
        {"@id": "#1", "@type": "PropertyValue", "name": "map", "value": "0.2530"},
        {"@id": "#2", "@type": "PropertyValue", "name": "quality", "value": "good"},
    ]
    root = {"variableMeasured": [{"@id": "#1"}, {"@id": "#2"}]}
    crate = crates.foreign_crate(tmp_path / "theirs", entities, {"a.run": RANKING}, root=root)

    received = read(crate)
    imported = import_file(crate, tmp_path / "ours")

    assert [(one.object, one.measurand, one.value) for one in received.thing.material.measurements] == [
        ("theirs", "map", "0.2530")
    ]
    assert received.lost == ("1 entity of type PropertyValue",)
    assert imported.measurements == 1


@pytest.mark.parametrize("root", [".", "", "https://example.org/crates/1/", "https://example.org/crates/1"])
def test_the_crate_itself_may_go_by_other_identifiers(tmp_path: Path, root: str) -> None:
    address = f"{root.rstrip('/')}/" if root.startswith("https") else ""
    entities: crates.Entities = [{"@id": f"{address}out.run", "@type": "File", "name": "the ranking"}]

    received = read(crates.foreign_crate(tmp_path, entities, {"out.run": RANKING}, root={"@id": root}))

    assert [(file.path, file.title) for file in received.thing.files] == [("out.run", "the ranking")]
    assert received.thing.title == "theirs"
    assert received.lost == ()


def test_terms_may_be_written_with_their_vocabulary(tmp_path: Path) -> None:
    entities: crates.Entities = [{"@id": "a.run", "@type": "schema:MediaObject", "http://schema.org/name": "ours"}]

    received = read(crates.foreign_crate(tmp_path, entities, {"a.run": RANKING}))

    assert received.thing.files[0].title == "ours"


@pytest.mark.parametrize("place", ["", "crate", "data", "some name"])
def test_a_crate_is_found_in_a_zip_of_its_files_or_of_its_folder(tmp_path: Path, place: str) -> None:
    crate = crates.foreign_crate(tmp_path / "theirs", crates.process_run(), PARTS)
    with zipfile.ZipFile(tmp_path / "theirs.zip", "w") as archive:
        for name, data in crates.contents(crate).items():
            archive.writestr(f"{place}/{name}".lstrip("/"), data)

    with receive(tmp_path / "theirs.zip") as (form, received):
        assert form == "ro-crate"
        assert [file.path for file in received.thing.runs] == ["out.run"]


def test_a_crate_of_version_1_0_is_found_by_its_older_name(tmp_path: Path) -> None:
    crate = crates.foreign_crate(tmp_path / "theirs", [], {"a.run": RANKING})
    text = (crate / crates.DESCRIPTOR).read_text(encoding="utf-8").replace("metadata.json", "metadata.jsonld")
    (crate / crates.DESCRIPTOR).unlink()
    (crate / "ro-crate-metadata.jsonld").write_text(text, encoding="utf-8")

    assert recognised(crate).name == "ro-crate"
    assert [file.path for file in read(crate).thing.files] == ["a.run"]


def test_a_folder_of_runs_is_no_crate(tmp_path: Path) -> None:
    crates.write_files(tmp_path, {"a.run": RANKING, "one/b.run": RANKING, "two/c.run": RANKING})

    assert not looks_like(tmp_path)
    assert not looks_like(tmp_path / "a.run")


# Hostile crates


OUTSIDE = "with a path that leads out of the crate, which nobody has followed"
ELSEWHERE = "on the web, which nobody has fetched"


@pytest.mark.parametrize(
    ("identifier", "said"),
    [
        pytest.param("../secret.txt", OUTSIDE, id="the folder above"),
        pytest.param("a/../../secret.txt", OUTSIDE, id="the folder above, by a detour"),
        pytest.param("..%2Fsecret.txt", OUTSIDE, id="the folder above, escaped"),
        pytest.param("%2e%2e/secret.txt", OUTSIDE, id="dots, escaped"),
        pytest.param("..\\secret.txt", OUTSIDE, id="the folder above, of other systems"),
        pytest.param("/etc/passwd", OUTSIDE, id="an absolute path"),
        pytest.param("//example.org/etc/passwd", OUTSIDE, id="a path on another machine"),
        pytest.param("file:///etc/passwd", OUTSIDE, id="an address of this machine"),
        pytest.param("FILE:/etc/passwd", OUTSIDE, id="an address of this machine in large letters"),
        pytest.param("a\nb", OUTSIDE, id="a line break"),
        pytest.param("a%00b", OUTSIDE, id="a zero byte"),
        pytest.param("http://127.0.0.1:1/a.run", ELSEWHERE, id="an address of the web"),
        pytest.param("ftp://example.org/a.run", ELSEWHERE, id="an address of another kind"),
        pytest.param("x" * 300, "that the crate lists and does not have", id="a name that no disk can have"),
    ],
)
def test_a_file_that_is_not_in_the_crate_is_said_and_never_read(tmp_path: Path, identifier: str, said: str) -> None:
    crates.write_files(tmp_path, {"secret.txt": RUN})
    crate = crates.foreign_crate(tmp_path / "theirs", [{"@id": identifier, "@type": "File"}], {"a.run": RANKING})

    received = read(crate)

    assert [file.path for file in received.thing.files] == ["a.run"]
    (line,) = received.lost
    assert line.startswith(f"1 file {said}: ")
    assert line.isprintable()


def test_a_link_out_of_the_crate_is_not_followed(tmp_path: Path) -> None:
    crates.write_files(tmp_path, {"secret.run": RUN, "outside/.hidden": RUN})
    entities: crates.Entities = [{"@id": one, "@type": "File"} for one in ("link.run", "folder/.hidden", ".link")]
    crate = crates.foreign_crate(tmp_path / "theirs", entities, {"a.run": RANKING})
    (crate / "link.run").symlink_to(tmp_path / "secret.run")
    (crate / "folder").symlink_to(tmp_path / "outside")
    (crate / ".link").symlink_to(tmp_path / "secret.run")

    received = read(crate)

    assert [file.path for file in received.thing.files] == ["a.run"]
    assert received.lost[0] == "3 files that the crate lists and does not have: link.run, folder/.hidden, .link"


def test_metadata_that_is_a_link_is_no_crate(tmp_path: Path) -> None:
    crates.foreign_crate(tmp_path / "theirs", [], {})
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / crates.DESCRIPTOR).symlink_to(tmp_path / "theirs" / crates.DESCRIPTOR)

    assert not looks_like(tmp_path / "ours")


@pytest.mark.parametrize("digest", ["sha256", "sha1", "sha512"])
def test_a_file_with_other_bytes_than_the_crate_says_is_refused(tmp_path: Path, digest: str) -> None:
    crate = crates.foreign_crate(tmp_path, crates.process_run(**{digest: "0" * 40}), PARTS)

    with pytest.raises(
        FileError, match=rf"out\.run: is not the file that the crate tells of: expected {digest} 0{{40}}"
    ):
        read(crate)


def test_a_size_that_is_not_as_the_crate_says_is_said(tmp_path: Path) -> None:
    crate = crates.foreign_crate(tmp_path, crates.process_run(contentSize="5"), PARTS)

    received = read(crate)

    assert received.lost == ("1 file whose size is not as the crate says: out.run",)
    assert received.thing.runs[0].read() == RANKING


def test_a_crate_of_ours_with_other_bytes_is_refused(tmp_path: Path) -> None:
    source = crates.write_files(tmp_path, {"a.run": crates.annotated()}) / "a.run"
    export(source, "ro-crate", tmp_path / "crate")
    (tmp_path / "crate" / "a.run").write_bytes(crates.annotated(actor__team="another"))

    with pytest.raises(FileError, match="is not the file that the crate tells of"):
        import_file(tmp_path / "crate", tmp_path / "back")
    assert not (tmp_path / "back").exists()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("", "JSON", id="nothing"),
        pytest.param("[" * 100_000, "nests lists and mappings too deeply", id="nesting without end"),
        pytest.param('{"@graph": [], "@graph": []}', "twice", id="a key twice"),
        pytest.param('{"@graph": 1}', "a list of entities", id="no list"),
        pytest.param("[]", "a list of entities", id="no mapping"),
        pytest.param('{"@graph": [1]}', "expected an '@id' in each entity", id="an entity that is none"),
        pytest.param('{"@graph": [{"@id": 5}]}', "expected an '@id' in each entity", id="an identifier that is none"),
        pytest.param('{"@graph": [{"@id": "a"}]}', "is about, found none", id="no crate"),
        pytest.param('{"@graph": [{"@id": "./", "n": NaN}]}', "found NaN as a number", id="a number that is none"),
        pytest.param('{"@graph": [{"@id": "\\ud800"}]}', "half of a character", id="half of a character"),
        pytest.param("\xff", "UTF-8", id="other bytes"),
    ],
)
def test_metadata_that_are_none_are_refused_with_a_reason(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / crates.DESCRIPTOR).write_bytes(text.encode("latin-1"))

    with pytest.raises((FileError, FormatError), match=said):
        read(tmp_path)


def test_metadata_that_are_too_large_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    crate = crates.foreign_crate(tmp_path, [{"@id": f"#{number}", "@type": "Thing"} for number in range(10)])

    monkeypatch.setattr(graph, "LARGEST", 100)
    with pytest.raises(FileError, match="expected at most 100 bytes"):
        read(crate)

    monkeypatch.setattr(graph, "LARGEST", 1 << 20)
    monkeypatch.setattr(graph, "MOST_ENTITIES", 11)
    with pytest.raises(FileError, match="expected at most 11 entities, found 12"):
        read(crate)


def test_an_entity_that_stands_there_twice_counts_once_and_is_said(tmp_path: Path) -> None:
    entities: crates.Entities = [
        {"@id": "a.run", "@type": "File", "name": "first"},
        {"@id": "./a.run", "@type": "File", "name": "second", "sha256": "0" * 64},
    ]

    received = read(crates.foreign_crate(tmp_path, entities, {"a.run": RANKING}))

    assert received.thing.files[0].title == "first"
    assert "entities that are described again, of which the first description counts: 1" in received.remarks


def test_circles_of_references_come_to_an_end(tmp_path: Path) -> None:
    circle: dict[str, Any] = {
        "@id": "#circle",
        "@type": ["CreateAction", "SoftwareApplication", "Person", "Collection", "Dataset", "Organization"],
        "hasPart": [{"@id": "#circle"}, {"@id": "./"}, {"@id": "a.run"}],
    }
    names = ("instrument", "agent", "object", "result", "softwareRequirements", "affiliation", "about", "citation")
    circle |= {name: {"@id": "#circle"} for name in names}
    entities: crates.Entities = [circle, {"@id": "a.run", "@type": "File", "about": {"@id": "a.run"}}]
    root = {"hasPart": [{"@id": "./"}, {"@id": "#circle"}], "about": {"@id": "./"}, "author": {"@id": "./"}}

    received = read(crates.foreign_crate(tmp_path, entities, {"a.run": RANKING}, root=root))

    assert received.thing.runs[0].record is not None
    assert received.thing.runs[0].record["implementation.executable.program"] == "#circle"


ODD: list[Any] = [
    None,
    0,
    True,
    1e308,
    "",
    "\x1b[31m",
    [],
    [[]],
    {},
    {"@id": 5},
    {"@id": {}},
    {"@value": []},
    "x" * 10_000,
]


@pytest.mark.parametrize("value", ODD, ids=lambda one: repr(one)[:20])
def test_values_of_odd_kinds_do_no_harm(tmp_path: Path, value: Any) -> None:
    entities = [
        {key: value if key not in ("@id", "@type") else old for key, old in one.items()} for one in crates.process_run()
    ]
    entities[0]["additionalType"] = "run"
    entities[2]["result"] = {"@id": "out.run"}
    root = dict.fromkeys(["name", "license", "publisher", "identifier", "datePublished", "additionalProperty"], value)

    received = read(crates.foreign_crate(tmp_path, entities, PARTS, root=root | {"additionalType": value}))

    assert [file.read() for file in received.thing.runs] == [RANKING]
    assert all(line.isprintable() and len(line) < 1000 for line in (*received.lost, *received.remarks))


def test_types_without_number_are_not_all_listed(tmp_path: Path) -> None:
    entities: crates.Entities = [{"@id": f"#{number}", "@type": f"Type{number}"} for number in range(500)]

    received = read(crates.foreign_crate(tmp_path, entities, {"a.run": RANKING}))

    assert len(received.lost) == 31
    assert received.lost[-1] == "470 entities of other types"


def test_secrets_in_a_crate_are_not_written_into_a_record(tmp_path: Path) -> None:
    entities = crates.process_run()
    entities[2]["description"] = "Anserini --api-key abcdef123456 -bm25"
    entities[2]["environment"] = [{"@id": "#token"}]
    entities.append(
        {"@id": "#token", "@type": "PropertyValue", "name": "HF_TOKEN", "value": "hf_abcdefghijklmnopqrstu"}
    )

    received = read(crates.foreign_crate(tmp_path, entities, PARTS))

    text = received.thing.files[1].read().decode()
    assert "abcdef123456" not in text
    assert "hf_abcdefghijklmnopqrstu" not in text
    assert "Anserini --api-key REDACTED -bm25" in text


def test_a_description_that_is_prose_is_taken_for_no_command(tmp_path: Path) -> None:
    entities = crates.process_run()
    entities[2]["description"] = "We searched with Anserini."

    (run, *_) = read(crates.foreign_crate(tmp_path, entities, PARTS)).thing.files

    assert run.record is not None
    assert run.record.get("implementation.executable.cmd") is None


def test_a_role_that_a_crate_claims_does_not_make_a_file_a_run(tmp_path: Path) -> None:
    entities: crates.Entities = [{"@id": name, "@type": "File", "additionalType": "run"} for name in ("a.txt", "b.txt")]

    received = read(crates.foreign_crate(tmp_path, entities, {"a.txt": b"no ranking\n", "b.txt": RANKING}))

    assert [(file.path, file.role) for file in received.thing.files] == [("a.txt", "other"), ("b.txt", "run")]


def test_a_hidden_file_that_the_crate_lists_is_taken_over(tmp_path: Path) -> None:
    entities: crates.Entities = [{"@id": ".config/a.json", "@type": "File"}]

    received = read(crates.foreign_crate(tmp_path, entities, {"a.run": RANKING, ".config/a.json": b"{}", ".b": b""}))

    assert [file.path for file in received.thing.files] == [".config/a.json", "a.run"]


def test_a_folder_that_cannot_be_read_is_no_crate(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o000)
    try:
        assert not looks_like(closed) or os.geteuid() == 0
    finally:
        closed.chmod(0o700)


def test_what_was_taken_over_is_whole_on_the_disk(tmp_path: Path) -> None:
    crate = crates.foreign_crate(tmp_path / "theirs", crates.process_run(), PARTS)

    imported = import_file(crate, tmp_path / "ours")

    found = crates.contents(tmp_path / "ours")
    assert found.keys() == {"out.run", "out.run.meta", "topics.txt"}
    assert found["out.run"] == RANKING
    assert (imported.format, imported.kind, imported.runs, imported.records) == ("ro-crate", "experiment", 1, 1)
    assert json.loads(json.dumps(imported.remarks)) == ["the crate is called 'theirs'; its licence: none is stated"]
