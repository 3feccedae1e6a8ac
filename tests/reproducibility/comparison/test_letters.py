"""Are six letters read and written as people and the literature write them?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.errors import DataError
from primad.reproducibility.comparison import Type

TYPES = st.tuples(*[st.sampled_from([True, False, None])] * 6).map(Type)


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        pytest.param("priMad", "priMad", id="case"),
        pytest.param("PRIM'AD", "priMad", id="prime"),
        pytest.param("P'R'I'M'A'D'", "PRIMAD", id="all primed"),
        pytest.param("P\N{RIGHT SINGLE QUOTATION MARK}RIMAD", "Primad", id="typographic"),
        pytest.param("PRIMAD\N{PRIME}", "primaD", id="a true prime"),
        pytest.param("PRIMAD", "PRIMAD", id="upper case without a prime is everything"),
        pytest.param("pr?mad", "pr?mad", id="unknown by case"),
        pytest.param("PRI?M'AD", "pr?Mad", id="unknown by prime"),
        pytest.param(" priMad\n", "priMad", id="blanks around"),
    ],
)
def test_a_type_is_read_by_case_or_by_primes(text: str, letters: str) -> None:
    assert str(Type.parse(text)) == letters


@pytest.mark.parametrize("text", ["", "priMa", "priMadd", "prim'ad", "MADPRI", "PRIM''AD", "xriMad"])
def test_what_is_no_type_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(DataError, match=r"expected a type such as priMad or PRIM'AD, found '"):
        Type.parse(text)


@given(TYPES)
def test_letters_are_read_as_they_were_written(type_: Type) -> None:
    assert Type.parse(str(type_)) == type_


@given(TYPES)
def test_primes_are_read_as_they_were_written_unless_there_is_none(type_: Type) -> None:
    if type_.primed() == "PRIMAD":
        assert str(type_) == "primad"
    else:
        assert Type.parse(type_.primed()) == type_


def test_a_component_is_asked_for_by_name_or_letter() -> None:
    type_ = Type.parse("p?iMad")

    assert [type_.changed(name) for name in ("M", "method", "research_goal", "R", "platform")] == [
        True,
        True,
        None,
        None,
        False,
    ]


def test_a_component_that_does_not_exist_is_refused() -> None:
    with pytest.raises(DataError, match=r"expected a component \(platform, .*\), found 'weather'"):
        Type.parse("primad").changed("weather")


@pytest.mark.parametrize(("assume", "letters"), [("changed", "PRiMAD"), ("same", "priMad"), (None, "??iM??")])
def test_an_assumption_resolves_only_what_is_unknown(assume: str | None, letters: str) -> None:
    assert str(Type.parse("??iM??").assuming(assume)) == letters  # type: ignore[arg-type]  # a text of the table above


def test_a_type_with_two_unknown_letters_may_be_four() -> None:
    assert sorted(map(str, Type.parse("p?iM?d").possible())) == ["pRiMAd", "pRiMad", "priMAd", "priMad"]


def test_a_type_is_made_of_the_components_that_are_named() -> None:
    type_ = Type.of({"method": True, "data": False, "platform": None})

    assert str(type_) == "???M?d"
    assert type_.unknown == ("platform", "research goal", "implementation", "actor")


def test_a_message_has_room_for_forty_characters_of_what_was_found() -> None:
    with pytest.raises(DataError, match=f"found '{'x' * 40}'"):
        Type.parse("x" * 41)
    with pytest.raises(DataError, match=f"found '{'x' * 40}'"):
        Type.parse("primad").changed("x" * 41)
