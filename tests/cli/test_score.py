"""Does `primad score` print what scorers say, and a verdict on two outputs?"""

import csv
import json
import shlex
import sys
from pathlib import Path

import pytest

from primad.cli.score import ScorerName
from primad.evaluation.scorers import SCORERS
from tests.cli.running import Outcome, primad


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, content in {
        "gold.tsv": b"1\ta\n1\tb\n2\tc\n3\td\n",
        "mine.tsv": b"1\ta\n1\tx\n2\tc\n",
        "theirs.tsv": b"1\ta\n1\tx\n2\ty\n",
        "wrong.tsv": b"1 a\n",
        "qrels": b"1 0 a 1\n2 0 a 1\n",
        "run": b"1 Q0 a 1 2 t\n2 Q0 x 1 2 t\n2 Q0 a 2 1 t\n",
        "numbers": b"a\t1\nb\t2\nc\t4\n",
        "guesses": b"a\t1\nb\t1\nc\t1\n",
        "gold/d.ann": b"T1\tA 0 5\tx\n",
        "out/d.ann": b"T1\tA 0 4\tx\n",
        "bad/d.ann": b"T1\tA 0 4\tx\n",
        "bad/e.ann": b"T1\tA\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    (tmp_path / "empty").mkdir()
    return tmp_path


def test_measures_are_a_table_and_remarks_go_to_standard_error() -> None:
    assert primad("score", "coding", "gold.tsv", "mine.tsv", "-m", "f1", "-m", "map") == Outcome(
        0,
        "measure  mine.tsv\n───────  ────────\nf1 *       0.5714\nmap        0.5000\n",
        "primad: mine.tsv: documents without a code in the output count as missed: 3\n",
    )


def test_json_has_micro_and_macro_and_map_by_name() -> None:
    content = json.loads(primad("score", "coding", "gold.tsv", "mine.tsv", "--format", "json").out)

    assert content["schema"] == "primad.score/1"
    assert (content["scorer"], content["primary"], content["verdict"]) == ("coding", "f1", None)
    (output,) = content["outputs"]
    assert output["name"] == "mine.tsv"
    # Right: 1 a, 2 c; given 3 pairs, wanted 4.  Codes a and c of a b c d x are perfect, the others are 0.
    assert output["micro"] == pytest.approx({"precision": 2 / 3, "recall": 2 / 4, "f1": 4 / 7})
    assert output["macro"] == pytest.approx({"precision": 2 / 5, "recall": 2 / 5, "f1": 2 / 5})
    assert output["documents"] == pytest.approx({"precision": 1.5 / 3, "recall": 1.5 / 3, "f1": 1.5 / 3})
    assert output["map"] == pytest.approx((1 / 2 + 1 + 0) / 3)
    assert output["exact"] == pytest.approx(1 / 3)
    assert output["measures"]["precision"] == output["micro"]["precision"]


def test_csv_has_a_row_per_output_and_measure() -> None:
    out = primad("score", "coding", "gold.tsv", "gold.tsv", "theirs.tsv", "-m", "f1", "--format", "csv").out

    rows = list(csv.reader(out.splitlines()))
    assert rows[0] == ["output", "measure", "value"]
    assert [(name, measure, float(value)) for name, measure, value in rows[1:]] == [
        ("gold.tsv", "f1", 1.0),
        ("theirs.tsv", "f1", pytest.approx(2 / 7)),
    ]


def test_two_outputs_have_a_verdict_with_the_items_that_differ() -> None:
    outcome = primad("score", "coding", "gold.tsv", "mine.tsv", "theirs.tsv", "-m", "f1")

    assert outcome.code == 0
    assert outcome.out == (
        "measure  mine.tsv  theirs.tsv\n"
        "───────  ────────  ──────────\n"
        "f1 *       0.5714      0.2857\n"
        "\n"
        "f1 is 0.2857 where 0.5714 was submitted, 0.2857 lower, which is .01 or more apart; 1 of 2 items\n"
        "differ; swapping items between the two at random gives as large a difference with p = 1.000.\n"
        "There is no interval of the difference: an interval takes at least 10 items, and there are 3.\n"
        "\n"
        "item  only in the first  only in the second\n"
        "────  ─────────────────  ──────────────────\n"
        "2     c                  y\n"
    )


def test_the_verdict_is_in_the_json() -> None:
    content = json.loads(primad("score", "coding", "gold.tsv", "mine.tsv", "mine.tsv", "--format", "json").out)

    assert content["verdict"]["agreement"] == "identical bytes"
    assert content["verdict"]["points"] == 4


def test_a_second_output_that_cannot_be_scored_is_a_verdict_and_exit_code_1() -> None:
    outcome = primad("score", "coding", "gold.tsv", "mine.tsv", "wrong.tsv", "-m", "f1")

    assert outcome.code == 1
    assert "f1 *       0.5714          -\n" in outcome.out
    assert "The scorer failed on the replicated output: wrong.tsv:1: expected 2 columns" in outcome.out


def test_a_first_output_that_cannot_be_scored_is_an_error() -> None:
    outcome = primad("score", "coding", "gold.tsv", "wrong.tsv", "mine.tsv")

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("primad: wrong.tsv:1: expected 2 columns")


@pytest.mark.parametrize(
    ("arguments", "measures"),
    [
        (["trec", "qrels", "run", "-m", "map"], {"map": 0.75}),
        (["trec", "qrels", "run", "-m", "nDCG@10", "--set", "depth=1"], {"nDCG@10": 0.5}),
        (["spans", "gold", "out", "-m", "exact_f1", "-m", "inexact_f1"], {"exact_f1": 0.0, "inexact_f1": 1.0}),
        (["numbers", "numbers", "guesses", "-m", "mae", "--primary", "mae"], {"mae": 4 / 3}),
        (["coding", "gold.tsv", "mine.tsv", "--primary", "map", "-m", "map"], {"map": 0.5}),
    ],
)
def test_every_scorer_runs_alone(arguments: list[str], measures: dict[str, float]) -> None:
    outcome = primad("score", *arguments, "--format", "json")

    assert outcome.code == 0
    assert json.loads(outcome.out)["outputs"][0]["measures"] == pytest.approx(measures)


def test_a_command_of_ones_own_runs_alone() -> None:
    code = "import sys, os; print('files\\t%d' % len(os.listdir(sys.argv[1])))"
    command = f'{shlex.quote(sys.executable)} -c {shlex.quote(code)} "$gold"'

    outcome = primad("score", "command", "gold", "out", "--set", f"command={command}", "--primary", "files")

    assert outcome.out == "measure     out\n───────  ──────\nfiles *  1.0000\n"


def test_an_undefined_measure_is_said_with_its_reason() -> None:
    outcome = primad("score", "numbers", "numbers", "guesses", "-m", "pearson", "-m", "bias")

    assert "pearson *        -\n" in outcome.out
    assert outcome.err == "primad: guesses: pearson is undefined: all numbers of the output are the same\n"


def test_standard_input_can_be_an_output() -> None:
    outcome = primad(
        "score", "coding", "gold.tsv", "-", "-m", "f1", "--format", "json", stdin=b"1\ta\n1\tb\n2\tc\n3\td\n"
    )

    assert json.loads(outcome.out)["outputs"][0]["measures"] == {"f1": 1.0}


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["spans", "gold", "bad"], 1, "primad: bad/e.ann:1: expected a line of brat's form"),
        (["coding", "gold.tsv", "absent"], 1, "primad: absent: no such file"),
        (["coding", "gold.tsv", "empty"], 1, "primad: empty: expected files in the folder, found none"),
        (["coding", "gold.tsv", "x" * 5000], 1, "cannot be read"),
        (["coding", "gold.tsv", "mine.tsv", "mine.tsv", "mine.tsv"], 2, "expected one output, or two to compare"),
        (["coding", "-", "-"], 2, "standard input can be read once only"),
        (["coding", "gold.tsv", "mine.tsv", "--set", "case"], 2, "expected --set NAME=VALUE, found 'case'"),
        (["coding", "gold.tsv", "mine.tsv", "--set", "colour=red"], 2, "found 'colour'"),
        (["coding", "gold.tsv", "mine.tsv", "-m", "F1"], 2, "found 'F1'; did you mean 'f1'?"),
        (["coding", "gold.tsv", "mine.tsv", "-m", "f2"], 2, "expected measures (precision, recall, f1,"),
        (["codng", "gold.tsv", "mine.tsv"], 2, "codng"),
    ],
)
def test_wrong_input_is_one_message_and_its_exit_code(arguments: list[str], code: int, message: str) -> None:
    outcome = primad("score", *arguments)

    assert (outcome.code, outcome.out) == (code, "")
    assert message in outcome.err


def test_the_command_knows_every_scorer() -> None:
    assert [str(name) for name in ScorerName] == list(SCORERS)
