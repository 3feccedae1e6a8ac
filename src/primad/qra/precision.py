"""How precise is a measured value: the spread of repeated measurements, as a share of their mean.

cv_star         CV* of some values, in either of its variants
unbiased_stdev  s*, the standard deviation without the bias of small samples
c4              that bias
Precision       everything that is said about the precision of a group
precisions      the precision of many groups at once
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

Variant = Literal["acl2022", "qra3"]
VARIANTS: tuple[Variant, ...] = ("acl2022", "qra3")


class Interval(NamedTuple):
    """From where to where; None above means that nothing bounds it."""

    low: float
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Precision:
    """How precise the value of a group is; all of it on the scale that starts at 0, CV* and its intervals in percent.

    stdev              the unbiased standard deviation s*
    stdev_ci           its chi-square interval; stdev_ci_acl2022 is the one that the paper prints
    cv_acl2022         (1 + 1/4n) 100 s*/mean
    cv_qra3            100 s*/mean
    cv_ci              of the coefficient of variation, by the noncentral t distribution; cv_ci_vangel by Vangel
    within_one         share of values within one standard deviation of the mean; within_two within two
    envelope           from where to where CV* could go before the values were rounded, by variant
    undefined          why there is no CV*, empty where there is one
    """

    n: int
    mean: float
    lowest: float
    highest: float
    stdev: float | None = None
    stdev_ci: Interval | None = None
    stdev_ci_acl2022: Interval | None = None
    cv_acl2022: float | None = None
    cv_qra3: float | None = None
    cv_ci: Interval | None = None
    cv_ci_vangel: Interval | None = None
    within_one: float | None = None
    within_two: float | None = None
    envelope: dict[Variant, Interval] | None = None
    undefined: str = ""

    def cv(self, variant: Variant) -> float | None:
        """Return CV* in the VARIANT wanted."""
        return self.cv_acl2022 if variant == "acl2022" else self.cv_qra3
