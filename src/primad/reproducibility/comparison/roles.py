"""Is a run an experiment of its own, or the reproduction of another?

    is_reproducer   whether a record says that it is a reproduction

A run that states no role is an experiment of its own.  The role decides what the baseline field means: an experimenter
names the runs compared with, a reproducer the run that is reproduced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.reproducibility._words import texts

if TYPE_CHECKING:
    from primad.metadata.record import Record


def is_reproducer(record: Record) -> bool:
    """Tell whether the run of RECORD was made to reproduce another.

    >>> from primad.metadata.reading import from_tree
    >>> is_reproducer(from_tree({"actor": {"role": "Reproducer"}})), is_reproducer(from_tree({}))
    (True, False)
    """
    return [role.casefold() for role in texts(record.get("actor.role"))] == ["reproducer"]
