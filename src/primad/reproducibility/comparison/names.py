"""What is a reproduction of a type called, and what is it good for?

    Kind           one of the eight kinds of the PRIMAD literature
    KINDS          all of them
    name_of        the name of a type; several kinds at once are joined by +
    meaning_of     what changed and what that shows, in a sentence or two
    is_published   whether the literature has the kind, or it is a compound of ours

Freire, Fuhr and Rauber name eight kinds (Dagstuhl Seminar 16041, doi:10.4230/DagRep.6.1.108, Figure 1).  There are 64
types.  The others are composed: other people make a kind independent; another goal is a re-use; another method is a
validation that brings other code and another platform with it; else other data, other code (which brings another
platform with it), another platform and other parameter values count each, the last unless the data are others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from primad.metadata.schema import COMPONENTS

if TYPE_CHECKING:
    from primad.reproducibility.comparison.letters import Type

AS_FAR_AS_KNOWN = ", as far as known"
_NOTHING_KNOWN = "nothing known"


@dataclass(frozen=True)
class Kind:
    """A kind of the literature: its name, what is done, and what that shows."""

    name: str
    done: str
    shows: str


KINDS = {
    kind.name: kind
    for kind in (
        Kind("repeat", "the same once more", "whether the result is deterministic"),
        Kind("parameter-sweep", "other parameter values", "how sensitive the result is to its parameters"),
        Kind("generalize", "other data", "whether the finding holds on other data"),
        Kind("port", "another platform", "whether the result depends on the platform"),
        Kind("re-code", "other code for the same method", "whether the result depends on the code"),
        Kind("validate", "another method", "whether the finding holds under another method"),
        Kind("re-use", "another goal", "what else the work is good for"),
        Kind("independent", "other people", "whether other people can do it from what is known"),
    )
}
# A validation on other data stands in the table of the literature, where data may change as a consequence.
_PUBLISHED_PAIR = ("validate", "generalize")
_OTHER = {
    "platform": "another platform",
    "research goal": "another research goal",
    "implementation": "other code",
    "method": "another method",
    "actor": "other people",
    "data": "other data",
}
_PARAMETERS = "other parameter values of the method"
_SAME = {**{component: component for component in COMPONENTS}, "implementation": "code", "actor": "people"}


def name_of(type_: Type, *, parameters_only: bool = False) -> str:
    """Return what TYPE_ is called, where PARAMETERS_ONLY tells that of the method only parameters changed.

    A type with unknown letters has the name that it has whatever they are, or else the name of what is known.

    >>> from primad.reproducibility.comparison.letters import Type
    >>> name_of(Type.parse("PRIMAd")), name_of(Type.parse("?rImad")), name_of(Type.parse("?riMad"))
    ('independent re-use+validate', 're-code', 'validate')
    >>> name_of(Type.parse("pri?ad")), name_of(Type.parse("priMad"), parameters_only=True)
    ('repeat, as far as known', 'parameter-sweep')
    """
    if len(type_.unknown) == len(COMPONENTS):
        return _NOTHING_KNOWN
    least = _name(type_.assuming("same"), parameters_only=parameters_only)
    is_sure = all(_name(one, parameters_only=parameters_only) == least for one in type_.possible())
    return least if is_sure else least + AS_FAR_AS_KNOWN


def _name(type_: Type, *, parameters_only: bool) -> str:
    """Return what a type without unknown letters is called."""
    kinds = "+".join(_kinds(type_, parameters_only=parameters_only))
    return f"independent {kinds}" if type_.changed("actor") else kinds


def _kinds(type_: Type, *, parameters_only: bool) -> tuple[str, ...]:
    """Return the kinds that make up a type, people apart."""
    changed = {component for component in COMPONENTS if type_.changed(component)}
    kinds = ["re-use"] if "research goal" in changed else []
    if "method" in changed and not parameters_only:
        kinds += ["validate", *(["generalize"] if "data" in changed else [])]
    else:
        kinds += ["generalize"] if "data" in changed else []
        kinds += ["re-code"] if "implementation" in changed else ["port"] if "platform" in changed else []
        kinds += ["parameter-sweep"] if "method" in changed and "data" not in changed else []
    return tuple(kinds) or ("repeat",)


def is_published(type_: Type, *, parameters_only: bool = False) -> bool:
    """Tell whether the literature has the kind; a compound of several is ours."""
    kinds = _kinds(type_.assuming("same"), parameters_only=parameters_only)
    return len(kinds) == 1 or kinds == _PUBLISHED_PAIR


def meaning_of(type_: Type, *, parameters_only: bool = False) -> str:
    """Return in words what changed, what did not, and what that shows.

    >>> from primad.reproducibility.comparison.letters import Type
    >>> meaning_of(Type.parse("primAd"))
    'Other people; platform, research goal, code, method and data are the same. Shows whether the result is \
deterministic and whether other people can do it from what is known.'
    """
    if len(type_.unknown) == len(COMPONENTS):
        return "The runs state no field in common that tells what changed."
    other = {**_OTHER, "method": _PARAMETERS} if parameters_only else _OTHER
    by_change: dict[bool | None, list[str]] = {True: [], False: [], None: []}
    for component in COMPONENTS:
        change = type_.changed(component)
        by_change[change].append(other[component] if change else _SAME[component])
    parts = [in_words(by_change[True]) or "nothing is known to have changed"]
    if not by_change[True] and not by_change[None]:
        parts = ["nothing changed"]
    elif by_change[False]:
        parts.append(f"{in_words(by_change[False])} {_is(by_change[False])} the same")
    if by_change[None]:
        parts.append(f"not known: {in_words(by_change[None])}")
    text = "; ".join(parts)
    shows = "If that is the same, it shows" if type_.unknown else "Shows"
    return f"{text[0].upper()}{text[1:]}. {shows} {_shown(type_, parameters_only=parameters_only)}."


def _shown(type_: Type, *, parameters_only: bool) -> str:
    """Return what a type shows."""
    kinds = [*_kinds(type_.assuming("same"), parameters_only=parameters_only)]
    kinds += ["independent"] if type_.changed("actor") else []
    return in_words([KINDS[kind].shows for kind in kinds])


def in_words(words: list[str]) -> str:
    """Return WORDS as a sentence has them.

    >>> in_words(["goal", "method", "data"])
    'goal, method and data'
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def _is(words: list[str]) -> str:
    """Return the verb for WORDS; people and data are several already."""
    return "are" if len(words) > 1 or words[0] in ("people", "data") else "is"
