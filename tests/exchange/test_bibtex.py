"""Does another program read the BibTeX that we write, and does a list of references say what it should?

pybtex, which reads and formats BibTeX, runs in an environment of its own that ``make test`` makes (tests/peers).
"""

from __future__ import annotations

from typing import Any

import pytest

from primad.exchange.citations.bibtex import write
from primad.exchange.thing import Statement, Thing
from tests.exchange.citation_checkers import answers
from tests.exchange.some_things import a_run, an_experiment, odd_things

NAMES = list(odd_things())
# What pybtex leaves as TeX, and LaTeX shows as the character.
AS_TEX = {r"\textbraceleft ": "{", r"\textbraceright ": "}", r"\textbraceleft": "{", r"\textbraceright": "}"} | {
    r"\textasciicircum ": "^",
    r"\$": "$",
}


def text_of(thing: Thing) -> str:
    """Return THING as BibTeX."""
    return write(thing).files[0].read().decode()


def seen(text: str) -> str:
    """Return TEXT with the characters that LaTeX shows for its words."""
    for word, character in AS_TEX.items():
        text = text.replace(word, character)
    return text


@pytest.fixture(scope="module")
def read() -> dict[str, Any]:
    """Return what pybtex reads of all odd things, by name."""
    texts = [text_of(thing) for thing in odd_things().values()]
    return dict(zip(NAMES, answers("citing", "check_bibtex.py", texts), strict=True))


@pytest.mark.parametrize("name", NAMES)
def test_there_is_one_entry_with_a_key_of_letters_and_digits(read: dict[str, Any], name: str) -> None:
    (entry,) = read[name]["entries"]

    assert entry["type"] == "misc"
    assert entry["key"].replace("_", "").isalnum()
    assert entry["key"].isascii()


@pytest.mark.parametrize("name", NAMES)
def test_the_title_comes_back_on_one_line_and_without_control_characters(read: dict[str, Any], name: str) -> None:
    thing = odd_things()[name]
    given = thing.stated.title or thing.title
    printable = "".join(
        " " if one in "\n\r\x85" else one for one in given if one in "\n\r\x85\u200d" or one.isprintable()
    )

    title = seen(read[name]["entries"][0]["fields"]["title"])
    assert title == (" ".join(printable.split()) or thing.name)


def test_an_entry_says_all_that_the_record_does(read: dict[str, Any]) -> None:
    (entry,) = read["whole"]["entries"]

    assert entry["key"] == "Berg_2026_BM25_and_RM3_on_Core17"
    assert entry["people"] == [
        {"first": ["Jan"], "middle": [], "prelast": ["van", "der"], "last": ["Berg"], "lineage": []}
    ]
    assert entry["fields"] == {
        "title": "BM25 and RM3 on Core17",
        "year": "2026",
        "month": "November",
        "date": "2026-11-17",
        "publisher": "Zenodo",
        "version": "1.0",
        "doi": "10.5281/zenodo.1234567",
        "url": "https://doi.org/10.5281/zenodo.1234567",
        "howpublished": "Retrieval run",
        "keywords": (
            "bm25, rm3, anserini, The New York Times Annotated Corpus, nyt/trec-core-2017, TREC disks 4 and 5, "
            "SIGIR 2020"
        ),
        "license": "CC-BY-4.0",
        "note": "Supplement to SIGIR 2020 doi:10.1145/3397271.3401036. Code: https://github.com/castorini/anserini, "
        "commit 9548cd6",
        "abstract": "Does relevance feedback still help over a well-tuned baseline?",
    }


def test_a_style_makes_a_reference_of_it(read: dict[str, Any]) -> None:
    (reference,) = read["whole"]["references"]

    assert reference.startswith(
        "Jan van der Berg. BM25 and RM3 on Core17. Retrieval run, November 2026. Supplement to SIGIR 2020"
    )


@pytest.mark.parametrize(
    ("name", "last", "first"),
    [
        pytest.param("O'Brien", "O'Brien", ["Conan"], id="an apostrophe"),
        pytest.param("accents", "Søren-Ångström", ["Zoë"], id="accents"),
        pytest.param("Chinese", "王小明", [], id="Chinese in one word"),
        pytest.param("team only", "R&D and friends, Inc.", [], id="a team with an ampersand, an and and a comma"),
        pytest.param("unbalanced", "{Mustermann", ["Max"], id="a brace that is never closed"),
    ],
)
def test_names_come_back_in_their_parts(read: dict[str, Any], name: str, last: str, first: list[str]) -> None:
    (entry,) = read[name]["entries"]
    (person,) = entry["people"]

    assert ([seen(word) for word in person["last"]], person["first"]) == ([last], first)


def test_all_of_many_people_are_there(read: dict[str, Any]) -> None:
    (entry,) = read["100 people"]["entries"]

    assert [person["last"] for person in entry["people"]] == [[f"Number{n}"] for n in range(100)]


def test_a_publisher_with_a_comma_and_an_and_stays_whole() -> None:
    assert "  publisher = {{\\textbraceleft{}Pub\\textbraceright{} \\& Co, and Sons}},\n" in text_of(
        odd_things()["odd addresses"]
    )


def test_capitals_of_titles_are_protected() -> None:
    assert "  title = {{BM25 and RM3 on Core17}},\n" in text_of(a_run())


def test_titles_in_another_script_have_keys_that_differ() -> None:
    first, second = (
        text_of(a_run(Statement(title, date="2026-11-17"), actor=None)) for title in ("信息检索", "検索実験")
    )

    keys = [text.split("{")[1].split(",")[0] for text in (first, second)]
    assert keys == ["2026_fc4df3c7", "2026_d680cf92"]  # as sha256sum has them


def test_what_is_not_carried_is_listed() -> None:
    lost = write(a_run()).lost

    assert "platform.hardware: 3 values" in lost
    assert "the content of 1 run" in lost
    assert "implementation.executable: 1 value" in lost


def test_the_same_thing_gives_the_same_bytes() -> None:
    assert text_of(an_experiment()) == text_of(an_experiment())
