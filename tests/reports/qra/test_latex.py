"""Is a quantified assessment LaTeX that can be compiled: balanced, as wide as its columns, names as they are?"""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from primad.qra.assess import assess
from primad.qra.example import example_measurements
from primad.qra.labels import Label
from primad.qra.material import Material
from primad.qra.measurement import Measurement
from primad.qra.result import QuantifiedAssessment
from primad.reports.qra.latex import latex_tables

_TABLE = re.compile(
    r"\\begin\{table\}\n\\centering\n\\caption\{(.*)\}\n\\label\{tab:[A-Za-z0-9-]+\}\n\\resizebox\{\\textwidth\}\{!\}\{%\n"
    r"\\begin\{tabular\}\{((?:[lr]|p\{[0-9.]+cm\})+)\}\n\\toprule\n(.*) \\\\\n\\midrule\n"
    r"((?:.* \\\\\n)*)\\bottomrule\n\\end\{tabular\}\}\n\\end\{table\}\n"
)
_LABEL = re.compile(r"\\label\{(.*)\}")
COMMENT = "% needs \\usepackage{booktabs} and \\usepackage{graphicx}\n"
Rows = list[list[str]]


def measured(value: str, object_: str = "A", measurand: str = "P", **more: Any) -> Measurement:
    return Measurement(object=object_, measurand=measurand, value=value, **more)


def cells(row: str) -> list[str]:
    r"""Return the cells of a ROW; \& is no end of one."""
    return [cell.strip() for cell in re.split(r"(?<!\\)&", row)]


def tables(found: QuantifiedAssessment) -> list[tuple[str, str, Rows]]:
    """Return caption, columns and rows of each table, the whole text being nothing but a comment and tables."""
    text = latex_tables(found)
    assert text.startswith(COMMENT)
    assert _TABLE.sub("", text).strip() == COMMENT.strip()
    return [
        (
            caption,
            re.sub(r"\{.*?\}", "", columns),
            [cells(heading), *(cells(row.removesuffix(r" \\")) for row in rows.splitlines())],
        )
        for caption, columns, heading, rows in _TABLE.findall(text)
    ]


def is_balanced(text: str) -> bool:
    """Tell whether each brace that LaTeX counts is closed."""
    depth = 0
    for sign in re.findall(r"\\.|[{}]", text, re.DOTALL):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if depth < 0:
            return False
    return depth == 0


@pytest.fixture(scope="module")
def published() -> list[tuple[str, str, Rows]]:
    """Return the tables of the 18 published groups."""
    return tables(assess(example_measurements("belz2022")))


def test_there_is_an_overview_and_two_tables_for_each_study(published: list[tuple[str, str, Rows]]) -> None:
    assert [caption.split(":")[0].split(" CV")[0] for caption, _, _ in published] == [
        "What was measured.",
        "Precision (pass)",
        "Conditions of measurement (pass).",
        "Precision (nts)",
        "Conditions of measurement (nts).",
        "Precision (essay)",
        "Conditions of measurement (essay).",
    ]


def test_each_table_has_a_label_of_its_own() -> None:
    assert _LABEL.findall(latex_tables(assess(example_measurements("belz2022")))) == [
        *("tab:overview", "tab:precision-pass", "tab:conditions-pass", "tab:precision-nts", "tab:conditions-nts"),
        *("tab:precision-essay", "tab:conditions-essay"),
    ]


def test_labels_of_studies_with_like_names_differ_and_have_only_safe_signs() -> None:
    studies = ("", "R&D 1", "R_D_1", "R-D-1-2", "é")
    found = assess([measured(value, f"of {study}", study=study) for study in studies for value in ("50", "52")])

    precise = [label for label in _LABEL.findall(latex_tables(found)) if label.startswith("tab:precision")]

    assert precise == [
        *("tab:precision", "tab:precision-R-D-1", "tab:precision-R-D-1-2", "tab:precision-R-D-1-2-2"),
        "tab:precision-2",
    ]


def test_of_labels_alone_there_is_no_table() -> None:
    labels = tuple(Label(measurand="error", item="1", rater=rater, label="yes") for rater in ("a", "b"))

    assert latex_tables(assess(Material((), labels, ()))) == COMMENT


def test_every_row_has_a_cell_for_each_column(published: list[tuple[str, str, Rows]]) -> None:
    assert {
        (len(columns), len(row)) for _, columns, rows in published for row in rows if len(columns) != len(row)
    } == set()


def test_the_values_stand_below_their_sources_as_in_the_papers_table_4(published: list[tuple[str, str, Rows]]) -> None:
    _, _, rows = published[3]

    assert rows[0][:5] == [
        *("Object", "Measurand", "Nisioi et al. (2017)", r"Cooper \& Shardlow (2020)", "Belz et al. (2022)")
    ]
    assert rows[1] == [
        *(r"NTS\_def", "BLEU", "84.51", "84.50, 87.46", "85.60, 84.20, 86.61, 86.20", "7", "85.583", "1.290"),
        *("{[}0.798, 2.726{]}", "{[}0.451, 2.129{]}", "1.562", "{[}0.932, 3.186{]}", "R"),
    ]


def test_the_conditions_stand_beside_each_value_as_in_the_papers_table_3(
    published: list[tuple[str, str, Rows]],
) -> None:
    _, _, rows = published[2]

    assert rows[0] == [
        *("Object", "Measurand", "Code by", "Comp./trained by", "Method", "Implemented by", "Procedure", "Test set"),
        *("Performed by", "Value", "CV{*}"),
    ]
    assert [row[:2] + row[-2:] for row in rows[1:3]] == [["PASS", "Clarity", "5.64", "13.240"], ["", "", "6.30", ""]]


def test_the_variant_and_the_confidence_are_in_caption_and_heading() -> None:
    found = assess([measured("50"), measured("52")], variant="qra3", confidence=0.975)

    _, (caption, _, rows), _ = tables(found)

    assert "(variant qra3; lower is better)" in caption
    assert r"stdev 97.5\% CI" in rows[0]
    assert r"CV 97.5\% CI" in rows[0]
    assert rows[1][rows[0].index("CV{*}")] == "3.475"


def test_a_single_value_has_dashes() -> None:
    _, (_, _, rows), _ = tables(assess([measured("50")]))

    assert rows[1][2:] == ["50", "1", "50.000", "--", "--", "--", "--", "--", "R"]


def test_repeatability_and_parts_are_named() -> None:
    values = [measured(value, conditions={"code_by": "x"}) for value in ("50", "52")]

    _, (_, _, rows), _ = tables(assess(values, by=["code_by"]))

    assert (rows[1][0], rows[1][-1]) == ("A, Code by: x", "R0")


def test_a_condition_that_nobody_states_has_no_column() -> None:
    values = [
        measured("50", conditions={"seed": "1"}, study="first"),
        measured("52", "B", conditions={"gpu": "x"}, study="second"),
    ]

    headings = [rows[0] for caption, _, rows in tables(assess(values)) if caption.startswith("Conditions")]

    assert headings == [
        ["Object", "Measurand", "seed", "Value", "CV{*}"],
        ["Object", "Measurand", "gpu", "Value", "CV{*}"],
    ]


def test_no_source_is_a_measured_value() -> None:
    _, (_, _, rows), _ = tables(assess([measured("50"), measured("52")]))

    assert (rows[0][2], rows[1][2]) == ("Measured value", "50, 52")


SPECIAL = r"a&b%c$d#e_f{g}h~i^j\k<l>m|n"
ESCAPED = (
    r"a\&b\%c\$d\#e\_f\{g\}h\textasciitilde{}i\textasciicircum{}j\textbackslash{}k\textless{}l\textgreater{}"
    r"m\textbar{}n"
)


def named(name: str) -> QuantifiedAssessment:
    """Return an assessment in which everything that has a name has this one."""
    return assess(
        [
            measured(value, name, name, source=name, study=name, task=name, evaluation=name, conditions={name: name})
            for value in ("50", "52")
        ]
    )


def test_what_latex_takes_for_a_command_is_printed_as_it_is() -> None:
    overview, precision, conditions = tables(named(SPECIAL))

    assert overview[2][1] == [ESCAPED, ESCAPED, "2", ESCAPED, ESCAPED, ESCAPED]
    assert f"Precision ({ESCAPED}): " in precision[0]
    assert precision[2][0][2] == ESCAPED
    assert conditions[0] == f"Conditions of measurement ({ESCAPED})."
    assert conditions[2][0][2] == ESCAPED
    assert conditions[2][1][:3] == [ESCAPED] * 3


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("\\input{/etc/passwd}", id="a command that reads"),
        pytest.param("\\write18{rm}", id="a command that runs"),
        pytest.param("a\nb", id="a line break"),
        pytest.param("a\n\nb", id="a paragraph"),
        pytest.param("a\rb", id="a carriage return"),
        pytest.param("\x1b[31m", id="a control sequence"),
        pytest.param("\u202eabc", id="from right to left"),
        pytest.param("% end", id="a comment"),
        pytest.param("}\\end{table}", id="the end of a table"),
        pytest.param("[1ex]", id="an argument"),
        pytest.param("*", id="a star"),
        pytest.param("\\", id="a backslash"),
        pytest.param("&", id="the end of a cell"),
        pytest.param("a\0b", id="NUL"),
    ],
)
def test_no_name_breaks_a_table(name: str) -> None:
    text = latex_tables(named(name))

    assert [len(rows) for _, _, rows in tables(named(name))] == [2, 2, 3]
    assert is_balanced(text)
    assert [sign for sign in "\x00\x1b\u202e\r" if sign in text] == []
    assert r"\input" not in text.replace(r"\textbackslash{}input", "")


@settings(max_examples=50)
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12))
def test_tables_of_any_name_are_balanced_and_whole(name: str) -> None:
    found = named(name)

    assert is_balanced(latex_tables(found))
    assert {len(columns) - len(row) for _, columns, rows in tables(found) for row in rows} == {0}
