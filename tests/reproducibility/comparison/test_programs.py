"""Is the program of a command told from its arguments and from what starts it, and never guessed?"""

from __future__ import annotations

import pytest

from primad.reproducibility.comparison.programs import is_only_a_starter, programs_in


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("python search.py --k1 0.9", "search.py"),
        ("/usr/bin/python3.11 -u -W ignore src/search.py", "search.py"),
        ("python -Wignore -OO search.py", "search.py"),
        ("python -m pyserini.search.lucene --bm25", "pyserini.search.lucene"),
        ("python -um pyserini.search", "pyserini.search"),
        ("java -Xmx8g -cp 'a b.jar' io.anserini.SearchCollection -topics x", "io.anserini.SearchCollection"),
        ("java -jar lib/terrier.jar batch", "terrier.jar"),
        ("./bin/IndriRunQuery params.xml", "IndriRunQuery"),
        ("bash -eu run.sh core17", "run.sh"),
        ("python -c 'print(1)' 2", "-c print(1)"),
        ("Rscript --vanilla rank.R 3", "rank.R"),
    ],
)
def test_the_program_of_a_command_is_told_from_its_arguments(command: str, program: str) -> None:
    assert programs_in(command) == (program,)


@pytest.mark.parametrize(
    "starter",
    [
        "env OMP_NUM_THREADS=1 python",
        "env -i -u HOME python",
        "OMP_NUM_THREADS=1 nice python",
        "nice -n 19 python",
        "nice -19 python",
        "nohup",
        "time -p python",
        "timeout -k 5 60 python",
        "timeout 60",
        "sudo -u me python",
        "taskset -c 0-3 python",
        "srun -n 1 --partition=gpu --mem 8G python",
        "mpirun -np 4 python",
        "primad exec --run out.run -- python",
        "uv run",
        "uv run --with numpy python",
        "poetry run python",
        "conda run -n env --no-capture-output python",
        "torchrun --nproc 2",
        "torchrun --nproc_per_node=2 --standalone",
        "python -m torch.distributed.run --nproc_per_node 2",
        "accelerate launch --num_processes 2",
        "nice nohup time python",
        "cd x && python",
        "cd x; export A=1; python",
        "conda activate env && python",
        ". venv/bin/activate\npython",
        "python \\\n",
    ],
)
def test_the_program_is_seen_through_what_starts_it(starter: str) -> None:
    assert programs_in(f"{starter} a.py --k 1") == ("a.py",)
    assert programs_in(f"{starter} b.py --k 1") == ("b.py",)


@pytest.mark.parametrize(
    "rest",
    [
        "> out.txt 2>&1",
        "2>/dev/null | gzip > out.gz",
        "| tee log",
        "&",
        "< topics.txt",
        "--separator '|' x",
        "--query 'a; b && c'",
        '--query "it\'s"',
        "--set a=b",
    ],
)
def test_neither_arguments_nor_files_nor_plumbing_are_programs(rest: str) -> None:
    assert programs_in(f"python a.py {rest}") == ("a.py",)


def test_a_line_given_to_a_shell_is_read_like_a_line_of_its_own() -> None:
    assert programs_in("sh -c 'python a.py --k 1'") == ("a.py",)
    assert programs_in("sudo bash -euo pipefail -c 'cd x && python a.py --k 2 | tee log'") == ("a.py",)


def test_several_programs_are_told_in_their_order() -> None:
    assert programs_in("python index.py --threads 4 && bash search.sh") == ("index.py", "search.sh")


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("", id="nothing"),
        pytest.param("docker run image", id="in an image"),
        pytest.param("make run", id="in a file"),
        pytest.param("python -m cProfile a.py", id="a module that runs another"),
        pytest.param("uv pip install x", id="another command of a launcher"),
        pytest.param("srun --unheard-of 3 python a.py", id="an option of a launcher that is not known"),
        pytest.param("node --require x a.js", id="an option of an interpreter that is not known"),
        pytest.param("java --module=a/b", id="a module inside an option"),
        pytest.param("python", id="an interpreter alone"),
        pytest.param("python - < a.py", id="standard input"),
        pytest.param("nice -n 19", id="a launcher alone"),
        pytest.param("python $SCRIPT", id="a variable"),
        pytest.param("$(which python) a.py", id="the output of a command"),
        pytest.param("for k in 1 2; do python a.py; done", id="a loop"),
        pytest.param("(cd x; python a.py)", id="brackets"),
        pytest.param("python --version; python a.py", id="one of two"),
        pytest.param("echo 'unclosed", id="an open quote"),
        pytest.param('python "a.py', id="an open double quote"),
        pytest.param("sh -c 'python \"a.py'", id="an open quote inside"),
        pytest.param("python a.py " + "x" * 100_000, id="too long"),
        pytest.param("env " * 10_000, id="launchers without end"),
    ],
)
def test_where_the_program_cannot_be_told_there_is_none(command: str) -> None:
    assert programs_in(command) == ()


@pytest.mark.parametrize(
    ("program", "command", "expected"),
    [
        pytest.param("search.py", "python search.py", False, id="a script"),
        pytest.param("src/uv.py", "python src/uv.py", False, id="a script of a similar name"),
        pytest.param("uv", "uv run search.py", True, id="a launcher"),
        pytest.param("docker", "docker run image", True, id="what starts an image"),
        pytest.param("python3.11", "python3.11 < search.py", True, id="an interpreter"),
        pytest.param("-c", "python -c 'print(1)'", False, id="code"),
        pytest.param("-c", "sh -c 'python search.py --k 1'", True, id="a line for a shell"),
    ],
)
def test_a_launcher_is_told_from_a_program(program: str, command: str, *, expected: bool) -> None:
    assert is_only_a_starter(program, command) is expected
