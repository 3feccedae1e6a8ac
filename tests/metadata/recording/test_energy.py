"""Is the energy known where it can be, and is nothing disturbed where it cannot?

Machines that run these tests have no energy counters, and most have no tirex-tracker.  A stand-in takes its place: a
module of the same name, with the names and the kinds of values of its Python API that are used (as of 0.2.24).
"""

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from primad.metadata.recording import energy
from primad.metadata.recording.command import execute
from primad.metadata.recording.energy import energy_meter

STAND_IN = """
import enum, os, signal, sys, time
from typing import NamedTuple

class Measure(enum.IntEnum):
    CPU_ENERGY_SYSTEM_JOULES = 8
    RAM_ENERGY_SYSTEM_JOULES = 24
    GPU_ENERGY_SYSTEM_JOULES = 33

class ResultEntry(NamedTuple):
    source: Measure
    value: bytes
    type: int

VALUES = {}

def abort(number, frame):
    raise RuntimeError("the tracker encountered a problem")

def start_tracking(measures):
    signal.signal(signal.SIGUSR1, abort)
    assert set(measures) == set(Measure)
    return "handle"

def stop_tracking(handle):
    assert handle == "handle"
    return {measure: ResultEntry(measure, VALUES[measure.name[:3].lower()], 0)
            for measure in Measure if measure.name[:3].lower() in VALUES}
"""

Install = Callable[[str], None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Return what installs the stand-in for tirex-tracker, followed by further lines of code."""

    def write(code: str) -> None:
        (tmp_path / "packages").mkdir()
        (tmp_path / "packages" / "tirex_tracker.py").write_text(STAND_IN + textwrap.dedent(code), encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path / "packages")

    return write


def measured(monkeypatch: pytest.MonkeyPatch, folder: Path) -> dict[str, str]:
    """Return what the meter says, used in FOLDER."""
    monkeypatch.chdir(folder)
    with energy_meter() as known:
        assert known == {}
    return known


def test_without_the_package_nothing_is_known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(energy, "_PACKAGE", "tirex_tracker_that_is_not_installed")

    assert measured(monkeypatch, tmp_path) == {}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param(
            {"cpu": b"12", "ram": b"3", "gpu": b"104"}, {"cpu": "12 J", "ram": "3 J", "gpu": "104 J"}, id="all parts"
        ),
        pytest.param({"cpu": b"12.5"}, {"cpu": "12.5 J"}, id="one part, with a fraction"),
        pytest.param({"cpu": "12"}, {"cpu": "12 J"}, id="text for bytes"),
        pytest.param({"cpu": b"null", "ram": b"0", "gpu": b"7"}, {"gpu": "7 J"}, id="no counter, and nothing counted"),
        pytest.param({"cpu": b"0.000", "ram": b"-1", "gpu": b"nan"}, {}, id="no numbers of joules"),
        pytest.param({}, {}, id="nothing"),
    ],
)
def test_what_is_known_is_given_in_joules(
    install: Install,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    values: dict[str, bytes],
    expected: dict[str, str],
) -> None:
    install(f"VALUES = {values!r}")

    assert measured(monkeypatch, tmp_path) == expected


@pytest.mark.parametrize(
    "code",
    [
        pytest.param("raise RuntimeError('unsupported platform')", id="cannot be imported"),
        pytest.param("def start_tracking(measures): raise ValueError('invalid argument')", id="cannot start"),
        pytest.param("def stop_tracking(handle): raise RuntimeError('an error occurred')", id="cannot stop"),
        pytest.param("def start_tracking(measures): os._exit(0)", id="dies at the start"),
        pytest.param("def stop_tracking(handle): os.kill(os.getpid(), signal.SIGSEGV)", id="crashes at the end"),
        pytest.param("def start_tracking(measures): os.kill(os.getpid(), signal.SIGUSR1)", id="gives itself up"),
        pytest.param("del Measure", id="has changed"),
    ],
)
def test_a_package_that_fails_means_that_nothing_is_known(
    install: Install, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, code: str
) -> None:
    install(f"VALUES = {{'cpu': b'12'}}\n{code}")

    assert measured(monkeypatch, tmp_path) == {}


@pytest.mark.parametrize("function", ["start_tracking", "stop_tracking"])
def test_a_package_that_hangs_is_not_waited_for(
    install: Install, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, function: str
) -> None:
    install(f"def {function}(argument): open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid())); time.sleep(600)")
    monkeypatch.setattr(energy, "_PATIENCE", 1.0)

    assert measured(monkeypatch, tmp_path) == {}
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text(encoding="utf-8")), 0)


def test_what_the_package_prints_and_writes_gets_nowhere_near(
    install: Install, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    install("""
        VALUES = {'cpu': b'12'}
        print("a warning", flush=True)
        os.write(1, b"another"), os.write(2, b"and another")
        assert os.getcwd() == "/"
    """)
    (tmp_path / "folder").mkdir()

    assert measured(monkeypatch, tmp_path / "folder") == {"cpu": "12 J"}
    assert list((tmp_path / "folder").iterdir()) == []
    assert capfd.readouterr() == ("", "")


def test_nothing_is_imported_from_the_current_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    code = f"open({str(tmp_path / 'imported')!r}, 'w')"
    (tmp_path / "tirex_tracker.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend("")

    assert measured(monkeypatch, tmp_path) == {}
    assert not (tmp_path / "imported").exists()


def test_an_error_inside_is_not_hidden_and_the_meter_is_stopped(install: Install) -> None:
    install("VALUES = {'cpu': b'12'}")

    with pytest.raises(ValueError, match="inside"), energy_meter() as known:
        raise ValueError("inside")

    assert known == {"cpu": "12 J"}


def test_a_command_can_be_executed_and_gets_its_signals_while_energy_is_measured(install: Install) -> None:
    install("VALUES = {'cpu': b'12'}")
    before = signal.getsignal(signal.SIGUSR1)

    with energy_meter() as known:
        execution = execute(["sh", "-c", "kill -USR1 $$"])

    assert (execution.status, known) == (128 + signal.SIGUSR1, {"cpu": "12 J"})
    assert signal.getsignal(signal.SIGUSR1) == before


def test_a_meter_whose_owner_was_killed_ends_as_well(install: Install, tmp_path: Path) -> None:
    install(f"def stop_tracking(handle): open({str(tmp_path / 'stopped')!r}, 'w').close()")
    code = f"""
import os, sys
sys.path.insert(0, {str(tmp_path / "packages")!r})
from primad.metadata.recording.energy import energy_meter
with energy_meter():
    os.kill(os.getpid(), 9)
"""

    owner = subprocess.run([sys.executable, "-c", code], check=False)

    assert owner.returncode == -signal.SIGKILL
    for _ in range(1000):
        if (tmp_path / "stopped").exists():
            break
        time.sleep(0.02)
    assert (tmp_path / "stopped").exists()
