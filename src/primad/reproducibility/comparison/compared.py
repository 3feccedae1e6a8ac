"""What was found about one run: its type against its original, and the fields behind it.

Compared   one run against its original
Unread     a file of which nothing can be said, and why
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from primad.reproducibility.comparison.collection import CollectionSameness
from primad.reproducibility.comparison.names import is_published, meaning_of, name_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from primad.reproducibility.comparison.differences import Difference
    from primad.reproducibility.comparison.letters import Type
    from primad.reproducibility.comparison.terms import Term


@dataclass(frozen=True)
class Compared:
    """A run against its original.

    type              six letters, with assumptions where they were asked for
    changed           the fields that differ, by component
    only_original     counted fields that only the original states, ``only_other`` those that only this run states
    unknown           the components of which no counted field is stated by both, whatever was assumed of them
    parameters_only   whether of the method only values of parameters changed
    spelled           fields that are the same but for their spelling
    notes             what a reader should know besides
    terms             what other vocabularies call the pair
    collection        which parts of the test collection are the same
    """

    path: str
    tag: str
    type: Type
    changed: Mapping[str, tuple[Difference, ...]]
    only_original: tuple[str, ...] = ()
    only_other: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    parameters_only: bool = False
    spelled: tuple[Difference, ...] = ()
    notes: tuple[str, ...] = ()
    terms: tuple[Term, ...] = ()
    collection: CollectionSameness = field(default_factory=lambda: CollectionSameness(None, None, None))
    original: str = ""

    @property
    def name(self) -> str:
        """Return what this kind of reproduction is called."""
        return name_of(self.type, parameters_only=self.parameters_only)

    @property
    def meaning(self) -> str:
        """Return what changed and what that shows."""
        return meaning_of(self.type, parameters_only=self.parameters_only)

    @property
    def in_literature(self) -> bool:
        """Tell whether the PRIMAD literature has this kind; else it is a compound named by primad."""
        return is_published(self.type, parameters_only=self.parameters_only)

    @property
    def not_stated(self) -> tuple[str, ...]:
        """Return the counted fields that one of the two runs does not state."""
        return tuple(sorted({*self.only_original, *self.only_other}))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {
            "path": self.path,
            "tag": self.tag,
            "type": str(self.type),
            "primed": self.type.primed(),
            "name": self.name,
            "meaning": self.meaning,
            "in_literature": self.in_literature,
            "parameters_only": self.parameters_only,
            "changed": {component: [one.to_dict() for one in fields] for component, fields in self.changed.items()},
            "not_stated": list(self.not_stated),
            "stated_only_by": {"original": list(self.only_original), "other": list(self.only_other)},
            "unknown": list(self.unknown),
            "spelled_otherwise": [one.to_dict() for one in self.spelled],
            "notes": list(self.notes),
            "collection": self.collection.to_dict(),
            "terms": [term.to_dict() for term in self.terms],
        }


@dataclass(frozen=True)
class Unread:
    """A file whose metadata cannot be had, and why."""

    path: str
    reason: str
