"""How effective are runs, by measures of which a coefficient of variation may be taken?

    score_runs       the scores of runs, with what each says about itself
    Scored, Score    a run with its scores, its record and its ranking's digest
    check_measures   the measures of some names, if CV* may be taken of them
    score_of         a score that is known already
    conditions_of_measurement   by which judgments and by what runs were measured
    ranking_hash     a digest of the order of documents

Only scores with a true zero can be had: never those that say how well something was reproduced.  The digest is taken of
topics and documents in trec_eval's order, so neither the tag nor how scores are written changes it.
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from primad import compute
from primad.errors import FileError, MeasureError, PrimadError, UsageError
from primad.evaluation import Evaluation, Rules, RunScores, parse_measures, to_qrels, to_run
from primad.evaluation.scorer import Scorer
from primad.metadata.beside import METADATA_SUFFIXES
from primad.qra.measurement import Direction, Scale
from primad.reproducibility._words import listed
from primad.reproducibility.catalogue import measures as reproducibility_measures
from primad.reproducibility.comparison.heads import read_head
from primad.reproducibility.registry import BESIDES

if TYPE_CHECKING:
    from primad.evaluation import BoundMeasure
    from primad.metadata.record import Record
    from primad.trec import Qrels, Run

Progress = Callable[[Iterable[Any], int], Iterable[Any]]

DEFAULT_RULES = Rules()

_LARGEST_BATCH = 25
_MOST_REMARKS = 5
_SHOWN_DIGITS = 16
_NEARLY_ONE = 1 + 1e-9
# Of a geometric mean each topic counts as 0.00001 at least; utility takes from the score what is not relevant.
_NO_TRUE_ZERO = {"utility": "it can fall below 0", "gm_map": "it is kept above 0", "gm_bpref": "it is kept above 0"}


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a run by one measure: the mean over topics, mostly."""

    value: float
    scale: Scale = Scale(0.0, 1.0)  # noqa: RUF009 - it is frozen
    direction: Direction = "higher"
    standard_error: float | None = None
    items: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A run with its scores by measure.

    name         its file, or what else it is called
    record       what it says about itself, None if nothing
    conditions   what else is known of how it was measured
    object       what it is a measurement of, where that is known
    """

    name: str
    tag: str
    scores: Mapping[str, Score]
    record: Record | None = None
    conditions: Mapping[str, str] = field(default_factory=dict)
    outputs: str = ""
    object: str = ""


# Measures --------------------------------------------------------------------------------------------------------


def check_measures(names: Iterable[str], compat: int = DEFAULT_RULES.compat) -> list[BoundMeasure]:
    """Return the measures that NAMES mean; an error unless each gives one score with a true zero.

    >>> [measure.label for measure in check_measures(["map", "P.5,10"])]
    ['map', 'P_5', 'P_10']
    """
    wanted = [names] if isinstance(names, str) else list(names)
    for name in wanted:
        if name in BESIDES or name in reproducibility_measures():
            raise MeasureError(name, "CV* needs a true zero, which no measure of reproduction has; name one as map")
    bound = parse_measures(wanted, compat)
    for measure in bound:
        if measure.facts.summary == "none":
            raise MeasureError(measure.label, "it gives no score for a run as a whole, so nothing is measured")
        if measure.family in _NO_TRUE_ZERO:
            raise MeasureError(measure.label, f"CV* needs a true zero, but {_NO_TRUE_ZERO[measure.family]}")
    if not bound:
        raise UsageError("expected at least one measure, such as map, found none")
    return bound


def _scale_of(measure: BoundMeasure) -> Scale:
    """Return the scale of MEASURE: of one that is handed over to ir_measures nothing is known."""
    if not measure.family:
        return Scale()
    return Scale(0.0) if measure.facts.summary == "sum" else Scale(0.0, 1.0)


def score_of(measure: BoundMeasure, value: float, standard_error: float | None, items: int) -> Score:
    """Return the score VALUE by MEASURE over so many ITEMS; what rounding has lifted above the scale is put back."""
    scale = _scale_of(measure)
    if scale.high == 1 < value <= _NEARLY_ONE:
        value = 1.0
    return Score(value, scale, measure.facts.better, standard_error, items)


def _score(measure: BoundMeasure, run: RunScores, *, missing: int) -> Score:
    """Return the score of RUN by MEASURE, where MISSING topics count as 0."""
    error = None
    topics = len(run.topics) + missing
    if measure.facts.summary == "mean" and topics > 1:
        column = np.append(np.asarray(run.scores[measure.label], dtype=np.float64), np.zeros(missing))
        error = float(column.std(ddof=1)) / math.sqrt(topics)
    return score_of(measure, float(run.summary[measure.label]), error, topics)


# Runs ------------------------------------------------------------------------------------------------------------


def score_runs(
    runs: Sequence[str | os.PathLike[str]],
    qrels: Any,
    measures: Sequence[str],
    *,
    rules: Rules = DEFAULT_RULES,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> tuple[list[Scored], list[str]]:
    """Return the scores of RUNS, each read once, and what is to be said about those that have none."""
    bound = check_measures(measures, rules.compat)
    judged = to_qrels(qrels)
    paths = _files(runs)
    jobs = jobs or compute.jobs_for(paths)
    size = min(max(len(paths) // (4 * jobs), 1), _LARGEST_BATCH) if jobs > 1 else 1
    batches = [paths[start : start + size] for start in range(0, len(paths), size)]
    work = partial(_evaluated, Scorer(judged, tuple(bound), rules, ties=False, per_topic=True))
    done = (outcome for batch in compute.each(work, batches, jobs=jobs) for outcome in batch)
    found: dict[str, Outcome | PrimadError] = dict(progress(done, len(paths)) if progress else done)
    failed = [f"left out: {found[path]}" for path in paths if isinstance(found[path], PrimadError)]
    good = {path: outcome for path in paths if not isinstance(outcome := found[path], PrimadError)}
    if not good:
        raise FileError(str(paths[0]), "expected runs that can be evaluated, found none", "; ".join(failed[:1]))
    conditions = conditions_of_measurement(_digest_of_judgments(judged), rules)
    scored = [_scored(path, outcome, bound, rules, conditions) for path, outcome in good.items()]
    evaluation = Evaluation(str(qrels), tuple(bound), rules, tuple(run for run, _ in good.values()))
    return scored, few_of([*failed, *evaluation.remarks()])


def _files(runs: Iterable[str | os.PathLike[str]]) -> list[str]:
    """Return the files of RUNS, those of folders too, each once."""
    from primad.metadata.checking.files import files_to_check

    given = [os.fspath(one) for one in ([runs] if isinstance(runs, str | os.PathLike) else runs)]
    if "" in given:
        raise UsageError("expected the name of a run or of a folder with runs, found an empty one")
    found: dict[str, str] = {}
    for path in files_to_check(given):
        if not path.endswith(METADATA_SUFFIXES):
            found.setdefault(os.path.realpath(path) if "\0" not in path else path, path)
    if not found:
        where = listed(given) or "no file and no folder"
        raise UsageError(f"expected runs, found none in {where}")
    return list(found.values())


Outcome = tuple[RunScores, str]


def _evaluated(scorer: Scorer, paths: Sequence[str]) -> list[tuple[str, Outcome | PrimadError]]:
    """Return the scores and the digest of the run at each of PATHS, or why it has none."""
    outcomes: list[tuple[str, Outcome | PrimadError]] = []
    for path in paths:
        try:
            run = to_run(path)
            outcomes.append((path, (scorer.score(path, run), ranking_hash(run))))
        except PrimadError as error:
            outcomes.append((path, error))
    return outcomes


def _scored(
    path: str,
    outcome: Outcome,
    measures: Sequence[BoundMeasure],
    rules: Rules,
    conditions: Mapping[str, str],
) -> Scored:
    """Return the run at PATH with its scores and its record."""
    run, outputs = outcome
    missing = len(run.missing) if rules.complete and not rules.scores_missing_topics else 0
    scores = {measure.label: _score(measure, run, missing=missing) for measure in measures}
    return Scored(name=path, tag=run.tag, scores=scores, record=_record(path), conditions=conditions, outputs=outputs)


def _record(path: str) -> Record | None:
    """Return what the run at PATH says about itself, None if nothing that can be read."""
    try:
        return read_head(path)
    except FileError:
        return None


def ranking_hash(run: Run) -> str:
    """Return the SHA-256 of the topics of RUN, sorted, each with its documents in trec_eval's order."""
    digest = hashlib.sha256()
    documents = run.held_documents.to_list()
    lists = dict(zip(run.topics, pairwise(run.offsets.tolist()), strict=True))
    for topic in sorted(lists):
        start, end = lists[topic]
        lines = "\n".join([topic, *documents[start:end]]) + "\n\n"
        digest.update(lines.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _digest_of_judgments(qrels: Qrels) -> str:
    """Return the SHA-256 of what QRELS say, in whatever order they say it."""
    rows = "\n".join(sorted(f"{topic} {document} {relevance}" for topic, document, relevance in qrels.rows()))
    return hashlib.sha256(rows.encode("utf-8", "surrogatepass")).hexdigest()


def conditions_of_measurement(judgments: str, rules: Rules) -> dict[str, str]:
    """Return by which JUDGMENTS, known by their digest, and by what runs were measured; the measure comes later."""
    default = Rules(compat=rules.compat)
    names = ("level", "depth", "judged_only", "complete", "collection_size")
    others = [f"{name} {getattr(rules, name)}" for name in names if getattr(rules, name) != getattr(default, name)]
    return {
        "measurement.data": f"qrels sha256 {judgments[:_SHOWN_DIGITS]}",
        "measurement.implementation": ", ".join(
            [f"primad {version('primad')}", f"trec_eval {rules.compat} rules", *others]
        ),
    }


def few_of(remarks: Sequence[str]) -> list[str]:
    """Return the first of REMARKS, and how many more there are."""
    more = len(remarks) - _MOST_REMARKS
    return [*remarks[:_MOST_REMARKS], f"and {more:,} more of this kind"] if more > 0 else list(remarks)
