"""Are published figures kept as what they are, and wrong ones refused?"""

from typing import Any

import pytest

from primad.errors import DataError
from primad.reports.track.facts import Funnel, TimeRow
from primad.track.published import Figure, Printed, published_funnel, published_scores, published_times

TIME = {"system": "System 1", "role": "user", "human": 47, "run": 150, "rule": "A mean."}
SCORE = {"question": "Q8", "printed": 0.71, "label": "Reproduced?", "mark": "*", "note": "5 of 7."}
STEP = {"step": "teams", "count": 7}


def test_each_table_takes_its_own_figures() -> None:
    figures = [Figure("time", "a", TIME), Figure("score", "b", SCORE), Figure("funnel", "c", STEP)]

    assert published_times(figures) == (
        TimeRow("System 1", "user", 47.0, 150.0, None, None, "A mean.", published=True),
    )
    assert published_scores(figures) == {"Q8": Printed(0.71, "Reproduced?", "*", "5 of 7.")}
    assert published_funnel(figures) == (Funnel("teams", 7),)


def test_a_time_can_name_the_submission_that_it_is_about() -> None:
    figures = [Figure("time", "a", TIME | {"submission": "team-1/system-1"})]

    assert published_times(figures)[0].submission == "team-1/system-1"


def test_a_mark_that_is_printed_as_none_is_not_one_that_nobody_stated() -> None:
    figures = [
        Figure("score", "Q2", {"question": "Q2", "printed": 0.55, "mark": ""}),
        Figure("score", "Q3", {"question": "Q3", "printed": 0.93}),
    ]

    assert [one.mark for one in published_scores(figures).values()] == ["", None]


def test_a_time_that_was_not_printed_is_none() -> None:
    without = {name: value for name, value in TIME.items() if name != "run"}

    assert published_times([Figure("time", "a", without)])[0].run is None


@pytest.mark.parametrize(
    ("table", "content", "said"),
    [
        ("time", TIME | {"human": "long"}, "published time x: expected human as a number that is not negative"),
        ("time", TIME | {"run": -1}, "expected run as a number that is not negative, found '-1'"),
        ("time", TIME | {"run": float("inf")}, "expected run as a number that is not negative, found 'inf'"),
        ("time", TIME | {"run": float("nan")}, "expected run as a number that is not negative, found 'nan'"),
        ("time", TIME | {"system": None}, "expected system as a text, found nothing"),
        ("score", SCORE | {"printed": 71}, "expected printed as a share from 0 to 1, found '71'"),
        ("score", SCORE | {"printed": None}, "expected printed as a share from 0 to 1, found nothing"),
        ("score", SCORE | {"printed": True}, "expected printed as a number"),
        ("funnel", STEP | {"count": 1.5}, "expected count as a whole number, found '1.5'"),
        ("funnel", {"count": 1}, "expected step as a text, found nothing"),
    ],
)
def test_what_cannot_have_been_printed_is_refused(table: str, content: dict[str, Any], said: str) -> None:
    figures = [Figure(table, "x", content)]

    with pytest.raises(DataError) as refused:
        (published_times(figures), published_scores(figures), published_funnel(figures))

    assert said in str(refused.value)
