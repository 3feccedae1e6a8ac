"""What was shown while a system was run?  Its lines, made harmless, as they come.

    Transcript   the file that lines are added to
    Lines        lines from pieces of output
    harmless     a line that can be shown
    brief        what can stand in a sentence
    tail_of      the end of a transcript

A line is on its way to the disk before the next one is read, so that it is there whatever happens to this process.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import IO, TYPE_CHECKING

from primad.metadata.secrets import REDACTED, redact
from primad.replay._key_lines import KeyLines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType
    from typing import Self

LONGEST_LINE = 4000  # characters
CUT = " [the line goes on]"

_END_OF_LINE = re.compile(rb"\r\n|\n|\r")
_COLOUR = re.compile(r"\x1b\[[0-9;]*[mK]")
# What moves the cursor, asks the terminal for something, ends a line, or turns the direction of writing.
_HARMFUL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_LONGEST_KEPT = 4 * LONGEST_LINE + 4  # bytes: a character has four at most
_LONGEST_QUOTE = 200
_LONGEST_TAIL = 1 << 16  # bytes


def harmless(line: str) -> str:
    r"""Return LINE without secrets, and with control characters spelled out.

    >>> print(harmless("\x1b[32mdone\x1b[0m \x1b]0;title\x07"))
    done \x1b]0;title\x07
    """
    safe = redact(_HARMFUL.sub(_spelled, _COLOUR.sub("", line[:LONGEST_LINE])))
    return safe + CUT if len(line) > LONGEST_LINE else safe


def brief(text: str) -> str:
    """Return TEXT, such as a command, as it stands in a sentence: harmless, and not too long.

    >>> brief("python run.py" + 300 * " x")[-12:]
    ' x x x x ...'
    """
    safe = harmless(text.strip())
    return safe if len(safe) <= _LONGEST_QUOTE else f"{safe[:_LONGEST_QUOTE].rstrip()} ..."


def _spelled(found: re.Match[str]) -> str:
    """Return a character as Python writes it."""
    return found[0].encode("unicode_escape").decode("ascii")


class Lines:
    """Makes lines of the pieces of a stream; of a line without an end no more is kept than is shown."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._begun = b""
        self._keys = KeyLines()

    def add(self, piece: bytes) -> Iterator[str]:
        """Yield the lines that PIECE ends."""
        held = b"\r" if piece.endswith(b"\r") else b""  # the other half of an end of line may follow
        *whole, rest = _END_OF_LINE.split(self._begun + piece.removesuffix(held))
        for line in whole:
            yield from self._shown(line)
        self._begun = rest[:_LONGEST_KEPT] + held

    def rest(self) -> Iterator[str]:
        """Yield what has no end."""
        line, self._begun = self._begun.removesuffix(b"\r"), b""
        if line:
            yield from self._shown(line)

    def _shown(self, line: bytes) -> Iterator[str]:
        """Yield LINE as it can be shown; of the lines of a private key none is, and a mark stands in their place."""
        text = line.decode("utf-8", "replace")
        is_marked = self._keys.is_hiding
        if not self._keys.hides(_COLOUR.sub("", text)):
            yield harmless(text)
        elif not is_marked:
            yield REDACTED


class Transcript:
    """The file at PATH, which lines are added to."""

    def __init__(self, path: Path) -> None:
        """Go on behind what is there."""
        self.path = path
        self._stream: IO[str] = path.open("a", encoding="utf-8", newline="\n")

    def add(self, line: str) -> None:
        """Add a LINE that was made harmless, and let go of it at once."""
        self._stream.write(line + "\n")
        self._stream.flush()

    def note(self, text: str) -> None:
        """Add a line of our own, with the time."""
        self.add(f"[{datetime.now(UTC):%Y-%m-%d %H:%M:%S}] {harmless(text)}")

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def tail_of(path: Path, lines: int = 20) -> tuple[str, ...]:
    """Return the last LINES of the transcript at PATH, none if there is none."""
    try:
        with path.open("rb") as stream:
            size = stream.seek(0, 2)
            stream.seek(max(0, size - _LONGEST_TAIL))
            text = stream.read().decode("utf-8", "replace")
    except OSError:
        return ()
    return tuple(text.splitlines()[-lines:])
