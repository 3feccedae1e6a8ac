"""Has each of the 64 types the name that the rule gives it, and words that a reader understands?"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from primad.reproducibility.comparison import KINDS, Type, is_published, meaning_of, name_of

ALL = [Type(changes) for changes in product((False, True), repeat=6)]


@pytest.fixture(scope="module")
def reference(shared_data: Path) -> dict[str, dict[str, Any]]:
    """Return names of all types, made by the rule but not by this code."""
    found: dict[str, dict[str, Any]] = json.loads((shared_data.parent / "reference" / "primad64.json").read_text())
    return found


def test_all_64_types_are_named_as_the_reference_names_them(reference: dict[str, dict[str, Any]]) -> None:
    expected = {letters: (facts["label"], facts["in_source_table"]) for letters, facts in reference.items()}

    named = {str(type_): (name_of(type_), is_published(type_)) for type_ in ALL}

    assert len(named) == 64
    assert named == expected


def test_types_with_only_parameters_changed_are_named_as_the_reference_names_them(
    reference: dict[str, dict[str, Any]],
) -> None:
    key = "label_if_only_parameters_differ"
    expected = {letters: facts[key] for letters, facts in reference.items() if key in facts}

    named = {str(type_): name_of(type_, parameters_only=True) for type_ in ALL if type_.changed("method")}

    assert len(named) == 32
    assert named == expected


@pytest.mark.parametrize(
    ("letters", "name"),
    [
        ("primad", "repeat"),
        ("Primad", "port"),
        ("pRimad", "re-use"),
        ("prImad", "re-code"),
        ("priMad", "validate"),
        ("primAd", "independent repeat"),
        ("primaD", "generalize"),
    ],
)
def test_a_single_change_is_a_kind_of_the_literature(letters: str, name: str) -> None:
    assert name_of(Type.parse(letters)) == name
    assert is_published(Type.parse(letters))


def test_the_literature_has_eight_kinds() -> None:
    assert list(KINDS) == [
        "repeat",
        "parameter-sweep",
        "generalize",
        "port",
        "re-code",
        "validate",
        "re-use",
        "independent",
    ]


def test_each_type_has_a_meaning_of_its_own() -> None:
    meanings = {meaning_of(type_) for type_ in ALL}
    swept = {meaning_of(type_, parameters_only=True) for type_ in ALL if type_.changed("method")}

    assert len(meanings) == 64
    assert len(meanings | swept) == 96


@pytest.mark.parametrize(
    ("letters", "meaning"),
    [
        ("primad", "Nothing changed. Shows whether the result is deterministic."),
        pytest.param(
            "PrimaD",
            (
                "Another platform and other data; research goal, code, method and people are the same. "
                "Shows whether the finding holds on other data and whether the result depends on the platform."
            ),
        ),
        pytest.param(
            "PRIMAd",
            (
                "Another platform, another research goal, other code, another method and other people; "
                "data are the same. "
                "Shows what else the work is good for, whether the finding holds under another method and "
                "whether other people can do it from what is known."
            ),
        ),
        pytest.param(
            "????a?",
            (
                "Nothing is known to have changed; people are the same; not known: platform, research goal, "
                "code, method and data. If that is the same, it shows whether the result is deterministic."
            ),
        ),
        ("??????", "The runs state no field in common that tells what changed."),
    ],
)
def test_a_meaning_says_what_changed_what_did_not_and_what_that_shows(letters: str, meaning: str) -> None:
    assert meaning_of(Type.parse(letters)) == meaning


@pytest.mark.parametrize(
    ("letters", "name"),
    [
        pytest.param("?rImad", "re-code", id="other code absorbs the platform"),
        pytest.param("??iMad", "validate, as far as known", id="the goal decides"),
        pytest.param("pri?ad", "repeat, as far as known", id="the method decides"),
        pytest.param("?r?MaD", "validate+generalize", id="another method absorbs code and platform"),
        pytest.param("??????", "nothing known", id="nothing"),
    ],
)
def test_an_unknown_letter_leaves_the_name_open_only_if_the_name_depends_on_it(letters: str, name: str) -> None:
    assert name_of(Type.parse(letters)) == name
