"""Are the files that a command read and wrote found in its trace, under their last names, and only those?"""

import hashlib
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from primad.errors import FileError
from primad.metadata.recording import trace
from primad.metadata.recording.command import execute
from primad.metadata.recording.trace import Trace, TracedFile, read_trace, strace_is_here, traced

with_strace = pytest.mark.skipif(not strace_is_here(), reason="strace cannot be used here")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a file input.txt and an empty folder sub."""
    home = tmp_path / "home"
    (home / "sub").mkdir(parents=True)
    (home / "input.txt").write_text("content\n", encoding="utf-8")
    time.sleep(0.05)  # what was there before must be older than the command, by the clock of the file system
    return home


def trace_of(command: list[str], folder: Path) -> Trace:
    log = folder.parent / "log"
    execution = execute(traced(command, log), folder=folder)
    assert execution.status == 0
    return read_trace(log, folder)


def paths(files: tuple[TracedFile, ...]) -> list[str]:
    return [str(file.path) for file in files]


def read_and_wrote(command: list[str], folder: Path) -> tuple[list[str], list[str]]:
    found = trace_of(command, folder)
    return paths(found.read), paths(found.wrote)


def python(code: str) -> list[str]:
    return [sys.executable, "-c", textwrap.dedent(code)]


# How a traced command ends -----------------------------------------------------------------------------------


@with_strace
@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["sh", "-c", "exit 3"], id="a status"),
        pytest.param(["sh", "-c", "kill -TERM $$"], id="a signal"),
        pytest.param(["sh", "-c", "kill -KILL $$"], id="a signal that cannot be caught"),
        pytest.param(["no-such-command"], id="not found"),
        pytest.param(["./input.txt"], id="not executable"),
        pytest.param(["./a=b"], id="a script without a first line, with '=' in its name"),
    ],
)
def test_a_traced_command_ends_as_it_does_untraced(
    folder: Path, command: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "a=b").write_text("exit 6\n", encoding="utf-8")
    (folder / "a=b").chmod(0o755)

    executions = [execute(each, folder=folder) for each in (command, traced(command, folder / "log"))]

    capfd.readouterr()
    untraced, with_trace = [(execution.status, execution.signal) for execution in executions]
    assert with_trace == untraced
    assert untraced != (0, None)


@with_strace
def test_a_signal_reaches_the_traced_command(folder: Path) -> None:
    script = "trap 'exit 9' TERM; echo ready; while :; do sleep 0.02; done"

    with subprocess.Popen(traced(["sh", "-c", script], folder / "log"), stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)

    assert process.returncode == 9


@with_strace
def test_nothing_is_printed_and_arguments_are_not_in_the_log(folder: Path) -> None:
    command = traced(["sh", "-c", "cat input.txt; exec true --password=swordfish"], folder / "log")

    done = subprocess.run(command, cwd=folder, capture_output=True, check=True)

    assert (done.stdout, done.stderr) == (b"content\n", b"")
    assert b"swordfish" not in (folder / "log").read_bytes()
    assert b"input.txt" in (folder / "log").read_bytes()


def test_without_strace_nothing_can_be_traced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    assert not strace_is_here.__wrapped__()


def test_a_strace_that_may_not_trace_is_of_no_use(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "strace").write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")  # runs, but notes nothing
    (tmp_path / "strace").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)

    assert not strace_is_here.__wrapped__()


# What it read and wrote --------------------------------------------------------------------------------------


@with_strace
def test_files_have_path_digest_and_size(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("else", encoding="utf-8")

    found = trace_of(["sh", "-c", "cat input.txt ../elsewhere > sub/output.txt"], folder)

    digests = {text: hashlib.sha256(text.encode()).hexdigest() for text in ("content\n", "else", "content\nelse")}
    assert found == Trace(
        read=(
            TracedFile(tmp_path / "elsewhere", digests["else"], 4),
            TracedFile(Path("input.txt"), digests["content\n"], 8),
        ),
        wrote=(TracedFile(Path("sub/output.txt"), digests["content\nelse"], 12),),
        complete=True,
    )


@with_strace
@pytest.mark.parametrize(
    ("script", "read", "wrote"),
    [
        pytest.param("cat input.txt >> both; cat both", ["input.txt"], ["both"], id="written and read"),
        pytest.param("cat input.txt; echo >> input.txt", [], ["input.txt"], id="read and written"),
        pytest.param("echo > a; mv a b; mv b c", [], ["c"], id="renamed twice"),
        pytest.param("echo > a; mv a input.txt", [], ["input.txt"], id="renamed over another"),
        pytest.param("mv input.txt a", [], ["a"], id="only renamed"),
        pytest.param("cat input.txt > a; ln a b", ["input.txt"], ["a", "b"], id="linked"),
        pytest.param("cd sub; echo > a; mv a ../b", [], ["b"], id="renamed from another folder"),
        pytest.param("(cd sub; echo > a); cat input.txt", ["input.txt"], ["sub/a"], id="a folder of a child only"),
        pytest.param("mkdir d; echo > d/a; mv d sub/e", [], ["sub/e/a"], id="in a folder that was renamed"),
        pytest.param("ln -s input.txt link; cat link", ["input.txt"], [], id="read by a link"),
        pytest.param("echo > a; rm a", [], [], id="removed"),
        pytest.param("cat missing || ls sub", [], [], id="not there"),
        pytest.param("cat < /dev/null > /dev/null", [], [], id="a device"),
        pytest.param("mkfifo p; (echo > p &) ; cat p", [], [], id="a pipe"),
        pytest.param("truncate -s 3 input.txt", [], ["input.txt"], id="truncated"),
        pytest.param("cat input.txt & wait", ["input.txt"], [], id="in the background"),
        pytest.param("printf 'cat input.txt' > s; chmod +x s; ./s", ["input.txt"], ["s"], id="a script of its own"),
    ],
)
def test_a_file_is_found_under_its_last_name(folder: Path, script: str, read: list[str], wrote: list[str]) -> None:
    assert read_and_wrote(["sh", "-c", script], folder) == (read, wrote)


@with_strace
@pytest.mark.parametrize(
    ("code", "read", "wrote"),
    [
        pytest.param("open('input.txt', 'r+').read()", ["input.txt"], [], id="could have written, but did not"),
        pytest.param("open('input.txt', 'r+').write('x')", [], ["input.txt"], id="could write, and did"),
        pytest.param("os.truncate('input.txt', 1)", [], ["input.txt"], id="truncated"),
        pytest.param("os.open('input.txt', os.O_PATH)", [], [], id="only held"),
        pytest.param(
            "f = os.open('sub', 0); os.close(os.open('a', os.O_CREAT | os.O_WRONLY, dir_fd=f));"
            "os.rename('a', 'b', src_dir_fd=f, dst_dir_fd=f)",
            [],
            ["sub/b"],
            id="from a folder held open",
        ),
        pytest.param(
            "os.fchdir(os.open('sub', 0)); open('a', 'w').close(); os.rename('a', 'b')", [], ["sub/b"], id="fchdir"
        ),
        pytest.param(
            "open('sub/a', 'w').close(); os.chdir('sub'); os.wait() if os.fork() else os.rename('a', 'b')",
            [],
            ["sub/b"],
            id="renamed by a child that opens nothing",
        ),
        pytest.param(
            "os.chdir('sub'); t = threading.Thread(target=open, args=('a', 'w')); t.start(); t.join()",
            [],
            ["sub/a"],
            id="by a thread",
        ),
    ],
)
def test_files_are_found_however_they_are_reached(folder: Path, code: str, read: list[str], wrote: list[str]) -> None:
    assert read_and_wrote(python(f"import os, threading; {code}"), folder) == (read, wrote)


@with_strace
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(b"a b", id="a blank"),
        pytest.param(b'"a", O_WRONLY', id="quotes and a flag"),
        pytest.param(b"a) = 3</b>", id="the end of a call"),
        pytest.param(b"a\\b\\101", id="backslashes"),
        pytest.param(b"a\n\t\x01\x7f1", id="control characters"),
        pytest.param("Straße 漢字".encode(), id="UTF-8"),
        pytest.param(b"caf\xe9", id="bytes that are no UTF-8"),
        pytest.param(b"x" * 250, id="long"),
    ],
)
def test_any_name_is_read_as_it_was_written(folder: Path, name: bytes) -> None:
    text = os.fsdecode(name).replace("/", "\N{DIVISION SLASH}")
    (folder / text).write_text("content\n", encoding="utf-8")
    time.sleep(0.05)

    assert read_and_wrote(["sh", "-c", 'cat "$1"; cat "$1" > a; mv a "sub/$1"', "sh", text], folder) == (
        [text],
        [f"sub/{text}"],
    )


@with_strace
def test_of_a_python_program_its_own_files_are_left(folder: Path) -> None:
    (folder / "local.py").write_text("", encoding="utf-8")
    (folder / "main.py").write_text(
        "import json, sqlite3, local, pytest\nopen('output.txt', 'w').close()", encoding="utf-8"
    )

    assert read_and_wrote([sys.executable, "main.py"], folder) == (["local.py", "main.py"], ["output.txt"])


@with_strace
def test_an_environment_in_the_folder_is_left_out(folder: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", "environment"], cwd=folder, check=True)
    (folder / "environment" / "tool").write_text("", encoding="utf-8")

    read, wrote = read_and_wrote(
        ["environment/bin/python", "-c", "open('environment/tool'); open('input.txt')"], folder
    )

    assert (read, wrote) == (["input.txt"], [])


@with_strace
def test_a_program_in_the_folder_is_read_when_it_is_executed(folder: Path) -> None:
    (folder / "program").write_bytes(Path("/bin/true").read_bytes())
    (folder / "program").chmod(0o755)

    assert read_and_wrote(["./program"], folder) == (["program"], [])


# What a log says ---------------------------------------------------------------------------------------------


def read_log(folder: Path, *lines: str) -> Trace:
    """Return the files in a log of LINES, in which {} stands for FOLDER."""
    log = folder.parent / "log"
    log.write_text("".join(line.replace("{}", str(folder)) + "\n" for line in lines), encoding="utf-8")
    return read_trace(log, folder)


def test_a_strace_that_does_not_tell_the_folder_is_understood(folder: Path) -> None:
    for name in ("sub/b", "b"):
        (folder / name).touch()

    found = read_log(
        folder,
        '10 1.000001 chdir("sub") = 0',
        '11 1.000002 rename("a", "b") = 0',
        "10 1.000003 clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|SIGCHLD, child_tidptr=0x7f) = 11",
        '12 1.000004 rename("a", "b") = 0',
    )

    assert paths(found.wrote) == ["b", "sub/b"]


def test_the_folder_of_a_process_that_was_there_before_is_seen_when_it_opens_a_file(folder: Path) -> None:
    (folder / "sub" / "b").touch()

    found = read_log(
        folder,
        '10 1.000001 openat(AT_FDCWD<{}/sub>, "/etc/hosts", O_RDONLY) = 3</etc/hosts>',
        '10 1.000002 rename("a", "b") = 0',
    )

    assert paths(found.wrote) == ["sub/b"]


def test_two_files_that_changed_places_were_both_written(folder: Path) -> None:
    (folder / "other").touch()

    found = read_log(
        folder, '10 1.000001 renameat2(AT_FDCWD<{}>, "other", AT_FDCWD<{}>, "input.txt", RENAME_EXCHANGE) = 0'
    )

    assert paths(found.wrote) == ["input.txt", "other"]


def test_lines_that_are_no_calls_are_passed_over(folder: Path) -> None:
    found = read_log(
        folder,
        "strace: Process 11 attached",
        "10 1.000001 +++ exited with 0 +++",
        '10 1.000002 openat(AT_FDCWD<{}>, "input.txt", O_RDONLY) = -1 ENOENT (No such file or directory)',
        '10 1.000003 openat(AT_FDCWD<{}>, "input.t',
        "",
        "11 1.000004 fchdir(3<pipe:[1234]>) = 0",
        '10 1.000005 openat(AT_FDCWD<{}>, "input.txt", O_RDONLY) = 3<{}/input.txt>',
    )

    assert (paths(found.read), paths(found.wrote)) == (["input.txt"], [])


@pytest.mark.parametrize(
    ("path", "is_left_out"),
    [
        pytest.param("/usr/share/dict/words", True, id="of the system"),
        pytest.param("/lib64/data", True, id="of a folder of libraries"),
        pytest.param("/library/data", False, id="not of one"),
        pytest.param("/etc/passwd", True, id="a setting"),
        pytest.param("/tmp/data", False, id="temporary"),  # noqa: S108 - only a name
        pytest.param("/home/me/code.py", True, id="code elsewhere"),
        pytest.param("/home/me/data.json", False, id="data elsewhere"),
        pytest.param("/opt/x/lib/libx.so.1.2", True, id="a library"),
        pytest.param("/opt/x/notes.sourced", False, id="no library"),
        pytest.param("/home/me/lib/site-packages/x/data.txt", True, id="of a package"),
        pytest.param("/opt/python/share/data", True, id="beside the interpreter"),
        pytest.param("/usr/src/app/code.py", False, id="code in the folder"),
        pytest.param("/usr/src/app/data/etc/x", False, id="data in the folder"),
        pytest.param("/usr/src/app/x/__pycache__/code.txt", True, id="a cache in the folder"),
        pytest.param("/usr/src/app/.git/config", True, id="of git"),
        pytest.param("/usr/src/application/data", True, id="beside the folder"),
    ],
)
def test_files_of_the_machine_are_told_from_those_of_the_experiment(path: str, is_left_out: bool) -> None:  # noqa: FBT001
    left_out = trace._Filter("/usr/src/app", {"/opt/python/bin/python3.12", "/usr/bin/python3"})

    assert left_out(path) == is_left_out


def test_a_folder_that_lies_beside_its_interpreter_is_not_left_out() -> None:
    left_out = trace._Filter("/opt/python/mine", {"/opt/python/bin/python"})

    assert [left_out(path) for path in ("/opt/python/mine/data", "/opt/python/lib/x.py")] == [False, True]


def test_more_files_than_allowed_are_cut_and_that_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace, "MOST_FILES", 2)
    for name in "abc":
        (folder / name).touch()
    lines = [f'10 1.000001 openat(AT_FDCWD<{{}}>, "{name}", O_RDONLY) = 3<{{}}/{name}>' for name in "abc"]

    two, three = read_log(folder, *lines[:2]), read_log(folder, *lines)

    assert (paths(two.read), two.complete) == (["a", "b"], True)
    assert (paths(three.read), three.complete) == (["a", "b"], False)


def test_a_file_that_is_too_large_has_no_digest(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace, "LARGEST_DIGESTED", 7)

    found = read_log(folder, '10 1.000001 openat(AT_FDCWD<{}>, "input.txt", O_RDONLY) = 3<{}/input.txt>')

    assert found.read == (TracedFile(Path("input.txt"), None, 8),)


def test_a_log_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError) as caught:
        read_trace(tmp_path / "log", tmp_path)

    assert str(caught.value) == f"{tmp_path / 'log'}: cannot be read (No such file or directory)"
