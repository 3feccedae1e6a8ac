"""Does a command run as if nobody watched, and is what it did and cost reported as it was?"""

import ctypes
import os
import pty
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from primad.errors import UsageError
from primad.metadata.recording.command import Execution, _Relay, _signals_passed_on, execute

pytestmark = pytest.mark.slow

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows and adopts processes")

MEGABYTE = 1_000_000
BURN = "import time\nwhile time.process_time() < 1: pass"
BURN_AND_NOTE = f"{BURN}\nopen('burnt', 'w').close()"


def shell(script: str, *, meanwhile: Callable[[], None] | None = None, folder: Path | None = None) -> Execution:
    return execute(["sh", "-c", script], meanwhile=meanwhile, folder=folder)


def python(code: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", textwrap.dedent(code), *arguments]


def wait_for(condition: Callable[[], bool]) -> None:
    """Return as soon as CONDITION holds, and fail the test if that takes too long."""
    for _ in range(1000):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("waited in vain")


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def script_in(folder: Path, content: str, name: str = "script", mode: int = 0o755) -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    path.chmod(mode)
    return path


# How it ended ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [0, 1, 3, 127, 255])
def test_the_status_is_the_commands_own(status: int) -> None:
    execution = shell(f"exit {status}")

    assert (execution.status, execution.signal, execution.failure) == (status, None, None)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGSEGV], ids=lambda number: number.name)
def test_after_a_signal_the_status_is_the_one_a_shell_gives(number: signal.Signals) -> None:
    execution = shell(f"ulimit -c 0; kill -{number.value} $$")

    assert (execution.status, execution.signal) == (128 + number, number)


def test_command_and_times_are_reported() -> None:
    before = datetime.now(UTC)
    execution = execute(["true", "an argument"])
    after = datetime.now(UTC)

    assert execution.command == ("true", "an argument")
    assert before <= execution.started < execution.ended <= after
    assert execution.started.utcoffset() == execution.ended.utcoffset() == before.utcoffset()
    assert execution.wall == pytest.approx((execution.ended - execution.started).total_seconds(), abs=1e-5)


@pytest.mark.parametrize("command", [[], ["echo", "a\0b"]], ids=["nothing", "a NUL"])
def test_what_no_shell_could_start_is_a_wrong_use(command: list[str]) -> None:
    with pytest.raises(UsageError, match=r"^expected a command to run, found '"):
        execute(command)


def test_the_status_is_known_where_nobody_waits_for_children() -> None:
    code = """
        import signal
        from primad.metadata.recording.command import execute
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        print(execute(["sh", "-c", "exit 3"]).status, signal.getsignal(signal.SIGCHLD) == signal.SIG_IGN)
    """

    assert subprocess.check_output(python(code)) == b"3 True\n"


# Commands that cannot be started -----------------------------------------------------------------------------


def never_ran(execution: Execution) -> bool:
    return (execution.wall, execution.user, execution.system, execution.peak_memory) == (0.0, 0.0, 0.0, None)


@pytest.mark.parametrize(
    ("program", "status", "failure"),
    [
        pytest.param("no-such-command", 127, "no-such-command: command not found", id="a name"),
        pytest.param("", 127, ": command not found", id="an empty name"),
        pytest.param("./missing", 127, "./missing: no such file", id="a path"),
        pytest.param("./plain/x", 127, "./plain/x: no such file", id="a path below a file"),
        pytest.param("./folder", 126, "./folder: cannot be executed (it is a folder)", id="a folder"),
        pytest.param(
            "./lost",
            127,
            "./lost: its first line asks for the interpreter '/no/such/interpreter', which does not exist",
            id="a script whose interpreter is missing",
        ),
        pytest.param(
            "./binary", 126, "./binary: cannot be executed (exec format error)", id="bytes that are no program"
        ),
    ],
)
def test_a_command_that_cannot_be_started_is_explained(tmp_path: Path, program: str, status: int, failure: str) -> None:
    script_in(tmp_path, "", "plain", mode=0o644)
    script_in(tmp_path, "#!/no/such/interpreter -x\n", "lost")
    script_in(tmp_path, "\0\1\2\n", "binary")
    (tmp_path / "folder").mkdir()

    execution = execute([program, "argument"], folder=tmp_path)

    assert (execution.status, execution.failure) == (status, failure)
    assert never_ran(execution)


def test_a_file_that_is_no_program_is_told_from_a_missing_one(tmp_path: Path) -> None:
    path = script_in(tmp_path, "exit 0\n", mode=0o644)

    execution = execute([str(path)])

    assert execution.status == 126
    assert execution.failure == f"{path}: cannot be executed (it is not marked as a program; chmod +x {path})"


@pytest.mark.parametrize("name", ["missing", "file"])
def test_a_missing_folder_is_not_blamed_on_the_command(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()

    execution = execute(["true"], folder=tmp_path / name)

    assert execution.status == 127
    assert execution.failure == f"true: cannot be run in {tmp_path / name}, which is no folder"


def test_a_folder_on_the_path_that_is_called_like_the_command_is_not_the_command(tmp_path: Path) -> None:
    (tmp_path / "my-command").mkdir()

    execution = execute(["my-command"], environment={"PATH": str(tmp_path)})

    assert (execution.status, execution.failure) == (127, "my-command: command not found")


def test_nothing_is_done_meanwhile_if_the_command_never_ran() -> None:
    done: list[str] = []

    execute(["no-such-command"], meanwhile=lambda: done.append("meanwhile"))

    assert done == []


@pytest.mark.parametrize("program", ["bin/true", "-x/true", "true"], ids=["by its path", "an odd path", "on the PATH"])
def test_a_script_without_a_first_line_is_run_by_sh(tmp_path: Path, program: str) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "-x").mkdir()
    for folder in ("bin", "-x"):
        script_in(tmp_path / folder, 'echo "$1" > seen\nexit 4\n', "true")
    environment = {"PATH": f"{tmp_path}/bin:{os.environ['PATH']}"}

    execution = execute([program, "a b"], folder=tmp_path, environment=environment)

    assert execution.status == 4
    assert (tmp_path / "seen").read_text(encoding="utf-8") == "a b\n"


def test_the_first_command_on_the_path_counts_even_if_it_cannot_be_started(tmp_path: Path) -> None:
    script_in(tmp_path, "#!/no/such/interpreter\n", "true")

    execution = execute(["true"], environment={"PATH": f"{tmp_path}:{os.environ['PATH']}"})

    assert execution.status == 127
    assert execution.failure == (
        "true: its first line asks for the interpreter '/no/such/interpreter', which does not exist"
    )


def test_the_path_is_searched_from_the_folder_of_the_command(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    script_in(tmp_path / "bin", "#!/bin/sh\nexit 6\n", "my-command")

    execution = execute(["my-command"], folder=tmp_path, environment={"PATH": "bin"})

    assert execution.status == 6


# What it is given --------------------------------------------------------------------------------------------

RUN_ARGUMENTS = """
    import sys
    from primad.metadata.recording.command import execute
    sys.exit(execute(sys.argv[1:]).status)
"""


def test_a_terminal_stays_a_terminal() -> None:
    ours, theirs = pty.openpty()
    command = python("import sys; print([s.isatty() for s in (sys.stdin, sys.stdout, sys.stderr)])")

    subprocess.run(python(RUN_ARGUMENTS, *command), stdin=theirs, stdout=theirs, stderr=theirs, check=True)

    os.close(theirs)
    assert os.read(ours, 1000) == b"[True, True, True]\r\n"
    os.close(ours)


def test_input_and_output_pass_byte_for_byte() -> None:
    data = bytes(range(256)) * 1000

    done = subprocess.run(
        python(RUN_ARGUMENTS, "sh", "-c", "cat; echo oh >&2"), input=data, capture_output=True, check=True
    )

    assert (done.stdout, done.stderr) == (data, b"oh\n")


def test_output_goes_to_standard_error_where_that_is_asked_for() -> None:
    code = RUN_ARGUMENTS.replace("sys.argv[1:]", "sys.argv[1:], stdout=2")

    done = subprocess.run(python(code, "sh", "-c", "echo out; echo oh >&2"), capture_output=True, check=True)

    assert (done.stdout, done.stderr) == (b"", b"out\noh\n")


def test_output_of_a_script_without_its_interpreter_goes_where_it_is_sent(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("echo out\n")
    script.chmod(0o755)

    with (tmp_path / "seen").open("wb") as stream:
        execute([str(script)], stdout=stream.fileno())

    assert (tmp_path / "seen").read_bytes() == b"out\n"


def test_a_file_that_was_handed_over_open_is_handed_on(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("content", encoding="utf-8")

    with (tmp_path / "file").open("rb") as stream:
        number = stream.fileno()
        command = python(f"import os; print(os.read({number}, 100))")
        done = subprocess.run(python(RUN_ARGUMENTS, *command), pass_fds=[number], capture_output=True, check=True)

    assert done.stdout == b"b'content'\n"


def test_folder_and_environment_are_the_given_ones(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "GREETING": "hello"}

    execute(["sh", "-c", 'echo "$GREETING ${HOME-homeless}" > seen'], folder=tmp_path, environment=environment)

    assert (tmp_path / "seen").read_text(encoding="utf-8") == "hello homeless\n"


# Signals -----------------------------------------------------------------------------------------------------

# Whoever runs the tests may be ignoring signals, as nohup does, and what is ignored stays so.
TELL = """
    import signal, sys
    from primad.metadata.recording.command import execute
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    execution = execute(sys.argv[1:])
    print(execution.status, execution.signal, flush=True)
"""


def told_after(send: Callable[[subprocess.Popen[bytes]], None], script: str) -> list[bytes]:
    """Return the lines that a process printed which executes SCRIPT in sh, after SEND when the script says ready."""
    command = python(TELL, "sh", "-c", script)
    with subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        send(process)
        return process.stdout.read().splitlines()


@pytest.mark.parametrize("name", ["TERM", "HUP", "USR1", "USR2"])
def test_a_signal_to_us_is_passed_on_and_the_command_decides(name: str) -> None:
    script = f"trap 'echo caught; exit 9' {name}; echo ready; while :; do sleep 0.02; done"

    lines = told_after(lambda process: process.send_signal(signal.Signals[f"SIG{name}"]), script)

    assert lines == [b"caught", b"9 None"]


@pytest.mark.parametrize("name", ["TERM", "HUP", "USR1", "USR2"])
def test_a_command_that_does_nothing_about_a_signal_is_ended_by_it(name: str) -> None:
    number = signal.Signals[f"SIG{name}"]

    lines = told_after(lambda process: process.send_signal(number), "echo ready; exec sleep 30")

    assert lines == [f"{128 + number} {number}".encode()]


def interrupt_all(process: subprocess.Popen[bytes]) -> None:
    """Send what Ctrl-C in a terminal sends: an interrupt to the whole group."""
    os.killpg(process.pid, signal.SIGINT)


def test_a_command_that_survives_an_interrupt_is_waited_for() -> None:
    script = "trap 'interrupted=yes' INT; echo ready; while test -z \"$interrupted\"; do sleep 0.02; done; exit 5"

    assert told_after(interrupt_all, script) == [b"5 None"]


def test_an_interrupt_to_us_alone_is_not_for_the_command() -> None:
    script = "trap 'echo caught' INT; echo ready; sleep 0.3; exit 5"

    assert told_after(lambda process: process.send_signal(signal.SIGINT), script) == [b"5 None"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT], ids=["interrupt", "quit"])
def test_a_command_that_does_not_is_ended_and_we_live_to_tell(number: signal.Signals) -> None:
    script = "ulimit -c 0; echo ready; exec sleep 30"

    lines = told_after(lambda process: os.killpg(process.pid, number), script)

    assert lines == [f"{128 + number} {number}".encode()]


SHOW_IGNORED = "import signal; print([s.name for s in signal.valid_signals() if signal.getsignal(s) == signal.SIG_IGN])"


@pytest.mark.parametrize("ignored", ["", "HUP", "INT QUIT"], ids=["nothing", "what nohup ignores", "what '&' ignores"])
def test_the_command_ignores_what_it_would_ignore_without_us(ignored: str) -> None:
    prefix = f"trap '' {ignored};" if ignored else ""
    shown = [sys.executable, "-c", SHOW_IGNORED]

    alone = subprocess.check_output(["/bin/sh", "-c", f'{prefix} exec "$@"', "sh", *shown])
    with_us = subprocess.check_output(["/bin/sh", "-c", f'{prefix} exec "$@"', "sh", *python(RUN_ARGUMENTS, *shown)])

    assert with_us == alone
    assert all(f"SIG{name}".encode() in alone for name in ignored.split())


def handlers() -> list[object]:
    return [signal.getsignal(number) for number in sorted(signal.valid_signals())]


@pytest.mark.parametrize("command", ["true", "no-such-command"])
def test_what_we_do_about_signals_is_as_before(command: str) -> None:
    before = handlers()

    execute([command])

    assert handlers() == before


def test_signals_before_the_start_reach_the_command() -> None:
    relay = _Relay()
    relay(signal.SIGTERM)

    with subprocess.Popen(["/bin/sleep", "30"]) as process:
        relay.connect(process.pid)

    assert process.returncode == -signal.SIGTERM


def test_signals_for_a_command_that_never_came_are_ours() -> None:
    taken: list[int] = []
    before = signal.signal(signal.SIGUSR1, lambda number, _frame: taken.append(number))
    try:
        with _signals_passed_on():
            signal.raise_signal(signal.SIGUSR1)
            taken_inside = list(taken)
    finally:
        signal.signal(signal.SIGUSR1, before)

    assert (taken_inside, taken) == ([], [signal.SIGUSR1])


def test_another_thread_leaves_signals_alone() -> None:
    before = handlers()
    seen: list[list[object]] = []
    executions: list[Execution] = []

    thread = threading.Thread(
        target=lambda: executions.append(shell("exit 3", meanwhile=lambda: seen.append(handlers())))
    )
    thread.start()
    thread.join()

    assert seen == [before]
    assert [execution.status for execution in executions] == [3]


# Meanwhile ---------------------------------------------------------------------------------------------------


def test_meanwhile_is_while_the_command_runs(tmp_path: Path) -> None:
    script = "for i in $(seq 1000); do test -e go && exit 0; sleep 0.02; done; exit 1"

    execution = shell(script, folder=tmp_path, meanwhile=(tmp_path / "go").touch)

    assert execution.status == 0


@pytest.mark.parametrize("error", [ValueError("no"), SystemExit(2), KeyboardInterrupt()], ids=repr)
def test_an_error_meanwhile_does_not_disturb_the_command(tmp_path: Path, error: BaseException) -> None:
    def fail() -> None:
        raise error

    execution = shell("sleep 0.2; touch done; exit 3", folder=tmp_path, meanwhile=fail)

    assert (execution.status, execution.meanwhile_error) == (3, error)
    assert (tmp_path / "done").exists()


def test_the_command_ends_when_it_ends_even_if_we_are_busy(tmp_path: Path) -> None:
    noted: list[datetime] = []

    def stay_longer() -> None:
        wait_for(lambda: (tmp_path / "pid").exists() and bool((tmp_path / "pid").read_text(encoding="utf-8")))
        pid = int((tmp_path / "pid").read_text(encoding="utf-8"))
        wait_for(lambda: not is_there(pid))
        noted.append(datetime.now(UTC))

    execution = shell("echo $$ > pid", folder=tmp_path, meanwhile=stay_longer)

    assert execution.meanwhile_error is None
    assert execution.ended <= noted[0]


def test_processes_of_meanwhile_keep_their_status_and_are_not_counted() -> None:
    statuses: list[int] = []

    def work() -> None:
        with subprocess.Popen(python("block = b'x' * 200_000_000; raise SystemExit(7)")) as process:
            time.sleep(1)  # so that it can be taken away from us
        statuses.append(process.returncode)

    execution = shell("sleep 1.5", meanwhile=work)

    assert statuses == [7]
    assert execution.user + execution.system < 0.1
    assert (execution.peak_memory or 0) < 20 * MEGABYTE


# Processor time ----------------------------------------------------------------------------------------------


def test_the_time_of_descendants_is_counted(tmp_path: Path) -> None:
    command = tmp_path / "burn.py"
    command.write_text(BURN, encoding="utf-8")

    execution = shell(f"sh -c '{sys.executable} {command}; exit 0'; exit 0")

    assert 0.9 <= execution.user + execution.system < 2


@on_linux
def test_the_time_of_an_orphan_that_ended_is_counted(tmp_path: Path) -> None:
    (tmp_path / "burn.py").write_text(BURN_AND_NOTE, encoding="utf-8")
    middle = f"{sys.executable} burn.py & kill -9 $$"

    execution = shell(
        f"sh -c '{middle}' 2> /dev/null; for i in $(seq 500); do test -e burnt && break; sleep 0.1; done; sleep 0.3",
        folder=tmp_path,
    )

    assert (tmp_path / "burnt").exists()
    assert 0.9 <= execution.user + execution.system < 2


@on_linux
def test_orphans_that_ended_are_taken_leave_of_while_the_command_runs() -> None:
    script = """
        orphan=$(sh -c 'sleep 0.1 > /dev/null & echo $!')
        for i in $(seq 500); do kill -0 $orphan 2> /dev/null || exit 0; sleep 0.02; done
        exit 1
    """

    assert shell(script).status == 0


@on_linux
def test_the_time_so_far_of_what_outlives_the_command_is_counted_and_it_lives_on(tmp_path: Path) -> None:
    (tmp_path / "burn.py").write_text(f"{BURN_AND_NOTE}\ntime.sleep(60)", encoding="utf-8")
    script = f"{sys.executable} burn.py & echo $! > pid; for i in $(seq 500); do test -e burnt && exit; sleep 0.1; done"

    execution = shell(script, folder=tmp_path)

    pid = int((tmp_path / "pid").read_text(encoding="utf-8"))
    was_there = is_there(pid)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    assert was_there
    assert 0.9 <= execution.user + execution.system < 2


def test_other_children_of_ours_are_neither_counted_nor_waited_for() -> None:
    with subprocess.Popen(python(f"{BURN}\nraise SystemExit(7)")) as ours:
        execution = shell("sleep 1.5")

    assert execution.user + execution.system < 0.5
    assert ours.returncode == 7


def test_a_child_that_another_thread_starts_keeps_its_status() -> None:
    statuses: list[int] = []

    def work() -> None:
        with subprocess.Popen(["/bin/sh", "-c", "exit 7"]) as process:
            time.sleep(0.5)  # so that it can be taken away from us
        statuses.append(process.returncode)

    thread = threading.Thread(target=work)
    thread.start()
    shell("sleep 0.3")
    shell("exit 0")
    thread.join()

    assert statuses == [7]


@on_linux
def test_a_child_that_the_command_never_waited_for_is_not_left_to_us(tmp_path: Path) -> None:
    shell("sleep 0.1 & echo $! > pid; exec sleep 0.3", folder=tmp_path)

    with pytest.raises(ChildProcessError):
        os.waitpid(int((tmp_path / "pid").read_text(encoding="utf-8")), os.WNOHANG)


def test_processes_that_come_and_go_while_we_look_at_them_do_no_harm() -> None:
    execution = shell("for i in $(seq 400); do /bin/true & /bin/true & wait; done; exit 3")

    assert execution.status == 3


@on_linux
@pytest.mark.parametrize("before", [0, 1])
def test_we_adopt_orphans_only_as_long_as_the_command_runs(before: int) -> None:
    prctl = ctypes.CDLL(None).prctl
    adopting = ctypes.c_int(-1)

    prctl(36, before, 0, 0, 0)
    execute(["true"])
    prctl(37, ctypes.byref(adopting), 0, 0, 0)
    prctl(36, 0, 0, 0, 0)

    assert adopting.value == before


# Memory ------------------------------------------------------------------------------------------------------

TAKE = "block = b'x' * 200_000_000; import time; time.sleep(0.5)"
TELL_PEAK = """
    import sys
    from primad.metadata.recording.command import execute
    block = b"x" * int(sys.argv[1])
    print(execute(sys.argv[2:]).peak_memory)
"""


def peak_seen(command: list[str], our_size: int) -> int | None:
    """Return the peak memory of COMMAND as a process reports it that holds OUR_SIZE bytes itself."""
    told = subprocess.check_output(python(TELL_PEAK, str(our_size), *command)).decode().strip()
    return None if told == "None" else int(told)


@on_linux
@pytest.mark.parametrize("our_size", [0, 300 * MEGABYTE], ids=["smaller", "larger"])
@pytest.mark.parametrize("is_direct", [True, False], ids=["itself", "in a descendant"])
def test_the_peak_is_that_of_the_command_whether_it_is_larger_than_we_or_not(our_size: int, is_direct: bool) -> None:  # noqa: FBT001
    command = python(TAKE) if is_direct else ["sh", "-c", '"$@"; exit 0', "sh", *python(TAKE)]

    peak = peak_seen(command, our_size)

    assert peak is not None
    assert 200 * MEGABYTE <= peak < 320 * MEGABYTE


@on_linux
@pytest.mark.parametrize("command", [["true"], ["sleep", "0.1"]], ids=["too short to be seen", "long enough"])
def test_a_small_command_is_not_as_large_as_we(command: list[str]) -> None:
    peak = peak_seen(command, 300 * MEGABYTE)

    assert peak is None or peak < 20 * MEGABYTE
    assert peak is not None or command == ["true"]
