"""Which formats of others are there, and what can each of them do?

    Format        a format: its name, what it is, how it is written and how it is read
    writes, reads the lines above a function that writes or reads one
    registered    those that were imported, by name
    Written       what a format makes of a thing, and what it could not carry
    Received      what a thing of a format says, and what could not be taken over

This is a leaf: it imports no format.  ``catalogue`` does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from primad.exchange.thing import File, Kind, Thing

Form = Literal["text", "folder"]
Recognise = Callable[[Path], bool]


@dataclass(frozen=True)
class Written:
    """The FILES that a format makes of a thing, one of them if it is text, and a line on each thing it could not carry.

    REMARKS are sentences on what whoever exports should know or still do.
    """

    files: tuple[File, ...]
    lost: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Received:
    """The THING that was read, a line on each thing that could not be taken over, and what there is to say."""

    thing: Thing
    lost: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


Writer = Callable[[Thing], Written]
Reader = Callable[[Path], Received]


@dataclass(frozen=True)
class Format:
    """A format that others read or write.

    form        what is written: one text, or a folder that may be packed as a zip
    of          the kinds of things that it can tell of
    extra       the extra of primad that it needs, if it needs one
    recognise   whether a file or folder is of this format
    """

    name: str
    title: str
    source: str
    form: Form = "text"
    of: tuple[Kind, ...] = ()
    extra: str = ""
    write: Writer | None = None
    read: Reader | None = None
    recognise: Recognise | None = None


_REGISTERED: dict[str, Format] = {}


def writes(
    name: str, *, title: str, source: str, form: Form = "text", of: tuple[Kind, ...], extra: str = ""
) -> Callable[[Writer], Writer]:
    """Register the function below as the one that writes the format NAME, defined in SOURCE."""

    def register(function: Writer) -> Writer:
        known = _REGISTERED.get(name) or Format(name, title, source)
        _REGISTERED[name] = replace(known, title=title, source=source, form=form, of=of, extra=extra, write=function)
        return function

    return register


def reads(name: str, *, title: str, source: str, recognise: Recognise) -> Callable[[Reader], Reader]:
    """Register the function below as the one that reads the format NAME, which RECOGNISE tells from others."""

    def register(function: Reader) -> Reader:
        known = _REGISTERED.get(name) or Format(name, title, source)
        _REGISTERED[name] = replace(known, read=function, recognise=recognise)
        return function

    return register


def registered() -> Mapping[str, Format]:
    """Return all formats that were imported, by name."""
    return _REGISTERED
