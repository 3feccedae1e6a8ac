"""Is what we write in the words of schema.org read by others as what it means?

rdflib reads the JSON-LD.  Its context stands on the web, so here it is replaced by the vocabulary that it names; the
terms of that vocabulary are those that rdflib lists.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest
from rdflib import RDF, BNode, Graph, Literal, URIRef
from rdflib.namespace import SDO

from primad.exchange.citations.schema_org import write
from primad.exchange.thing import Statement, Thing
from primad.qra.material import Material
from primad.qra.measurement import Measurement, Scale
from tests.exchange.some_things import QRELS, TOPICS, a_run, an_experiment, odd_things

PAGE = "https://example.org/page"
DOI = URIRef("https://doi.org/10.5281/zenodo.1234567")
NAMES = list(odd_things())

# The parser of rdflib warns of a class that it uses itself.
pytestmark = pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated:DeprecationWarning")


def tree_of(thing: Thing) -> dict[str, Any]:
    """Return THING as JSON-LD."""
    tree: dict[str, Any] = json.loads(write(thing).files[0].read())
    return tree


def graph_of(thing: Thing) -> Graph:
    """Return what THING says as triples, read from a page without going to the web."""
    tree = tree_of(thing) | {"@context": {"@vocab": "https://schema.org/"}}
    return Graph().parse(data=json.dumps(tree), format="json-ld", base=PAGE)


def texts(graph: Graph, subject: URIRef, name: str) -> list[str]:
    """Return the values of the property NAME of SUBJECT, sorted."""
    return sorted(str(value) for value in graph.objects(subject, SDO[name]))


@pytest.mark.parametrize("name", NAMES)
def test_only_words_of_schema_org_are_used(name: str) -> None:
    graph = graph_of(odd_things()[name])

    words = {predicate for predicate in graph.predicates() if predicate != RDF.type} | set(
        graph.objects(None, RDF.type)
    )
    assert {word for word in words if str(word).removeprefix("https://schema.org/") not in SDO} == set()


@pytest.mark.parametrize("name", NAMES)
def test_every_reference_leads_to_a_node(name: str) -> None:
    graph = graph_of(odd_things()[name])

    linked = {one for one in graph.objects() if isinstance(one, URIRef) and str(one).startswith(f"{PAGE}#")}
    assert linked <= set(graph.subjects())


@pytest.mark.parametrize("name", NAMES)
def test_search_engines_find_what_they_demand(name: str) -> None:
    tree = tree_of(odd_things()[name])

    assert tree["@context"] == "https://schema.org/"
    root = tree["@graph"][0]
    assert root["@type"] == "Dataset"
    assert root["name"].strip() == root["name"] != ""
    assert 0 < len(root["description"]) <= 5_000


@pytest.mark.parametrize("name", NAMES)
def test_the_text_can_stand_in_a_page(name: str) -> None:
    assert b"<" not in write(odd_things()[name]).files[0].read()


def test_a_run_is_described_as_triples() -> None:
    graph = graph_of(a_run())

    assert (DOI, RDF.type, SDO.Dataset) in graph
    assert texts(graph, DOI, "name") == ["BM25 and RM3 on Core17"]
    assert texts(graph, DOI, "license") == ["https://spdx.org/licenses/CC-BY-4.0.html"]
    assert texts(graph, DOI, "datePublished") == ["2026-11-17"]
    assert texts(graph, DOI, "version") == ["1.0"]
    assert texts(graph, DOI, "citation") == ["https://doi.org/10.1145/3397271.3401036"]
    assert texts(graph, DOI, "measurementTechnique") == [
        "automatic: true",
        "bm25: k1=0.9, b=0.4",
        "indexing: stemmer=Porter",
        "rm3: reranks=bm25, weight=0.5",
    ]


def test_whoever_did_it_is_a_person_with_an_orcid_and_a_team() -> None:
    graph = graph_of(a_run())

    (person,) = graph.objects(DOI, SDO.creator)
    assert person == URIRef("https://orcid.org/0000-0002-0661-7189")
    assert (person, RDF.type, SDO.Person) in graph
    assert (person, SDO.familyName, Literal("van der Berg")) in graph
    (team,) = graph.objects(person, SDO.affiliation)
    assert (team, SDO.name, Literal("h2oloo")) in graph


def test_the_command_is_an_action_with_what_it_was_done_by_with_and_on() -> None:
    graph = graph_of(a_run())

    (action,) = graph.subjects(RDF.type, SDO.CreateAction)
    assert graph.value(action, SDO.description) == Literal("java -jar anserini.jar -bm25 -rm3")
    assert graph.value(action, SDO.endTime) == Literal("2026-11-17T00:10:00+00:00")
    assert str(graph.value(action, SDO.actionStatus)) == "https://schema.org/CompletedActionStatus"
    assert graph.value(action, SDO.agent) == URIRef("https://orcid.org/0000-0002-0661-7189")
    (result,) = graph.objects(action, SDO.result)
    assert graph.value(result, SDO.name) == Literal("bm25+rm3.run")
    assert (DOI, SDO.hasPart, result) in graph
    tools = {str(graph.value(tool, SDO.name)) for tool in graph.objects(action, SDO.instrument)}
    assert tools == {"anserini", "numpy", "Ubuntu 20.04.3 LTS"}
    objects = {str(graph.value(one, SDO.name)) for one in graph.objects(action, SDO.object)}
    assert objects == {"The New York Times Annotated Corpus", "TREC disks 4 and 5", "topics.txt"}


def test_code_has_its_repository_its_commit_and_its_language() -> None:
    graph = graph_of(a_run())

    (code,) = graph.subjects(RDF.type, SDO.SoftwareSourceCode)
    assert (DOI, SDO.isBasedOn, code) in graph
    assert texts(graph, URIRef(str(code)), "codeRepository") == ["https://github.com/castorini/anserini"]
    assert texts(graph, URIRef(str(code)), "identifier") == ["9548cd6"]
    assert texts(graph, URIRef(str(code)), "programmingLanguage") == ["java"]


def test_a_measured_score_is_a_value_with_its_digits_its_scale_and_its_conditions() -> None:
    measured = Measurement(
        object="bm25", measurand="P@10", value="0.2500", scale=Scale(0, 1), conditions={"seed": "7"}, unit="share"
    )
    thing = replace(a_run(research_goal=None), material=Material((measured,)))

    graph = graph_of(thing)

    (value,) = graph.objects(DOI, SDO.variableMeasured)
    assert isinstance(value, BNode)
    assert (value, SDO.name, Literal("P@10")) in graph
    assert (value, SDO.value, Literal("0.2500")) in graph
    assert [graph.value(value, SDO[name]) for name in ("minValue", "maxValue")] == [Literal(0), Literal(1)]
    condition = graph.value(value, SDO.valueReference)
    assert (condition, SDO.value, Literal("7")) in graph
    assert "1 measured value" not in write(thing).lost


def test_reported_measures_are_named() -> None:
    graph = graph_of(a_run())

    names = {str(graph.value(one, SDO.name)) for one in graph.objects(DOI, SDO.variableMeasured)}
    assert names == {"map", "P_10"}


def test_files_have_their_size_and_their_digest() -> None:
    graph = graph_of(an_experiment())

    files = {
        str(graph.value(one, SDO.name)): str(graph.value(one, SDO.contentSize))
        for one in graph.objects(DOI, SDO.hasPart)
    }
    assert files == {
        "runs/bm25+rm3.run": "75 B",
        "runs/bm25.run": "63 B",
        "core17.qrels": "44 B",
        "topics.core17.txt": f"{len(TOPICS)} B",
    }
    (qrels,) = graph.subjects(SDO.name, Literal("core17.qrels"))
    assert str(graph.value(qrels, SDO.sha256)) == hashlib.sha256(QRELS).hexdigest()


def test_a_short_description_is_remarked() -> None:
    thing = replace(a_run(), description="Too short.")

    (remark,) = write(thing).remarks
    assert remark == (
        "the description has 10 characters; Google Dataset Search takes none of fewer than 50: "
        "say more with --description"
    )


def test_a_licence_in_words_is_a_work_with_this_name() -> None:
    graph = graph_of(a_run(Statement(licence="for research only", date="2026-11-17")))

    licence = graph.value(URIRef(f"{PAGE}#thing"), SDO.license)
    assert (licence, SDO.name, Literal("for research only")) in graph


def test_what_is_not_carried_is_listed() -> None:
    assert write(a_run()).lost == (
        "schema-version: 1 value",
        "platform.hardware: 3 values",
        "research goal.evaluation: 1 value",
        "actor.role: 1 value",
        "actor.mail: 1 value",
        "the content of 1 run",
    )


def test_the_same_thing_gives_the_same_bytes() -> None:
    assert write(an_experiment()).files[0].read() == write(an_experiment()).files[0].read()
