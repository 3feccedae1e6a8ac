"""Does anything but an answer or an error of ours come out of some hundred inputs, and would it be noticed?

``python -m tests.fuzz`` plays as many as one likes.
"""

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import tests.fuzz.planted
import tests.fuzz.rooms  # noqa: F401 - which registers all targets
from tests.fuzz import guarding
from tests.fuzz.__main__ import table
from tests.fuzz.mutating import mutated
from tests.fuzz.playing import Fault, Player
from tests.fuzz.target import TARGETS
from tests.fuzz.trees import as_json, changed, many
from tests.fuzz.working import Found, Plan, Tally, fuzz, shares

pytestmark = pytest.mark.xdist_group("fuzz")  # for one process plays all inputs

PLANTED = ("one-error", "killed", "silent", "misbehaving")
OURS = sorted(name for name in TARGETS if name not in PLANTED)
ROOT = Path(__file__).resolve().parents[2]
INPUTS = 800  # over all targets


@pytest.fixture(scope="module")
def played() -> dict[str, Tally]:
    """Return what came of some inputs of every target."""
    return fuzz(shares(OURS, INPUTS), Plan(seed=1))


@pytest.mark.slow
@pytest.mark.parametrize("name", OURS)
def test_nothing_but_answers_and_errors_of_ours_comes_out(played: dict[str, Tally], name: str) -> None:
    tally = played[name]

    assert [f"{one.kind}\n{one.detail}" for one in tally.found.values()] == []
    assert tally.inputs == tally.wanted > 0


@pytest.mark.slow
def test_both_refused_and_accepted_inputs_are_among_them(played: dict[str, Tally]) -> None:
    assert sum(tally.accepted for tally in played.values()) > INPUTS / 10
    assert sum(tally.refused for tally in played.values()) > INPUTS / 10


@pytest.mark.parametrize("name", [name for name in OURS if name != "restore"])
def test_a_seed_decides_every_input(name: str) -> None:
    first = [TARGETS[name].input(7, number) for number in range(5)]

    assert [TARGETS[name].input(7, number) for number in range(5)] == first
    assert [TARGETS[name].input(8, number) for number in range(5)] != first


def test_damages_and_changes_differ_and_leave_the_sample_alone() -> None:
    sample, tree, other = b"301 Q0 d1 1 0.5 bm25\n" * 5, {"a": [1, {"b": "c"}]}, {"d": [{"e": ["f"]}]}

    assert len({mutated(sample, Random(number)) for number in range(100)}) > 90
    assert len({as_json(changed(tree, Random(number), [other]), Random(number)) for number in range(100)}) > 60
    assert (tree, other) == ({"a": [1, {"b": "c"}]}, {"d": [{"e": ["f"]}]})


def test_what_there_is_many_of_gets_many_parts_once_and_not_as_often_as_it_is_there() -> None:
    tree: dict[str, Any] = {"a": ["b"]}

    many(tree, "a", Random(1))
    many(tree["a"][0], 0, Random(1))

    assert tree == {"a": [[["b"] * 300], *[["b"]] * 299]}


# Faults that were planted --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def planted() -> dict[str, Tally]:
    """Return what came of inputs of targets that have faults."""
    plan = Plan(seed=1, patience=2, rooms="tests.fuzz.planted")
    return fuzz({"one-error": 40, "killed": 12, "silent": 12}, plan)


def digits(name: str, count: int) -> list[bytes]:
    return [TARGETS[name].input(1, number) for number in range(count)]


@pytest.mark.slow
def test_an_error_that_is_not_ours_is_found_with_its_first_input_and_its_place(planted: dict[str, Tally]) -> None:
    played = digits("one-error", 40)

    tally = planted["one-error"]

    (found,) = tally.found.values()
    assert found.kind.startswith("KeyError at ")
    assert found.kind.partition(":")[0].endswith("tests/fuzz/planted.py")
    assert (found.first, found.how_often) == (played.index(b"7"), played.count(b"7"))
    assert tally.refused == sum(int(digit) % 2 == 0 for digit in played)
    assert tally.inputs == 40


@pytest.mark.slow
@pytest.mark.parametrize(("name", "kind"), [("killed", "killed by SIGKILL"), ("silent", "no word for too long")])
def test_an_input_that_takes_its_process_along_is_found_and_the_others_are_played(
    planted: dict[str, Tally], name: str, kind: str
) -> None:
    played = digits(name, 12)

    tally = planted[name]

    (found,) = tally.found.values()
    assert (found.kind, found.first, found.how_often) == (kind, played.index(b"7"), played.count(b"7"))
    assert played.count(b"7") > 0


@pytest.mark.parametrize(
    ("deed", "kind"),
    [
        pytest.param("nan", "ValueError at ", id="NaN"),
        pytest.param("infinity", "ValueError at ", id="infinity"),
        pytest.param("warning", "UserWarning at ", id="a warning"),
        pytest.param("loop", "more than 0.2 s at ", id="no end"),
        pytest.param("memory", "more than 2 GB at ", id="much memory"),
        pytest.param("elsewhere", "open of ", id="a file elsewhere"),
        pytest.param("program", "os.system of ", id="a program"),
        pytest.param("silence", "a message of 0 characters at ", id="an error without a message"),
    ],
)
def test_what_an_input_must_not_do_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deed: str, kind: str
) -> None:
    monkeypatch.setattr(guarding, "SECONDS", 0.2)
    monkeypatch.setattr("tests.fuzz.playing.SECONDS", 0.2)
    player = Player(TARGETS["misbehaving"], tmp_path / "place")

    with player.ready():
        outcome = player.play(deed.encode())
        after = player.play(b"inside")

    assert isinstance(outcome, Fault)
    assert outcome.kind.startswith(kind)
    assert after == "accepted"


def test_a_file_of_one_input_is_gone_for_the_next(tmp_path: Path) -> None:
    player = Player(TARGETS["misbehaving"], tmp_path / "place")

    with player.ready():
        player.play(b"inside")
        left = list((tmp_path / "place" / "own").iterdir())

    assert left == []
    assert not (tmp_path / "place").exists()


# What is printed -----------------------------------------------------------------------------------------------------


def test_the_table_counts_each_target_and_all() -> None:
    found = {"KeyError": Found("KeyError", "", first=3, how_often=2)}
    tallies = {"run": Tally(1200, accepted=1000, refused=198, seconds=2.0, found=found), "set": Tally(5, refused=5)}

    lines = [line.split() for line in table(tallies).splitlines()]

    assert lines == [
        ["target", "inputs", "accepted", "refused", "faults", "inputs/s"],
        ["run", "1,200", "1,000", "198", "2", "600"],
        ["set", "5", "0", "5", "0", "0"],
        ["all", "1,205", "1,000", "203", "2", "602"],
    ]


def test_every_target_gets_inputs_by_its_weight() -> None:
    given = shares(["run", "assess"], 3100)

    assert given == {"run": 3000, "assess": 100}
    assert shares(["run", "assess"], 2)["assess"] == 1


@pytest.mark.slow
def test_an_input_that_was_kept_is_played_again(tmp_path: Path) -> None:
    path = tmp_path / "measure-name@1-3.input"
    path.write_bytes(b"map")

    said = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", "--play", path], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert said.stdout in {"accepted\n", "refused\n"}
