"""Can a command have the keys of whoever runs it?  A key is laid out, to see whether it is found.

    laid_out   a key in our own session for a while

Keys are kept by the kernel for a session, see keyrings(7): those of a file system or of a ticket among them.
"""

from __future__ import annotations

import ctypes
import secrets
from contextlib import contextmanager
from typing import TYPE_CHECKING

from primad.replay.sandbox.calls import calls_of

if TYPE_CHECKING:
    from collections.abc import Iterator

SESSION = -3  # how the kernel calls the keyring of the session
SEARCH, _UNLINK = 10, 9  # of keyctl(2)

_KIND = b"user"  # of a key that holds a few bytes for a program


@contextmanager
def laid_out() -> Iterator[str]:
    """Lay a key out in the keyring of our session, and yield its name; where that cannot be done nobody finds it."""
    name, calls = f"primad:{secrets.token_hex(8)}", calls_of()
    if calls is None:
        yield name
        return
    syscall = ctypes.CDLL(None, use_errno=True).syscall
    syscall.restype = ctypes.c_long
    key = syscall(calls.add_key, _KIND, name.encode(), b"nothing", ctypes.c_size_t(7), ctypes.c_long(SESSION))
    try:
        yield name
    finally:
        if key >= 0:
            syscall(calls.keyctl, ctypes.c_long(_UNLINK), ctypes.c_long(key), ctypes.c_long(SESSION))
