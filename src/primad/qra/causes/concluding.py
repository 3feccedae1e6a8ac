"""What do all five steps together allow to say?

conclusion_of     the answer in one to three sentences, naming no cause that the data cannot support
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.qra.causes.judging import counting, open_gaps, rank, verdict_of
from primad.qra.causes.words import differing, joined, listed, measurement_of, shown
from primad.qra.conditions import label_of
from primad.qra.words import counted, figure

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from primad.qra.causes.contrasts import ClassContrasts
    from primad.qra.causes.judging import Steps, Verdict
    from primad.qra.causes.separation import Gap

_MOST_GAPS = 3
_MOST_CLASSES = 4


def conclusion_of(steps: Steps) -> str:
    """Return what can be said about the causes of variation."""
    return _WORDS[verdict_of(steps)](steps)


# Where nothing is compared -------------------------------------------------------------------------------------


def _undefined(steps: Steps) -> str:
    """Return why nothing can be told."""
    return f"Nothing can be told about causes: {steps.undefined}."


def _nothing_varies(steps: Steps) -> str:
    """Return that there is no variation."""
    return f"Nothing varies: all {steps.recorded.n} values are equal, so there is no cause to look for."


def _nothing_recorded(steps: Steps) -> str:
    """Return that no condition is stated throughout."""
    recorded = steps.recorded
    rest = f"; {differing(recorded.differing)}" if recorded.differing else ", so no cause is recorded"
    return f"Nothing can be told: no condition is stated for all {recorded.n} measurements{rest}."


def _not_recorded(steps: Steps) -> str:
    """Return that the variation is there without any change that is recorded for all."""
    floor = steps.floor
    n = steps.recorded.n - floor.copies
    kept, overall = floor.kept, figure(floor.overall)
    opening = "Cause not recorded for all" if floor.proviso else "Cause not recorded"
    proviso = f"; {floor.proviso}" if floor.proviso else ""
    if floor.n == n and not steps.recorded.classes:
        alike = f"are {floor.alike}" if floor.partly else "have the same recorded conditions"
        return f"{opening}: all {n} measurements{kept} {alike}, and yet they vary (CV* {overall} %){proviso}."
    return (
        f"{opening}: measurements {floor.alike} (n = {floor.n}) vary by CV* {figure(floor.cv or 0.0)} %, no less than "
        f"all {n}{kept} do ({overall} %), so no condition is ranked{proviso}. What differed between them has to be "
        "found out and recorded first."
    )


def _no_contrast(steps: Steps) -> str:
    """Return that no condition has varied alone, and what is not known."""
    said = f"no two of {steps.recorded.n} measurements are known to differ in one condition alone"
    unknown = _labels(steps.recorded.unknown)
    said += f"; not known for some of them, and to be found out first: {unknown}" if unknown else ""
    return f"Nothing can be told: {said}.{_request(steps)}"


def _not_known(steps: Steps) -> str:
    """Return that most variation is where a condition is not known."""
    unplaced, influential = steps.unplaced, steps.influential
    unknown = _labels(steps.recorded.unknown)
    if influential is not None and influential.position not in steps.recorded.complete:
        return (
            f"Not known, and no condition is ranked: {influential.clause}, and for it not all is known; to be found "
            f"out first: {unknown}."
        )
    figures = f"{unplaced.sentence[0].lower()}{unplaced.sentence[1:]}" if unplaced else ""
    return f"Not known, and no condition is ranked: {figures} To be found out first: {unknown}."


# Where something is compared -----------------------------------------------------------------------------------


def _not_separable(steps: Steps) -> str:
    """Return that most variation lies in a gap that no contrast bridges, or that all has changed together."""
    gaps = open_gaps(steps)
    if not gaps:
        return f"{_together(steps)}{_request(steps)}"
    asked = next((gap for gap in gaps if _is_asked(steps, gap)), gaps[0])
    where = "; ".join(_gap(steps, gap) for gap in gaps if gap is gaps[0] or gap is asked)
    influential = steps.influential
    if influential is not None and influential.position in {gaps[0].first, gaps[0].second}:
        where = f"{influential.clause}; {where}"
    return f"Not separable{_among(steps)}, and no condition is ranked: {where}. {_contrasts(steps)}{_request(steps)}"


def _is_asked(steps: Steps, gap: Gap) -> bool:
    """Tell whether the one measurement to make is about GAP."""
    return steps.settling is not None and steps.settling.question == tuple(one.names for one in gap.classes)


def _together(steps: Steps) -> str:
    """Return that all that varies has always changed together."""
    only = steps.contrasts.by_class[0]
    varies = "varies" if not steps.recorded.undetermined else "is known to vary"
    labels = joined([_label(name) for name in only.alias_class.names])
    maybe = "" if steps.floor.cv is not None else "; even that may be no more than unrecorded variation"
    return (
        f"Not separable{_among(steps)}: all that {varies}, {labels}, has always changed together "
        f"({_reach(only)}){maybe}."
    )


def _contrasts(steps: Steps) -> str:
    """Return the contrasts there are, beside a larger gap."""
    return f"Controlled contrasts are smaller: {joined([_told(one) for one in steps.contrasts.by_class])}."


def _nothing_ranked(steps: Steps) -> str:
    """Return that no contrast is large enough to tell anything."""
    count = counted(steps.contrasts.count, "contrast")
    return _with_rest(steps, f"No condition is ranked: none of {count}{_among(steps)} is {_large(steps)}")


def _one_contrast(steps: Steps) -> str:
    """Return the only contrast there is, which may be chance."""
    only = steps.contrasts.by_class[0]
    pair = only.largest_pair
    one, other = map(measurement_of, pair.measurements)
    return _with_rest(
        steps,
        f"One contrast{_among(steps)}, and nothing {_twice(steps)}: {one} and {other}, which differ in "
        f"{only.alias_class.label} alone, differ by CV* {figure(pair.cv)} %; that may be no more than unrecorded "
        "variation",
    )


def _largest_contrasts(steps: Steps) -> str:
    """Return for which classes contrasts are largest, and that this may be chance."""
    return _with_rest(
        steps,
        f"Controlled contrasts{_among(steps)} are largest for {_ordered(steps)}; whether that is more than unrecorded "
        f"variation is not known, for nothing {_twice(steps, 'was ')} under the same recorded conditions",
    )


def _ranked(steps: Steps) -> str:
    """Return for which classes contrasts exceed the floor, in order."""
    floor = steps.floor
    proviso = f"; {floor.proviso}" if floor.proviso else ""
    return _with_rest(
        steps,
        f"Controlled contrasts{_among(steps)} exceed the floor of unrecorded variation (CV* "
        f"{figure(floor.cv or 0.0)} %, n = {floor.n}{proviso}) by more than chance for {_ordered(steps)}",
    )


def _with_rest(steps: Steps, said: str) -> str:
    """Return what was SAID, and behind it what nothing can be said of."""
    rest = "; ".join(_rest(steps))
    return f"{said}. {rest[0].upper()}{rest[1:]}." if rest else f"{said}."


def _rest(steps: Steps) -> Iterator[str]:
    """Yield which contrasts are too small, which steps cannot be separated, and what never varied alone."""
    small = [one for one in steps.contrasts.by_class if not one.counts]
    if small and counting(steps):
        labels = [f"{one.alias_class.label} ({counted(one.count, 'contrast')})" for one in small]
        yield f"for {joined(labels)} no contrast is {_large(steps)}"
    gaps = open_gaps(steps)
    if gaps:
        more = f" and {len(gaps) - _MOST_GAPS} more such steps" if len(gaps) > _MOST_GAPS else ""
        told = "; ".join(_gap(steps, gap) for gap in gaps[:_MOST_GAPS])
        yield f"not separable{', so that nothing smaller is ranked' if rank(steps) else ''}: {told}{more}"
    if steps.separation.never_alone:
        alone = listed([one.label for one in steps.separation.never_alone])
        yield f"nothing can be told about {alone}, never varied alone"


# Parts of sentences --------------------------------------------------------------------------------------------


def _among(steps: Steps) -> str:
    """Return among how many measurements was looked, where not all are known."""
    recorded = steps.recorded
    return f" among the {len(recorded.complete)} fully known of {recorded.n} measurements" if recorded.left_out else ""


def _twice(steps: Steps, was: str = "") -> str:
    """Return that a measurement was made twice, as far as is known."""
    return f"{'is known to have been ' if steps.recorded.left_out else was}measured twice"


def _gap(steps: Steps, gap: Gap) -> str:
    """Return what changed at once in GAP."""
    return f"{steps.separation.told(gap)} differ in {gap.labels} at once (CV* {figure(gap.cv)} %)"


def _request(steps: Steps) -> str:
    """Return what to measure, behind a sentence."""
    return f" {steps.settling.request}" if steps.settling else ""


def _large(steps: Steps) -> str:
    """Return what a contrast has to be."""
    floor = steps.floor
    if floor.cv is None:
        return "more than rounding"
    return f"more than rounding and the floor of {figure(floor.cv)} % (n = {floor.n}) can make by chance"


def _ordered(steps: Steps) -> str:
    """Return the classes that contrasts rank, in order."""
    told = [_told(one) for one in rank(steps)]
    more = f" and {len(told) - _MOST_CLASSES} more" if len(told) > _MOST_CLASSES else ""
    *first, last = told[:_MOST_CLASSES]
    return f"{', then for '.join(first)}{' and then for ' if first else ''}{last}{more}"


def _told(one: ClassContrasts) -> str:
    """Return what the contrasts of ONE class show."""
    apart = ", not to be told apart" if len(one.alias_class.names) > 1 else ""
    return f"{one.alias_class.label}{apart} ({_reach(one)})"


def _reach(one: ClassContrasts) -> str:
    """Return the largest contrast of ONE class, and how many there are."""
    reach = "up to " if one.count > 1 else ""
    return f"CV* {reach}{figure(one.largest)} % in {counted(one.count, 'contrast')}"


def _label(name: str) -> str:
    """Return the condition NAME as a sentence has it."""
    return shown(label_of(name))


def _labels(names: tuple[str, ...]) -> str:
    """Return the conditions NAMES as a sentence has them."""
    return listed([_label(name) for name in names])


_WORDS: dict[Verdict, Callable[[Steps], str]] = {
    "undefined": _undefined,
    "nothing varies": _nothing_varies,
    "nothing recorded": _nothing_recorded,
    "cause not recorded": _not_recorded,
    "no contrast": _no_contrast,
    "not known": _not_known,
    "not separable": _not_separable,
    "nothing ranked": _nothing_ranked,
    "one contrast": _one_contrast,
    "largest contrasts": _largest_contrasts,
    "ranked": _ranked,
}
