"""Do jobs of a real Slurm do the work?  It has one node, this machine, and lives as long as the test."""

import os
import secrets
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from primad.compute import Place, Slurm, each
from primad.errors import UsageError

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
@pytest.mark.xdist_group("dask")
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
