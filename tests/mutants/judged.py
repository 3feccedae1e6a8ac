"""Which mutants were read, and found to be no fault?  They are listed in judged.txt, each with the reason.

Place       a mutant by its module, its function, and its statement before and after: lines may move
judged      the reasons by place
as_block    a mutant as it stands in the list, to be followed by the reason
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

LIST = Path(__file__).with_name("judged.txt")


class Place(NamedTuple):
    """Where a mutant is, and what it does there; mutants that are the same in all of this are one."""

    module: str
    function: str
    was: str
    becomes: str


def judged(text: str) -> dict[Place, str]:
    """Return the reasons in TEXT by what they are given for; a line that begins with # is a comment."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    blocks = "\n".join(lines).strip().split("\n\n") if any(lines) else []
    return dict(_read(block) for block in blocks if block.strip())


def _read(block: str) -> tuple[Place, str]:
    """Return the place and the reason that BLOCK has."""
    head, was, becomes, *reason = block.strip("\n").splitlines()
    module, _, function = head.partition(" ")
    if not (was.startswith("- ") and becomes.startswith("+ ") and reason):
        raise ValueError(f"{LIST.name}: expected a module and a function, '- ', '+ ' and a reason, found {block!r}")
    return Place(module, function, was[2:], becomes[2:]), " ".join(line.strip() for line in reason)


def as_block(place: Place) -> str:
    """Return PLACE as the list has it, without the reason."""
    return f"{place.module} {place.function}".rstrip() + f"\n- {place.was}\n+ {place.becomes}\n"
