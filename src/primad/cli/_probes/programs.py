"""Which programs that primad can use are here, and do they work?

PROGRAMS     programs, and what each is for
program      one of them
engine       what runs containers
slurm        what jobs are handed to
bubblewrap   the sandbox for systems of others, by its self-test
plain        no sandbox
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from primad.cli._probes.found import Found, State

_SECONDS = 4.0  # for a program to say its version


PROGRAMS = {
    "git": "to record which commit made a run, and for primad rerun",
    "strace": "for primad exec --trace",
}
_SLURM_SETTINGS = "/etc/slurm/slurm.conf"


def program(name: str, purpose: str) -> Found:
    """Find out whether the program NAME, which is here for a PURPOSE, starts."""
    if shutil.which(name) is None:
        return Found(name, State.ABSENT, f"not installed; needed {purpose}")
    said = _said(name, "--version")
    if said.returncode:
        return Found(name, State.FAILS, _words(said), f"install {name} anew; it is needed {purpose}")
    return Found(name, State.WORKS, _words(said))


def engine(name: str) -> Found:
    """Find out whether the container engine that the program NAME speaks to answers."""
    purpose = "to run systems in a container (--image NAME)"
    if shutil.which(name) is None:
        return Found(name, State.ABSENT, f"not installed; needed {purpose}")
    said = _said(name, "version", "--format", "{{.Server.Version}}")
    version = said.stdout.strip()
    if not said.returncode and version:
        return Found(name, State.WORKS, f"engine {version}; used {purpose}")
    asked_for = [one for one in ("DOCKER_HOST", "CONTAINER_HOST") if os.environ.get(one)]
    if asked_for:  # somebody means to use it
        return Found(name, State.FAILS, _words(said), f"start the engine that {asked_for[0]} names, or unset it")
    return Found(name, State.ABSENT, f"no engine answers; needed {purpose}")


def slurm() -> Found:
    """Find out whether jobs can be handed to Slurm."""
    what, purpose = "sbatch", "to hand work to Slurm (--slurm)"
    if shutil.which(what) is None:
        return Found(what, State.ABSENT, f"not installed; needed {purpose}")
    version = _said(what, "--version")
    is_set_up = bool(os.environ.get("SLURM_CONF")) or Path(_SLURM_SETTINGS).exists()
    if version.returncode and not is_set_up:  # a site may hand out its settings over the network, so it is asked first
        return Found(what, State.ABSENT, f"no cluster is set up; needed {purpose}")
    for said in (version, _said("sinfo", "--noheader", "--format=%P")):
        if said.returncode:
            return Found(
                what, State.FAILS, _words(said), f"correct SLURM_CONF or {_SLURM_SETTINGS}, and start slurmctld"
            )
    return Found(what, State.WORKS, f"{_words(version)}, whose controller answers")


def _said(*command: str) -> subprocess.CompletedProcess[str]:
    """Return what COMMAND said within a few seconds; one that says nothing has failed."""
    try:
        return subprocess.run(  # noqa: S603 - fixed words
            command,
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, 1, "", f"gave no answer within {_SECONDS:g} s")


def _words(said: subprocess.CompletedProcess[str]) -> str:
    """Return the first line that a program SAID."""
    lines = (said.stdout.strip() or said.stderr.strip()).splitlines()
    return lines[0] if lines else f"ended with status {said.returncode} and no word"


# Sandboxes ------------------------------------------------------------------------------------------------------


def bubblewrap() -> Found:
    """Find out what bubblewrap keeps a command from, by trying."""
    from primad.replay.sandbox.bubblewrap import Bubblewrap
    from primad.replay.sandbox.self_test import is_there, try_out

    what, install = "bubblewrap", "install bubblewrap (apt-get install bubblewrap), or name an image of a container"
    if sys.platform != "linux":
        return Found(what, State.ABSENT, "there is none but on Linux")
    if not is_there("bwrap"):
        return Found(what, State.ABSENT, "not installed; needed to run systems of others in a sandbox", install)
    tried = try_out(Bubblewrap())
    if tried.broken:
        return Found(
            what, State.FAILS, f"does not work here ({tried.broken})", "docs/guides/sandbox.md tells what it needs"
        )
    if tried.open:
        return Found(what, State.FAILS, f"does not keep a command from {', '.join(tried.open)}", "do not use it")
    return Found(what, State.WORKS, f"keeps a command from {', '.join(tried.held)}")


def plain() -> Found:
    """Find out whether commands run without a sandbox."""
    from primad.replay.sandbox.plain import Plain
    from primad.replay.sandbox.self_test import try_out

    tried = try_out(Plain())
    if tried.broken:
        return Found("plain", State.FAILS, f"no command runs here ({tried.broken})", "is there a bash?")
    return Found(
        "plain", State.WORKS, f"no sandbox: for systems that you trust only (--trust); open are {', '.join(tried.open)}"
    )
