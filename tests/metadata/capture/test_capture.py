"""Do the parts come together under the keys of the schema?"""

import subprocess
import sys
import venv
from pathlib import Path

import pytest

from primad.metadata import capture as package
from primad.metadata.capture import (
    Environment,
    active_environment,
    capture,
    capture_implementation,
    capture_platform,
    environment_of,
    this_environment,
)
from primad.metadata.capture.machine import hardware, operating_system
from primad.metadata.capture.repository import source

ENVIRONMENT = Environment("python==3.11.7", ("numpy==1.15.4", "pyserini==0.9"))


def test_the_platform_has_machine_system_and_software() -> None:
    assert capture_platform(ENVIRONMENT, ["java==17.0.15"]) == {
        "hardware": hardware(),
        "operating system": operating_system(),
        "software": {
            "libraries": {"python": ["numpy==1.15.4", "pyserini==0.9"]},
            "runtime": ["python==3.11.7", "java==17.0.15"],
        },
    }


def test_without_an_environment_no_package_is_named() -> None:
    assert "software" not in capture_platform()
    assert capture_platform(runtimes=["java==21"])["software"] == {"runtime": ["java==21"]}


def test_an_environment_without_packages_names_only_the_runtime() -> None:
    assert capture_platform(Environment("python==3.12.1", ()))["software"] == {"runtime": ["python==3.12.1"]}


def test_a_runtime_is_named_once() -> None:
    software = capture_platform(ENVIRONMENT, ["java==21", "python==3.11.7", "java==21"])["software"]

    assert software["runtime"] == ["python==3.11.7", "java==21"]


def test_a_graphics_card_is_part_of_the_hardware(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = tmp_path / "nvidia-smi"
    driver.write_text("#!/bin/sh\necho 'Tesla T4, 15360'\n", encoding="utf-8")
    driver.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))

    gpu = capture_platform()["hardware"]["gpu"]

    assert gpu == {"model": "Tesla T4", "memory": "16.1 GB", "number of gpus": 1}


def test_the_implementation_is_the_source_of_the_repository(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", "-b", "main", tmp_path], check=True)  # noqa: S607 - any git will do

    found = {"branch": "main", "uncommitted changes": False, "unchecked files": False}
    assert capture_implementation(tmp_path) == {"source": found}
    assert capture_implementation(tmp_path)["source"] == source(tmp_path)


def test_without_a_repository_there_is_no_implementation(tmp_path: Path) -> None:
    assert capture_implementation(tmp_path) == {}
    assert capture(tmp_path).keys() == {"platform"}


def test_both_components_are_captured_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    subprocess.run(["git", "init", "-q", "-b", "main", tmp_path], check=True)  # noqa: S607 - any git will do

    assert capture(tmp_path) == {
        "platform": capture_platform(active_environment()),
        "implementation": capture_implementation(tmp_path),
    }


# The environment a person works in ---------------------------------------------------------------------------------


@pytest.mark.parametrize("variable", ["VIRTUAL_ENV", "CONDA_PREFIX"])
def test_the_activated_environment_is_the_one_that_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    venv.create(tmp_path / "env", with_pip=False, symlinks=True)
    monkeypatch.setenv(variable, str(tmp_path / "env"))

    found = active_environment()

    assert found == environment_of(str(tmp_path / "env" / "bin" / "python"))
    assert found.libraries != this_environment().libraries


@pytest.mark.parametrize("folder", ["", "/no/such/environment"])
def test_without_an_activated_environment_it_is_that_of_python_on_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    monkeypatch.setenv("VIRTUAL_ENV", folder)
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    venv.create(tmp_path / "env", with_pip=False, symlinks=True)
    monkeypatch.setenv("PATH", str(tmp_path / "env" / "bin"))

    found = active_environment()

    assert found == environment_of(str(tmp_path / "env" / "bin" / "python"))
    assert found.libraries != this_environment().libraries


@pytest.mark.parametrize(
    ("activated", "path"),
    [
        pytest.param(sys.prefix, "", id="activated"),
        pytest.param("", str(Path(sys.executable).parent), id="on the path"),
        pytest.param("", "/no/such/folder", id="no other"),
    ],
)
def test_where_primad_lives_is_the_environment_if_there_is_no_other(
    monkeypatch: pytest.MonkeyPatch, activated: str, path: str
) -> None:
    monkeypatch.setenv("VIRTUAL_ENV", activated)
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    monkeypatch.setenv("PATH", path)

    assert active_environment() == this_environment()


# What it costs -------------------------------------------------------------------------------------------------------


def test_nothing_heavy_is_imported() -> None:
    code = "import sys, primad.metadata.capture, primad.metadata.secrets; print(*sys.modules)"

    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert {"numpy", "polars", "pydantic", "psutil", "importlib.metadata"} & set(said.stdout.split()) == set()


def test_the_public_names_are_sorted_and_resolve() -> None:
    assert package.__all__ == sorted(package.__all__)
    assert [name for name in package.__all__ if not hasattr(package, name)] == []
