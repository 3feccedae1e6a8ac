"""Does what is packed as a research object come back as it was: the same bytes, and the same records?"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from primad.exchange.gathering import gather
from primad.exchange.reading import import_file, receive
from primad.exchange.research_crate.packing import write
from primad.exchange.research_crate.unpacking import read
from primad.exchange.thing import File, Statement, Thing
from primad.exchange.told import Deed, Person, Used
from primad.exchange.writing import export, write_files
from primad.metadata.reading import from_tree, metadata_in
from primad.metadata.record import Record
from primad.qra.material import Material
from primad.qra.measurement import Measurement
from tests.exchange import rocrate_crates as crates
from tests.exchange.some_things import QRELS, RUN, STATED, TOPICS, TREE, odd_things

ANNOTATED = crates.annotated()
SIDE = from_tree(TREE | {"tag": "plain"}).to_yaml().encode()
MADE_ANEW = {"ro-crate-metadata.json", "datacite.json", "CITATION.cff", "references.bib"}


def there_and_back(source: Path, place: Path, name: str) -> tuple[dict[str, bytes], dict[str, Any]]:
    """Return the files that came back after what is at SOURCE was packed as NAME, and what was said on the way."""
    exported = export(source, "ro-crate", place / name)
    imported = import_file(place / name, place / "back")
    assert exported.lost == ()
    return crates.contents(place / "back"), {"lost": imported.lost, "kind": imported.kind, "runs": imported.runs}


@pytest.mark.parametrize("name", ["crate", "crate.zip"])
@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"a.run": ANNOTATED}, id="a run with a header"),
        pytest.param({"a.run.gz": crates.packed(ANNOTATED)}, id="a packed run with a header"),
        pytest.param({"a.run": crates.PLAIN, "a.run.meta": SIDE}, id="metadata in a file beside the run"),
        pytest.param({"a.run": crates.PLAIN, "ir-metadata.yml": SIDE}, id="metadata in a file for the whole folder"),
        pytest.param({"a.run": crates.PLAIN}, id="a run without metadata"),
        pytest.param({"BM25 k1=0.9 (50%).run": ANNOTATED}, id="a name that no address can have"),
        pytest.param({"検索 #1?.run": ANNOTATED}, id="a name in other letters"),
        pytest.param({"ro:run": ANNOTATED}, id="a name that could be an address"),
    ],
)
def test_a_run_comes_back_as_it_was(tmp_path: Path, files: dict[str, bytes], name: str) -> None:
    source = crates.write_files(tmp_path / "source", files)
    run = source / next(iter(files))

    back, said = there_and_back(run, tmp_path, name)

    assert back == files
    assert said == {"lost": (), "kind": "run", "runs": 1}
    assert gather(tmp_path / "back" / run.name).files[0].record == gather(run).files[0].record


@pytest.mark.parametrize("name", ["crate", "crate.zip"])
def test_an_experiment_comes_back_as_it_was(tmp_path: Path, name: str) -> None:
    files = {
        "runs/one/bm25+rm3.run": ANNOTATED,
        "runs/two/plain.run.gz": crates.packed(crates.PLAIN),
        "runs/two/plain.run.gz.meta": SIDE,
        "runs/three.run": RUN,
        "core17.qrels": QRELS,
        "topics.core17.txt": TOPICS,
        "notes/read me.md": b"# Notes\n\nRuns of May.\n",
        "empty": b"",
    }
    source = crates.write_files(tmp_path / "source", files)

    back, said = there_and_back(source, tmp_path, name)

    assert back == files
    assert said == {"lost": (), "kind": "experiment", "runs": 3}
    before = {file.path: (file.role, file.record, file.about) for file in gather(source).files}
    with receive(tmp_path / name) as (form, received):
        assert form == "ro-crate"
        assert {file.path: (file.role, file.record, file.about) for file in received.thing.files} == before


def test_an_assessment_comes_back_as_it_was(tmp_path: Path) -> None:
    files = {"assessment.json": b'{"schema": "primad.assess/1"}', "report.html": b"<p>", "effects.svg": b"<svg/>"}
    source = crates.write_files(tmp_path / "source", files)

    back, said = there_and_back(source, tmp_path, "crate.zip")

    assert back == files
    assert said == {"lost": (), "kind": "assessment", "runs": 0}


def test_real_runs_come_back_as_they_were(tmp_path: Path, shared_data: Path) -> None:
    source = shared_data / "ir_metadata" / "anserini-bm25-retrieval"

    back, said = there_and_back(source, tmp_path, "crate.zip")

    assert back == crates.contents(source)
    assert said == {"lost": (), "kind": "experiment", "runs": 1}


def test_real_metadata_come_back_as_they_were(tmp_path: Path, shared_data: Path) -> None:
    source = shared_data / "ir_metadata" / "tira"
    visible = {
        path: data for path, data in crates.contents(source).items() if not path.startswith(".") and "/." not in path
    }

    exported = export(source, "ro-crate", tmp_path / "crate")
    imported = import_file(tmp_path / "crate", tmp_path / "back")

    assert [line for line in exported.lost if "hidden" not in line] == []
    assert crates.contents(tmp_path / "back") == visible
    assert imported.lost == ()


def test_what_the_publisher_states_comes_back(tmp_path: Path) -> None:
    source = crates.write_files(tmp_path, {"a.run": ANNOTATED}) / "a.run"
    authors = (Person("Grace Hopper", "0000-0002-1825-0097", team="Navy"), Person("h2oloo", team="h2oloo"))
    export(source, "ro-crate", tmp_path / "crate", stated=replace(STATED, description="Two.", authors=authors))

    received = read(tmp_path / "crate")

    thing = received.thing
    assert (thing.title, thing.description) == (STATED.title, "Two.")
    assert thing.stated == replace(STATED, title="", authors=authors)
    assert (thing.kind, thing.name) == ("run", "bm25+rm3")
    called = f"the crate is called '{STATED.title}', by Grace Hopper, h2oloo; its licence: CC-BY-4.0"
    assert (received.lost, received.remarks) == ((), (called,))


@pytest.mark.parametrize("licence", ["", "CC-BY-4.0", "https://example.org/licence", "as the authors say"])
def test_a_licence_comes_back_as_it_was_stated(tmp_path: Path, licence: str) -> None:
    source = crates.write_files(tmp_path, {"a.run": ANNOTATED}) / "a.run"
    export(source, "ro-crate", tmp_path / "crate", stated=Statement(licence=licence))

    assert read(tmp_path / "crate").thing.stated.licence == licence


def test_a_record_that_no_file_carries_comes_back_in_a_file_of_its_own(tmp_path: Path) -> None:
    record = from_tree(TREE)
    thing = Thing("run", "a", "a", files=(File.of_bytes(RUN, "a.run", "run", record=record),))

    export(thing, "ro-crate", tmp_path / "crate")
    received = read(tmp_path / "crate").thing

    assert [(file.path, file.role, file.about) for file in received.files] == [
        ("a.run", "run", ""),
        ("a.run.meta", "metadata", "a.run"),
    ]
    assert received.files[0].record == record


def test_measurements_that_no_file_carries_come_back_in_a_file_of_their_own(tmp_path: Path) -> None:
    one = Measurement(object="bm25", measurand="map", value="0.2530", conditions={"team": "h2oloo"}, role="original")
    thing = Thing("precision", "p", "p", material=Material((one,)))

    export(thing, "ro-crate", tmp_path / "crate")
    received = read(tmp_path / "crate")

    (back,) = received.thing.material.measurements
    assert (back.object, back.measurand, back.value, back.conditions) == ("bm25", "map", "0.2530", {"team": "h2oloo"})
    assert received.lost == ()


def an_attempt() -> Thing:
    """Return an attempt as a track hands it over."""
    files = (
        File.of_bytes(RUN, "replicated/out.run", "run"),
        File.of_bytes(b"print(1)\n", "system/search.py", "system"),
        File.of_bytes(RUN, "system/expected.run", "system"),
        File.of_bytes(b"search.py: done\n", "transcript/log.txt", "transcript"),
        File.of_bytes(b"q1: 5\n", "sheet.txt", "sheet"),
        File.of_bytes(from_tree(TREE).to_yaml().encode(), "attempt.yml", "metadata", record=from_tree(TREE)),
    )
    facts = {
        "type": "priMad",
        "human minutes": 35,
        "machine": {"cores": 2},
        "states": ["opened", "closed"],
    }
    deeds = (Deed("pip install -r requirements.txt", status=0), Deed("python search.py", status=1))
    people = (Person("analyst 2", role="analyst"),)
    return Thing("attempt", "attempt-12", "Attempt 12", "It failed.", files, facts=facts, deeds=deeds, people=people)


def test_the_files_of_an_attempt_keep_what_they_are_for(tmp_path: Path) -> None:
    attempt = an_attempt()
    export(attempt, "ro-crate", tmp_path / "crate.zip")

    with receive(tmp_path / "crate.zip") as (_, received):
        back = received.thing
        assert [(file.path, file.role, file.read()) for file in back.files] == [
            (file.path, file.role, file.read()) for file in attempt.files
        ]
        assert (back.kind, back.name, back.title) == ("attempt", "attempt-12", "Attempt 12")
        assert back.facts == {
            "type": "priMad",
            "human minutes": 35,
            "machine.cores": 2,
            "states": ["opened", "closed"],
        }


def test_what_of_an_attempt_has_no_place_in_files_is_listed(tmp_path: Path) -> None:
    export(an_attempt(), "ro-crate", tmp_path / "crate")

    assert read(tmp_path / "crate").lost == (
        "2 entities of type CreateAction",
        "2 entities of type SoftwareApplication",
        "4 facts on the attempt as a whole: type, human minutes, machine.cores, states",
    )


def test_an_entity_that_somebody_has_added_is_listed(tmp_path: Path) -> None:
    source = crates.write_files(tmp_path, {"a.run": ANNOTATED}) / "a.run"
    export(source, "ro-crate", tmp_path / "crate")
    path = tmp_path / "crate" / "ro-crate-metadata.json"
    tree = json.loads(path.read_text(encoding="utf-8"))
    tree["@graph"].append({"@id": "#grant", "@type": "Grant", "name": "of somebody"})
    path.write_text(json.dumps(tree), encoding="utf-8")

    assert read(tmp_path / "crate").lost == ("1 entity of type Grant",)


def test_a_crate_that_is_packed_again_is_the_same_crate(tmp_path: Path) -> None:
    source = crates.write_files(tmp_path / "source", {"a/a.run": ANNOTATED, "b.run": crates.PLAIN, "c.qrels": QRELS})
    export(source, "ro-crate", tmp_path / "first", stated=STATED)

    received = read(tmp_path / "first").thing
    export(received, "ro-crate", tmp_path / "second")

    assert crates.contents(tmp_path / "second") == crates.contents(tmp_path / "first")


def test_a_crate_that_is_exported_as_a_folder_says_that_its_description_is_new(tmp_path: Path) -> None:
    source = crates.write_files(tmp_path / "source", {"a.run": ANNOTATED})
    export(source, "ro-crate", tmp_path / "first")

    exported = export(tmp_path / "first", "ro-crate", tmp_path / "second")

    said = (
        "the description of the crate that it is already (ro-crate-metadata.json), in place of which there is a new one"
    )
    assert exported.lost == (said,)
    assert exported.files.count("ro-crate-metadata.json") == 1


LARGE = "100 people"


@pytest.mark.parametrize("name", [pytest.param(one, marks=[pytest.mark.slow] * (one == LARGE)) for one in odd_things()])
def test_odd_things_come_back_whole(tmp_path: Path, name: str) -> None:
    thing = odd_things()[name]
    written = write(thing)
    write_files(tmp_path, written.files)

    received = read(tmp_path)

    assert written.lost == ()
    assert [file.read() for file in received.thing.runs] == [file.read() for file in thing.runs]
    as_written = [from_tree(_whole(file.record.tree)) for file in thing.runs if file.record]
    assert [file.record for file in received.thing.runs] == as_written


def _whole(value: Any) -> Any:
    """Return VALUE as YAML gives it back."""
    found = metadata_in(Record(value).to_yaml().encode(), "record.yml")
    assert found is not None
    return found.record.tree


NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters="/\\"), min_size=1, max_size=12
)
PATHS = st.lists(NAMES.filter(lambda one: not one.startswith(".")), min_size=1, max_size=3).map("/".join)


@settings(max_examples=20)  # each writes and reads a crate
@given(
    paths=st.lists(PATHS, min_size=1, max_size=4, unique_by=str.casefold),
    tag=st.from_regex(r"[A-Za-z0-9+._-]{1,12}", fullmatch=True),
    title=st.text(max_size=20),
)
def test_whatever_runs_are_called_they_come_back(
    tmp_path_factory: pytest.TempPathFactory, paths: list[str], tag: str, title: str
) -> None:
    if any(one != other and other.startswith(f"{one}/") for one in paths for other in paths):
        return  # a file cannot be a folder
    place = tmp_path_factory.mktemp("crate")
    ranking = RUN.replace(b"bm25+rm3", tag.encode())
    files = tuple(File.of_bytes(crates.annotated(ranking), f"{path}.run", "run") for path in paths)
    write_files(place, write(Thing("experiment", "all", title, files=files)).files)

    received = read(place)

    assert {file.path: file.read() for file in received.thing.runs} == {file.path: file.read() for file in files}
    assert {file.record.tag for file in received.thing.runs if file.record} == {tag}


def test_the_same_thing_gives_the_same_bytes(tmp_path: Path) -> None:
    source = crates.write_files(tmp_path / "source", {"a.run": ANNOTATED, "b.run": crates.PLAIN})

    export(source, "ro-crate", tmp_path / "one.zip")
    export(source, "ro-crate", tmp_path / "two.zip")

    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_beside_the_payload_lie_only_descriptions(tmp_path: Path) -> None:
    source = crates.write_files(tmp_path / "source", {"a.run": ANNOTATED})

    exported = export(source, "ro-crate", tmp_path / "crate")

    assert set(exported.files) == MADE_ANEW | {"a.run"}


def test_a_file_that_is_called_like_a_description_stays_as_it_is(tmp_path: Path) -> None:
    files = {"a.run": ANNOTATED, "CITATION.cff": b"message: mine\n"}
    source = crates.write_files(tmp_path / "source", files)

    back, said = there_and_back(source, tmp_path, "crate")

    assert back == files
    assert said["lost"] == ()


def test_files_of_a_deed_that_are_in_the_crate_are_those_of_the_crate(tmp_path: Path) -> None:
    run = File.of_bytes(RUN, "out.run", "run")
    deed = Deed("search", outputs=(Used("runs/out.run", run.sha256, run.size),))
    export(Thing("attempt", "a", "a", files=(run,), deeds=(deed,)), "ro-crate", tmp_path / "crate")

    received = read(tmp_path / "crate").thing

    assert received.runs[0].record == from_tree(
        {"implementation": {"executable": {"program": "search", "cmd": "search"}}}
    )
