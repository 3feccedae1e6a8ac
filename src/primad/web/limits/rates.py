"""How often may anybody ask within a minute?

    LIMITS       how many questions of each kind a user may ask, and a machine from which visitors ask
    Minute       what was asked within the last minute, in the memory of this process
    kind_of      what kind of question it is
    from_proxy   whether a question came by a proxy of ours
    machine_of   the machine that a question came from

The limits are there for programs that have gone wild.  Fifty people behind one address who all work at once stay far
below them, and each process of a server counts for itself.
"""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import deque
from collections.abc import Callable, Hashable
from typing import NamedTuple

from django.http import HttpRequest

from primad.web import served

API = "/api/"
WINDOW = 60.0  # seconds
_NETWORK = 64  # bits that a site on the internet gets at once: whoever has one IPv6 address has all of these
_READING = ("GET", "HEAD", "OPTIONS", "TRACE")
# Where a question is worth a second or more of the processor.
_EXPENSIVE = ("/precision", "/annotate", f"{API}v1/qra")


class Limit(NamedTuple):
    """How many questions of a kind within a minute are too many: from one USER, from one MACHINE without a name."""

    user: int
    machine: int


LIMITS = {
    "reads": Limit(1_200, 6_000),
    "changes": Limit(600, 1_500),
    "uploads": Limit(120, 240),
    "API": Limit(1_800, 3_000),
    "expensive": Limit(60, 10),
}


class Minute:
    """What was asked within the last minute, by whom and of which kind; several threads ask at once."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with nothing; CLOCK tells the seconds."""
        self._clock = clock
        self._asked: dict[Hashable, deque[float]] = {}
        self._lock = threading.Lock()
        self._swept = clock()

    def wait(self, who: Hashable, limit: int) -> float:
        """Count a question of WHO, and return 0; or the seconds to wait where LIMIT questions were asked already."""
        now = self._clock()
        with self._lock:
            self._sweep(now)
            asked = self._asked.setdefault(who, deque())
            while asked and asked[0] <= now - WINDOW:
                asked.popleft()
            if len(asked) >= limit:
                return asked[0] + WINDOW - now
            asked.append(now)
            return 0.0

    def _sweep(self, now: float) -> None:
        """Forget, once a minute, whoever has not asked for a minute."""
        if now - self._swept < WINDOW:
            return
        self._swept = now
        self._asked = {who: asked for who, asked in self._asked.items() if asked and asked[-1] > now - WINDOW}


def kind_of(request: HttpRequest) -> str:
    """Return what kind of question REQUEST is."""
    if request.method not in _READING and request.path.rstrip("/") in _EXPENSIVE:
        return "expensive"
    if request.path.startswith(API):
        return "API"
    if request.method in _READING:
        return "reads"
    return "uploads" if request.content_type == "multipart/form-data" else "changes"


def from_proxy(request: HttpRequest) -> bool:
    """Tell whether REQUEST came by a proxy of ours, which may say whose it was."""
    address = _address(request.META.get("REMOTE_ADDR", ""))
    return address is not None and any(address in one for one in served.site().proxies)


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the address in TEXT, None if there is none; one of IPv4 as such, however a socket writes it."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def machine_of(request: HttpRequest) -> str:
    """Return the machine that REQUEST came from, as a text.

    Behind a proxy that speaks https every question comes from the proxy, which says in the last entry of
    X-Forwarded-For whose it was.  Whoever is no such proxy could write anything there.
    """
    said = request.META.get("REMOTE_ADDR", "")
    if served.site().https and from_proxy(request):
        said = request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip() or said
    address = _address(said)
    if address is None:
        return "a machine without an address"
    if address.version == 4:  # noqa: PLR2004 - the older of the two
        return str(address)
    return str(ipaddress.ip_network((address, _NETWORK), strict=False))
