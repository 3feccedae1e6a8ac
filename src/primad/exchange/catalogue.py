"""Every format that primad speaks with others: what is written, what is read, and how each is told from the others.

    formats       all of them by name
    get_format    one of them, for writing
    recognised    the format that a file or folder is in

A format registers itself when it is imported; their order here is that of pages and of recognising, so that a format
whose files could be taken for those of another stands before it.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from primad.errors import FileError, UsageError, nearest
from primad.exchange.formats import registered
from primad.exchange.our_own import our_own

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from primad.exchange.formats import Format

_ROOM = "primad.exchange"
MODULES = (
    "research_crate.packing",
    "research_crate.unpacking",
    "citations.schema_org",
    "citations.datacite",
    "citations.citation_file",
    "citations.bibtex",
    "linked.provenance",
    "linked.nanopublication",
    "workflows.cwl",
    "datasheets.datasheet",
    "trackers.mlflow_runs",
    "trackers.sacred_runs",
    "tira.runs",
    "tira.tracker",
    "qra3",
    "heds",
)


def formats() -> Mapping[str, Format]:
    """Return all formats by name, in the order of MODULES, whichever of them was imported first."""
    _import_all()
    return {one.name: one for one in sorted(registered().values(), key=_place)}


@cache
def _import_all() -> None:
    """Let every format register itself."""
    for module in MODULES:
        import_module(f"{_ROOM}.{module}")


def _place(form: Format) -> int:
    """Return the place of the first module of FORM in MODULES; the last one for a format from elsewhere."""
    modules = {function.__module__.removeprefix(f"{_ROOM}.") for function in (form.write, form.read) if function}
    return min((MODULES.index(module) for module in modules if module in MODULES), default=len(MODULES))


def get_format(name: str) -> Format:
    """Return the format NAME, which can be written."""
    known = {one.name: one for one in formats().values() if one.write}
    if name not in known:
        meant = nearest(name, list(known))
        hint = f"did you mean '{meant}'? There are" if meant else "there are"
        why = "can only be imported" if name in formats() else "is unknown"
        found = f"format '{name}' {why}" if name else "expected a format, found none"
        raise UsageError(f"{found}; {hint}: {', '.join(known)}")
    return known[name]


def recognised(path: Path) -> Format:
    """Return the format that the file or folder PATH is in."""
    readable = [one for one in formats().values() if one.read and one.recognise]
    try:
        for one in readable:
            if one.recognise is not None and one.recognise(path):
                return one
    except OSError as error:
        raise FileError(str(error.filename or path), f"cannot be read ({error.strerror or error})") from None
    what, command = our_own(path)
    known = ", ".join(one.name for one in readable)
    found = f"{what and f'{what}, and '}is in no format that can be imported ({known})"
    raise FileError(str(path), found, command or "primad export --list says what these are")
