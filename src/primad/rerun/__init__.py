"""Can an annotated run re-create itself?  Its code cloned, its command run in a sandbox, the result judged.

    rerun     all of it
    plan      what would be done, and what each step needs
    missing   what a record does not say, and what can be done about it

    stated       what a record says of how its run was made
    given        what the person adds, and where the code is
    inputs       which files the command reads, and where they are here
    cloning      the code at one commit
    libraries    a Python with the stated libraries, as far as there is one
    installing   the stated libraries from the network
    running      the command in the sandbox, and the run that it wrote
    recreated    the record of the new run
    result       what came of it, for programs;  ``text`` has it for people

A record comes from outside: what it names is checked before it is used, and its command never has a network.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.lazily import fetched

if TYPE_CHECKING:
    from primad.rerun.given import Given
    from primad.rerun.lacking import Lack, missing
    from primad.rerun.planning import Plan, plan
    from primad.rerun.recreating import rerun
    from primad.rerun.result import Rerun

__all__ = ["Given", "Lack", "Plan", "Rerun", "missing", "plan", "rerun"]

# A list of what is missing must not wait for numpy.
__getattr__, __dir__ = fetched(
    __name__,
    {
        "given": ["Given"],
        "lacking": ["Lack", "missing"],
        "planning": ["Plan", "plan"],
        "recreating": ["rerun"],
        "result": ["Rerun"],
    },
)
