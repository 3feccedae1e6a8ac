"""Is a command that tries to get out, or to use everything up, stopped, and is that said in the record?

Each rung that the machine has is tried.  What the plain rung does not hold is not tried on it, but has to be named.
"""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from primad.replay.collecting import collect
from primad.replay.result import Rung
from primad.replay.sandbox.holder import Enclosure
from primad.replay.sandbox.ladder import find_sandbox
from primad.replay.sandbox.self_test import (
    ENVIRONMENT,
    EVERYTHING,
    HOME,
    KEYS,
    MOUNTING,
    NETWORK,
    OUTLIVING,
    SHADOW,
    WRITING,
)
from primad.replay.sandbox.trees import emptied
from tests.replay.boxes import LIMITS, MB, OWN, PYTHON, Bench, bench_in, has_process

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def bubblewrap() -> Enclosure:
    return find_sandbox(wanted=Rung.BUBBLEWRAP)


@pytest.fixture(scope="module")
def plain() -> Enclosure:
    return find_sandbox(wanted=Rung.PLAIN, trust=True)


@pytest.fixture
def boxed(bubblewrap: Enclosure, tmp_path: Path) -> Bench:
    """Return a bench that bubblewrap holds."""
    return bench_in(tmp_path, bubblewrap)


@pytest.fixture(params=["bubblewrap", "plain"])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Bench:
    """Return a bench on each rung."""
    return bench_in(tmp_path, request.getfixturevalue(request.param), PYTHON)


def test_bubblewrap_leaves_nothing_open(bubblewrap: Enclosure) -> None:
    assert (bubblewrap.sandbox.held, bubblewrap.sandbox.open) == (EVERYTHING, ())


def test_what_the_plain_rung_does_not_hold_is_named(plain: Enclosure) -> None:
    assert {WRITING, HOME, NETWORK, OUTLIVING} <= set(plain.sandbox.open)
    keys = {KEYS} & set(plain.sandbox.open)  # where the kernel lets us have any
    if os.geteuid() == 0:
        assert set(plain.sandbox.open) == {WRITING, MOUNTING, SHADOW, HOME, NETWORK, ENVIRONMENT, OUTLIVING} | keys


# Getting out ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "attempt",
    [
        pytest.param("mount -o remount,rw /", id="remount the root"),
        pytest.param("mount -o remount,bind,rw /usr", id="remount /usr"),
        pytest.param("mount -t tmpfs none /tmp", id="mount something new"),
        pytest.param("umount /usr", id="unmount"),
        pytest.param("unshare --user --map-root-user --mount true", id="namespaces of its own"),
        pytest.param("bwrap --bind / / true", id="a sandbox of its own"),
        pytest.param("touch /usr/escaped", id="write to /usr"),
        pytest.param("touch /escaped", id="write to the root"),
        pytest.param("touch /dev/escaped", id="write to /dev"),
        pytest.param("touch /etc/escaped", id="write to /etc"),
        pytest.param("touch $inputDataset/escaped", id="write to the data set"),
        pytest.param("echo x >> $inputDataset/words.txt", id="change the data set"),
        pytest.param("touch escaped", id="change the system when it runs"),
        pytest.param("echo escaped > /proc/sys/kernel/hostname", id="settings of the kernel"),
        pytest.param("cat /etc/shadow", id="shadow"),
        pytest.param("cat /proc/1/root/etc/shadow", id="shadow by the first process"),
        pytest.param("cat /etc/machine-id", id="the machine's name"),
        pytest.param("chroot / true", id="chroot"),
        pytest.param("mknod $outputDir/disk b 8 0", id="a device"),
        pytest.param("su -c true", id="another user"),
    ],
)
def test_an_attempt_to_get_out_fails(boxed: Bench, attempt: str) -> None:
    step = boxed.run(f"{attempt} && echo escaped")

    assert step.status != 0
    assert "escaped" not in boxed.lines
    assert not list(boxed.box.input.parent.rglob("escaped"))


def test_the_home_of_the_user_is_not_to_be_seen(boxed: Bench) -> None:
    own = sorted(path.name for path in Path.home().iterdir())

    boxed.run(f"ls -A {Path.home()} /proc/1/root{Path.home()}; ls -A {boxed.box.input.parent}; ls -A $HOME")

    assert own
    assert not set(own) & set(boxed.lines)
    assert "transcript.txt" not in boxed.lines


@contextmanager
def listening(kind: socket.SocketKind) -> Iterator[tuple[socket.socket, int]]:
    """Listen on this machine only, and yield the socket and its port."""
    with socket.socket(socket.AF_INET, kind) as listener:
        listener.bind(("127.0.0.1", 0))
        if kind is socket.SOCK_STREAM:
            listener.listen()
        listener.settimeout(0.3)
        yield listener, listener.getsockname()[1]


def has_arrived(listener: socket.socket) -> bool:
    """Tell whether somebody connected, or sent something."""
    try:
        if listener.type is socket.SOCK_STREAM:
            listener.accept()[0].close()
        else:
            listener.recv(100)
    except TimeoutError:
        return False
    return True


ASK_FOR_A_NAME = r"printf '\1\2\1\0\0\1\0\0\0\0\0\0\7example\3org\0\0\1\0\1'"


@pytest.mark.parametrize("network", [False, True], ids=["without", "with"])
@pytest.mark.parametrize(
    ("kind", "send"),
    [
        pytest.param(socket.SOCK_STREAM, "echo hello > /dev/tcp/127.0.0.1/{port}", id="tcp"),
        pytest.param(socket.SOCK_DGRAM, "echo hello > /dev/udp/127.0.0.1/{port}", id="udp"),
        pytest.param(socket.SOCK_DGRAM, ASK_FOR_A_NAME + " > /dev/udp/127.0.0.1/{port}", id="dns"),
    ],
)
def test_nothing_arrives_from_a_step_without_a_network(
    boxed: Bench, kind: socket.SocketKind, send: str, *, network: bool
) -> None:
    with listening(kind) as (listener, port):
        step = boxed.run(send.format(port=port), network=network)
        arrived = has_arrived(listener)

    assert arrived == network
    assert step.network == network


def test_there_is_neither_a_name_server_nor_another_interface_without_a_network(boxed: Bench) -> None:
    boxed.run(
        "ls /etc/resolv.conf /etc/hosts; grep -o '^ *[a-z0-9]*:' /proc/net/dev; getent hosts example.org || echo no"
    )

    assert [line for line in boxed.lines if not line.startswith("ls: cannot access")] == ["    lo:", "no"]


def test_secrets_in_the_environment_are_not_to_be_seen(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRIMAD_ESCAPE", "a-value-that-nobody-else-has")
    everywhere = "" if ENVIRONMENT in bench.held.sandbox.open else "; cat /proc/*/environ | tr '\\0' '\\n'"

    bench.run(f"env{everywhere}")

    assert "inputDataset=" in "".join(bench.lines)
    assert not [line for line in bench.lines if "PRIMAD_ESCAPE" in line or "nobody-else" in line]


def test_open_files_are_not_inherited(bench: Bench, tmp_path: Path) -> None:
    with (tmp_path / "ours").open("w", encoding="utf-8") as stream:
        os.set_inheritable(stream.fileno(), True)  # noqa: FBT003 - it takes no name
        bench.run("ls -l /proc/$$/fd; cat")

    assert not [line for line in bench.lines if "ours" in line]


# Using everything up -------------------------------------------------------------------------------------------

FORKS = "while :; do sleep 5 & done"
FORKS_OUT_OF_SIGHT = "while :; do (setsid sleep 5 &) ; done"
BUFFERS = "head -c 600M /dev/zero | tail"
SHARES = "python3 -c 'import mmap, time; m = mmap.mmap(-1, 400 << 20); m.write(bytes(400 << 20)); time.sleep(9)'"
HIDES_IN_MEMORY = """python3 -c '
import os, time
files = [os.memfd_create(str(number)) for number in range(30)]
for file in files: os.write(file, bytes(15 << 20))
time.sleep(9)'"""
FILLS = "i=0; while :; do head -c 1M /dev/zero > $outputDir/f$i; i=$((i+1)); done"
FILLS_TMP = "i=0; while :; do head -c 1M /dev/zero > $TMPDIR/f$i; i=$((i+1)); done"
FILLS_WITH_NOTHING = "cd $outputDir; python3 -c 'for number in range(300_000): open(str(number), \"w\").close()'"
FILLS_ONE = "head -c 500M /dev/zero > $outputDir/one"
HIDES_ON_DISK = """python3 -c '
import os, time
place = os.environ["outputDir"]
files = [open(f"{place}/{number}", "wb") for number in range(5)]
for number, file in enumerate(files):
    os.unlink(f"{place}/{number}")
    file.write(bytes(10 << 20)); file.flush()
time.sleep(9)'"""
NESTS = """cd $outputDir; python3 -c '
import os, time
for _ in range(3000): os.mkdir("x"); os.chdir("x")
time.sleep(9)'"""
CHATTERS = "yes | head -c 10G"
CHATTERS_WITHOUT_END = "head -c 10G /dev/zero"
SLEEPS = "sleep 1000"


@pytest.mark.parametrize(
    ("command", "limit", "remark"),
    [
        pytest.param(FORKS, "processes", "it may have 40 processes and threads, and had ", id="fork bomb"),
        pytest.param(BUFFERS, "memory", "it may use 200 MB of memory, and used ", id="memory hog"),
        pytest.param(SHARES, "memory", "it may use 200 MB of memory, and used ", id="shared memory"),
        pytest.param(FILLS, "disk", "its folders may take 20 MB on disk, and took ", id="disk filler"),
        pytest.param(FILLS_TMP, "disk", "its folders may take 20 MB on disk, and took ", id="temporary files"),
        pytest.param(FILLS_ONE, "disk", "may ", id="one large file"),
        pytest.param(HIDES_ON_DISK, "disk", "its folders may take 20 MB on disk, and took ", id="files without a name"),
        pytest.param(CHATTERS, "log", "it may print 250 kB, and printed more; ", id="ten gigabytes of log"),
        pytest.param(CHATTERS_WITHOUT_END, "log", "it may print 250 kB, and printed more; ", id="a line without end"),
    ],
)
def test_a_step_that_uses_too_much_is_stopped_and_the_limit_named(
    bench: Bench, command: str, limit: str, remark: str
) -> None:
    step = bench.run(command)

    assert (step.stopped_by, step.succeeded) == (limit, False)
    assert remark in step.remark
    assert f"by the limit on {limit}: " in bench.transcript.read_text(encoding="utf-8").splitlines()[-1]


def test_memory_in_files_without_a_name_counts(bench: Bench) -> None:
    step = bench.run(HIDES_IN_MEMORY)

    assert (step.stopped_by, step.succeeded) == ("memory", False)


def test_very_many_empty_files_count(bench: Bench) -> None:
    step = bench.run(FILLS_WITH_NOTHING, replace(LIMITS, disk=4 * MB))

    assert (step.stopped_by, step.succeeded) == ("disk", False)


def test_folders_that_are_nested_too_deep_to_be_measured_are_noticed_and_can_be_removed(bench: Bench) -> None:
    step = bench.run(NESTS)

    assert (step.stopped_by, step.succeeded) == ("disk", False)
    assert collect(bench.box.output, LIMITS)[0] == ()
    emptied([bench.box.output])
    assert list(bench.box.output.iterdir()) == []


def test_processes_that_hide_from_their_parents_count(bench: Bench) -> None:
    step = bench.run(FORKS_OUT_OF_SIGHT)

    assert (step.stopped_by, step.succeeded) == ("processes", False)


def test_a_step_that_takes_too_long_is_stopped(bench: Bench) -> None:
    step = bench.run(SLEEPS, replace(LIMITS, seconds=0.3))

    assert (step.stopped_by, step.remark) == ("time", "it ran longer than the 0.3 seconds it may take")


def test_what_was_kept_of_too_much_log_is_bounded(bench: Bench) -> None:
    bench.run(CHATTERS)

    assert LIMITS.log <= bench.transcript.stat().st_size < LIMITS.log + 1000


def test_shared_memory_is_bounded(boxed: Bench) -> None:
    step = boxed.run("cat /dev/zero > /dev/shm/filler", replace(LIMITS, disk=500 * MB))

    assert not step.succeeded
    assert any("No space left on device" in line for line in boxed.lines)


# What stays ----------------------------------------------------------------------------------------------------


def test_a_process_that_leaves_its_session_does_not_outlive_its_step(bench: Bench) -> None:
    step = bench.run(f"setsid sleep 4321.{OWN} > /dev/null 2>&1 & sleep 0.2")

    assert step.succeeded
    assert not has_process(f"sleep 4321.{OWN}")
    if OUTLIVING in bench.held.sandbox.open:
        assert step.remark == "1 of its processes outlived it, and was ended"


def test_nothing_is_left_of_a_step_that_was_stopped(bench: Bench) -> None:
    bench.run(f"for i in 1 2 3; do (setsid sleep 4322.{OWN} &); done; sleep 30", replace(LIMITS, seconds=0.4))

    assert not has_process(f"sleep 4322.{OWN}")


def test_a_link_in_the_output_that_points_outside_is_named_and_not_followed(bench: Bench) -> None:
    bench.run("ln -s /etc/passwd $outputDir/innocent; ln -s / $outputDir/all; echo good > $outputDir/good")

    output, remarks = collect(bench.box.output, LIMITS)

    assert [produced.path for produced in output] == ["good"]
    assert remarks == (
        "'all' is a link to '/', outside of the output, and was not followed",
        "'innocent' is a link to '/etc/passwd', outside of the output, and was not followed",
    )
