"""Does the package nanopub find nanopublications well-formed, and does rdflib read in them what was measured?"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from rdflib import RDF, RDFS, XSD, Dataset, Literal, Namespace, URIRef
from rdflib.graph import Graph

from primad.errors import DataError
from primad.exchange.gathering import gather
from primad.exchange.linked import nanopublication
from primad.exchange.linked.names import of_digest
from primad.exchange.linked.nanopublication import write
from primad.exchange.thing import File, Statement, Thing
from primad.metadata.reading import from_tree
from primad.qra.example import example_measurements
from primad.qra.material import Material
from primad.qra.measurement import Measurement, Scale
from primad.qra.precision import cv_star
from tests.exchange.annotated import experiment_in, run_in
from tests.exchange.peers import run_peer
from tests.exchange.some_things import odd_things

NP = Namespace("http://www.nanopub.org/nschema#")
PROV = Namespace("http://www.w3.org/ns/prov#")
SCHEMA = Namespace("https://schema.org/")
DCTERMS = Namespace("http://purl.org/dc/terms/")
ODD = odd_things()
SECRET = "ghp_" + "a1B2" * 9

pytestmark = pytest.mark.filterwarnings(
    "ignore:(Dataset|ConjunctiveGraph):DeprecationWarning"
)  # of rdflib, about itself


def of_values(*values: str, **more: object) -> Thing:
    """Return an assessment of precision with these values of one measurand."""
    base = Measurement(object="NTS", measurand="BLEU", value="1", conditions={"code_by": "us"})
    ones = tuple(replace(base, value=value, **more) for value in values)  # type: ignore[arg-type]
    file = File.of_bytes(b"values", "v.qra.yaml", "measurements")
    stated = Statement(licence="CC-BY-4.0", date="2026-11-17")
    return Thing("precision", "nts", "nts", files=(file,), material=Material(ones), stated=stated)


def read_again(thing: Thing) -> list[dict[str, Graph]]:
    """Return the four graphs of each nanopublication of THING, as rdflib reads them."""
    whole = Dataset()
    whole.parse(data=write(thing).files[0].read().decode(), format="trig")
    names = [subject for subject, _, _, _ in whole.quads((None, RDF.type, NP.Nanopublication, None))]
    parts = ("Head", "assertion", "provenance", "pubinfo")
    return [{part: whole.graph(URIRef(f"{name}#{part}")) for part in parts} for name in names]


def about(graphs: dict[str, Graph]) -> str:
    """Return what a nanopublication is called."""
    (label,) = graphs["pubinfo"].objects(None, RDFS.label)
    return str(label)


@pytest.mark.slow
def test_the_package_nanopub_finds_every_nanopublication_well_formed(tmp_path: Path) -> None:
    things = [*(thing for thing in ODD.values() if _can_be_told(thing)), of_values("27.1", "28.40", "x")]
    things.append(gather(experiment_in(tmp_path)))
    texts = [write(thing).files[0].read() for thing in things]
    (tmp_path / "all.trig").write_bytes(b"\n".join(texts))

    answers = json.loads(run_peer("nanopub", "nanopublications.py", tmp_path / "all.trig").stdout)

    different = {graph for text in texts for graph in text.split(b"@prefix this: ")[1:]}
    assert answers == ["valid"] * len(different)
    assert len(answers) > 20


def _can_be_told(thing: Thing) -> bool:
    """Tell whether a nanopublication can be made of THING; the many are of one kind."""
    return any(run.record for run in thing.runs) and len(thing.files) < 10


def test_the_package_nanopub_would_say_what_is_wrong(tmp_path: Path) -> None:
    text = write(of_values("27.1")).files[0].read().decode()
    head, *graphs = text.split("\nsub:")
    without_provenance = "\nsub:".join([head, *(graph for graph in graphs if not graph.startswith("provenance"))])
    (tmp_path / "bad.trig").write_text(without_provenance)

    (answer,) = json.loads(run_peer("nanopub", "nanopublications.py", tmp_path / "bad.trig").stdout)

    assert answer == "The provenance graph is empty"


def test_a_measured_value_is_an_observation_with_its_digits_and_its_conditions() -> None:
    thing = of_values(
        "84.50",
        source="https://doi.org/10.18653/v1/2022.acl-long.2",
        scale=Scale(0, 100),
        unit="points",
        role="reproduction",
        outputs="b" * 64,
    )

    (one,) = read_again(thing)

    fact = one["assertion"]
    (observation,) = fact.subjects(RDF.type, SCHEMA.Observation)
    (object_,) = fact.objects(observation, SCHEMA.observationAbout)
    assert list(fact.objects(object_, SCHEMA.name)) == [Literal("NTS")]
    assert list(fact.objects(observation, SCHEMA.variableMeasured)) == [Literal("BLEU")]
    (value,) = fact.objects(observation, SCHEMA.value)
    assert value.n3() == '"84.50"^^<http://www.w3.org/2001/XMLSchema#decimal>'
    assert list(fact.objects(observation, SCHEMA.maxValue)) == [Literal("100", datatype=XSD.decimal)]
    properties = {
        (str(fact.value(node, SCHEMA.name)), str(fact.value(node, SCHEMA.value)))
        for node in fact.objects(observation, SCHEMA.additionalProperty)
    }
    assert properties == {("Code by", "us"), ("role", "reproduction")}
    (assertion,) = one["Head"].objects(None, NP.hasAssertion)
    assert set(one["provenance"].objects(assertion, PROV.wasDerivedFrom)) == {
        URIRef("https://doi.org/10.18653/v1/2022.acl-long.2"),
        URIRef(of_digest("b" * 64)),
        URIRef(of_digest(thing.files[0].sha256)),
    }
    (name,) = one["Head"].subjects(RDF.type, NP.Nanopublication)
    assert list(one["pubinfo"].objects(name, DCTERMS.license)) == [URIRef("https://spdx.org/licenses/CC-BY-4.0.html")]
    assert list(one["pubinfo"].objects(name, DCTERMS.created)) == [Literal("2026-11-17", datatype=XSD.date)]


def test_the_precision_of_several_values_is_a_finding_of_its_own() -> None:
    found = {about(one): one["assertion"] for one in read_again(of_values("27.1", "28.4", "26.9"))}

    expected = cv_star(["27.1", "28.4", "26.9"])
    assert list(found) == [
        "BLEU of NTS is 27.1",
        "BLEU of NTS is 28.4",
        "BLEU of NTS is 26.9",
        f"CV* of BLEU of NTS is {expected:.6g} %",
    ]
    (value,) = found[f"CV* of BLEU of NTS is {expected:.6g} %"].objects(None, SCHEMA.unitText)
    assert str(value) == "%"


def test_every_published_measurement_of_a_paper_becomes_one_with_the_conditions_it_states() -> None:
    material = example_measurements("belz2022")
    thing = Thing("precision", "belz2022", "belz2022", material=material)

    found = read_again(thing)

    values = [one for one in found if not about(one).startswith("CV*")]
    assert len(values) == len(material.measurements) == 116
    clarity = next(one["assertion"] for one in found if about(one) == "CV* of Clarity of PASS is 13.2399 %")
    conditions = {str(text) for text in clarity.objects(None, SCHEMA.name)}
    assert {"number of measurements", "Code by", "Performed by (varies)"} <= conditions


def test_a_run_is_said_to_exist_and_to_be_made_by_its_command(tmp_path: Path) -> None:
    thing = gather(run_in(tmp_path))

    (one,) = read_again(thing)

    run = URIRef(of_digest(thing.files[0].sha256))
    fact = one["assertion"]
    assert list(fact.objects(run, RDF.type)) == [SCHEMA.Dataset]
    assert list(fact.objects(run, SCHEMA.name)) == [Literal("bm25+ce")]
    (activity,) = fact.objects(run, PROV.wasGeneratedBy)
    assert str(fact.value(activity, RDFS.label)) == "python search.py --topics topics.txt --seed 7 --out bm25ce.run"
    assert fact.value(activity, PROV.startedAtTime) == Literal("2026-11-16T10:00:00+00:00", datatype=XSD.dateTime)
    orcid = URIRef("https://orcid.org/0000-0002-0661-7189")
    assert orcid in set(one["provenance"].objects(None, PROV.wasAttributedTo))
    assert orcid in set(one["pubinfo"].objects(None, DCTERMS.creator))


@pytest.mark.parametrize(
    ("value", "written"),
    [
        pytest.param("96.75%", '"96.75"^^xsd:decimal', id="percent"),
        pytest.param("1.2e-3", '"1.2e-3"^^xsd:double', id="with an exponent"),
        pytest.param('a "quoted"\nvalue', '"a \\"quoted\\" value"', id="no number"),
    ],
)
def test_a_value_keeps_what_it_was_written_as(value: str, written: str) -> None:
    text = write(of_values(value)).files[0].read().decode()

    assert f"schema:value {written} " in text
    assert len(read_again(of_values(value))) == 1


def test_values_that_cannot_be_put_together_are_told_without_precision() -> None:
    written = write(of_values("27.1", "nonsense"))

    assert [about(one) for one in read_again(of_values("27.1", "nonsense"))] == [
        "BLEU of NTS is 27.1",
        "BLEU of NTS is nonsense",
    ]
    assert written.remarks[0].startswith("no CV* is stated: ")


def test_only_so_many_are_written_and_the_others_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nanopublication, "MOST", 3)

    written = write(of_values("1", "2", "3", "4", "5"))

    assert written.files[0].read().count(b"np:Nanopublication") == 3
    assert "3 findings after the first 3" in written.lost
    assert written.remarks[0] == "3 nanopublications are written but not signed, which whoever publishes them does"


def test_what_is_missing_to_publish_is_said() -> None:
    thing = replace(of_values("1"), stated=Statement(date="2026-11-17"))

    assert write(thing).remarks == (
        "1 nanopublication is written but not signed, which whoever publishes them does",
        "nobody is named with an ORCID, which is the name of whoever signs a nanopublication",
        "no licence is stated; say one with --license",
    )


def test_a_thing_in_which_nothing_was_found_is_refused() -> None:
    silent = File.of_bytes(b"301 Q0 d1 1 2.5 bm25\n", "a.run", "run", record=from_tree({"tag": "bm25"}))
    hint = "name a file of measurements, or say by what a run was made with: primad annotate RUN"
    expected = f"expected a finding for nanopublications, found none in a; {hint}"

    for files in ((), (silent,)):
        with pytest.raises(DataError, match=f"^{expected}$"):
            write(Thing("assessment", "a", "a", files=files))


def test_no_secret_is_written() -> None:
    thing = of_values("1", conditions={"command": f"curl -H 'Authorization: Bearer {SECRET}'"}, source=SECRET)

    assert SECRET.encode() not in write(thing).files[0].read()


@pytest.mark.parametrize("hostile", ['" . <a> <b> <c> . "', "\\", "> } <", '"""', "@prefix x: <y> .", "\u2028\x00"])
def test_hostile_text_stays_text(hostile: str) -> None:
    thing = of_values(hostile, object=f"a {hostile}", measurand=f"b {hostile}", source=hostile, unit=hostile)

    (one,) = read_again(thing)

    assert sum(len(graph) for graph in one.values()) < 25
    assert {str(quad[2]) for quad in one["assertion"].triples((None, SCHEMA.variableMeasured, None))} == {
        " ".join(f"b {hostile}".replace("\x00", "").split())
    }


@pytest.mark.slow
def test_the_same_thing_gives_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    place = experiment_in(tmp_path)
    code = (
        "import sys\nfrom primad.exchange.gathering import gather\n"
        "from primad.exchange.linked.nanopublication import write\n"
        "sys.stdout.buffer.write(write(gather(sys.argv[1])).files[0].read())"
    )
    asked = [sys.executable, "-c", code, str(place)]
    texts = {
        subprocess.run(asked, env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in ("1", "2")
    }

    assert texts == {write(gather(place)).files[0].read()}
