"""Pages of the documentation that are made from what the code knows, so that they stay true."""

from __future__ import annotations

from primad.evaluation.measures import families
from primad.evaluation.notation import NICKNAMES, TREC_EVAL_ORDER
from primad.evaluation.registry import Measure
from primad.evaluation.rules import NINE


def measures_page() -> str:
    """Return the page that lists every measure."""
    ours = [name for name in families if name not in TREC_EVAL_ORDER]
    return "\n".join(
        [
            "# Measures",
            "",
            "Made by `make docs` from the measures themselves.  How to ask for them: [evaluation](evaluation.md).",
            "",
            "| trec_eval | ir_measures | parameter, by default | over topics | what the score says |",
            "|---|---|---|---|---|",
            *(_row(families[name]) for name in (*TREC_EVAL_ORDER, *ours)),
            "",
            "Sets of measures: " + "; ".join(f"`{name}` ({len(members)})" for name, members in NICKNAMES.items()) + ".",
            "",
        ]
    )


def _row(measure: Measure) -> str:
    """Return one line of the table."""
    other = f"`{measure.ir_measures.replace('@', '@k')}`" if measure.ir_measures else "-"
    since = f" (trec_eval {measure.since})" if measure.since > NINE else ""
    meaning = " ".join((measure.formula.__doc__ or "").split("\n\n")[0].split()).removeprefix("Return ")
    return f"| `{measure.name}`{since} | {other} | {measure.parameter} | {measure.summary} | {meaning} |"
