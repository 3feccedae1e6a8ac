"""Do jobs of Slurm do the work, and is a Slurm that refuses or says nothing told?

One test has a real Slurm with one node, this machine; the others have commands that look like those of Slurm.
"""

import os
import secrets
import shutil
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from primad.compute import Place, Slurm, each
from primad.errors import UsageError, WorkError

pytestmark = pytest.mark.xdist_group("dask")

DAEMONS = ("munged", "slurmctld", "slurmd", "sbatch")
NEEDED = "needs root, and slurmctld, slurmd and munge of Slurm"

SETTINGS = """
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={daemon}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(number: int) -> list[int]:
    """Return ports that nobody listens at."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


@pytest.fixture
def slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the folder of a Slurm that runs."""
    if os.geteuid() != 0 or not all(map(shutil.which, DAEMONS)):
        pytest.skip(NEEDED)
    folder = tmp_path / "slurm"
    for part in ("state", "spool"):
        (folder / part).mkdir(parents=True)
    controller, daemon = free_ports(2)
    settings = folder / "slurm.conf"
    host = socket.gethostname().partition(".")[0]
    settings.write_text(SETTINGS.format(host=host, controller=controller, daemon=daemon, folder=folder))
    monkeypatch.setenv("SLURM_CONF", str(settings))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    monkeypatch.chdir(tmp_path)
    processes = [
        start("munged", "--foreground", "--force", *munge_options(folder), log=folder),
        start("slurmctld", "-D", log=folder),
        start("slurmd", "-D", log=folder),
    ]
    try:
        await_node()
        yield folder
    finally:
        for process in reversed(processes):
            process.terminate()
            process.wait(30)


def munge_options(folder: Path) -> list[str]:
    """Return how munged is kept apart from one that may run here."""
    key = folder / "munge.key"
    key.write_bytes(secrets.token_bytes(128))
    key.chmod(0o600)
    places = {"socket": "socket", "key-file": "key", "pid-file": "pid", "seed-file": "seed", "log-file": "log"}
    return [f"--{option}={folder}/munge.{ending}" for option, ending in places.items()]


def start(*words: str, log: Path) -> subprocess.Popen[bytes]:
    """Start a daemon in the foreground."""
    with (log / f"{words[0]}.said").open("wb") as stream:
        return subprocess.Popen(words, stdout=stream, stderr=stream)


def await_node() -> None:
    """Wait until the node takes jobs."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        said = subprocess.run(["sinfo", "--noheader", "--format=%t"], capture_output=True, text=True, check=False)  # noqa: S607
        if said.stdout.strip() == "idle":
            return
        time.sleep(0.2)
    raise TimeoutError(said.stdout + said.stderr)


def where(_: int) -> tuple[str, int]:
    """Return the job that this process is in, and its number."""
    time.sleep(0.2)
    return os.environ["SLURM_JOB_ID"], os.getpid()


def queued() -> str:
    """Return which jobs wait or run."""
    return subprocess.run(["squeue", "--noheader"], capture_output=True, text=True, check=True).stdout  # noqa: S607


@pytest.mark.slow
@pytest.mark.usefixtures("slurm")
def test_jobs_of_a_real_slurm_do_the_work() -> None:
    settings = Slurm(jobs=2, cores=1, memory="400MB", walltime="00:05:00", queue="main", interface="lo")

    places = list(each(where, range(30), place=Place(slurm=settings)))

    assert len({job for job, _ in places}) == 2
    assert len({process for _, process in places}) == 2
    end = time.monotonic() + 30
    while queued() and time.monotonic() < end:  # a job that was cancelled needs a moment to end
        time.sleep(0.2)
    assert queued() == ""
    with pytest.raises(UsageError, match=r"Slurm refuses such a job: .*invalid partition"):
        list(each(where, [1], place=Place(slurm=Slurm(queue="closed", interface="lo"))))


# What looks like Slurm -------------------------------------------------------------------------------------------


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody wait long."""
    monkeypatch.setattr("primad.compute._QUIET", 0.2)


def slowly(number: int) -> int:
    time.sleep(0.1)
    return -number


# Takes a job as Slurm does, and runs its script here at once.
SBATCH = """#!{python}
import itertools, os, pathlib, subprocess, sys

folder = pathlib.Path({folder!r})
if sys.argv[1:] == ["--test-only"]:
    script = sys.stdin.read()
    if "#SBATCH -p closed" in script:
        sys.exit("sbatch: error: invalid partition specified: closed")
    sys.exit(0)
number = 1 + len(list(folder.glob("job-*")))
(folder / f"job-{{number}}").write_text(pathlib.Path(sys.argv[1]).read_text())
with (folder / f"slurm-{{number}}.out").open("wb") as log:
    job = subprocess.Popen(["bash", str(folder / f"job-{{number}}")], stdout=log, stderr=log, start_new_session=True)
(folder / f"pid-{{number}}").write_text(str(job.pid))
print("Submitted batch job", number)
"""
SQUEUE = """#!{python}
import pathlib
folder = pathlib.Path({folder!r})
for path in folder.glob("pid-*"):
    if pathlib.Path("/proc", path.read_text()).exists():
        print(path.name.removeprefix("pid-"))
"""
SCANCEL = """#!{python}
import os, pathlib, signal, sys
folder = pathlib.Path({folder!r})
for number in sys.argv[1:]:
    (folder / f"cancelled-{{number}}").touch()
    try:
        os.killpg(int((folder / f"pid-{{number}}").read_text()), signal.SIGTERM)
    except ProcessLookupError:
        pass
"""


@pytest.fixture
def queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder in which jobs are noted that are handed to what looks like Slurm."""
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, text in (("sbatch", SBATCH), ("squeue", SQUEUE), ("scancel", SCANCEL)):
        path = commands / name
        path.write_text(text.format(python=sys.executable, folder=str(tmp_path)))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{commands}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
    return tmp_path


@pytest.mark.slow
def test_jobs_of_slurm_do_the_work_and_are_cancelled_at_the_end(queue: Path) -> None:
    settings = Slurm(jobs=2, memory="500MB", walltime="00:05:00", queue="short", account="lab")

    found = list(each(slowly, range(12), place=Place(slurm=settings)))

    assert sorted(found) == list(range(-11, 1))
    scripts = [path.read_text().splitlines() for path in sorted(queue.glob("job-*"))]
    asked = {
        "#SBATCH -p short",
        "#SBATCH -A lab",
        "#SBATCH -t 00:05:00",
        "#SBATCH --cpus-per-task=1",
        "#SBATCH --mem=477M",
    }
    assert [asked - {*script} for script in scripts] == [set(), set()]
    assert sorted(path.name for path in queue.glob("cancelled-*")) == ["cancelled-1", "cancelled-2"]


HAND_IN = """
import signal, sys, threading
from primad.compute import Place, Slurm, each
from primad.errors import UsageError

def hand_in():
    try:
        list(each(len, ["job"], place=Place(slurm=Slurm(queue="closed"))))
    except UsageError as error:
        print(error)
"""


@pytest.mark.usefixtures("queue")
def test_who_hands_jobs_to_slurm_can_still_be_interrupted() -> None:
    code = f"{HAND_IN}hand_in(); print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"

    said = subprocess.check_output([sys.executable, "-c", code], text=True)

    assert said.splitlines()[1:] == ["True"]


@pytest.mark.usefixtures("queue")
def test_a_thread_that_is_the_first_to_ask_for_slurm_is_told_what_to_do() -> None:
    code = f"{HAND_IN}thread = threading.Thread(target=hand_in); thread.start(); thread.join()"

    said = subprocess.check_output([sys.executable, "-c", code], text=True)

    assert said == "expected the main thread to hand in jobs to Slurm, found another; begin the work there\n"


@pytest.mark.usefixtures("queue")
def test_settings_of_dask_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    settings = tmp_path / "broken.yaml"
    settings.write_text("a: [1\n")
    where = os.environ | {"DASK_CONFIG": str(tmp_path)}

    said = subprocess.check_output([sys.executable, "-c", f"{HAND_IN}hand_in()"], text=True, env=where)

    assert said.startswith("Dask does not start: ")
    assert said.count("\n") == 1
    assert str(settings) in said


def test_what_slurm_refuses_is_told_in_its_words(queue: Path) -> None:
    with pytest.raises(UsageError) as caught:
        list(each(slowly, [1], place=Place(slurm=Slurm(queue="closed"))))

    assert str(caught.value) == "Slurm refuses such a job: sbatch: error: invalid partition specified: closed"
    assert list(queue.glob("job-*")) == []


@pytest.mark.usefixtures("hasty")
def test_jobs_that_end_before_they_work_are_told(queue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")  # by which jobs start a worker

    with pytest.raises(WorkError, match="the jobs in Slurm ended before they could work"):
        list(each(slowly, [1], place=Place(slurm=Slurm())))

    assert len(list(queue.glob("job-*"))) == 1


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        pytest.param({"memory": "plenty"}, "Could not interpret 'plenty'", id="memory"),
        pytest.param({"interface": "ib99"}, "'ib99' is not a valid network interface", id="network"),
    ],
)
def test_what_no_machine_has_is_refused(queue: Path, settings: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=f"Slurm cannot be asked for that: {said}"):
        list(each(slowly, [1], place=Place(slurm=Slurm(**settings))))

    assert list(queue.glob("job-*")) == []


def say_nothing_for_a_while(queue: Path, command: str) -> None:
    """Let a COMMAND of Slurm take three seconds, and then say nothing."""
    (queue / "bin" / command).write_text(f"#!{sys.executable}\nimport time\ntime.sleep(3)\n")


def test_a_slurm_that_says_nothing_is_not_waited_for(queue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("primad.compute.slurm.ANSWERS_WITHIN", 0.5)
    say_nothing_for_a_while(queue, "sbatch")

    with pytest.raises(WorkError, match=r"sbatch did not answer within 0\.5 seconds; try again once Slurm does"):
        list(each(slowly, [1], place=Place(slurm=Slurm())))


@pytest.mark.usefixtures("hasty")
def test_jobs_that_slurm_says_nothing_about_are_waited_for(queue: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("primad.compute.slurm.ANSWERS_WITHIN", 0.2)
    say_nothing_for_a_while(queue, "squeue")

    assert list(each(slowly, [1], place=Place(slurm=Slurm(memory="500MB")))) == [-1]
