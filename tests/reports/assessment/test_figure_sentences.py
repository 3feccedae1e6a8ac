"""Do the sentences beside a figure say what it shows?"""

from dataclasses import replace

from primad.reports.assessment.figure_sentences import figure_sentences
from tests.reports import assessments as made


def test_a_sweep_is_said_by_its_highest_points() -> None:
    assert figure_sentences(made.sweep(), "sweep", "map") == [
        "04 → 17: mean map is highest at 0.6 (0.3400), RMSE is at most 0.1200.",
        "04 → 18: mean map is highest at 0.6 (0.3500), RMSE is at most 0.1200.",
    ]


def test_of_many_lines_the_first_are_said() -> None:
    assert figure_sentences(made.sweep(9), "sweep", "map")[-1] == "And 3 more lines."


def test_topics_are_counted_by_what_became_of_them() -> None:
    assert figure_sentences(made.table2(), "topics", "map")[0] == (
        "BFFMSSS, baseline: lower on 1, higher on 1, the same on 0 of 2 topics."
    )


def test_overlap_is_said_at_the_top_and_at_the_end() -> None:
    assert figure_sentences(made.table2(), "overlap", "") == [
        "BFFMSSS, baseline: both rankings have 40 % of the first 10 and 60 % of the first 1,000 documents.",
        "BFFMSSS, advanced: both rankings have 50 % of the first 10 and 70 % of the first 1,000 documents.",
        "Shares are of the documents of one ranking, unlike Jaccard's index, which is of all that either has.",
    ]


def test_overlap_of_many_reproductions_is_a_range() -> None:
    assert figure_sentences(made.many(7), "overlap", "")[0] == (
        "Of the first 1,000 documents of the baseline rankings between 60 % (rpl_1) and 60 % (rpl_7) are in both."
    )


def test_the_figure_of_effects_says_where_the_ideal_is() -> None:
    one = replace(made.table2(), reproductions=(made.bffmsss(),))

    (text,) = figure_sentences(one, "effects", "")

    assert text == (
        "BFFMSSS kept 105 % of the improvement in map (ER 1.05, 95 % interval 0.87 to 1.26). "
        "The nearer to the cross at ER 1 and DRI 0, the more of the improvement came back."
    )


def test_the_depth_of_overlaps_is_the_largest_that_all_rankings_have() -> None:
    *others, last = made.many(7)
    shorter = replace(last, agreement={"baseline": {1: 0.2, 10: 0.9988, 20: 1.0}})

    (said, *_) = figure_sentences(replace(made.many(7), reproductions=(*others, shorter)), "overlap", "")

    assert (
        said
        == "Of the first 10 documents of the baseline rankings between 40 % (rpl_1) and 99.9 % (rpl_7) are in both."
    )


def test_a_point_whose_interval_has_no_end_is_called_a_guess() -> None:
    (said,) = figure_sentences(made.table2(), "effects", "")

    assert "The interval of YXL has no end: a bar with an arrow goes on beyond the frame" in said
    assert "BFFMSSS has no end" not in said
