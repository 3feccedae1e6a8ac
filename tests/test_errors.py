"""Do errors say everything, wherever they go?"""

import pickle
import re

import pytest

from primad import errors
from primad.errors import (
    DataError,
    FileError,
    Flaw,
    FormatError,
    MeasureError,
    MeasurementError,
    NoMetadata,
    NotAllowed,
    PairingError,
    PrimadError,
    Problem,
    QueryError,
    SchemaError,
    TooBusy,
    TopicError,
    UndefinedMeasure,
    UnknownMeasure,
    UsageError,
    WorkError,
)

PROBLEMS = (Problem(4, "6 columns", "'x'"), Problem(7, "a finite number as score", "'nan'"))
EXAMPLES = {
    PrimadError: PrimadError("something is wrong"),
    FileError: FileError("a.run", "no such file", "name another"),
    FormatError: FormatError("a.run", PROBLEMS),
    DataError: DataError("expected a run, found none"),
    UnknownMeasure: UnknownMeasure("mpa", ["map", "ndcg"]),
    MeasurementError: MeasurementError([Flaw("a.csv:3", "value", "a finite number", "'n/a'")]),
    MeasureError: MeasureError("p@0", "expected a cutoff of at least 1, found 0"),
    NoMetadata: NoMetadata("a.run", "has no metadata", "add it"),
    PairingError: PairingError("two runs could be the baseline", ["a.run", "b.run"]),
    QueryError: QueryError(7, "expected a closing quote"),
    UndefinedMeasure: UndefinedMeasure("er", "the original runs have equal mean scores"),
    SchemaError: SchemaError("unknown schema version '9'"),
    TopicError: TopicError("no topic is shared"),
    NotAllowed: NotAllowed("only organisers may assign systems to analysts"),
    TooBusy: TooBusy("several people work here already", 5),
    WorkError: WorkError("a process was ended"),
    UsageError: UsageError("expected at least 1 job, found 0"),
}
CLASSES = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, PrimadError)]

each_class = pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)


@each_class
def test_an_error_is_pickled_whole(kind: type[PrimadError]) -> None:
    error = EXAMPLES[kind]

    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - it was pickled a moment ago

    assert type(copy) is kind
    assert (str(copy), copy.args, copy.exit_code) == (str(error), error.args, error.exit_code)
    assert vars(copy) == vars(error)


def test_what_only_somebody_at_a_terminal_can_do_is_no_part_of_the_message_and_travels_with_it() -> None:
    paused = UsageError("attempt 1 rests already", "go on with: primad track attempt resume 1")
    missing = PairingError("no attempt has the number 9", command="see all with: primad track show")

    for error in (paused, missing, pickle.loads(pickle.dumps(paused)), pickle.loads(pickle.dumps(missing))):  # noqa: S301 - pickled here
        assert "primad" not in str(error)
        assert error.at_terminal == f"{error}; {error.command}"
    assert UsageError("say why", "with --because").at_terminal == "say why, with --because"
    assert UsageError("say why").at_terminal == "say why"


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        pytest.param(FileError, "a.run: no such file; name another", id="file"),
        pytest.param(FormatError, "a.run:4: expected 6 columns, found 'x' (and 1 more problem)", id="format"),
        pytest.param(UnknownMeasure, "unknown measure 'mpa'; did you mean 'map'?", id="unknown measure"),
        pytest.param(QueryError, "query, position 7: expected a closing quote", id="query"),
        pytest.param(MeasureError, "measure 'p@0': expected a cutoff of at least 1, found 0", id="measure"),
    ],
)
def test_a_message_says_where_what_and_what_to_do(kind: type[PrimadError], message: str) -> None:
    assert str(EXAMPLES[kind]) == message


def test_a_file_error_without_a_hint_ends_with_what_was_found() -> None:
    assert str(FileError("a.run", "no such file")) == "a.run: no such file"


@pytest.mark.parametrize(
    ("problems", "message"),
    [
        pytest.param(PROBLEMS[:1], "a.run:4: expected 6 columns, found 'x'", id="one"),
        pytest.param(PROBLEMS * 2, "a.run:4: expected 6 columns, found 'x' (and 3 more problems)", id="four"),
    ],
)
def test_a_format_error_shows_the_first_problem_and_counts_the_others(
    problems: tuple[Problem, ...], message: str
) -> None:
    assert str(FormatError("a.run", problems)) == message


def test_the_facts_of_an_error_are_attributes() -> None:
    error = FormatError("a.run", list(PROBLEMS))

    assert (error.path, error.line, error.problems) == ("a.run", 4, PROBLEMS)


def test_problems_stand_in_the_order_of_their_lines() -> None:
    assert sorted([PROBLEMS[1], PROBLEMS[0]]) == list(PROBLEMS)


@pytest.mark.parametrize(
    ("name", "suggestion"),
    [
        pytest.param("ndgc", "ndcg", id="letters in another order"),
        pytest.param("NDCG", "ndcg", id="capital letters"),
        pytest.param("maap", "MAP", id="a letter too many, in other letters"),
        pytest.param("recall", None, id="nothing like it"),
        pytest.param("", None, id="nothing at all"),
    ],
)
def test_the_nearest_measure_is_suggested(name: str, suggestion: str | None) -> None:
    error = UnknownMeasure(name, iter(["MAP", "bpref", "ndcg"]))

    instead = f"did you mean '{suggestion}'?" if suggestion else "expected MAP or bpref or ndcg"
    assert (error.suggestion, error.known) == (suggestion, ["MAP", "bpref", "ndcg"])
    assert str(error) == f"unknown measure '{name}'; {instead}"


def test_where_many_measures_are_known_and_none_is_like_it_the_first_ones_are_named() -> None:
    error = UnknownMeasure("happiness", [f"P_{cut}" for cut in range(30)])

    assert str(error) == (
        "unknown measure 'happiness'; expected one such as P_0, P_1, P_2, P_3, P_4, P_5, P_6, P_7, P_8, P_9, P_10, P_11"
    )


def test_wrong_usage_has_the_exit_code_of_the_command_line_and_all_else_one() -> None:
    assert {kind: kind.exit_code for kind in CLASSES} == dict.fromkeys(CLASSES, 1) | {UsageError: 2}


def test_the_tree_in_the_docstring_is_the_tree_of_classes() -> None:
    lines = re.findall(r"^    ([│├└─ ]*)(\w+)  +\S", errors.__doc__ or "", re.MULTILINE)
    path: list[str] = []
    drawn = {}

    for branch, name in lines:
        depth = len(branch) // 4
        path = [*path[:depth], name]
        drawn[name] = path[-2] if depth else "Exception"

    assert drawn == {kind.__name__: kind.__base__.__name__ for kind in CLASSES if kind.__base__}


def test_where_no_measure_is_known_at_all_that_is_said() -> None:
    assert str(UnknownMeasure("map", [])) == "unknown measure 'map'; there are none to choose from here"
