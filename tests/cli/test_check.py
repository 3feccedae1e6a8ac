"""Does `primad check` say everything on standard output, and end with 1 exactly when there is an error?"""

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from primad.metadata.header import with_block
from tests.cli.running import Outcome, primad
from tests.metadata.checking.complete import RANKING, RECORD, run_with

PRIMAD = str(Path(sys.executable).with_name("primad"))
GOOD = """\
good.run: good; 0 errors, 0 warnings
  ranking: 3 lines, 2 topics, 1 to 2 documents a topic, 0.0 % of scores tied
  complete: 100 % (11 of 11 essential, 32 of 32 recommended fields): general 100 %, platform 100 %,
            research goal 100 %, implementation 100 %, method 100 %, actor 100 %, data 100 %,
            ranking 100 %
"""
BARE = """\
bare.run: not good; 1 error, 0 warnings
  ranking: 3 lines, 2 topics, 1 to 2 documents a topic, 0.0 % of scores tied
  error    has no metadata, neither in the file nor beside it
           add it with: primad annotate
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, content in {
        "good.run": run_with(),
        "fair.run": run_with(RECORD.replace("team: h2oloo, ", "")),
        "bare.run": RANKING,
        "mixed.run": run_with(ranking=b"1 Q0 a 1 1.0 bm25\n1 Q0 b 2 2.0 bm25\n"),
        "qrels": b"1 0 a 1\n2 0 a 1\n3 0 a 1\n",
        "mine.yaml": b"name: mine\nessential: [actor.mail]\n",
        "wrong.yaml": b"name: mine\nessential: [actor.nam]\n",
    }.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "empty").mkdir()
    return tmp_path


# Findings and exit codes -------------------------------------------------------------------------------------


def test_a_good_run_is_said_to_be_good() -> None:
    assert primad("check", "good.run") == Outcome(0, GOOD, "")


def test_an_error_is_exit_code_1() -> None:
    assert primad("check", "bare.run") == Outcome(1, BARE, "")


def test_warnings_alone_are_exit_code_0() -> None:
    outcome = primad("check", "fair.run")

    assert (outcome.code, outcome.err) == (0, "")
    assert outcome.out.splitlines()[0] == "fair.run: good; 0 errors, 1 warning"
    assert outcome.out.splitlines()[-1] == "  warning  actor: recommended and not stated: team"


def test_one_error_among_good_runs_is_exit_code_1() -> None:
    outcome = primad("check", "good.run", "bare.run", "fair.run")

    assert outcome.code == 1
    assert outcome.out.startswith(BARE + "\nfair.run: good;")
    assert outcome.out.endswith("\n\n2 of 3 files good, 1 of them without any finding\n")


def test_a_file_that_does_not_exist_is_an_error_beside_the_others() -> None:
    outcome = primad("check", "gone.run", "good.run")

    assert outcome == Outcome(
        1,
        "gone.run: not good; 1 error, 0 warnings\n  error    no such file\n\n"
        "1 of 2 files good, 1 of them without any finding\n",
        "",
    )


def test_a_name_too_long_for_a_file_is_an_error_beside_the_others() -> None:
    outcome = primad("check", "n" * 300, "good.run")

    assert outcome.code == 1
    assert "cannot be read (File name too long)" in outcome.out
    assert outcome.out.endswith("1 of 2 files good, 1 of them without any finding\n")


def test_a_run_named_twice_is_checked_once() -> None:
    assert primad("check", "good.run", "good.run") == Outcome(0, GOOD, "")


def test_a_run_is_read_from_standard_input() -> None:
    assert primad("check", "-", stdin=run_with()) == Outcome(0, GOOD.replace("good.run", "-"), "")


def test_a_folder_is_searched_and_named_runs_come_first(folder: Path) -> None:
    (folder / "runs" / ".hidden").mkdir(parents=True)
    (folder / "runs" / ".hidden" / "bad.run").write_bytes(RANKING)
    (folder / "runs" / "a.run.gz").write_bytes(gzip.compress(RANKING))
    (folder / "runs" / "a.run.meta").write_text(RECORD)
    (folder / "runs" / "notes.txt").write_text("Nothing of interest.\n")

    found = json.loads(primad("check", "good.run", "runs", "--format", "json").out)["files"]

    assert [(one["file"], one["metadata_file"]) for one in found] == [
        ("good.run", "good.run"),
        ("runs/a.run.gz", "runs/a.run.meta"),
    ]


def test_a_folder_without_runs_is_refused() -> None:
    message = "primad: expected runs or metadata files in empty, found none\n"

    assert primad("check", "empty") == Outcome(2, "", message)


@pytest.mark.slow
def test_several_jobs_find_what_one_finds() -> None:
    arguments = ("check", "good.run", "gone.run", "bare.run", "mixed.run", "--format", "json", "--jobs")

    one = primad(*arguments, 1)

    assert primad(*arguments, 2) == one
    assert one.code == 1


def test_json_is_for_programs() -> None:
    outcome = primad("check", "good.run", "bare.run", "--format", "json")

    assert (outcome.code, outcome.err) == (1, "")
    said = json.loads(outcome.out)
    assert (said["version"], said["good"]) == (1, False)
    assert [(one["file"], one["good"]) for one in said["files"]] == [("good.run", True), ("bare.run", False)]
    assert said["files"][1]["findings"] == [
        {
            "file": "bare.run",
            "line": 0,
            "severity": "error",
            "code": "metadata",
            "message": "has no metadata, neither in the file nor beside it",
            "advice": "add it with: primad annotate",
        }
    ]


def test_the_file_whose_name_is_no_text_is_named_by_its_bytes(folder: Path) -> None:
    name = os.fsdecode(b"caf\xe9.run")
    (folder / name).write_bytes(RANKING)

    done = subprocess.run([PRIMAD, "check", name], capture_output=True, check=False)

    assert done.returncode == 1
    assert done.stdout.startswith(b"caf\xe9.run: not good; 1 error")


# Demands -----------------------------------------------------------------------------------------------------


def test_judged_topics_that_are_missing_are_warnings() -> None:
    outcome = primad("check", "good.run", "--qrels", "qrels")

    assert outcome.code == 0
    assert outcome.out.splitlines()[-1] == "  warning  nothing is retrieved for 1 of 3 judged topics: 3"


def test_the_profile_decides_what_is_missing() -> None:
    outcome = primad("check", "good.run", "--profile", "mine.yaml")

    assert outcome.code == 1
    assert "actor.mail is not stated, but essential" in outcome.out
    assert "complete: 0 % (0 of 1 essential fields): actor 0 %" in outcome.out
    assert outcome.err == "primad: state what is missing with: primad annotate good.run --ask --no-capture --in-place\n"


@pytest.mark.parametrize(
    ("option", "message"),
    [
        pytest.param(
            ("--profile", "longeval"),
            "unknown profile 'longeval'; expected one of ir_metadata, longeval2026, or the file of a profile of your "
            "own",
            id="unknown profile",
        ),
        pytest.param(
            ("--profile", "wrong.yaml"),
            "wrong.yaml:2: expected the path of a field; new fields are described under 'fields', found 'actor.nam'",
            id="wrong profile",
        ),
        pytest.param(("--qrels", "gone"), "gone: no such file", id="no qrels"),
    ],
)
def test_demands_that_cannot_be_read_are_one_message(option: tuple[str, str], message: str) -> None:
    assert primad("check", "good.run", "bare.run", *option) == Outcome(1, "", f"primad: {message}\n")


# Here and online ---------------------------------------------------------------------------------------------


def test_what_this_place_contradicts_is_listed_only_if_asked_for() -> None:
    without, here = primad("check", "good.run"), primad("check", "good.run", "--here", "--format", "json")

    (file,) = json.loads(here.out)["files"]
    found = {finding["field"]: finding for finding in file["findings"]}
    assert (without.out, here.code) == (GOOD, 0)
    assert found["implementation.source.commit"]["message"].endswith("is in no repository")
    assert {(one["severity"], one["code"]) for one in found.values()} == {("warning", "here")}


def test_the_repository_may_be_elsewhere(folder: Path) -> None:
    code = folder / "code"
    subprocess.run(["/usr/bin/env", "git", "init", "-q", code], check=True)

    outcome = primad("check", "good.run", "--here", "--repo", code)

    assert "9548cd6 is stated, but the repository code has no such commit" in " ".join(outcome.out.split())


def test_a_repository_that_is_no_folder_is_refused() -> None:
    message = "primad: expected a folder after --repo, found 'qrels'\n"

    assert primad("check", "good.run", "--here", "--repo", "qrels") == Outcome(2, "", message)


@pytest.fixture
def asked() -> Iterator[tuple[str, list[str]]]:
    """Yield the address of a server on this machine that answers everything, and the list of what it was asked."""
    seen: list[str] = []

    class Answers(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            seen.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}", seen
        server.shutdown()
        thread.join()


def test_addresses_inside_this_network_are_not_asked(folder: Path, asked: tuple[str, list[str]]) -> None:
    address, seen = asked
    (folder / "m.yml").write_text(f"actor:\n  github: {address}/secret\n")

    outcome = primad("check", "m.yml", "--online", "--format", "json")

    (finding,) = [one for one in json.loads(outcome.out)["files"][0]["findings"] if one["code"] == "online"]
    assert finding["line"] == 2
    assert finding["severity"] == "warning"
    assert finding["message"] == (f"{address}/secret is an address inside this network (127.0.0.1), which is not asked")
    assert seen == []


# Repairs -----------------------------------------------------------------------------------------------------


def test_a_repaired_copy_is_written_and_checked_and_the_original_stays(folder: Path) -> None:
    before = (folder / "mixed.run").read_bytes()

    outcome = primad("check", "mixed.run", "--fix", "--output", "better.run")

    assert outcome.err == (
        "primad: better.run: digest of the ranking taken anew\n"
        "primad: better.run: metadata written anew, in one form and without comments\n"
        "primad: better.run: lines of 1 topic put in the order of the scores\n"
        "primad: better.run: ranks of 1 topic made to follow the scores, counted from 1\n"
    )
    assert outcome.code == 0
    assert outcome.out.startswith("better.run: good; 0 errors, 0 warnings\n")
    assert (folder / "mixed.run").read_bytes() == before
    assert (folder / "better.run").read_bytes().endswith(b"\n1 Q0 b 1 2.0 bm25\n1 Q0 a 2 1.0 bm25\n")


def test_what_a_repair_leaves_decides_the_exit_code(folder: Path) -> None:
    outcome = primad("check", "bare.run", "--fix", "-o", "better.run")

    assert outcome == Outcome(
        1, BARE.replace("bare", "better"), "primad: better.run: nothing that is safe to repair was found\n"
    )
    assert (folder / "better.run").read_bytes() == RANKING


def test_a_repaired_copy_is_packed_as_its_name_says(folder: Path) -> None:
    primad("check", "bare.run", "--fix", "--output", "better.run.gz")

    packed = (folder / "better.run.gz").read_bytes()
    assert packed[:2] == b"\x1f\x8b"
    assert gzip.decompress(packed) == RANKING


def test_what_came_from_standard_input_can_be_repaired(folder: Path) -> None:
    primad("check", "-", "--fix", "--output", "better.run", stdin=b"1 Q0 a 7 1.0 t\n")

    assert (folder / "better.run").read_bytes() == b"1 Q0 a 1 1.0 t\n"


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("mixed.run", "--fix"), id="no output"),
        pytest.param(("mixed.run", "--output", "x"), id="output without fix"),
        pytest.param(("mixed.run", "good.run", "--fix", "--output", "x"), id="two files"),
        pytest.param(("mixed.run", "--fix", "--output", "-"), id="standard output"),
    ],
)
def test_a_repair_is_of_one_file_into_another(folder: Path, arguments: tuple[str, ...]) -> None:
    expected = "--fix repairs one file and never the original; expected: primad check FILE --fix --output OTHER"
    before = sorted(path.name for path in folder.iterdir())

    assert primad("check", *arguments) == Outcome(2, "", f"primad: {expected}\n")
    assert sorted(path.name for path in folder.iterdir()) == before


@pytest.mark.parametrize("kind", ["itself", "another way", "symbolic link", "hard link"])
def test_the_original_is_never_written_into(folder: Path, kind: str) -> None:
    before = (folder / "mixed.run").read_bytes()
    (folder / "soft").symlink_to("mixed.run")
    (folder / "hard").hardlink_to("mixed.run")
    output = {"itself": "mixed.run", "another way": "empty/../mixed.run", "symbolic link": "soft", "hard link": "hard"}

    outcome = primad("check", "mixed.run", "--fix", "--output", output[kind])

    message = "primad: --fix never writes into the original; expected another file after --output\n"
    assert outcome == Outcome(2, "", message)
    assert (folder / "mixed.run").read_bytes() == before


@pytest.mark.parametrize(
    ("name", "message"),
    [
        pytest.param("broken.run", "broken.run:6: expected 6 columns", id="a line that only a person can repair"),
        pytest.param("empty", "empty: expected a file, found a directory", id="folder"),
        pytest.param("gone.run", "gone.run: no such file", id="missing"),
    ],
)
def test_what_cannot_be_repaired_is_one_message_and_nothing_is_written(folder: Path, name: str, message: str) -> None:
    (folder / "broken.run").write_bytes(with_block("tag: a\n", b"1 Q0 a 1 1.0 t\n1 Q0 b 2 0.5 t\n1 Q0\n"))

    outcome = primad("check", name, "--fix", "--output", "x")

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith(f"primad: {message}")
    assert not (folder / "x").exists()


def test_a_repair_that_cannot_be_written_is_one_message() -> None:
    outcome = primad("check", "bare.run", "--fix", "--output", "nowhere/x")

    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.startswith("primad: nowhere/x: cannot be written")


# Usage -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param((), "Missing argument 'FILE|DIR", id="no file"),
        pytest.param(("good.run", "--format", "xml"), "expected table, json, found 'xml'", id="form"),
        pytest.param(("good.run", "--jobs", "0"), "Invalid value for '--jobs'", id="jobs"),
    ],
)
def test_wrong_usage_is_a_message_and_exit_code_2(arguments: tuple[str, ...], message: str) -> None:
    outcome = primad("check", *arguments)

    assert (outcome.code, outcome.out) == (2, "")
    assert message in outcome.err
