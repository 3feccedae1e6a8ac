"""What may a process do with memory that it no longer needs?

keep_freed_memory   keep some of it for what comes next
"""

from __future__ import annotations

import ctypes
from contextlib import suppress
from functools import cache

# The numbers by which the C library knows these settings.
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
_KEPT = 64 << 20
_LARGEST = 32 << 20


@cache
def keep_freed_memory() -> None:
    """Let this process keep up to 64 MB that it has freed, where its C library can be told so.

    Work on one thing after the other takes the same few megabytes again and again.  To give them back each time costs
    a seventh of the time in which runs are scored: the system clears every page that it hands out.
    """
    with suppress(OSError, AttributeError, TypeError):  # not the GNU library
        mallopt = ctypes.CDLL(None).mallopt
        mallopt(_TRIM_THRESHOLD, _KEPT)
        mallopt(_MMAP_THRESHOLD, _LARGEST)
