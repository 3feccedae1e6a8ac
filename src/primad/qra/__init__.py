"""How precise is a measured value, and why does it vary?

``primad.qra(measurements, ...)`` is this package called as a function: both have the name that the field gave it.  What
it has for people who compute a single statistic is in ``__all__``, each fetched when it is first used.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from primad.lazily import fetched

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from primad.qra.assess import Pairs
    from primad.qra.claims import Claim, welch
    from primad.qra.corrections import corrected
    from primad.qra.correlations import bland_altman, kendall_tau, kendall_w, pearson, spearman
    from primad.qra.equivalence import of_mean, of_two_values, two_one_sided
    from primad.qra.findings import share_upheld
    from primad.qra.intervals import (
        c4,
        cv_interval_noncentral_t,
        cv_interval_vangel,
        stdev_interval,
        stdev_interval_acl2022,
    )
    from primad.qra.labels import Label, fleiss_kappa, krippendorff_alpha
    from primad.qra.laboratories import by_laboratory
    from primad.qra.material import Material
    from primad.qra.measurement import Measurement, Scale
    from primad.qra.precision import Variant, cv_star, unbiased_stdev
    from primad.qra.prediction import prediction_interval
    from primad.qra.published import Published
    from primad.qra.reading.qra3 import read_qra3
    from primad.qra.reading.read import read_measurements
    from primad.qra.result import QuantifiedAssessment

__all__ = [
    "Claim",
    "Label",
    "Material",
    "Measurement",
    "QuantifiedAssessment",
    "Scale",
    "bland_altman",
    "by_laboratory",
    "c4",
    "corrected",
    "cv_interval_noncentral_t",
    "cv_interval_vangel",
    "cv_star",
    "fleiss_kappa",
    "kendall_tau",
    "kendall_w",
    "krippendorff_alpha",
    "of_mean",
    "of_two_values",
    "pearson",
    "prediction_interval",
    "read_measurements",
    "read_qra3",
    "share_upheld",
    "spearman",
    "stdev_interval",
    "stdev_interval_acl2022",
    "two_one_sided",
    "unbiased_stdev",
    "welch",
]

__getattr__, __dir__ = fetched(
    __name__,
    {
        "claims": ["Claim", "welch"],
        "corrections": ["corrected"],
        "correlations": ["bland_altman", "kendall_tau", "kendall_w", "pearson", "spearman"],
        "equivalence": ["of_mean", "of_two_values", "two_one_sided"],
        "findings": ["share_upheld"],
        "intervals": [
            "c4",
            "cv_interval_noncentral_t",
            "cv_interval_vangel",
            "stdev_interval",
            "stdev_interval_acl2022",
        ],
        "labels": ["Label", "fleiss_kappa", "krippendorff_alpha"],
        "laboratories": ["by_laboratory"],
        "material": ["Material"],
        "measurement": ["Measurement", "Scale"],
        "precision": ["cv_star", "unbiased_stdev"],
        "prediction": ["prediction_interval"],
        "reading.qra3": ["read_qra3"],
        "reading.read": ["read_measurements"],
        "result": ["QuantifiedAssessment"],
    },
)


class _Callable(ModuleType):
    """A module that can be called: importing any part of it gives ``primad`` the attribute ``qra``, function or not."""

    def __call__(
        self,
        measurements: Any,
        *,
        variant: Variant = "acl2022",
        by: str | Sequence[str] = (),
        where: Mapping[str, str | Sequence[str]] | None = None,
        conditions: str | Sequence[str] | None = None,
        causes: bool = False,
        margins: Mapping[str, float] | None = None,
        laboratory: str | None = None,
        confidence: float = 0.95,
        published: Sequence[Published] | None = None,
        progress: Callable[[Pairs, int], Pairs] | None = None,
    ) -> QuantifiedAssessment:
        """Return how precise the values of MEASUREMENTS are; primad.qra.assess.assess says what the options mean."""
        from primad.qra.assess import assess

        return assess(
            measurements,
            variant=variant,
            by=by,
            where=where,
            conditions=conditions,
            causes=causes,
            margins=margins,
            laboratory=laboratory,
            confidence=confidence,
            published=published,
            progress=progress,
        )


sys.modules[__name__].__class__ = _Callable
