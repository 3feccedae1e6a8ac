"""Do all sheets together say what the single ones say?"""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from primad.reports.track.facts import Comment, QuestionRow, Recommendation, Score, SystemRow, TrackReport
from primad.track.published import Printed
from primad.track.sheet import DEFAULT, Template, template_of
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
    """Return a report with nothing but questions and the systems that they are about."""
    published = {key: Printed(share) for key, share in printed.items()}
    questions = question_rows(TEMPLATE, sheets, published)
    named = {one.submission: SystemRow(one.submission, one.title, "team", "coding", "", "") for one in sheets}
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return TrackReport("t", "T", "", "", "published", at, systems=tuple(named.values()), questions=questions)


# Rows ------------------------------------------------------------------------------------------------------------


def test_free_text_has_no_row() -> None:
    assert [one.key for one in question_rows(TEMPLATE, [])] == ["Q1", "Q2", "Q3", "Q4", "Q5", "Q6", "Q7", "Q8", "Q10"]


def test_a_row_has_the_score_over_all_and_for_each_system() -> None:
    found = row("Q1", filled("a", Q1="yes"), filled("b", Q1="no"), filled("a", "Grams", Q1="yes"))

    assert found.score == Score(2 / 3, 3)
    assert found.by_system == {"team/grams": Score(1.0, 1), "team/words": Score(0.5, 2)}


def test_answers_about_two_systems_with_one_title_stay_apart() -> None:
    other = replace(filled("a", Q1="no"), submission="others/words")

    found = row("Q1", filled("a", Q1="yes"), other)

    assert found.by_system == {"team/words": Score(1.0, 1), "others/words": Score(0.0, 1)}


def test_only_the_question_on_other_uses_speaks_for_reuse() -> None:
    assert [one.key for one in question_rows(TEMPLATE, []) if one.purpose] == ["Q10"]


# Sheets that were changed ----------------------------------------------------------------------------------------


def former(version: int = 0, **values: Any) -> Template:
    """Return the sheet that tracks start with, with other VALUES in its first question."""
    first = {**DEFAULT["questions"][0], **values}
    return template_of({**DEFAULT, "questions": [first, *DEFAULT["questions"][1:]]}, version)


@pytest.mark.parametrize(
    "values",
    [{"text": "Is it small?"}, {"scale": "five", "better": "high"}, {"better": "no"}, {"counted": "results"}],
    ids=lambda one: next(iter(one)),
)
def test_answers_to_a_question_that_was_changed_are_scored_by_the_sheet_they_were_locked_by(
    values: dict[str, str],
) -> None:
    locked = replace(filled("b", Q1=5 if "scale" in values else "no", Q3=5), template=former(1, **values))
    old = {**dict.fromkeys(["text", "counted"], Score(0.0, 1)), "scale": Score(1.0, 1), "better": Score(1.0, 1)}

    rows = [one for one in question_rows(TEMPLATE, [filled("a", Q1="yes", Q3=5), locked]) if one.key in {"Q1", "Q3"}]

    assert [(one.named, one.score) for one in rows] == [
        ("Q1", Score(1.0, 1)),
        ("Q1 (sheet 1)", old[next(iter(values))]),
        ("Q3", Score(1.0, 2)),
    ]


def test_a_question_that_is_only_shown_otherwise_is_the_same() -> None:
    locked = replace(filled("b", Q1="no"), template=former(1, short="Needs?", advice="None.", part="First"))

    assert row("Q1", filled("a", Q1="yes"), locked).score == Score(0.5, 2)


def test_sheets_of_several_versions_that_ask_alike_are_put_together() -> None:
    versions = [replace(filled(str(one), Q1="no"), template=former(one, text="Small?")) for one in (1, 2)]

    found = [one for one in question_rows(TEMPLATE, versions) if one.sheet]

    assert [(one.sheet, one.score) for one in found] == [("sheet 1, 2", Score(0.0, 2))]


def test_a_former_sheet_without_a_number_is_called_one() -> None:
    locked = replace(filled("a", Q1="no"), template=former(text="Small?"))

    assert [one.named for one in question_rows(TEMPLATE, [locked])][:2] == ["Q1", "Q1 (former sheet)"]


def test_what_is_no_longer_asked_keeps_its_answers_and_comments() -> None:
    shorter = template_of({**DEFAULT, "questions": DEFAULT["questions"][1:]})
    locked = replace(filled("a", Q1={"value": "yes", "comment": "all listed"}), template=former(1))

    last = question_rows(shorter, [locked])[-1]

    assert (last.named, last.score) == ("Q1 (sheet 1)", Score(1.0, 1))
    assert [(one.question, one.sheet, one.text) for one in comments_of(shorter, [locked])] == [
        ("Q1", "sheet 1", "all listed")
    ]


def test_what_was_printed_stands_beside_the_present_question_alone() -> None:
    locked = replace(filled("a", Q1="no"), template=former(1, text="Small?"))

    present, old = question_rows(TEMPLATE, [locked], {"Q1": Printed(0.33)})[:2]

    assert (present.printed, old.printed) == (0.33, None)


def test_advice_is_given_on_a_reworded_question_and_not_on_one_that_meant_the_opposite() -> None:
    sheets = [replace(filled("a", Q1="no"), template=former(1, text="Was all that is needed listed?"))]
    turned = [replace(filled("a", Q1="yes"), template=former(1, text="Was anything missing?", better="no"))]

    assert [one.because for one in recommend(report(*sheets))] == [
        "Q1 (Needs easy to see?, sheet 1) has 0%, from 1 answer"
    ] * 2
    assert recommend(report(*turned)) == ()


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
        Comment("team/words", "Words", "Q1", "ann", "user", "which java?", text("Q1")),
        Comment("team/grams", "Grams", "Q1", "bea", "user", "no list", text("Q1")),
        Comment("team/words", "Words", "Q9", "ann", "user", "an example", text("Q9")),
    )


def test_why_an_answer_is_another_than_the_proposed_one_stands_behind_the_comment_on_it() -> None:
    other = {"value": 3, "proposed": 2, "comment": "close", "note": "it is the encoding"}
    same = {"value": "yes", "proposed": "yes", "note": "as was proposed"}

    found = comments_of(TEMPLATE, [filled("ann", Q4=same, Q8=other)])

    assert [(one.question, one.text) for one in found] == [
        ("Q8", "close"),
        ("Q8", "Answered 3, not 2 as proposed: it is the encoding"),
    ]


def test_a_comment_stands_below_the_words_that_it_answers() -> None:
    locked = replace(filled("a", Q1={"comment": "no list"}), template=former(1, text="Small?"))

    (found,) = comments_of(TEMPLATE, [locked])

    assert (found.asked, found.sheet) == ("Small?", "sheet 1")


def text(key: str) -> str:
    """Return the words of the question KEY."""
    found = TEMPLATE.item(key)
    assert found is not None
    return found.text


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
        Recommendation("Words", advice("Q6"), "Q6 (Progress told?) has 0%, from 2 answers", "team/words"),
    )


def test_one_half_is_not_low() -> None:
    assert recommend(report(filled("a", Q6="no"), filled("b", Q6="yes"))) == ()


def test_asking_the_authors_is_what_is_low_for_question_4() -> None:
    assert recommend(report(filled("a", Q4="no"))) == ()
    assert recommend(report(filled("a", Q4="yes"))) == (
        Recommendation("", advice("Q4"), "Q4 (Authors asked?, share of no) has 0%, from 1 answer"),
        Recommendation("Words", advice("Q4"), "Q4 (Authors asked?, share of no) has 0%, from 1 answer", "team/words"),
    )


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
