"""What commands on the precision of values print: qra, and exec --repeat."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict  # as pydantic demands before Python 3.12

from primad.reports.documentation.outputs.form import Form

Bounds = list[float | None] | None
Facts = dict[str, Any]  # whose keys are those of the guide; what has no value says so in undefined


class Conditions(TypedDict):
    """Under which conditions the values of a group were measured."""

    constant: dict[str, str]
    varying: dict[str, list[str]]
    not_stated_throughout: list[str]
    unknown: list[str]


class Measurement(TypedDict):
    """One measured value, as it was written, and how it was measured."""

    id: str
    value: str
    source: str
    role: str
    experiment: str
    conditions: dict[str, str]
    outputs: str
    standard_error: float | None
    items: int | None
    file: str
    line: int | None


class Group(TypedDict):
    """Values of one measurand of one object, and how precise they are.

    shift        what was taken from all values, so that the scale begins at 0
    cv           CV* in the variant asked for, in percent; cv_acl2022 and cv_qra3 in both
    kind         repeatability, if all conditions are known to be equal, else reproducibility
    undefined    why there is no CV*, where there is none
    causes       what may explain the variation, with --causes
    """

    object: str
    measurand: str
    subset: dict[str, str]
    n: int
    mean: float
    shift: float
    scale: list[float | None]
    unit: str
    direction: str
    lowest: float
    highest: float
    stdev: float | None
    stdev_ci: Bounds
    stdev_ci_acl2022: Bounds
    cv: float | None
    cv_acl2022: float | None
    cv_qra3: float | None
    cv_ci: Bounds
    cv_ci_vangel: Bounds
    variant: str
    confidence: float
    kind: str
    within_one_stdev: float | None
    within_two_stdev: float | None
    rounding_envelope: dict[str, list[float]]
    undefined: str
    study: str
    task: str
    evaluation: str
    system: str
    attributes: dict[str, str]
    conditions: Conditions
    measurements: list[Measurement]
    laboratories: Facts
    prediction: Facts
    placement: Facts
    equivalence: Facts | None
    causes: Facts | None
    sentence: str
    notes: list[str]


class Overview(TypedDict):
    """What was measured, at a glance."""

    objects: list[str]
    study: str
    measurands: dict[str, int]
    sources: list[str]
    task: str
    evaluation: str
    system: str


class Undefined(TypedDict):
    """Why there is no value."""

    undefined: str


class ClaimShare(TypedDict):
    """How many tests of claims uphold them, in a study."""

    study: str
    claims: int
    tested: int
    upheld: int
    refused: int
    share: float | Undefined


class Quantified(TypedDict):
    """How precise measured values are.

    variant                of CV*: acl2022 or qra3
    confidence             of intervals
    overview               what was measured
    groups                 values of one measurand of one object, each (type I)
    score_sets             correlation of sets of scores (type II)
    labels                 agreement of labels (type III)
    findings               findings upheld (type IV)
    claims                 claims that were tested
    claims_by_study        and how many were upheld
    levels                 all types summed up by measurand and by study
    attributes             CV* by what tells objects apart
    paired_variants        CV* of objects that differ in one attribute
    pairs                  reproductions against originals
    conditions_in_primad   the component that each condition belongs to
    remarks                what a reader must know
    """

    variant: str
    confidence: float
    overview: list[Overview]
    groups: list[Group]
    score_sets: list[Facts]
    labels: list[Facts]
    findings: list[Facts]
    claims: list[Facts]
    claims_by_study: list[ClaimShare]
    levels: list[Facts]
    attributes: list[Facts]
    paired_variants: list[Facts]
    pairs: list[Facts]
    conditions_in_primad: dict[str, str]
    remarks: list[str]


class QuantifiedDocument(Quantified):
    """How precise measured values are, as primad qra prints it."""

    schema: str


class Kept(TypedDict):
    """The run of a repetition."""

    repetition: int
    name: str
    path: str


class Repeated(TypedDict):
    """A command that was repeated, and how well its runs agree.

    wanted, done   how many repetitions
    varied         what was changed between them: nothing, or the seed
    status         the exit status of the command, 0 unless it failed
    problem        why it ended early, if it did
    kept           the runs
    agreement      how far their rankings agree
    assessment     how precise their scores are, with --qrels
    """

    command: str
    wanted: int
    done: int
    varied: list[str]
    status: int
    problem: str
    kept: list[Kept]
    agreement: list[Facts]
    assessment: QuantifiedDocument | None
    remarks: list[str]
    sentence: str


FORMS = {
    "primad.qra/1": Form(("primad qra", "primad archive qra", "primad track assess"), Quantified),
    "primad.repetition/1": Form(("primad exec --repeat",), Repeated),
}
