"""Commands that are run several times, as real processes."""

from __future__ import annotations

import signal
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from primad import read_record
from primad.errors import FileError, MeasureError, UsageError
from primad.metadata.recording.of_command import Recorded
from primad.qra.refusing import Refused
from primad.reproducibility.ranking_agreement import Agreement
from primad.reproducibility.repeating import Repetition, _Plan, repeat_command

pytestmark = pytest.mark.slow

# Writes a run of three topics whose order depends on the first argument.
SCRIPT = """
import random, sys
seed = sys.argv[1] if len(sys.argv) > 1 else "0"
name = sys.argv[2] if len(sys.argv) > 2 else "bm25.run"
order = random.Random(seed)
with open(name, "w") as stream:
    for topic in "123":
        documents = [f"d{number}" for number in range(8)]
        order.shuffle(documents)
        for rank, document in enumerate(documents, 1):
            stream.write(f"{topic} Q0 {document} {rank} {10 - rank} bm25\\n")
"""
# Is killed by a signal, or fails, in the second repetition, after it has begun to write.
FAILS_LATER = """
import os, pathlib, signal, sys
again = pathlib.Path("bm25.run.1").exists()
with open("bm25.run", "w") as stream:
    stream.write("1 Q0 d1 1 2 bm25\\n")
    if again:
        stream.flush()
        HOW
    stream.write("1 Q0 d2 2 1 bm25\\n")
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder with a script and with judgments."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "search.py").write_text(SCRIPT)
    (tmp_path / "qrels.txt").write_text("".join(f"{topic} 0 d{number} 1\n" for topic in "123" for number in (1, 5)))
    return tmp_path


def repeated(*arguments: str, times: int = 3, script: str = "search.py", **options: Any) -> Repetition:
    """Run the script with ARGUMENTS several TIMES."""
    return repeat_command([sys.executable, script, *arguments], times, **options)


def names(folder: Path) -> list[str]:
    """Return the files in FOLDER that a command has left there."""
    return sorted(path.name for path in folder.iterdir() if path.name not in ("search.py", "qrels.txt"))


# The loop ------------------------------------------------------------------------------------------------------------


def test_each_repetition_is_kept_under_its_number_and_annotated(folder: Path) -> None:
    found = repeated()

    assert names(folder) == ["bm25.run.1", "bm25.run.2", "bm25.run.3"]
    assert [(one.number, one.name, one.path) for one in found.kept] == [
        (1, "bm25.run", "bm25.run.1"),
        (2, "bm25.run", "bm25.run.2"),
        (3, "bm25.run", "bm25.run.3"),
    ]
    starts = [read_record(folder / name)["resources.runtime.start time"] for name in names(folder)]
    assert starts == sorted(set(starts))
    assert (found.done, found.status, found.problem, found.remarks) == (3, 0, "", ())


def test_a_command_that_does_the_same_gives_the_same_bytes() -> None:
    (agreement,) = repeated().agreements

    assert isinstance(agreement, Agreement)
    assert (agreement.n, agreement.different_bytes, agreement.rbo, agreement.topics) == (3, 1, 1.0, 3)
    assert agreement.sentence == "bm25.run: the rankings of 3 repetitions are the same, byte for byte (3 topics)."


def test_the_number_of_the_repetition_is_the_seed_where_that_is_varied(folder: Path) -> None:
    found = repeated("{seed}", vary_seed=True)

    (agreement,) = found.agreements
    assert isinstance(agreement, Agreement)
    assert agreement.different_rankings == 3
    assert 0 < agreement.lowest <= agreement.rbo < 1
    assert [read_record(folder / f"bm25.run.{number}")["method.seed"] for number in (1, 2, 3)] == [1, 2, 3]
    assert found.remarks == ()


def test_without_varying_a_seed_in_the_command_is_left_alone_and_said(folder: Path) -> None:
    found = repeated("{seed}", times=2)

    assert found.remarks == ("the command has {seed}, which was left as it is; --vary seed puts a number there",)
    assert "'{seed}'" in read_record(folder / "bm25.run.1")["implementation.executable.cmd"]


def test_runs_whose_names_have_the_seed_are_repetitions_of_each_other(folder: Path) -> None:
    found = repeated("{seed}", "out-{seed}.run", times=2, vary_seed=True, runs=["out-{seed}.run"])

    assert names(folder) == ["out-1.run.1", "out-2.run.2"]
    assert [one.n for one in found.agreements if isinstance(one, Agreement)] == [2]


def test_several_runs_of_a_command_are_compared_each_with_its_own(folder: Path) -> None:
    both = "import runpy, sys\nfor name in ('a.run', 'b.run'):\n    sys.argv = ['', '0', name]\n"
    (folder / "both.py").write_text(f"{both}    runpy.run_path('search.py')\n")

    found = repeated(times=2, script="both.py")

    assert [one.name for one in found.agreements if isinstance(one, Agreement)] == ["a.run", "b.run"]
    assert sorted(one.path for one in found.kept) == ["a.run.1", "a.run.2", "b.run.1", "b.run.2"]


def test_each_repetition_is_told_of_when_it_is_over() -> None:
    seen: list[tuple[int, int]] = []

    def note(number: int, recorded: Recorded) -> None:
        seen.append((number, recorded.execution.status))

    repeated(times=2, on_repetition=note)

    assert seen == [(1, 0), (2, 0)]


def test_what_is_told_of_a_repetition_names_the_runs_as_they_are_kept(folder: Path) -> None:
    seen: list[Path] = []

    repeated(times=2, on_repetition=lambda _, recorded: seen.extend(recorded.annotated))

    assert seen == [folder / "bm25.run.1", folder / "bm25.run.2"]


def test_standard_output_of_the_command_goes_where_it_is_sent(folder: Path) -> None:
    (folder / "search.py").write_text(f"{SCRIPT}print('searched')\n")
    with (folder / "printed").open("wb") as stream:
        repeated(times=2, stdout=stream.fileno())

    assert (folder / "printed").read_text() == "searched\nsearched\n"


# What goes wrong -----------------------------------------------------------------------------------------------------


def test_what_is_there_already_is_not_overwritten_and_nothing_is_run(folder: Path) -> None:
    (folder / "bm25.run.3").write_text("precious")

    with pytest.raises(FileError, match="is there already, and would be overwritten"):
        repeated(runs=["bm25.run"])

    assert names(folder) == ["bm25.run.3"]
    assert (folder / "bm25.run.3").read_text() == "precious"


def test_of_a_run_that_was_not_named_it_is_seen_after_the_first_time(folder: Path) -> None:
    (folder / "bm25.run.3").write_text("precious")

    found = repeated()

    assert (found.done, found.kept) == (0, ())
    assert found.problem == (
        f"repetition 1: {folder / 'bm25.run.3'}: is there already, and would be overwritten; "
        "move it away, or remove it; what this repetition wrote stays in bm25.run"
    )
    assert names(folder) == ["bm25.run", "bm25.run.3"]


def test_of_several_runs_those_that_were_moved_are_kept_and_the_others_named(folder: Path) -> None:
    long = f"b{'b' * 249}.run"  # a name as long as can be, to which no number can be added
    both = f"import runpy, sys\nfor name in ('a.run', {long!r}):\n    sys.argv = ['', '0', name]\n"
    (folder / "both.py").write_text(f"{both}    runpy.run_path('search.py')\n")

    found = repeated(times=2, script="both.py")

    assert [(one.number, one.name, one.path) for one in found.kept] == [(1, "a.run", "a.run.1")]
    assert names(folder) == ["a.run.1", long, "both.py"]
    assert found.done == 0
    assert found.problem.startswith(f"repetition 1: {folder / long}: cannot be moved to ")
    assert found.problem.endswith(f"; what this repetition wrote stays in {long}")


def test_a_link_is_not_kept_because_the_next_repetition_would_change_it(folder: Path) -> None:
    (folder / "bm25.run").symlink_to(folder / "elsewhere")

    with pytest.raises(FileError, match="is a link"):
        repeated(runs=["bm25.run"])


@pytest.mark.parametrize(
    ("how", "status"),
    [
        pytest.param("sys.exit(7)", 7, id="fails"),
        pytest.param("os.kill(os.getpid(), signal.SIGTERM)", 128 + signal.SIGTERM, id="is ended by a signal"),
        pytest.param("os.kill(os.getpid(), signal.SIGKILL)", 128 + signal.SIGKILL, id="is killed"),
    ],
)
def test_a_repetition_that_fails_is_the_last_and_what_was_kept_is_whole(folder: Path, how: str, status: int) -> None:
    (folder / "search.py").write_text(FAILS_LATER.replace("HOW", how))

    found = repeated(qrels="qrels.txt")

    assert (found.done, found.status) == (1, status)
    assert found.problem == f"repetition 2: the command ended with status {status}"
    assert [one.path for one in found.kept] == ["bm25.run.1"]
    assert (folder / "bm25.run.1").read_text().endswith("1 Q0 d1 1 2 bm25\n1 Q0 d2 2 1 bm25\n")
    assert not (folder / "bm25.run.2").exists()
    assert found.assessment is None
    assert found.agreements == (Refused("agreement of rankings", "it needs at least 2 runs, found 1"),)


def test_a_command_that_writes_no_run_is_run_once(folder: Path) -> None:
    (folder / "search.py").write_text("open('count', 'a').write('x')")

    found = repeated()

    assert (folder / "count").read_text() == "x"
    assert (found.done, found.status) == (0, 0)
    assert found.problem == (
        "repetition 1: the command wrote no run that could be annotated, so there is nothing to keep"
    )


def test_a_seed_that_the_command_has_no_place_for_is_refused() -> None:
    with pytest.raises(UsageError, match=r"where the command has \{seed\}, which it has not"):
        repeated(vary_seed=True)


@pytest.mark.parametrize("times", [-1, 1, 1001, 20_000_000])
def test_too_few_and_too_many_repetitions_are_refused(times: int) -> None:
    with pytest.raises(UsageError, match=f"expected 2 to 1,000 repetitions, found {times:,}"):
        repeated(times=times)


def test_only_the_repetition_whose_turn_it_is_is_made() -> None:
    plan = _Plan(("{seed}",) * 1000, 1000, (), {}, vary_seed=True)
    tracemalloc.start()
    try:
        last = [one.number for one in plan][-1]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert last == 1000
    assert peak < 1000 * 1000  # pointers alone to each word of each repetition would take 8 bytes each


def test_judgments_and_measures_are_looked_at_before_anything_is_run(folder: Path) -> None:
    with pytest.raises(FileError, match="absent"):
        repeated(qrels="absent")
    with pytest.raises(MeasureError, match="CV\\* needs a true zero"):
        repeated(qrels="qrels.txt", measures=["er"])

    assert names(folder) == []


# Precision -----------------------------------------------------------------------------------------------------------


def test_scores_of_the_same_command_are_assessed_as_repeatability() -> None:
    found = repeated(qrels="qrels.txt", measures=["map", "P_5"])

    assert found.problem == ""
    assert found.assessment is not None
    assert [(one.group.object, one.group.measurand) for one in found.assessment.groups] == [
        ("bm25.run", "map"),
        ("bm25.run", "P_5"),
    ]
    assert {one.group.kind for one in found.assessment.groups} == {"repeatability"}
    assert [one.precision.cv_acl2022 for one in found.assessment.groups] == [0.0, 0.0]


def test_a_seed_that_varied_is_a_condition_that_differs() -> None:
    found = repeated("{seed}", qrels="qrels.txt", measures=["map"], vary_seed=True)

    assert found.assessment is not None
    (one,) = found.assessment.groups
    assert one.group.kind == "reproducibility"
    assert one.group.stated.varying == {"object.data.seed": ("1", "2", "3")}
    assert one.precision.cv_acl2022 is not None
    assert one.precision.cv_acl2022 > 0


def test_scores_that_are_all_zero_leave_an_assessment_without_groups(folder: Path) -> None:
    (folder / "qrels.txt").write_text("".join(f"{topic} 0 unseen 1\n" for topic in "123"))

    found = repeated(times=2, qrels="qrels.txt", measures=["map"]).to_dict()

    assert found["assessment"]["groups"] == []
    assert found["assessment"]["remarks"] == [
        "bm25.run.1: the qrels judge none of its documents; are they of another collection?",
        "bm25.run.2: the qrels judge none of its documents; are they of another collection?",
        "bm25.run, map: all 2 scores are 0, so it is left out",
    ]


def test_judgments_of_other_topics_do_not_hide_how_the_rankings_agree(folder: Path) -> None:
    (folder / "qrels.txt").write_text("9 0 d1 1\n")

    found = repeated(times=2, qrels="qrels.txt")

    assert found.problem.startswith("the scores could not be assessed: ")
    assert [one.different_bytes for one in found.agreements if isinstance(one, Agreement)] == [1]


def test_what_came_of_it_is_json_without_secrets() -> None:
    found = repeated("0", "bm25.run", "--api-key", "s3cr3t-v4lue", times=2).to_dict()

    assert found["schema"] == "primad.repetition/1"
    assert (found["done"], found["wanted"], found["varied"], found["assessment"]) == (2, 2, [], None)
    assert found["kept"][1] == {"repetition": 2, "name": "bm25.run", "path": "bm25.run.2"}
    assert found["agreement"][0]["different_bytes"] == 1
    assert "s3cr3t-v4lue" not in str(found)
