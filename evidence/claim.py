"""What is a claim?  A sentence that could be false, with the command that shows it.

Claim    the sentence, where pages say it, the command, its figure, and the paths whose change makes it stale
Quote    words on a page
Goal     what a figure is meant to reach
shown_by a claim that tests show
TESTS    the command of all tests, slow stories and others
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from evidence.reading import Reader, Values, passed

# In an order of chance, as in any other: which one is of no account.
TESTS = ("make test PYTEST_ARGS='--numprocesses auto --random-order'", "make stories")
_ANY_TESTS = passed()


class Quote(NamedTuple):
    """WORDS on a PAGE; a figure in them is a field of the values that were read, as in ``{seconds:.2f} s``."""

    page: str
    words: str

    def filled(self, values: Values) -> str:
        """Return the words with their figures."""
        return " ".join(self.words.format_map(values).split())


@dataclass(frozen=True)
class Goal:
    """What the value OF a claim is to be: at most MOST, or at least LEAST, in UNIT; and WHY it is missed if it is."""

    of: str
    unit: str
    most: float | None = None
    least: float | None = None
    why: str = ""

    def __str__(self) -> str:
        """Return it in words."""
        bound = f"at most {self.most:g}" if self.most is not None else f"at least {self.least:g}"
        return f"{bound}{self.unit}"

    def missed_by(self, values: Values) -> float:
        """Return how far the value lies on the wrong side, 0 if it does not.

        >>> Goal("p95", " ms", most=300).missed_by({"p95": 326})
        26.0
        """
        value = float(values[self.of])
        return max(0.0, value - self.most if self.most is not None else (self.least or 0.0) - value)


@dataclass(frozen=True)
class Claim:
    """What is claimed, under a NAME.

    SAYS        one sentence
    COMMAND     what shows it, to be pasted at the root of a checkout; none for what nobody ran here
    SUBJECT     paths, as git understands them, whose change makes the figure stale
    QUOTES      where pages say it
    READ        makes values of what the command printed, or of what it wrote to FILE
    FIGURE      these values in words, with fields as in a quote
    GOAL        what the figure is meant to reach
    IS_LONG     whether the command takes more than two minutes or so
    TESTS       files of tests, if the command runs these and nothing else
    SOURCE      where it is known from, if no command shows it
    """

    name: str
    says: str
    command: str
    subject: tuple[str, ...]
    quotes: tuple[Quote, ...] = ()
    read: Reader = _ANY_TESTS
    figure: str = "{passed:,.0f} passed"
    file: str = ""
    goal: Goal | None = None
    is_long: bool = False
    source: str = ""
    tests: tuple[str, ...] = ()

    def told(self, values: Values) -> str:
        """Return the figure in words."""
        return self.figure.format_map(values)


def shown_by(
    name: str,
    says: str,
    tests: str,
    sources: str,
    *quotes: Quote,
    read: Reader | None = None,
    figure: str = Claim.figure,
    is_long: bool = False,
) -> Claim:
    """Return a claim that TESTS show, files behind each other; it is stale when they or the SOURCES change."""
    files = tuple(tests.split())
    command = f".venv/bin/pytest -q {tests}"
    subject = (*files, *sources.split())
    read = read or passed(*files)
    return Claim(name, says, command, subject, quotes, read, figure, is_long=is_long, tests=files)
