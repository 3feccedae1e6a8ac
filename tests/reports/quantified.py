"""Quantified assessments of measurements made by hand, with numbers that can be checked by eye.

nts          two measurands of one object, as in the paper's Table 4, with conditions and, if wanted, causes
repeated     three measurements under the same conditions
single       one measurement: no CV*
equal        two equal values
few          two values far apart: the interval has no upper limit
hostile      names that try to break out of every format
many         many groups
nothing      no measurement at all
"""

from __future__ import annotations

from dataclasses import replace

from primad.qra.assess import assess
from primad.qra.measurement import Measurement, Role, Scale
from primad.qra.result import QuantifiedAssessment
from tests.reports.assessments import EVIL

BLEU = Measurement(
    object="NTS_def",
    measurand="BLEU",
    value="",
    scale=Scale(0, 100),
    unit="points",
    direction="higher",
    study="nts",
    task="text simplification",
    evaluation="metric, intrinsic",
)


def measured(value: str, source: str, role: Role = "reproduction", **conditions: str) -> Measurement:
    """Return a BLEU score with the CONDITIONS that differ from the usual ones."""
    usual = {"code_by": "Nisioi", "comp_trained_by": "Nisioi", "implemented_by": "Nisioi", "performed_by": source}
    return replace(BLEU, value=value, source=source, role=role, conditions={**usual, **conditions})


def nts(*, causes: bool = False) -> QuantifiedAssessment:
    """Return the assessment of BLEU and SARI of one system."""
    bleu = [
        measured("84.51", "Nisioi", "original"),
        measured("84.50", "Cooper"),
        measured("87.46", "Cooper", comp_trained_by="Cooper", seed="?"),
        measured("84.20", "Belz", implemented_by="SacreBLEU"),
    ]
    sari = [
        replace(one, measurand="SARI", value=value)
        for one, value in zip(bleu, ("30.65", "30.65", "29.13", "29.96"), strict=True)
    ]
    return assess([*bleu, *sari], causes=causes)


def repeated() -> QuantifiedAssessment:
    """Return the assessment of three measurements under the same conditions."""
    return assess([measured(value, "Nisioi") for value in ("84.1", "84.2", "84.6")])


def single() -> QuantifiedAssessment:
    """Return the assessment of one measurement."""
    return assess([Measurement(object="A", measurand="F1", value="0.5")])


def equal() -> QuantifiedAssessment:
    """Return the assessment of two equal values."""
    return assess([measured("80.5", "Nisioi", "original"), measured("80.5", "Cooper")])


def few() -> QuantifiedAssessment:
    """Return the assessment of two values so far apart that their CV* has no upper limit."""
    return assess([measured("20", "Nisioi", "original"), measured("60", "Cooper")])


def hostile() -> QuantifiedAssessment:
    """Return the assessment of measurements whose names are anything but names."""
    evil = Measurement(
        object=EVIL,
        measurand=EVIL,
        value="1",
        study=EVIL,
        source=EVIL,
        task=EVIL,
        evaluation=EVIL,
        unit=EVIL,
        conditions={EVIL: EVIL, "code_by": EVIL * 20, "seed": "?"},
    )
    values = [replace(evil, value=value, object=EVIL * size) for size in (1, 30) for value in ("1", "2", "3")]
    return assess(values, causes=True)


def many(number: int) -> QuantifiedAssessment:
    """Return the assessment of a NUMBER of groups, each less precise than the one before."""
    return assess(
        [
            replace(one, object=f"system {place}")
            for place in range(number)
            for one in (measured("50", "Nisioi", "original"), measured(f"{50.5 + place / 20:.2f}", "Cooper"))
        ]
    )


def nothing() -> QuantifiedAssessment:
    """Return an assessment of no measurement."""
    return QuantifiedAssessment(groups=(), variant="acl2022", confidence=0.95)
