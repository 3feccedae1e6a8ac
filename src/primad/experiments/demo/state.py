"""What do the sections of the demonstration share?

Asked    what a user wants to see
State    the folder, what was asked, and what earlier sections have made
Shown    what a section gives: its part of the page, and a line for the terminal
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from primad import Section
from primad.experiments.ccrf.collection import Collection
from primad.experiments.ccrf.dataset import Dataset, Spread
from primad.experiments.watching import Watch, unwatched


@dataclass(frozen=True)
class Asked:
    """What a user wants to see: COLLECTION is a folder or an identifier of ir_datasets; without one, synthetic ones."""

    seed: int = 1
    collection: Path | str | None = None
    quick: bool = False

    @property
    def command(self) -> list[str]:
        """Return what a person runs to have the same again, without the place of a folder, which is nobody's matter."""
        name = self.collection.resolve().name if isinstance(self.collection, Path) else self.collection
        of = ["--collection", name] if name else []
        return ["primad", "demo", "--seed", str(self.seed), *of, *["--quick"] * self.quick]


@dataclass(frozen=True)
class Shown:
    """A part of the page, and the same in a sentence; HEADLINE is what of it comes before everything else."""

    section: Section
    line: str
    headline: str = ""


@dataclass
class State:
    """Where everything goes, and what there is so far."""

    folder: Path
    asked: Asked
    watch: Watch = unwatched
    spread: Spread = map
    collections: Sequence[Collection] = field(default_factory=list)
    made: Dataset | None = None

    @property
    def dataset(self) -> Dataset:
        """Return the runs that an earlier section has made."""
        if self.made is None:
            raise LookupError("the section with the runs comes first")
        return self.made
