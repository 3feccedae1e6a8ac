"""primad evaluate: effectiveness of runs."""

from __future__ import annotations

import os
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from primad.cli._commands import new_app
from primad.cli._options import Compat, Complete, Followed, Level, PerTopic, by_measure
from primad.cli._output import say, show, terminal_width
from primad.cli._progress import progress
from primad.errors import PrimadError, UsageError

if TYPE_CHECKING:
    from primad.evaluation import Evaluation
    from primad.evaluation.notation import BoundMeasure

EXAMPLE = """\b
Examples:
  primad evaluate core17.qrels bm25.run rm3.run -m map -m nDCG@10
  primad evaluate core17.qrels bm25.run.gz --format trec_eval -m all_trec --per-topic
  zcat bm25.run.gz | primad evaluate core17.qrels - --format json
"""

app = new_app()


class Form(StrEnum):
    """How the scores are printed."""

    TABLE = "table"
    TREC_EVAL = "trec_eval"
    CSV = "csv"
    JSON = "json"
    LATEX = "latex"


@app.command(epilog=EXAMPLE)
def evaluate(
    qrels: Annotated[str, typer.Argument(metavar="QRELS", help="The judgments: a qrels file, - for standard input.")],
    runs: Annotated[list[str], typer.Argument(metavar="RUN", help="Run files, packed or not; - for standard input.")],
    measure: Annotated[
        list[str] | None,
        by_measure("A measure as trec_eval or ir_measures writes it (P_10, nDCG@10, all_trec)."),
    ] = None,
    per_topic: PerTopic = False,
    level: Level = 1,
    depth: Annotated[
        int | None, typer.Option("-M", "--depth", metavar="N", help="Look at the first N documents of a topic.")
    ] = None,
    judged_only: Annotated[
        bool, typer.Option("-J", "--judged-only", help="Take unjudged documents out of the ranking.")
    ] = False,
    complete: Complete = False,
    collection_size: Annotated[
        int, typer.Option("-N", "--collection-size", metavar="N", help="Documents in the collection, for utility.")
    ] = 0,
    compat: Followed = Compat.NINE,
    ties: Annotated[
        bool,
        typer.Option(
            "--tie-range", "--ties", help="Add the lowest and highest score over all orders of tied documents."
        ),
    ] = False,
    jobs: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Runs to evaluate at a time; as many as pay off by default.")
    ] = None,
    form: Annotated[Form, typer.Option("--format", help="How to print the scores.")] = Form.TABLE,
) -> None:
    """Print the effectiveness of each RUN against the judgments in QRELS.

    Scores agree with those of trec_eval.  A run that cannot be read is named and does not stop the rest; then the exit
    code is 1.
    """
    if [qrels, *runs].count("-") > 1:
        raise UsageError("standard input can be read once only; expected - at most once")
    if ties and form is Form.TREC_EVAL:
        raise UsageError("the format trec_eval has no place for --tie-range; expected table, csv, json or latex")
    from primad.evaluation import DEFAULT_MEASURES, Rules, parse_measures
    from primad.reports.evaluation import render

    rules = Rules(
        compat=int(compat),
        level=level,
        depth=depth,
        judged_only=judged_only,
        complete=complete,
        collection_size=collection_size,
    )
    _refuse_measures_among(runs, rules.compat)
    measures = parse_measures(measure or (["official"] if form is Form.TREC_EVAL else DEFAULT_MEASURES), rules.compat)
    result, errors = _scored(qrels, runs, measures, jobs, rules=rules, ties=ties, per_topic=per_topic)
    if result.runs:
        show(render(result, form, per_topic=per_topic, width=terminal_width()))
    for message in [*result.remarks(), *errors]:
        say(message)
    if errors:
        raise typer.Exit(errors[0].exit_code)


def _refuse_measures_among(runs: list[str], compat: int) -> None:
    """Refuse a measure that was named where RUNS are, as behind another measure."""
    from primad.evaluation import parse_measures

    for name in runs:
        if name == "-" or os.path.exists(name):  # noqa: PTH110 - Path.exists raises where a name is too long
            continue
        try:
            parse_measures([name], compat)
        except PrimadError:
            continue
        raise UsageError(f"expected a run, found the measure {name}; name each measure behind an -m: -m {name}")


def _scored(
    qrels: str, runs: list[str], measures: list[BoundMeasure], jobs: int | None, **options: Any
) -> tuple[Evaluation, list[PrimadError]]:
    """Return the scores of RUNS in their order, and what is wrong with those that cannot be read."""
    from primad.compute import jobs_for
    from primad.evaluation import Evaluation, RunScores, evaluate_each, to_qrels

    named = {name: name for name in runs}
    scored = evaluate_each(to_qrels(qrels), named, measures, jobs=jobs or jobs_for(named), **options)
    found = dict(progress(scored, total=len(named), what="runs"))
    outcomes = [found[name] for name in named]
    scores = tuple(outcome for outcome in outcomes if isinstance(outcome, RunScores))
    return Evaluation(qrels, tuple(measures), options["rules"], scores), [
        outcome for outcome in outcomes if isinstance(outcome, PrimadError)
    ]
