"""Can it be installed, and do its tests pass, and how long do they take?"""

from __future__ import annotations

from evidence.claim import TESTS, Claim, Goal, Quote, shown_by
from evidence.reading import matched
from tests.mutants.subjects import subjects

_CODE = ("src", "tests", "pyproject.toml", "requirements.lock")
_TESTED = (*_CODE, "docs", "examples", "README.md")
_MUTATED = tuple(sorted({path for one in subjects().values() for path in (one.path, *one.tests)}))
# What the benches of the same day say.
_SLOW_DAY = "the machine was slow that day: pytrec_eval needed 1.5 to 1.9 times as long as two days before"


def _tests(
    name: str, says: str, command: str, *quotes: Quote, subject: tuple[str, ...] = _TESTED, goal: Goal | None = None
) -> Claim:
    """Return the claim that all tests of a COMMAND pass, with how long they take."""
    read = matched(r"(?P<passed>\d+) passed.* in (?P<seconds>[\d.]+)s")
    figure = "{passed:,.0f} passed in {seconds:.0f} s"
    return Claim(name, says, command, subject, quotes, read, figure, goal=goal, is_long=True)


CLAIMS = (
    Claim(
        "whole-demonstration",
        "The demonstration tells the whole story in less than two minutes on two processors.",
        "TIMEFORMAT='%0R s in all'; time make demo",
        ("src", "requirements.lock"),
        (
            Quote("README.md", "$ make demo"),
            Quote("docs/guides/demonstration.md", "in less than two minutes on two cores"),
        ),
        matched(r"^(?P<seconds>\d+) s in all"),
        "{seconds:.0f} s",
        goal=Goal("seconds", " s", most=120),
        is_long=True,
    ),
    _tests(
        "whole-suite",
        "All tests but the slow stories pass, in an order of chance, within ten minutes on two processors.",
        TESTS[0],
        Quote("README.md", "$ make test"),
        goal=Goal("seconds", " s", most=600, why=_SLOW_DAY),
    ),
    _tests(
        "slow-stories",
        "The slow stories pass: browsers, clusters, kills, the commands of pages, demonstrations.",
        TESTS[1],
    ),
    Claim(
        "small-faults",
        "Small faults in what computes numbers, put in one at a time, are noticed by the tests of the module.",
        ".venv/bin/python -m tests.mutants",
        ("tests/mutants", *_MUTATED),
        read=matched(
            r"^all +(?P<mutants>[\d,]+) +(?P<killed>[\d,]+) +(?P<judged>[\d,]+) +(?P<left>[\d,]+) +(?P<score>[\d.]+)%"
        ),
        figure="{killed:,.0f} of {mutants:,.0f} noticed, {judged:,.0f} are none: {score:.1f} % of the others",
        goal=Goal("score", " %", least=85),
        is_long=True,
    ),
    _tests(
        "tests-alone",
        "Tests pass one after another, in one process, in a second order of chance.",
        "make test PYTEST_ARGS=--random-order",
        subject=_CODE,
    ),
    Claim(
        "branches-taken",
        "Tests without the slow stories take more than 90 of 100 branches of the code below web, in a third order of "
        "chance.",
        "make coverage && .venv/bin/python -m evidence.figures branches",
        _CODE,
        read=matched(r"^(?P<taken>[\d.]+) % of (?P<there>[\d,]+) branches, (?P<taken_in_web>[\d.]+) %"),
        figure="{taken:.1f} % of {there:,.0f} branches, {taken_in_web:.1f} % of those in web",
        goal=Goal("taken", " %", least=90),
        is_long=True,
    ),
    Claim(
        "all-checks",
        "Lint, format, types and architecture are clean.",
        "make check",
        ("src", "tests", ":(glob)bench/*.py", ":(glob)evidence/**/*.py", "pyproject.toml"),
        read=matched(r"no issues found in (?P<files>\d+) source files"),
        figure="no issues in {files:.0f} files",
        is_long=True,
    ),
    shown_by(
        "wheel-as-built",
        "The wheel has every file of the package and no other, and is the same built from the sdist.",
        "tests/packaging/test_building.py",
        "pyproject.toml src/primad",
    ),
    shown_by(
        "wheel-alone",
        "The wheel alone works in an environment that has nothing else, and says which extra a command needs.",
        "tests/packaging/test_core.py",
        "pyproject.toml requirements.lock src/primad",
        Quote("README.md", "Into an environment of your own: `pip install .`"),
        is_long=True,
    ),
)
