"""How repeatable is a system?  One of four levels, proposed from what an attempt recorded.

    LEVELS          the levels, weakest first, each in words
    words_of        a level in words
    propose_level   the level that an attempt shows, and why

The first three are those of Collberg et al. (2014), the fourth is that of Névéol et al., LOUHI 2016, section 1.3.  A
person decides; this is a proposal.
"""

from __future__ import annotations

from collections.abc import Mapping

from primad.reproducibility.verdict import Agreement
from primad.track.next_steps import ENDED

LEVELS: Mapping[int, str] = {
    1: "its authors say that it builds",
    2: "it builds",
    3: "it builds within 30 minutes",
    4: "it gives results consistent with those submitted",
}
QUICK = 30.0  # minutes
_CONSISTENT = 3  # points of question 8: less than .01 apart, or the same

_BUILT = ("run", "output")
_NOT_BUILT = ("unpack", "prerequisites", "install")


def words_of(level: int | None) -> str:
    """Return LEVEL in words.

    >>> words_of(2), words_of(None)
    ('it builds', 'not decided')
    """
    return "not decided" if level is None else LEVELS[level]


def propose_level(
    outcome: str, stage: str, install_minutes: float | None, agreement: Agreement | str | None, words: str = ""
) -> tuple[int | None, str]:
    """Return the level that an attempt shows, None if it shows none, and because of what.

    OUTCOME is the state of the attempt, STAGE where it failed or was given up, INSTALL_MINUTES what it took to build
    the system, and AGREEMENT that of its output with the submitted one, in WORDS if its own are too few.
    """
    if outcome not in ENDED:
        return None, f"the attempt is {outcome}, so nothing can be said yet"
    said = words or (Agreement(agreement).value if agreement else "")
    if agreement and Agreement(agreement).points >= _CONSISTENT:
        return 4, f"its output is consistent with the submitted one: {said}"
    apart = f"its output is not consistent with the submitted one ({said}), but " if agreement else ""
    if outcome == "succeeded" or agreement or stage in _BUILT:
        return _built(install_minutes, apart)
    if stage in _NOT_BUILT:
        where = f"the attempt {_ended(outcome)} at the stage {stage}"
        return 1, f"it was not built ({where}); its authors submitted it as a system that builds"
    return None, f"the attempt {_ended(outcome)}, and nobody has said at which stage"


def _built(minutes: float | None, apart: str) -> tuple[int, str]:
    """Return the level of a system that was built in so many MINUTES; APART says why it is not a higher one."""
    if minutes is None:
        return 2, f"{apart}it was built; how long that took was not recorded"
    if minutes <= QUICK:
        return 3, f"{apart}it was built in {_took(minutes)}, which is at most {QUICK:g}"
    return 2, f"{apart}it was built in {_took(minutes)}, which is more than {QUICK:g}"


def _took(minutes: float) -> str:
    """Return a number of MINUTES as a sentence has it; what was measured in seconds is not told to the millisecond.

    >>> _took(0.00106), _took(1.0), _took(30.5)
    ('under a minute', '1 minute', '30.5 minutes')
    """
    if minutes < 1:
        return "under a minute"
    shown = f"{minutes:.3g}"
    return f"{shown} minute{'s' * (shown != '1')}"


def _ended(outcome: str) -> str:
    """Return how an attempt came to its end."""
    return "failed" if outcome == "failed" else "was abandoned"
