"""Which packages has primad here?  As its own metadata asks for them.

libraries   what it cannot do without, with versions
core        whether all of these are there, and new enough
extras      what it can do more with, and which packages that lacks
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from typing import TYPE_CHECKING

from primad.cli._probes.found import Extra, Found, State

if TYPE_CHECKING:
    from packaging.requirements import Requirement

_NAME = re.compile(r"[-_.]+")


def libraries() -> Iterator[tuple[str, str]]:
    """Yield the packages that are always needed, each with the version that is here."""
    for one in _wanted(""):
        yield one.name, _version(one.name)


def core() -> Found:
    """Find out whether what is always needed is there."""
    lacking = list(_lacking(""))
    if lacking:
        return Found("packages", State.FAILS, f"lacking: {', '.join(lacking)}", "install primad anew")
    return Found("packages", State.WORKS, "all that primad needs are here")


def extras() -> Iterator[Extra]:
    """Yield what primad can be installed with."""
    for name in metadata("primad").get_all("Provides-Extra") or ():
        yield Extra(name, tuple(_lacking(name)))


def _lacking(extra: str) -> Iterator[str]:
    """Yield the packages of EXTRA that are not here, or too old."""
    for one in _wanted(extra):
        found = _version(one.name)
        if not found:
            yield one.name
        elif not one.specifier.contains(found, prereleases=True):
            yield f"{one.name}{one.specifier} (here is {found})"


def _wanted(extra: str) -> Iterator[Requirement]:
    """Yield what EXTRA asks for on this machine; what is always needed if it is empty."""
    from packaging.requirements import Requirement  # matplotlib brings it

    for line in requires("primad") or ():
        one = Requirement(line)
        always = one.marker is None or one.marker.evaluate({"extra": ""})
        if always != bool(extra) and (always or (one.marker is not None and one.marker.evaluate({"extra": extra}))):
            yield one


def _version(name: str) -> str:
    """Return the version of the package NAME that is here, empty if it is not."""
    try:
        return version(_NAME.sub("-", name))
    except PackageNotFoundError:
        return ""
