"""What commands on runs print: evaluate, check, compare."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict  # as pydantic demands before Python 3.12

from primad.evaluation.rules import Rules
from primad.reports.documentation.outputs.form import Form

Score = float | int | str | None  # a number; a text of measures that are none; null where there is no score


class Extremes(TypedDict):
    """The lowest and the highest score that any order of tied documents gives."""

    lowest: float | int
    highest: float | int


class ScoredRun(TypedDict):
    """The scores of a run.

    summary    by measure, over topics
    missing    judged topics that the run lacks
    unjudged   topics of the run that are not judged
    topics     by topic and measure, with --per-topic
    ties       by measure, with --ties
    """

    path: str
    tag: str
    summary: dict[str, Score]
    missing: list[str]
    unjudged: list[str]
    topics: NotRequired[dict[str, dict[str, Score]]]
    ties: NotRequired[dict[str, Extremes | None]]


class Evaluated(TypedDict):
    """How effective runs are.

    qrels   the path of the judgments
    rules   the options of trec_eval in force
    runs    in the order given
    """

    qrels: str
    rules: Rules
    runs: list[ScoredRun]


class Share(TypedDict):
    """How many of the fields that matter are stated."""

    essential: int
    essential_stated: int
    recommended: int
    recommended_stated: int
    percent: int


class Ranking(TypedDict):
    """What a ranking looks like."""

    lines: int
    topics: int
    depth: int
    shortest: int
    tied_share: float
    tie_order: str


class Finding(TypedDict):
    """One thing that is wrong; the line is 0 where it is about the whole file."""

    file: str
    line: int
    field: NotRequired[str]
    severity: str
    code: str
    message: str
    advice: NotRequired[str]
    importance: NotRequired[str]


class CheckedFile(TypedDict):
    """What there is to say of a file; COMPLETENESS is by component and in all."""

    file: str
    metadata_file: str
    good: bool
    completeness: NotRequired[dict[str, Share]]
    ranking: NotRequired[Ranking]
    findings: list[Finding]


class Checked(TypedDict):
    """What is wrong with runs and their metadata.

    version   of this form, 1
    good      whether no file has an error
    files     one by one
    """

    version: int
    good: bool
    files: list[CheckedFile]


class Changed(TypedDict):
    """A field that differs."""

    field: str
    original: Any
    other: Any


class SameCollection(TypedDict):
    """Whether parts of the test collection are the same; null where that is not stated."""

    topics: bool | None
    documents: bool | None
    qrels: bool | None


class StatedOnlyBy(TypedDict):
    """Fields that one of two runs states."""

    original: list[str]
    other: list[str]


class Term(TypedDict):
    """What others call it, or what is missing to tell."""

    vocabulary: str
    word: str
    reason: str
    lacks: list[str]


class ComparedRun(TypedDict):
    """A run against an original: its type, and what changed by component."""

    original: NotRequired[str]
    path: str
    tag: str
    type: str
    primed: str
    name: str
    meaning: str
    in_literature: bool
    parameters_only: bool
    changed: dict[str, list[Changed]]
    not_stated: list[str]
    stated_only_by: StatedOnlyBy
    unknown: list[str]
    spelled_otherwise: list[Changed]
    notes: list[str]
    collection: SameCollection
    terms: list[Term]


class Possible(TypedDict):
    """Whether a measure can be computed, and why not; null where the records do not tell."""

    measure: str
    possible: bool | None
    reason: str


class Group(TypedDict):
    """Runs of one type, what can be computed for them, and by which command."""

    type: str
    name: str
    meaning: str
    in_literature: bool
    runs: list[str]
    measures: list[Possible]
    command: str


class Unread(TypedDict):
    """A file without metadata, and why."""

    path: str
    reason: str


class Matrix(TypedDict):
    """The type of each pair of runs."""

    paths: list[str]
    types: list[list[str]]


class Compared(TypedDict):
    """What changed between runs.

    original           its path; null where each pair is compared
    runs               each run against the original
    without_metadata   files of which nothing can be said
    left_out           how many runs did not meet the conditions
    groups             runs by type, where there is an original
    matrix             types of all pairs, where there is none
    """

    original: str | None
    runs: list[ComparedRun]
    without_metadata: list[Unread]
    left_out: int
    groups: NotRequired[list[Group]]
    matrix: NotRequired[Matrix]


class Kind(TypedDict):
    """A kind of reproduction of the literature."""

    name: str
    done: str
    shows: str


Rule = TypedDict(
    "Rule",
    {
        "rule": str,
        "fields": list[str],
        "why": str,
        "by": NotRequired[list[str]],
        "same": NotRequired[list[list[str]]],
        "except": NotRequired[list[str]],
    },
)


class Counted(TypedDict):
    """Which fields decide over each component.

    rules        what each kind of rule means
    components   the rules of each component
    kinds        the kinds of reproductions
    """

    rules: dict[str, str]
    components: dict[str, list[Rule]]
    kinds: list[Kind]


FORMS = {
    "primad.evaluate/1": Form(("primad evaluate",), Evaluated),
    "primad.check": Form(("primad check",), Checked),
    "primad.compare/1": Form(("primad compare",), Compared),
    "primad.counted/1": Form(("primad compare --explain",), Counted),
}
