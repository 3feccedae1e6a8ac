"""Is a command run as a step shown as it goes, measured as it was, and its transcript safe to read?"""

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from primad.errors import WorkError
from primad.replay.result import Limits, Rung, Sandbox, Stage, Step
from primad.replay.sandbox.box import Box
from primad.replay.sandbox.holder import Enclosure
from primad.replay.sandbox.ladder import find_sandbox
from primad.replay.sandbox.plain import Plain
from primad.replay.steps import ending_of, run_step
from primad.replay.transcript import CUT, LONGEST_LINE, Lines, Transcript, tail_of
from tests.replay.boxes import LIMITS, MB, OWN, PYTHON, Bench, bench_in, has_process, wait_for


@pytest.fixture(scope="module")
def bubblewrap() -> Enclosure:
    return find_sandbox(wanted=Rung.BUBBLEWRAP)


@pytest.fixture
def bench(bubblewrap: Enclosure, tmp_path: Path) -> Bench:
    return bench_in(tmp_path, bubblewrap, PYTHON)


# How it went ---------------------------------------------------------------------------------------------------


def test_a_step_says_what_it_was_and_how_it_ended(bench: Bench) -> None:
    step = bench.run("echo out; echo err >&2; exit 7")

    assert (step.stage, step.command, step.status) == (Stage.RUN, "echo out; echo err >&2; exit 7", 7)
    assert (step.stopped_by, step.remark, step.network, step.succeeded) == ("", "", False, False)
    assert bench.lines == ["out", "err"]
    assert step.ended >= step.started


def test_contract_variables_name_the_folders_of_the_box(bench: Bench) -> None:
    bench.run('cat "$inputDataset/words.txt"; echo done > "$outputDir/a"; pwd; echo "$HOME"; whoami')

    assert bench.lines == ["one", "two", "/replay/system", "/replay/home", "replay"]
    assert (bench.box.output / "a").read_text(encoding="utf-8") == "done\n"


def test_the_commands_of_authors_may_be_those_of_bash(bench: Bench) -> None:
    assert bench.run("set -o pipefail; [[ abc == a* ]] && source /dev/null").succeeded


def test_processor_time_and_memory_are_those_of_the_command(bench: Bench) -> None:
    burn = "x = bytearray(60_000_000)\nimport time\nwhile time.process_time() < 0.4: pass"

    step = bench.run(f"python3 -c '{burn}'")

    assert 0.3 < step.user + step.system < 5
    assert step.peak_memory is not None
    assert 60_000_000 < step.peak_memory < 120_000_000
    assert step.wall >= 0.4


def test_processor_time_of_a_step_that_was_stopped_is_not_lost(bench: Bench) -> None:
    burn = "import time\nwhile time.process_time() < 0.4: pass\nwhile True: print(1234 * chr(120))"

    step = bench.run(f"python3 -c '{burn}'")

    assert step.stopped_by == "log"
    assert step.user + step.system > 0.35


def test_pages_of_a_file_that_is_only_read_are_no_memory_that_is_used(bench: Bench) -> None:
    with (bench.box.input / "index").open("wb") as stream:
        stream.truncate(3 * LIMITS.memory // 2)
    read = 'import mmap, os, time\nfile = open(os.environ["inputDataset"] + "/index", "rb")\n'
    read += "index = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)\nsum(index[::4096])\ntime.sleep(0.3)"

    step = bench.run(f"python3 -c '{read}'")

    assert step.peak_memory is not None
    assert step.peak_memory > LIMITS.memory
    assert step.succeeded, step.remark


def test_what_processes_share_counts_once(bench: Bench) -> None:
    fork = "import os, time\nx = bytearray(60_000_000)\npids = [os.fork() for _ in range(2)]\ntime.sleep(0.4)"

    step = bench.run(f"python3 -c '{fork}'")  # four processes of 60 MB each, which are the same

    assert step.succeeded, step.remark


def test_a_step_sees_only_the_files_of_those_before_it_that_stay(bench: Bench) -> None:
    bench.run("echo kept > ~/kept; echo made > made", writable=True)
    bench.run("cat ~/kept made")

    assert bench.lines == ["kept", "made"]


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        pytest.param({"status": 0}, "ended after 1.5 s with exit status 0", id="well"),
        pytest.param({"status": 139}, "ended after 1.5 s by the signal SIGSEGV", id="signal"),
        pytest.param({"status": 255}, "ended after 1.5 s with exit status 255", id="no signal"),
        pytest.param(
            {"status": 137, "stopped_by": "time", "remark": "too long"},
            "stopped after 1.5 s by the limit on time: too long",
            id="limit",
        ),
    ],
)
def test_the_end_of_a_step_is_told_in_words(bench: Bench, facts: dict[str, object], words: str) -> None:
    step: Step = replace(bench.run("true"), wall=1.5, **facts)  # type: ignore[arg-type]  # fields of any kind

    assert ending_of(step) == words


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        pytest.param(["/no/such/program"], "/no/such/program", id="gone"),
        pytest.param(["/bin/sh", "-c", "echo no namespaces here; exit 1"], "no namespaces here", id="broken"),
        pytest.param(["/bin/sh", "-c", "exit 9"], "exit status 9", id="silent"),
    ],
)
def test_a_rung_that_does_not_reach_the_command_is_an_error_and_not_a_failure_of_the_system(
    bench: Bench, words: list[str], reason: str
) -> None:
    class Useless(Plain):
        def command(self, text: str, box: Box, *, network: bool, limits: Limits, step: str) -> list[str]:  # noqa: ARG002 - of no use
            return words

    useless = replace(bench, held=Enclosure(Useless(), Sandbox(Rung.PLAIN)))

    with pytest.raises(WorkError, match=rf"the sandbox could not be started \(.*{reason}"):
        useless.run("true")


# What is shown -------------------------------------------------------------------------------------------------


def test_lines_are_shown_while_the_command_runs_and_are_in_the_transcript_by_then(bench: Bench) -> None:
    seen: list[str] = []

    def show(line: str) -> None:
        seen.append(bench.transcript.read_text(encoding="utf-8").splitlines()[-1])
        (bench.box.output / "go").write_text("", encoding="utf-8")  # without this the command waits for ever
        bench.lines.append(line)

    with Transcript(bench.transcript) as transcript:
        step = run_step(
            bench.held,
            bench.box,
            "echo first; until [ -e $outputDir/go ]; do sleep 0.02; done; echo second",
            Stage.RUN,
            LIMITS,
            network=False,
            show=show,
            transcript=transcript,
        )

    assert step.succeeded
    assert bench.lines == ["first", "second"]
    assert seen == ["first", "second"]


def test_an_error_of_who_is_shown_ends_the_command_and_comes_out(bench: Bench) -> None:
    def show(line: str) -> None:
        raise BrokenPipeError(line)

    with Transcript(bench.transcript) as transcript, pytest.raises(BrokenPipeError, match="hello"):
        run_step(
            bench.held,
            bench.box,
            f"echo hello; sleep 4323.{OWN}",
            Stage.RUN,
            LIMITS,
            network=False,
            show=show,
            transcript=transcript,
        )

    wait_for(lambda: not has_process(f"sleep 4323.{OWN}"))


def test_a_step_can_run_in_another_thread(bench: Bench) -> None:
    steps: list[Step] = []
    thread = threading.Thread(target=lambda: steps.append(bench.run(f"setsid sleep 4324.{OWN} & echo here")))

    thread.start()
    thread.join()

    assert (steps[0].status, bench.lines) == (0, ["here"])
    assert not has_process(f"sleep 4324.{OWN}")


@pytest.mark.parametrize(
    ("pieces", "lines"),
    [
        pytest.param([b"a\nb\n"], ["a", "b"], id="lines"),
        pytest.param([b"a", b"b\n", b"c"], ["ab", "c"], id="pieces"),
        pytest.param([b"1 %\r2 %\r", b"\n"], ["1 %", "2 %"], id="progress"),
        pytest.param([b"a\r", b"\nb"], ["a", "b"], id="an end in two pieces"),
        pytest.param([b"\xff\xfe\n"], ["\ufffd\ufffd"], id="no UTF-8"),
        pytest.param([b"caf\xc3", b"\xa9\n"], ["café"], id="a character in two pieces"),
        pytest.param([b"\x1b[31mred\x1b[0m\n"], ["red"], id="colour"),
        pytest.param([b"\x1b]0;evil\x07\n"], [r"\x1b]0;evil\x07"], id="control"),
        pytest.param(["a\u202eb\u2028c\n".encode()], [r"a\u202eb\u2028c"], id="direction"),
        pytest.param([b"a\tb\n"], ["a\tb"], id="tab"),
        pytest.param([b"x" * 5000 + b"\n"], ["x" * LONGEST_LINE + CUT], id="long"),
        pytest.param([b"x" * 9000] * 9 + [b"\nnext\n"], ["x" * LONGEST_LINE + CUT, "next"], id="long in pieces"),
        pytest.param([b"password=hunter2hunter2\n"], ["password=REDACTED"], id="secret"),
        pytest.param(
            [b"-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----\nnext\n"],
            ["REDACTED", "next"],
            id="a secret of many lines",
        ),
        pytest.param(
            [b"expected -----BEGIN RSA PRIVATE KEY-----\nTraceback (most recent call last):\nscore 0.3\n"],
            ["REDACTED", "Traceback (most recent call last):", "score 0.3"],
            id="a sentence about a key",
        ),
        pytest.param(
            [b"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\napp | " + 64 * b"A" + b"\nno key\n"],
            ["REDACTED", "no key"],
            id="a key that is cut off",
        ),
        pytest.param(
            [
                b"-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v1.4\n\n",
                64 * b"A" + b"\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----\nnext\n",
            ],
            ["REDACTED", "Version: GnuPG v1.4", "", "REDACTED", "next"],
            id="a key below words about it",
        ),
        pytest.param(
            [b"-----BEGIN RSA PRIVATE KEY-----\nMIIE\nepoch 3 of 9 done\nabc=\n-----END RSA PRIVATE KEY-----\nnext\n"],
            ["REDACTED", "epoch 3 of 9 done", "REDACTED", "next"],
            id="a key with a line of another stream in it",
        ),
        pytest.param(
            [b"-----BEGIN PRIVATE KEY-----\n" + 301 * b"word\n"], ["REDACTED", "word"], id="longer than any key"
        ),
        pytest.param([b"", b"\n"], [""], id="an empty line"),
        pytest.param([b""], [], id="nothing"),
    ],
)
def test_lines_are_made_harmless(pieces: list[bytes], lines: list[str]) -> None:
    made = Lines()

    assert [*(line for piece in pieces for line in made.add(piece)), *made.rest()] == lines


def test_a_long_line_of_blanks_below_a_key_does_not_hold_up_a_step() -> None:
    made = Lines()
    blanks = 1_000_000 * b" " + b"!\n"  # which take hours where each is tried as the first of the rest

    shown = [*made.add(b"-----BEGIN PRIVATE KEY-----\n" + blanks)]

    assert [len(line) for line in shown] == [8, LONGEST_LINE + len(CUT)]


def test_the_end_of_a_transcript_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "transcript.txt"
    with Transcript(path) as transcript:
        for number in range(30_000):
            transcript.add(str(number))

    assert tail_of(path, 2) == ("29998", "29999")
    assert tail_of(tmp_path / "absent") == ()


def test_output_below_the_limit_is_whole(bench: Bench) -> None:
    step = bench.run("seq 20000", replace(LIMITS, log=MB))

    assert step.succeeded
    assert bench.lines == [str(number) for number in range(1, 20_001)]
