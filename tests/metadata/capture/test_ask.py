"""Is another program heard, and never waited for in vain?"""

import sys
import time
from pathlib import Path

import pytest

from primad.metadata.capture._ask import ask, decoded, read_text

PATIENCE = 60.0


def python(code: str) -> list[str]:
    """Return the command that runs a line of Python."""
    return [sys.executable, "-c", code]


def is_alive(process: int) -> bool:
    """Return whether a process runs; one that is dead but not yet buried does not."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state not in {"Z", "X"}


def test_what_a_program_says_is_heard_to_the_end() -> None:
    assert ask(python("print('x' * 200_000)"), seconds=PATIENCE) == b"x" * 200_000 + b"\n"


def test_standard_error_is_heard_only_on_request() -> None:
    command = python("import sys; print(1, flush=True); print(2, file=sys.stderr)")

    assert ask(command, seconds=PATIENCE) == b"1\n"
    assert ask(command, seconds=PATIENCE, errors=True) == b"1\n2\n"


def test_folder_and_variables_are_those_given(tmp_path: Path) -> None:
    command = python("import os; print(os.getcwd(), os.environ['TOPIC'])")

    said = ask(command, seconds=PATIENCE, folder=tmp_path, environment={"TOPIC": "301"})

    assert said == f"{tmp_path.resolve()} 301\n".encode()


def test_a_program_has_nothing_to_read() -> None:
    assert ask(python("import sys; print(len(sys.stdin.read()))"), seconds=PATIENCE) == b"0\n"


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(["no-such-program-of-primad"], id="no such program"),
        pytest.param(["/etc"], id="a folder"),
        pytest.param(["with\0nul"], id="no name at all"),
        pytest.param(python("print(1); raise SystemExit(3)"), id="another exit code"),
        pytest.param(python("import os; os.kill(os.getpid(), 9)"), id="killed"),
    ],
)
def test_a_failure_is_none(command: list[str]) -> None:
    assert ask(command, seconds=PATIENCE) is None


def test_a_folder_that_is_not_there_is_a_failure(tmp_path: Path) -> None:
    assert ask(python("print(1)"), seconds=PATIENCE, folder=tmp_path / "gone") is None


def test_who_says_too_much_is_not_heard() -> None:
    assert ask(python("print('x' * 999)"), seconds=PATIENCE, limit=1000) == b"x" * 999 + b"\n"
    assert ask(python("print('x' * 1000)"), seconds=PATIENCE, limit=1000) is None
    assert ask(["yes"], seconds=PATIENCE, limit=1000) is None


def test_who_is_too_slow_is_ended_with_its_children(tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    script = f"sleep 1000 & echo $! > '{noted}'; wait"

    assert ask(["sh", "-c", script], seconds=2.0) is None

    child = int(noted.read_text(encoding="utf-8"))
    while is_alive(child):
        time.sleep(0.01)


def test_who_closes_its_mouth_but_does_not_end_is_ended(tmp_path: Path) -> None:
    noted = tmp_path / "pid"
    script = f"echo $$ > '{noted}'; exec sleep 1000 >&-"

    assert ask(["sh", "-c", script], seconds=2.0) is None
    assert not is_alive(int(noted.read_text(encoding="utf-8")))


def test_no_descriptor_stays_open() -> None:
    ask(python("print(1)"), seconds=PATIENCE)
    before = len(list(Path("/proc/self/fd").iterdir()))

    ask(python("print(1)"), seconds=PATIENCE)
    ask(["yes"], seconds=PATIENCE, limit=1000)

    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_strange_bytes_are_replaced() -> None:
    assert decoded(b"a\xff\xc3\xa9") == "a\ufffdé"
    assert decoded(None) == ""


def test_a_file_is_read_up_to_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "os-release"
    path.write_bytes(b"0123456789")

    assert read_text(str(path)) == "0123456789"
    assert read_text(str(path), limit=4) == "0123"
    assert read_text(str(tmp_path)) == ""
    assert read_text(str(tmp_path / "gone")) == ""
