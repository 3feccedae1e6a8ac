"""What would be done to re-create a run, and what does each step need?

plan      the steps for an annotated run; nothing is done
Plan      these, and what is lacking
Planned   one step
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from primad.metadata.reading import read_metadata
from primad.metadata.secrets import redact, redact_url
from primad.metadata.showing import harmless
from primad.replay.git import COMMIT_SHOWN
from primad.rerun.given import Given
from primad.rerun.inputs import Place
from primad.rerun.lacking import look_at

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from primad.rerun.inputs import Needed
    from primad.rerun.lacking import Lack, Looked

SCHEMA = "primad.rerun.plan/1"

_MOST_NAMED = 5


@dataclass(frozen=True)
class Planned:
    """A STEP of a rerun: what it DOES, and what it NEEDS."""

    step: str
    does: str
    needs: str


@dataclass(frozen=True)
class Plan:
    """The STEPS that would re-create RUN, and what it LACKS; nothing can be done if that IS_ESSENTIAL."""

    run: str
    steps: tuple[Planned, ...]
    lacks: tuple[Lack, ...] = ()

    @property
    def is_possible(self) -> bool:
        """Tell whether nothing essential is lacking."""
        return not any(lack.is_essential for lack in self.lacks)


def plan(run: str | os.PathLike[str], given: Given | None = None) -> Plan:
    """Return what would be done to re-create RUN, as far as it is GIVEN."""
    given = given or given_for(run)
    return planned(os.fspath(run), look_at(read_metadata(run).record, given), given)


def given_for(run: str | os.PathLike[str], **options: object) -> Given:
    """Return the OPTIONS of a rerun of RUN, whose code may be where it lies, or in the working folder."""
    path = Path(run)
    return Given(here=(Path.cwd(), path.absolute().parent), run=path.name, **options)  # type: ignore[arg-type]  # those of Given


def planned(run: str, looked: Looked, given: Given) -> Plan:
    """Return the plan for RUN, at which was LOOKED."""
    return Plan(run, tuple(_steps(looked, given)), looked.lacks)


def _steps(looked: Looked, given: Given) -> Iterator[Planned]:
    """Yield the steps in their order."""
    stated, origin = looked.stated, looked.origin
    commit = stated.commit[:COMMIT_SHOWN] or "(not stated)"
    place = redact_url(origin.place) if origin else harmless(stated.repository) or "(not stated)"
    network = "" if origin is None else "no network" if origin.is_local else "a network: --fetch"
    yield Planned("clone", f"clone {place} at commit {commit}", network)
    if stated.uses_python:
        count = len(stated.libraries)
        does = f"install {count:,} stated libraries" if given.fetch else f"look for {count:,} stated libraries here"
        yield Planned("environment", does, "a network, in the sandbox" if given.fetch else "no network")
    else:
        yield Planned("environment", "use the programs of this machine", "no network")
    if looked.needed:
        yield Planned("inputs", f"show {_listed(looked.needed)}", _places(looked.needed))
    command = harmless(redact(stated.command)) or "(not stated)"
    yield Planned("command", f"run {command} in {harmless(stated.folder)}", "a sandbox")
    yield Planned("result", "judge the run that it writes", "qrels, for scores: --qrels")


def _listed(items: Sequence[Needed]) -> str:
    """Return the names of the first of ITEMS."""
    more = len(items) - _MOST_NAMED
    return ", ".join(harmless(one.name) for one in items[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def _places(items: Sequence[Needed]) -> str:
    """Return how many of ITEMS are where."""
    counts = {place: sum(one.place is place for one in items) for place in Place}
    return ", ".join(f"{count:,} {place}" for place, count in counts.items() if count)
