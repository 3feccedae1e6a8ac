"""What a quantified assessment found: the precision of each group, and what follows from all of them.

GroupResult            a group, how precise its value is, and why it varies
QuantifiedAssessment   everything, as tables, frames, JSON
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from primad.qra.conditions import IN_PRIMAD
from primad.qra.overview import overview
from primad.qra.words import notes, sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    import polars as pl

    from primad.qra.between import Attribute, PairedVariants
    from primad.qra.causes import Causes
    from primad.qra.claims import ClaimResult, ClaimShare
    from primad.qra.equivalence import Equivalence
    from primad.qra.findings import Findings
    from primad.qra.grouping import Group
    from primad.qra.labels import LabelAgreement
    from primad.qra.laboratories import Laboratories
    from primad.qra.levels import Summary
    from primad.qra.measurement import Measurement
    from primad.qra.overview import Measured
    from primad.qra.pairs import Pairs
    from primad.qra.precision import Interval, Precision, Variant
    from primad.qra.prediction import Prediction
    from primad.qra.published import Placement
    from primad.qra.refusing import Refused
    from primad.qra.score_sets import ScoreSet

SCHEMA = "primad.qra/1"


@dataclass(frozen=True, kw_only=True)
class GroupResult:
    """A group, how precise its value is, and what else its measurements allow to say.

    equivalence    None where no margin was stated
    causes         None where nobody asked for them
    """

    group: Group
    precision: Precision
    variant: Variant
    confidence: float
    laboratories: Laboratories | Refused
    prediction: Prediction | Refused
    placement: Placement | Refused
    equivalence: Equivalence | Refused | None = None
    causes: Causes | None = None

    @property
    def cv(self) -> float | None:
        """Return CV* in the chosen variant, None where there is none."""
        return self.precision.cv(self.variant)

    @property
    def sentence(self) -> str:
        """Return how precise the value is, in words."""
        return sentence(self.group, self.precision, self.variant, self.confidence)

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what makes the figures say less than they seem to."""
        return tuple(notes(self.group, self.precision))

    def to_dict(self) -> dict[str, Any]:
        """Return the group as JSON has it."""
        group, precision = self.group, self.precision
        stated = group.stated
        return {
            "object": group.object,
            "measurand": group.measurand,
            "subset": dict(group.subset),
            "n": precision.n,
            "mean": precision.mean,
            "shift": group.shift,
            "scale": [group.scale.low, group.scale.high],
            "unit": group.unit,
            "direction": group.direction,
            "lowest": precision.lowest,
            "highest": precision.highest,
            "stdev": precision.stdev,
            "stdev_ci": _bounds(precision.stdev_ci),
            "stdev_ci_acl2022": _bounds(precision.stdev_ci_acl2022),
            "cv": self.cv,
            "cv_acl2022": precision.cv_acl2022,
            "cv_qra3": precision.cv_qra3,
            "cv_ci": _bounds(precision.cv_ci),
            "cv_ci_vangel": _bounds(precision.cv_ci_vangel),
            "variant": self.variant,
            "confidence": self.confidence,
            "kind": group.kind,
            "within_one_stdev": precision.within_one,
            "within_two_stdev": precision.within_two,
            "rounding_envelope": {name: list(span) for name, span in (precision.envelope or {}).items()},
            "undefined": precision.undefined,
            "study": group.fact("study"),
            "task": group.fact("task"),
            "evaluation": group.fact("evaluation"),
            "system": group.fact("system"),
            "attributes": dict(group.attributes),
            "conditions": {
                "constant": dict(stated.constant),
                "varying": {name: list(values) for name, values in stated.varying.items()},
                "not_stated_throughout": list(stated.partly),
                "unknown": list(stated.unknown),
            },
            "measurements": [_measurement(one) for one in group.measurements],
            "laboratories": self.laboratories.to_dict(),
            "prediction": self.prediction.to_dict(),
            "placement": self.placement.to_dict(),
            "equivalence": self.equivalence and self.equivalence.to_dict(),
            "causes": self.causes and self.causes.to_dict(),
            "sentence": self.sentence,
            "notes": list(self.notes),
        }


@dataclass(frozen=True, kw_only=True)
class QuantifiedAssessment:
    """How precise the measured values are, and what follows from all of them together.

    score_sets, labels, findings    results of type II, III and IV; empty where there are none
    levels                          all types summed up by measurand and by study
    attributes, paired              CV* between groups: by what tells objects apart
    pairs                           reproductions against their originals
    """

    groups: tuple[GroupResult, ...]
    variant: Variant
    confidence: float
    score_sets: tuple[ScoreSet, ...] = ()
    labels: tuple[LabelAgreement, ...] = ()
    findings: tuple[Findings, ...] = ()
    claims: tuple[ClaimResult, ...] = ()
    claim_shares: tuple[ClaimShare, ...] = ()
    levels: tuple[Summary, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    paired: tuple[PairedVariants, ...] = ()
    pairs: tuple[Pairs, ...] = ()
    remarks: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[GroupResult]:
        return iter(self.groups)

    def __len__(self) -> int:
        return len(self.groups)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {len(self)} groups, CV* in the variant {self.variant}>"

    def __str__(self) -> str:
        return "\n".join([*(one.sentence for one in self.groups), *(one.sentence for one in self.labels)])

    def find(self, object_: str, measurand: str) -> GroupResult | None:
        """Return the group of a measurand of an object, the first one if it was parted, None if there is none."""
        wanted = (object_, measurand)
        return next((one for one in self.groups if (one.group.object, one.group.measurand) == wanted), None)

    @property
    def overview(self) -> tuple[Measured, ...]:
        """Return what was measured, at a glance."""
        return overview(one.group for one in self.groups)

    @property
    def says_something(self) -> bool:
        """Tell whether there is any group with a CV*, or agreement of labels."""
        return any(one.cv is not None for one in self.groups) or bool(self.labels)

    def table(self) -> pl.DataFrame:
        """Return a row for each group."""
        import polars as pl

        figures = dict.fromkeys(("mean", "stdev", "cv", "cv_acl2022", "cv_qra3"), pl.Float64)
        texts = dict.fromkeys(("variant", "kind"), pl.String)
        schema = {"object": pl.String, "measurand": pl.String, "n": pl.Int64, **figures, **texts}
        rows = [{name: content[name] for name in schema} for one in self.groups for content in [one.to_dict()]]
        return pl.DataFrame(rows, schema=schema)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {
            "schema": SCHEMA,
            "variant": self.variant,
            "confidence": self.confidence,
            "overview": [row.to_dict() for row in self.overview],
            "groups": [one.to_dict() for one in self.groups],
            "score_sets": [one.to_dict() for one in self.score_sets],
            "labels": [one.to_dict() for one in self.labels],
            "findings": [one.to_dict() for one in self.findings],
            "claims": [one.to_dict() for one in self.claims],
            "claims_by_study": [one.to_dict() for one in self.claim_shares],
            "levels": [one.to_dict() for one in self.levels],
            "attributes": [one.to_dict() for one in self.attributes],
            "paired_variants": [one.to_dict() for one in self.paired],
            "pairs": [one.to_dict() for one in self.pairs],
            "conditions_in_primad": IN_PRIMAD,
            "remarks": list(self.remarks),
        }


def _measurement(one: Measurement) -> dict[str, Any]:
    """Return what a measurement says beside its group, as JSON has it."""
    return {
        "id": one.name,
        "value": one.value,
        "source": one.source,
        "role": one.role,
        "experiment": one.experiment,
        "conditions": dict(one.conditions),
        "outputs": one.outputs,
        "standard_error": one.standard_error,
        "items": one.items,
        "file": one.file,
        "line": one.line or None,
    }


def _bounds(interval: Interval | None) -> list[float | None] | None:
    """Return INTERVAL as JSON has it: null above where nothing bounds it."""
    return interval and list(interval)
