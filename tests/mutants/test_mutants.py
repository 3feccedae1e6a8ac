"""Is every small fault tried, and is the right thing said of each?

``python -m tests.mutants`` tries those of the modules that compute our numbers.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutants import running
from tests.mutants.__main__ import Tried, outdated, score, table
from tests.mutants.judged import LIST, Place, as_block, judged
from tests.mutants.mutating import Mutant, mutants
from tests.mutants.running import Broken, Subject, outcomes
from tests.mutants.subjects import subjects

ROOT = Path(__file__).resolve().parents[2]
PLANTED = Subject("tests/mutants/planted.py", ("tests/mutants/planted_tests.py",))


def changes(source: str) -> list[str]:
    """Return what SOURCE becomes."""
    return [one.becomes for one in mutants(source, "some.py")]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param("a < b", ["a <= b"], id="a bound"),
        pytest.param("a = b <= c == d", ["a = b < c == d", "a = b <= c != d"], id="two comparisons"),
        pytest.param("a = b in c", ["a = b not in c"], id="membership"),
        pytest.param("a = b + c * d", ["a = b - c * d", "a = b + c / d"], id="arithmetic"),
        pytest.param("a = 1", ["a = 2"], id="a number"),
        pytest.param("a = 1e300", ["a = 2e+300"], id="a number to which 1 is nothing"),
        pytest.param("a = True", ["a = False"], id="a truth value"),
        pytest.param("a = b and not c", ["a = b or not c", "a = b and c"], id="truth"),
        pytest.param("a = -b", ["a = b"], id="a sign"),
        pytest.param("a = b[c:d]", ["a = b[:d]", "a = b[c:]"], id="a slice"),
        pytest.param("a = min(b)", ["a = max(b)"], id="min"),
        pytest.param("a = b.any()", ["a = b.all()"], id="any"),
        pytest.param("a += b", ["a -= b", "pass"], id="a step"),
        pytest.param("raise a", ["pass"], id="an error"),
        pytest.param("a(b)", ["pass"], id="a call that stands alone"),
        pytest.param("if a: b = c", ["if not a:"], id="a condition"),
        pytest.param("if a == b: c = d", ["if a != b:"], id="a condition whose opposite is a comparison"),
        pytest.param("a = [b for b in c if d]", ["a = [b for b in c if not d]"], id="what is chosen"),
        pytest.param("def a(b=1): return b", ["def a(b=2):", "return None"], id="a default and a returned value"),
        pytest.param("match a:\n case 1 if b: c = d", ["case 2 if b:", "case 1 if not b:"], id="a case"),
    ],
)
def test_each_part_of_a_statement_is_changed_once(source: str, expected: list[str]) -> None:
    found = [one for one in changes(source) if one != "pass" or "pass" in expected]

    assert found == expected


@pytest.mark.parametrize(
    "source",
    [
        pytest.param('"""Says 1 + 1."""', id="a docstring"),
        pytest.param('a = "1"', id="a text"),
        pytest.param("a: Literal[1]", id="an annotation"),
        pytest.param("def a(b: Literal[1]) -> Literal[2]: pass", id="the types of a function"),
        pytest.param("@measure(ideal=1)\ndef a(): pass", id="facts of a measure"),
        pytest.param("a = zip(b, c, strict=True)", id="a guard against ourselves"),
        pytest.param("if TYPE_CHECKING:\n from a import b", id="imports for types"),
        pytest.param("def a(): return None", id="nothing that is returned"),
    ],
)
def test_what_no_number_depends_on_is_left_alone(source: str) -> None:
    assert changes(source) == []


def test_a_mutant_says_where_it_is_and_leaves_the_others_as_they_were() -> None:
    source = "a = 1\nclass B:\n def c(self):\n  def d():\n   return 2\n  return (d() +\n   3)\n"

    found = [(one.function, one.was, one.becomes, [*one.lines], one.is_inside) for one in mutants(source, "some.py")]

    assert found == [
        ("", "a = 1", "a = 2", [1], False),
        ("B.c", "return 2", "return None", [5], True),
        ("B.c", "return 2", "return 3", [5], True),
        ("B.c", "return d() + 3", "return None", [6, 7], True),
        ("B.c", "return d() + 3", "return d() - 3", [6, 7], True),
        ("B.c", "return d() + 3", "return d() + 4", [7], True),
    ]


# What tests notice ---------------------------------------------------------------------------------------------------


def planted(path: Path) -> list[Mutant]:
    return [*mutants(path.read_text(encoding="utf-8"), str(path))]


@pytest.mark.slow
def test_tests_kill_what_they_notice_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(running, "_PATIENCE", 2)
    found = planted(ROOT / PLANTED.path)

    survived = {
        (one.function, one.becomes)
        for one, outcome in zip(found, outcomes(PLANTED, found), strict=True)
        if outcome == "survived"
    }

    assert survived == {
        ("", "MANY = 4"),
        ("is_many", "return count >= MANY"),
        ("untested", "return None"),
        ("untested", "return count - 1"),
        ("untested", "return count + 2"),
    }
    assert len(found) == 18


@pytest.mark.slow
def test_a_module_whose_tests_fail_anyhow_is_not_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    failing = tmp_path / "test_failing.py"
    failing.write_text("def test_wrong() -> None:\n    assert 1 == 2\n")

    with pytest.raises(Broken, match="test_wrong"):
        [*outcomes(Subject(PLANTED.path, (str(failing),)), planted(ROOT / PLANTED.path))]


@pytest.mark.slow
def test_the_command_prints_how_many_were_killed_in_a_module() -> None:
    command = [sys.executable, "-m", "tests.mutants", "--only", "primad.reproducibility.scales"]

    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)

    head, module, whole, *_ = [line.split() for line in said.stdout.splitlines()]
    assert head == ["module", "mutants", "killed", "judged", "left", "score"]
    assert module[0] == "reproducibility.scales"
    assert module[1:] == whole[1:]


# What is judged and printed ------------------------------------------------------------------------------------------


KILLED, LEFT, EQUIVALENT = (Place("primad.qra", "f", "a = 1", f"a = {number}") for number in (2, 3, 4))
TRIED = Tried("primad.qra", (KILLED,) * 3, (LEFT, EQUIVALENT), 1.0)


def test_the_table_counts_what_was_judged_apart_from_what_is_left() -> None:
    other = Tried("primad.track", (KILLED,), (), 1.0)

    lines = [line.split() for line in table([TRIED, other], {EQUIVALENT: "the same"}).splitlines()]

    assert lines == [
        ["module", "mutants", "killed", "judged", "left", "score"],
        ["qra", "5", "3", "1", "1", "75.0%"],
        ["track", "1", "1", "0", "0", "100.0%"],
        ["all", "6", "4", "1", "1", "80.0%"],
    ]
    assert score(TRIED, {}) == pytest.approx(0.6)


def test_what_was_judged_must_be_there_and_survive() -> None:
    gone, elsewhere = LEFT._replace(was="b = 1"), LEFT._replace(module="primad.track")

    assert outdated([TRIED], {EQUIVALENT: "", KILLED: "", gone: "", elsewhere: ""}) == [KILLED, gone]


def test_what_is_printed_of_a_mutant_is_read_back_with_its_reason() -> None:
    outside = LEFT._replace(function="")
    text = f"# a comment\n{as_block(LEFT)}  it is\n  the same\n\n{as_block(outside)}  so is this\n"

    assert judged(text) == {LEFT: "it is the same", outside: "so is this"}


def test_a_mutant_without_a_reason_is_refused() -> None:
    with pytest.raises(ValueError, match="and a reason, found"):
        judged(as_block(LEFT))


def test_every_judged_mutant_is_of_a_module_that_is_tried() -> None:
    assert {place.module for place in judged(LIST.read_text(encoding="utf-8"))} <= subjects().keys()


def test_every_module_and_its_tests_are_there() -> None:
    paths = [path for one in subjects().values() for path in (one.path, *one.tests)]

    assert [path for path in paths if not (ROOT / path).is_file()] == []
    assert [one.name for one in subjects().values() if not one.tests] == []
