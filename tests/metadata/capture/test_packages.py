"""Are the packages those that a program would import?"""

import json
import os
import platform
import sys
import venv
from importlib import metadata
from pathlib import Path

import pytest

from primad.metadata.capture.packages import (
    Environment,
    environment_of,
    is_java,
    is_python,
    java_runtime,
    this_environment,
)


def add_package(site: Path, name: str, text: str, file: str = "METADATA") -> None:
    """Install what a package leaves behind for others to read."""
    folder = site / name
    folder.mkdir(parents=True)
    (folder / file).write_text(text, encoding="utf-8")


def described(name: str, version: str) -> str:
    """Return the metadata of a package."""
    return f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\nSummary: x\n\nName: not this\n"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder that alone, of all places with packages, is on the path."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.setattr(sys, "path", [str(folder)])
    return folder


@pytest.fixture
def other_python(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Return the interpreter of a new environment without packages, and the folder for them."""
    home = tmp_path_factory.mktemp("other")
    venv.create(home, with_pip=False, symlinks=True)
    [site] = home.glob("lib/python*/site-packages")
    return str(home / "bin" / "python"), site


def script(path: Path, text: str) -> str:
    """Write a program for the shell."""
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


# This Python -----------------------------------------------------------------------------------------------------


def test_this_environment_has_the_version_of_this_python() -> None:
    assert this_environment().runtime == f"python=={platform.python_version()}"


def test_this_environment_has_the_versions_that_are_imported() -> None:
    libraries = this_environment().libraries

    assert f"pytest=={pytest.__version__}" in libraries
    assert f"primad=={metadata.version('primad')}" in libraries


def test_libraries_are_in_order_and_each_is_there_once() -> None:
    names = [library.partition("==")[0].lower() for library in this_environment().libraries]

    assert names == sorted(set(names))


def test_upper_and_lower_case_are_the_same_for_the_order(site: Path) -> None:
    for name in ("Zope", "apple", "Bee"):
        add_package(site, f"{name}-1.0.dist-info", described(name, "1.0"))

    assert this_environment().libraries == ("apple==1.0", "Bee==1.0", "Zope==1.0")


def test_of_two_versions_the_one_that_is_imported_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_package(tmp_path / "b", "ir_measures-1.dist-info", described("ir_measures", "1"))
    add_package(tmp_path / "a", "ir.Measures-2.dist-info", described("ir.Measures", "2"))
    monkeypatch.setattr(sys, "path", [str(tmp_path / "b"), str(tmp_path / "a")])

    assert this_environment().libraries == ("ir_measures==1",)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("Metadata-Version: 2.1\nVersion: 1\n", id="no name"),
        pytest.param("Metadata-Version: 2.1\nName: x\n", id="no version"),
        pytest.param("Metadata-Version: 2.1\nName:\nVersion: 1\n", id="an empty name"),
        pytest.param("Name: x y\nVersion: 1\n", id="a name with a blank"),
        pytest.param("Name: x\nVersion: " + "1" * 300 + "\n", id="an endless version"),
    ],
)
def test_a_package_without_name_or_version_is_left_out(
    site: Path, other_python: tuple[str, Path], tmp_path: Path, text: str
) -> None:
    add_package(site, "x.dist-info", text)
    add_package(site, "good-1.dist-info", described("good", "1"))
    (site / "empty.dist-info").mkdir()

    assert this_environment().libraries == ("good==1",)

    found = environment_of(other_python[0], environment={"PYTHONPATH": str(site)}, folder=tmp_path)
    assert found is not None
    assert found.libraries == ("good==1",)


# Another Python --------------------------------------------------------------------------------------------------


def test_another_interpreter_says_the_same_about_this_environment() -> None:
    assert environment_of(sys.executable) == this_environment()


def test_packages_of_another_environment_are_found_and_ours_are_not(other_python: tuple[str, Path]) -> None:
    interpreter, site = other_python
    add_package(site, "lucene_tools-9.5.dist-info", described("lucene-tools", "9.5"))
    add_package(site, "old-0.1.egg-info", described("Old", "0.1"), "PKG-INFO")
    (site / "older-0.0.egg-info").write_text(described("older", "0.0"), encoding="utf-8")

    found = environment_of(interpreter)

    expected = ("lucene-tools==9.5", "Old==0.1", "older==0.0")
    assert found == Environment(f"python=={platform.python_version()}", expected)


def test_variables_lead_to_further_packages(other_python: tuple[str, Path], tmp_path: Path) -> None:
    add_package(tmp_path / "extra", "further-3.dist-info", described("further", "3"))

    found = environment_of(other_python[0], folder=tmp_path, environment={"PYTHONPATH": "extra"})

    assert found is not None
    assert "further==3" in found.libraries


def test_modules_in_the_folder_are_neither_run_nor_packages(other_python: tuple[str, Path], tmp_path: Path) -> None:
    for module in ("json", "os", "platform"):
        (tmp_path / f"{module}.py").write_text("open('harm', 'w')", encoding="utf-8")
    add_package(tmp_path, "harm-1.dist-info", described("harm", "1"))

    found = environment_of(other_python[0], folder=tmp_path)

    assert found is not None
    assert "harm==1" not in found.libraries
    assert not (tmp_path / "harm").exists()


def test_what_is_printed_at_the_start_does_not_matter(other_python: tuple[str, Path], tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("print('Welcome to the cluster')", encoding="utf-8")

    found = environment_of(other_python[0], environment={"PYTHONPATH": str(tmp_path)})

    assert found is not None
    assert found.runtime == f"python=={platform.python_version()}"


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("exit 1", id="a failure"),
        pytest.param("echo Python 2.7", id="no JSON"),
        pytest.param("true", id="silence"),
        pytest.param("echo '[]'", id="an empty list"),
        pytest.param("echo '[1, []]'", id="a version that is no text"),
        pytest.param("""echo '["3.11 x", []]'""", id="a version with a blank"),
        pytest.param("""echo '["3.11", 5]'""", id="packages that are no list"),
        pytest.param("""echo '["3.11", [5]]'""", id="a package that is no pair"),
        pytest.param("echo '" + "[" * 5000 + "'", id="nested without end"),
    ],
)
def test_an_interpreter_that_talks_nonsense_has_no_environment(tmp_path: Path, answer: str) -> None:
    assert environment_of(script(tmp_path / "python", answer)) is None


def test_no_interpreter_has_no_environment(tmp_path: Path) -> None:
    assert environment_of(str(tmp_path / "python")) is None


def test_strange_entries_of_a_foreign_answer_are_left_out(tmp_path: Path) -> None:
    packages = [["a", "1"], [5, "1"], ["b", None], ["c\nd", "1"], ["e", "2"]]
    interpreter = script(tmp_path / "python", f"printf '%s' '{json.dumps(['3.6.1', packages])}'")

    assert environment_of(interpreter) == Environment("python==3.6.1", ("a==1", "e==2"))


# Java --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param('openjdk version "17.0.15" 2025-04-15', "java==17.0.15", id="17"),
        pytest.param('java version "1.8.0_292"', "java==1.8.0_292", id="8"),
        pytest.param('openjdk version "21" 2023-09-19', "java==21", id="21"),
        pytest.param('openjdk version "22-ea" 2024-03-19', "java==22-ea", id="an early version"),
        pytest.param(
            'Picked up JAVA_TOOL_OPTIONS: -Dx="1"\nopenjdk version "11.0.2" 2019-01-15',
            "java==11.0.2",
            id="after a notice",
        ),
        pytest.param("Unable to locate a Java Runtime.", None, id="none"),
        pytest.param('openjdk version ""', None, id="an empty version"),
    ],
)
def test_the_version_of_java_is_read_from_its_errors(tmp_path: Path, lines: str, expected: str | None) -> None:
    assert java_runtime(script(tmp_path / "java", f"test $1 = -version && echo '{lines}' >&2")) == expected


def test_a_java_that_fails_has_no_version(tmp_path: Path) -> None:
    assert java_runtime(script(tmp_path / "java", """echo 'openjdk version "17"' >&2; exit 1""")) is None
    assert java_runtime(str(tmp_path / "gone")) is None


# Names -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["python", "python3", "python3.11", "python3.13t", "pypy", "pypy3", "pypy3.10"])
def test_a_python_is_known_by_its_name(name: str) -> None:
    assert is_python(f"/opt/{name}")
    assert not is_java(f"/opt/{name}")


@pytest.mark.parametrize("name", ["python3-config", "ipython", "pythonw.sh", "python.py", "java", "javac", ""])
def test_a_similar_name_is_no_python(name: str) -> None:
    assert not is_python(f"/opt/{name}")


def test_a_link_is_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "java").touch()
    (tmp_path / "run-python").symlink_to(sys.executable)
    (tmp_path / "run-java").symlink_to("java")

    assert is_python(str(tmp_path / "run-python"))
    assert is_java(str(tmp_path / "run-java"))
    assert not is_python(str(tmp_path / "run-java"))


def test_a_java_is_known_by_its_name() -> None:
    assert is_java("/usr/lib/jvm/17/bin/java")
    assert not is_java("/usr/bin/javac")
    assert not is_java("/usr/bin/java\0")


def test_the_environment_variables_of_this_process_are_the_default(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    add_package(tmp_path, "further-3.dist-info", described("further", "3"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))

    found = environment_of(sys.executable)

    assert found is not None
    assert "further==3" in found.libraries
