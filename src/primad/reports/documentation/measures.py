"""Which measures are there, what does each say, and what does it not say?  The page of measures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from primad.evaluation.measures import families
from primad.evaluation.notation import NICKNAMES, TREC_EVAL_ORDER
from primad.evaluation.registry import SCALES, Measure
from primad.evaluation.rules import NINE
from primad.reproducibility.catalogue import measures
from primad.reproducibility.registry import BESIDES
from primad.reproducibility.registry import Measure as ReproducibilityMeasure

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def measures_page() -> str:
    """Return the page that lists every measure."""
    return "\n".join(
        [
            "# Measures",
            "",
            "Made by `make docs` from the measures themselves.  How to ask for them:",
            "[evaluation](../guides/evaluation.md), [assessing](../guides/assessing.md).  Which one to report:",
            "[which number?](../which-number.md)",
            "",
            *_reproducibility(),
            *_evaluation(),
        ]
    )


def _reproducibility() -> Iterator[str]:
    """Yield the measures of reproducibility."""
    known = measures().values()
    yield from ("## Reproducibility measures", "", "| measure | level | ideal | how to read it |", "|---|---|---|---|")
    yield from (f"| [`{one.name}`](#{one.name}) | {one.level} | {_ideal(one)} | {one.reading} |" for one in known)
    yield from ("", "An assessment says besides:", "", "| value | what it is | pitfall |", "|---|---|---|")
    yield from (f"| `{name}` | {one.reading} | {one.pitfall} |" for name, one in BESIDES.items())
    yield ""
    for one in known:
        yield from (f"### {one.name}", "", f"{one.title}: {_definition(one.formula)}", "")
        yield f"- Reading: {one.reading}."
        yield f"- Ideal: {_ideal(one)}.  Needs {_NEEDS[one.takes]}.  Interval: {_interval(one)}."
        yield f"- Pitfall: {one.pitfall}."
        yield from ([f"- Source: {_linked(one.source)}"] if one.source else [])
        yield ""


def _evaluation() -> Iterator[str]:
    """Yield the measures of effectiveness."""
    ours = [name for name in families if name not in TREC_EVAL_ORDER]
    known = [families[name] for name in (*TREC_EVAL_ORDER, *ours)]
    yield from ("## Evaluation measures", "")
    yield f"Strictly, means and t-tests ask for an interval or ratio scale (see {_linked(SCALES)}).  Sets of measures:"
    yield ", ".join(f"`{name}` ({len(members)})" for name, members in NICKNAMES.items()) + "."
    yield from ("", "| trec_eval | ir_measures | over topics | better | scale |", "|---|---|---|---|---|")
    yield from map(_row, known)
    yield ""
    for one in known:
        yield from (f"### {one.name}", "", f"{one.title}: {_definition(one.formula)}", "")
        yield from ([f"- Parameter, by default: {one.parameter}"] if str(one.parameter) != "-" else [])
        yield f"- Pitfall: {one.pitfall}."
        yield from ([f"- Source: {_linked(one.source)}"] if one.source else [])
        yield ""


def _row(measure: Measure) -> str:
    """Return one line of the table of evaluation measures."""
    other = f"`{measure.ir_measures.replace('@', '@k')}`" if measure.ir_measures else "-"
    since = f" (trec_eval {measure.since})" if measure.since > NINE else ""
    name = f"[`{measure.name}`](#{measure.name.lower()}){since}"
    return f"| {name} | {other} | {measure.summary} | {measure.better or '-'} | {measure.scale or '-'} |"


def _ideal(measure: ReproducibilityMeasure) -> str:
    """Return the value of a perfect reproduction, in words where there is none."""
    return "none" if measure.ideal is None else f"{measure.ideal:g}"


def _interval(measure: ReproducibilityMeasure) -> str:
    """Return by which method the interval of MEASURE is made; values of topics that have an end, by their distance."""
    by_distance = measure.takes == "rankings" and measure.ends_at_ideal
    return _INTERVALS["studentised" if by_distance else measure.interval]


def _definition(formula: object) -> str:
    """Return what a formula returns, as its docstring has it."""
    return " ".join((formula.__doc__ or "").split("\n\n")[0].split()).removeprefix("Return ")


def _linked(source: str) -> str:
    """Return a SOURCE that is a DOI as a link.

    >>> _linked("doi:10.1/x")
    '[doi:10.1/x](https://doi.org/10.1/x)'
    """
    doi = source.removeprefix("doi:")
    return f"[{source}](https://doi.org/{doi})" if doi != source else source
