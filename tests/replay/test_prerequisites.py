"""Is what a system needs found as it is on the machine, and can no name in a manifest become a command?"""

import subprocess
import sys
from pathlib import Path

import pytest

from primad.replay.manifest import Configuration, Manifest, Prerequisite
from primad.replay.prerequisites import Found, check_of, look, satisfies, version_in


def manifest(*prerequisites: Prerequisite) -> Manifest:
    return Manifest("a", prerequisites=prerequisites, configurations={"default": Configuration("default", ("b",))})


def here(command: str) -> tuple[int, str]:
    """Run COMMAND by a shell on this machine."""
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def found(prerequisite: Prerequisite) -> Found:
    (one,) = look(manifest(prerequisite), here)
    return one


PYTHON = here("python3 --version")[1].removeprefix("Python ").strip()


@pytest.mark.parametrize(
    ("asked", "satisfied", "sentence"),
    [
        pytest.param(">=3.5,<4", True, f"python {PYTHON} is present, as asked for (>=3.5,<4)", id="new enough"),
        pytest.param("<3", False, f"python {PYTHON} is present, but the system asks for <3", id="too new"),
        pytest.param("", True, f"python {PYTHON} is present; the system does not say which version it needs", id="any"),
        pytest.param(
            "a recent one",
            None,
            f"python {PYTHON} is present; the system asks for a recent one, and the version cannot be compared with it",
            id="prose",
        ),
    ],
)
def test_the_python_of_this_machine_is_judged_by_its_version(
    asked: str, *, satisfied: bool | None, sentence: str
) -> None:
    prerequisite = Prerequisite("python", asked)

    expected = Found(present=True, version=PYTHON, satisfied=satisfied, sentence=sentence)
    assert found(prerequisite) == expected


def test_what_is_not_there_is_missing() -> None:
    one = found(Prerequisite("frobnicator", ">=2"))

    assert (one.present, one.version, one.satisfied) == (False, "", False)
    assert one.sentence == "frobnicator is missing; the system asks for >=2"


def test_a_program_that_does_not_tell_its_version_is_present() -> None:
    assert here("cd --version")[0] != 0

    one = found(Prerequisite("cd", ">=2"))

    assert (one.present, one.version, one.satisfied) == (True, "", None)
    assert one.sentence == "cd is present; the system asks for >=2, and the version could not be told"


def test_a_check_of_the_authors_is_taken_as_it_is() -> None:
    one = found(Prerequisite("the model", "2", check="echo model 2.5 && exit 0"))
    other = found(Prerequisite("the model", "2", check="echo model 2.5 && exit 3"))

    assert (one.present, one.version, one.satisfied) == (True, "2.5", True)
    assert (other.present, other.version, other.satisfied) == (False, "", False)


def test_a_python_package_is_asked_for_by_its_name() -> None:
    def with_our_python(command: str) -> tuple[int, str]:
        return here(command.replace("python3", sys.executable, 1))

    numpy, gone = look(
        manifest(Prerequisite("python:numpy", ">=2"), Prerequisite("python:frobnicator")), with_our_python
    )

    assert (numpy.present, numpy.satisfied) == (True, True)
    assert numpy.version == __import__("numpy").__version__
    assert (gone.present, gone.satisfied, gone.sentence) == (False, False, "python:frobnicator is missing")


@pytest.mark.parametrize(
    "name",
    [
        "; touch {mark}",
        "$(touch${{IFS}}{mark})",
        "`touch\t{mark}`",
        "a;touch\u00a0{mark}",
        "x'; touch {mark}; '",
        "python:x; touch {mark}",
        "python:'; touch {mark}; '",
        "python:x');open('{mark}','w');('",
        "r:x; touch {mark}",
        "perl:x; touch {mark}",
        "python\n touch {mark}",
        "|touch>{mark}",
        "",
    ],
)
def test_a_name_never_becomes_a_command(name: str, tmp_path: Path) -> None:
    mark = tmp_path / "mark"

    one = found(Prerequisite(name.format(mark=mark)))

    assert not mark.exists()
    assert one.present == name.startswith("python\n")  # whose first word is python


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("Java 17 or newer", "java -version 2>&1"),
        ("OpenJDK", "java -version 2>&1"),
        ("R", "R --version"),
        ("Node.js", "node --version"),
        ("gcc", "gcc --version 2>&1"),
        ("docker", "docker --version 2>&1"),
    ],
)
def test_known_programs_are_asked_in_their_own_way(name: str, command: str) -> None:
    assert check_of(Prerequisite(name)) == command


@pytest.mark.parametrize(
    ("output", "version"),
    [
        pytest.param('openjdk version "17.0.15" 2025-04-15\nOpenJDK Runtime (build 17.0.15+6)', "17.0.15", id="java"),
        pytest.param('openjdk version "22" 2024-03-19\nOpenJDK (build 22+36-2370)', "22", id="java without point"),
        pytest.param('java version "1.8.0_292"', "8.0.292", id="java 8"),
        pytest.param("gcc (Ubuntu 11.4.0-1ubuntu1~22.04) 11.4.0\nCopyright (C) 2021", "11.4.0", id="gcc"),
        pytest.param("This is perl 5, version 36, subversion 0 (v5.36.0) built for x86_64", "5.36.0", id="perl"),
        pytest.param("v18.19.0", "18.19.0", id="node"),
        pytest.param("R version 4.2.2 Patched (2022-11-10 r83330)", "4.2.2", id="R"),
        pytest.param("go version go1.21.5 linux/amd64", "1.21.5", id="go"),
        pytest.param("Docker version 24.0.5, build ced0996", "24.0.5", id="docker"),
        pytest.param("Python 3.13.0rc1", "3.13.0rc1", id="before a release"),
        pytest.param("tool 7", "7", id="one number"),
        pytest.param("x86_64 only", "", id="none"),
        pytest.param("9" * 100_000, "", id="many digits"),
    ],
)
def test_the_version_is_found_in_what_programs_say(output: str, version: str) -> None:
    assert version_in(output) == version


def test_java_8_is_also_called_1_8() -> None:
    asked = [Prerequisite("Java", version) for version in ("1.8", ">=1.7,<11", "11")]

    found = look(manifest(*asked), lambda _: (0, 'openjdk version "1.8.0_292"'))

    assert [(one.version, one.satisfied) for one in found] == [("8.0.292", True), ("8.0.292", True), ("8.0.292", False)]


@pytest.mark.parametrize(
    ("version", "asked", "expected"),
    [
        ("3.11.7", "3.11", True),
        ("3.11.7", "3.1", False),
        ("3.1", "3.11", False),
        ("3.11", "3.11.0", True),
        ("3.11.7", "3.11.*", True),
        ("3.11.7", "==3.11", False),
        ("3.11.0", "==3.11", True),
        ("3.11.7", "==3.11.*", True),
        ("3.11.7", "!=3.11.*", False),
        ("3.11.7", "!=3.11", True),
        ("3.10", ">=3.9", True),
        ("3.9", ">3.9", False),
        ("3.9.1", ">3.9", True),
        ("3.9.0", "<=3.9", True),
        ("4.0", ">=3.9,<4", False),
        ("3.12.0rc1", ">=3.12", False),
        ("3.12.0", ">=3.12rc1", True),
        ("3.9.18", "~=3.9.2", True),
        ("3.10", "~=3.9.2", False),
        ("3.10", "~=3.9", True),
        ("8.0.292", "8", True),
        ("17.0.15", "11+", True),
        ("8", "11+", False),
        ("17", ">= 11 , < 21", True),
        ("17", "11 or newer", None),
        ("17", ">=", None),
        ("", ">=1", None),
        ("17", "", None),
    ],
)
def test_versions_are_compared_number_by_number(version: str, asked: str, *, expected: bool | None) -> None:
    assert satisfies(version, asked) is expected


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param(" " * 100_000 + "new", None, id="prose"),
        pytest.param(" " * 100_000 + ">=" + " " * 100_000 + "3" + " " * 100_000, True, id="a version"),
        pytest.param("3" + ".x" * 50_000 + "!", None, id="no version"),
    ],
)
def test_a_version_may_stand_behind_any_blanks(asked: str, *, expected: bool | None) -> None:
    # To look for a version from each blank again would take minutes: no clock is needed to notice that.
    assert satisfies("3.11", asked) is expected
