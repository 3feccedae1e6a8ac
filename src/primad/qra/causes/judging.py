"""Which kind of answer do the five steps allow, and which conditions do contrasts rank?

    verdict_of    which kind of answer it is
    rank          the classes whose contrasts count, in order
    open_gaps     the steps that cannot be separated and are more than the smallest contrast that counts
    Steps         what the steps found

Conditions are ranked by their controlled contrasts, never by the share of variation that goes with them, and nothing is
ranked below a step that cannot be separated.  "ranked" needs a floor that contrasts exceed by more than chance; without
a floor the "largest contrasts" are just that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from primad.qra.causes.contrasts import ClassContrasts, Contrasts
from primad.qra.causes.floor import Floor
from primad.qra.causes.influence import Influential, Unplaced
from primad.qra.causes.recorded import Recorded
from primad.qra.causes.separation import Gap, Separation
from primad.qra.causes.settling import Settling

if TYPE_CHECKING:
    from collections.abc import Callable

Verdict = Literal[
    "undefined",
    "nothing varies",
    "nothing recorded",
    "cause not recorded",
    "no contrast",
    "not known",
    "not separable",
    "nothing ranked",
    "one contrast",
    "largest contrasts",
    "ranked",
]


class Steps(NamedTuple):
    """What the steps found, in their order."""

    recorded: Recorded
    floor: Floor
    influential: Influential | None
    unplaced: Unplaced | None
    contrasts: Contrasts
    separation: Separation
    settling: Settling | None
    undefined: str


def verdict_of(steps: Steps) -> Verdict:
    """Return which kind of answer the STEPS allow: the first one that applies."""
    found = next((verdict for verdict, applies in _VERDICTS.items() if applies(steps)), None)
    return found or ("largest contrasts" if steps.floor.cv is None else "ranked")


def rank(steps: Steps) -> list[ClassContrasts]:
    """Return the classes whose contrasts count, the largest first, down to what cannot be separated."""
    if verdict_of(steps) not in {"ranked", "largest contrasts"}:
        return []
    widest = max((gap.cv for gap in open_gaps(steps)), default=0.0)
    return [one for one in counting(steps) if one.largest >= widest]


def open_gaps(steps: Steps) -> list[Gap]:
    """Return the steps that cannot be separated and are more than the floor and the smallest contrast that counts."""
    smallest = min((one.largest for one in counting(steps)), default=0.0)
    return steps.separation.gaps_above(max(smallest, steps.floor.cv or 0.0))


def counting(steps: Steps) -> list[ClassContrasts]:
    """Return the classes with a contrast that is more than rounding, and than the floor if there is one."""
    return [one for one in steps.contrasts.by_class if one.counts]


def _is_inseparable(steps: Steps) -> bool:
    """Tell whether more lies between sets than in any contrast, or all that varies has always changed together."""
    classes = steps.recorded.classes
    if len(classes) == 1 and len(classes[0].names) > 1:
        return bool(counting(steps))
    return any(gap.cv > steps.contrasts.by_class[0].largest for gap in open_gaps(steps))


def _has_nothing_recorded(steps: Steps) -> bool:
    """Tell whether no condition is stated for all measurements."""
    recorded = steps.recorded
    return not (recorded.classes or recorded.constant or recorded.undetermined)


_VERDICTS: dict[Verdict, Callable[[Steps], bool]] = {
    "undefined": lambda steps: bool(steps.undefined),
    "nothing varies": lambda steps: steps.floor.overall == 0,
    "nothing recorded": _has_nothing_recorded,
    "cause not recorded": lambda steps: steps.floor.reaches_overall,
    "no contrast": lambda steps: not steps.contrasts.by_class,
    "not known": lambda steps: steps.unplaced is not None,
    "not separable": _is_inseparable,
    "nothing ranked": lambda steps: not counting(steps),
    "one contrast": lambda steps: steps.floor.cv is None and steps.contrasts.count == 1,
}
