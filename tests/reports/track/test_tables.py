"""Do the tables of a track say what was found, with the paper's columns, and never nothing?"""

from dataclasses import replace

import pytest

from primad.reports._tables import NONE
from primad.reports.track.contents import headline, remarks_of, tables_of
from primad.reports.track.facts import Cell, Moment, Score, TrackReport
from primad.reports.track.table import Table
from tests.reports.track.examples import AT, empty, full, hostile, namesakes

PAPER = {
    "systems": ("Participant", "Operating System", "Language"),
    "machines": ("Analyst", "Configuration"),
    "times": ("Participant", "Analyst", "Human Time", "Run Time"),
    "questions": ("Phase", "Question", "Score"),
}


def table(report: TrackReport, name: str) -> Table:
    """Return the table NAME of REPORT."""
    return {one.name: one for one in tables_of(report)}[name]


def test_tables_begin_with_the_columns_of_the_paper() -> None:
    found = {name: table(full(), name).heading[: len(columns)] for name, columns in PAPER.items()}

    assert found == PAPER


@pytest.mark.parametrize("report", [full(), hostile(), empty()], ids=["full", "hostile", "empty"])
def test_every_row_has_a_cell_for_each_column_and_none_is_a_programs_word_for_nothing(report: TrackReport) -> None:
    for one in tables_of(report):
        assert {len(row) for row in one.rows} <= {len(one.heading)}
        assert one.texts <= one.narrow
        assert not one.said or one.prose or len(one.labels) == len(one.rows)
        assert {"None", "nan", "NaN", "True", "False"}.isdisjoint(cell for row in one.rows for cell in row)


def test_a_track_that_has_only_begun_says_why_each_table_is_missing() -> None:
    assert {one.rows for one in tables_of(empty())} == {()}
    assert remarks_of(empty())[:3] == ["No team has registered.", "No system was submitted.", "Nothing was submitted."]
    assert list(headline(empty())) == ["No system was submitted yet; the track is in the phase set-up."]


def test_the_headline_counts_attempts_and_results_and_names_the_weakest_question() -> None:
    assert list(headline(full())) == [
        "2 systems submitted; the track is in the phase adjudication.",
        "2 of 3 attempts succeeded; 1 attempt repeats another one.",
        "1 of 2 compared outputs gave the results that were submitted.",
        "Lowest score: Q1 (Needs easy to see?), 50%.",
    ]


def test_the_headline_tells_results_that_are_close_from_those_that_are_neither_close_nor_the_same() -> None:
    one = full().verdicts[0]
    rows = [
        replace(one, points=points, agreement=agreement)
        for points, agreement in (
            (4, "identical bytes"),
            (3, "less than .01 apart"),
            (3, "less than .01 apart"),
            (2, ".01 or more apart"),
        )
    ]

    said = list(headline(replace(full(), verdicts=tuple(rows))))

    assert (
        "1 of 4 compared outputs gave the same results as were submitted, 2 gave results less than .01 apart."
    ) in said


# Tables of the paper ---------------------------------------------------------------------------------------------


def test_what_is_not_stated_of_a_system_is_a_dash() -> None:
    assert table(full(), "systems").rows == (("Words", "Linux", "python"), ("Grams", NONE, NONE))


def test_a_machine_has_a_line_for_each_fact_and_a_name_if_its_analyst_has_several() -> None:
    assert table(full(), "machines").rows == (
        ("Ann", "Debian 12\n16 GB ram, 3 MB cache"),
        ("Dev (old)", "Intel i5\ngraphics: none"),
        ("Dev (new)", NONE),
    )


def test_times_stand_beside_the_number_of_analysts_where_it_is_known() -> None:
    found = table(full(), "times")

    assert found.heading[4:] == ("n (human)", "n (run)")
    assert found.rows == (
        ("Words", "User", "12", "4.2", "2", "1"),
        ("Words", "Developer", "<0.1", NONE, "1", "0"),
    )
    assert found.notes[0] == "Means over analysts."
    assert found.notes[1].endswith("no work of that role on the system has ended, or nobody got it to run to its end.")


def test_a_score_that_was_also_published_has_both_beside_each_other() -> None:
    found = table(full(), "questions")

    assert found.heading == ("Phase", "Question", "Score", "Published", "n", "Scale", "Rule")
    assert found.rows[0] == (
        "Configuration",
        "Q1(*) Needs easy to see?",
        "50%",
        "33%",
        "2",
        "yes or no",
        "Share of yes.",
    )
    assert found.rows[2][2:5] == (NONE, NONE, "0")
    assert "Q1: From the paper." in found.notes


def test_a_printed_score_stands_where_there_is_no_other() -> None:
    row = replace(full().questions[0], score=Score(None, 0), by_system={})

    found = table(replace(full(), questions=(row,)), "questions")

    assert found.rows[0][2:4] == ("33%", "not published")


def test_a_phase_is_named_where_it_begins() -> None:
    assert [row[0] for row in table(full(), "questions").shown_rows()] == ["Configuration", "", "Overall"]


# Further tables --------------------------------------------------------------------------------------------------


def test_an_attempt_shows_where_it_failed_and_why() -> None:
    failed = table(full(), "attempts").rows[1]

    assert failed[7:] == (
        *("failed (install)", "own machine", "12", NONE, "1"),
        "gcc is missing. Level 1: its authors say so.",
    )


def test_a_repeated_attempt_says_which_one_it_repeats_and_what_held_it() -> None:
    again = table(full(), "attempts").rows[2]

    assert again[8] == "bubblewrap"
    assert again[-1] == "Repeats attempt 1."


def test_a_verdict_has_its_difference_with_sign_interval_and_p_or_the_reason_for_none() -> None:
    same, apart = table(full(), "verdicts").rows

    assert apart[1:6] == (".01 or more apart", "Words", "Ann", "Primad", "2")
    assert apart[6:] == (
        *("0.8000", "0.7800", "-0.0200", "[-0.0350, -0.0050]", "0.030"),
        "The difference is more than chance.",
    )
    assert same[4:6] == (NONE, "4")
    assert same[8:11] == ("0.0000", NONE, NONE)
    assert same[11] == "The output is the same. No test of the difference: nothing differs."


@pytest.mark.parametrize(
    ("tested", "said"), [(5, " With 5 items only, nothing follows from the test"), (10, ""), (None, "")]
)
def test_a_test_on_few_items_is_said_to_tell_nothing(tested: int | None, said: str) -> None:
    verdict = replace(full().verdicts[1], same_items=1, different_items=1, tested_items=tested)

    (row,) = table(replace(full(), verdicts=(verdict,)), "verdicts").rows

    assert row[-1].startswith(f"The difference is more than chance.{said}")
    assert row[-1].endswith("of the difference." if said else "chance.")


def test_the_letters_of_a_type_are_explained_where_there_are_any() -> None:
    without = replace(full(), verdicts=full().verdicts[:1])

    (note,) = table(full(), "verdicts").notes
    assert note.startswith("Type has a letter for each of platform, research goal, implementation, method, actor and")
    assert "? what the records do not tell" in note
    assert table(without, "verdicts").notes == ()


def test_a_sentence_on_precision_names_its_system_once_and_its_configuration_where_there_are_several() -> None:
    (row,) = full().precision
    first = replace(row, sentence="red/words, f1 (configuration=a): CV* = 2 %, which differ in Machine.")
    second = replace(first, configuration="other")

    alone = table(replace(full(), precision=(first,)), "precision").sentences()
    both = table(replace(full(), precision=(first, second)), "precision").sentences()

    assert alone == {"CV* = 2 %, which differ in Machine.": ["Words, f1"]}
    assert list(both.values()) == [["Words, f1 (default, test)", "Words, f1 (other, test)"]]


def test_results_over_time_stand_in_the_order_of_time() -> None:
    (moment,) = full().moments
    earlier = replace(moment, attempt=2, at=moment.at.replace(year=2016))

    rows = table(replace(full(), moments=(moment, earlier)), "moments").rows

    assert [row[4] for row in rows] == ["2", "1"]


@pytest.mark.parametrize(("state", "said"), [("open", "1 of 3 attempts succeeded, 1 has not ended"), ("abandoned", "")])
def test_an_attempt_that_goes_on_is_not_counted_as_one_that_failed(state: str, said: str) -> None:
    first, *others = full().attempts

    told = list(headline(replace(full(), attempts=(replace(first, state=state), *others))))

    assert f"{said or '1 of 3 attempts succeeded'}; 1 attempt repeats another one." in told


@pytest.mark.parametrize(
    ("repeating", "said"),
    [
        pytest.param(0, "2 of 3 attempts succeeded.", id="none"),
        pytest.param(1, "2 of 3 attempts succeeded; 1 attempt repeats another one.", id="one"),
        pytest.param(2, "2 of 3 attempts succeeded; 2 attempts repeat another one.", id="two"),
    ],
)
def test_attempts_that_repeat_others_are_counted_where_there_are_any(repeating: int, said: str) -> None:
    repeats = [None, *[1] * repeating, None, None]
    attempts = tuple(replace(one, repeats=of) for one, of in zip(full().attempts, repeats, strict=False))

    assert said in list(headline(replace(full(), attempts=attempts)))


def test_without_answers_nothing_is_said_of_scores() -> None:
    unanswered = replace(full(), questions=full().questions[2:], recommendations=())
    answered = replace(full(), recommendations=())

    assert table(unanswered, "recommendations").empty == (
        "No answers of analysts are recorded, so nothing is recommended."
    )
    assert table(answered, "recommendations").empty == "No score is below one half, so nothing is recommended."


def test_systems_by_data_sets_are_a_matrix_with_dashes_where_nobody_was() -> None:
    found = table(full(), "cells")

    assert found.heading == ("Participant", "Measure", "test", "extra")
    assert found.rows == (
        ("Words", "f1", "0.7800 (0.8000, 2)", f"0.7000 ({NONE}, 1)"),
        ("Grams", "f1", f"{NONE} (0.6000, 0)", NONE),
    )


def test_scores_by_system_have_their_n_their_scale_and_their_rule() -> None:
    found = table(full(), "scores")

    assert found.heading == ("Question", "Words", "Scale", "Rule")
    assert found.rows[0] == ("Q1(*) Needs easy to see?", "50% (n=2)", "yes or no", "Share of yes.")


def test_systems_with_one_title_have_rows_and_columns_of_their_own_and_are_told_apart() -> None:
    names = ("Baseline (red/base)", "Baseline (blue/base)")

    assert tuple(row[0] for row in table(namesakes(), "systems").rows) == names
    assert [row[:3] for row in table(namesakes(), "times").rows] == [(names[0], "User", "10"), (names[1], "User", "90")]
    assert [row[2] for row in table(namesakes(), "stages").rows] == ["1", "9"]
    assert table(namesakes(), "scores").heading[1:3] == names
    assert table(namesakes(), "scores").rows[0][1:3] == ("100% (n=1)", "0% (n=2)")
    assert table(namesakes(), "cells").rows == (
        (names[0], "f1", "0.8000 (0.8000, 1)"),
        (names[1], "f1", "0.5000 (0.6000, 2)"),
    )
    assert table(namesakes(), "recommendations").rows[0][0] == names[1]


def test_a_share_of_no_is_called_one_unless_print_leaves_it_open() -> None:
    asked = replace(full().questions[0], key="Q4", short="Authors asked?", better="no")
    printed = replace(asked, score=Score(None, 0), by_system={}, printed=0.0)

    for name in ("questions", "scores"):
        labels = [row[: 2 - (name == "scores")][-1] for row in table(replace(full(), questions=(asked,)), name).rows]
        assert labels == ["Q4(*) Authors asked? (share of no)"]
    assert table(replace(full(), questions=(printed,)), "questions").rows[0][1] == "Q4(*) Authors asked?"
    assert (
        list(headline(replace(full(), questions=(asked,))))[-1]
        == "Lowest score: Q4 (Authors asked?, share of no), 50%."
    )


def test_a_submission_is_eligible_or_not_or_nobody_has_decided() -> None:
    found = table(full(), "submissions")

    assert found.heading[6] == "Eligible"
    assert [row[6] for row in found.rows] == ["yes", "not decided"]


def test_a_system_whose_kind_nobody_stated_has_a_dash() -> None:
    unstated = replace(full().systems[0], kind="")

    assert table(replace(full(), systems=(unstated,)), "submissions").rows[0][4] == NONE


def test_configurations_are_shown_where_a_system_has_several() -> None:
    cells = tuple(
        Cell("red/words", "Words", "test", "f1", 0.8, score, 1, configuration=name)
        for name, score in (("fast", 0.7), ("slow", 0.8))
    )
    moments = tuple(
        Moment("red/words", "Words", "test", place, AT, "f1", one.replicated or 0.0, configuration=one.configuration)
        for place, one in enumerate(cells, 1)
    )
    several = replace(full(), cells=cells, moments=moments)

    assert table(several, "cells").heading == ("Participant", "Configuration", "Measure", "test")
    assert table(several, "cells").rows == (
        ("Words", "fast", "f1", "0.7000 (0.8000, 1)"),
        ("Words", "slow", "f1", "0.8000 (0.8000, 1)"),
    )
    assert [row[:2] + row[-1:] for row in table(several, "moments").rows] == [
        ("Words", "fast", "0.7000"),
        ("Words", "slow", "0.8000"),
    ]
    assert "Configuration" not in table(replace(several, cells=cells[:1]), "cells").heading


def test_scores_that_differ_never_look_the_same() -> None:
    slight = replace(full().verdicts[0], replicated=0.8000003, difference=3e-7)
    cell = Cell("red/words", "Words", "test", "f1", 0.8, 0.8000003, 1)
    report = replace(full(), verdicts=(slight,), cells=(cell,))

    assert table(report, "verdicts").rows[0][6:9] == ("0.8000000", "0.8000003", "+3.00e-7")
    assert table(report, "cells").rows[0][-1] == "0.8000003 (0.8000000, 1)"


def test_a_question_of_a_former_sheet_says_so() -> None:
    former = replace(full().questions[0], sheet="sheet 1", text="Was it clear?")
    report = replace(
        full(),
        questions=(*full().questions, former),
        comments=(replace(full().comments[0], sheet="sheet 1"), replace(full().comments[1], asked="Clear now?")),
    )

    found = table(report, "questions")
    assert found.rows[-1][1] == "Q1(*) Needs easy to see? (sheet 1)"
    assert any(note.startswith("Where a former sheet is named") for note in found.notes)
    assert list(table(report, "comments").listed()) == ["Q1 (sheet 1) Was it clear?", "Q1 Clear now?"]


def test_comments_stand_together_below_their_question() -> None:
    listed = table(full(), "comments").listed()

    assert listed == {
        "Q1 Needs easy to see? Why?": [
            ("Words, Ann, user", "Which gcc?\nWhich version?"),
            ("Words, Dev, developer", "No list of packages."),
        ],
        "Q9": [("Words, Ann, user", "Add an example.")],
    }


def test_questions_that_all_have_the_same_score_are_not_listed_as_the_lowest() -> None:
    asked = replace(full().questions[0], key="Q2", short="Builds?")

    told = list(headline(replace(full(), questions=(full().questions[0], asked))))[-1]

    assert told == "Lowest score: all 2 questions have the same, 50%."


def test_a_level_that_nobody_has_decided_is_shown_as_proposed() -> None:
    first, *others = full().attempts
    proposed = replace(first, level=4, level_words="the same results (proposed)")

    shown = table(replace(full(), attempts=(proposed, *others)), "attempts")

    assert shown.rows[0][shown.heading.index("Level")] == "4 (proposed)"
