"""How much energy did the machine use?  Asks the package tirex-tracker, where it is installed.

    energy_meter   measure while inside; what is known is in the mapping it gives once outside
    Energy         joules by part of the machine, as in {"cpu": "12 J"}

The package measures in a process of its own.  There it can take the signal USR1 for itself, print, crash or hang, and
none of that reaches the command that is measured; what it measures is the whole machine, wherever it runs.  Without
the package, without counters in the machine, or without the right to read them, there is simply nothing in the mapping.
"""

from __future__ import annotations

import json
import os
import re
import select
import subprocess
import sys
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

Energy = dict[str, str]

_PACKAGE = "tirex_tracker"
_PATIENCE = 10.0  # seconds; the package needs half of one to start
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")

# Measures until its standard input ends.  What the package prints must not mix with the answer.
_METER = """
import json, os, sys
answer = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
sys.path[:] = json.loads(sys.argv[1])
import tirex_tracker
names = {"cpu": "CPU_ENERGY_SYSTEM_JOULES", "gpu": "GPU_ENERGY_SYSTEM_JOULES", "ram": "RAM_ENERGY_SYSTEM_JOULES"}
measures = {part: tirex_tracker.Measure[name] for part, name in names.items()}
handle = tirex_tracker.start_tracking(set(measures.values()))
print("ready", file=answer, flush=True)
sys.stdin.read()
results = tirex_tracker.stop_tracking(handle)
values = {part: results[measure].value for part, measure in measures.items() if measure in results}
texts = {part: value.decode() if isinstance(value, bytes) else str(value) for part, value in values.items()}
print(json.dumps(texts), file=answer, flush=True)
os._exit(0)
"""


@contextmanager
def energy_meter() -> Iterator[Energy]:
    """Measure the energy the machine uses inside; yield a mapping that is filled at the end with what is known."""
    energy: Energy = {}
    meter = _start()
    try:
        yield energy
    finally:
        if meter is not None:
            energy.update(_stop(meter))


def _start() -> subprocess.Popen[bytes] | None:
    """Start to measure; None where that is not possible."""
    meter = None
    with suppress(Exception):
        if find_spec(_PACKAGE) is None:
            return None
        # It works where it can leave nothing behind, and an interrupt from the terminal is not for it.
        places = json.dumps(sys.path)
        meter = subprocess.Popen(  # noqa: S603 - our own script
            [sys.executable, "-I", "-c", _METER, places],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=os.sep,
            start_new_session=True,
        )
        if meter.stdout and select.select([meter.stdout], [], [], _PATIENCE)[0] and meter.stdout.readline():
            return meter
    if meter is not None:
        _end(meter)
    return None


def _stop(meter: subprocess.Popen[bytes]) -> Energy:
    """Stop to measure, and return what is known: neither parts without a counter nor those that show nothing."""
    with suppress(Exception):
        answer, _ = meter.communicate(timeout=_PATIENCE)
        values = {str(part): str(value) for part, value in json.loads(answer).items()}
        return {part: f"{value} J" for part, value in values.items() if _NUMBER.fullmatch(value) and float(value) > 0}
    _end(meter)
    return {}


def _end(meter: subprocess.Popen[bytes]) -> None:
    """End a meter that does not answer."""
    with suppress(Exception):
        meter.kill()
        meter.communicate()
