"""Does a research object say what the records of a thing say, each entity once?"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from rocrate.rocrate import ROCrate  # type: ignore[import-untyped]

from primad.exchange.citations.citing import ALL_KINDS, KINDS
from primad.exchange.gathering import gather
from primad.exchange.research_crate.packing import write
from primad.exchange.research_crate.words import DESCRIPTIONS
from primad.exchange.thing import File, Statement, Thing
from primad.exchange.told import Deed, Person, Used
from primad.exchange.writing import export
from primad.metadata.reading import from_tree
from primad.qra.material import Material
from primad.qra.measurement import Measurement, Scale
from tests.exchange.some_things import QRELS, RUN, STATED, TREE, a_run, an_experiment, odd_things

Entity = dict[str, Any]

# Terms of schema.org 10.0, which RO-Crate 1.1 is based on, and the two that it has not and the crate defines itself.
TERMS = set(
    """@id @type about actionStatus additionalProperty additionalType affiliation agent alternateName author citation
    codeRepository conformsTo contentSize datePublished description encodingFormat endTime error hasPart
    identifier instrument license maxValue measurementTechnique mentions minValue name object publisher result
    softwareRequirements softwareVersion startTime unitText url value variableMeasured version""".split()  # noqa: SIM905
) | {"sha256", "resourceUsage"}


def entities(thing: Thing) -> dict[str, Entity]:
    """Return the entities of the crate of THING by identifier."""
    (metadata,) = (file for file in write(thing).files if file.path == "ro-crate-metadata.json")
    graph = json.loads(metadata.read())["@graph"]
    found = {entity["@id"]: entity for entity in graph}
    assert len(found) == len(graph)
    return found


def of_type(found: dict[str, Entity], kind: str) -> list[Entity]:
    """Return the entities of the type KIND."""
    return [entity for entity in found.values() if entity["@type"] == kind]


def test_the_crate_says_what_only_its_publisher_can_say() -> None:
    found = entities(a_run())
    root = found["./"]

    assert root["name"] == "BM25 and RM3 on Core17"
    assert root["description"] == "Does relevance feedback still help over a well-tuned baseline?"
    assert root["datePublished"] == "2026-11-17"
    assert root["identifier"] == "https://doi.org/10.5281/zenodo.1234567"
    assert found[root["publisher"]["@id"]]["name"] == "Zenodo"
    assert found[root["license"]["@id"]] == {
        "@id": "https://spdx.org/licenses/CC-BY-4.0",
        "@type": "CreativeWork",
        "name": "Creative Commons Attribution 4.0 International",
        "identifier": "CC-BY-4.0",
        "url": "https://spdx.org/licenses/CC-BY-4.0",
    }
    assert root["conformsTo"] == {"@id": "https://w3id.org/ro/wfrun/process/0.5"}
    assert found["ro-crate-metadata.json"]["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.1"}


def test_where_no_licence_is_stated_the_crate_says_so() -> None:
    thing = a_run(Statement())
    found = entities(thing)

    licence = found[found["./"]["license"]["@id"]]
    assert licence["name"] == "No licence stated"
    assert "ask the authors" in licence["description"]


def test_what_its_descriptions_lack_is_said_once() -> None:
    assert write(a_run(Statement(), research_goal=None)).remarks == (
        "no licence is stated; say one with --license",
        "no date is stated; 2026-11-17 is that of the newest run, and --date says another",
        "no publisher is stated; say one with --publisher (':tba' is written: to be assigned)",
        "no DOI is stated; say it with --doi, or let the archive that registers this assign one",
    )


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("cc-by-4.0", "https://spdx.org/licenses/CC-BY-4.0"),
        ("https://spdx.org/licenses/MIT.html", "https://spdx.org/licenses/MIT"),
        ("https://example.org/terms", "https://example.org/terms"),
        ("see the file", "#licence-see_the_file"),
    ],
)
def test_a_licence_is_known_by_the_address_that_all_formats_mean(stated: str, expected: str) -> None:
    assert entities(a_run(Statement(licence=stated)))["./"]["license"] == {"@id": expected}


def test_a_command_is_an_action_with_who_when_what_and_on_what() -> None:
    found = entities(a_run())

    (action,) = of_type(found, "CreateAction")
    assert found["./"]["mentions"] == {"@id": action["@id"]}
    assert action["description"] == "java -jar anserini.jar -bm25 -rm3"
    assert (action["startTime"], action["endTime"]) == (
        "2026-11-16T23:59:00.000+00:00",
        "2026-11-17T00:10:00.000+00:00",
    )
    assert action["actionStatus"] == "http://schema.org/CompletedActionStatus"
    assert "error" not in action
    assert found[action["agent"]["@id"]] == {
        "@id": "https://orcid.org/0000-0002-0661-7189",
        "@type": "Person",
        "name": "Jan van der Berg",
        "description": "experimenter",
        "affiliation": {"@id": "#organisation-h2oloo"},
    }
    assert action["result"] == {"@id": "bm25%2Brm3.run"}
    assert [found[one["@id"]]["name"] for one in action["object"]] == [
        "topics.txt",
        "The New York Times Annotated Corpus",
        "TREC disks 4 and 5",
    ]
    machine = {found[one["@id"]]["name"]: found[one["@id"]]["value"] for one in action["additionalProperty"]}
    assert machine == {
        "platform.hardware.cpu.model": "Xeon Gold 6144",
        "platform.hardware.cpu.number of cores": 16,
        "platform.hardware.ram": "64 GB",
    }


def test_a_program_is_the_state_of_its_source_with_all_it_requires() -> None:
    found = entities(a_run())

    (action,) = of_type(found, "CreateAction")
    program = found[action["instrument"]["@id"]]
    assert program["@id"] == "https://github.com/castorini/anserini#9548cd6"
    assert program["@type"] == "SoftwareSourceCode"
    assert (program["name"], program["version"]) == ("anserini", "9548cd6")
    assert program["codeRepository"] == "https://github.com/castorini/anserini"
    required = [found[one["@id"]] for one in program["softwareRequirements"]]
    assert [(one["name"], one["softwareVersion"]) for one in required] == [
        ("numpy", "2.4.6"),
        ("Ubuntu 20.04.3 LTS", "5.4.0-90-generic"),
    ]


def test_a_test_collection_is_described_and_is_no_part_of_the_crate() -> None:
    found = entities(a_run())

    data = found["#data-The_New_York_Times_Annotated_Corpus"]
    assert data["identifier"] == "nyt/trec-core-2017"
    assert data["url"] == "https://catalog.ldc.upenn.edu/LDC2008T19"
    assert [(found[one["@id"]]["additionalType"], found[one["@id"]]["url"]) for one in data["hasPart"]] == [
        ("qrels", "https://trec.nist.gov/data/core/qrels.txt"),
        ("topics", "https://trec.nist.gov/data/core/core_nist.txt"),
    ]
    assert found["bm25%2Brm3.run"]["about"] == {"@id": data["@id"]}
    assert {"@id": data["@id"]} not in found["./"]["hasPart"]


def test_a_publication_is_known_by_its_doi() -> None:
    found = entities(a_run())

    assert found["bm25%2Brm3.run"]["citation"] == {"@id": "https://doi.org/10.1145/3397271.3401036"}
    assert found["https://doi.org/10.1145/3397271.3401036"] == {
        "@id": "https://doi.org/10.1145/3397271.3401036",
        "@type": "ScholarlyArticle",
        "name": "SIGIR 2020",
        "identifier": "https://doi.org/10.1145/3397271.3401036",
        "datePublished": "2020",
    }


def test_a_file_has_its_digest_size_and_kind() -> None:
    file = a_run().files[0]

    assert entities(a_run())["bm25%2Brm3.run"] == {
        "@id": "bm25%2Brm3.run",
        "@type": "File",
        "name": "bm25+rm3.run",
        "encodingFormat": "text/plain",
        "contentSize": str(len(RUN)),
        "sha256": file.sha256,
        "additionalType": "run",
        "alternateName": "bm25+rm3",
        "about": {"@id": "#data-The_New_York_Times_Annotated_Corpus"},
        "citation": {"@id": "https://doi.org/10.1145/3397271.3401036"},
    }


def test_what_several_runs_have_in_common_is_one_entity() -> None:
    found = entities(an_experiment())

    assert [one["name"] for one in of_type(found, "Person")] == ["Jan van der Berg", "Ada Lovelace"]
    assert [one["name"] for one in of_type(found, "Organization")] == ["h2oloo", "Zenodo"]
    assert len(of_type(found, "SoftwareSourceCode")) == 1
    assert [one["name"] for one in of_type(found, "SoftwareApplication")] == ["numpy", "Ubuntu 20.04.3 LTS"]
    assert len(of_type(found, "CreateAction")) == 2
    assert len(of_type(found, "ScholarlyArticle")) == 1


def test_two_hundred_libraries_of_ten_runs_are_two_hundred_entities() -> None:
    libraries = [f"library{number}==1.{number}" for number in range(200)]
    platform = {"software": {"libraries": {"python": libraries}}}
    runs = [a_run(tag=f"run{number}", platform=platform).files[0] for number in range(10)]
    files = tuple(File.of_bytes(RUN, f"{run.tag}.run", "run", record=run.record) for run in runs)

    found = entities(Thing("experiment", "many", "many", files=files))

    assert len(of_type(found, "SoftwareApplication")) == 200
    assert len(of_type(found, "SoftwareSourceCode")) == 1
    assert len(of_type(found, "CreateAction")) == 10


def test_the_same_program_with_other_libraries_is_another_entity() -> None:
    other = {"software": {"libraries": {"python": ["numpy==1.0"]}}}
    files = tuple(
        File.of_bytes(RUN, f"{name}.run", "run", record=run.files[0].record)
        for name, run in {"one": a_run(), "other": a_run(platform=other)}.items()
    )

    found = entities(Thing("experiment", "two", "two", files=files))

    programs = [one["@id"] for one in of_type(found, "SoftwareSourceCode")]
    assert programs == [
        "https://github.com/castorini/anserini#9548cd6",
        "https://github.com/castorini/anserini#9548cd6-2",
    ]


def test_an_input_that_is_in_the_crate_is_the_file_of_the_crate() -> None:
    qrels = File.of_bytes(QRELS, "core17.qrels", "qrels")
    data = {"inputs": [{"path": "/home/jan/qrels.txt", "sha256": qrels.sha256}]}
    run = a_run(data=data).files[0]

    found = entities(Thing("experiment", "two", "two", files=(run, qrels)))

    (action,) = of_type(found, "CreateAction")
    assert action["object"] == {"@id": "core17.qrels"}


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        pytest.param(0, ("http://schema.org/CompletedActionStatus", None), id="zero"),
        pytest.param(137, ("http://schema.org/FailedActionStatus", "exit status 137"), id="killed"),
        pytest.param(None, (None, None), id="unknown"),
    ],
)
def test_the_status_of_an_action_is_that_of_its_exit(status: int | None, expected: tuple[str | None, ...]) -> None:
    found = entities(a_run(resources={"exit status": status}))

    (action,) = of_type(found, "CreateAction")
    assert (action.get("actionStatus"), action.get("error")) == expected


def test_a_record_without_a_command_still_says_by_what_the_run_was_made() -> None:
    source = {"source": {"repository": "https://github.com/castorini/anserini"}}

    (action,) = of_type(entities(a_run(implementation=source)), "CreateAction")

    assert action["instrument"] == {"@id": "https://github.com/castorini/anserini"}
    assert action["endTime"] == "2026-11-17T00:10:00.000+00:00"
    assert "description" not in action


@pytest.mark.parametrize(
    "platform", [None, {"operating system": {"kernel": "5.4.0-90-generic"}}], ids=["none", "system"]
)
def test_a_record_that_names_no_software_but_the_system_has_no_action(platform: Any) -> None:
    found = entities(a_run(implementation=None, platform=platform))

    assert of_type(found, "CreateAction") == []


def test_a_record_that_names_only_libraries_says_that_the_run_was_made_with_them() -> None:
    platform = {"software": {"libraries": {"python": ["bm25s==0.2", "numpy==2.4"]}}}

    (action,) = of_type(entities(a_run(implementation=None, platform=platform)), "CreateAction")

    assert action["instrument"] == [{"@id": "#software-bm25s-0.2"}, {"@id": "#software-numpy-2.4"}]
    assert action["name"] == "How bm25+rm3 was made"


def test_a_team_of_which_nobody_is_named_is_an_organisation() -> None:
    found = entities(a_run(actor={"team": "h2oloo"}))

    assert of_type(found, "Person") == []
    assert found["./"]["author"] == {"@id": "#organisation-h2oloo"}


def test_an_orcid_that_is_none_is_no_identifier() -> None:
    found = entities(a_run(actor={"name": "Ada Lovelace", "orcid": "0000-0002-0661-7188"}))

    assert [one["@id"] for one in of_type(found, "Person")] == ["#person-Ada_Lovelace"]


def test_the_deeds_of_an_attempt_are_actions_of_its_analyst() -> None:
    deeds = (Deed("/usr/bin/python search.py", "2026-11-17", "2026-11-17", 0), Deed("make score", status=2))
    people = (Person("analyst 2", role="analyst"),)
    found = entities(Thing("attempt", "attempt-12", "Attempt 12", facts={"type": "priMad"}, deeds=deeds, people=people))

    first, second = of_type(found, "CreateAction")
    assert [found[one["agent"]["@id"]]["name"] for one in (first, second)] == ["analyst 2", "analyst 2"]
    assert [found[one["instrument"]["@id"]]["name"] for one in (first, second)] == ["python", "make"]
    assert second["error"] == "exit status 2"
    assert found["./"]["author"] == {"@id": "#person-analyst_2"}
    assert found[found["./"]["additionalProperty"]["@id"]]["value"] == "priMad"


def test_of_files_with_the_same_bytes_the_first_is_what_a_deed_gave() -> None:
    digest = hashlib.sha256(RUN).hexdigest()
    files = (File.of_bytes(RUN, "replicated/a.run", "run"), File.of_bytes(RUN, "submitted/a.run", "run"))
    deeds = [Deed("python search.py", outputs=(Used("replicated/a.run", digest),))]
    found = entities(Thing("attempt", "attempt-12", "Attempt 12", files=files, deeds=tuple(deeds)))

    (action,) = of_type(found, "CreateAction")
    assert action["result"] == {"@id": "replicated/a.run"}


def test_runs_that_share_a_record_beside_them_get_no_further_files_of_it(tmp_path: Path) -> None:
    (tmp_path / "ir-metadata.yml").write_text("tag: both\nactor: {name: Ada}\n")
    for name in ("a.run", "b.run"):
        (tmp_path / name).write_bytes(RUN)

    paths = [file.path for file in write(gather(tmp_path)).files if file.path not in DESCRIPTIONS.values()]

    assert paths == ["ro-crate-metadata.json", "a.run", "b.run", "ir-metadata.yml"]


def test_an_assessment_is_what_primad_made_of_its_files() -> None:
    files = (
        File.of_bytes(b"{}", "assessment.json", "result"),
        File.of_bytes(b"<p>", "report.html", "result"),
        File.of_bytes(QRELS, "core17.qrels", "qrels"),
    )
    found = entities(Thing("assessment", "report", "report", files=files))

    (action,) = of_type(found, "CreateAction")
    assert found[action["instrument"]["@id"]]["name"] == "primad"
    assert action["result"] == [{"@id": "assessment.json"}, {"@id": "report.html"}]
    assert action["object"] == {"@id": "core17.qrels"}


def test_a_measured_value_is_as_it_was_written() -> None:
    one = Measurement(
        object="bm25",
        measurand="map",
        value="0.2530",
        scale=Scale(0.0, 1.0),
        role="original",
        conditions={"team": "h2oloo"},
        source="doi:10.1145/1",
    )
    found = entities(Thing("precision", "p", "p", material=Material((one,))))

    assert found[found["./"]["variableMeasured"]["@id"]] == {
        "@id": "#measurement-1",
        "@type": "PropertyValue",
        "name": "map",
        "value": "0.2530",
        "minValue": 0.0,
        "maxValue": 1.0,
        "description": "map of bm25; original; team = h2oloo",
        "citation": "doi:10.1145/1",
    }


def test_a_secret_in_a_record_is_not_told_again() -> None:
    command = "HF_TOKEN=hf_abcdefghijklmnopqrstuvwxyz python search.py"
    written = write(a_run(implementation={"executable": {"cmd": command}}))

    for file in written.files:
        assert b"hf_abcdefghijklmnopqrstuvwxyz" not in file.read(), file.path


def test_every_kind_of_thing_can_be_packed() -> None:
    for kind in ALL_KINDS:
        thing = Thing(kind, kind, kind, files=(File.of_bytes(RUN, "a.run", "run"),))

        root = entities(thing)["./"]

        assert root["additionalType"] == kind
        assert root["description"] == f"{KINDS[kind]}, 1 run."


@pytest.mark.parametrize("name", [one for one in odd_things() if one != "100 people"])
def test_only_terms_that_the_crate_defines_are_used(name: str) -> None:
    for entity in entities(odd_things()[name]).values():
        assert entity.keys() <= TERMS


def test_every_reference_leads_to_an_entity_of_the_crate() -> None:
    outside = {"https://w3id.org/ro/crate/1.1"}
    for thing in (a_run(), an_experiment()):
        found = entities(thing)
        for entity in found.values():
            for value in entity.values():
                for one in value if isinstance(value, list) else [value]:
                    if isinstance(one, dict):
                        assert one["@id"] in found.keys() | outside


def test_descriptions_for_archives_lie_in_the_crate_and_are_listed(tmp_path: Path) -> None:
    exported = export(a_run(), "ro-crate", tmp_path / "crate", stated=STATED)

    descriptions = {"datacite.json", "CITATION.cff", "references.bib"}
    found = json.loads((tmp_path / "crate" / "ro-crate-metadata.json").read_text(encoding="utf-8"))["@graph"]
    listed = {one["@id"]: one for one in found if one.get("additionalType") == "description"}
    assert listed.keys() == descriptions
    assert descriptions < set(exported.files)
    assert {one["about"]["@id"] for one in listed.values()} == {"./"}


def test_the_package_rocrate_reads_the_crate_as_it_was_meant(tmp_path: Path) -> None:
    export(an_experiment(), "ro-crate", tmp_path / "crate", stated=STATED)

    theirs = ROCrate(tmp_path / "crate")

    assert theirs.version == "1.1"
    assert theirs.root_dataset["license"]["identifier"] == "CC-BY-4.0"
    assert [one["name"] for one in theirs.root_dataset["author"]] == ["Jan van der Berg", "Ada Lovelace"]
    assert [(one["agent"]["name"], one["result"].id) for one in theirs.get_by_type("CreateAction")] == [
        ("Jan van der Berg", "runs/bm25%2Brm3.run"),
        ("Ada Lovelace", "runs/bm25.run"),
    ]
    assert {one.id for one in theirs.data_entities} == {
        "runs/bm25%2Brm3.run",
        "runs/bm25.run",
        "core17.qrels",
        "topics.core17.txt",
        "runs/bm25%2Brm3.run.meta",
        "runs/bm25.run.meta",
        "datacite.json",
        "CITATION.cff",
        "references.bib",
    }


def test_files_at_one_path_are_told_apart() -> None:
    one, other = a_run().files[0], a_run(tag="other").files[0]

    written = write(Thing("experiment", "two", "two", files=(one, other)))

    assert [file.path for file in written.files[1:5]] == [
        "bm25+rm3.run",
        "bm25+rm3-2.run",
        "bm25+rm3.run.meta",
        "bm25+rm3-2.run.meta",
    ]
    assert written.files[4].record == from_tree(TREE | {"tag": "other"})
