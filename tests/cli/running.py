"""The command line, run in this process as a shell would run it."""

import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import NamedTuple

from primad.cli import main


class Outcome(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


def primad(*arguments: object, stdin: bytes = b"") -> Outcome:
    """Run ``primad ARGUMENTS``; an error that is no message comes through as the exception it is."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in ("out", "err"))
    code: object = 0
    with _called(("primad", *map(str, arguments)), stdin), redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as stop:
            code = stop.code or 0
    assert isinstance(code, int)
    return Outcome(code, _text(out), _text(err))


@contextmanager
def _called(arguments: tuple[str, ...], stdin: bytes) -> Iterator[None]:
    before = sys.argv, sys.stdin
    sys.argv, sys.stdin = list(arguments), io.TextIOWrapper(io.BytesIO(stdin))
    try:
        yield
    finally:
        sys.argv, sys.stdin = before


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode("utf-8", "surrogateescape")
