"""Which part of a name is taken for which?"""

from __future__ import annotations

import pytest

from primad.exchange.citations.names import Name, name_of
from primad.exchange.told import Person


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("Ada Lovelace", Name("Lovelace", "Ada"), id="two words"),
        pytest.param("Lovelace, Ada", Name("Lovelace", "Ada"), id="a comma"),
        pytest.param("Jan van der Berg", Name("Berg", "Jan", "van der"), id="particles"),
        pytest.param("van der Berg, Jan", Name("Berg", "Jan", "van der"), id="particles before a comma"),
        pytest.param("Vincent Van Gogh", Name("Gogh", "Vincent Van", is_guess=True), id="a particle in capitals"),
        pytest.param("Sammy Davis Jr.", Name("Davis", "Sammy", suffix="Jr."), id="a suffix"),
        pytest.param("Sammy Davis, Jr.", Name("Davis", "Sammy", suffix="Jr."), id="a suffix behind a comma"),
        pytest.param("King, Jr., Martin Luther", Name("King", "Martin Luther", suffix="Jr."), id="two commas"),
        pytest.param("Conan O'Brien", Name("O'Brien", "Conan"), id="an apostrophe"),
        pytest.param("J. R. R. Tolkien", Name("Tolkien", "J. R. R."), id="initials"),
        pytest.param("Gabriel García Márquez", Name("Márquez", "Gabriel García", is_guess=True), id="three words"),
        pytest.param("Plato", Name("Plato"), id="one word"),
        pytest.param("王小明", Name("王小明"), id="Chinese without a blank"),
        pytest.param("王 小明", Name("王", "小明"), id="Chinese, whose family name is first"),
        pytest.param("김 철수", Name("김", "철수"), id="Korean"),
        pytest.param("Jane, the third author", Name("Jane, the third author", is_guess=True), id="a description"),
        pytest.param(", Ada", Name(", Ada", is_guess=True), id="nothing before the comma"),
        pytest.param("user 1", Name("user 1", is_whole=True), id="a number instead of a name"),
        pytest.param("Ada\n\tLovelace ", Name("Lovelace", "Ada"), id="line breaks"),
    ],
)
def test_a_name_is_parted(name: str, expected: Name) -> None:
    assert name_of(Person(name)) == expected


def test_a_team_without_a_name_is_not_parted() -> None:
    assert name_of(Person("The Big Team", team="The Big Team")) == Name("The Big Team", is_team=True, is_whole=True)


def test_somebody_with_an_orcid_is_a_person_even_if_called_as_the_team() -> None:
    assert not name_of(Person("Ada Lovelace", "0000-0002-0661-7189", team="Ada Lovelace")).is_team
