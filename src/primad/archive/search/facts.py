"""Which values of a record can be searched for, and in which form?

    Facts         what is kept of a record to find its run again
    facts_of      the facts of a record
    folded        a text as it is compared: case, accents and spacing do not matter
    words_of      the words of a text, each folded
    canonical     the name of a field as it is kept: places of lists left out, blanks as underscores
    number_of     a value as a number, if it is one
    storable      values that both databases can hold

Everything that a record states can be found by its field; only what nobody searches for is left out (the files that
were read, what a run cost), and of a record with more than 300 values those behind: packages, then the platform, then
parameters.  Abstract, description and the like are found by their words.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from primad.metadata.paths import leaves
from primad.metadata.record import is_stated

if TYPE_CHECKING:
    from primad.metadata.paths import Path
    from primad.metadata.record import Record

LONGEST = 200
MOST_FACTS = 300

_MOST_WORDS = 2000
_LONGEST_WORD = 60
_NO_WORD = re.compile(r"[\W_]+")
_NOT_SEARCHED = (("data", "inputs"), ("data", "outputs"), ("resources",), ("metadata",), ("ranking",))
# Read as text: titles and names of publications, where a record has them.
_TEXT_KEYS = ("abstract", "description", "title")
_NUMBER = re.compile(r"[+-]?([0-9]{1,30}\.?[0-9]{0,30}|\.[0-9]{1,30})([eE][+-]?[0-9]{1,3})?")
_LARGEST = 1e300
_YEAR = re.compile(r"(19|20)[0-9]{2}")


@dataclass(frozen=True)
class Fact:
    """A value at a field: as the record writes it (SHOWN), folded (VALUE), and as a NUMBER if it is one."""

    field: str
    value: str
    shown: str
    number: float | None = None


@dataclass(frozen=True)
class Facts:
    """What is kept of a record to find its run again."""

    columns: dict[str, Any]
    facts: tuple[Fact, ...]
    texts: tuple[str, ...]  # the words of each text


def facts_of(record: Record, tag: str = "") -> Facts:
    """Return the facts of RECORD, of a run whose ranking has the TAG."""
    year = _YEAR.search(_text(record.get("research goal.venue.year")))
    own_tag = _text(record.tag or tag)
    columns = {
        "tag": own_tag,
        "team": _text(record.get("actor.team")),
        "actor": _text(record.get("actor.name")),
        "role": folded(_text(record.get("actor.role"))),
        "method": " + ".join(_text(name) for _, name in record.find("method.retrieval[].name"))[:LONGEST],
        "venue": _text(record.get("research goal.venue.name")),
        "year": int(year[0]) if year else None,
        "schema_version": _text(record.get("schema-version")),
    }
    return Facts(columns, tuple(_facts(record, own_tag)), tuple(_texts(record, own_tag)))


def canonical(field: Path | str) -> str:
    """Return the name of FIELD as it is kept.

    >>> canonical(("research goal", "evaluation", "baseline", 0)), canonical("Research Goal.venue.year")
    ('research_goal.evaluation.baseline', 'research_goal.venue.year')
    """
    steps = field.split(".") if isinstance(field, str) else [step for step in field if isinstance(step, str)]
    return ".".join(map(_canonical_key, steps))[:LONGEST]


@lru_cache(maxsize=10_000)  # records have the same keys again and again
def _canonical_key(key: str) -> str:
    """Return one KEY on the way to a field as it is kept."""
    return re.sub(r"[\s_-]+", "_", folded(str(storable(key))))


def folded(text: str) -> str:
    """Return TEXT as it is compared.

    >>> folded("  Étude  BM25 ")
    'etude bm25'
    """
    if not text.isascii():
        apart = unicodedata.normalize("NFKD", text)
        text = "".join(letter for letter in apart if not unicodedata.combining(letter))
    return " ".join(text.casefold().split())


def words_of(text: str) -> list[str]:
    """Return the words of TEXT in their order.

    >>> words_of("Cross-collection relevance feedback (CCRF)")
    ['cross', 'collection', 'relevance', 'feedback', 'ccrf']
    """
    return [word[:_LONGEST_WORD] for word in _NO_WORD.split(folded(text)) if word]


def storable(value: Any) -> Any:
    """Return VALUE as both databases can hold it: bytes that are no text are written out, and so is the null byte."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")
    if isinstance(value, dict):
        return {storable(str(key)): storable(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [storable(one) for one in value]
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return str(value)
    if isinstance(value, float) and value != value:  # noqa: PLR0124 - what is no number is not itself
        return "nan"
    return value if isinstance(value, int | float | bool | None) else storable(str(value))


def _facts(record: Record, tag: str) -> list[Fact]:
    """Return a fact for each value of RECORD that is searched for, each once, and first its TAG, stated or not."""
    found: dict[tuple[str, str], Fact] = {}
    # Of a record with too many values packages are left out first, then the platform, then parameters.
    for path, value in [(("tag",), tag), *sorted(leaves(record.tree), key=_less_asked_for)]:
        if len(found) >= MOST_FACTS:
            break
        if is_stated(value) and not _is_passed_over(path):
            fact = _fact(canonical(path), value)
            found.setdefault((fact.field, fact.value), fact)
    return list(found.values())


def _less_asked_for(leaf: tuple[Path, Any]) -> int:
    """Return a number that is the higher the fewer people search for what stands there."""
    path, _ = leaf
    if path[:1] == ("method",):
        return 0 if path[-1] == "name" else 1
    if path[:1] == ("platform",):
        return 3 if path[:3] == ("platform", "software", "libraries") else 2
    return 0


def _is_passed_over(path: Path) -> bool:
    """Tell whether nobody searches for the value at PATH, or by its words only."""
    return any(path[: len(head)] == head for head in _NOT_SEARCHED) or path[-1] in _TEXT_KEYS


def _fact(field: str, value: Any) -> Fact:
    """Return VALUE at FIELD as a fact."""
    shown = _text(value)
    return Fact(field, folded(shown)[:LONGEST], shown, number_of(value))


def number_of(value: Any) -> float | None:
    """Return VALUE as a number, if it is one that databases can hold.

    >>> number_of("0.90"), number_of(3), number_of("64 GB"), number_of("9e999"), number_of(True)
    (0.9, 3.0, None, None, None)
    """
    if isinstance(value, bool):
        return None
    if not isinstance(value, int | float):
        text = str(value).strip()
        if not _NUMBER.fullmatch(text):
            return None
        value = float(text)
    return float(value) if abs(value) < _LARGEST else None  # what is no number is not below anything


def _text(value: Any) -> str:
    """Return VALUE as a text that a column can hold."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return ", ".join(_text(one) for one in value)[:LONGEST]
    return "" if value is None else str(storable(str(value)))[:LONGEST]


def _texts(record: Record, tag: str) -> list[str]:
    """Return the words of each text in which RECORD says something in sentences, and of its TAG, each once."""
    texts = [tag]
    for path, value in leaves(record.tree):
        under_publication = path[:2] == ("research goal", "publication")
        if isinstance(value, str) and is_stated(value) and (path[-1] in _TEXT_KEYS or under_publication):
            texts.append(value)
    words = (" ".join(words_of(storable(text))[:_MOST_WORDS]) for text in texts)
    return [text for text in dict.fromkeys(words) if text]
