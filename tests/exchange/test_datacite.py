"""Does what we write as DataCite JSON pass DataCite's own schema, and does it say what records say and no more?

The schema is that of the package datacite, which has the kernel 4.5; we write nothing that 4.6 has changed or added.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from primad.exchange.citations.datacite import write
from primad.exchange.thing import Statement
from tests.exchange.citation_checkers import answers
from tests.exchange.some_things import a_run, an_experiment, odd_things

NAMES = list(odd_things())


def told(**changed: Any) -> dict[str, Any]:
    """Return what is written of the run with CHANGED parts."""
    tree: dict[str, Any] = json.loads(write(a_run(**changed)).files[0].read())
    return tree


@pytest.fixture(scope="module")
def checked() -> dict[str, Any]:
    """Return what the schema says of all odd things, by name."""
    documents = [json.loads(write(thing).files[0].read()) for thing in odd_things().values()]
    wrong = told() | {"publicationYear": "soon", "creators": []}
    return dict(zip([*NAMES, "wrong"], answers("citing", "check_datacite.py", [*documents, wrong]), strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_the_schema_of_datacite_finds_nothing_wrong(checked: dict[str, Any], name: str) -> None:
    assert checked[name]["errors"] == []


def test_what_is_written_is_xml_that_keeps_names_and_titles(checked: dict[str, Any]) -> None:
    assert '<creatorName nameType="Personal">Søren-Ångström, Zoë</creatorName>' in checked["accents"]["xml"]
    assert "&lt;b&gt;R&amp;D&lt;/b&gt; \\alpha {braces}" in checked["markup"]["xml"]


def test_the_schema_would_find_a_wrong_document(checked: dict[str, Any]) -> None:
    assert len(checked["wrong"]["errors"]) == 2


def test_a_run_is_described_with_all_that_its_record_says() -> None:
    tree = told()

    assert tree["doi"] == "10.5281/zenodo.1234567"
    assert tree["creators"] == [
        {
            "name": "van der Berg, Jan",
            "nameType": "Personal",
            "givenName": "Jan",
            "familyName": "van der Berg",
            "nameIdentifiers": [
                {
                    "nameIdentifier": "https://orcid.org/0000-0002-0661-7189",
                    "nameIdentifierScheme": "ORCID",
                    "schemeUri": "https://orcid.org",
                }
            ],
            "affiliation": [{"name": "h2oloo"}],
        }
    ]
    assert tree["titles"] == [{"title": "BM25 and RM3 on Core17"}]
    assert (tree["publisher"], tree["publicationYear"], tree["version"]) == ({"name": "Zenodo"}, "2026", "1.0")
    assert tree["types"] == {"resourceTypeGeneral": "Dataset", "resourceType": "Retrieval run"}
    assert tree["dates"] == [
        {"date": "2026-11-16/2026-11-17", "dateType": "Created"},
        {"date": "2026-11-17", "dateType": "Issued"},
    ]
    assert tree["sizes"] == ["1 file", "75 bytes"]
    assert tree["formats"] == ["text/plain"]
    assert tree["schemaVersion"] == "http://datacite.org/schema/kernel-4"


def test_related_works_are_the_publication_the_code_at_its_commit_and_the_data() -> None:
    related = {(one["relationType"], one["relatedIdentifier"]) for one in told()["relatedIdentifiers"]}

    assert related == {
        ("IsSupplementTo", "10.1145/3397271.3401036"),
        ("IsCompiledBy", "https://github.com/castorini/anserini/tree/9548cd6"),
        ("IsDerivedFrom", "https://catalog.ldc.upenn.edu/LDC2008T19"),
        ("IsDerivedFrom", "https://trec.nist.gov/data/core/core_nist.txt"),
        ("References", "https://trec.nist.gov/data/core/qrels.txt"),
    }


def test_a_licence_of_spdx_is_named_by_its_identifier() -> None:
    assert told()["rightsList"] == [
        {
            "rights": "Creative Commons Attribution 4.0 International",
            "rightsUri": "https://spdx.org/licenses/CC-BY-4.0.html",
            "rightsIdentifier": "CC-BY-4.0",
            "rightsIdentifierScheme": "SPDX",
            "schemeUri": "https://spdx.org/licenses/",
        }
    ]


def test_what_is_demanded_and_not_known_is_written_in_the_words_of_datacite_and_remarked() -> None:
    written = write(a_run(Statement(), actor=None))

    tree = json.loads(written.files[0].read())
    assert (tree["creators"], tree["publisher"]) == ([{"name": ":unav"}], {"name": ":tba"})
    assert "doi" not in tree
    assert [remark.split(";")[0] for remark in written.remarks] == [
        "nobody is named",
        "no licence is stated",
        "no date is stated",
        "DataCite demands a creator",
        "no publisher is stated",
        "no DOI is stated",
    ]


def test_nothing_is_remarked_where_everything_is_stated() -> None:
    assert write(a_run()).remarks == ()


def test_a_team_is_an_organisation() -> None:
    assert told(actor={"team": "h2oloo"})["creators"] == [{"name": "h2oloo", "nameType": "Organizational"}]


def test_an_experiment_names_each_of_its_people_once() -> None:
    tree = json.loads(write(an_experiment()).files[0].read())

    assert [one["name"] for one in tree["creators"]] == ["van der Berg, Jan", "Lovelace, Ada"]


def test_fields_and_files_that_are_not_carried_are_listed() -> None:
    assert write(a_run()).lost == (
        "schema-version: 1 value",
        "platform.hardware: 3 values",
        "platform.operating system: 2 values",
        "platform.software: 1 value",
        "research goal.evaluation: 3 values",
        "implementation.source: 1 value",
        "method.automatic: 1 value",
        "method.indexing: 1 value",
        "method.retrieval: 4 values",
        "actor.role: 1 value",
        "actor.mail: 1 value",
        "data.inputs: 3 values",
        "resources.exit status: 1 value",
        "the content of 1 run",
    )


def test_a_value_that_is_not_what_its_field_asks_for_is_listed_as_lost() -> None:
    lost = write(a_run(actor={"name": "Ada Lovelace", "orcid": "0000-0002-0661-7188"})).lost

    assert "actor.orcid: 1 value that is no ORCID" in lost


def test_a_secret_in_a_command_is_not_handed_on() -> None:
    text = write(a_run(implementation={"executable": {"cmd": "search --api-key hunter2secret"}})).files[0].read()

    assert b"hunter2secret" not in text
    assert b"search --api-key" in text


def test_the_same_thing_gives_the_same_bytes() -> None:
    thing = an_experiment()

    assert write(thing).files[0].read() == write(replace(thing)).files[0].read()
