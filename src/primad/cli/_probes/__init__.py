"""What of all that primad can use is here, and does it work?

    look_around   look at everything
    look, PROBES  look at some things, each for a bounded time; and all that there are

    found         what a look gives
    packages      the packages that primad asks for
    programs      sandboxes, container engines, and other programs
    settings      an archive, a site, a cluster
    veil          what must not be said about this machine and its people

A look changes nothing: no folder is made, no table brought up to date.  One that goes wrong is found to fail; it is
never an exception.
"""

from __future__ import annotations

import os
import platform
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial

from primad.cli._probes import packages, programs, settings
from primad.cli._probes.found import Found, State, Surroundings
from primad.cli._probes.veil import Veil
from primad.errors import PrimadError

__all__ = ["PROBES", "SECONDS", "look", "look_around"]

SECONDS = 6.0  # for each look; all are taken at the same time
_LONGEST = 400  # characters of what others say

Probe = Callable[[], Found]


PROBES: dict[str, Probe] = {
    "packages": packages.core,
    **{name: partial(programs.engine, name) for name in ("docker", "podman")},
    "bubblewrap": programs.bubblewrap,
    "plain": programs.plain,
    **{name: partial(programs.program, name, purpose) for name, purpose in programs.PROGRAMS.items()},
    "sbatch": programs.slurm,
    "archive": settings.archive,
    "site": settings.site,
    "cluster": settings.cluster,
}


def look_around() -> Surroundings:
    """Return what is here; each thing is looked at for a few seconds at most."""
    from importlib.metadata import version

    return Surroundings(
        primad=version("primad"),
        python=f"{platform.python_version()} ({platform.python_implementation()})",
        platform=Veil.of(os.environ).over(_platform()),
        libraries=dict(packages.libraries()),
        extras=tuple(packages.extras()),
        variables=tuple(sorted(name for name in os.environ if name.startswith("PRIMAD_"))),
        found=tuple(look(PROBES)),
    )


def look(probes: Mapping[str, Probe], seconds: float = SECONDS) -> Iterator[Found]:
    """Yield what each of PROBES finds within SECONDS; all of them look at the same time."""
    veil = Veil.of(os.environ)
    answers: dict[str, Found] = {}

    def note(name: str, probe: Probe) -> None:
        answers[name] = _caught(name, probe)

    # Who hangs is left alone: the process ends without waiting for it.
    threads = {name: threading.Thread(target=note, args=(name, probe), daemon=True) for name, probe in probes.items()}
    for thread in threads.values():
        thread.start()
    end = time.monotonic() + seconds
    for name, thread in threads.items():
        thread.join(max(0.0, end - time.monotonic()))
        late = Found(name, State.FAILS, f"gave no answer within {seconds:g} s", "see whether it answers you at all")
        yield _veiled(answers.get(name, late), veil)


def _caught(name: str, probe: Probe) -> Found:
    """Return what PROBE finds; whatever goes wrong is the finding."""
    try:
        return probe()
    except PrimadError as error:
        return Found(name, State.FAILS, str(error))
    except Exception as error:  # noqa: BLE001 - a report on what does not work must not be part of it
        return Found(name, State.FAILS, f"{type(error).__name__}: {error}")


def _veiled(found: Found, veil: Veil) -> Found:
    """Return what was FOUND without what must not be said."""
    detail, advice = (veil.over(" ".join(text.split()))[:_LONGEST] for text in (found.detail, found.advice))
    return replace(found, detail=detail, advice=advice)


def _platform() -> str:
    """Return the kind of machine and system, which many have."""
    try:
        name = platform.freedesktop_os_release().get("PRETTY_NAME", "")
    except OSError:
        name = ""
    system = f"{platform.system()} {platform.release()} {platform.machine()}"
    return ", ".join(filter(None, (name, system, " ".join(platform.libc_ver()).strip())))
