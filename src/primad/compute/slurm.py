"""Who does work in the jobs of Slurm?

SlurmJobs   a Dask cluster whose workers are jobs, which Slurm starts where and when there is room
"""

from __future__ import annotations

import math
import shutil
import signal
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

from primad.compute.cluster import Cluster, dask_module
from primad.errors import UsageError, WorkError

if TYPE_CHECKING:
    from primad.compute.place import Slurm


# Seconds for Slurm to answer a question; it tries for some time itself when it is busy.
ANSWERS_WITHIN = 60


class SlurmJobs(Cluster):
    """Does work in jobs that are handed to Slurm, and cancelled once there is nothing more to do."""

    def __init__(self, slurm: Slurm) -> None:
        """Hand in the jobs of SLURM."""
        self._jobs = _jobs(slurm)
        try:
            super().__init__(self._jobs.scheduler_address)
        except BaseException:
            self._jobs.close()
            raise
        self.place = "the Dask cluster in Slurm"
        self.seen = math.inf  # jobs may stand in a queue for hours before the first can work

    def refuse_to_wait_for_nobody(self) -> None:
        """Raise an error if no job waits in the queue, or if there was nobody to work for a while."""
        if self.seen < math.inf:
            super().refuse_to_wait_for_nobody()
        elif not _is_queued(self._jobs):
            raise WorkError("the jobs in Slurm ended before they could work; slurm-*.out may say why")

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT001, FBT002
        """End the work, then the jobs."""
        super().shutdown(wait, cancel_futures=cancel_futures)
        self._jobs.close()


def _jobs(slurm: Slurm) -> Any:
    """Return the jobs of SLURM, handed in."""
    library = _library()
    if shutil.which("sbatch") is None:
        raise UsageError("expected sbatch, by which jobs are handed to Slurm, found none; work where it is installed")
    _refuse_what_no_machine_has(slurm)
    jobs = library.SLURMCluster(
        cores=slurm.cores,
        processes=slurm.cores,  # a process each: threads of one would get into each other's way
        memory=slurm.memory,
        walltime=slurm.walltime,
        queue=slurm.queue or None,
        account=slurm.account or None,
        interface=slurm.interface or None,
        scheduler_options={"dashboard": False, "dashboard_address": "127.0.0.1:0"},  # at any port that is free
        worker_extra_args=["--no-dashboard"],
    )
    try:
        _refuse_what_slurm_refuses(jobs.job_script())
        jobs.scale(jobs=slurm.jobs)
    except BaseException:
        jobs.close()
        raise
    return jobs


def _library() -> Any:
    """Return what hands in jobs; its import takes Ctrl-C for itself, to end us in silence as if all was done."""
    name = "dask_jobqueue"
    if name not in sys.modules and threading.current_thread() is not threading.main_thread():
        raise UsageError("expected the main thread to hand in jobs to Slurm, found another; begin the work there")
    before = signal.getsignal(signal.SIGINT)
    try:
        return dask_module(name)
    finally:
        if signal.getsignal(signal.SIGINT) is not before:
            signal.signal(signal.SIGINT, before)


def _refuse_what_no_machine_has(slurm: Slurm) -> None:
    """Refuse a size of memory that is none, and a network that this machine is not in."""
    try:
        dask_module("dask.utils").parse_bytes(slurm.memory)
        if slurm.interface:
            dask_module("distributed.utils").get_ip_interface(slurm.interface)
    except ValueError as error:
        raise UsageError(f"Slurm cannot be asked for that: {error}") from None


def _refuse_what_slurm_refuses(script: str) -> None:
    """Raise an error with Slurm's own words if it would not take the job SCRIPT."""
    try:
        said = _said("sbatch", "--test-only", script=script)
    except subprocess.TimeoutExpired:
        raise WorkError(f"sbatch did not answer within {ANSWERS_WITHIN} seconds; try again once Slurm does") from None
    if said.returncode:
        raise UsageError(f"Slurm refuses such a job: {' '.join(said.stderr.split()):.300}")


def _is_queued(jobs: Any) -> bool:
    """Tell whether one of JOBS waits or works, as far as Slurm can be asked."""
    ours = {str(job.job_id) for job in jobs.workers.values() if job.job_id}
    try:
        said = _said("squeue", "--noheader", "--format=%i")
    except (OSError, subprocess.TimeoutExpired):
        return True
    return bool(said.returncode) or bool(ours & {*said.stdout.split()})


def _said(*words: str, script: str = "") -> subprocess.CompletedProcess[str]:
    """Return what a command of Slurm says to WORDS and SCRIPT, which it must do soon."""
    return subprocess.run(  # noqa: S603 - the words are ours
        words, input=script, capture_output=True, text=True, check=False, timeout=ANSWERS_WITHIN
    )
