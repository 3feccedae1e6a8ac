r"""What does a person who searches for runs ask for?  The words of a query as terms; no field is known here.

    parse_query   the query that a text writes, or where it cannot be understood
    Query         what is asked for: every clause must hold
    Clause        terms of which at least one must hold
    Term          values or a range for the field of a name; without a name, words of the free text
    Value, Range  a text, or what begins with it; from where to where
    straightened  a query with " for what editors make of a quote
    shown         text of a query as a message can have it

    team:h2oloo  venue:"ECIR 2019"  method:bm25,ql     the field has the value, or one of them
    tag:bm25*  team:*                                  it begins so; it is stated at all
    map>=0.3  year<2018  k1=0.9  year:2015..2018       numbers and dates compared, from one to the other
    neural  "relevance feedback"  rank*                words and phrases of the free text
    -role:reproducer  NOT neural  team!=h2oloo         not so
    team:h2oloo OR team:grossman                       one of them

Terms side by side must all hold; OR takes the term before and the one behind it.  In quotes every character stands for
itself, but for \" and \\, and what is a number is compared as text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from primad.errors import QueryError
from primad.metadata.showing import harmless

if TYPE_CHECKING:
    from collections.abc import Iterator

# More than a person writes, and no more than a database can be asked at once.
LONGEST_QUERY = 100_000
MOST_TERMS = 100
MOST_VALUES = 300

_OTHER_QUOTE = re.compile(r'("(?:[^"\\]|\\.)*+(?:"|\\?\Z)|\\.)|[“”„‟]', re.DOTALL)
_MEASURE = r"(?:\([^()\s\"]*\))?(?:@[0-9.]+)?"  # as in P(rel=2)@10
_HEAD = re.compile(rf"([^\s\"<>=!:,()]+{_MEASURE})(:|\s*(?:<=|>=|!=|==?|<|>)\s*)")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*+)"', re.DOTALL)
_BARE = re.compile(r'[^\s",]+')
_WORD = re.compile(r'[^\s"]+')
_BLANKS = re.compile(r"\s*")
_END_OF_RANGE = re.compile(r"[-+0-9.eE]*")
# A comma belongs to a number of a range, as values are none; behind a year it is none of decimals.
_WITH_COMMA = re.compile(r"[-+]?(?:[0-9]{0,3},[0-9]+|[0-9]*(?:\.[0-9]+)?)")
_DECIMALS = re.compile(r"(?<=[0-9]),[0-9]+(?:\.[0-9]+)?")
_NEGATIONS = ("NOT", "-")
_JOINS = ("AND", "OR")
_SHOWN = 40


@dataclass(frozen=True)
class Value:
    """A text that is looked for; IS_PREFIX if anything may follow, IS_QUOTED if it is meant as it is written."""

    text: str
    is_prefix: bool = False
    is_quoted: bool = False


@dataclass(frozen=True)
class Range:
    """From LOW to HIGH, numbers or dates as they were written, empty for no bound; whether the bounds belong to it."""

    low: str = ""
    high: str = ""
    has_low: bool = True
    has_high: bool = True


@dataclass(frozen=True)
class Term:
    """One condition: the field NAME has one of VALUES, or lies in RANGE; without NAME, VALUES are free text.

    POSITION is where it begins, the first character being 1.
    """

    name: str
    position: int
    values: tuple[Value, ...] = ()
    range: Range | None = None
    is_negated: bool = False


@dataclass(frozen=True)
class Clause:
    """Terms of which at least one must hold."""

    terms: tuple[Term, ...]


@dataclass(frozen=True)
class Query:
    """What is asked for: every one of CLAUSES must hold; without any, everything is meant."""

    text: str
    clauses: tuple[Clause, ...] = ()

    @property
    def terms(self) -> Iterator[Term]:
        """Yield all terms in their order."""
        return (term for clause in self.clauses for term in clause.terms)


def parse_query(text: str) -> Query:
    """Return the query that TEXT writes.

    >>> query = parse_query('team:h2oloo map>=0.3 -"query expansion"')
    >>> [(term.name, term.is_negated) for term in query.terms]
    [('team', False), ('map', False), ('', True)]
    >>> parse_query('team:"h2oloo')
    Traceback (most recent call last):
        ...
    primad.errors.QueryError: query, position 6: expected a closing quote, found the end
    """
    if len(text) > LONGEST_QUERY:
        raise QueryError(LONGEST_QUERY, f"expected at most {LONGEST_QUERY:,} characters, found {len(text):,}")
    return Query(text, tuple(_Reader(straightened(text)).clauses()))


@dataclass
class _Reader:
    """Reads a query from its beginning to its end; AT is how far it has come."""

    text: str
    at: int = 0
    terms: int = 0
    values: int = 0
    found: list[Clause] = field(default_factory=list)

    def clauses(self) -> list[Clause]:
        """Return all clauses."""
        while self._skip_blanks():
            begin, join = self.at, self._keyword(_JOINS)
            if join and not self.found:
                raise QueryError(begin + 1, f"expected a term before {join}, found none")
            if join and not self._skip_blanks():
                raise QueryError(begin + 1, f"expected a term behind {join}, found none")
            term = self._term()
            if join == "OR":
                self.found[-1] = Clause((*self.found[-1].terms, term))
            else:
                self.found.append(Clause((term,)))
        return self.found

    def _term(self) -> Term:
        """Return the term that begins here."""
        begin, is_negated = self.at, False
        while sign := self._keyword(_NEGATIONS):
            is_negated = not is_negated
            if not self._skip_blanks() or (sign == "-" and self.text[self.at - 1].isspace()):
                raise QueryError(begin + 1, f"expected a term behind {sign}, found none")
        self.terms += 1
        if self.terms > MOST_TERMS:
            raise QueryError(begin + 1, f"expected at most {MOST_TERMS} terms, found more")
        term = replace(self._condition() or self._free_text(), position=begin + 1)
        return replace(term, is_negated=term.is_negated != is_negated)

    def _condition(self) -> Term | None:
        """Return the condition on a field that stands here, None if it is free text."""
        head = _HEAD.match(self.text, self.at)
        if not head:
            return None
        name, operator = head[1], head[2].strip()
        self.at = head.end()
        if operator in ("<", "<=", ">", ">="):
            return Term(name, 0, range=self._bound(operator, f"{name}{operator}"))
        values = self._values(f"{name}{operator}")
        between = _range_of(values)
        return Term(name, 0, () if between else values, between, is_negated=operator == "!=")

    def _bound(self, operator: str, behind: str) -> Range:
        """Return the range that a comparison with the one value here means; a decimal comma is left to who reads it."""
        value = self._value(behind)
        decimals = None if value.is_quoted or value.is_prefix else _DECIMALS.match(self.text, self.at)
        self.at = decimals.end() if decimals else self.at
        text = value.text + (decimals[0] if decimals else "")
        if operator.startswith(">"):
            return Range(low=text, has_low=operator == ">=")
        return Range(high=text, has_high=operator == "<=")

    def _values(self, behind: str) -> tuple[Value, ...]:
        """Return the values, with commas in between, that stand BEHIND a name."""
        values = [self._value(behind)]
        while self.text.startswith(",", self.at):
            self.at += 1
            values.append(self._value(","))
        self.values += len(values)
        if self.values > MOST_VALUES:
            raise QueryError(self.at, f"expected at most {MOST_VALUES:,} values, found more")
        return tuple(values)

    def _value(self, behind: str) -> Value:
        """Return the value here; in quotes a star at the end is a star."""
        if self.text.startswith('"', self.at):
            return Value(self._quoted(), is_quoted=True)
        bare = _BARE.match(self.text, self.at)
        if not bare or bare[0][0] in "<>=!:":
            rest = self.text[self.at : self.at + _SHOWN].split()
            found = f"'{shown(rest[0])}'" if rest else "the end"
            raise QueryError(self.at + 1, f"expected a value behind '{shown(behind)}', found {found}")
        self.at = bare.end()
        return Value(bare[0].removesuffix("*"), bare[0].endswith("*"))

    def _free_text(self) -> Term:
        """Return the word or phrase that stands here."""
        if self.text.startswith('"', self.at):
            return Term("", 0, values=(Value(self._quoted(), is_quoted=True),))
        word = _WORD.match(self.text, self.at)
        assert word is not None  # noqa: S101 - neither a blank nor a quote stands here
        self._refuse_misunderstood(word[0])
        self.at = word.end()
        return Term("", 0, values=(Value(word[0].removesuffix("*"), word[0].endswith("*")),))

    def _refuse_misunderstood(self, word: str) -> None:
        """Refuse a WORD that a person hardly looks for, but means to join others by."""
        if word.upper() in (*_JOINS, "NOT"):
            raise QueryError(self.at + 1, f"expected {word.upper()} in capitals, or '{word}' in quotes, found {word}")
        if word[0] in "()" or word[-1] in "()":
            raise QueryError(self.at + 1, f"expected no parentheses but in quotes, found '{shown(word)}'")

    def _quoted(self) -> str:
        """Return what stands between the quote here and the next."""
        quoted = _QUOTED.match(self.text, self.at)
        if not quoted:
            raise QueryError(self.at + 1, "expected a closing quote, found the end")
        self.at = quoted.end()
        return re.sub(r"\\(.)", r"\1", quoted[1], flags=re.DOTALL)

    def _keyword(self, words: tuple[str, ...]) -> str:
        """Return the one of WORDS that stands here, and go behind it; empty if none does."""
        for word in words:
            end = self.at + len(word)
            if self.text.startswith(word, self.at) and (word == "-" or self.text[end : end + 1].strip() == ""):
                self.at = end
                return word
        return ""

    def _skip_blanks(self) -> bool:
        """Go behind blanks; tell whether anything is left."""
        blanks = _BLANKS.match(self.text, self.at)
        self.at = blanks.end() if blanks else self.at
        return self.at < len(self.text)


def _range_of(values: tuple[Value, ...]) -> Range | None:
    """Return the range that VALUES are, None if they are none; a decimal comma is left to who reads it."""
    if any(value.is_quoted for value in values):
        return None
    low, dots, high = ",".join(value.text for value in values).partition("..")
    end = _END_OF_RANGE if len(values) == 1 else _WITH_COMMA
    is_range = dots and (low or high) and end.fullmatch(low) and end.fullmatch(high)
    return Range(low, high) if is_range else None


def straightened(text: str) -> str:
    """Return TEXT of a query with plain quotes where an editor made others of them; what plain ones enclose stays.

    >>> straightened('venue:“ECIR 2019” "the “best” venue"')
    'venue:"ECIR 2019" "the “best” venue"'
    """
    return _OTHER_QUOTE.sub(lambda found: found[1] or '"', text)


def shown(text: str) -> str:
    """Return TEXT of a query as a message can have it."""
    return harmless(text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…")
