"""Does each form of a report show the scores it was given, and all of them?"""

import csv
import io
import json
from dataclasses import asdict

import pytest

from primad import Evaluation, Rules, Run, RunScores, evaluate
from primad.evaluation import parse_measures
from primad.reports.evaluation import FORMS, render

QRELS = {"1": {"a": 1}, "2": {"a": 1}}
GOOD = Run.from_dict({"1": {"a": 2.0, "x": 1.0}, "2": {"a": 1.0}}, tag="rm3")
BAD = Run.from_dict({"1": {"x": 2.0, "a": 1.0}, "2": {"x": 1.0}}, tag="bm25")


def two(*measures: str, ties: bool = False) -> Evaluation:
    return evaluate(QRELS, {"bad.run": BAD, "good.run": GOOD}, measures, ties=ties)


def tied() -> Evaluation:
    """Return the scores of a run whose relevant document is first or second."""
    return evaluate({"1": {"a": 1}}, {"x.run": {"1": {"a": 1.0, "x": 1.0}}}, ["recip_rank", "infAP"], ties=True)


def made_up(*measures: str, **summaries: dict[str, float]) -> Evaluation:
    """Return a result with the given summary for each run."""
    runs = [RunScores(name, "tag", ("1",), {}, summary) for name, summary in summaries.items()]
    return Evaluation("qrels", tuple(parse_measures(measures, 9)), Rules(), tuple(runs))


def test_every_form_can_be_asked_for() -> None:
    assert list(FORMS) == ["table", "trec_eval", "csv", "json", "latex"]


def test_a_table_has_the_best_run_by_the_first_measure_on_top() -> None:
    assert render(two("map", "num_ret"), "table") == (
        "run          map  num_ret\n────────  ──────  ───────\ngood.run  1.0000        3\nbad.run   0.2500        3\n"
    )


def test_a_table_of_ten_measures_has_a_column_for_each() -> None:
    lines = render(two("success", "num_ret", "num_q", "ndcg_cut.1,2,3,4", "map"), "table").splitlines()

    assert lines[0].split()[0] == "run"
    assert [len(line.split()) for line in lines] == [11] * 4


def test_a_table_of_more_than_ten_measures_has_a_row_for_each() -> None:
    lines = render(two("P.1,2,3,4,5,6,7,8,9,10,11"), "table").splitlines()

    assert lines[0] == "measure  good.run  bad.run"
    assert lines[2:5] == ["P_1        1.0000   0.0000", "P_2        0.5000   0.2500", "P_3        0.3333   0.1667"]
    assert len(lines) == 2 + 11


def test_a_table_by_topic_has_a_row_for_each_topic_and_one_for_all() -> None:
    assert render(two("num_q", "map", "relstring"), "table", per_topic=True) == (
        "run       topic  num_q     map  relstring\n"
        "────────  ─────  ─────  ──────  ─────────\n"
        "bad.run   1          -  0.5000         -1\n"
        "bad.run   2          -  0.0000          -\n"
        "bad.run   all        2  0.2500          -\n"
        "good.run  1          -  1.0000         1-\n"
        "good.run  2          -  1.0000          1\n"
        "good.run  all        2  1.0000          -\n"
    )


def test_a_table_shows_extremes_over_ties_in_brackets_where_there_are_any() -> None:
    assert render(tied(), "table") == (
        "run                 recip_rank   infAP\n"
        "─────  ───────────────────────  ──────\n"
        "x.run  0.5000 [0.5000, 1.0000]  0.5000\n"
    )


def test_a_table_leaves_out_measures_that_have_no_summary() -> None:
    assert render(two("relstring", "runid"), "table") == "run\n────────\nbad.run\ngood.run\n"


def test_trec_eval_prints_the_runs_one_after_the_other_in_its_own_order_of_measures() -> None:
    assert render(two("map", "num_q", "runid"), "trec_eval") == (
        "runid                 \tall\tbm25\n"
        "num_q                 \tall\t2\n"
        "map                   \tall\t0.2500\n"
        "runid                 \tall\trm3\n"
        "num_q                 \tall\t2\n"
        "map                   \tall\t1.0000\n"
    )


def test_trec_eval_prints_topics_before_the_summary_and_names_of_ir_measures_last() -> None:
    result = evaluate(QRELS, BAD, ["nDCG@1", "relstring", "num_q", "map"])

    assert render(result, "trec_eval", per_topic=True) == (
        "map                   \t1\t0.5000\n"
        "relstring             \t1\t'-1'\n"
        "nDCG@1                \t1\t0.0000\n"
        "map                   \t2\t0.0000\n"
        "relstring             \t2\t'-'\n"
        "nDCG@1                \t2\t0.0000\n"
        "num_q                 \tall\t2\n"
        "map                   \tall\t0.2500\n"
        "nDCG@1                \tall\t0.0000\n"
    )


def test_csv_has_a_row_per_run_with_all_digits() -> None:
    assert render(two("P_3", "num_ret", "relstring", "runid"), "csv") == (
        "run,tag,topic,P_3,num_ret,relstring\n"
        "bad.run,bm25,all,0.16666666666666666,3,\n"
        "good.run,rm3,all,0.3333333333333333,3,\n"
    )


def test_csv_by_topic_has_a_row_per_topic_too() -> None:
    assert render(two("map", "num_q"), "csv", per_topic=True) == (
        "run,tag,topic,map,num_q\n"
        "bad.run,bm25,1,0.5,\n"
        "bad.run,bm25,2,0.0,\n"
        "bad.run,bm25,all,0.25,2\n"
        "good.run,rm3,1,1.0,\n"
        "good.run,rm3,2,1.0,\n"
        "good.run,rm3,all,1.0,2\n"
    )


def test_csv_has_columns_for_extremes_over_ties() -> None:
    assert render(tied(), "csv", per_topic=True) == (
        "run,tag,topic,recip_rank,infAP,recip_rank lowest,recip_rank highest\n"
        "x.run,,1,0.5,0.5,,\n"
        "x.run,,all,0.5,0.5,0.5,1.0\n"
    )


def test_csv_can_be_read_back_whatever_the_names() -> None:
    name = 'a "quoted", long\nname'

    text = render(evaluate(QRELS, {name: GOOD}, ["utility.1,-1,0,0"]), "csv")

    assert list(csv.reader(io.StringIO(text))) == [
        ["run", "tag", "topic", "utility_1,-1,0,0"],
        [name.replace("\n", "\\n"), "rm3", "all", "0.5"],
    ]


def test_no_spreadsheet_computes_the_name_or_the_tag_of_a_run() -> None:
    run = Run.from_dict({"1": {"a": 2.0}}, tag='=HYPERLINK("http://example.org")')

    text = render(evaluate(QRELS, {"+1.run": run}, ["num_ret"]), "csv")

    assert list(csv.reader(io.StringIO(text)))[1] == [
        "'+1.run",
        '\'=HYPERLINK("http://example.org")',
        "all",
        "1",
    ]


def test_json_has_a_schema_the_qrels_and_the_runs() -> None:
    text = render(evaluate(QRELS, {"good.run": GOOD}, ["map", "num_q", "relstring"]), "json", per_topic=True)

    assert json.loads(text) == {
        "schema": "primad.evaluate/1",
        "qrels": "qrels",
        "rules": asdict(Rules()),
        "runs": [
            {
                "path": "good.run",
                "tag": "rm3",
                "summary": {"map": 1.0, "num_q": 2},
                "missing": [],
                "unjudged": [],
                "topics": {"1": {"map": 1.0, "relstring": "1-"}, "2": {"map": 1.0, "relstring": "1"}},
            }
        ],
    }
    assert text.endswith("}\n")


def test_json_has_no_topics_unless_asked_for() -> None:
    (run,) = json.loads(render(evaluate(QRELS, {"good.run": GOOD}, ["map"]), "json"))["runs"]

    assert run == {"path": "good.run", "tag": "rm3", "summary": {"map": 1.0}, "missing": [], "unjudged": []}


def test_json_keeps_names_readable() -> None:
    assert '"path": "café.run"' in render(evaluate(QRELS, {"café.run": GOOD}, ["map"]), "json")


def test_latex_has_the_best_score_of_each_measure_in_bold() -> None:
    assert render(two("map", "num_ret"), "latex") == (
        "\\begin{tabular}{lrr}\n"
        "\\toprule\n"
        "run & map & num\\_ret \\\\\n"
        "\\midrule\n"
        "good.run & \\textbf{1.0000} & 3 \\\\\n"
        "bad.run & 0.2500 & 3 \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
    )


@pytest.mark.parametrize(
    ("lower", "higher"),
    [
        pytest.param(9, 10, id="counts"),
        pytest.param(9.5, 10.5, id="scores above 10"),
        pytest.param(-2.0, -1.0, id="negative scores"),
    ],
)
def test_latex_compares_scores_as_numbers(lower: float, higher: float) -> None:
    text = render(made_up("utility", low={"utility": lower}, high={"utility": higher}), "latex")

    assert [line.split(" & ")[0] for line in text.splitlines() if r"\textbf" in line] == ["high"]


def test_latex_has_all_scores_in_bold_that_look_best() -> None:
    text = render(made_up("map", one={"map": 0.30001}, two={"map": 0.30002}), "latex")

    assert text.count(r"\textbf{0.3000}") == 2


def test_latex_by_topic_has_a_row_for_each_topic() -> None:
    assert render(evaluate(QRELS, {"bad.run": BAD}, ["map"]), "latex", per_topic=True) == (
        "\\begin{tabular}{llr}\n"
        "\\toprule\n"
        "run & topic & map \\\\\n"
        "\\midrule\n"
        "bad.run & 1 & 0.5000 \\\\\n"
        "bad.run & 2 & 0.0000 \\\\\n"
        "bad.run & all & 0.2500 \\\\\n"
        "\\bottomrule\n"
        "\\end{tabular}\n"
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("a_b", r"a\_b", id="underscore"),
        pytest.param("50%", r"50\%", id="percent"),
        pytest.param("a&b", r"a\&b", id="ampersand"),
        pytest.param("#1", r"\#1", id="hash"),
        pytest.param("$x", r"\$x", id="dollar"),
        pytest.param("{x}", r"\{x\}", id="braces"),
        pytest.param("a\\b", r"a\textbackslash{}b", id="backslash"),
        pytest.param("~/run", r"\textasciitilde{}/run", id="tilde"),
        pytest.param("a^b", r"a\textasciicircum{}b", id="caret"),
    ],
)
def test_latex_shows_characters_that_mean_something_to_it(name: str, expected: str) -> None:
    text = render(evaluate(QRELS, {name: GOOD}, ["map"]), "latex")

    assert text.splitlines()[4] == rf"{expected} & 1.0000 \\"


def test_there_is_nothing_to_remark_where_run_and_qrels_have_the_same_topics() -> None:
    assert two("map").remarks() == []


@pytest.mark.parametrize(
    ("complete", "rule"),
    [
        pytest.param(False, "left out of the mean (-c counts them as 0)", id="without -c"),
        pytest.param(True, "counted as 0 (-c)", id="with -c"),
    ],
)
def test_judged_topics_that_a_run_lacks_are_remarked_on_with_the_rule_in_force(*, complete: bool, rule: str) -> None:
    qrels = {str(topic): {"a": 1} for topic in range(1, 9)}

    result = evaluate(qrels, {"x.run": {"8": {"a": 1.0}}}, ["map"], rules=Rules(complete=complete))

    assert result.remarks() == [f"x.run: 7 of 8 judged topics not in the run, {rule}: 1, 2, 3, 4, 5, …"]


def test_version_10_remarks_on_missing_topics_as_version_9_does() -> None:
    result = evaluate(QRELS, {"x.run": {"2": {"a": 1.0}}}, ["map"], rules=Rules(compat=10, complete=True))

    assert result.remarks() == ["x.run: 1 of 2 judged topics not in the run, counted as 0 (-c): 1"]


def test_topics_without_judgments_are_remarked_on() -> None:
    result = evaluate({"1": {"a": 1}}, {"x.run": {"1": {"a": 1.0}, "7": {"a": 1.0}, "8": {"a": 1.0}}}, ["map"])

    assert result.remarks() == ["x.run: 2 topics without judgments, left out: 7, 8"]


def test_measures_without_extremes_are_remarked_on_where_extremes_were_asked_for() -> None:
    assert tied().remarks() == ["no extremes over ties for infAP: the order of relevance does not give them"]


@pytest.mark.parametrize("form", ["table", "trec_eval", "csv", "json"])
def test_words_are_shown_by_topic(form: str) -> None:
    assert "-1" in render(two("relstring"), form, per_topic=True)


@pytest.mark.parametrize("form", list(FORMS))
def test_a_result_without_numbers_can_be_shown(form: str) -> None:
    assert "0." not in render(two("relstring"), form)


def test_a_table_wider_than_the_terminal_goes_on_below() -> None:
    table = render(two("map", "P_5", "num_ret"), "table", width=len("good.run  1.0000  0.2000"))

    assert table.splitlines() == [
        "run          map     P_5",
        "────────  ──────  ──────",
        "good.run  1.0000  0.2000",
        "bad.run   0.2500  0.1000",
        "",
        "run       num_ret",
        "────────  ───────",
        "good.run        3",
        "bad.run         3",
    ]


def test_a_column_wider_than_the_terminal_is_shown_all_the_same() -> None:
    assert render(two("map"), "table", width=3) == render(two("map"), "table")


@pytest.mark.parametrize(
    ("folder", "heading"),
    [
        pytest.param("../rev", "run in ../rev", id="short"),
        pytest.param("pfad mit Umlaut äöü", "run in pfad mit Umlaut äöü", id="as long as a name may be"),
        pytest.param("/data/collections/core17/runs", "run in …collections/core17/runs", id="too long"),
    ],
)
def test_a_shared_folder_can_be_read_however_short_the_names_of_files_are(folder: str, heading: str) -> None:
    runs = {f"{folder}/a.run": {"map": 0.5}, f"{folder}/b.run": {"map": 0.25}}

    assert render(made_up("map", **runs), "table").splitlines()[0].split("  ")[0] == heading
