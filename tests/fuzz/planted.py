"""Targets that have faults, to see whether these are found; nobody else imports this."""

from __future__ import annotations

import os
import signal
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from primad.errors import PrimadError, UsageError
from tests.fuzz.target import target


def make_digit(chance: Random) -> bytes:
    """Return a digit."""
    return b"%d" % chance.randrange(10)


@target("one-error", make_digit)
def take_one_error(data: bytes, _place: Path) -> Any:
    """Refuse an even digit, and fail at a 7."""
    if int(data) % 2 == 0:
        raise UsageError("expected an odd digit")
    return {b"1": "one", b"3": "three", b"5": "five", b"9": "nine"}[data]


@target("killed", make_digit)
def take_killed(data: bytes, _place: Path) -> Any:
    """End the process at a 7."""
    if data == b"7":
        os.kill(os.getpid(), signal.SIGKILL)


@target("silent", make_digit)
def take_silent(data: bytes, _place: Path) -> Any:
    """Wait for ever at a 7."""
    if data == b"7":
        time.sleep(sys.maxsize >> 30)


@target("misbehaving", make_digit)
def take_misbehaving(data: bytes, place: Path) -> Any:
    """Do what DATA say."""
    return _DEEDS[data.decode()](place)


def _warn(_place: Path) -> None:
    warnings.warn("look", stacklevel=2)


def _loop(_place: Path) -> None:
    while True:
        try:
            time.time()
        except Exception:  # noqa: BLE001, S112 - as careless code has it
            continue


def _write_elsewhere(place: Path) -> None:
    (place.parents[1] / "elsewhere").write_bytes(b"")


def _refuse_without_a_word(_place: Path) -> None:
    raise PrimadError


_DEEDS: dict[str, Callable[[Path], Any]] = {
    "nan": lambda _place: {"map": [0.5, float("nan")]},
    "infinity": lambda _place: (float("inf"),),
    "warning": _warn,
    "loop": _loop,
    "memory": lambda _place: len(bytearray(3 << 30)),
    "elsewhere": _write_elsewhere,
    "program": lambda _place: os.system("true"),  # noqa: S605, S607 - which must not happen
    "silence": _refuse_without_a_word,
    "inside": lambda place: (place / "file").write_bytes(b"x"),
}
