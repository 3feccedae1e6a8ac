"""What is fuzzed?  A reader of something that strangers give, and how inputs for it are made.

    Target    a reader, with what makes its inputs
    target    register the function below as the reader of a target
    TARGETS   all that are registered, by name

An input is always bytes, so that each can be kept as one file and played again.  Where a reader takes several files or
values, the bytes are JSON (``packed``, ``unpacked``), in which a file is a text with a sign for each byte.

A reader returns its answer, which may hold no NaN, or raises a PrimadError.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from primad.errors import PrimadError

Make = Callable[[Random], bytes]
Take = Callable[[bytes, Path], Any]
SetUp = Callable[[Path], AbstractContextManager[Any]]

TARGETS: dict[str, Target] = {}


class Refused(PrimadError):
    """An input that was refused as it should be, where no error of ours is raised: an answer of the API."""


@dataclass(frozen=True)
class Target:
    """A reader called NAME, which TAKEs inputs that MAKE makes; WEIGHT says how many of all inputs it gets.

    SET_UP prepares what all inputs share, in a folder that stays; each input has a folder of its own besides.  Only the
    PROGRAMS may be started.
    """

    name: str
    make: Make
    take: Take
    weight: float = 10
    set_up: SetUp = nullcontext
    programs: tuple[str, ...] = ()

    def input(self, seed: int, number: int) -> bytes:
        """Return the input of that NUMBER, always the same for the same SEED."""
        return self.make(Random(f"{seed}/{self.name}/{number}"))


def target(
    name: str, make: Make, *, weight: float = 10, set_up: SetUp = nullcontext, programs: tuple[str, ...] = ()
) -> Callable[[Take], Take]:
    """Register the function below as the reader of the target NAME."""

    def register(take: Take) -> Take:
        assert name not in TARGETS, f"{name} is registered twice"
        TARGETS[name] = Target(name, make, take, weight, set_up, programs)
        return take

    return register


def packed(values: Mapping[str, Any]) -> bytes:
    """Return VALUES as one input; bytes among them become texts with a sign for each byte."""
    return json.dumps({name: _text(value) for name, value in values.items()}).encode()


def _text(value: Any) -> Any:
    """Return VALUE as JSON can have it."""
    if isinstance(value, bytes):
        return value.decode("latin-1")
    return {name: _text(inner) for name, inner in value.items()} if isinstance(value, Mapping) else value


def unpacked(data: bytes) -> dict[str, Any]:
    """Return the values that ``packed`` made one input of; bytes are still texts."""
    values: dict[str, Any] = json.loads(data)
    return values


def in_bytes(text: str) -> bytes:
    """Return the bytes that ``packed`` made a TEXT of."""
    return text.encode("latin-1")


def write_files(files: Mapping[str, str], folder: Path) -> Path:
    """Write FILES by their paths below FOLDER, and return it."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(in_bytes(text))
    return folder


def strict_json(text: str | bytes) -> Any:
    """Return what TEXT says, which must be JSON as everybody reads it: Python also takes NaN."""
    return json.loads(text, parse_constant=_refuse)


def _refuse(word: str) -> None:
    """Refuse what is no JSON."""
    raise ValueError(f"{word} in JSON")
