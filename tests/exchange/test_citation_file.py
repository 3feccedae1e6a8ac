"""Does cffconvert take every CITATION.cff that we write, and does it read out of it what we have put in?

cffconvert runs as it is, in an environment of its own that ``make test`` makes (tests/peers).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from primad.exchange.citations.citation_file import write
from primad.exchange.licences import KNOWN
from primad.exchange.thing import Statement, Thing
from tests.exchange.citation_checkers import answers
from tests.exchange.peers import run_peer
from tests.exchange.some_things import a_run, an_experiment, odd_things

NAMES = list(odd_things())
OTHER_LICENCES = {
    "BSD-4-Clause-UC": "https://spdx.org/licenses/BSD-4-Clause-UC.html",
    "https://example.org/terms": "https://example.org/terms",
}
ODD_DOI = "10.1002/(SICI)1097<1::AID>3.0.CO;2-#"


def text_of(thing: Thing) -> str:
    """Return THING as a CITATION.cff."""
    return write(thing).files[0].read().decode()


def asked(*things: Thing) -> list[dict[str, Any]]:
    """Return what cffconvert says of THINGS."""
    return answers("cffconvert", "check_cff.py", [text_of(thing) for thing in things])


@pytest.fixture(scope="module")
def checked() -> dict[str, Any]:
    """Return what cffconvert says of all odd things by name, of licences by theirs, and of an odd DOI."""
    licensed = {licence: a_run(Statement(licence=licence)) for licence in (*KNOWN, *OTHER_LICENCES)}
    things = {**odd_things(), **licensed, ODD_DOI: a_run(Statement(doi=ODD_DOI))}
    return dict(zip(things, asked(*things.values()), strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_cffconvert_finds_nothing_wrong(checked: dict[str, Any], name: str) -> None:
    assert checked[name]["error"] == ""


def test_the_command_of_cffconvert_finds_nothing_wrong_either(tmp_path: Path) -> None:
    path = tmp_path / "CITATION.cff"
    path.write_text(text_of(a_run()), encoding="utf-8")

    done = run_peer("cffconvert", "cffconvert", "--validate", "-i", path, check=False)

    assert (done.returncode, done.stdout.strip()) == (
        0,
        "Citation metadata are valid according to schema version 1.2.0.",
    )


def test_cffconvert_would_find_a_wrong_file() -> None:
    (answer,) = answers("cffconvert", "check_cff.py", [text_of(a_run()).replace("type: dataset", "type: run")])

    assert "'run' is not one of ['dataset', 'software']" in answer["error"]


@pytest.mark.parametrize(
    ("name", "author"),
    [
        pytest.param("O'Brien", {"family-names": "O'Brien", "given-names": "Conan"}, id="an apostrophe"),
        pytest.param("Null", {"family-names": "Null", "given-names": "Christopher"}, id="a word of YAML"),
        pytest.param("No", {"family-names": "No"}, id="another, alone"),
        pytest.param("by number", {"name": "user 1"}, id="a number for a name"),
        pytest.param("numbers", {"family-names": "12", "affiliation": "007"}, id="digits"),
        pytest.param("Chinese", {"family-names": "王小明", "affiliation": "清华大学"}, id="Chinese in one word"),
        pytest.param("right to left", {"family-names": "علي", "given-names": "محمد"}, id="Arabic"),
        pytest.param("team only", {"name": "R&D and friends, Inc."}, id="a team"),
        pytest.param(
            "newlines", {"family-names": "King", "given-names": "Ada Lovelace", "affiliation": "a b"}, id="line breaks"
        ),
        pytest.param("no actor", {"name": "(not stated)"}, id="nobody"),
    ],
)
def test_names_come_back_as_they_were_meant(checked: dict[str, Any], name: str, author: dict[str, str]) -> None:
    assert checked[name]["says"]["authors"] == [author]


def test_texts_that_look_like_something_else_stay_texts(checked: dict[str, Any]) -> None:
    says = checked["numbers"]["says"]

    assert (says["title"], says["version"], says["date-released"]) == ("2026-11-17", "2026-11-17", "2026-11-17")
    assert checked["yaml"]["says"]["title"] == "- a: b # c &anchor *alias !tag %TAG | > ? @ `"


def test_a_run_is_cited_with_all_that_its_record_says(checked: dict[str, Any]) -> None:
    says = checked["whole"]["says"]

    assert says["authors"] == [
        {
            "family-names": "Berg",
            "given-names": "Jan",
            "name-particle": "van der",
            "affiliation": "h2oloo",
            "orcid": "https://orcid.org/0000-0002-0661-7189",
        }
    ]
    assert (says["type"], says["license"], says["doi"]) == ("dataset", "CC-BY-4.0", "10.5281/zenodo.1234567")
    assert (says["repository-code"], says["commit"]) == ("https://github.com/castorini/anserini", "9548cd6")
    assert says["keywords"] == [
        "bm25",
        "rm3",
        "anserini",
        "The New York Times Annotated Corpus",
        "nyt/trec-core-2017",
        "TREC disks 4 and 5",
        "SIGIR 2020",
    ]
    assert says["identifiers"][0] == {"type": "other", "value": "bm25+rm3", "description": "Tag of a run"}


def test_all_people_are_in_what_cffconvert_makes_of_it(checked: dict[str, Any]) -> None:
    assert checked["100 people"]["conversions"]["bibtex"].count("Person") == 100


def test_a_publication_whose_authors_are_known_is_what_should_be_cited_instead(checked: dict[str, Any]) -> None:
    preferred = checked["authors known"]["says"]["preferred-citation"]

    assert preferred["title"] == "How to Measure the Reproducibility of System-oriented IR Experiments"
    assert preferred["authors"][0] == {"family-names": "Breuer", "given-names": "Timo"}
    assert (preferred["doi"], preferred["year"], preferred["conference"]) == (
        "10.1145/3397271.3401036",
        2020,
        {"name": "SIGIR"},
    )


def test_a_publication_of_which_only_the_doi_is_known_is_listed_and_nothing_is_made_up(checked: dict[str, Any]) -> None:
    says = checked["whole"]["says"]

    assert "preferred-citation" not in says
    assert says["references"] == [
        {
            "type": "generic",
            "title": "(not stated) SIGIR 2020, doi:10.1145/3397271.3401036",
            "authors": [{"name": "(not stated)"}],
            "doi": "10.1145/3397271.3401036",
            "conference": {"name": "SIGIR"},
            "year": 2020,
        }
    ]
    (remark,) = write(a_run()).remarks
    assert remark == (
        "of the publication SIGIR 2020, doi:10.1145/3397271.3401036 title or authors are not known, so it is no "
        "preferred citation; state research goal.publication.title and .authors"
    )


def test_every_licence_that_we_know_is_one_of_the_format(checked: dict[str, Any]) -> None:
    found = [checked[licence] for licence in KNOWN]

    assert {one["error"] for one in found} == {""}
    assert [one["says"]["license"] for one in found] == list(KNOWN)


@pytest.mark.parametrize("licence", OTHER_LICENCES)
def test_another_licence_is_named_by_its_address(checked: dict[str, Any], licence: str) -> None:
    assert checked[licence]["error"] == ""
    assert checked[licence]["says"]["license-url"] == OTHER_LICENCES[licence]


def test_a_licence_in_words_has_no_place_and_is_listed_as_lost() -> None:
    lost = write(a_run(Statement(licence="for research only"))).lost

    assert lost[-1] == "the licence 'for research only', which is neither an identifier of SPDX nor an address"


def test_a_doi_with_characters_that_the_format_does_not_take_is_kept_otherwise(checked: dict[str, Any]) -> None:
    assert checked[ODD_DOI]["error"] == ""
    assert checked[ODD_DOI]["says"]["identifiers"][0]["value"] == f"doi:{ODD_DOI}"


def test_a_long_description_is_cut_and_that_is_listed(checked: dict[str, Any]) -> None:
    abstract = checked["1 MB description"]["says"]["abstract"]

    assert len(abstract) <= 5_000
    assert abstract.startswith("word & more\nword & more\n")
    assert "the description after its first 5,000 characters" in write(odd_things()["1 MB description"]).lost


def test_the_same_thing_gives_the_same_bytes() -> None:
    assert text_of(an_experiment()) == text_of(an_experiment())
