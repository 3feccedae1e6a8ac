"""Does the package prov read what was written, statement by statement, and does it keep to the constraints of PROV?"""

from __future__ import annotations

import os
import subprocess
import sys
import unicodedata
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import pytest
from prov.model import ProvActivity, ProvAgent, ProvDocument, ProvElement, ProvEntity, ProvRecord, ProvRelation

from primad.exchange.gathering import gather
from primad.exchange.linked.names import of_digest
from primad.exchange.linked.provenance import write
from primad.exchange.thing import File, Thing
from primad.exchange.told import Deed, Person, Used
from tests.exchange.annotated import RECORD, experiment_in, ranking, run_in
from tests.exchange.some_things import a_run, odd_things

ODD = odd_things()
Record = TypeVar("Record", bound=ProvRecord)
SECRET = "ghp_" + "a1B2" * 9


def read_again(thing: Thing) -> ProvDocument:
    """Return what the package prov reads in what is written of THING."""
    (file,) = write(thing).files
    document = ProvDocument.deserialize(content=file.read().decode(), format="json")
    assert isinstance(document, ProvDocument)
    return document


def every(kind: type[Record], document: ProvDocument) -> list[Record]:
    """Return all records of that KIND in DOCUMENT."""
    return [one for one in document.get_records() if isinstance(one, kind)]


def labels(document: ProvDocument) -> dict[str, str]:
    """Return the label of each element by its address."""
    return {str(one.identifier.uri): one.label for one in every(ProvElement, document) if one.identifier}


def statements(document: ProvDocument, verb: str) -> set[tuple[str, ...]]:
    """Return the relations called VERB between labels, those with a role with it."""
    names = labels(document)
    found = set()
    for relation in every(ProvRelation, document):
        if relation.get_type().localpart == verb:
            ends = [names[value.uri] for _, value in relation.formal_attributes[:2]]
            roles = relation.get_attribute("prov:role")
            found.add((*ends, *roles))
    return found


def test_every_statement_about_an_annotated_run_is_read_again(tmp_path: Path) -> None:
    thing = gather(run_in(tmp_path))
    command = "python search.py --topics topics.txt --seed 7 --out bm25ce.run"

    document = read_again(thing)

    assert {one.label for one in every(ProvActivity, document)} == {command}
    assert {one.label for one in every(ProvAgent, document)} == {"Žofie Müller", "h2oloo"}
    files = ["bm25+ce", "bm25+ce", "topics.txt", "bm25ce.run", "ranking of bm25 for bm25+ce"]
    others = ["code", "Core17", "MS MARCO", "pyserini"]
    assert sorted(one.label for one in every(ProvEntity, document)) == sorted([*files, *others])
    assert statements(document, "Usage") == {
        (command, "topics.txt", "input"),
        (command, "code", "program"),
        (command, "Core17", "test collection"),
        (command, "MS MARCO", "training data"),
        (command, "pyserini", "toolkit"),
    }
    assert statements(document, "Generation") == {
        ("bm25ce.run", command),
        ("ranking of bm25 for bm25+ce", command),
    }
    assert statements(document, "Derivation") == {
        ("bm25+ce", "bm25ce.run"),
        ("bm25+ce", "ranking of bm25 for bm25+ce"),
    }
    assert statements(document, "Association") == {(command, "Žofie Müller", "experimenter")}
    assert statements(document, "Delegation") == {("Žofie Müller", "h2oloo")}
    assert statements(document, "Attribution") == {("bm25+ce", "Žofie Müller")}
    assert statements(document, "Membership") == {("bm25+ce", "bm25+ce")}


def test_names_times_and_digests_are_those_of_the_record(tmp_path: Path) -> None:
    thing = gather(run_in(tmp_path))

    document = read_again(thing)

    (activity,) = every(ProvActivity, document)
    assert activity.get_startTime() == datetime.fromisoformat("2026-11-16T10:00:00+00:00")
    assert activity.get_endTime() == datetime.fromisoformat("2026-11-16T10:00:07+00:00")
    names = labels(document)
    assert names["https://orcid.org/0000-0002-0661-7189"] == "Žofie Müller"
    assert names[of_digest(thing.files[0].sha256)] == "bm25+ce"
    (program,) = (one for one in every(ProvEntity, document) if one.label == "code")
    assert program.get_attribute("schema:version") == {"9548cd6a"}
    assert {one.localpart for one in program.get_attribute("prov:type")} == {"Plan", "SoftwareSourceCode"}
    (association,) = (one for one in every(ProvRelation, document) if one.get_type().localpart == "Association")
    assert dict(association.formal_attributes)[_attribute(association, "plan")] == program.identifier


def _attribute(relation: ProvRelation, name: str) -> Any:
    """Return the key that prov has for the attribute NAME of RELATION."""
    return next(key for key, _ in relation.formal_attributes if key.localpart == name)


def test_what_made_a_run_is_told_though_nobody_has_recorded_the_command() -> None:
    silent = a_run(implementation={"source": {"repository": "git@example.org:team/code.git"}}, data=None)
    bare = a_run(implementation=None, platform=None)

    document = read_again(silent)

    (activity,) = every(ProvActivity, document)
    assert activity.label == "how bm25+rm3 was made"
    assert (activity.get_startTime(), activity.get_endTime()) == tuple(
        datetime.fromisoformat(time) for time in ("2026-11-16T23:59:00+00:00", "2026-11-17T00:10:00+00:00")
    )
    assert ("bm25+rm3", activity.label) in statements(document, "Generation")
    assert statements(document, "Usage") == {
        (activity.label, "code", "program"),
        (activity.label, "anserini", "toolkit"),
    }
    assert list(every(ProvActivity, read_again(bare))) == []


def test_a_run_whose_bytes_the_command_wrote_is_generated_and_not_derived() -> None:
    lines = ranking("toy")
    run = File.of_bytes(lines, "toy.run", "run")
    deed = Deed("run", outputs=(Used("toy.run", run.sha256),))
    thing = Thing("attempt", "a", "a", files=(run,), deeds=(deed,), people=(Person("Ada", team="T"),))

    document = read_again(thing)

    assert statements(document, "Generation") == {("toy.run", "run")}
    assert statements(document, "Derivation") == set()
    assert statements(document, "Association") == {("run", "Ada")}
    assert statements(document, "Attribution") == {("a", "Ada")}


def test_a_reproduction_is_influenced_by_its_original_and_results_are_derived_from_runs(tmp_path: Path) -> None:
    place = experiment_in(tmp_path)
    (place / "bm25ce.run").unlink()
    again = RECORD.replace("role: experimenter", "role: reproducer").replace("tag: bm25+ce", "tag: again")
    run_in(place, "again.run", again, ranking("again"))
    (place / "assessment.json").write_text("{}")

    document = read_again(gather(place))

    assert statements(document, "Influence") == {("again", "bm25")}
    results = {pair for pair in statements(document, "Derivation") if pair[0] == "assessment.json"}
    assert results == {
        ("assessment.json", source) for source in ("again", "bm25", "silent.run", "core17.qrels", "topics.txt")
    }


def test_a_stage_that_names_another_run_of_the_thing_is_derived_from_that_run(tmp_path: Path) -> None:
    place = tmp_path / "runs"
    place.mkdir()
    stages = "    - {name: bm25, k1: 0.9, b: 0.4}\n"
    run_in(place, "bm25.run", RECORD.replace("tag: bm25+ce", "tag: first"), ranking("first"))
    second = (
        RECORD.replace("tag: bm25+ce", "tag: second").replace(stages, "").replace("reranks: bm25", "reranks: first")
    )
    run_in(place, "second.run", second, ranking("second"))

    derived = statements(read_again(gather(place)), "Derivation")

    assert ("second", "first") in derived
    assert ("first", "ranking of bm25 for first") in derived


def test_of_two_runs_that_are_each_said_to_rerank_the_other_only_one_is_derived(tmp_path: Path) -> None:
    place = tmp_path / "runs"
    place.mkdir()
    head, tail = RECORD.split("  retrieval:\n")[0], "actor:" + RECORD.split("actor:")[1]
    for own, other in (("one", "two"), ("two", "one")):
        record = f"{head}  retrieval: [{{name: {own} stage, reranks: {other}}}]\n{tail}"
        run_in(place, f"{own}.run", record.replace("tag: bm25+ce", f"tag: {own}"), ranking(own))

    derived = statements(read_again(gather(place)), "Derivation")

    assert derived & {("one", "two"), ("two", "one")} == {("one", "two")}


@pytest.mark.parametrize(
    "stages",
    [
        pytest.param("[{name: a, reranks: b}, {name: b, reranks: a}]", id="a circle"),
        pytest.param("[{name: a, reranks: a}]", id="of itself"),
        pytest.param("[{name: a, reranks: bm25+ce}]", id="of the run itself"),
        pytest.param("[{name: a, reranks: nowhere}]", id="of what nobody knows"),
        pytest.param("[{reranks: a}, 7, text, {name: [1]}]", id="nonsense"),
    ],
)
def test_nothing_is_derived_from_itself_or_from_nothing(tmp_path: Path, stages: str) -> None:
    head, _ = RECORD.split("  retrieval:\n")
    record = head + f"  retrieval: {stages}\n" + "actor:" + RECORD.split("actor:")[1]

    derived = statements(read_again(gather(run_in(tmp_path, record=record))), "Derivation")

    assert derived == {("bm25+ce", "bm25ce.run")}


def test_times_that_cannot_be_are_left_out_and_said() -> None:
    deeds = [
        Deed("late", "2026-11-17T10:00:00+00:00", "2026-11-16T10:00:00+00:00"),
        Deed("vague", "yesterday", "2026-11-16T10:00:00.123456789+0000"),
    ]
    thing = Thing("attempt", "a", "a", deeds=tuple(deeds))

    activities = {one.label: one for one in every(ProvActivity, read_again(thing))}

    assert (activities["late"].get_startTime(), activities["late"].get_endTime()) == (None, None)
    assert activities["vague"].get_startTime() is None
    assert activities["vague"].get_endTime() == datetime.fromisoformat("2026-11-16T10:00:00.123456+00:00")
    assert write(thing).remarks == (
        "a command ended before it began (2026-11-17T10:00:00+00:00), so its times are left out",
    )


def test_of_two_commands_that_wrote_the_same_bytes_only_one_is_told() -> None:
    output = Used("out.run", "a" * 64)
    deeds = [Deed("first", outputs=(output,)), Deed("second", outputs=(output,))]
    thing = Thing("attempt", "a", "a", deeds=tuple(deeds))

    assert statements(read_again(thing), "Generation") == {("out.run", "first")}
    assert write(thing).remarks == ("out.run has the same bytes as a file of another command, which is told only",)


@pytest.mark.parametrize("name", ODD)
def test_what_is_written_of_odd_things_keeps_to_the_constraints_of_prov(name: str) -> None:
    thing = ODD[name]
    if len(thing.files) > 20:
        thing = replace(thing, files=thing.files[:20])

    document = read_again(thing)

    kinds = [{one.identifier for one in every(kind, document)} for kind in (ProvEntity, ProvActivity, ProvAgent)]
    known = set[Any]().union(*kinds)
    assert sum(map(len, kinds)) == len(known), "entities, activities and agents are disjoint"
    generated = [one for one in every(ProvRelation, document) if one.get_type().localpart == "Generation"]
    assert len({one.formal_attributes[0][1] for one in generated}) == len(generated), "an entity is generated once"
    for relation in every(ProvRelation, document):
        named = [value for _, value in relation.formal_attributes if value is not None]
        assert set(named) <= known, "every name is that of something which is stated"
    for activity in every(ProvActivity, document):
        began, ended = activity.get_startTime(), activity.get_endTime()
        assert began is None or ended is None or began <= ended
    for text in labels(document).values():
        assert not any(unicodedata.category(sign) == "Cc" for sign in str(text))


@pytest.mark.slow
def test_the_same_thing_gives_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    place = experiment_in(tmp_path)
    code = (
        "import sys\nfrom primad.exchange.gathering import gather\n"
        "from primad.exchange.linked.provenance import write\n"
        "sys.stdout.buffer.write(write(gather(sys.argv[1])).files[0].read())"
    )

    texts = {
        subprocess.run(
            [sys.executable, "-c", code, place],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }

    assert texts == {write(gather(place)).files[0].read()}


def test_no_secret_is_written() -> None:
    deeds = [Deed(f"curl -H 'Authorization: Bearer {SECRET}'", inputs=(Used(f"{SECRET}.txt"),))]
    thing = Thing("attempt", "a", f"token {SECRET}", deeds=tuple(deeds))

    assert SECRET.encode() not in write(thing).files[0].read()


def test_what_prov_does_not_carry_is_listed(tmp_path: Path) -> None:
    lost = write(gather(experiment_in(tmp_path))).lost

    assert "platform.hardware: 6 values" in lost
    assert "actor.mail: 2 values" in lost
    assert "the content of 3 runs" in lost
    assert not any(line.startswith(("actor.orcid", "data.inputs", "resources.runtime.start")) for line in lost)


@pytest.mark.filterwarnings("ignore:Dataset:DeprecationWarning")  # of rdflib, about prov
def test_it_becomes_prov_n_and_rdf_with_the_tools_of_prov(tmp_path: Path) -> None:
    document = read_again(gather(run_in(tmp_path)))

    notation = document.get_provn()
    rdf = document.serialize(format="rdf", rdf_format="turtle")

    assert "actedOnBehalfOf(orcid:0000-0002-0661-7189, uuid:" in notation
    assert rdf is not None
    assert "prov:wasAttributedTo orcid:0000-0002-0661-7189" in rdf
