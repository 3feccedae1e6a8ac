"""How precise are measured values, and why do they vary?  Everything that measurements allow to say.

assess    groups, their precision, causes of variation, and what follows from all groups together
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

from primad.errors import UndefinedMeasure, UsageError
from primad.qra.between import by_attribute, paired_variants
from primad.qra.causes import causes_of
from primad.qra.claims import retested, shares
from primad.qra.conditions import chosen
from primad.qra.equivalence import equivalence_of
from primad.qra.experiments import score_tables
from primad.qra.findings import findings
from primad.qra.grouping import groups_of, selected
from primad.qra.labels import label_agreements
from primad.qra.laboratories import laboratories_of
from primad.qra.levels import summaries
from primad.qra.naming import cut, listed, perhaps, short
from primad.qra.pairs import summaries as pair_summaries
from primad.qra.precision import VARIANTS, precisions
from primad.qra.prediction import prediction_of
from primad.qra.published import placed, published_groups
from primad.qra.reading.read import material_of
from primad.qra.refusing import tried
from primad.qra.result import GroupResult, QuantifiedAssessment
from primad.qra.score_sets import score_sets

if TYPE_CHECKING:
    from collections.abc import Callable

    from primad.qra.grouping import Group
    from primad.qra.material import Material
    from primad.qra.measurement import Measurement
    from primad.qra.precision import Precision, Variant
    from primad.qra.published import Placement, Published

    Pairs = Iterable[tuple[Group, Precision]]

LABORATORY = "performed_by"
# Below this, an interval says less than a coin.
_LEAST_CONFIDENCE = 0.6


def assess(
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
    """Return how precise the values of MEASUREMENTS are: files, Measurement objects, mappings, a frame.

    variant      which definition of CV* counts: "acl2022", or "qra3" without the factor 1 + 1/4n
    by           the condition, or conditions, by whose values each group is parted
    where        the values wanted of conditions and fields, as in {"role": "original", "seed": ["1", "2"]}
    conditions   which conditions are looked at: all that are stated by default, the paper's seven for "paper"
    causes       whether to look for what makes the values vary
    margins      how far apart values are still equivalent, by measurand, in its unit
    laboratory   the condition that tells laboratories apart: who performed the measurement by default
    confidence   of all intervals
    published    the groups that each CV* is placed among; those of the paper by default
    progress     is handed the groups and their number, and hands them on one by one
    """
    _refuse_settings(variant, confidence, margins or {}, where or {})
    chosen_values = {name: _several(values) for name, values in (where or {}).items()}
    parted = _several(by)
    material = material_of(measurements)
    wanted = selected(material.measurements, chosen_values) if material.measurements else []
    groups = groups_of(wanted, conditions=None if conditions is None else _several(conditions), by=parted)
    _refuse_strange(margins or {}, groups)
    laboratory = _condition(LABORATORY if laboratory is None else laboratory, wanted)
    found = precisions(groups, confidence)
    known = published_groups() if published is None else tuple(published)
    pairs = list(zip(groups, found, strict=True))
    results = tuple(
        GroupResult(
            group=group,
            precision=precision,
            variant=variant,
            confidence=confidence,
            laboratories=tried(laboratories_of, group, laboratory),
            prediction=tried(prediction_of, group, confidence),
            placement=tried(_placement, group, precision, variant, known),
            equivalence=_equivalence(group, margins or {}, confidence),
            causes=causes_of(group, precision, variant=variant) if causes else None,
        )
        for group, precision in (progress(pairs, len(pairs)) if progress else pairs)
    )
    return QuantifiedAssessment(
        groups=results,
        variant=variant,
        confidence=confidence,
        # A part of a group is no system of its own: what compares systems looks at whole groups.
        remarks=material.remarks + ((_left_out(material, parted),) if parted else ()),
        **({} if parted else _of_all(material, wanted, chosen_values, groups, found, variant)),
    )


def _several(given: object) -> list[str]:
    """Return what was GIVEN as one text, or as several, as a list of texts."""
    several = [given] if isinstance(given, str) or not isinstance(given, Iterable) else given
    return [str(one) for one in several]


def _left_out(material: Material, by: Sequence[str]) -> str:
    """Return that parted groups are not compared, and what of MATERIAL is not assessed for that reason."""
    counts = {"label": len(material.labels), "claim": len(material.claims)}
    others = "".join(f", nor of {count:,} {name}{'s' * (count > 1)}" for name, count in counts.items() if count)
    return f"groups are parted by {' and '.join(by)}, so nothing is said of sets of scores and findings{others}"


def _of_all(
    material: Material,
    wanted: Sequence[Measurement],
    where: Mapping[str, Sequence[str]],
    groups: Sequence[Group],
    found: Sequence[Precision],
    variant: Variant,
) -> dict[str, Any]:
    """Return what follows from all groups together."""
    tables = score_tables(wanted)
    about = {name: values for name, values in where.items() if name in ("object", "measurand", "study")}
    labels = [one for one in material.labels if all(getattr(one, name) in values for name, values in about.items())]
    sets, agreements, upheld = score_sets(tables), label_agreements(labels), findings(tables)
    claims = retested(material.claims, material.measurements, wanted)
    return {
        "score_sets": sets,
        "labels": agreements,
        "findings": upheld,
        "claims": claims,
        "claim_shares": shares(claims),
        "levels": summaries(groups, found, variant, sets, agreements, upheld),
        "attributes": by_attribute(groups, found, variant),
        "paired": paired_variants(groups, found, variant),
        "pairs": pair_summaries(groups),
    }


def _placement(group: Group, precision: Precision, variant: Variant, published: Sequence[Published]) -> Placement:
    """Return where the CV* of GROUP stands among PUBLISHED ones, itself not counted."""
    cv = precision.cv(variant)
    if cv is None:
        raise UndefinedMeasure("place among published groups", precision.undefined)
    others = [one for one in published if (one.object, one.measurand) != (group.object, group.measurand)]
    return placed(cv, group.fact("evaluation"), others, variant)


def _equivalence(group: Group, margins: Mapping[str, float], confidence: float) -> Any:
    """Return whether reproductions are equivalent to the original of GROUP, None where nobody stated a margin."""
    margin = margins.get(group.measurand)
    return None if margin is None else tried(equivalence_of, group, margin, alpha=round(1 - confidence, 12))


def _condition(name: str, measurements: Sequence[Measurement]) -> str:
    """Return the condition that NAME means; only one of the paper's may be stated nowhere."""
    known = dict.fromkeys(condition for one in measurements for condition in one.conditions)
    return next(iter(chosen([name], known)), name)


def _refuse_settings(variant: str, confidence: object, margins: object, where: object) -> None:
    """Refuse what nobody can mean."""
    if variant not in VARIANTS:
        raise UsageError(f"expected one of {', '.join(VARIANTS)} as variant of CV*, found '{variant}'")
    if not isinstance(confidence, Real) or not _LEAST_CONFIDENCE <= float(confidence) < 1:
        raise UsageError(f"expected a confidence from {_LEAST_CONFIDENCE} to below 1, found {confidence}")
    if not isinstance(margins, Mapping):
        raise UsageError(f"expected margins by measurand, as in {{'BLEU': 0.5}}, found {margins!r}")
    if not isinstance(where, Mapping):
        raise UsageError(f"expected wanted values by name, as in {{'role': 'original'}}, found {where!r}")


def _refuse_strange(margins: Mapping[str, Any], groups: Sequence[Group]) -> None:
    """Refuse a margin for what nobody has measured, or one that nothing can keep within."""
    measurands = dict.fromkeys(group.measurand for group in groups)
    for name, margin in margins.items():
        if name not in measurands:
            known = f"there are {listed(measurands, cut)}" if measurands else "nothing is measured"
            raise UsageError(f"no measurand is called {short(str(name))}{perhaps(str(name), measurands)}; {known}")
        if not isinstance(margin, Real) or not 0 < float(margin) < math.inf:
            raise UsageError(f"expected a finite margin above 0 for {name}, found {margin}")
