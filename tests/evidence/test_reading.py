"""Are figures read as they are printed, and never made up?"""

from __future__ import annotations

import pytest

from evidence.claim import Goal
from evidence.reading import Cell, FigureMissing, Reader, cells, matched, passed, section

PYTEST = """
..s.                                                                     [100%]
=================================== PASSES ====================================
=========================== short test summary info ===========================
PASSED tests/a/test_b.py::test_one[x]
PASSED tests/a/test_b.py::test_one[y]
PASSED tests/a/test_b.py::test_one_more
SKIPPED [1] tests/a/test_b.py:3: shared data not found beside the checkout
3 passed, 1 skipped in 2.28s
"""
TABLES = """# How fast

## 20 runs, all measures

| | seconds | faster by | peak MB |
|---|---|---|---|
| primad | 1.79 |  | 1,047 |
| pytrec_eval | 5.45 | 3.1x | 108 |

| runs | seconds |
|---|---|
| 10 | 0.37 |
| 100 | 0.34 |

## Another

| | seconds |
|---|---|
| primad | 9.99 |
"""


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param(["tests/a/test_b.py::test_one"], 2, id="cases of a test"),
        pytest.param(["tests/a/test_b.py::test_one", "tests/a/test_b.py::test_one_more"], 3, id="two tests"),
        pytest.param(["tests/a/test_b.py"], 3, id="a file"),
        pytest.param(["tests/a"], 3, id="a folder"),
        pytest.param([], 3, id="all of them"),
    ],
)
def test_only_tests_of_these_names_count(names: list[str], expected: int) -> None:
    assert passed(*names)(PYTEST) == {"passed": expected}


def test_numbers_are_read_without_their_marks() -> None:
    found = matched(r"^all +(?P<inputs>[\d,]+) +(?P<rate>\S+) (?P<what>\w+)")("run 1 2x a\nall  1,000,000 3.1x times\n")

    assert found == {"inputs": 1_000_000, "rate": 3.1, "what": "times"}


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        pytest.param(Cell("20 runs, all measures", "primad", "seconds"), 1.79, id="the first table"),
        pytest.param(Cell("20 runs, all measures", "primad", "peak MB"), 1047, id="with a separator"),
        pytest.param(Cell("20 runs, all measures", "pytrec_eval", "faster by"), 3.1, id="a ratio"),
        pytest.param(Cell("20 runs, all measures", "10", "seconds"), 0.37, id="the second table"),
        pytest.param(Cell("Another", "primad", "seconds"), 9.99, id="under another heading"),
    ],
)
def test_a_cell_is_found_by_heading_row_and_column(place: Cell, expected: float) -> None:
    assert cells(it=place)(TABLES) == {"it": expected}


@pytest.mark.parametrize(
    ("read", "text"),
    [
        pytest.param(passed(), "FAILED tests/c.py::test_d", id="nothing passed"),
        pytest.param(passed("tests/c.py"), PYTEST, id="another file"),
        pytest.param(passed("tests/a/test_b.py::test_one", "tests/c.py"), PYTEST, id="one of two"),
        pytest.param(matched(r"(?P<rounds>\d+) rounds"), "stopped", id="no such words"),
        pytest.param(cells(it=Cell("Another", "pytrec_eval", "seconds")), TABLES, id="no such row"),
        pytest.param(cells(it=Cell("Another", "primad", "peak MB")), TABLES, id="no such column"),
        pytest.param(cells(it=Cell("Nowhere", "primad", "seconds")), TABLES, id="no such heading"),
    ],
)
def test_a_figure_that_is_not_there_is_not_made_up(read: Reader, text: str) -> None:
    with pytest.raises(FigureMissing):
        read(text)


def test_a_section_ends_where_the_next_begins() -> None:
    assert "9.99" not in section(TABLES, "20 runs, all measures")
    assert "9.99" in section(TABLES, "How fast")


@pytest.mark.parametrize(
    ("goal", "value", "expected"),
    [
        pytest.param(Goal("it", " ms", most=300), 326, 26, id="too much"),
        pytest.param(Goal("it", " ms", most=300), 300, 0, id="just enough"),
        pytest.param(Goal("it", "x", least=3), 2.5, 0.5, id="too little"),
        pytest.param(Goal("it", "x", least=3), 3.1, 0, id="more than asked for"),
        pytest.param(Goal("it", " faults", most=0), 1, 1, id="none at all"),
    ],
)
def test_a_goal_is_missed_by_what_lies_on_the_wrong_side(goal: Goal, value: float, expected: float) -> None:
    assert goal.missed_by({"it": value}) == expected
