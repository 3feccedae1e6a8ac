"""What assessments print: assess, and assess --as-reported."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict  # as pydantic demands before Python 3.12

from primad.reports.documentation.outputs.form import Form
from primad.reports.documentation.outputs.runs import Changed
from primad.reproducibility.as_reported import NotRedone, Reported
from primad.reproducibility.assessment.settings import Settings


class Value(TypedDict):
    """One measure, with its value or the reason why it has none.

    of                the effectiveness measure behind it, empty where rankings or costs are compared
    run               baseline, advanced, or both
    interval          its bounds; null where nothing bounds it
    topics            by topic, with --per-topic
    """

    measure: str
    level: str
    variant: str
    of: str
    run: str
    value: NotRequired[float]
    undefined: NotRequired[str]
    interval: NotRequired[list[float | None]]
    interval_method: NotRequired[str]
    interval_note: NotRequired[str]
    note: NotRequired[str]
    topics: NotRequired[dict[str, float]]


class RunFacts(TypedDict):
    """A run that took part."""

    path: str
    tag: str
    topics: int


class Experiment(TypedDict):
    """The original: its runs by role (baseline, advanced), and their effectiveness."""

    name: str
    runs: dict[str, RunFacts]
    qrels: str
    values: list[Value]


class Answer(TypedDict):
    """Was it reproduced?  Equivalent, different or inconclusive, against a margin.

    p_equivalent   of the claim that the value lies inside the margin
    p_different    of the claim of a difference; corrected is the same, corrected for the number of claims
    detectable     the smallest difference that a test on so many topics finds four times out of five
    """

    measure: str
    level: str
    answer: str
    value: float | None
    topics: int
    p_equivalent: float | None
    p_different: float | None
    corrected: float | None
    detectable: float | None
    alpha: float
    of: str
    run: str
    margin: list[float | None] | None
    margin_reason: str
    sentence: str


class Reproduction(TypedDict):
    """A reproduction, and how close it is to the original.

    type         the six letters of what changed
    agreement    the share of documents that both rankings have, by run and depth
    why          why these runs were taken for the reproduction, where they were found
    problem      why nothing can be said, where that is so
    """

    name: str
    runs: dict[str, RunFacts]
    qrels: str
    type: str
    collection: str
    values: list[Value]
    answers: list[Answer]
    agreement: dict[str, dict[str, float]]
    changed: dict[str, list[Changed]]
    remarks: list[str]
    why: NotRequired[str]
    problem: NotRequired[str]


class SweepPoint(TypedDict):
    """A run of a sweep."""

    parameter: float
    run: str
    scores: dict[str, float]
    rmse: dict[str, float]
    rbo_ext: float | None


class SweepLine(TypedDict):
    """The runs of one pair of source and target, along the parameter."""

    name: str
    reference: str
    points: list[SweepPoint]


class Sweep(TypedDict):
    """Runs of which only one parameter differs."""

    field: str
    lines: list[SweepLine]
    left_out: list[str]


class Assessed(TypedDict):
    """How well an experiment was reproduced.

    settings        how it was assessed
    original        the experiment that was reproduced
    reproductions   each with its values, and the answer whether it was reproduced
    remarks         what a reader must know
    sweep           runs of which one parameter differs, where there are such
    primad          in a report, which version has made it
    files           in a report, the SHA-256 of the runs and judgments that were assessed, by path
    """

    settings: Settings
    original: Experiment
    reproductions: list[Reproduction]
    remarks: list[str]
    sweep: NotRequired[Sweep]
    primad: NotRequired[str]
    files: NotRequired[dict[str, str]]


class NamedRun(TypedDict):
    """A run by its path and its tag."""

    path: str
    tag: str


class Against(TypedDict):
    """The run against one of its baselines, by one test; what is not stated or not defined is not there."""

    measure: str
    baseline: str
    mean: float
    baseline_mean: float
    difference: float
    topics: int
    test: NotRequired[str]
    p: NotRequired[float]
    correction: NotRequired[str]
    corrected: NotRequired[float]
    undefined: NotRequired[str]
    note: NotRequired[str]


class AsReported(TypedDict):
    """What the header of a run reports, computed again.

    run          which one
    qrels        by these judgments
    scores       the means of the measures that it reports
    against      the tests against its baselines
    not_redone   what could not be computed, and why
    remarks      what a reader must know
    """

    run: NamedRun
    qrels: str
    scores: list[Reported]
    against: list[Against]
    not_redone: list[NotRedone]
    remarks: list[str]


FORMS = {
    "primad.assess/1": Form(("primad assess", "primad archive assess", "primad track assess"), Assessed),
    "primad.as_reported/1": Form(("primad assess --as-reported",), AsReported),
}
