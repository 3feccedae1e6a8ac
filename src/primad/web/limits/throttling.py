"""Who tries to sign in too often?

    attempt     count a try before it is made, or refuse it and say how long to wait
    forgive     forget the tries of somebody who came in
    RULES       how many tries are free, and of what

A try counts before its password is looked at, so that many at once do not slip through together.  Tries are counted for
an address from one machine, for an address from everywhere, and for a machine whatever the address: whoever guesses the
password of somebody else soon waits long.  Tries from a browser in which that person came in before are counted apart
from those from everywhere, so that nobody keeps them out.  Whether there is an account with the address makes no
difference.  Tries to come in by an invitation are counted in the same way, with the invitation in place of the address.
Only digests are stored; the log has that somebody waits, and no machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from primad.accounts.models import User, folded
from primad.store.database import writing
from primad.store.log import note
from primad.web.limits.waiting import TooMuch
from primad.web.models import Failure

REMEMBERED = timedelta(hours=1)
_FIRST = 10  # seconds
_LONGEST = 15 * 60
_MINUTE = 60


class Rule(NamedTuple):
    """How many tries are FREE before waits begin, of one WHAT: those words of a try that make it the same."""

    what: tuple[str, ...]
    free: int


RULES = (Rule(("address", "machine"), 5), Rule(("address", "browser"), 30), Rule(("machine",), 200))


def said(seconds: int) -> str:
    """Return SECONDS as people say them.

    >>> said(1), said(40), said(61)
    ('1 second', '40 seconds', '2 minutes')
    """
    if seconds <= _MINUTE:
        return f"{seconds} second{'s' * (seconds != 1)}"
    return f"{-(-seconds // _MINUTE)} minutes"


def attempt(address: str, machine: str, browser: str = "") -> None:
    """Count a try to sign in with ADDRESS from MACHINE, or refuse it; BROWSER is one that came in so before."""
    now = datetime.now(UTC)
    kinds = _kinds(address, machine, browser)
    with writing():
        Failure.objects.filter(at__lt=now - REMEMBERED).delete()
        wait = max(_wait(what, free, now) for what, free in kinds)
        if wait <= 0:
            Failure.objects.bulk_create(Failure(what=what, at=now) for what, _ in kinds)
            _note_waits(
                address, [rule for rule, (what, free) in zip(RULES, kinds, strict=True) if _wait(what, free, now)]
            )
    if wait > 0:
        raise TooMuch(
            f"there were too many tries to sign in; wait {said(wait)}, and then try again. "
            "Your password, or your link, still works",
            wait,
        )


def _note_waits(address: str, reached: Iterable[Rule]) -> None:
    """Write down that who tries ADDRESS, or a machine, has to wait from now on, by the rules that were REACHED.

    Only a try that counts is written down, so that nobody fills the log; and only an address with an account, since
    people type their password into the wrong field.
    """
    user = User.objects.filter(email=folded(address)).first()
    for rule in reached:
        note("throttled", f"user {user.email}" if user else "site", tries=f"of one {' and '.join(rule.what)}")


def forgive(address: str, machine: str, browser: str = "") -> None:
    """Forget the tries with ADDRESS; of those from MACHINE, only this one, for others may have failed from there."""
    by_rule = dict(zip(RULES, (what for what, _ in _kinds(address, machine, browser)), strict=True))
    with writing():
        for rule, what in by_rule.items():
            rows = Failure.objects.filter(what=what)
            if "address" not in rule.what:
                rows = Failure.objects.filter(pk__in=rows.order_by("-pk").values_list("pk", flat=True)[:1])
            rows.delete()


def _kinds(address: str, machine: str, browser: str) -> list[tuple[str, int]]:
    """Return what is counted of a try, each with how many are free."""
    words = {"address": folded(address), "machine": machine, "browser": browser}
    return [(_digest((name, words[name]) for name in rule.what), rule.free) for rule in RULES]


def _digest(parts: Iterable[tuple[str, str]]) -> str:
    """Return what is stored of PARTS."""
    return hashlib.sha256(repr(sorted(parts)).encode()).hexdigest()


def _wait(what: str, free: int, now: datetime) -> int:
    """Return how many seconds from NOW on WHAT has to wait: twice as long with each try beyond those that are FREE."""
    rows = Failure.objects.filter(what=what, at__gte=now - REMEMBERED)
    beyond = rows.count() - free
    if beyond < 0:
        return 0
    latest: datetime = rows.order_by("-at").values_list("at", flat=True)[0]
    pause = min(_FIRST * 2 ** min(beyond, 10), _LONGEST)
    return int((latest + timedelta(seconds=pause) - now).total_seconds() + 0.999)
