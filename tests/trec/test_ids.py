"""Are identifiers, which are bytes, held and shown without loss?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad.trec._ids import bytes_of, column_of, hashes_of, held_of, shown, text_of


@pytest.mark.parametrize(
    ("written", "text", "message"),
    [
        pytest.param(b"FT911-3", "FT911-3", "FT911-3", id="ascii"),
        pytest.param("café".encode(), "café", "café", id="utf-8"),
        pytest.param(b"caf\xe9", "caf\udce9", "caf\\xe9", id="a stray byte"),
    ],
)
def test_an_identifier_has_one_form_for_python_and_one_for_messages(written: bytes, text: str, message: str) -> None:
    held = written.decode("latin-1")

    assert (text_of(held), shown(held), bytes_of(held)) == (text, message, written)


@given(st.binary())
def test_any_bytes_come_back_from_text(written: bytes) -> None:
    held = written.decode("latin-1")

    assert held_of(text_of(held)) == held


@given(st.lists(st.binary()))
def test_held_identifiers_stand_in_the_order_of_their_bytes(written: list[bytes]) -> None:
    held = [identifier.decode("latin-1") for identifier in written]

    assert [bytes_of(identifier) for identifier in sorted(held)] == sorted(written)


def test_a_column_holds_numbers_as_their_text() -> None:
    assert column_of([301, "302"]).to_list() == ["301", "302"]


def test_equal_identifiers_have_equal_hashes_and_different_ones_different() -> None:
    first, other, again = hashes_of(column_of(["d1", "d2", "d1"])).tolist()

    assert first == again
    assert first != other
