"""Tests of planted.py, which are no tests of the project: their name keeps them from being collected."""

from tests.mutants.planted import counted_down, is_many, share


def test_a_share() -> None:
    assert (share(1, 4), share(1, 0)) == (0.25, 0.0)


def test_few_and_many() -> None:
    assert (is_many(1), is_many(5)) == (False, True)


def test_down_to_nothing() -> None:
    assert counted_down(3) == 0
