"""Do two runs state the same in a field?

    Verdict       same, spelled otherwise, changed, or that nobody can tell
    verdict_on    the verdict on two values of a field
    agree_on      whether two records state the same in a field
    plain_text    a free name as it is compared
    packages_in   the packages of a list or of lists by language, with their versions

Free names are compared without regard to case, blanks, hyphens and underscores: 'Robust04' and 'robust04' are one
collection, 'Robust04' and 'TREC Robust 2004' are two, for only a person can know better.  What is the same only so is
'spelled otherwise', and is listed as such.  Addresses are compared without the way they are reached, DOIs and ORCIDs
without what is put before them, measures by what evaluation takes them for, releases by package and version, and
commands by the program they run, if that can be told.
"""

from __future__ import annotations

import re
import shlex
import unicodedata
from functools import cache, lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Literal

from primad.errors import PrimadError
from primad.metadata.paths import parse
from primad.metadata.sameness import address, says_the_same
from primad.metadata.schema import Field, load_schema
from primad.reproducibility.comparison.programs import programs_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from primad.metadata.record import Record

Verdict = Literal["same", "spelled otherwise", "changed", "cannot tell"]

# The keys whose values says_the_same knows more about; elsewhere it would take 500 tokens for 512 tokens.
_KNOWN_THERE = ("repository", "kernel", "commit", "tree")
_EXECUTABLE = "implementation.executable"
_DOI = re.compile(r"10\.[0-9]{4,9}/\S+")
_ORCID = re.compile(r"[0-9]{4}-[0-9]{4}-[0-9]{4}-[0-9]{3}[0-9Xx]")
_SEPARATORS = re.compile(r"[\s_-]+")
_PACKAGE_SEPARATORS = re.compile(r"[\s_.-]+")
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


def verdict_on(field: Field, one: Any, other: Any, synonyms: Iterable[Iterable[str]] = ()) -> Verdict:
    """Return whether ONE and OTHER, values of FIELD, say the same; SYNONYMS are spellings of one thing."""
    if type(one) is type(other) and one == other:
        return "same"
    if (field.type == "quantity" or field.steps[-1] in _KNOWN_THERE) and says_the_same(field.steps, one, other):
        return "same"
    if field.path == f"{_EXECUTABLE}.cmd":
        return _verdict_on_commands(one, other)
    if field.encoding == "release":
        return _verdict_on_releases(one, other)
    groups = {plain_text(name): plain_text(next(iter(group))) for group in synonyms for name in group}
    read = _reader(field)
    return "spelled otherwise" if _key(one, read, groups) == _key(other, read, groups) else "changed"


def _verdict_on_commands(one: Any, other: Any) -> Verdict:
    """Return whether two command lines run the same programs."""
    ours, theirs = (
        programs_in(shlex.join(map(str, value)) if isinstance(value, list) else str(value)) for value in (one, other)
    )
    if not ours or not theirs or len(ours) != len(theirs):
        return "cannot tell"  # of two lines one may only state more of what was done
    return "same" if ours == theirs else "changed"


def _verdict_on_releases(one: Any, other: Any) -> Verdict:
    """Return whether two packages are the same; of one without a version nobody can tell."""
    ours, theirs = packages_in(one), packages_in(other)
    if ours.keys() != theirs.keys():
        return "changed"
    versions = [(ours[name][1], theirs[name][1]) for name in ours]
    if any(bool(here) != bool(there) for here, there in versions):
        return "cannot tell"
    return "spelled otherwise" if all(here == there for here, there in versions) else "changed"


def agree_on(path: str, original: Record, other: Record) -> bool | None:
    """Tell whether both records state the same at PATH; None unless both state it."""
    one, two = original.get(path), other.get(path)
    if one is None or two is None:
        return None
    return verdict_on(load_schema().field_at(parse(path)) or Field(path), one, two) != "changed"


def _reader(field: Field) -> Callable[[Any], Any]:
    """Return what brings a single value of FIELD into the form in which it is compared."""
    if field.path.endswith("reported measures"):
        return _measure
    if field.path == f"{_EXECUTABLE}.program":
        return lambda value: plain_text(PurePosixPath(str(value)).name)
    return _BY_ENCODING.get(field.encoding, plain_text)


def _key(value: Any, read: Callable[[Any], Any], synonyms: Mapping[str, str]) -> Any:
    """Return what is compared of VALUE: lists of texts have no order, mappings are compared by key."""
    if isinstance(value, dict):
        return {plain_text(key): _key(inner, read, synonyms) for key, inner in value.items()}
    if isinstance(value, list):
        return sorted({repr(_key(inner, read, synonyms)) for inner in value})
    found = read(value)
    return synonyms.get(found, found) if isinstance(found, str) else found


def plain_text(value: Any) -> Any:
    """Return a free name as it is compared, a number as the number it is however it is written.

    >>> plain_text("TREC_Robust 2004") == plain_text("trec  robust-2004"), plain_text("0.90") == plain_text(0.9)
    (True, True)
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return float(value)
    return _plain(str(value))


@lru_cache(maxsize=10_000)
def _plain(written: str) -> str | float:
    """Return a text as it is compared."""
    text = written.strip()
    if _NUMBER.fullmatch(text):
        return float(text)
    folded = _SEPARATORS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()
    return folded or text  # of a text that is nothing but hyphens each one counts


def _address(value: Any) -> str:
    """Return an address without the way it is reached."""
    return address(value).removeprefix("www.").rstrip("/")


def _found(pattern: re.Pattern[str]) -> Callable[[Any], str]:
    """Return what takes from a text the part that PATTERN finds, or all of it."""

    def part(value: Any) -> str:
        found = pattern.search(str(value))
        return found[0].casefold() if found else str(plain_text(value))

    return part


@cache
def _measure(value: Any) -> Any:
    """Return what evaluation takes a measure for, so that AP is map."""
    from primad.evaluation.notation import parse_measure

    try:
        meant = parse_measure(str(value))
    except PrimadError:
        return plain_text(value)
    facts = [(one.family, one.value, one.level, one.judged_only) for one in meant]
    return repr(facts) if all(one.family for one in meant) else plain_text(value)


_BY_ENCODING: dict[str, Callable[[Any], Any]] = {
    "uri": _address,
    "repository": _address,
    "doi": _found(_DOI),
    "orcid": _found(_ORCID),
    "commit": lambda value: str(value).strip().lower(),
    "sha256": lambda value: str(value).strip().lower(),
}


def packages_in(value: Any) -> dict[str, tuple[str, frozenset[str]]]:
    """Return the packages of a list, or of lists by language: by name as compared, the name and the stated versions.

    >>> packages_in({"python": ["scikit_learn==1.0"], "other": ["Scikit-Learn"]})
    {'scikit learn': ('scikit_learn', frozenset({'1.0'}))}
    """
    found: dict[str, tuple[str, frozenset[str]]] = {}
    for text in _texts(value):
        name, _, version = text.partition("==")
        key = _PACKAGE_SEPARATORS.sub(" ", name).strip().casefold()
        known, versions = found.get(key, (name.strip(), frozenset()))
        found[key] = known, versions | ({version.strip()} if version.strip() else set())
    return found


def _texts(value: Any) -> list[str]:
    """Return the texts below VALUE; of a package with more facts its name and version."""
    if isinstance(value, dict):
        if "name" in value:
            version = value.get("version")
            return [f"{value['name']}=={version}" if version is not None else str(value["name"])]
        return [text for inner in value.values() for text in _texts(inner)]
    if isinstance(value, list):
        return [text for inner in value for text in _texts(inner)]
    return [] if value is None else [str(value)]
