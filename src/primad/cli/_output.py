"""What a command has found goes to standard output, byte for byte; what it has to say, to standard error."""

from __future__ import annotations

import shutil
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

import typer

from primad.errors import FileError, PrimadError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Ends of lines, and bytes of names of files that are no text: they go out as they came in.
_KEPT = "\n\t" + "".join(map(chr, range(0xDC80, 0xDD00)))
_FORMS_WITHOUT_LABELS = ("csv", "latex")


def show(text: str) -> None:
    """Print TEXT, the result."""
    with _standard_output() as out:
        out.write(text)
        out.flush()


def show_bytes(data: bytes) -> None:
    """Print DATA, the result, as it is."""
    with _standard_output() as out:
        out.flush()
        out.buffer.write(data)
        out.buffer.flush()


@contextmanager
def _standard_output() -> Iterator[TextIO]:
    """Give standard output; that it cannot be written is said, but to those who have seen enough."""
    if sys.stdout is None:
        raise FileError("<stdout>", "is closed")
    try:
        yield sys.stdout
    except BrokenPipeError:
        raise
    except OSError as error:
        sys.stdout = None  # nothing more will go there, also not at exit
        raise FileError("<stdout>", f"cannot be written ({error.strerror})") from None


def terminal_width() -> int | None:
    """Return how many characters fit a line, None where no person is looking."""
    return shutil.get_terminal_size().columns if sys.stdout is not None and sys.stdout.isatty() else None


def say(message: object) -> None:
    """Print MESSAGE, which is not part of the result; names in it come from files, and must not steer the terminal."""
    # Most commands end without a message, and help shall come at once.
    from primad.metadata.showing import harmless

    said = message.at_terminal if isinstance(message, PrimadError) else str(message)
    typer.echo(f"primad: {harmless(said, keep=_KEPT)}", err=True)


def say_remarks(remarks: Iterable[str], form: str, *, has_labels: bool) -> None:
    """Say REMARKS on the precision of values, and what the FORM leaves out of it."""
    for remark in remarks:
        say(remark)
    if has_labels and form in _FORMS_WITHOUT_LABELS:
        say(f"the agreement of labels is in --format table and json, not in {form}")
