"""What comes of one input?  It is accepted or refused, and anything else is a fault.

Player       plays inputs of a target, one after the other, in a folder of its own
Fault        what went wrong: an error that is not ours, a warning, a NaN, too much time or memory, a file elsewhere
refuse_nan   an error for an answer that has one in it
"""

from __future__ import annotations

import dataclasses
import gc
import math
import os
import shutil
import traceback
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from primad.errors import PrimadError
from tests.fuzz.guarding import GUARD, MEMORY, SECONDS, TooLong, few_bytes, in_time
from tests.fuzz.target import Target

LONGEST_MESSAGE = 20_000  # characters, besides what it quotes
_DEEPEST = 40
_FOLDERS = ("/src/primad/", "/tests/")


@dataclasses.dataclass(frozen=True)
class Fault:
    """What went wrong with an input: KIND is the same for inputs that meet the same fault, DETAIL is for people."""

    kind: str
    detail: str = ""


class Player:
    """Plays inputs of TARGET in a folder below PLACE; what all inputs share is set up once."""

    def __init__(self, target: Target, place: Path) -> None:
        self.target = target
        self.place = place
        self._own = place / "own"

    @contextmanager
    def ready(self) -> Iterator[None]:
        """Set up what the inputs share, and guard the process meanwhile."""
        shared = self.place / "shared"
        shared.mkdir(parents=True)
        self._own.mkdir()
        with (
            self.target.set_up(shared),
            GUARD.on(self.place, self.target.programs),
            few_bytes(),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("error")
            yield
        shutil.rmtree(self.place)

    def play(self, data: bytes) -> str | Fault:
        """Return "accepted", "refused" or the fault that DATA met."""
        GUARD.seen.clear()
        outcome = self._played(data)
        if GUARD.seen and not isinstance(outcome, Fault):
            outcome = Fault(GUARD.seen[0], "\n".join(GUARD.seen))
        if any(os.scandir(self._own)):
            shutil.rmtree(self._own)
            self._own.mkdir()
        return outcome

    def _played(self, data: bytes) -> str | Fault:
        """Return what comes of DATA, whatever else happens."""
        try:
            with in_time():
                answer = self.target.take(data, self._own)
            refuse_nan(answer)
        except PrimadError as error:
            return _unfit_message(error, data) or "refused"
        except TooLong as error:
            return _fault(f"more than {SECONDS:g} s", error)
        except MemoryError as error:
            fault = _fault(f"more than {MEMORY >> 30} GB", error)
            gc.collect()
            return fault
        except Exception as error:  # noqa: BLE001 - this is what is looked for
            return _fault(type(error).__name__, error)
        return "accepted"


def refuse_nan(answer: Any, deep: int = 0) -> None:
    """Raise a ValueError if there is a NaN or an infinity anywhere in ANSWER."""
    if isinstance(answer, float) and not math.isfinite(answer):
        raise ValueError(f"{answer} in an answer")
    if isinstance(answer, np.ndarray) and answer.dtype.kind == "f" and not np.isfinite(answer).all():
        raise ValueError("NaN in an array of an answer")
    for value in _within(answer) if deep < _DEEPEST else ():
        refuse_nan(value, deep + 1)


def _within(answer: Any) -> Iterable[Any]:
    """Return what ANSWER holds."""
    if isinstance(answer, Mapping):
        return answer.values()
    if isinstance(answer, list | tuple | set | frozenset):
        return answer
    if dataclasses.is_dataclass(answer):
        return [getattr(answer, field.name) for field in dataclasses.fields(answer)]
    return ()


def _unfit_message(error: PrimadError, data: bytes) -> Fault | None:
    """Return what is wrong with the message of ERROR: there is none, or it is far longer than DATA."""
    length = len(error.at_terminal)
    return None if 0 < length < LONGEST_MESSAGE + 3 * len(data) else _fault(f"a message of {length} characters", error)


def _fault(what: str, error: BaseException) -> Fault:
    """Return the fault that ERROR is, by where in our code it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if any(folder in frame.filename for folder in _FOLDERS)] or list(frames)
    name = ours[-1].filename.rpartition("/src/")[2]
    told = "".join(traceback.format_exception(error, limit=-12))
    return Fault(f"{what} at {name}:{ours[-1].lineno}", told[: LONGEST_MESSAGE * 2])
