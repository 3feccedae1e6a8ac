"""Does `primad evaluate` print scores to one stream, messages to the other, and end with the right code?"""

import gzip
import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from primad import evaluate
from primad.reports.evaluation import render
from tests.cli.running import Outcome, primad

QRELS = b"1 0 a 1\n1 0 n 0\n2 0 a 1\n"
RUN = b"1 Q0 a 1 2.0 bm25\n1 Q0 n 2 1.0 bm25\n2 Q0 x 1 2.0 bm25\n2 Q0 a 2 1.0 bm25\n"
TABLE = "run     map\n───  ──────\nrun  0.7500\n"
PRIMAD = str(Path(sys.executable).with_name("primad"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, content in {
        "qrels": QRELS,
        "run": RUN,
        "run.gz": gzip.compress(RUN),
        "other": RUN.replace(b"bm25", b"rm3"),
        "short": b"1 Q0 a 1 2.0 bm25\n",
        "wrong": b"1 Q0 a 1 2.0 bm25\n1 Q0 b two\n",
        "binary": bytes(range(256)),
        "empty": b"",
        "elsewhere": b"7 Q0 a 1 1.0 bm25\n",
    }.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "directory").mkdir()
    return tmp_path


def test_scores_go_to_standard_output_and_nothing_to_standard_error() -> None:
    assert primad("evaluate", "qrels", "run", "-m", "map") == Outcome(0, TABLE, "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(
            ["strange"], "strange: the qrels judge none of its documents; are they of another collection?", id="others"
        ),
        pytest.param(
            ["run", "-l", "2"],
            "run: no judgment of its topics reaches level 2 (-l), from which documents are relevant",
            id="a level that nobody gave",
        ),
    ],
)
def test_zeros_that_say_nothing_about_a_run_are_explained(folder: Path, arguments: list[str], said: str) -> None:
    (folder / "strange").write_bytes(RUN.replace(b" a ", b" z ").replace(b" n ", b" y "))

    outcome = primad("evaluate", "qrels", *arguments, "-m", "map")

    assert (outcome.code, outcome.err) == (0, f"primad: {said}\n")
    assert "0.0000" in outcome.out


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["bad", "-m", "map"], id="what was judged not relevant"),
        pytest.param(["deep", "-m", "map", "-M", "1"], id="relevant documents further down"),
        pytest.param(["run", "-m", "AP(rel=1)", "-l", "2"], id="a measure with a level of its own"),
    ],
)
def test_a_run_that_is_merely_bad_is_not_explained_away(folder: Path, arguments: list[str]) -> None:
    (folder / "bad").write_bytes(b"1 Q0 n 1 2.0 bm25\n2 Q0 x 1 2.0 bm25\n")
    (folder / "deep").write_bytes(b"1 Q0 x 1 2.0 bm25\n1 Q0 a 2 1.0 bm25\n2 Q0 x 1 2.0 bm25\n")

    assert primad("evaluate", "qrels", *arguments).err == ""


def test_scores_of_a_bad_run_are_0(folder: Path) -> None:
    (folder / "bad").write_bytes(b"1 Q0 n 1 2.0 bm25\n2 Q0 x 1 2.0 bm25\n")

    assert primad("evaluate", "qrels", "bad", "-m", "map") == Outcome(0, "run     map\n───  ──────\nbad  0.0000\n", "")


@pytest.mark.parametrize("form", ["table", "trec_eval", "csv", "json", "latex"])
@pytest.mark.parametrize("per_topic", [True, False])
def test_a_form_is_printed_as_the_library_renders_it(form: str, *, per_topic: bool) -> None:
    result = evaluate("qrels", ["run", "other"], ["map", "P_5"])

    outcome = primad(
        "evaluate", "qrels", "run", "other", "-m", "map", "-m", "P_5", "--format", form, *["-q"] * per_topic
    )

    assert outcome == Outcome(0, render(result, form, per_topic=per_topic), "")


def test_without_measures_a_table_has_the_default_ones() -> None:
    header = primad("evaluate", "qrels", "run").out.splitlines()[0]

    assert header.split() == ["run", "map", "ndcg_cut_10", "P_10", "recip_rank", "recall_1000"]


def test_without_measures_trec_eval_has_the_official_ones() -> None:
    lines = primad("evaluate", "qrels", "run", "--format", "trec_eval").out.splitlines()

    assert [line.split()[0] for line in lines[:6]] == ["runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map"]
    assert len(lines) == 30


def test_a_packed_run_is_read() -> None:
    outcome = primad("evaluate", "qrels", "run.gz", "-m", "map", "--format", "csv")

    assert outcome == Outcome(0, "run,tag,topic,map\nrun.gz,bm25,all,0.75\n", "")


def test_a_run_is_read_from_standard_input() -> None:
    outcome = primad("evaluate", "qrels", "-", "-m", "map", "--format", "csv", stdin=RUN)

    assert outcome == Outcome(0, "run,tag,topic,map\n-,bm25,all,0.75\n", "")


def test_qrels_are_read_from_standard_input() -> None:
    assert primad("evaluate", "-", "run", "-m", "map", stdin=QRELS) == Outcome(0, TABLE, "")


def test_a_run_from_standard_input_is_read_beside_others_by_several_jobs() -> None:
    outcome = subprocess.run(
        [PRIMAD, "evaluate", "qrels", "-", "run", "-m", "map", "--format", "csv", "--jobs", "2"],
        input=RUN,
        capture_output=True,
        check=False,
    )

    assert (outcome.returncode, outcome.stderr) == (0, b"")
    assert outcome.stdout == b"run,tag,topic,map\n-,bm25,all,0.75\nrun,bm25,all,0.75\n"


@pytest.mark.parametrize("arguments", [("qrels", "-", "-"), ("-", "-"), ("-", "run", "-")])
def test_standard_input_can_be_read_once_only(arguments: tuple[str, ...]) -> None:
    message = "primad: standard input can be read once only; expected - at most once\n"

    assert primad("evaluate", *arguments, stdin=RUN) == Outcome(2, "", message)


def test_a_run_named_twice_is_printed_once() -> None:
    assert primad("evaluate", "qrels", "run", "run", "-m", "map").out == TABLE


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        pytest.param("gone", "gone: no such file", id="missing file"),
        pytest.param(
            "directory", "directory: expected a file, found a directory; name the files in it", id="directory"
        ),
        pytest.param(
            "wrong",
            "wrong:2: expected 6 columns (topic Q0 document rank score tag), found '1 Q0 b two'",
            id="wrong line",
        ),
        pytest.param(
            "empty",
            "empty: expected 6 columns (topic Q0 document rank score tag), found none; "
            "the file is empty or has only comments",
            id="empty",
        ),
        pytest.param(
            "elsewhere",
            "elsewhere: expected topics of the qrels (1, 2), found only others (7)",
            id="no shared topic",
        ),
    ],
)
def test_a_bad_run_among_good_ones_is_a_message_and_the_good_ones_are_printed(bad: str, message: str) -> None:
    assert primad("evaluate", "qrels", bad, "run", "-m", "map") == Outcome(1, TABLE, f"primad: {message}\n")


def test_every_bad_run_has_its_message() -> None:
    outcome = primad("evaluate", "qrels", "gone", "run", "lost", "-m", "map")

    assert outcome == Outcome(1, TABLE, "primad: gone: no such file\nprimad: lost: no such file\n")


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("gone", "run"), id="missing qrels"),
        pytest.param(("directory", "run"), id="a directory as qrels"),
        pytest.param(("binary", "run"), id="binary qrels"),
        pytest.param(("run", "qrels"), id="qrels and run swapped"),
        pytest.param(("qrels", "binary"), id="binary run"),
        pytest.param(("qrels", "gone"), id="missing run"),
        pytest.param(("qrels", "run", "-m", "ndgc"), id="unknown measure"),
        pytest.param(("qrels", "run", "-m", "P_0"), id="wrong parameter"),
        pytest.param(("qrels", "run", "-m", "P(rel=2)"), id="measure without its cutoff"),
        pytest.param(("qrels", "run", "-m", "prefs"), id="refused measure"),
        pytest.param(("qrels", "short", "--compat", "10"), id="missing topic under version 10"),
    ],
)
def test_what_cannot_be_evaluated_is_one_message_and_exit_code_1(arguments: tuple[str, ...]) -> None:
    outcome = primad("evaluate", *arguments)

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("primad: ")
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(("qrels", "run", "-M", "0"), "expected a depth of at least 1, found 0", id="no depth"),
        pytest.param(("qrels", "run", "-l", "-1"), "expected a relevance level of at least 0, found -1", id="level"),
        pytest.param(("qrels", "run", "-l", "x"), "Invalid value for '-l' / '--level'", id="level that is no number"),
        pytest.param(("qrels", "run", "--compat", "8"), "expected 9, 10, found '8'", id="version"),
        pytest.param(
            ("qrels", "run", "--format", "x"), "expected table, trec_eval, csv, json, latex, found 'x'", id="form"
        ),
        pytest.param(("qrels", "run", "--jobs", "0"), "Invalid value for '--jobs'", id="jobs"),
        pytest.param(("qrels", "run", "--measre", "map"), "No such option: --measre", id="option"),
        pytest.param(("qrels",), "Missing argument 'RUN", id="no run"),
    ],
)
def test_wrong_usage_is_a_message_and_exit_code_2(arguments: tuple[str, ...], message: str) -> None:
    outcome = primad("evaluate", *arguments)

    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err


@pytest.mark.parametrize(
    ("option", "expected"),
    [
        pytest.param(("-l", "0"), "0.7500", id="level"),
        pytest.param(("-M", "1"), "0.5000", id="depth"),
        pytest.param(("-J",), "1.0000", id="judged only"),
        pytest.param(("--judged-only", "--depth", "1"), "0.5000", id="long names"),
        pytest.param(("--compat", "10"), "0.7500", id="version"),
    ],
)
def test_an_option_of_trec_eval_changes_the_scores(option: tuple[str, ...], expected: str) -> None:
    outcome = primad("evaluate", "qrels", "run", "-m", "map", *option)

    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.splitlines()[2].split() == ["run", expected]


def test_the_collection_size_is_for_utility() -> None:
    outcome = primad("evaluate", "qrels", "run", "-m", "utility.0,0,0,1", "-N", "10")

    # Of 10 documents 2 were retrieved for each topic, with the one that is relevant.
    assert outcome.out.splitlines()[2].split() == ["run", "8.0000"]


def test_a_judged_topic_that_a_run_lacks_is_remarked_on_and_counted_with_c() -> None:
    without, with_c = (primad("evaluate", "qrels", "short", "-m", "map", *option) for option in ((), ("-c",)))

    found = "primad: short: 1 of 2 judged topics not in the run,"
    assert (without.code, without.err) == (0, f"{found} left out of the mean (-c counts them as 0): 2\n")
    assert (with_c.code, with_c.err) == (0, f"{found} counted as 0 (-c): 2\n")
    assert without.out.splitlines()[2].split() == ["short", "1.0000"]
    assert with_c.out.splitlines()[2].split() == ["short", "0.5000"]


@pytest.mark.parametrize("spelled", ["--tie-range", "--ties"])
def test_extremes_over_ties_are_shown_if_asked_for(folder: Path, spelled: str) -> None:
    (folder / "tied").write_bytes(b"1 Q0 a 1 1.0 t\n1 Q0 n 2 1.0 t\n2 Q0 a 1 1.0 t\n")

    outcome = primad("evaluate", "qrels", "tied", "-m", "map", spelled)

    assert outcome.out.splitlines()[2] == "tied  0.7500 [0.7500, 1.0000]"


def test_two_jobs_print_what_one_prints() -> None:
    arguments = ("evaluate", "qrels", "run", "gone", "other", "-m", "all_trec", "--format", "csv", "-q", "--jobs")

    assert primad(*arguments, 2) == primad(*arguments, 1)


def test_identifiers_that_are_no_text_come_out_as_the_bytes_they_were(folder: Path) -> None:
    (folder / "latin.qrels").write_bytes(b"caf\xe9 0 a 1\n")
    (folder / "latin.run").write_bytes(b"caf\xe9 Q0 a 1 1.0 bm25\n")

    outcome = primad("evaluate", "latin.qrels", "latin.run", "-m", "map", "-q", "--format", "trec_eval")

    assert outcome.out.encode("utf-8", "surrogateescape").splitlines()[0] == b"map                   \tcaf\xe9\t1.0000"


def test_json_is_text_whatever_bytes_identifiers_are(folder: Path) -> None:
    (folder / "latin.qrels").write_bytes(b"caf\xe9 0 a 1\n")
    (folder / "latin.run").write_bytes(b"caf\xe9 Q0 a 1 1.0 bm25\n")

    outcome = primad("evaluate", "latin.qrels", "latin.run", "-m", "map", "-q", "--format", "json")

    (run,) = json.loads(outcome.out.encode("utf-8", "surrogateescape").decode("utf-8"))["runs"]
    assert list(run["topics"].values()) == [{"map": 1.0}]


def test_a_reader_who_has_seen_enough_is_no_error(folder: Path) -> None:
    # More than a pipe holds, so that the second line meets a closed one.
    lines = b"".join(b"%d 0 a 1\n" % topic for topic in range(4000))
    (folder / "many.qrels").write_bytes(lines)
    (folder / "many.run").write_bytes(b"".join(b"%d Q0 a 1 1.0 t\n" % topic for topic in range(4000)))
    arguments = [PRIMAD, "evaluate", "many.qrels", "many.run", "-m", "map", "-q", "--format", "trec_eval"]

    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = process.stdout.readline()
        process.stdout.close()
        complaint = process.stderr.read()

    assert first == b"map                   \t0\t1.0000\n"
    assert complaint == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_one_message() -> None:
    with Path("/dev/full").open("wb") as full:
        outcome = subprocess.run([PRIMAD, "evaluate", "qrels", "run"], stdout=full, stderr=subprocess.PIPE, check=False)

    assert outcome.returncode == 1
    assert outcome.stderr.startswith(b"primad: ")
    assert outcome.stderr.count(b"\n") == 1


def test_a_score_too_large_for_32_bits_is_no_message(folder: Path) -> None:
    (folder / "large").write_bytes(b"1 Q0 a 1 1e39 t\n2 Q0 a 1 1e39 t\n")

    outcome = subprocess.run([PRIMAD, "evaluate", "qrels", "large"], capture_output=True, check=False)

    assert (outcome.returncode, outcome.stderr) == (0, b"")


def test_extremes_over_ties_have_no_place_in_the_format_of_trec_eval() -> None:
    outcome = primad("evaluate", "qrels", "run", "--tie-range", "--format", "trec_eval")

    assert (outcome.code, outcome.out) == (2, "")
    assert "no place for --tie-range" in outcome.err


def test_several_measures_in_one_option_are_told_apart() -> None:
    outcome = primad("evaluate", "qrels", "run", "-m", "map,P_10")

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == "primad: measure 'map,P_10': expected one measure at a time, as in: -m map -m P_10\n"


def test_a_closed_standard_input_is_a_message(folder: Path) -> None:
    command = f"{shlex.quote(PRIMAD)} evaluate {folder}/qrels - <&-"

    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (1, "primad: <stdin>: is closed\n")


def test_a_name_too_long_for_a_file_does_not_keep_others_from_being_scored() -> None:
    outcome = primad("evaluate", "qrels", "run", "n" * 300, "-m", "map")

    assert outcome.code == 1
    assert "run" in outcome.out
    assert "File name too long" in outcome.err
