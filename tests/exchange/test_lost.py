"""Is everything that a format does not carry listed, and nothing that it does?"""

import pytest

from primad.exchange.lost import facts_lost, fields_lost, files_lost, material_lost
from primad.exchange.thing import File, Thing, side_file
from primad.metadata.reading import from_tree
from primad.qra.claims import Claim
from primad.qra.material import Material
from primad.qra.measurement import Measurement
from tests.exchange.some_things import a_run, an_experiment

RECORD = from_tree(
    {
        "tag": "bm25",
        "method": {"retrieval": [{"name": "bm25", "k1": 0.9}, {"name": "rm3"}], "automatic": False},
        "actor": {"name": "Ada", "team": "", "mail": None},
        "own": {"a.b": 1, "c": {"d": [1, 2, {"e": 3}]}},
    }
)
THING = Thing("run", "bm25", "bm25", files=(File.of_bytes(b"", "bm25.run", "run", record=RECORD),))
ALL = (
    "tag: 1 value",
    "method.retrieval: 3 values",
    "method.automatic: 1 value",
    "actor.name: 1 value",
    "own.a.b: 1 value",
    "own.c: 3 values",
)


@pytest.mark.parametrize(
    ("carried", "expected"),
    [
        pytest.param((), ALL, id="nothing is carried"),
        pytest.param(("tag", "method", "actor", "own"), (), id="everything is carried"),
        pytest.param(("tag", "method", "actor.name", r"own.a\.b", "own.c.d[]"), (), id="by each path"),
        pytest.param(("tag", "method", "actor", "own.a"), ("own.a.b: 1 value", "own.c: 3 values"), id="a dot in a key"),
        pytest.param(
            ("tag", "method.retrieval[].name", "actor", "own"),
            ("method.retrieval: 1 value", "method.automatic: 1 value"),
            id="of each stage its name",
        ),
        pytest.param(("tag.x", "method.retrieval.name"), ALL, id="paths that lead beyond or beside"),
    ],
)
def test_what_no_path_leads_to_is_counted_by_its_part_of_the_record(
    carried: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    assert tuple(fields_lost(THING, carried)) == expected


def test_a_record_counts_once_where_the_run_and_the_file_beside_it_say_it() -> None:
    twice = Thing("run", "bm25", "bm25", files=(*THING.files, side_file("bm25.run", RECORD)))

    assert tuple(fields_lost(twice, ())) == ALL


def test_values_of_all_records_are_counted_together() -> None:
    lines = dict(line.split(": ") for line in fields_lost(an_experiment(), ()))

    assert lines["tag"] == "2 values"
    assert lines["actor.name"] == "2 values"
    assert lines["actor.orcid"] == "1 value"


def test_a_field_that_is_new_to_everybody_is_listed_as_lost() -> None:
    assert "novelty.of tomorrow: 1 value" in set(fields_lost(a_run(novelty={"of tomorrow": True}), ("tag", "actor")))


def test_files_are_counted_by_what_they_are_for() -> None:
    assert tuple(files_lost(an_experiment())) == (
        "the content of 2 runs",
        "the content of 1 file of judgments",
        "the content of 1 file of topics",
    )
    assert tuple(files_lost(an_experiment(), ("run", "topics"))) == ("the content of 1 file of judgments",)
    assert tuple(files_lost(an_experiment(), ("run", "topics", "qrels"))) == ()


def test_what_was_measured_and_claimed_is_listed_unless_it_is_carried() -> None:
    values = tuple(Measurement(object="A", measurand="map", value=text) for text in ("0.1", "0.2"))
    claims = (Claim(above="A", below="B", measurand="map"),)
    thing = Thing("precision", "p", "p", material=Material(values, claims=claims))

    assert tuple(material_lost(thing)) == ("2 measured values", "1 claim")
    assert tuple(material_lost(thing, ("measurements",))) == ("1 claim",)


def test_facts_are_listed_by_name_unless_they_are_told_or_say_nothing() -> None:
    thing = Thing("attempt", "a", "a", facts={"state": "succeeded", "type": "", "human minutes": 0})

    assert tuple(facts_lost(thing)) == ("2 facts (state, human minutes)",)
    assert tuple(facts_lost(thing, ("state", "human minutes"))) == ()
