"""Do all sheets together say what the single ones say?"""

from datetime import UTC, datetime
from typing import Any

import pytest

from primad.reports.track.facts import Comment, QuestionRow, Recommendation, Score, TrackReport
from primad.track.published import Printed
from primad.track.sheet import DEFAULT, template_of
from primad.track.tallying import Filled, comments_of, question_rows, recommend

TEMPLATE = template_of(DEFAULT)


def filled(analyst: str, title: str = "Words", *, has_results: bool = True, **values: Any) -> Filled:
    """Return a sheet with these VALUES."""
    answers = {key: value if isinstance(value, dict) else {"value": value} for key, value in values.items()}
    return Filled(f"team/{title.lower()}", title, analyst, "user", has_results, answers)


def row(key: str, *sheets: Filled, printed: Printed | None = None) -> QuestionRow:
    """Return the row of the question KEY."""
    rows = question_rows(TEMPLATE, sheets, {key: printed} if printed else {})
    return {one.key: one for one in rows}[key]


def report(*sheets: Filled, **printed: float) -> TrackReport:
    """Return a report with nothing but questions."""
    published = {key: Printed(share) for key, share in printed.items()}
    questions = question_rows(TEMPLATE, sheets, published)
    return TrackReport("t", "T", "", "", "published", datetime(2026, 1, 1, tzinfo=UTC), questions=questions)


# Rows ------------------------------------------------------------------------------------------------------------


def test_free_text_has_no_row() -> None:
    assert [one.key for one in question_rows(TEMPLATE, [])] == ["Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "Q7", "Q8", "Q10"]


def test_a_row_has_the_score_over_all_and_for_each_system() -> None:
    found = row("Q1", filled("a", Q1="yes"), filled("b", Q1="no"), filled("a", "Grams", Q1="yes"))

    assert found.score == Score(2 / 3, 3)
    assert found.by_system == {"Grams": Score(1.0, 1), "Words": Score(0.5, 2)}


@pytest.mark.parametrize(("key", "n"), [("Q5", 2), ("Q7", 1), ("Q8", 1)])
def test_only_analysts_with_results_count_for_questions_about_them(key: str, n: int) -> None:
    best: dict[str, Any] = {"Q5": 5, "Q7": "yes", "Q8": 4}

    found = row(key, filled("a", **best), filled("b", has_results=False, **best))

    assert found.score == Score(1.0, n)


def test_marks_follow_the_scale() -> None:
    assert [row(key).mark for key in ("Q1", "Q2", "Q8")] == ["*", "+", "+"]


def test_a_row_without_answers_is_called_as_it_was_printed() -> None:
    printed = Printed(0.71, "Reproduced?", "*", "5 of 7.")

    alone, beside = row("Q8", printed=printed), row("Q8", filled("a", Q8=4), printed=printed)

    assert (alone.short, alone.mark, alone.printed, alone.printed_note) == ("Reproduced?", "*", 0.71, "5 of 7.")
    assert (beside.short, beside.mark, beside.printed) == ("Same scores?", "+", 0.71)
    assert (alone.score, beside.score) == (Score(None, 0), Score(1.0, 1))


# Comments --------------------------------------------------------------------------------------------------------


def test_comments_stand_in_the_order_of_questions() -> None:
    sheets = [
        filled("ann", Q9="an example", Q1={"value": "no", "comment": "which java?"}),
        filled("bea", "Grams", Q1={"comment": " no list "}, Q2={"value": 3, "comment": ""}),
    ]

    assert comments_of(TEMPLATE, sheets) == (
        Comment("team/words", "Words", "Q1", "ann", "user", "which java?"),
        Comment("team/grams", "Grams", "Q1", "bea", "user", "no list"),
        Comment("team/words", "Words", "Q9", "ann", "user", "an example"),
    )


# Recommendations -------------------------------------------------------------------------------------------------


def advice(key: str) -> str:
    """Return the advice of the question KEY."""
    found = TEMPLATE.item(key)
    assert found is not None
    return found.advice


def test_a_low_score_is_followed_by_advice_for_all_and_for_the_system_that_has_it() -> None:
    sheets = (filled("a", Q6="no"), filled("b", Q6="no"), filled("a", "Grams", Q6="yes"))

    assert recommend(report(*sheets)) == (
        Recommendation("", advice("Q6"), "Q6 (Progress told?) has 33%, from 3 answers"),
        Recommendation("Words", advice("Q6"), "Q6 (Progress told?) has 0%, from 2 answers"),
    )


def test_one_half_is_not_low() -> None:
    assert recommend(report(filled("a", Q6="no"), filled("b", Q6="yes"))) == ()


def test_asking_the_authors_is_what_is_low_for_question_4() -> None:
    assert recommend(report(filled("a", Q4="no"))) == ()
    assert [one.text for one in recommend(report(filled("a", Q4="yes")))] == [advice("Q4")] * 2


def test_printed_scores_count_where_their_direction_is_known() -> None:
    found = recommend(report(Q1=0.33, Q4=0.0, Q5=0.55))

    assert found == (Recommendation("", advice("Q1"), "Q1 (Needs easy to see?) was published with 33%"),)


def test_a_question_of_the_track_brings_its_own_advice() -> None:
    own = {
        "key": "size",
        "part": "Size",
        "text": "Was it small?",
        "short": "Small?",
        "scale": "yes-no",
        "better": "yes",
    }
    template = template_of({"questions": [own | {"advice": "Leave models out."}]})
    questions = question_rows(template, [filled("a", size="no")])
    asked = TrackReport("t", "T", "", "", "", datetime(2026, 1, 1, tzinfo=UTC), questions=questions)

    assert {one.text for one in recommend(asked, template)} == {"Leave models out."}
    assert recommend(asked) == ()
