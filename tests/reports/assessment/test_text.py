"""Does each form of a report show the values it was given, all of them, and why others are missing?"""

import csv
import io
import json
import re
from dataclasses import replace

import pytest

from primad.reports.assessment._overview import BY_OTHERS, facts_of, overview
from primad.reports.assessment.text import FORMS, render
from primad.reproducibility.assessment.result import Assessment, Reproduction, Value
from tests.reports import assessments as made

STEERING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

DASH = "\N{EN DASH}"


def table_of(assessment: Assessment, width: int | None = None) -> list[str]:
    """Return the lines of the table of values."""
    parts = render(assessment, "table", width=width).split("\n\n")
    return next(part for part in parts if "──" in part and "was it reproduced?" not in part).splitlines()


def cells_of(assessment: Assessment, *, per_topic: bool = False) -> list[dict[str, str]]:
    """Return the rows of the CSV by column."""
    return list(csv.DictReader(io.StringIO(render(assessment, "csv", per_topic=per_topic))))


def with_value(value: Value) -> Assessment:
    """Return an assessment with one value."""
    one = Reproduction(name="one", values=(value,))
    return Assessment(original=made.ORIGINAL, reproductions=(one,), settings=made.SETTINGS)


def test_every_form_can_be_asked_for() -> None:
    assert list(FORMS) == ["table", "csv", "json", "latex"]


# Table -------------------------------------------------------------------------------------------------------


def test_a_table_has_the_form_of_the_papers_table_2() -> None:
    assert table_of(made.table2()) == [
        "                      GC                    BFFMSSS                 YXL",
        "────────────────  ──────  ─────────────────────────  ──────────────────",
        "Baseline",
        "  effectiveness",
        "    map           0.3711   0.3612 [0.3100, 0.4100]   0.4018",
        "  document order",
        f"    rbo_ext       1.0000   0.5747                     {DASH} (1)",
        "    overlap       1.0000   0.4100",
        "  scores",
        "    rmse map      0.0000   0.0741 [0.0600, 0.0900]   0.1911",
        "    p map                  0.3493",
        "Advanced",
        "  effectiveness",
        "    map           0.4278   0.4208                    0.4487",
        "  document order",
        f"    rbo_ext       1.0000   0.6706                     {DASH} (1)",
        "    overlap       1.0000   0.5000",
        "  scores",
        "    rmse map      0.0000   0.0460                    0.2088",
        "    p map                  0.2869",
        "Overall effect",
        "  er map          1.0000   1.0514 [0.8700, 1.2600]   0.8267 [0.5000, ∞]",
        "  dri map         0.0000  -0.0123 [-0.0500, 0.0300]  0.0362",
        "Cost",
        "  wall baseline            2.5000",
    ]


def test_each_reason_is_listed_once_below_the_table() -> None:
    text = render(made.other_collection(), "table")

    assert text.count(f"{DASH} (1)") == 2
    assert text.count(f"{DASH} (2)") == 1
    assert text.split("\n\n")[2] == "(1) other documents: order cannot be compared\n(2) other judgments"


def test_what_each_row_is_stands_below_the_table() -> None:
    legend = render(made.table2(), "table", width=200).split("\n\n")[5].splitlines()

    assert legend[0] == "rbo_ext  Rank-Biased Overlap, extrapolated (p 0.8, depth 1000); ideal 1"
    assert legend[3] == "p        p-value (paired t-test)"


def test_a_set_that_is_no_interval_is_shown_by_what_it_leaves_out() -> None:
    assert table_of(made.other_collection())[-2] == "  er map          1.0000  -0.5000 outside (1.0000, 2.0000)"


def test_rows_that_differ_in_the_variant_of_one_experiment_only_are_kept_apart() -> None:
    one = made.scored("p", "baseline", 0.1, variant="paired t-test")
    two = made.scored("p", "baseline", 0.2, variant="Wilcoxon")
    both = Reproduction(name="both", values=(one, two))
    assessment = Assessment(original=made.ORIGINAL, reproductions=(both,), settings=made.SETTINGS)

    lines = table_of(assessment)

    assert [line.split("  ")[2].strip() for line in lines if " p map" in line] == [
        "p map (paired t-test)",
        "p map (Wilcoxon)",
    ]


def test_a_row_whose_variant_differs_between_experiments_is_one_row() -> None:
    paired = made.scored("p", "baseline", 0.1, variant="paired t-test")
    unpaired = made.scored("p", "baseline", 0.2, variant="Welch's t-test")
    several = tuple(Reproduction(name=name, values=(v,)) for name, v in (("a", paired), ("b", unpaired)))
    table = overview(Assessment(original=made.ORIGINAL, reproductions=several, settings=made.SETTINGS))

    line = next(line for group in table.groups for part in group.parts for line in part.lines if line.name == "p map")

    assert [cell.value for cell in line.cells] == ["", "0.1000", "0.2000"]
    assert line.variant == "paired t-test; Welch's t-test"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(made.ordered("rbo_ext", "baseline", 0.99998), "0.99998", id="an order that is nearly the same"),
        pytest.param(made.ordered("rbo_ext", "baseline", 1.0), "1.0000", id="an order that is the same"),
        pytest.param(made.scored("rmse", "baseline", 3.85e-4), "0.000385", id="a small error"),
        pytest.param(made.scored("rmse", "baseline", 0.0), "0.0000", id="no error"),
    ],
)
def test_a_value_that_is_nearly_ideal_does_not_look_ideal(value: Value, expected: str) -> None:
    line = next(line for line in table_of(with_value(value)) if value.measure in line)

    assert line.split()[-1] == expected


@pytest.mark.parametrize("width", [44, 60, 80])
def test_a_table_is_no_wider_than_the_terminal(width: int) -> None:
    lines = render(made.table2(), "table", width=width).splitlines()

    assert max(map(len, lines)) <= width
    assert sum("Overall effect" in line for line in lines if not line.startswith(("-", " "))) >= 1


def test_a_folded_table_has_all_columns() -> None:
    text = render(made.table2(), "table", width=46)

    assert [text.count(f"  {name}\n") for name in ("GC", "BFFMSSS", "YXL")] == [1, 1, 1]


def test_a_long_name_is_cut_in_the_table_and_whole_in_the_sentence() -> None:
    name = "x" * 60
    assessment = replace(made.table2(), reproductions=(replace(made.yxl(), name=name),))

    assert name not in table_of(assessment)[0]
    assert f"{name} kept 83 %" in render(assessment, "table", width=200)


def test_what_is_said_of_a_reproduction_opens_the_report_and_follows_the_table() -> None:
    parts = render(made.table2(), "table", width=500).split("\n\n")
    said = next(part for part in parts if part.startswith("BFFMSSS\n")).splitlines()

    assert parts[0].startswith("BFFMSSS kept 105 % of the improvement in map (ER 1.05, 95 % interval 0.87 to 1.26)")
    assert said[1].startswith("  - PRIMAd, independent re-use+validate: ")
    assert said[2] == "  - Test collection: the same test collection (the same qrels)."
    assert said[-1] == "  - 1 of 3 topics only in GC"


def test_what_is_not_known_to_have_changed_is_said_of_each_of_few_and_once_of_many() -> None:
    silent = replace(made.many(7), reproductions=tuple(replace(one, compared=None) for one in made.many(7)))
    some = replace(silent, reproductions=(*made.many(1), *silent.reproductions[1:]))
    sentence = "What changed is unknown: only scores were given."

    assert f"YXL\n  - {sentence}\n" in render(made.table2(), "table", width=500)
    assert f"\n- {sentence}\n- remark 1\n" in render(silent, "table", width=500)
    assert f"\n- 6 of 7 reproductions: {sentence}\n" in render(some, "table", width=500)
    assert sentence not in render(made.many(7), "table", width=500)


def test_remarks_and_the_reasons_of_margins_come_last() -> None:
    last = render(made.table2(), "table").split("\n\n")[-1].splitlines()

    assert last == [
        "- Margin of effectiveness: a reason.",
        "- Margin of document order: a reason.",
        "- Margin of overall effect: a reason.",
        "- map: no interval scale",
    ]


def test_of_an_assessment_that_says_nothing_the_reason_is_shown() -> None:
    assert render(made.problem_only(), "table") == "Nothing can be said about broken: broken.run: no such file.\n"


def test_a_reproduction_with_a_problem_has_no_column() -> None:
    both = replace(made.table2(), reproductions=(*made.problem_only().reproductions, made.yxl()))

    assert table_of(both)[0].split() == ["GC", "YXL"]
    assert "Nothing can be said about 1 of 2 reproductions." in render(both, "table")


def test_a_sweep_is_a_table_along_the_parameter() -> None:
    assert render(made.sweep(1), "table") == (
        "line     method.retrieval[1].weight     map  rmse map  rbo_ext\n"
        "───────  ──────────────────────────  ──────  ────────  ───────\n"
        "04 → 17  0.1                         0.3000    0.0000   1.0000\n"
        "04 → 17  0.6                         0.3400    0.0700   0.9300\n"
        "04 → 17  0.9                         0.3200    0.1200   0.8800\n"
        "\n"
        "- 04 → 17: mean map is highest at 0.6 (0.3400), RMSE is at most 0.1200.\n"
    )


def test_topics_have_rows_of_their_own_on_request() -> None:
    tables = render(made.baseline_only(), "table", per_topic=True).split("\n\n")

    assert tables[-2].splitlines() == [
        "run       topic     map",
        "────────  ─────  ──────",
        "original  301    0.2000",
        "original  302    0.3000",
        "again     301    0.2000",
        "again     302    0.3000",
    ]


# Many --------------------------------------------------------------------------------------------------------


def test_many_reproductions_are_rows_in_the_order_given() -> None:
    lines = table_of(made.many(7))

    assert lines[0].split() == [
        *("type", "er", "dri", "map", "base", "rbo_ext", "base", "rmse", "base"),
        *("map", "adv", "rbo_ext", "adv", "rmse", "adv"),
    ]
    assert [line.split()[0] for line in lines[2:]] == ["GC", *(f"rpl_{place}" for place in range(1, 8))]
    assert lines[3].split() == [
        *("rpl_1", "PRIMAd", "1.0514", "=", "-0.0123", "0.3612", "?", "0.5747", "≠"),
        *("0.0741", "0.4208", "0.6706", "0.0460"),
    ]


def test_as_many_reproductions_as_fit_are_columns() -> None:
    assert table_of(made.many(6))[0].split() == ["GC", *(f"rpl_{place}" for place in range(1, 7))]


def test_types_that_nobody_knows_take_no_column() -> None:
    unknown = tuple(replace(one, compared=None) for one in made.many(7))

    assert "type" not in table_of(replace(made.many(7), reproductions=unknown))[0]


def test_marks_are_explained() -> None:
    assert "= equivalent; ≠ different; ? inconclusive." in render(made.many(7), "table", width=500)


def test_of_many_remarks_the_first_ten_are_shown_and_the_others_counted() -> None:
    text = render(made.many(13), "table")

    assert "- remark 10\n- 3 more remarks: --format json, or --report DIR.\n" in text
    assert "remark 11" not in text


# Files -------------------------------------------------------------------------------------------------------


def test_csv_has_a_row_for_each_value() -> None:
    rows = cells_of(made.table2())

    assert len(rows) == 2 + 13 + 8
    assert (rows[0]["reproduction"], rows[0]["type"]) == ("GC", "original")
    assert rows[12] == {
        "reproduction": "BFFMSSS",
        "type": "PRIMAd",
        "level": "overall effect",
        "measure": "er",
        "variant": "",
        "of": "map",
        "run": "both",
        "value": "1.0514",
        "low": "0.87",
        "high": "1.26",
        "interval method": "BCa",
        "answer": "equivalent",
        "undefined": "",
        "note": "",
    }


def test_csv_says_why_a_value_is_missing_and_where_an_interval_has_no_end() -> None:
    rows = {(row["reproduction"], row["measure"], row["run"]): row for row in cells_of(made.table2())}

    missing = rows["YXL", "rbo_ext", "baseline"]
    assert (missing["value"], missing["undefined"]) == ("", "no rankings were given")
    ratio = rows["YXL", "er", "both"]
    assert (ratio["low"], ratio["high"]) == ("0.5", "")


def test_csv_has_a_row_for_a_reproduction_of_which_nothing_can_be_said() -> None:
    assert cells_of(made.problem_only())[-1]["undefined"] == "broken.run: no such file"


def test_csv_has_a_row_for_each_topic_on_request() -> None:
    rows = cells_of(made.baseline_only(), per_topic=True)

    assert [(row["topic"], row["value"]) for row in rows if row["reproduction"] == "again"][:3] == [
        ("all", "0.25"),
        ("301", "0.2"),
        ("302", "0.3"),
    ]


def test_csv_rows_have_all_columns_whatever_they_are_about() -> None:
    for assessment in (made.table2(), made.problem_only(), made.sweep()):
        for per_topic in (False, True):
            rows = list(csv.reader(io.StringIO(render(assessment, "csv", per_topic=per_topic))))
            assert {len(row) for row in rows} == {14 + per_topic}


def test_csv_has_the_runs_of_a_sweep() -> None:
    last = cells_of(made.sweep())[-1]

    assert (last["reproduction"], last["type"], last["measure"]) == ("w0.6", "sweep", "rbo_ext")
    assert last["variant"] == "04 → 18, method.retrieval[1].weight 0.6"


def test_json_is_the_assessment_itself() -> None:
    content = json.loads(render(made.table2(), "json", per_topic=True))

    assert content["schema"] == "primad.assess/1"
    assert content == json.loads(json.dumps(made.table2().to_dict(per_topic=True)))


def test_latex_has_the_form_of_the_papers_table_2() -> None:
    lines = render(made.table2(), "latex").splitlines()

    assert lines[:6] == [
        r"% needs \usepackage{booktabs}",
        r"\begin{tabular}{lrrr}",
        r"\toprule",
        r" & GC & BFFMSSS & YXL \\",
        r"\midrule",
        r"\multicolumn{4}{l}{\textbf{Baseline}} \\",
    ]
    assert r"\quad Rank-Biased Overlap, extrapolated & 1.0000 & 0.5747 & --\textsuperscript{1} \\" in lines
    effect = r"\quad Delta Relative Improvement, map & 0.0000 & $-$0.0123 {\scriptsize [$-$0.0500, 0.0300]} & 0.0362 \\"
    assert effect in lines
    assert lines[-1].startswith(r"\par\smallskip{\footnotesize \textsuperscript{1} no rankings were given. ")


@pytest.mark.parametrize(("number", "kind"), [(7, "tabular"), (40, "longtable")])
def test_latex_spreads_many_reproductions_over_pages(number: int, kind: str) -> None:
    text = render(made.many(number), "latex")

    assert (text.count(rf"\begin{{{kind}}}"), text.count(rf"\end{{{kind}}}")) == (1, 1)
    assert text.count("rpl\\_") == number


def test_latex_of_a_sweep_names_each_line_once() -> None:
    assert render(made.sweep(), "latex").count(r"04 $\rightarrow$ 17 & ") == 1


# Hostile names -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["table", "csv", "latex"])
@pytest.mark.parametrize("per_topic", [False, True])
def test_nothing_from_outside_steers_a_terminal(form: str, per_topic: bool) -> None:  # noqa: FBT001
    text = render(made.hostile(), form, per_topic=per_topic)

    assert STEERING.findall(text) == []


def test_every_form_of_hostile_names_can_be_written() -> None:
    for form in FORMS:
        assert render(made.hostile(), form).encode()


def test_nothing_from_outside_is_a_command_of_latex() -> None:
    text = render(made.hostile(), "latex")

    assert r"\frac" not in text
    assert text.count("$") % 2 == text.count(r"\$") % 2


def test_a_measure_that_nobody_knows_is_called_by_its_name() -> None:
    assert facts_of("mine").title == "mine"
    assert facts_of("er").title == "Effect Ratio"


# Rounding, and values of others ------------------------------------------------------------------------------


def nearly() -> Assessment:
    """Return a reproduction that is nearly perfect."""
    values = (
        replace(made.ordered("rbo_ext", "baseline", 0.9999953), interval=made.interval(0.99998, 1.0)),
        made.scored("p", "baseline", 0.99999),
    )
    answer = made.answered(
        "document order", "equivalent", of="", value=0.9999953, p_equivalent=0.99999, p_different=1.0
    )
    one = Reproduction(name="mine", values=values, answers=(answer,))
    return Assessment(original=made.ORIGINAL, reproductions=(one,), settings=made.SETTINGS)


def test_nothing_in_a_table_is_rounded_to_perfect() -> None:
    text = render(nearly(), "table")

    assert "0.999995 [0.99998, 1.0000]" in text
    assert re.search(r"rbo_ext, base +≠?=? ?equivalent +0\.999995 .* >0\.999 +1\.000", text)
    assert re.search(r"p map +0\.99999", text)


def test_bounds_in_latex_are_not_rounded_to_perfect_either() -> None:
    assert r"0.999995 {\scriptsize [0.99998, 1.0000]}" in render(nearly(), "latex")


def theirs() -> Assessment:
    """Return a reproduction whose RBO others have computed."""
    value = replace(made.ordered("rbo", "baseline", 0.5, "as given in rbo.csv, mean over 2 topics"), note=BY_OTHERS)
    other = made.ordered("rbo", "baseline", None, "as repro_eval 0.5.0", undefined="no rankings")
    one, two = (Reproduction(name=name, values=(value,)) for name, value in (("mine", value), ("hers", other)))
    return Assessment(original=made.ORIGINAL, reproductions=(one, two), settings=made.SETTINGS)


@pytest.mark.parametrize("form", ["table", "latex"])
def test_a_value_of_others_is_not_said_to_be_a_variant_of_ours(form: str) -> None:
    text = render(theirs(), form)

    assert "repro_eval" not in text
    assert "as given in rbo.csv, mean over 2 topics" in " ".join(text.split())


@pytest.mark.parametrize("form", ["table", "csv", "json", "latex"])
def test_values_without_intervals_are_printed_in_every_form(form: str) -> None:
    text = render(made.baseline_only(), form)

    assert "0.25" in text
    assert not re.search(r"None|nan|interval\W+null", text)
