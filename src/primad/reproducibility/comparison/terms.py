"""What do others call such a pair of runs?

Term       what a vocabulary calls the pair, why, and which fields are missing where it cannot be told
terms_of   the terms of four vocabularies
same_team  whether two runs come from one team

ACM 1.1      repeatability, reproducibility, replicability: by team and by whose artifacts were used
             (Artifact Review and Badging, version 1.1, 2020; version 1.0 had the last two the other way round)
VIM          repeatability, intermediate precision and reproducibility condition of measurement (JCGM 200:2012,
             2.20 to 2.24): procedure is the method, measuring system code and platform, operator the actor, and
             location the team; time is not considered
Whitaker     reproducible, replicable, robust, generalisable: by data and analysis (The Turing Way)
repro_eval   reproducibility (rpd) and replicability (rpl): by the test collection; its PrimadExperiment evaluates
             three types
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from primad.reproducibility.comparison.agreement import agree_on
from primad.reproducibility.comparison.collection import CollectionSameness, same_collection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.metadata.record import Record
    from primad.reproducibility.comparison.letters import Type

CANNOT_TELL = "cannot tell"
NO_WORD = "no word"

VOCABULARIES = ("ACM 1.1", "VIM", "Whitaker", "repro_eval")
EVALUATED_BY_REPRO_EVAL = ("priMad", "PRIMAd", "PRIMAD")

# The field of a component that a person can most easily add.
_SETTLES = {
    "platform": "platform.software.libraries",
    "research goal": "research goal.publication.doi",
    "implementation": "implementation.source.repository",
    "method": "method.retrieval[].name",
    "actor": "actor.team",
    "data": "data.test collection.name",
}


@dataclass(frozen=True)
class Term:
    """What a vocabulary calls a pair of runs.

    ``word`` is 'no word' where the vocabulary has none for it, and 'cannot tell' where the records lack a field.
    """

    vocabulary: str
    word: str
    reason: str
    lacks: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the term as JSON has it."""
        return {"vocabulary": self.vocabulary, "word": self.word, "reason": self.reason, "lacks": list(self.lacks)}


@dataclass(frozen=True)
class _Pair:
    """What the vocabularies ask about a pair; None where it is not known."""

    type: Type
    strict: Type
    team: bool | None
    repository: bool | None
    collection: CollectionSameness

    def changed(self, letter: str) -> bool | None:
        """Tell whether the component of LETTER changed."""
        return self.type.changed(letter)


def terms_of(original: Record, other: Record, type_: Type, strict: Type) -> tuple[Term, ...]:
    """Return what each vocabulary calls two records of TYPE_, where STRICT is the type by whole equality."""
    repository = agree_on("implementation.source.repository", original, other)
    pair = _Pair(type_, strict, same_team(original, other), repository, same_collection(original, other))
    return tuple(next(terms(pair)) for terms in (_acm, _vim, _whitaker, _repro_eval))


def same_team(original: Record, other: Record) -> bool | None:
    """Tell whether two runs come from one team: by its name, else one person is one team; None if that is not known."""
    team = agree_on("actor.team", original, other)
    if team is not None:
        return team
    orcid = agree_on("actor.orcid", original, other)
    person = orcid if orcid is not None else agree_on("actor.name", original, other)
    return True if person else None


def _lacking(vocabulary: str, *fields: str) -> Term:
    """Say that FIELDS are not stated by both runs."""
    reason = f"not stated by both runs: {', '.join(fields)}"
    return Term(vocabulary, CANNOT_TELL, reason, fields)


def _lacking_any(vocabulary: str, pair: _Pair, letters: str) -> Iterator[Term]:
    """Say which fields would settle what is unknown among LETTERS, one for each; nothing if all is known."""
    unknown = [name for name in pair.type.unknown if name[0].upper() in letters]
    if unknown:
        yield _lacking(vocabulary, *(_SETTLES[name] for name in unknown))


def _acm(pair: _Pair) -> Iterator[Term]:
    """Ask for team and artifacts: the code, with what it is given.  The first term holds."""
    name = "ACM 1.1"
    artifacts = True if pair.changed("I") is False else pair.repository
    whose = "the same team" if pair.team else "another team"
    if pair.team is None:
        yield _lacking(name, "actor.team")
    if artifacts is None:
        yield _lacking(name, "implementation.source.repository")
    if not artifacts and pair.team:
        yield Term(name, NO_WORD, "the same team with newly developed artifacts")
    if not artifacts:
        yield Term(name, "replicability", "another team with artifacts of its own")
    if pair.changed("M"):
        yield Term(name, NO_WORD, f"{whose}, the same artifacts, but another method or other values")
    if pair.changed("D"):
        yield Term(name, NO_WORD, f"{whose}, the same artifacts, but other data")
    yield from _lacking_any(name, pair, "MD")
    if pair.team:
        yield Term(name, "repeatability", "the same team with the same setup")
    yield Term(name, "reproducibility", "another team with the original's artifacts")


def _vim(pair: _Pair) -> Iterator[Term]:
    """Ask for procedure, measuring system, operators and location, the object being the same.  The first term holds."""
    name = "VIM"
    yield from _lacking_any(name, pair, "D")
    if pair.changed("D"):
        yield Term(name, NO_WORD, "another object is measured: other data")
    if pair.team is None:
        yield _lacking(name, "actor.team")
    if not pair.team:
        yield Term(name, "reproducibility condition", "another team, so other operators in another place")
    yield from _lacking_any(name, pair, "M")
    if pair.changed("M"):
        yield Term(name, NO_WORD, "another procedure in the same place")
    if any(pair.changed(letter) for letter in "PIA"):
        yield Term(name, "intermediate precision condition", "the same procedure and place, other circumstances")
    yield from _lacking_any(name, pair, "PIA")
    yield Term(name, "repeatability condition", "the same procedure, system, operator and place")


def _whitaker(pair: _Pair) -> Iterator[Term]:
    """Ask for data and analysis, which is the method and its code.  The first term holds."""
    name = "Whitaker"
    is_other = any(pair.changed(letter) for letter in "IM")
    yield from _lacking_any(name, pair, "D" if is_other else "IMD")
    words = {
        (False, False): "reproducible",
        (True, False): "replicable",
        (False, True): "robust",
        (True, True): "generalisable",
    }
    parts = (
        "other data" if pair.changed("D") else "the same data",
        f"{'another' if is_other else 'the same'} analysis",
    )
    yield Term(name, words[bool(pair.changed("D")), is_other], ", ".join(parts))


def _repro_eval(pair: _Pair) -> Iterator[Term]:
    """Ask for the test collection, and for the types that it evaluates.  The first term holds."""
    name = "repro_eval"
    parts = pair.collection.to_dict().values()
    letters = str(pair.strict)
    known = "evaluates" if letters in EVALUATED_BY_REPRO_EVAL else "does not evaluate"
    rest = f"by whole equality it is {letters}, which PrimadExperiment {known}"
    if False in parts:
        yield Term(name, "replicability (rpl)", f"another test collection; {rest}")
    if None in parts:
        yield _lacking(name, _SETTLES["data"])
    yield Term(name, "reproducibility (rpd)", f"the same test collection; {rest}")
