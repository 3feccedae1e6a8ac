"""What is taken for the description, the licence and the losses of a citation?"""

from __future__ import annotations

from dataclasses import replace

import pytest

from primad.exchange.citations.citing import citation_of, remarks_on, what_is_lost
from primad.exchange.licences import Licence, licence_of
from primad.exchange.thing import Statement
from tests.exchange.some_things import a_run, an_experiment


def test_a_thing_without_a_description_gets_one_of_what_is_known() -> None:
    thing = replace(an_experiment(), description="")

    assert citation_of(thing).description == (
        "Runs of an experiment, 2 runs and 2 other files. Test collection: The New York Times Annotated "
        "Corpus. Method: bm25, rm3. Made with: anserini."
    )


def test_versions_that_differ_are_no_version_and_listed_as_lost() -> None:
    other = a_run(run_version="2.0").files[0]
    thing = replace(a_run(), files=(*a_run().files, other))

    citation = citation_of(thing)

    assert citation.version == ""
    assert "run-version: 2 different ones" in list(what_is_lost(citation, thing))


def test_the_remark_on_the_day_says_whose_it_is() -> None:
    thing = a_run(Statement(licence="MIT"))

    assert list(remarks_on(citation_of(thing))) == [
        "no date is stated; 2026-11-17 is that of the newest run, and --date says another"
    ]


def test_facts_are_listed_as_lost_by_name() -> None:
    thing = replace(a_run(), facts={"state": "done", "level": "close"})

    assert "2 facts (state, level)" in list(what_is_lost(citation_of(thing), thing))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("mit", Licence("mit", "MIT", "https://spdx.org/licenses/MIT.html"), id="in lower case"),
        pytest.param(
            "https://spdx.org/licenses/CC0-1.0",
            Licence("https://spdx.org/licenses/CC0-1.0", "CC0-1.0", "https://spdx.org/licenses/CC0-1.0.html"),
            id="an address of SPDX",
        ),
        pytest.param(
            "zpl-2.1", Licence("zpl-2.1", "ZPL-2.1", "https://spdx.org/licenses/ZPL-2.1.html"), id="without a name here"
        ),
        pytest.param("Foo-1.0", Licence("Foo-1.0"), id="like one of SPDX"),
        pytest.param("LicenseRef-ours", Licence("LicenseRef-ours"), id="one that SPDX does not list"),
        pytest.param("MIT OR Apache-2.0", Licence("MIT OR Apache-2.0"), id="an expression"),
        pytest.param("2024", Licence("2024"), id="a number"),
        pytest.param(" \n", None, id="nothing"),
    ],
)
def test_a_licence_is_an_identifier_an_address_or_words(text: str, expected: Licence | None) -> None:
    assert licence_of(text) == expected
