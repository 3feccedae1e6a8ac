"""What commands on systems and their outputs print: score, pack, rerun."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict  # as pydantic demands before Python 3.12

from primad.replay.preflight import Missing
from primad.replay.result import Produced, Step
from primad.reports.documentation.outputs.assessments import Assessed
from primad.reports.documentation.outputs.form import Form
from primad.reports.documentation.outputs.runs import ComparedRun
from primad.reproducibility.verdict import Chance


class Scored(TypedDict):
    """What a scorer said of an output."""

    scorer: str
    measures: dict[str, float]
    undefined: dict[str, str]
    remarks: list[str]


class Differing(TypedDict):
    """An item that two outputs do not agree on, and what only one of them says of it."""

    item: str
    first: list[str]
    second: list[str]


class SameItems(TypedDict):
    """How many items two outputs agree on; of those that they do not, the first 100."""

    same: int
    different: int
    differing: list[Differing]


class Verdict(TypedDict):
    """Whether another output is the same as the submitted one.

    agreement    one of the levels of the guide; words says it with the limit in force
    points       4 to 1, as question 8 of the score sheet has them
    difference   replicated minus submitted, of the primary measure
    chance       what chance has to do with it, or the reason for there being none in no_chance
    error        why the replicated output could not be scored
    """

    schema: str
    agreement: str
    words: str
    limit: float | None
    points: int
    primary: str
    sentence: str
    submitted: Scored | None
    replicated: Scored | None
    difference: float | None
    compared: SameItems | None
    chance: Chance | None
    no_chance: str
    error: str


class ScoredOutputs(TypedDict):
    """How good outputs are, and whether the second is the same as the first.

    scorer    by which scorer
    primary   the measure that counts for the verdict
    outputs   name, measures, undefined and remarks of each; shares once more by their kind (micro, macro, documents)
    verdict   on two outputs, null for one
    """

    scorer: str
    primary: str
    outputs: list[dict[str, Any]]
    verdict: Verdict | None


class Packed(TypedDict):
    """A bundle that was made of a recording.

    path, bytes   where it is, and how large
    source        where its code comes from
    files         what is in it
    manifest      its primad-system.yaml
    untold        what the recording does not tell
    left_out      files that are not in it, and why
    missing       what analysts will miss
    """

    path: str
    bytes: int
    source: str
    files: list[str]
    manifest: dict[str, Any]
    untold: list[str]
    left_out: list[str]
    missing: list[Missing]


class PlannedStep(TypedDict):
    """A step of a plan: what it does, and what it needs."""

    step: str
    does: str
    needs: str


class Lack(TypedDict):
    """A field that the record lacks, and what can be done about it."""

    field: str
    what: str
    remedy: str
    essential: bool


class Plan(TypedDict):
    """What would be done to re-create a run.

    possible   whether it can be done
    steps      one after the other
    lacks      what the record does not say
    """

    run: str
    possible: bool
    steps: list[PlannedStep]
    lacks: list[Lack]


class Sandbox(TypedDict):
    """What held the steps: what it keeps in, and what it leaves open."""

    rung: str
    engine: str
    held: list[str]
    open: list[str]


class OtherLibrary(TypedDict):
    """A library that is here in another version than was stated."""

    name: str
    stated: str
    here: str


class Libraries(TypedDict):
    """How many of the stated libraries are here."""

    same: int
    other: list[OtherLibrary]
    absent: list[str]
    runtime: str


class Topics(TypedDict):
    """How many topics rank the same."""

    same: int
    different: int


class AssessedDocument(Assessed):
    """How well an experiment was reproduced, as primad assess prints it."""

    schema: str


class Rerun(TypedDict):
    """A run that was re-created, and how the new one compares.

    recreated    whether there is a new run
    identical    whether it is the same, byte for byte
    agreement    how close it is, null where nothing was compared
    sentences    the same in words
    reason       why there is none
    plan         what was to be done, and what the record lacks
    sandbox      what held the command; steps are what was run, with times and memory
    libraries    how far the stated libraries are here
    output       where the new run is kept
    topics       how many rank the same; differing names the others
    verdict      on the scores, with --qrels; assessment as primad assess has it
    type         what changed, by the two records
    record       that of the new run
    """

    run: str
    recreated: bool
    identical: bool
    agreement: str | None
    sentences: list[str]
    reason: str
    plan: Plan
    sandbox: Sandbox | None
    steps: list[Step]
    libraries: Libraries | None
    last_lines: list[str]
    name: str
    output: str | None
    topics: Topics | None
    differing: list[str]
    verdict: Verdict | None
    type: ComparedRun | None
    assessment: AssessedDocument | None
    record: dict[str, Any] | None
    remarks: list[str]


class Replayed(TypedDict):
    """A system that was run again.

    sandbox       what held it
    steps         what was run, with times and memory
    output        the files that it gave
    stage         where it failed, null if it did not; reason says why
    run_seconds   how long the run took, without the installation
    """

    sandbox: Sandbox
    steps: list[Step]
    output: list[Produced]
    succeeded: bool
    stage: str | None
    reason: str
    remarks: list[str]
    run_seconds: float


FORMS = {
    "primad.score/1": Form(("primad score",), ScoredOutputs),
    "primad.verdict/1": Form(("primad score: the verdict in it", "primad track verdict: the same"), Verdict),
    "primad.pack/1": Form(("primad pack",), Packed),
    "primad.rerun.plan/1": Form(("primad rerun --dry-run",), Plan),
    "primad.rerun/1": Form(("primad rerun",), Rerun),
    "primad.replay/1": Form(("primad track replay --server: what the site is sent",), Replayed),
}
