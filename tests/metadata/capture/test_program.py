"""Is that named which a command really runs?"""

import hashlib
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from primad.errors import UsageError
from primad.metadata.capture import program_of
from primad.metadata.capture.program import MAX_DIGESTED, Program, digest_of


def sha256(text: str | bytes) -> str:
    """Return the digest of a text."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def write(path: Path, text: str, *, runs: bool = False) -> str:
    """Write a file, and return its digest."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    if runs:
        path.chmod(0o755)
    return sha256(text)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a script to run."""
    place = tmp_path / "experiment"
    write(place / "search.py", "print(1)\n")
    return place


@pytest.fixture
def bin_folder(tmp_path: Path) -> Path:
    """Return a folder for programs, with a Python in it."""
    place = tmp_path / "bin"
    place.mkdir()
    (place / "python3").symlink_to(sys.executable)
    return place


@pytest.fixture
def variables(bin_folder: Path) -> dict[str, str]:
    """Return environment variables whose path leads to the folder for programs first."""
    return {"PATH": f"{bin_folder}{os.pathsep}/usr/bin{os.pathsep}/bin"}


SEARCH = sha256("print(1)\n")


# Python ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [
        ["search.py"],
        ["./search.py", "--k1", "0.9"],
        ["-u", "search.py"],
        ["-uB", "search.py"],
        ["-W", "error", "search.py"],
        ["-Werror", "search.py"],
        ["-uW", "error", "search.py"],
        ["-X", "dev", "-X", "importtime", "search.py"],
        ["-Xdev", "search.py"],
        ["--check-hash-based-pycs", "always", "search.py"],
        ["-OO", "-I", "--", "search.py"],
        ["search.py", "-m", "other"],
        ["search.py", "-c", "other"],
    ],
)
def test_a_script_is_found_behind_the_options_of_python(
    folder: Path, bin_folder: Path, variables: dict[str, str], arguments: list[str]
) -> None:
    python = str(bin_folder / "python3")

    assert program_of(["python3", *arguments], folder, variables) == Program(python, python, "search.py", SEARCH)


def test_a_script_is_named_from_the_folder_however_it_is_given(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder)
    digest = write(folder / "src" / "index.py", "print(2)\n")

    given = [
        "src/index.py",
        "src/../src/index.py",
        str(folder / "src" / "index.py"),
        str(tmp_path / "link/src/index.py"),
    ]
    found = [program_of([sys.executable, script], folder) for script in given]

    assert [(program.name, program.digest) for program in found] == [("src/index.py", digest)] * 4


def test_a_script_elsewhere_is_named_without_the_folders_of_this_machine(folder: Path, tmp_path: Path) -> None:
    digest = write(tmp_path / "tools" / "index.py", "print(2)\n")

    beside = program_of([sys.executable, "../tools/index.py"], folder)
    absolute = program_of([sys.executable, str(tmp_path / "tools/index.py")], folder)

    assert (beside.name, beside.digest) == ("../tools/index.py", digest)
    assert (absolute.name, absolute.digest) == ("index.py", digest)


def test_a_script_that_is_not_there_has_a_name_and_no_digest(folder: Path) -> None:
    found = program_of([sys.executable, "gone.py"], folder)

    assert found == Program(sys.executable, sys.executable, "gone.py", None)


def test_a_folder_is_run_by_its_main_file(folder: Path) -> None:
    digest = write(folder / "app" / "__main__.py", "print(3)\n")

    found = program_of([sys.executable, "app"], folder)

    assert (found.name, found.digest) == ("app", digest)


def test_an_archive_is_a_program_too(folder: Path) -> None:
    with zipfile.ZipFile(folder / "app.pyz", "w") as archive:
        archive.writestr("__main__.py", "print(3)\n")

    found = program_of([sys.executable, "app.pyz"], folder)

    assert (found.name, found.digest) == ("app.pyz", sha256((folder / "app.pyz").read_bytes()))


@pytest.mark.parametrize("arguments", [["-c", "print(1)", "x"], ["-uc", "print(1)"], ["-cprint(1)"]])
def test_code_among_the_arguments_is_digested_itself(folder: Path, arguments: list[str]) -> None:
    found = program_of([sys.executable, *arguments], folder)

    assert (found.name, found.digest) == ("-c", sha256("print(1)"))


def test_code_from_standard_input_has_no_digest(folder: Path) -> None:
    found = program_of([sys.executable, "-", "x"], folder)

    assert (found.name, found.digest) == ("-", None)


@pytest.mark.parametrize("arguments", [[], ["-i"], ["--version"], ["-W"]])
def test_python_without_a_script_is_itself_the_program(folder: Path, arguments: list[str]) -> None:
    found = program_of([sys.executable, *arguments], folder)

    assert found.digest == sha256(Path(sys.executable).read_bytes())
    assert found.interpreter == sys.executable


# Modules ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "module"),
    [
        ("tool.py", "tool"),
        ("tool/__main__.py", "tool"),
        ("tool/search.py", "tool.search"),
        ("tool/search/__main__.py", "tool.search"),
    ],
)
@pytest.mark.parametrize("option", [["-m"], ["-um"], ["-X", "dev", "-m"]])
def test_a_module_of_the_folder_is_found(folder: Path, file: str, module: str, option: list[str]) -> None:
    digest = write(folder / file, "print(4)\n")

    found = program_of([sys.executable, *option, module, "--k1", "0.9"], folder)

    assert (found.name, found.digest) == (module, digest)


def test_a_module_may_stand_in_the_word_of_its_option(folder: Path) -> None:
    digest = write(folder / "tool.py", "print(4)\n")

    found = program_of([sys.executable, "-mtool"], folder)

    assert (found.name, found.digest) == ("tool", digest)


@pytest.mark.parametrize(
    ("file", "module"),
    [("tool.py", "tool"), ("tool/__main__.py", "tool"), ("tool/search.py", "tool.search")],
)
def test_an_installed_module_is_found_and_not_run(folder: Path, tmp_path: Path, file: str, module: str) -> None:
    digest = write(tmp_path / "site" / file, "print(5)\n")
    if "/" in file:
        write(tmp_path / "site" / "tool" / "__init__.py", "open('harm', 'w')")

    found = program_of([sys.executable, "-m", module], folder, {"PYTHONPATH": str(tmp_path / "site")})

    assert (found.name, found.digest) == (module, digest)
    assert not (folder / "harm").exists()


def test_a_module_of_the_standard_library_is_found(folder: Path) -> None:
    found = program_of([sys.executable, "-m", "json.tool"], folder)

    assert found.digest == sha256(Path(json.__file__).with_name("tool.py").read_bytes())


@pytest.mark.parametrize("switch", ["-I", "-P", "-uP"])
def test_the_folder_is_not_looked_in_where_python_does_not(folder: Path, switch: str) -> None:
    write(folder / "tool.py", "print(4)\n")

    found = program_of([sys.executable, switch, "-m", "tool"], folder)

    assert (found.name, found.digest) == ("tool", None)


@pytest.mark.parametrize(
    "module", ["no_such_module_of_primad", "json.no_such", "..search", "a/b", "sys", "with\0nul", ""]
)
def test_a_module_that_cannot_be_found_has_no_digest(folder: Path, module: str) -> None:
    found = program_of([sys.executable, "-m", module], folder)

    assert (found.name, found.digest) == (module, None)


# Scripts that say themselves what runs them -----------------------------------------------------------------------


@pytest.mark.parametrize("line", ["#!/usr/bin/env python3", "#!/usr/bin/env -S python3 -u", "#! /usr/bin/env  python3"])
def test_env_in_the_first_line_leads_to_the_python_on_the_path(
    folder: Path, bin_folder: Path, variables: dict[str, str], line: str
) -> None:
    digest = write(folder / "search", f"{line}\nprint(1)\n", runs=True)

    found = program_of(["./search"], folder, variables)

    assert found == Program(str(folder / "search"), str(bin_folder / "python3"), "search", digest)


def test_a_console_script_leads_to_the_python_of_its_environment(
    folder: Path, bin_folder: Path, variables: dict[str, str]
) -> None:
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.symlink_to(sys.executable)
    digest = write(bin_folder / "searcher", f"#!{python}\nimport x\n", runs=True)

    found = program_of(["searcher", "--k1", "0.9"], folder, variables)

    assert found == Program(str(bin_folder / "searcher"), str(python), "searcher", digest)


def test_a_console_script_with_a_long_first_line_in_the_second_is_understood(folder: Path, tmp_path: Path) -> None:
    python = tmp_path / "with a blank" / "python3"
    python.parent.mkdir()
    python.symlink_to(sys.executable)
    text = f"#!/bin/sh\n'''exec' \"{python}\" \"$0\" \"$@\"\n' '''\nprint(6)\n"
    write(folder / "searcher", text, runs=True)

    assert subprocess.run([folder / "searcher"], capture_output=True, check=True).stdout == b"6\n"
    assert program_of(["./searcher"], folder).interpreter == str(python)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("#!/bin/sh\nexec python3 x.py\n", id="a shell"),
        pytest.param("#!/bin/sh\n'''exec' \"unfinished\n", id="quotes that do not fit"),
        pytest.param("#!/usr/bin/env\n", id="env without a program"),
        pytest.param("#!/no/such/python3\n", id="a python that is gone"),
        pytest.param("#!\n", id="an empty line"),
        pytest.param("", id="an empty file"),
        pytest.param("\x7fELF\x02\x01", id="a binary file"),
    ],
)
def test_any_other_script_has_no_python(folder: Path, text: str) -> None:
    digest = write(folder / "search", text, runs=True)

    assert program_of(["./search"], folder) == Program(str(folder / "search"), None, "search", digest)


# Launchers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "launcher",
    [
        ["env", "K1=0.9", "B=0.4"],
        ["env", "-u", "HOME", "--", "K1=0.9"],
        ["/usr/bin/env"],
        ["nohup"],
        ["nice"],
        ["nice", "-n", "5"],
        ["nice", "-n5"],
        ["nice", "-19"],
        ["nice", "--adjustment=5"],
        ["time"],
        ["time", "-p"],
        ["/usr/bin/time", "-v", "-o", "times.txt"],
        ["time", "-f", "%e"],
        ["nohup", "nice", "-n", "5", "env", "K1=0.9", "time", "-p"],
    ],
)
def test_simple_launchers_are_looked_through(
    folder: Path, bin_folder: Path, variables: dict[str, str], launcher: list[str]
) -> None:
    python = str(bin_folder / "python3")

    found = program_of([*launcher, "python3", "search.py"], folder, variables)

    assert found == Program(python, python, "search.py", SEARCH)


def test_env_decides_on_path_and_folder(folder: Path, tmp_path: Path) -> None:
    digest = write(tmp_path / "other" / "search", "#!/bin/sh\n", runs=True)

    by_path = program_of(["env", "-i", f"PATH={tmp_path}/other", "search"], folder)
    by_folder = program_of(["env", "-C", "../other", "./search"], folder)

    assert (by_path.executable, by_path.digest) == (str(tmp_path / "other/search"), digest)
    assert (by_folder.name, by_folder.digest) == ("search", digest)


@pytest.mark.parametrize("launcher", [["uv", "run"], ["poetry", "run"], ["srun", "-n", "1"], ["taskset", "-c", "0"]])
def test_other_launchers_stand_for_themselves(
    folder: Path, bin_folder: Path, variables: dict[str, str], launcher: list[str]
) -> None:
    digest = write(bin_folder / launcher[0], "#!/bin/sh\n", runs=True)

    found = program_of([*launcher, "python3", "search.py"], folder, variables)

    assert found == Program(str(bin_folder / launcher[0]), None, launcher[0], digest)


@pytest.mark.parametrize(
    "command", [["env"], ["env", "-S", "python3 x"], ["nice", "--strange", "python3"], ["env", "K1=0.9"], ["nohup"]]
)
def test_a_launcher_that_is_not_understood_stands_for_itself(folder: Path, command: list[str]) -> None:
    found = program_of(command, folder, {"PATH": "/usr/bin"})

    assert (found.executable, found.name, found.interpreter) == (f"/usr/bin/{command[0]}", command[0], None)


def test_a_program_that_only_has_the_name_of_a_launcher_is_none(folder: Path) -> None:
    digest = write(folder / "env", "#!/bin/sh\n", runs=True)

    found = program_of(["./env", "python3", "search.py"], folder)

    assert (found.name, found.digest) == ("env", digest)


# Other programs ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "name", "digest"),
    [
        pytest.param(["-jar", "lib/search.jar", "-k", "5"], "lib/search.jar", sha256("jar"), id="an archive"),
        pytest.param(["-Xmx4g", "-cp", "a:b", "-jar", "lib/search.jar"], "lib/search.jar", sha256("jar"), id="options"),
        pytest.param(["-cp", "lib/search.jar", "io.anserini.Search", "x"], "io.anserini.Search", None, id="a class"),
        pytest.param(["--add-opens", "a/b=c", "-Dx=y", "Main"], "Main", None, id="an option with a value"),
        pytest.param(["-p", "mods", "-m", "search/Main"], "search/Main", None, id="a module"),
        pytest.param(["Search.java", "x"], "Search.java", sha256("java"), id="a source file"),
        pytest.param(["-jar", "gone.jar"], "gone.jar", None, id="an archive that is gone"),
        pytest.param(["@options", "-jar", "lib/search.jar"], "java", sha256("#!/bin/sh\n"), id="options in a file"),
        pytest.param(["-version"], "java", sha256("#!/bin/sh\n"), id="nothing to run"),
    ],
)
def test_java_is_told_apart_from_what_it_runs(
    folder: Path, bin_folder: Path, variables: dict[str, str], arguments: list[str], name: str, digest: str | None
) -> None:
    write(bin_folder / "java", "#!/bin/sh\n", runs=True)
    write(folder / "lib" / "search.jar", "jar")
    write(folder / "Search.java", "java")

    found = program_of(["env", "K1=0.9", "java", *arguments], folder, variables)

    assert found == Program(str(bin_folder / "java"), None, name, digest, is_java=True)


@pytest.mark.parametrize(
    ("command", "name", "digest"),
    [
        pytest.param(["sh", "run.sh", "5"], "run.sh", sha256("exit\n"), id="a script"),
        pytest.param(["bash", "-eu", "-o", "pipefail", "./run.sh"], "run.sh", sha256("exit\n"), id="options"),
        pytest.param(["sh", "-c", "exit 3", "x"], "-c", sha256("exit 3"), id="code"),
        pytest.param(["bash", "-lc", "exit 3"], "-c", sha256("exit 3"), id="code after other letters"),
        pytest.param(["perl", "-w", "run.sh"], "run.sh", sha256("exit\n"), id="another interpreter"),
        pytest.param(["perl", "-e", "exit 3"], "-e", sha256("exit 3"), id="code of another interpreter"),
    ],
)
def test_a_script_of_another_interpreter_is_named(folder: Path, command: list[str], name: str, digest: str) -> None:
    write(folder / "run.sh", "exit\n")

    found = program_of(command, folder, {"PATH": "/usr/bin:/bin"})

    assert (found.name, found.digest, found.interpreter) == (name, digest, None)


def test_a_program_is_named_by_its_file(folder: Path) -> None:
    found = program_of(["sort", "-k", "1"], folder, {"PATH": "/usr/bin"})

    assert found == Program("/usr/bin/sort", None, "sort", sha256(Path("/usr/bin/sort").read_bytes()))


# Where programs are found ----------------------------------------------------------------------------------------


def test_a_program_is_found_as_the_command_itself_would_find_it(folder: Path, tmp_path: Path) -> None:
    write(folder / "tools" / "search", "#!/bin/sh\necho tools\n", runs=True)
    write(tmp_path / "other" / "search", "#!/bin/sh\necho other\n", runs=True)
    write(tmp_path / "no" / "search", "not to be run")
    variables = {"PATH": f"{tmp_path}/no:{tmp_path}/gone:tools:{tmp_path}/other"}

    found = program_of(["search"], folder, variables)

    said = subprocess.run(["search"], cwd=folder, env=variables, capture_output=True, check=True)  # noqa: S607 - the point
    assert said.stdout == b"tools\n"
    assert found.executable == str(folder / "tools" / "search")


def test_the_path_of_this_process_is_the_default(
    folder: Path, bin_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(bin_folder / "search", "#!/bin/sh\n", runs=True)
    monkeypatch.setenv("PATH", str(bin_folder))

    assert program_of(["search"], folder).executable == str(bin_folder / "search")


@pytest.mark.parametrize("word", ["no-such-program-of-primad", "./gone", "/etc", "with\0nul", "", "a/" * 3000])
def test_a_program_that_is_not_there_has_only_a_name(folder: Path, word: str) -> None:
    assert program_of([word], folder) == Program(None, None, Path(word).name, None)


def test_no_command_is_an_error(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"^expected a command, found none$"):
        program_of([], folder)


# Digests -------------------------------------------------------------------------------------------------------------


def test_a_digest_is_that_of_the_bytes(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"\x00\xff")

    assert digest_of(tmp_path / "x") == sha256(b"\x00\xff")


def test_a_file_of_more_than_a_gigabyte_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "x").open("wb") as stream:
        stream.truncate(MAX_DIGESTED + 1)

    assert digest_of(tmp_path / "x") is None


def test_what_is_no_file_has_no_digest(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")

    assert [digest_of(path) for path in (tmp_path / "pipe", tmp_path, tmp_path / "gone", "a\0b")] == [None] * 4
