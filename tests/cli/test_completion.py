"""Does a shell complete what is typed behind primad?  A real bash is asked, in a terminal where that matters."""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.running import primad

pytestmark = pytest.mark.slow

BASH = shutil.which("bash") or "/bin/bash"
PATIENCE = 60


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return an environment in which primad is the one that is tested, and nobody's settings count."""
    home = tmp_path_factory.mktemp("home")
    (home / "bin").mkdir()
    program = home / "bin" / "primad"
    program.write_text(f"#!{sys.executable}\nfrom primad.cli import main\nmain()\n")
    program.chmod(0o755)
    return {"PATH": f"{program.parent}:{os.environ['PATH']}", "HOME": str(home), "TERM": "dumb"}


def completed(environment: dict[str, str], *words: str) -> list[str]:
    """Return what bash would complete the last of WORDS to."""
    script = """
        source <(primad completion bash)
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _primad_completion primad
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    command = [BASH, "--norc", "-c", script, "bash", "primad", *words]
    found = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert found.stderr == ""
    return found.stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param(["ev"], ["evaluate"], id="a command"),
        pytest.param(["track", "attempt", "st"], ["start", "stop"], id="a command of a group in a group"),
        pytest.param(["evaluate", "--per"], ["--per-topic"], id="an option"),
        pytest.param(["check", "--format", ""], ["table", "json"], id="the values of an option"),
        pytest.param(["export", "--to", "data"], ["datacite", "datasheet"], id="the formats of an option"),
        pytest.param(
            ["evaluate", "-m", "ndcg_cut_1"],
            ["ndcg_cut_10", "ndcg_cut_100", "ndcg_cut_1000", "ndcg_cut_15"],
            id="a measure",
        ),
        pytest.param(["archive", "search", "--measure", "offi"], ["official"], id="a set of measures"),
        pytest.param(["assess", "-m", "all_tr"], ["all_trec"], id="a measure of a command with grouped options"),
        pytest.param(["check", "--profile", ""], ["ir_metadata", "longeval2026"], id="a profile"),
        pytest.param(["completion", ""], ["bash", "zsh", "fish"], id="the values of an argument"),
        pytest.param(["show", "x"], [], id="a file, which bash knows itself"),
        pytest.param(["assess", "--original", ""], [], id="the first of several values of an option"),
        pytest.param(["exec", "--", "ls", "-"], [], id="a command of others"),
    ],
)
def test_bash_completes(environment: dict[str, str], words: list[str], expected: list[str]) -> None:
    assert completed(environment, *words) == expected


def test_bash_completes_a_file_in_a_terminal(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "tiny-bm25.run").write_text("1 Q0 d1 1 2.0 bm25\n")
    terminal, inner = pty.openpty()
    with subprocess.Popen(
        [BASH, "--norc", "--noprofile", "-i"],
        cwd=tmp_path,
        env=environment,
        stdin=inner,
        stdout=inner,
        stderr=inner,
        start_new_session=True,
    ) as shell:
        os.close(inner)
        os.write(terminal, b"source <(primad completion bash); echo rea''dy\n")
        read_until(terminal, r"\nready")
        os.write(terminal, b"primad str\ttin\t")
        seen = read_until(terminal, r"primad strip tiny-bm25\.run ")
        shell.kill()
    os.close(terminal)

    assert seen.count("tiny-bm25.run") == 1


def read_until(terminal: int, pattern: str) -> str:
    """Return what TERMINAL shows up to PATTERN."""
    seen, until = "", time.monotonic() + PATIENCE
    while not re.search(pattern, seen):
        ready, _, _ = select.select([terminal], [], [], max(0.0, until - time.monotonic()))
        assert ready, f"expected {pattern!r}, saw {seen!r}"
        seen += os.read(terminal, 4096).decode()
    return seen


@pytest.mark.parametrize(
    ("shell", "line"),
    [
        pytest.param("bash", "complete -o default -F _primad_completion primad", id="bash"),
        pytest.param("zsh", "compdef _primad_completion primad", id="zsh"),
        pytest.param("fish", "complete --command primad --no-files ", id="fish"),
    ],
)
def test_the_script_of_each_shell_names_the_program_and_what_it_asks(shell: str, line: str) -> None:
    outcome = primad("completion", shell)

    assert (outcome.code, outcome.err) == (0, "")
    assert [one for one in outcome.out.splitlines() if one.startswith(line)] != []
    assert f"_PRIMAD_COMPLETE=complete_{shell}" in outcome.out


@pytest.mark.parametrize(
    ("shell", "asked", "expected"),
    [
        pytest.param("zsh", {"_TYPER_COMPLETE_ARGS": "primad ev"}, '"evaluate":', id="zsh"),
        pytest.param(
            "fish",
            {"_TYPER_COMPLETE_ARGS": "primad ev", "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
            "evaluate\tSay how effective runs are.",
            id="fish",
        ),
    ],
)
def test_the_question_that_the_script_of_another_shell_asks_is_answered(
    environment: dict[str, str], shell: str, asked: dict[str, str], expected: str
) -> None:
    """These shells are not installed everywhere: only the program's side is run."""
    given = environment | asked | {"_PRIMAD_COMPLETE": f"complete_{shell}"}

    found = subprocess.run(["primad"], env=given, capture_output=True, text=True, timeout=PATIENCE, check=True)  # noqa: S607

    assert expected in found.stdout


def test_a_shell_that_nobody_knows_is_wrong_usage() -> None:
    outcome = primad("completion", "csh")

    assert (outcome.code, outcome.out) == (2, "")
    assert "expected bash, zsh, fish, found 'csh'" in outcome.err
