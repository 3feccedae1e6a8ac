"""Is the machine described as it is?"""

import os
import platform
import re
import subprocess
from pathlib import Path

import pytest

from primad.metadata.capture.machine import (
    _cpu_of_linux,
    _operation_mode,
    cpu_of,
    hardware,
    operating_system,
    pretty_name,
)

TWO_CORES_FOUR_THREADS = "\n\n".join(
    f"processor\t: {thread}\nmodel name\t: Intel(R) Xeon(R) Gold 6144\nphysical id\t: 0\ncore id\t\t: {core}"
    for thread, core in enumerate([0, 1, 0, 1])
)
TWO_SOCKETS = "\n\n".join(
    f"processor\t: {socket}\nmodel name\t: AMD EPYC\nphysical id\t: {socket}\ncore id\t\t: 0" for socket in (0, 1)
)
ARM = "processor\t: 0\nBogoMIPS\t: 50.00\nCPU implementer\t: 0x41\n\nprocessor\t: 1\nBogoMIPS\t: 50.00\n"


# The processor -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cpuinfo", "expected"),
    [
        pytest.param(
            TWO_CORES_FOUR_THREADS,
            {"model": "Intel(R) Xeon(R) Gold 6144", "number of cores": 2},
            id="threads of a core are not counted",
        ),
        pytest.param(TWO_SOCKETS, {"model": "AMD EPYC", "number of cores": 2}, id="cores of two sockets are"),
        pytest.param("model name: Xeon: the 2nd\n", {"model": "Xeon: the 2nd"}, id="no core named"),
        pytest.param(ARM, {}, id="ARM names neither"),
        pytest.param("model name\t:\ncore\n\n\n:::", {}, id="garbage"),
        pytest.param("", {}, id="nothing"),
    ],
)
def test_model_and_physical_cores_are_read(cpuinfo: str, expected: dict[str, object]) -> None:
    assert cpu_of(cpuinfo) == expected


@pytest.mark.parametrize(
    ("says", "model"),
    [
        pytest.param("Architecture:  aarch64\nModel name:    Neoverse-N1\nModel: 1\n", "Neoverse-N1", id="the model"),
        pytest.param("Architecture:  aarch64\nModel name:    -\n", "", id="a dash"),
        pytest.param("Architecture:  aarch64\n", "", id="no model"),
    ],
)
def test_lscpu_names_the_model_that_the_kernel_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: str, model: str
) -> None:
    program = tmp_path / "lscpu"
    program.write_text(f"#!/bin/sh\ntest \"$LC_ALL\" = C && printf '%s' '{says}'\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("primad.metadata.capture.machine.read_text", lambda _: ARM)

    assert _cpu_of_linux() == {"model": model}


def test_without_lscpu_there_is_no_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("primad.metadata.capture.machine.read_text", lambda _: ARM)

    cpu = hardware()["cpu"]

    assert "model" not in cpu
    assert cpu["number of cores"] == os.cpu_count()


@pytest.mark.parametrize(
    ("architecture", "mode"),
    [
        ("x86_64", "64-bit"),
        ("aarch64", "64-bit"),
        ("arm64", "64-bit"),
        ("ppc64le", "64-bit"),
        ("s390x", "64-bit"),
        ("i686", "32-bit"),
        ("armv7l", "32-bit"),
        ("mystery", None),
        ("", None),
    ],
)
def test_the_operation_mode_follows_from_the_architecture(architecture: str, mode: str | None) -> None:
    assert _operation_mode(architecture) == mode


def test_this_machine_is_described_with_the_keys_of_the_schema() -> None:
    facts = hardware()

    assert facts["cpu"]["architecture"] == platform.machine()
    assert 1 <= facts["cpu"]["number of cores"] <= (os.cpu_count() or 1)
    assert facts["cpu"].keys() <= {"model", "architecture", "operation mode", "number of cores"}
    assert facts.keys() == {"cpu", "ram"}


def test_memory_is_counted_in_decimal_gigabytes() -> None:
    kibibytes = re.search(r"^MemTotal:\s+(\d+) kB", Path("/proc/meminfo").read_text(encoding="utf-8"), re.MULTILINE)

    assert kibibytes is not None
    assert re.fullmatch(r"\d+\.\d GB", hardware()["ram"])
    assert float(hardware()["ram"].removesuffix(" GB")) == pytest.approx(int(kibibytes[1]) * 1024 / 1e9, abs=0.06)


# The system ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param('PRETTY_NAME="Ubuntu 18.04.5 LTS"\nNAME="Ubuntu"\n', "Ubuntu 18.04.5 LTS", id="double quotes"),
        pytest.param("PRETTY_NAME='Arch Linux'\n", "Arch Linux", id="single quotes"),
        pytest.param("PRETTY_NAME=Arch\n", "Arch", id="no quotes"),
        pytest.param('# PRETTY_NAME="x"\n\nPRETTY_NAME="A \\"b\\" \\$c"\n', 'A "b" $c', id="escapes and a comment"),
        pytest.param('  PRETTY_NAME = "Debian"  \r\n', "Debian", id="blanks"),
        pytest.param('NAME="Debian GNU/Linux"\nVERSION="12"\n', "Debian GNU/Linux 12", id="name and version"),
        pytest.param('NAME="Debian"\nPRETTY_NAME=""\n', "Debian", id="an empty one"),
        pytest.param('PRETTY_NAME="Debian\n', '"Debian', id="a quote that does not end"),
        pytest.param("ID=debian\nrubbish\n=\n", None, id="no name"),
        pytest.param("", None, id="nothing"),
    ],
)
def test_the_name_of_the_distribution_is_read(text: str, expected: str | None) -> None:
    assert pretty_name(text) == expected


def test_the_distribution_is_what_a_shell_reads() -> None:
    said = subprocess.run(
        ["/bin/sh", "-c", '. /etc/os-release && printf %s "$PRETTY_NAME"'], capture_output=True, text=True, check=True
    )

    assert operating_system()["distribution"] == said.stdout


def test_the_kernel_is_named_with_its_release() -> None:
    assert operating_system()["kernel"] == f"Linux {os.uname().release}"
