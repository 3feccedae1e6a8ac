"""What is said about a group in one sentence, and what its reader must know beside it.

sentence    how precise the value is, under which conditions, and where that comes from
notes       what makes the figures say less than they seem to
SYMBOLS     the sign of repeatability and of reproducibility
figure      a number with as many digits as it is worth
percent     a confidence as a person reads it
counted     a number of things
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.qra.conditions import label_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from primad.qra.grouping import Group
    from primad.qra.precision import Interval, Precision, Variant

SYMBOLS = {"repeatability": "R⁰", "reproducibility": "R"}
_BETTER = {"higher": "higher is better", "lower": "lower is better", "": "direction not stated"}
_MOST_NAMED = 4
_ROUNDS_TO_0 = 0.0005
_LARGE = 1e3
_LONG = 1e12
_LOWEST_RATING, _HIGHEST_RATING = 1, 7  # of most scales that people judge on


def sentence(group: Group, precision: Precision, variant: Variant, confidence: float) -> str:
    """Return how precise the value of GROUP is, in words."""
    cv = precision.cv(variant)
    if cv is None:
        return f"{group.title}: {precision.undefined}."
    interval = f"; {percent(confidence)} interval {span(precision.cv_ci, '%')}" if precision.cv_ci else ""
    return (
        f"{group.title}: {group.kind} ({SYMBOLS[group.kind]}) CV* = {figure(cv)} % ({variant}{interval}) "
        f"over {precision.n} measurements, {_conditions(group)}; "
        f"mean {figure(precision.mean + group.shift)}{unit(group)}{_above_start(group, precision)}, "
        f"{_BETTER[group.direction]}."
    )


def notes(group: Group, precision: Precision) -> Iterator[str]:
    """Yield what makes the figures of GROUP say less than they seem to."""
    if group.shift:
        yield f"Mean and standard deviation are on the scale shifted by {-group.shift:+g} to start at 0."
    if precision.cv_acl2022 and _are_perhaps_ratings(group):  # on another scale, 0 is 0 and no value is none
        yield "Where the scale starts (scale_min) is not stated, so 0 is taken; if it is 1, CV* is larger."
    if precision.stdev == 0:
        yield "All values are equal: that is no information on precision below the digits written."
    elif precision.n == 2 and precision.cv_ci is not None:  # noqa: PLR2004  # the smallest number there can be
        yield "With 2 measurements the interval is nearly useless: it tells no more than that there is variation."
    elif precision.cv_ci is not None and precision.cv_ci.high is None:
        yield "The interval has no upper bound: so few values so far apart do not exclude any larger variation."
    stated = group.stated
    if not stated.constant and not stated.varying:
        yield "No condition is stated for every measurement, so nobody can say whether this is repeatability."
    if stated.partly:
        yield f"Not stated for every measurement, so left out: {_listed(stated.partly)}."
    if differing := stated.partly_differing:
        yield f"Left out, and yet known to differ between some measurements: {_listed(differing)}."
    if stated.unknown:
        yield f"Not known for some measurements, so not known to be equal: {_listed(stated.unknown)}."
    # What begins with the name of a file must stay as it is.
    yield from (
        f"{remark.replace('the ', 'The ', 1) if remark.startswith('the ') else remark}." for remark in group.remarks
    )


def _are_perhaps_ratings(group: Group) -> bool:
    """Tell whether the values of GROUP may be ratings, whose scales rarely start at 0, and nobody has said where."""
    if group.scale.low is not None:
        return False
    is_said = group.scale.high is not None or any("human" in one.evaluation for one in group.measurements)
    return is_said or all(_LOWEST_RATING <= value <= _HIGHEST_RATING for value in group.values)


def span(interval: Interval, unit: str = "") -> str:
    """Return INTERVAL as a person reads it."""
    blank = f" {unit}" if unit else ""
    if interval.high is None:
        return f"from {figure(interval.low)}{blank}, unbounded above"
    return f"{figure(interval.low)} to {figure(interval.high)}{blank}"


def figure(number: float) -> str:
    """Return NUMBER with three digits behind the point, one from 1000 on; by its power of ten if it would pass for 0.

    >>> figure(1.5616560), figure(0.0), figure(0.00001234), figure(85.58285), figure(1012.725), figure(1.5e300)
    ('1.562', '0', '1.23e-05', '85.583', '1012.7', '1.5e+300')
    """
    if number == 0:
        return "0"
    if _LARGE <= abs(number) < _LONG:
        return f"{number:.1f}"
    return f"{number:.3f}" if _ROUNDS_TO_0 <= abs(number) < _LONG else f"{number:.3g}"


def percent(confidence: float) -> str:
    """Return CONFIDENCE in percent, with all its digits.

    >>> percent(0.95), percent(0.975), percent(0.999)
    ('95%', '97.5%', '99.9%')
    """
    return f"{100 * confidence:.10g}%"


def counted(number: int, thing: str) -> str:
    """Return how many THINGs there are.

    >>> counted(1, "contrast"), counted(1200, "contrast")
    ('1 contrast', '1,200 contrasts')
    """
    return f"{number:,} {thing}" + ("" if number == 1 else "s")


def unit(group: Group) -> str:
    """Return the unit of GROUP behind a number."""
    return {"": "", "%": " %", "percent": " %", "fraction": ""}.get(group.unit, f" {group.unit}")


def _above_start(group: Group, precision: Precision) -> str:
    """Return the mean on the scale that starts at 0, where that is another one than that of the values."""
    return f" ({figure(precision.mean)} above the start of the scale)" if group.shift else ""


def _conditions(group: Group) -> str:
    """Return under which conditions the measurements of GROUP were made."""
    stated = group.stated
    if stated.differing:
        return f"which differ in {_listed(stated.differing)}"
    if stated.varying:
        return f"of which nobody knows whether they differ in {_listed(tuple(stated.varying))}"
    if not stated.constant:
        return "under conditions that are not stated"
    return "the same in every condition that all of them state" if stated.partly else "all under the same conditions"


def _listed(names: tuple[str, ...]) -> str:
    """Return the first of the conditions NAMES, and how many more there are."""
    more = len(names) - _MOST_NAMED
    shown = ", ".join(map(label_of, names[:_MOST_NAMED]))
    return f"{shown} and {more} more" if more > 0 else shown
