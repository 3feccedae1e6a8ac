"""How precise were others?  Where a CV* stands among published ones.

    Published           the precision of a published group, and what kind of group it is
    published_groups    the groups of the example that ships with the package, computed from its measurements
    Placement           where a CV* stands among published groups of its kind
    placed              that place

Published groups are those that somebody reproduced, and few: the place is a description, not a test.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from statistics import median
from typing import Any

from primad.errors import DataError, UndefinedMeasure
from primad.qra.example import EXAMPLES, example_measurements
from primad.qra.grouping import groups_of
from primad.qra.precision import Variant, precisions
from primad.qra.words import figure

_SHIPPED = "belz2022"
_FEWEST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """The precision of a published group of measurements; a CV* that is undefined is None.

    source    the publication that the group is taken from
    """

    object: str
    measurand: str
    n: int
    cv_acl2022: float | None = None
    cv_qra3: float | None = None
    task: str = ""
    evaluation: str = ""
    system: str = ""
    source: str = ""

    def cv(self, variant: Variant) -> float | None:
        """Return CV* in the VARIANT wanted."""
        return self.cv_acl2022 if variant == "acl2022" else self.cv_qra3

    def to_dict(self) -> dict[str, Any]:
        """Return the group as JSON has it."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """Where a CV* stands among published groups.

    kind      the kind of evaluation that the groups share with it, as in "human"; empty if all groups are taken
    n         how many published groups there are of that kind
    lower     how many of them have a lower CV*, that is, are more precise
    few       how many groups of its kind there are, if they were too few and so all are taken
    """

    cv: float
    variant: Variant
    kind: str
    n: int
    lower: int
    lowest: float
    median: float
    highest: float
    few: int | None = None

    @property
    def sentence(self) -> str:
        """Return the place in words."""
        groups = f"published groups{f' with {self.kind} evaluation' if self.kind else ''}"
        few = "" if self.few is None else f" (all of them, for only {self.few} had its kind of evaluation)"
        return (
            f"Of {self.n} {groups}{few}, {self.lower} {'has' if self.lower == 1 else 'have'} a CV* lower than "
            f"{figure(self.cv)} % ({self.variant}); they range from {figure(self.lowest)} to {figure(self.highest)} %, "
            f"median {figure(self.median)} %."
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the place as JSON has it."""
        return asdict(self)


@cache
def published_groups() -> tuple[Published, ...]:
    """Return the groups that ship with the package, with the precision that follows from their measurements."""
    groups = groups_of(example_measurements(_SHIPPED).measurements)
    return tuple(
        Published(
            object=group.object,
            measurand=group.measurand,
            n=precision.n,
            cv_acl2022=precision.cv_acl2022,
            cv_qra3=precision.cv_qra3,
            task=group.fact("task"),
            evaluation=group.fact("evaluation"),
            system=group.fact("system"),
            source=EXAMPLES[_SHIPPED],
        )
        for group, precision in zip(groups, precisions(groups), strict=True)
    )


def placed(
    cv: float, evaluation: str, published: Sequence[Published] | None = None, variant: Variant = "acl2022"
) -> Placement:
    """Return where the CV* of a group stands among the PUBLISHED groups with such EVALUATION; by default those shipped.

    The kind is the first word of EVALUATION, human or metric; with fewer than 3 published groups of it, all are taken.
    """
    if not math.isfinite(cv) or cv < 0:
        raise DataError(f"expected a CV* of at least 0, found {cv}")
    known = [(one, value) for one in _or_shipped(published) if (value := one.cv(variant)) is not None]
    kind = kind_of(evaluation)
    own = [value for one, value in known if kind and kind_of(one.evaluation) == kind]
    is_enough = len(own) >= _FEWEST
    values = own if is_enough else [value for _, value in known]
    if len(values) < _FEWEST:
        raise UndefinedMeasure("place among published groups", f"it needs at least {_FEWEST}, found {len(values)}")
    return Placement(
        cv=cv,
        variant=variant,
        kind=kind if is_enough else "",
        n=len(values),
        lower=sum(value < cv for value in values),
        lowest=min(values),
        median=median(values),
        highest=max(values),
        few=len(own) if kind and not is_enough else None,
    )


def kind_of(evaluation: str) -> str:
    """Return the kind of an EVALUATION: its first word.

    >>> kind_of("Human, intrinsic"), kind_of("metric: intrinsic"), kind_of("")
    ('human', 'metric', '')
    """
    words = evaluation.replace(",", " ").replace(":", " ").replace(";", " ").split()
    return words[0].casefold() if words else ""


def _or_shipped(published: Sequence[Published] | None) -> Sequence[Published]:
    """Return PUBLISHED, or the groups that ship with the package if none were handed over."""
    return published_groups() if published is None else published
