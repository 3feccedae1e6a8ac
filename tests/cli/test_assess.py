"""Does `primad assess` find what it is asked for, print what there is to say, and end with the right code?"""

import csv
import io
import json
import shutil
import subprocess
import sys
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NoReturn

import pytest

from primad import annotate, assess
from primad.cli import app
from primad.reports.assessment.text import render
from tests.cli.running import Outcome, primad
from tests.reproducibility.assessment.saved import save_all, save_records

# The letters of a ranking are its documents; a and b are relevant.
BASE = ("acbd", "cabd", "cdab", "acdb", "dacb")
ADV = ("abcd", "acbd", "cabd", "abdc", "adcb")
MINE = ("acbd", "cadb", "cdab", "adcb", "dacb")
MINE_ADV = ("abcd", "abcd", "cadb", "abdc", "dacb")
ONE = ("assess", "--original", "base.run", "--reproduction", "mine.run", "--qrels", "qrels", "-m", "map")
PAIR = (
    *("assess", "--original", "base.run", "adv.run", "--reproduction", "mine.run", "mine_adv.run"),
    *("--qrels", "qrels", "-m", "map"),
)
SCORES = "topic,orig,r_1\n1,0.2,0.3\n2,0.6,0.5\n3,0.4,0.45\n"
PRIMAD = str(Path(sys.executable).with_name("primad"))


def ranking(lists: Iterable[str], tag: str, prefix: str = "") -> str:
    """Return a run with one of LISTS for each topic, from topic 1 on."""
    return "".join(
        f"{topic} Q0 {prefix}{document} {rank} {10 - rank} {tag}\n"
        for topic, documents in enumerate(lists, 1)
        for rank, document in enumerate(documents, 1)
    )


def judgments(prefix: str = "") -> str:
    """Return qrels in which a and b are relevant, c and d are not."""
    return "".join(f"{topic} 0 {prefix}{d} {int(d in 'ab')}\n" for topic in range(1, 6) for d in "abcd")


def told(path: str, lists: Iterable[str], **values: Any) -> None:
    """Write a run, tagged like the file, with a header that states VALUES; a double underscore is a dot."""
    tag = Path(path).stem
    stated = {key.replace("__", ".").replace("_", " "): value for key, value in values.items()}
    Path(path).parent.mkdir(exist_ok=True)
    annotate(ranking(lists, tag).encode(), values={"tag": tag} | stated).save(path)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with runs that say nothing about themselves, qrels, and what is neither."""
    monkeypatch.chdir(tmp_path)
    content = {
        "qrels": judgments(),
        "other.qrels": judgments("x"),
        "base.run": ranking(BASE, "base"),
        "adv.run": ranking(ADV, "adv"),
        "mine.run": ranking(MINE, "mine"),
        "mine_adv.run": ranking(MINE_ADV, "mine_adv"),
        "there.run": ranking(MINE, "there", "x"),
        "there_adv.run": ranking(MINE_ADV, "there_adv", "x"),
        "empty.run": "",
        "elsewhere.run": "77 Q0 a 1 1 tag\n",
        "late.run": "5 Q0 a 1 1 tag\n",
        "early.run": "1 Q0 a 1 1 tag\n",
        "twice.run": "1 Q0 a 1 2 tag\n1 Q0 a 2 1 tag\n",
        "broken.run": "# ir_metadata.start\n# tag: [x\n# ir_metadata.end\n" + ranking(MINE, "x"),
        "single.run": ranking(("a", "c", "b", "a", "d"), "single"),
        "nothing.run": ranking(("c", "c", "c", "c", "c"), "nothing"),
        "constant.run": "".join(f"{topic} Q0 {document} 1 1 tag\n" for topic in range(1, 6) for document in "abcd"),
        "scores.csv": SCORES,
    }
    for name, text in content.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def refuse(constant: str) -> NoReturn:
    """Fail at what is no JSON, though Python writes it."""
    raise AssertionError(constant)


def as_json(*arguments: str, code: int = 0) -> Any:
    """Return what the command prints as JSON, having ended with CODE and said nothing else."""
    outcome = primad(*arguments, "--format", "json")
    assert (outcome.code, outcome.err) == (code, "")
    return json.loads(outcome.out, parse_constant=refuse)


def values(one: dict[str, Any], of: str = "map") -> dict[tuple[str, str], Any]:
    """Return the values of a reproduction, or why they are undefined, by run and measure."""
    return {
        (value["run"], value["measure"]): value.get("value", value.get("undefined"))
        for value in one["values"]
        if value["of"] in ("", of)
    }


# By name ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["table", "csv", "json", "latex"])
@pytest.mark.parametrize("per_topic", [True, False])
def test_a_form_is_printed_as_the_library_renders_it(form: str, *, per_topic: bool) -> None:
    result = assess(("base.run", "adv.run"), [("mine.run", "mine_adv.run")], "qrels", measures="map")

    outcome = primad(*PAIR, "--format", form, *["-q"] * per_topic)

    assert outcome == Outcome(0, render(result, form, per_topic=per_topic), "")


def test_each_reproduction_is_named_by_an_option_of_its_own() -> None:
    found = as_json(*PAIR, "--reproduction", "base.run", "adv.run", "--reproduction", "mine.run")

    assert [(one["name"], list(one["runs"])) for one in found["reproductions"]] == [
        ("mine_adv", ["baseline", "advanced"]),
        ("adv.run", ["baseline", "advanced"]),  # called by its file: the original has a run of that name
        ("mine", ["baseline"]),
    ]
    assert values(found["reproductions"][1])["both", "er"] == 1.0


def test_without_measures_there_are_the_default_ones() -> None:
    found = as_json("assess", "--original", "base.run", "--reproduction", "mine.run", "--qrels", "qrels")

    assert [value["of"] for value in found["original"]["values"]] == ["map", "ndcg", "P_10"]


def test_a_run_is_read_from_standard_input() -> None:
    outcome = primad(
        *("assess", "--original", "base.run", "--reproduction", "-", "--qrels", "qrels", "-m", "map"),
        *("--format", "json"),
        stdin=Path("mine.run").read_bytes(),
    )

    assert outcome.code == 0
    (one,) = json.loads(outcome.out)["reproductions"]
    assert one["name"] == "<stdin>"
    assert values(one)["baseline", "rmse"] == pytest.approx(0.0372678)


def test_qrels_are_read_from_standard_input() -> None:
    arguments = ("assess", "--original", "base.run", "--reproduction", "mine.run", "--qrels", "-", "--format", "json")

    outcome = primad(*arguments, "-m", "map", "--jobs", "2", stdin=Path("qrels").read_bytes())

    assert outcome.code == 0
    assert values(json.loads(outcome.out)["reproductions"][0])["baseline", "rmse"] == pytest.approx(0.0372678)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(
            ["--reproduction", "-", "--qrels", "-"], "standard input can be read once only", id="run and qrels"
        ),
        pytest.param(
            ["--reproduction", "-", "-", "--qrels", "qrels"], "standard input can be read once only", id="runs"
        ),
        pytest.param(
            ["--reproduction", "-", "--qrels", "qrels", "other.qrels"],
            "a run from standard input needs one file after --qrels, found 2",
            id="several qrels",
        ),
    ],
)
def test_standard_input_is_not_read_twice(arguments: list[str], message: str) -> None:
    outcome = primad("assess", "--original", "base.run", *arguments)

    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith(f"primad: {message}")


@pytest.mark.parametrize(
    ("own", "expected"),
    [
        pytest.param(["other.qrels"], ["other.qrels", "other.qrels"], id="one for all"),
        pytest.param(["qrels", "other.qrels"], ["qrels", "other.qrels"], id="one for each"),
    ],
)
def test_reproductions_may_have_qrels_of_their_own(own: list[str], expected: list[str]) -> None:
    found = as_json(*ONE, "--reproduction", "there.run", "--reproduction-qrels", *own)

    assert [one["qrels"] for one in found["reproductions"]] == expected
    there = values(found["reproductions"][1])
    assert there["baseline", "rmse"] == "other documents: scores cannot be compared topic by topic"
    assert there["baseline", "arp"] == pytest.approx(0.6)


def test_a_wrong_number_of_qrels_is_refused() -> None:
    outcome = primad(*ONE, "--reproduction-qrels", "qrels", "other.qrels")

    assert outcome == Outcome(2, "", "primad: expected one file after --reproduction-qrels, or 1, found 2\n")


@pytest.mark.parametrize(
    "qrels",
    [
        pytest.param(["--qrels", "other.qrels", "qrels"], id="behind one option"),
        pytest.param(["--qrels", "qrels", "--qrels", "other.qrels"], id="behind two"),
    ],
)
def test_of_several_qrels_each_experiment_takes_its_own_by_content(qrels: list[str]) -> None:
    found = as_json(
        *("assess", "--original", "base.run", "adv.run", "--reproduction", "there.run", "there_adv.run"),
        *("--reproduction", "mine.run", "mine_adv.run", "-m", "map", *qrels),
    )

    assert found["original"]["qrels"] == "qrels"
    assert [one["qrels"] for one in found["reproductions"]] == ["other.qrels", "qrels"]
    there, here = map(values, found["reproductions"])
    assert there["both", "er"] == here["both", "er"]
    assert there["baseline", "tau"] == "other documents: order cannot be compared topic by topic"


# What is asked for -----------------------------------------------------------------------------------------------


def test_values_of_topics_are_added_if_asked_for() -> None:
    (one,) = as_json(*ONE, "--per-topic")["reproductions"]

    topics = {value["measure"]: value["topics"] for value in one["values"] if "topics" in value}
    assert topics["arp"] == pytest.approx({"1": 5 / 6, "2": 0.5, "3": 5 / 12, "4": 0.75, "5": 0.5})
    assert set(topics) == {"arp", "tau", "tau_shared", "overlap", "rbo_ext", "ktu", "rbo"}
    assert all("topics" not in value for value in as_json(*ONE)["reproductions"][0]["values"])


@pytest.mark.parametrize(
    ("test", "name"),
    [
        pytest.param("t", "paired t-test", id="t"),
        pytest.param("student", "paired t-test", id="student"),
        pytest.param("wilcoxon", "Wilcoxon", id="wilcoxon"),
        pytest.param("permutation", "permutation", id="permutation"),
    ],
)
def test_the_test_that_is_asked_for_is_made_and_named(test: str, name: str) -> None:
    (one,) = as_json(*ONE, "--test", test, "--no-intervals")["reproductions"]

    (p,) = (value for value in one["values"] if value["measure"] == "p")
    assert name in p["variant"]
    assert 0 < p["value"] <= 1


def test_students_test_is_made_on_another_collection_if_asked_for() -> None:
    (one,) = as_json(
        *("assess", "--original", "base.run", "--reproduction", "there.run", "--qrels", "qrels", "-m", "map"),
        *("--reproduction-qrels", "other.qrels", "--test", "student"),
    )["reproductions"]

    assert [value["variant"] for value in one["values"] if value["measure"] == "p"] == ["Student's t-test"]


@pytest.mark.parametrize(("correction", "corrects"), [("holm", True), ("bonferroni", True), ("none", False)])
def test_claims_are_corrected_as_asked_for(correction: str, *, corrects: bool) -> None:
    found = as_json(*ONE, "--correction", correction, "--no-intervals")

    answers = found["reproductions"][0]["answers"]
    assert found["settings"]["correction"] == correction
    assert {answer["corrected"] is not None for answer in answers} == {corrects}


def test_a_margin_is_the_one_that_is_stated() -> None:
    (one,) = as_json(*ONE, "--margin", "map=0.2", "--margin", "rbo_ext=0.5", "--margin", "rmse=0.9")["reproductions"]

    assert {answer["level"]: (answer["margin"], answer["margin_reason"]) for answer in one["answers"]} == {
        "document order": ([0.5, 1.0], "stated by the user"),
        "effectiveness": ([-0.2, 0.2], "stated by the user"),
        "scores": ([0.0, 0.9], "stated by the user"),
    }
    assert {answer["answer"] for answer in one["answers"]} == {"equivalent"}


def test_a_default_margin_is_printed_with_its_reason() -> None:
    (one,) = as_json(*ONE)["reproductions"]

    margins = {answer["level"]: (answer["margin"], answer["margin_reason"]) for answer in one["answers"]}
    assert margins["document order"] == ([0.9, 1.0], "at most 0.1 below perfect agreement")
    assert margins["effectiveness"][0] == pytest.approx([-0.05 * 37 / 60, 0.05 * 37 / 60])
    printed = " ".join(primad(*ONE).out.split())
    for level, (_, reason) in margins.items():
        assert f"Margin of {level}: {reason}" in printed


def test_ties_count_as_asked_for() -> None:
    arguments = ("assess", "--original", "constant.run", "--reproduction", "constant.run", "--qrels", "qrels")

    broken, tied = (
        values(as_json(*arguments, "-m", "map", "--ties", ties)["reproductions"][0]) for ties in ("broken", "a")
    )

    assert broken["baseline", "tau"] == broken["baseline", "rbo_ext"] == 1.0
    assert tied["baseline", "tau"] == "5 topics: all documents tied in both runs"
    assert 0.5 < tied["baseline", "rbo_ext"] < 1


def test_p_and_depth_of_rank_biased_overlap_are_in_force_and_named() -> None:
    (one,) = as_json(*ONE, "--rbo-p", "0.8", "--depth", "2")["reproductions"]

    (rbo,) = (value for value in one["values"] if value["measure"] == "rbo")
    # Both lists agree at depths 1 and 2, but on topic 2 and 4, where the second documents differ.
    assert rbo["variant"] == "as repro_eval 0.5.0, p=0.8, depth 2, not extrapolated"
    assert rbo["value"] == pytest.approx((4 * 1 + (1 + 0.8 * 0.5) / 1.8) / 5)


def test_intervals_can_be_left_out() -> None:
    (one,) = as_json(*ONE, "--no-intervals")["reproductions"]

    assert all("interval" not in value for value in one["values"])
    assert "[" not in primad(*ONE, "--no-intervals").out


def test_the_confidence_of_intervals_is_the_one_asked_for() -> None:
    widths = []
    for confidence in ("0.5", "0.99"):
        (one,) = as_json(*ONE, "--confidence", confidence)["reproductions"]
        low, high = next(value["interval"] for value in one["values"] if value["measure"] == "arp")
        widths.append(high - low)

    assert 0 < widths[0] < widths[1]


def test_judged_topics_that_a_run_lacks_count_as_0_if_asked_for() -> None:
    shutil.copy("early.run", "again.run")
    arguments = ("assess", "--original", "early.run", "--reproduction", "again.run", "--qrels", "qrels", "-m", "P_1")

    left_out, counted = (as_json(*arguments, *flags)["reproductions"][0] for flags in ([], ["-c"]))

    assert values(left_out, "P_1")["baseline", "arp"] == 1.0
    assert values(counted, "P_1")["baseline", "arp"] == 0.2
    assert left_out["remarks"] == [
        "again.run: 4 judged topics not in the run, left out (-c counts them as 0): 2, 3, 4, 5"
    ]
    assert counted["remarks"] == ["again.run: 4 judged topics not in the run, counted as 0 (-c): 2, 3, 4, 5"]


def test_the_level_of_relevance_and_the_version_of_trec_eval_are_in_force() -> None:
    found = as_json(*ONE, "-l", "2", "--compat", "10")

    assert (found["settings"]["rules"]["level"], found["settings"]["rules"]["compat"]) == (2, 10)
    assert values(found["reproductions"][0])["baseline", "arp"] == 0.0


@pytest.mark.slow
def test_several_processes_print_the_same_as_one() -> None:
    more = ("--reproduction", "adv.run", "--reproduction", "gone.run", "--format", "json")

    outcomes = [subprocess.run([PRIMAD, *ONE, *more, "--jobs", jobs], capture_output=True, check=True) for jobs in "12"]

    assert outcomes[0].stdout == outcomes[1].stdout
    assert b'"gone"' in outcomes[0].stdout


# JSON ------------------------------------------------------------------------------------------------------------

VALUE = {"measure", "level", "variant", "of", "run"}
MORE = {"value", "undefined", "interval", "interval_method", "interval_note", "note", "topics"}
REPRODUCTION = {
    *("name", "runs", "qrels", "type", "collection", "values", "answers", "agreement", "changed", "remarks"),
    *("why", "problem"),
}


def check_value(value: dict[str, Any], *, per_topic: bool) -> None:
    """Fail unless VALUE has the documented shape."""
    assert set(value) - MORE == VALUE
    assert value["run"] in ("baseline", "advanced", "both")
    assert ("value" in value) != ("undefined" in value)
    assert isinstance(value.get("value", 0.0), float)
    assert value.get("undefined", "a reason")
    assert per_topic or "topics" not in value
    if "interval" in value:
        low, high = value["interval"]
        assert (low is None and high is None) or low is None or high is None or low <= high
        assert (low is not None and high is not None) or value["interval_note"]
        assert value["measure"] != "p"


@pytest.mark.parametrize("per_topic", [True, False])
def test_json_has_the_documented_shape(*, per_topic: bool) -> None:
    found = as_json(
        *PAIR, "-m", "P_1", *("--reproduction", "early.run"), *("--reproduction", "gone.run"), *["-q"] * per_topic
    )

    assert list(found) == ["schema", "settings", "original", "reproductions", "remarks"]
    assert found["schema"] == "primad.assess/1"
    assert set(found["original"]) == {"name", "runs", "qrels", "values"}
    assert found["original"]["runs"]["baseline"] == {"path": "base.run", "tag": "base", "topics": 5}
    for one in found["reproductions"]:
        assert REPRODUCTION - set(one) <= {"why", "problem"}
        assert set(one) <= REPRODUCTION
        assert len(one["type"]) == 6
    for value in [value for one in (found["original"], *found["reproductions"]) for value in one["values"]]:
        check_value(value, per_topic=per_topic)
    assert found["reproductions"][2]["problem"] == "gone.run: no such file"
    assert found["reproductions"][2]["values"] == []


def test_an_interval_that_is_none_has_null_bounds_and_a_note() -> None:
    (one,) = as_json(*PAIR, "-m", "P_1")["reproductions"]

    er = next(value for value in one["values"] if (value["measure"], value["of"]) == ("er", "P_1"))
    assert er["interval"] == [None, None]
    assert "the original improvement cannot be told from 0" in er["interval_note"]
    assert er["interval_method"] == "Fieller"


# Other forms -----------------------------------------------------------------------------------------------------


def test_csv_has_a_row_for_each_value_of_the_original_and_of_each_reproduction() -> None:
    rows = list(csv.DictReader(io.StringIO(primad(*PAIR, "--format", "csv").out)))

    found = as_json(*PAIR)
    assert len(rows) == len(found["original"]["values"]) + len(found["reproductions"][0]["values"])
    (rmse,) = (row for row in rows if (row["measure"], row["run"]) == ("rmse", "baseline"))
    assert float(rmse["value"]) == values(found["reproductions"][0])["baseline", "rmse"]
    assert float(rmse["low"]) <= float(rmse["value"]) <= float(rmse["high"])


def test_csv_has_reasons_and_problems() -> None:
    rows = list(csv.DictReader(io.StringIO(primad(*ONE, "--reproduction", "gone.run", "--format", "csv").out)))

    assert [row["undefined"] for row in rows if row["reproduction"] == "gone"] == ["gone.run: no such file"]
    assert {row["undefined"] for row in rows if row["measure"] == "er"} == {
        "it needs a baseline and an advanced run on both sides"
    }


def test_latex_is_a_table_for_a_paper() -> None:
    printed = primad(*PAIR, "--format", "latex").out

    assert r"\toprule" in printed
    assert printed.count(r"\begin{tabular}") == printed.count(r"\end{tabular}") == 1
    assert "0.6167" in printed


class Opened(HTMLParser):
    """A page as a browser reads it: which elements it has, and what it would fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.tags.append(tag)
        links = (value or "" for name, value in attrs if name in ("src", "href") and tag != "a")
        self.fetched += [link for link in links if not link.startswith(("data:", "#"))]


@pytest.mark.slow
def test_a_report_is_a_folder_with_a_page_tables_and_figures() -> None:
    outcome = primad(*PAIR, "--report", "report")

    assert (outcome.code, outcome.err) == (0, "primad: report in report\n")
    assert outcome.out == primad(*PAIR).out
    names = {path.name for path in Path("report").iterdir()}
    assert {"report.html", "assessment.tex", "assessment.csv", "assessment.json"} <= names
    assert {Path(name).suffix for name in names} >= {".svg", ".pdf", ".png"}
    page = Opened()
    page.feed(Path("report/report.html").read_text(encoding="utf-8"))
    assert {"html", "table", "svg", "h1"} <= set(page.tags)
    assert page.fetched == []
    written = json.loads(Path("report/assessment.json").read_text(encoding="utf-8"), parse_constant=refuse)
    assert written["reproductions"][0]["name"] == "mine_adv"


def test_a_report_does_not_replace_what_is_none() -> None:
    Path("mine").mkdir()
    Path("mine/thesis.tex").write_text("years of work")

    outcome = primad(*ONE, "--report", "mine")

    assert outcome.code == 1
    assert outcome.err.startswith("primad: mine: ")
    assert Path("mine/thesis.tex").read_text() == "years of work"


# By metadata -----------------------------------------------------------------------------------------------------

CORE17 = {"data__test_collection": {"name": "Core17"}}
BY_RECORDS = ("assess", "--original", "b1", "--in", "runs", "--qrels", "qrels", "-m", "map", "--no-intervals")


@pytest.fixture
def records() -> None:
    """Make a folder of an original pair and a reproduced one, by their records."""
    us: dict[str, Any] = {"actor__role": "experimenter", "actor__team": "us"} | CORE17
    them: dict[str, Any] = {"actor__role": "reproducer", "actor__team": "them"} | CORE17
    told("runs/b1.run", BASE, **us)
    told("runs/a1.run", ADV, **us, research_goal__evaluation__baseline=["b1"])
    told("runs/b2.run", MINE, **them, research_goal__evaluation__baseline=["b1"])
    told("runs/a2.run", MINE_ADV, **them, research_goal__evaluation__baseline=["a1"])


@pytest.mark.usefixtures("records")
def test_reproductions_are_found_by_their_records_and_why_is_said() -> None:
    (one,) = as_json(*BY_RECORDS)["reproductions"]

    assert one["name"] == "them"
    assert {role: facts["path"] for role, facts in one["runs"].items()} == {
        "baseline": "runs/b2.run",
        "advanced": "runs/a2.run",
    }
    assert one["why"].startswith("b2 says that it reproduces b1, and a2 that it reproduces a1")
    assert one["type"][4:] == "Ad"
    assert [change["other"] for change in one["changed"]["actor"]] == ["them"]
    assert "Chosen because: b2 says that it reproduces b1" in " ".join(primad(*BY_RECORDS).out.split())


@pytest.mark.usefixtures("records")
def test_an_ambiguous_pair_is_an_error_that_lists_the_candidates() -> None:
    told(
        "runs/a3.run",
        ADV,
        actor__role="reproducer",
        actor__team="them",
        research_goal__evaluation__baseline=["a1"],
        **CORE17,
    )

    outcome = primad(*BY_RECORDS)

    assert (outcome.code, outcome.out) == (1, "")
    assert "several pairs fit equally well" in outcome.err
    assert "b2 with a2" in outcome.err
    assert "b2 with a3" in outcome.err


@pytest.mark.usefixtures("records")
def test_a_tag_that_nobody_has_is_an_error_that_lists_those_there_are() -> None:
    outcome = primad("assess", "--original", "b9", "--in", "runs", "--qrels", "qrels")

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == "primad: no run has the tag or path 'b9'; there are: a1, a2, b1, b2\n"


@pytest.mark.usefixtures("records")
def test_a_folder_of_no_sweep_needs_an_original() -> None:
    outcome = primad("assess", "--in", "runs", "--qrels", "qrels")

    assert outcome.code == 2
    assert outcome.err.startswith("primad: expected the original, --original TAG, or a sweep; found none: ")


SWEEP = ("assess", "--in", "sweep", "--qrels", "qrels", "other.qrels", "-m", "map", "--no-intervals")


def swept(name: str, lists: Iterable[str], k1: float, collection: str = "Core17") -> None:
    """Write a run of a sweep of K1."""
    stages = [{"name": "bm25", "method": "BM25", "k1": k1}]
    told(f"sweep/{name}.run", lists, data__test_collection={"name": collection}, method__retrieval=stages)


@pytest.fixture
def sweep() -> None:
    """Make a folder of runs that differ in k1 only."""
    for name, lists, k1 in (("low", BASE, 0.5), ("mid", MINE, 1.0), ("high", ADV, 10)):
        swept(name, lists, k1)


@pytest.mark.usefixtures("sweep")
def test_a_sweep_is_recognised_without_an_original() -> None:
    found = as_json(*SWEEP)

    (line,) = found["sweep"]["lines"]
    assert found["sweep"]["field"].endswith("k1")
    assert (line["name"], line["reference"]) == ("Core17", "low")
    assert [(point["parameter"], point["run"]) for point in line["points"]] == [(0.5, "low"), (1, "mid"), (10, "high")]
    assert [point["scores"]["map"] for point in line["points"]] == pytest.approx([0.6166667, 0.6, 0.8333333])
    assert [point["rmse"]["map"] for point in line["points"]] == pytest.approx([0, 0.0372678, 0.2204793])
    assert "k1" in primad(*SWEEP).out


@pytest.mark.usefixtures("sweep")
def test_a_sweep_is_compared_with_the_reference_that_is_named() -> None:
    (line,) = as_json(*SWEEP, "--reference", "high")["sweep"]["lines"]

    assert line["reference"] == "high"
    assert [point["rmse"]["map"] for point in line["points"]][2] == 0


@pytest.mark.usefixtures("sweep")
def test_a_sweep_on_two_collections_has_two_lines() -> None:
    swept("there_low", MINE, 0.5, "Robust04")
    swept("there_high", ADV, 10, "Robust04")

    lines = as_json(*SWEEP)["sweep"]["lines"]

    assert [(line["name"], line["reference"], len(line["points"])) for line in lines] == [
        ("Core17", "low", 3),
        ("Robust04", "there_low", 2),
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("sweep")
def test_a_report_of_a_sweep_has_its_figure() -> None:
    assert primad(*SWEEP, "--report", "report").code == 0

    drawn = {path.suffix for path in Path("report").iterdir() if path.name.startswith("sweep")}
    assert drawn == {".svg", ".pdf", ".png"}


# As reported -----------------------------------------------------------------------------------------------------


@pytest.fixture
def reported() -> None:
    """Make a run whose header reports measures, a baseline and a test, and that baseline."""
    told("runs/b1.run", BASE)
    told(
        "runs/a1.run",
        ADV,
        research_goal__evaluation={
            "reported measures": ["map", "P_1"],
            "baseline": ["b1"],
            "significance test": [{"name": "t-test", "correction method": "bonferroni"}],
        },
    )


AS_REPORTED = ("assess", "--as-reported", "runs/a1.run", "--qrels", "qrels")


@pytest.mark.usefixtures("reported")
@pytest.mark.parametrize("where", [[], ["--in", "runs"]], ids=["beside the run", "in a folder"])
def test_what_a_header_reports_is_redone(where: list[str]) -> None:
    found = as_json(*AS_REPORTED, *where)

    assert found["schema"] == "primad.as_reported/1"
    assert {one["measure"]: one["mean"] for one in found["scores"]} == pytest.approx({"map": 5 / 6, "P_1": 0.8})
    assert [(one["measure"], one["baseline"], one["topics"]) for one in found["against"]] == [
        ("map", "b1", 5),
        ("P_1", "b1", 5),
    ]
    for one in found["against"]:
        assert one["corrected"] == pytest.approx(min(1, 2 * one["p"]))
    printed = primad(*AS_REPORTED, *where).out
    assert all(number in printed for number in ("0.8333", "0.6167", "0.2167"))


@pytest.mark.usefixtures("reported")
@pytest.mark.parametrize(
    ("more", "message"),
    [
        pytest.param(["--format", "csv"], "--as-reported is printed as table or json, not as csv", id="csv"),
        pytest.param(
            ["--qrels", "other.qrels"], "expected one file of judgments with --as-reported, found 2", id="two"
        ),
        pytest.param(["-m", "map"], "--measure has no meaning together with --as-reported", id="measure"),
        pytest.param(["--report", "x"], "--report has no meaning together with --as-reported", id="report"),
        pytest.param(["--original", "x"], "--original has no meaning together with --as-reported", id="original"),
        *(
            pytest.param(more, f"{name} has no meaning together with --as-reported", id=name)
            for name, more in {
                "--per-topic": ["-q"],
                "--reproduction": ["--reproduction", "x"],
                "--reproduction-qrels": ["--reproduction-qrels", "x"],
                "--scores": ["--scores", "x"],
                "--values": ["--values", "rbo=x"],
                "--margin": ["--margin", "map=0.1"],
                "--test": ["--test", "t"],
                "--correction": ["--correction", "holm"],
                "--confidence": ["--confidence", "0.95"],
                "--intervals": ["--intervals"],
                "--no-intervals": ["--no-intervals"],
                "--rbo-p": ["--rbo-p", "0.95"],
                "--depth": ["--depth", "1000"],
                "--ties": ["--ties", "broken"],
                "--reference": ["--reference", "x"],
                "--jobs": ["--jobs", "2"],
            }.items()
        ),
    ],
)
def test_what_has_no_meaning_beside_as_reported_is_refused(more: list[str], message: str) -> None:
    assert primad(*AS_REPORTED, *more) == Outcome(2, "", f"primad: {message}\n")


@pytest.mark.usefixtures("reported")
def test_what_a_header_leaves_open_may_stand_beside_as_reported() -> None:
    assert primad(*AS_REPORTED, "--level", "1", "-c", "--compat", "10", "--format", "table").code == 0


@pytest.mark.usefixtures("reported")
def test_qrels_of_another_collection_end_as_reported_with_code_1() -> None:
    outcome = primad("assess", "--as-reported", "runs/a1.run", "--qrels", "other.qrels")

    assert (outcome.code, outcome.out) == (1, "")
    assert "other.qrels judges none of the documents that it retrieved" in outcome.err


def test_a_run_without_a_header_reports_nothing() -> None:
    outcome = primad("assess", "--as-reported", "base.run", "--qrels", "qrels")

    assert (outcome.code, outcome.out) == (1, "")
    assert "has no metadata" in outcome.err


# Scores in tables ------------------------------------------------------------------------------------------------


def test_scores_in_a_table_are_assessed_with_values_of_others() -> None:
    Path("rbo.csv").write_text("topic,r_1\n1,0.5\n2,0.75\n")

    (one,) = as_json("assess", "--scores", "scores.csv", "-m", "AP", "--values", "rbo=rbo.csv")["reproductions"]

    found = values(one, "AP")
    assert found["baseline", "rmse"] == pytest.approx(((0.01 + 0.01 + 0.0025) / 3) ** 0.5)
    assert found["baseline", "rbo"] == 0.625
    assert found["baseline", "tau"] == "only scores were given, no rankings"
    assert [value["note"] for value in one["values"] if value["measure"] == "rbo"] == ["computed by others"]


def test_scores_of_a_measure_that_nobody_names_are_called_score() -> None:
    (one,) = as_json("assess", "--scores", "scores.csv")["reproductions"]

    assert {value["of"] for value in one["values"]} == {"score", ""}


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        pytest.param(["--scores", "gone.csv"], 1, "gone.csv: no such file", id="no file"),
        pytest.param(["--scores", "qrels"], 1, "qrels:1: expected a table with a column of topics", id="no table"),
        pytest.param(
            ["--scores", "scores.csv", "--original", "x"], 1, "scores.csv: expected a column 'x'", id="no column"
        ),
        pytest.param(
            ["--scores", "scores.csv", "--original", "orig", "r_1"], 2, "one file of scores has one run", id="two runs"
        ),
        pytest.param(["--scores", "scores.csv", "scores.csv", "scores.csv"], 2, "found 3 files", id="three tables"),
        pytest.param(["--scores", "scores.csv", "-m", "map", "-m", "ndcg"], 2, "expected one name after -m", id="two"),
        pytest.param(["--scores", "scores.csv", "--qrels", "qrels"], 2, "--qrels has no meaning", id="qrels"),
        pytest.param(["--scores", "scores.csv", "--values", "rbo"], 2, "expected --values NAME=FILE", id="no name"),
        pytest.param(["--scores", "scores.csv", "--values", "=f"], 2, "expected --values NAME=FILE", id="empty name"),
        pytest.param(["--scores", "scores.csv", "--values", "rbo="], 2, "expected --values NAME=FILE", id="empty file"),
        pytest.param(
            ["--scores", "scores.csv", "--values", "rbo=gone.csv"], 1, "gone.csv: no such file", id="no values"
        ),
    ],
)
def test_a_table_that_cannot_be_used_is_said(arguments: list[str], code: int, message: str) -> None:
    outcome = primad("assess", *arguments)

    assert (outcome.code, outcome.out) == (code, "")
    assert message in outcome.err


# A statement for all that is wrong -------------------------------------------------------------------------------


def stated(*runs: str, original: str = "base.run", qrels: str = "qrels") -> Outcome:
    """Return what is printed about RUNS as reproductions, lines joined."""
    reproductions = [word for run in runs for word in ("--reproduction", run)]
    outcome = primad("assess", "--original", original, *reproductions, "--qrels", qrels, "-m", "map")
    assert outcome.err == ""
    assert "nan" not in outcome.out.casefold()
    return outcome._replace(out=" ".join(outcome.out.split()))


@pytest.mark.parametrize(
    ("run", "statement"),
    [
        pytest.param("gone.run", "Nothing can be said about gone: gone.run: no such file.", id="missing"),
        pytest.param(
            "empty.run", "empty.run: expected 6 columns (topic Q0 document rank score tag), found none", id="no"
        ),
        pytest.param(
            "elsewhere.run",
            "elsewhere.run: expected topics of the qrels (1, 2, 3, 4, 5), found only others (77)",
            id="77",
        ),
        pytest.param("twice.run", "twice.run:2: expected each document once per topic, found 'a' of topic '1'", id="2"),
        pytest.param("qrels", "Nothing can be said about qrels: qrels:1: expected 6 columns", id="no run"),
        pytest.param("runs", "Nothing can be said about runs: runs: expected a file, found a directory", id="folder"),
    ],
)
def test_a_run_about_which_nothing_can_be_said_has_a_statement(run: str, statement: str) -> None:
    Path("runs").mkdir()

    alone, beside = stated(run), stated(run, "mine.run")

    assert (alone.code, beside.code) == (1, 0)
    assert statement in alone.out
    assert statement in beside.out
    assert "0.0373" in beside.out


def test_runs_without_a_topic_in_common_have_a_statement_and_their_effectiveness() -> None:
    outcome = stated("late.run", original="early.run")

    assert outcome.code == 0
    assert "(1) no topic that both runs have" in outcome.out
    assert "1 of 1 topics of the baseline run only in original, left out where topics are paired: 1" in outcome.out
    assert "only scores were given" not in outcome.out


def test_one_topic_is_too_few_for_a_test_and_an_interval() -> None:
    outcome = stated("early.run", original="early.run")

    assert outcome.code == 0
    assert "a test needs at least 2 topics, found 1" in outcome.out
    assert "a spread needs at least 2 topics, found 1" in outcome.out


def test_qrels_of_another_collection_have_a_statement() -> None:
    outcome = stated("mine.run", qrels="other.qrels")

    assert outcome.code == 0
    assert "other.qrels judges none of the documents at the top of the run; is it of another collection?" in outcome.out
    assert outcome.out.startswith("mine: no scores: other.qrels judges none of the documents")
    assert "mean score" not in outcome.out


def test_one_document_per_topic_has_a_statement() -> None:
    outcome = stated("single.run", original="single.run")

    assert outcome.code == 0
    assert "5 topics: one shared document" in outcome.out
    assert "5 topics: one document" in outcome.out


def test_identical_runs_have_a_statement() -> None:
    shutil.copy("base.run", "again.run")

    outcome = stated("again.run")

    assert outcome.code == 0
    assert "document order is the same" in outcome.out
    assert "identical scores on all 5 topics" in outcome.out
    assert "identical order on all 5 topics" in outcome.out


def test_constant_scores_have_a_statement_where_ties_count() -> None:
    outcome = primad(
        *("assess", "--original", "constant.run", "--reproduction", "constant.run", "--qrels", "qrels", "-m", "map"),
        *("--ties", "b"),
    )

    assert outcome.code == 0
    assert "5 topics: all documents tied in both runs" in outcome.out
    assert "ties by variant b" in outcome.out


def test_a_reproduction_without_an_advanced_run_has_a_statement() -> None:
    outcome = primad(*PAIR[:4], "--reproduction", "mine.run", "--qrels", "qrels", "-m", "map")

    assert outcome.code == 0
    assert "mine has no advanced run: only the baseline is compared" in outcome.out
    assert "it needs a baseline and an advanced run on both sides" in outcome.out


def test_a_baseline_worth_0_has_a_statement() -> None:
    outcome = primad(
        *("assess", "--original", "nothing.run", "adv.run", "--reproduction", "nothing.run", "mine_adv.run"),
        *("--qrels", "qrels", "-m", "map"),
    )

    printed = " ".join(outcome.out.split())
    assert outcome.code == 0
    assert "a baseline has a mean score of 0 or below, so improvements over it have no relation to it" in printed
    assert "er map 1.0000 0.9600" in printed


def test_equal_original_runs_have_a_statement() -> None:
    outcome = primad(
        *("assess", "--original", "base.run", "base.run", "--reproduction", "mine.run", "mine_adv.run"),
        *("--qrels", "qrels", "-m", "map"),
    )

    assert outcome.code == 0
    assert "the original runs have equal mean scores, so there is no effect to come back" in " ".join(
        outcome.out.split()
    )


def test_a_broken_header_has_a_statement_and_the_ranking_is_used() -> None:
    outcome = stated("broken.run")

    assert outcome.code == 0
    assert "metadata not used: broken.run:3: expected YAML" in outcome.out
    assert "0.0373" in outcome.out


def test_a_broken_header_of_the_original_has_a_statement_too() -> None:
    outcome = stated("mine.run", original="broken.run")

    assert outcome.code == 0
    assert "metadata not used: broken.run:3: expected YAML" in outcome.out


def test_names_that_would_steer_a_terminal_are_written_out() -> None:
    Path("\x1b[2Jx.run").write_text(ranking(MINE, "x"))

    outcome = primad(
        "assess", "--original", "base.run", "--reproduction", "\x1b[2Jx.run", "--qrels", "qrels", "-m", "map"
    )

    assert outcome.code == 0
    assert "\x1b" not in outcome.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["--original", "gone.run"], "gone.run: no such file", id="missing original"),
        pytest.param(["--original", "empty.run"], "empty.run: expected 6 columns", id="empty original"),
        pytest.param(["--original", "elsewhere.run"], "elsewhere.run: expected topics of the qrels", id="other topics"),
        pytest.param(["--original", "base.run", "gone.run"], "gone.run: no such file", id="missing advanced run"),
    ],
)
def test_an_original_about_which_nothing_can_be_said_is_an_error(arguments: list[str], message: str) -> None:
    outcome = primad("assess", *arguments, "--reproduction", "mine.run", "--qrels", "qrels", "-m", "map")

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith(f"primad: {message}")


@pytest.mark.parametrize("qrels", ["gone", "empty.run", "base.run"])
def test_qrels_that_cannot_be_read_are_an_error(qrels: str) -> None:
    outcome = primad("assess", "--original", "base.run", "--reproduction", "mine.run", "--qrels", qrels)

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith(f"primad: {qrels}:")


# Usage -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param([], "expected judgments: --qrels FILE", id="nothing"),
        pytest.param(["--qrels", "qrels"], "expected an original and a reproduction", id="qrels only"),
        pytest.param(
            ["--original", "--qrels", "qrels"], "expected a value after --original, found none", id="no value"
        ),
        pytest.param(["--original", "a", "b", "c"], "expected at most 2 values after --original, found 3", id="three"),
        pytest.param(
            ["--reproduction", "a", "b", "c"], "expected at most 2 values after --reproduction", id="three own"
        ),
        pytest.param(["--original", "a", "--original", "b"], "expected --original once, found it 2 times", id="twice"),
        pytest.param([*ONE[1:], "--values", "rbo=f"], "--values has no meaning together with runs", id="values"),
        pytest.param(
            [*ONE[1:], "--margin", "map"], "expected --margin MEASURE=X, as in map=0.01, found 'map'", id="no"
        ),
        pytest.param([*ONE[1:], "--margin", "map=x"], "expected --margin MEASURE=X", id="margin as text"),
        pytest.param([*ONE[1:], "--margin", "=0.1"], "expected --margin MEASURE=X", id="margin of nothing"),
        pytest.param([*ONE[1:], "--margin", "map=0"], "expected a margin above 0 for 'map', found 0.0", id="margin 0"),
        pytest.param([*ONE[1:], "--margin", "map=nan"], "expected a margin above 0 for 'map', found nan", id="nan"),
        pytest.param(
            [*ONE[1:], "--margin", "ndcg=1"], "expected a margin for one of map, rmse, rbo_ext, er", id="ndcg"
        ),
        pytest.param([*ONE[1:], "--confidence", "95"], "expected a confidence between 0 and 1, found 95", id="95"),
        pytest.param([*ONE[1:], "--rbo-p", "1"], "expected a p of rank-biased overlap between 0 and 1", id="p"),
        pytest.param([*ONE[1:], "--depth", "0"], "expected a depth of at least 1, found 0", id="depth"),
        pytest.param([*ONE[1:], "--level", "-1"], "expected a relevance level of at least 0, found -1", id="level"),
        pytest.param([*ONE[1:], "--reference", "x"], "--reference names a run of a sweep", id="reference"),
    ],
)
def test_what_cannot_be_meant_ends_with_code_2(arguments: list[str], message: str) -> None:
    outcome = primad("assess", *arguments)

    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err.startswith(f"primad: {message}")


@pytest.mark.parametrize(
    "more",
    [
        ["--ties", "c"],
        ["--test", "z"],
        ["--correction", "hochberg"],
        ["--format", "xml"],
        ["--compat", "8"],
        ["--jobs", "0"],
        ["--depth", "x"],
        ["--unheard-of"],
        ["-m", "ndcg", "stray"],
    ],
    ids=" ".join,
)
def test_what_an_option_does_not_know_ends_with_code_2(more: list[str]) -> None:
    outcome = primad(*ONE, *more)

    assert (outcome.code, outcome.out) == (2, "")
    assert "Usage: primad assess" in outcome.err


def test_an_unknown_measure_is_an_error_with_the_one_that_was_meant() -> None:
    assert primad(*ONE[:-1], "mpa") == Outcome(1, "", "primad: unknown measure 'mpa'; did you mean 'map'?\n")


def test_help_says_what_every_option_does_and_shows_lines_to_copy() -> None:
    import typer

    command = typer.main.get_command(app).commands["assess"]  # type: ignore[attr-defined] # it is a group
    printed = " ".join(primad("assess", "--help").out.split())

    options = [option for option in command.params if option.name != "help"]
    assert len(options) > 20
    for option in options:
        assert option.help, option.name
        assert " ".join(option.help.split()) in printed
        assert option.opts[0] in printed
    assert "primad assess --original bm25.run rm3.run --reproduction my.bm25.run my.rm3.run" in printed


def test_runs_in_a_folder_may_be_named_by_their_tags(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save_all()
    told = ["assess", "--in", save_records(), "--qrels", "qrels", "-m", "map", "--no-intervals"]

    named = as_json(*told, "--original", "b1", "a1", "--reproduction", "b2", "a2")
    found = as_json(*told, "--original", "b1")

    assert [run["path"] for run in named["reproductions"][0]["runs"].values()] == ["runs/b2.run", "runs/a2.run"]
    assert named["reproductions"][0]["values"] == found["reproductions"][0]["values"]
