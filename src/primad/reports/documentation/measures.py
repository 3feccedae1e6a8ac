"""Which measures are there, what does each say, and what does it not say?  The page of measures."""

from __future__ import annotations

from primad.evaluation.measures import families
from primad.evaluation.notation import NICKNAMES, TREC_EVAL_ORDER
from primad.evaluation.registry import SCALES, Measure
from primad.evaluation.rules import NINE
from primad.reproducibility.catalogue import measures
from primad.reproducibility.registry import Measure as ReproducibilityMeasure


def measures_page() -> str:
    """Return the page that lists every measure."""
    ours = [name for name in families if name not in TREC_EVAL_ORDER]
    return "\n".join(
        [
            "# Measures",
            "",
            "Made by `make docs` from the measures themselves.  How to ask for them: [evaluation](../guides/evaluation.md),",
            "[assessing](../guides/assessing.md).",
            "",
            "## Evaluation measures",
            "",
            "| trec_eval | ir_measures | parameter, by default | over topics | scale | what the score says |",
            "|---|---|---|---|---|---|",
            *(_row(families[name]) for name in (*TREC_EVAL_ORDER, *ours)),
            "",
            f"Strictly, means and t-tests ask for an interval or ratio scale (see {SCALES}).",
            "",
            "Sets of measures: " + "; ".join(f"`{name}` ({len(members)})" for name, members in NICKNAMES.items()) + ".",
            "",
            "## Reproducibility measures",
            "",
            "Besides there are `arp` (the mean score), `p`, `d` (Cohen's d) and costs (`wall`, `cpu`, `memory`, `energy`),",
            "which have no formula of topic means.",
            "",
            "| name | level | needs | ideal | interval | how to read it | source |",
            "|---|---|---|---|---|---|---|",
            *(_reproducibility_row(measure) for measure in measures().values()),
            "",
        ]
    )


_NEEDS = {
    "rankings": "rankings of the same topics and documents",
    "paired": "the same topics, documents and qrels",
    "effects": "a baseline and an advanced run on both sides",
}
_INTERVALS = {
    "bca": "BCa bootstrap",
    "jackknife": "jackknife t",
    "studentised": "studentised bootstrap",
    "fieller": "Fieller",
}


def _reproducibility_row(measure: ReproducibilityMeasure) -> str:
    """Return one line of the table of reproducibility measures."""
    ideal = "-" if measure.ideal is None else f"{measure.ideal:g}"
    cells = (measure.level, _NEEDS[measure.takes], ideal, _INTERVALS[measure.interval], measure.reading, measure.source)
    return f"| `{measure.name}` | {' | '.join(cell or '-' for cell in cells)} |"


def _row(measure: Measure) -> str:
    """Return one line of the table."""
    other = f"`{measure.ir_measures.replace('@', '@k')}`" if measure.ir_measures else "-"
    since = f" (trec_eval {measure.since})" if measure.since > NINE else ""
    meaning = " ".join((measure.formula.__doc__ or "").split("\n\n")[0].split()).removeprefix("Return ")
    return (
        f"| `{measure.name}`{since} | {other} | {measure.parameter} | {measure.summary} | {measure.scale} | {meaning} |"
    )
