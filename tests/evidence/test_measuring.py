"""Is a figure measured anew when what it is about has changed, and only then?  In a small repository for each test."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from evidence.__main__ import PAGE, Subjects, run
from evidence.claim import TESTS, Claim, Goal, Quote, shown_by
from evidence.ledger import LEDGER, Ledger
from evidence.page import MISSED, NOT_RUN, NOT_YET
from evidence.reading import Cell, cells, matched

CLAIM = Claim(
    "size", "It is small.", "cat size.txt", ("size.txt",), read=matched(r"(?P<size>\d+) bytes"), figure="{size:.0f} B"
)
OTHER = replace(CLAIM, name="other", says="It is another.", command="echo 7 bytes", subject=("src",))
Git = Callable[..., str]


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """Return a function that calls git in a repository with a file that claims are about."""

    def call(*arguments: str) -> str:
        who = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false")
        done = subprocess.run(["git", *who, *arguments], cwd=tmp_path, capture_output=True, text=True, check=True)  # noqa: S607
        return done.stdout.strip()

    call("init", "-q")
    (tmp_path / "evidence").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "code.py").write_text("1\n")
    change(tmp_path, call, "5 bytes")
    return call


def change(root: Path, git: Git, text: str) -> str:
    """Commit TEXT as what claims are about, and return the commit."""
    (root / "size.txt").write_text(f"{text}\n")
    git("add", "size.txt", "src")
    git("commit", "-q", "-m", "Change it")
    return git("rev-parse", "--short=10", "HEAD")


def subjects(*claims: Claim) -> Subjects:
    """Return CLAIMS as those of one subject."""
    return {"Sizes": claims}


def page(root: Path) -> str:
    """Return the page that was written."""
    return (root / PAGE).read_text(encoding="utf-8")


def listed(root: Path, capsys: pytest.CaptureFixture[str], *claims: Claim) -> tuple[int, str]:
    """Return the status and what is printed where it is asked which of CLAIMS are stale."""
    capsys.readouterr()
    return run(root, subjects(*claims), ["--stale"]), capsys.readouterr().out


def test_a_figure_is_read_from_what_the_command_prints_with_the_commit(tmp_path: Path, git: Git) -> None:
    assert run(tmp_path, subjects(CLAIM), []) == 0

    commit = git("rev-parse", "--short=10", "HEAD")
    assert f"| It is small. | 5 B | `cat size.txt` | {commit} |" in page(tmp_path)


def test_what_has_not_changed_is_not_measured_again(
    tmp_path: Path, git: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    run(tmp_path, subjects(CLAIM, OTHER), [])
    first = git("rev-parse", "--short=10", "HEAD")
    second = change(tmp_path, git, "6 bytes")
    assert listed(tmp_path, capsys, CLAIM, OTHER) == (1, f"size: changed since {first}\n")

    run(tmp_path, subjects(CLAIM, OTHER), [])

    assert "[1/1] cat size.txt" in capsys.readouterr().err
    assert f"| It is small. | 6 B | `cat size.txt` | {second} |" in page(tmp_path)
    assert f"| It is another. | 7 B | `echo 7 bytes` | {first} |" in page(tmp_path)
    assert listed(tmp_path, capsys, CLAIM, OTHER) == (0, "")


def test_all_is_measured_again_where_that_is_wanted(
    tmp_path: Path, git: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    run(tmp_path, subjects(CLAIM, OTHER), [])
    change(tmp_path, git, "6 bytes")
    capsys.readouterr()

    run(tmp_path, subjects(CLAIM, OTHER), ["--all"])

    assert "[2/2] echo 7 bytes" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("do", "expected"),
    [
        pytest.param(lambda root: (root / "size.txt").write_text("9 bytes\n"), "changed since", id="an edited file"),
        pytest.param(lambda root: (root / "src" / "new.py").write_text("2\n"), "changed since", id="a new file"),
        pytest.param(lambda root: (root / "notes.txt").write_text("2\n"), "", id="a file that is not about it"),
    ],
)
def test_what_is_in_no_commit_makes_a_line_stale(
    tmp_path: Path, git: Git, do: Callable[[Path], object], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert git("status", "--porcelain") == ""
    claim = replace(CLAIM, subject=("size.txt", "src"))
    run(tmp_path, subjects(claim), [])

    do(tmp_path)

    assert expected in listed(tmp_path, capsys, claim)[1]
    assert listed(tmp_path, capsys, claim)[0] == bool(expected)


def test_what_is_in_no_commit_is_not_measured(tmp_path: Path, git: Git, capsys: pytest.CaptureFixture[str]) -> None:
    run(tmp_path, subjects(CLAIM), [])
    commit = git("rev-parse", "--short=10", "HEAD")
    (tmp_path / "size.txt").write_text("9 bytes\n")
    capsys.readouterr()

    assert run(tmp_path, subjects(CLAIM), []) == 1

    assert "size: not measured: in no commit as it is now: size.txt; commit it" in capsys.readouterr().err
    assert f"| 5 B | `cat size.txt` | {commit} |" in page(tmp_path)


def test_what_changes_meanwhile_is_not_recorded(tmp_path: Path, git: Git, capsys: pytest.CaptureFixture[str]) -> None:
    assert git("status", "--porcelain") == ""
    restless = replace(CLAIM, command="cat size.txt; echo 6 bytes > size.txt")

    assert run(tmp_path, subjects(restless), []) == 1

    assert "changed while it was measured" in capsys.readouterr().err
    assert NOT_YET in page(tmp_path)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        pytest.param(
            "echo begun; echo 5 bytes; exit 3", "**FAILED** exit status 3: begun / 5 bytes", id="another status"
        ),
        pytest.param(
            "echo FAILED tests/a.py::test_b; seq 9; exit 1",
            "**FAILED** exit status 1: FAILED tests/a.py::test_b |",
            id="tests",
        ),
        pytest.param("pwd; exit 1", "**FAILED** exit status 1: . |", id="without the folder of whoever measured"),
        pytest.param("exit 3 | cat; echo 5 bytes | false", "**FAILED** exit status 1: ", id="a status in a pipe"),
        pytest.param("echo nothing", "**FAILED** nothing like (?P<size>\\d+) bytes: nothing", id="without a figure"),
    ],
)
def test_a_command_that_fails_is_recorded_as_such(
    tmp_path: Path, git: Git, command: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert git("status", "--porcelain") == ""
    claim = replace(CLAIM, command=command)

    assert run(tmp_path, subjects(claim, OTHER), []) == 1

    assert expected in page(tmp_path)
    assert "| It is another. | 7 B |" in page(tmp_path)
    assert listed(tmp_path, capsys, claim, OTHER) == (1, "size: failed\n")


def test_a_command_that_claims_share_runs_once(tmp_path: Path, git: Git, capsys: pytest.CaptureFixture[str]) -> None:
    assert git("status", "--porcelain") == ""
    command = "echo x >> times.txt; cat size.txt"
    both = [replace(CLAIM, name=name, says=f"{name}.", command=command) for name in ("One", "Two")]

    run(tmp_path, subjects(*both), ["--only", "Two"])

    assert (tmp_path / "times.txt").read_text() == "x\n"
    assert "| One. | 5 B |" in page(tmp_path)
    assert "| Two. | 5 B |" in page(tmp_path)
    assert listed(tmp_path, capsys, *both) == (0, "")


@pytest.mark.parametrize("wanted", [(), ("--only", "test", "--only", "stories")], ids=["all", "tests only"])
@pytest.mark.parametrize(
    ("last", "expected"),
    [
        pytest.param("1 failed, 2 passed in 3.21s", "2 passed", id="to their end"),
        pytest.param("Killed", "**FAILED** exit status 1:", id="not to their end"),
    ],
)
def test_where_all_tests_are_run_none_is_run_again_for_a_claim(
    tmp_path: Path, git: Git, capsys: pytest.CaptureFixture[str], last: str, expected: str, wanted: tuple[str, ...]
) -> None:
    outcomes = ("PASSED tests/a.py", "PASSED tests/b.py", "FAILED tests/c.py")
    recipe = "@" + "; ".join(f"echo {outcome}::test_{{0}}" for outcome in outcomes) + "; echo {1}"
    targets = [f"{one}:\n\t{recipe.format(one, last)}\n" for one in ("test", "stories")]
    (tmp_path / "Makefile").write_text("".join(targets))
    git("add", "Makefile")
    git("commit", "-q", "-m", "Make tests")
    named = zip(("test", "stories"), TESTS, strict=True)
    whole = [Claim(name, f"All {name}.", command, ("src",)) for name, command in named]
    shown = [shown_by(name, f"{name} holds.", f"tests/{name}.py", "src") for name in ("a", "b", "c")]

    assert run(tmp_path, subjects(*whole, *shown), wanted) == 1

    assert f"[1/1] {TESTS[0]} && {TESTS[1]}\n" in capsys.readouterr().err
    assert f"| All test. | 2 passed | `{TESTS[0]}` |" in page(tmp_path)
    assert f"| b holds. | {expected}" in page(tmp_path)
    assert "| c holds. | **FAILED** exit status 1: " in page(tmp_path)


def test_a_claim_that_nobody_knows_is_refused(tmp_path: Path, git: Git, capsys: pytest.CaptureFixture[str]) -> None:
    assert git("status", "--porcelain") == ""

    assert run(tmp_path, subjects(CLAIM), ["--only", "seize"]) == 2

    assert capsys.readouterr().err == "no such claim: seize; evidence/claims has their names\n"


def test_what_takes_long_is_left_out_where_that_is_wanted(tmp_path: Path, git: Git) -> None:
    assert git("status", "--porcelain") == ""

    run(tmp_path, subjects(replace(CLAIM, is_long=True), OTHER), ["--quick"])

    assert f"| It is small. | {NOT_YET} | `cat size.txt` |  |  |" in page(tmp_path)
    assert "| It is another. | 7 B |" in page(tmp_path)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(replace(CLAIM, command="cat size.txt | cat"), id="another command"),
        pytest.param(replace(CLAIM, name="length"), id="another name"),
    ],
)
def test_another_claim_is_measured_itself(
    tmp_path: Path, git: Git, other: Claim, capsys: pytest.CaptureFixture[str]
) -> None:
    assert git("status", "--porcelain") == ""
    run(tmp_path, subjects(CLAIM), [])

    assert listed(tmp_path, capsys, other)[0] == 1


def test_other_words_need_no_measuring(tmp_path: Path, git: Git, capsys: pytest.CaptureFixture[str]) -> None:
    assert git("status", "--porcelain") == ""
    run(tmp_path, subjects(CLAIM), [])
    other = replace(CLAIM, says="It is tiny.", figure="only {size:.0f}")
    assert listed(tmp_path, capsys, other) == (0, "")

    assert run(tmp_path, subjects(other, OTHER), ["--write"]) == 0

    assert "| It is tiny. | only 5 |" in page(tmp_path)
    assert f"| It is another. | {NOT_YET} |" in page(tmp_path)


def test_a_claim_that_is_gone_leaves_nothing(tmp_path: Path, git: Git) -> None:
    assert git("status", "--porcelain") == ""
    run(tmp_path, subjects(CLAIM, OTHER), [])

    run(tmp_path, subjects(OTHER), [])

    assert list(Ledger.read(tmp_path / LEDGER).entries) == ["other"]


def test_a_commit_that_this_clone_lacks_makes_a_line_stale(
    tmp_path: Path, git: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    assert git("status", "--porcelain") == ""
    run(tmp_path, subjects(CLAIM), [])
    ledger = Ledger.read(tmp_path / LEDGER)
    ledger.entries["size"] = replace(ledger.entries["size"], commit="0123456789")
    ledger.write()

    assert listed(tmp_path, capsys, CLAIM) == (1, "size: changed since 0123456789\n")


def test_pages_get_the_figures_that_are_measured_now(tmp_path: Path, git: Git) -> None:
    (tmp_path / "README.md").write_text("Small: it has only\n5 B, while others have\n15 B.\n")
    quoting = replace(CLAIM, quotes=(Quote("README.md", "it has only {size:.0f} B, while"),))
    run(tmp_path, subjects(quoting), [])
    change(tmp_path, git, "12 bytes")

    run(tmp_path, subjects(quoting), [])

    assert (tmp_path / "README.md").read_text() == "Small: it has only\n12 B, while others have\n15 B.\n"


def test_a_goal_that_is_missed_stands_apart_until_it_is_met(tmp_path: Path, git: Git) -> None:
    claim = replace(CLAIM, goal=Goal("size", " B", most=4, why="of its name"))
    run(tmp_path, subjects(claim), [])
    missed = page(tmp_path).partition(f"## {MISSED}\n")[2]
    assert "| It is small. | at most 4 B | 5 B | 1 B | of its name | `cat size.txt` |" in missed
    assert "## Sizes" not in page(tmp_path)

    change(tmp_path, git, "4 bytes")
    run(tmp_path, subjects(claim), [])

    assert MISSED not in page(tmp_path)
    assert "| It is small. (goal: at most 4 B) | 4 B |" in page(tmp_path)


def test_what_nobody_ran_stands_with_its_source(tmp_path: Path, git: Git, capsys: pytest.CaptureFixture[str]) -> None:
    assert git("status", "--porcelain") == ""
    claim = Claim("nist", "It is by NIST.", "", (), source="its repository")

    assert run(tmp_path, subjects(claim), []) == 0

    assert "| It is by NIST. | its repository |" in page(tmp_path).partition(f"## {NOT_RUN}\n")[2]
    assert listed(tmp_path, capsys, claim) == (0, "")


def test_what_a_file_says_is_taken_over_from_the_commit_that_first_had_it(
    tmp_path: Path, git: Git, capsys: pytest.CaptureFixture[str]
) -> None:
    change(tmp_path, git, "## Sizes\n\n| | bytes |\n|---|---|\n| it | 4 |")
    measured = change(tmp_path, git, "## Sizes\n\n| | bytes |\n|---|---|\n| it | 5 |")
    change(tmp_path, git, "## Sizes\n\n| | bytes | bits |\n|---|---|---|\n| it | 5 | 40 |")
    read = cells(size=Cell("Sizes", "it", "bytes"))
    claim = replace(CLAIM, command="false", subject=("src",), file="size.txt", read=read)

    assert run(tmp_path, subjects(claim, OTHER), ["--adopt"]) == 0

    assert f"| It is small. | 5 B | `false` | {measured} |" in page(tmp_path)
    assert listed(tmp_path, capsys, claim, OTHER) == (1, "other: not measured yet\n")


def test_whoever_stops_it_loses_nothing_that_was_measured(tmp_path: Path, git: Git) -> None:
    assert git("status", "--porcelain") == ""

    def stopped(text: str) -> dict[str, float | str]:
        raise KeyboardInterrupt(text)

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path, subjects(CLAIM, replace(OTHER, read=stopped)), [])

    assert "| It is small. | 5 B |" in page(tmp_path)
    assert f"| It is another. | {NOT_YET} |" in page(tmp_path)
