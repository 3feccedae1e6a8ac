"""What do all five steps together allow to say?

    verdict_of        which kind of answer it is
    rank              the classes that controlled contrasts point to, in order
    conclusion_of     the answer in a few sentences, naming no cause that the data cannot support
    Steps             what the steps found

Conditions are ranked by their controlled contrasts, never by the share of variation that goes with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from primad.qra.causes.contrasts import ClassContrasts, Contrasts
from primad.qra.causes.explained import Explained
from primad.qra.causes.floor import Floor
from primad.qra.causes.influence import Influential
from primad.qra.causes.recorded import Recorded
from primad.qra.causes.separation import Separation
from primad.qra.causes.settling import Settling
from primad.qra.causes.words import counted, joined, listed, measurement_of, shown
from primad.qra.conditions import label_of
from primad.qra.words import figure

if TYPE_CHECKING:
    from collections.abc import Sequence

Verdict = Literal[
    "undefined", "nothing varies", "nothing recorded", "cause not recorded", "no contrast", "not separable", "ranked"
]
_ORDER = ("first", "second", "third")


class Steps(NamedTuple):
    """What the steps found, in their order."""

    recorded: Recorded
    floor: Floor
    contrasts: Contrasts
    explained: Sequence[Explained]
    influential: Influential | None
    separation: Separation
    settling: Settling | None
    undefined: str


def verdict_of(steps: Steps) -> Verdict:
    """Return which kind of answer the STEPS allow.

    What lies between sets that no contrast links is not separable: where it is more than any contrast, nothing is
    ranked.  Neither is it where all that varies has always changed together.
    """
    if steps.undefined:
        return "undefined"
    if steps.floor.overall == 0:
        return "nothing varies"
    if not steps.recorded.classes and not steps.recorded.constant:
        return "nothing recorded"
    if steps.floor.reaches_overall:
        return "cause not recorded"
    if not steps.contrasts.by_class:
        return "no contrast"
    gaps, classes = steps.separation.gaps, steps.recorded.classes
    inseparable = (
        gaps[0].cv > steps.contrasts.by_class[0].largest if gaps else len(classes) == 1 < len(classes[0].names)
    )
    return "not separable" if inseparable else "ranked"


def rank(steps: Steps) -> list[ClassContrasts]:
    """Return the classes with a contrast above the floor and above rounding, the largest first."""
    if verdict_of(steps) != "ranked":
        return []
    floor = steps.floor.cv or 0.0
    return [one for one in steps.contrasts.by_class if one.largest > floor and not one.within_rounding]


def conclusion_of(steps: Steps) -> str:
    """Return what can be said about the causes of variation."""
    n = steps.recorded.n
    tell = f" {steps.settling.request}" if steps.settling else ""
    match verdict_of(steps):
        case "undefined":
            said = f"Nothing can be told about causes: {steps.undefined}."
        case "nothing varies":
            said = f"Nothing varies: all {n} values are equal, so there is no cause to look for."
        case "nothing recorded":
            said = f"Nothing can be told: no condition is stated for all {n} measurements, so no cause is recorded."
        case "cause not recorded":
            said = _not_recorded(steps)
        case "no contrast":
            said = f"Nothing can be told: {_no_contrast(steps)}.{tell}"
        case "not separable":
            said = f"{_not_separable(steps)}{tell}"
        case "ranked":
            said = _ranked(steps)
    return said


def _not_recorded(steps: Steps) -> str:
    """Return that the variation is there without any recorded change."""
    n, floor = steps.recorded.n, steps.floor
    if not steps.recorded.classes:
        return (
            f"Cause not recorded: all {n} measurements have the same recorded conditions, and yet they vary "
            f"(CV* {figure(floor.overall)} %)."
        )
    return (
        f"Cause not recorded: measurements with identical conditions (n = {floor.n}) vary by CV* "
        f"{figure(floor.cv or 0.0)} %, no less than all {n} do ({figure(floor.overall)} %), so no condition "
        "is ranked. What differed between them has to be found out and recorded first."
    )


def _no_contrast(steps: Steps) -> str:
    """Return that no condition has varied alone, and what is not known."""
    said = f"no two of {steps.recorded.n} measurements are known to differ in one condition alone"
    unknown = listed([shown(label_of(name)) for name in steps.recorded.unknown])
    return f"{said}; not known for some of them, and to be found out first: {unknown}" if unknown else said


def _not_separable(steps: Steps) -> str:
    """Return that most variation lies in a gap that no contrast bridges."""
    if not steps.separation.gaps:
        only = steps.contrasts.by_class[0]
        labels = joined([shown(label_of(name)) for name in only.alias_class.names])
        return f"Not separable: all that varies, {labels}, has always changed together ({_reach(only)})."
    gap, influential = steps.separation.gaps[0], steps.influential
    one, other = (measurement_of(steps.separation.group.measurements[place]) for place in (gap.first, gap.second))
    where = f"{one} and {other} differ in {gap.labels} at once (CV* {figure(gap.cv)} %)"
    if influential is None or influential.position not in {gap.first, gap.second}:
        return f"Not separable, and no condition is ranked: {where}. {_smaller(steps)}"
    value = shown(influential.measurement.value)
    return (
        f"Not separable, and no condition is ranked: nearly all variation is one value, {value}, without which CV* "
        f"falls from {figure(influential.cv_with)} % (n = {influential.n}) to {figure(influential.cv_without)} %; "
        f"{where}. {_smaller(steps)}"
    )


def _smaller(steps: Steps) -> str:
    """Return the contrasts there are; without p, which would count what cannot be separated as theirs."""
    told = [f"{one.alias_class.label} ({_reach(one)})" for one in steps.contrasts.by_class]
    return f"Controlled contrasts are smaller: {joined(told)}."


def _ranked(steps: Steps) -> str:
    """Return to which classes the contrasts point, in order, and which they say nothing about."""
    above = rank(steps)
    told = [_told(one, steps) for one in above]
    placed = [f"{_ORDER[place]} to {one}" if place < len(_ORDER) else one for place, one in enumerate(told)]
    said = [
        f"Controlled contrasts point {joined(placed) if len(told) > 1 else f'to {told[0]}'}." if told else _none(steps)
    ]
    below = [one for one in steps.contrasts.by_class if one not in above]
    said += [_below(below, steps.floor)] if told and below else []
    alone = [one.label for one in steps.separation.never_alone]
    said += [f"Nothing can be told about {listed(alone)}, never varied alone."] if alone else []
    said += ["How much varies when nothing changes is not known."] if steps.floor.cv is None else []
    return " ".join(said)


def _none(steps: Steps) -> str:
    """Return that no contrast is large enough to point anywhere."""
    return f"No condition is ranked: none of {counted(steps.contrasts.count, 'contrast')} is {_large(steps.floor)}."


def _below(classes: Sequence[ClassContrasts], floor: Floor) -> str:
    """Return that the contrasts of CLASSES are too small to point to them."""
    labels = [f"{one.alias_class.label} ({counted(one.count, 'contrast')})" for one in classes]
    return f"For {joined(labels)} no contrast is {_large(floor)}."


def _large(floor: Floor) -> str:
    """Return what a contrast has to exceed."""
    return (
        "more than rounding"
        if floor.cv is None
        else f"above the floor of {figure(floor.cv)} % (n = {floor.n}) and more than rounding"
    )


def _told(one: ClassContrasts, steps: Steps) -> str:
    """Return what the contrasts of ONE class show, and whether p supports it."""
    figures = next(found for found in steps.explained if found.alias_class is one.alias_class)
    apart = ", not to be told apart" if len(one.alias_class.names) > 1 else ""
    p = f"; {figures.permuted.support}" if figures.permuted else ""
    return f"{one.alias_class.label}{apart} ({_reach(one)}{p})"


def _reach(one: ClassContrasts) -> str:
    """Return the largest contrast of ONE class, and how many there are."""
    reach = "up to " if one.count > 1 else ""
    return f"CV* {reach}{figure(one.largest)} % in {counted(one.count, 'contrast')}"
