"""Does the text of a quantified assessment say what was found, whole, in each form, and never steer what shows it?"""

import csv
import io
import json
from typing import Any

import pytest

from primad.qra.assess import assess
from primad.qra.claims import Claim
from primad.qra.example import example_measurements
from primad.qra.labels import Label
from primad.qra.measurement import Measurement, Scale
from primad.qra.precision import Interval
from primad.qra.result import QuantifiedAssessment
from primad.reports._tables import NONE
from primad.reports.qra._cells import figure_cell, interval_cell, share_cell
from primad.reports.qra.text import render, sections

HOSTILE = "\x1b[31mA\x07\u202e\nB"


def measured(value: str, object_: str = "A", measurand: str = "P", **more: Any) -> Measurement:
    return Measurement(object=object_, measurand=measurand, value=value, **more)


def many(count: int) -> QuantifiedAssessment:
    """Return the assessment of COUNT groups, each less precise than the one before."""
    return assess(
        [
            measured(value, f"O{place:02}", scale=Scale(0, 1000), conditions={"seed": "1"})
            for place in range(count)
            for value in ("100", str(101 + place))
        ]
    )


@pytest.fixture(scope="module")
def published() -> QuantifiedAssessment:
    """Return the assessment of the 18 published groups."""
    return assess(example_measurements("belz2022"))


def table_of(text: str, first: str) -> list[list[str]]:
    """Return the rows of the table in TEXT whose heading begins with FIRST, cells parted by two blanks at least."""
    part = next(part for part in text.split("\n\n") if part.startswith(first))
    heading, _, *rows = part.splitlines()
    return [[cell.strip() for cell in row.split("  ") if cell.strip()] for row in (heading, *rows)]


# Cells --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        pytest.param(figure_cell(1.5), "1.500", id="figure"),
        pytest.param(figure_cell(0.0), "0", id="figure 0"),
        pytest.param(figure_cell(None), NONE, id="no figure"),
        pytest.param(share_cell(0.714), "71%", id="share"),
        pytest.param(share_cell(0.0), "0%", id="share 0"),
        pytest.param(share_cell(None), NONE, id="no share"),
        pytest.param(interval_cell(Interval(-1.0, 2.0)), "[-1.000, 2.000]", id="interval"),
        pytest.param(interval_cell(Interval(1.0, None)), "[1.000, unbounded]", id="unbounded interval"),
        pytest.param(interval_cell(None), NONE, id="no interval"),
    ],
)
def test_a_cell_is_a_figure_or_a_dash(cell: str, expected: str) -> None:
    assert cell == expected


# The table ----------------------------------------------------------------------------------------------------


def test_the_overview_is_the_papers_table_1(published: QuantifiedAssessment) -> None:
    lines = render(published, "table").split("\n\n")[1].splitlines()

    assert lines[0].split() == ["object", "measurand", "n", "sources", "task", "evaluation"]
    assert lines[2].startswith("PASS ")
    assert "Clarity, Fluency, Stance id.  2 each  van der Lee et al. (2017), Mille et al. (2021)" in lines[2]
    assert lines[5].startswith("mult-base, mult-word-, mult-word+, mult-POS- and 7 more  wF1 ")
    assert len(lines) == 6


def test_what_nobody_states_has_no_column_in_the_overview() -> None:
    text = render(assess([measured("50"), measured("52")]), "table")

    assert text.split("\n\n")[1].splitlines()[0].split() == ["object", "measurand", "n"]


def test_precision_is_a_row_for_each_group(published: QuantifiedAssessment) -> None:
    text = render(published, "table")
    rows = [line.split() for line in text.splitlines() if line.startswith("NTS_def ")]

    assert rows[1] == [
        *(
            "NTS_def",
            "BLEU",
            "7",
            "85.583",
            "1.290",
            "[0.798,",
            "2.726]",
            "[0.451,",
            "2.129]",
            "1.562",
            "1.508",
            "[0.932,",
            "3.186]",
        ),
        *("[1.556,", "1.568]", "71%", "100%", "0", "of", "14", "R"),
    ]


def test_parts_of_a_group_have_a_column_for_the_condition() -> None:
    seeds = [measured(value, conditions={"seed": seed}) for value, seed in (("50", "a"), ("52", "a"), ("7", "b"))]

    rows = table_of(render(assess(seeds, by=["seed"]), "table"), "object  measurand  seed")

    assert [row[:4] for row in rows] == [
        ["object", "measurand", "seed", "n"],
        ["A", "P", "a", "2"],
        ["A", "P", "b", "1"],
    ]


def test_repeatability_has_its_sign() -> None:
    same = [measured(value, conditions={"seed": "1"}) for value in ("50", "52")]

    (_, row) = table_of(render(assess(same), "table"), "object  measurand  n   ")

    assert row[-1] == "R⁰"


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_of_figures_is_wider_than_the_terminal(width: int) -> None:
    text = render(many(3), "table", width=width)

    assert max(map(len, text.splitlines())) <= width
    assert "CV* acl2022" in text


def test_a_few_groups_have_a_sentence_each() -> None:
    assert render(many(4), "table").count("repeatability (R⁰) CV* = ") == 4


def test_of_more_groups_the_extremes_and_the_median_are_named() -> None:
    text = " ".join(render(many(21), "table").split())

    assert text.startswith("In words: - 21 groups: CV* 0.992 to 18.948 %, median 10.395 % (acl2022; ")
    assert "- Lowest: O00, P: repeatability (R⁰) CV* = 0.992 %" in text
    assert "- Highest: O20, P: repeatability (R⁰) CV* = 18.948 %" in text
    assert text.count("repeatability (R⁰) CV* = ") == 2


def test_many_groups_without_cv_are_counted() -> None:
    single = assess([measured("5", f"O{place}") for place in range(1200)])

    assert "- None of 1,200 groups has a CV*; the reasons stand below.\n" in render(single, "table")


def test_long_lists_are_shortened_and_say_by_how_much() -> None:
    single = [measured("50", f"O{place}", study=f"s{place}") for place in range(14)]
    labels = [
        Label(measurand=f"M{place}", item=item, rater=rater, label=item)
        for place in range(15)
        for item in "12"
        for rater in "ab"
    ]

    text = render(assess([*single, *labels]), "table")

    assert "\nand 2 more\n" in text
    assert text.count(": Krippendorff's alpha (nominal) is 1.000 ") == 12
    assert "\n- 3 more are in the report and in JSON.\n" in text


def test_of_many_groups_the_causes_are_said_in_one_line_each() -> None:
    assert render(many(21), "table").count("Why ") == 0

    values = [measured(value, f"O{place:02}") for place in range(21) for value in ("50", "52")]
    text = render(assess(values, causes=True), "table")

    assert text.count("\nWhy ") == 1
    assert text.partition("\nWhy values vary:\n")[2].count("- O") == 21


def test_claims_are_counted_one_by_one_and_by_study() -> None:
    values = [
        measured(value, object_, role=role, source=role)
        for role, values in (("original", "321"), ("reproduction", "312"))
        for object_, value in zip("ABC", values, strict=True)
    ]
    first, second = (Claim(above=above, below=below, measurand="P") for above, below in (("A", "B"), ("B", "C")))

    one, two = (dict(sections(assess([*values, *claims])))["Claims"] for claims in ([first], [first, second]))

    assert [len(one), len(two)] == [2, 3]
    assert one[0] == two[0]


def test_a_note_about_some_groups_names_them_and_one_about_all_does_not() -> None:
    values = [measured("50"), measured("52"), measured("1", "B"), measured("2", "B"), measured("3", "B")]

    text = " ".join(render(assess(values), "table").split())

    assert "- A, P: With 2 measurements the interval is nearly useless" in text
    assert "- No condition is stated for every measurement" in text


def test_where_there_is_no_cv_nothing_explains_its_columns() -> None:
    assert "rounding: where CV*" not in render(assess([measured("50")]), "table")
    assert "rounding: where CV*" in render(assess([measured("50"), measured("52")]), "table")


def test_labels_alone_have_no_table_of_precision() -> None:
    labels = [Label(measurand="Clarity", item=item, rater=rater, label=item) for item in "12" for rater in "ab"]

    text = render(assess(labels), "table")

    assert text.startswith("Labels (type III):\n- Clarity: ")
    assert "CV* acl2022" not in text


def test_nothing_at_all_is_no_text() -> None:
    assert render(QuantifiedAssessment(groups=(), variant="acl2022", confidence=0.95), "table") == ""


def test_sections_have_the_results_of_all_types(published: QuantifiedAssessment) -> None:
    counts = {title: len(lines) for title, lines in sections(published)}

    assert {title: count for title, count in counts.items() if count} == {
        "Sets of scores (type II)": 1,
        "Findings (type IV)": 3,
        "By measurand and study": 9,
        "Between groups": len(published.attributes) + len(published.paired),
        "Reproductions against originals": len(published.pairs),
        "Not computed": 2,
    }


# CSV and JSON -------------------------------------------------------------------------------------------------


def rows_of(found: QuantifiedAssessment) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(render(found, "csv"))))


def test_csv_has_the_figures_of_json(published: QuantifiedAssessment) -> None:
    groups = json.loads(render(published, "json"))["groups"]
    rows = rows_of(published)

    for name in ("mean", "stdev", "cv", "cv_acl2022", "cv_qra3", "lowest", "highest", "shift"):
        assert [float(row[name]) for row in rows] == [group[name] for group in groups], name
    for low, high, interval in (
        ("stdev_low", "stdev_high", "stdev_ci"),
        ("stdev_low_acl2022", "stdev_high_acl2022", "stdev_ci_acl2022"),
        ("cv_low", "cv_high", "cv_ci"),
        ("cv_low_vangel", "cv_high_vangel", "cv_ci_vangel"),
    ):
        found = [[float(row[low]), None if row[high] == "unbounded" else float(row[high])] for row in rows]
        assert found == [group[interval] for group in groups], interval


def test_an_unbounded_interval_is_a_word_in_csv(published: QuantifiedAssessment) -> None:
    assert [row["object"] + " " + row["measurand"] for row in rows_of(published) if row["cv_high"] == "unbounded"] == [
        "PASS Fluency"
    ]


def test_what_is_not_there_is_an_empty_cell_with_the_reason_at_the_end() -> None:
    (row,) = rows_of(assess([measured("50")]))

    empty = ("stdev", "stdev_low", "stdev_high", "cv", "cv_acl2022", "cv_qra3", "cv_low", "cv_high", "envelope_low")
    assert {row[name] for name in empty} == {""}
    assert row["undefined"] == "CV* needs at least 2 measurements, found 1"


def test_the_conditions_of_a_part_are_in_one_cell() -> None:
    values = [measured(value, conditions={"seed": "a", "gpu": "x", "code_by": value}) for value in ("50", "52")]

    (row,) = rows_of(assess(values, by=["seed", "gpu"]))

    assert (row["subset"], row["varying"]) == ("seed=a; gpu=x", "Code by")


def test_the_envelope_in_csv_is_that_of_the_variant() -> None:
    values = [measured("5.64", scale=Scale(1, 7)), measured("6.30", scale=Scale(1, 7))]

    (acl,), (qra3,) = (rows_of(assess(values, variant=variant)) for variant in ("acl2022", "qra3"))

    assert (acl["envelope_low"][:6], acl["envelope_high"][:6]) == ("13.039", "13.440")
    assert (qra3["envelope_low"][:6], qra3["envelope_high"][:6]) == ("11.590", "11.947")


# Hostile names ------------------------------------------------------------------------------------------------


def hostile() -> QuantifiedAssessment:
    """Return an assessment in which every text tries to steer whatever shows it."""
    named = [
        measured(
            value,
            HOSTILE,
            HOSTILE,
            unit=HOSTILE,
            source=HOSTILE,
            study=HOSTILE,
            task=HOSTILE,
            evaluation=HOSTILE,
            conditions={HOSTILE: HOSTILE, "other": value},
        )
        for value in ("50", "52")
    ]
    return assess(named, by=[HOSTILE], causes=True)


@pytest.mark.parametrize("form", ["table", "csv", "latex"])
def test_no_name_steers_a_terminal_or_turns_the_direction_of_writing(form: str) -> None:
    text = render(hostile(), form)

    assert [sign for sign in "\x1b\x07\u202e" if sign in text] == []


def test_a_name_of_several_lines_does_not_break_a_table() -> None:
    rows = list(csv.reader(io.StringIO(render(hostile(), "csv"))))

    assert (len(rows), len({len(row) for row in rows})) == (2, 1)
    assert not any(line.startswith("B") for line in render(hostile(), "table").splitlines())


@pytest.mark.parametrize("name", ["=1+2", "@SUM(A1)", "+1+2", "-1+2", "=cmd|' /C calc'!A0"])
def test_a_name_is_never_a_formula_of_a_spreadsheet(name: str) -> None:
    values = [measured(value, name, name, unit=name, study=name, task=name, system=name) for value in ("50", "52")]

    (row,) = rows_of(assess(values))

    names = ("object", "measurand", "unit", "study", "task", "system")
    assert {row[field] for field in names} == {f"'{name}"}


def test_json_keeps_names_as_they_are() -> None:
    assert json.loads(render(hostile(), "json"))["groups"][0]["object"] == HOSTILE


@pytest.mark.parametrize("form", ["table", "csv", "json", "latex"])
def test_a_byte_that_is_no_text_can_be_written_in_every_form(form: str) -> None:
    found = assess([measured(value, "A\udcff") for value in ("50", "52")])

    assert "A\\udcff" in render(found, form).encode("utf-8").decode().replace(r"\textbackslash{}", "\\")


def test_numbers_of_99_digits_do_not_fill_the_terminal() -> None:
    text = render(assess([measured("1e98"), measured("3e98")]), "table")

    assert "2e+98" in text
    assert max(map(len, text.splitlines())) < 250
