"""Do intervals hold the true value as often as they say?"""

from __future__ import annotations

import json
from collections.abc import Sequence

from evidence.claim import Claim, Quote, shown_by
from evidence.claims.speed import benched
from evidence.reading import FigureMissing, Reader, Values, matched, section

ASSESSING = "docs/guides/assessing.md"
PRECISION = "docs/guides/precision.md"
COVERAGE = "src/primad/reproducibility/coverage.json"
_FEW = "one topic in ten differs"
_HEADING = "How often intervals of s and CV hold the true value, in percent"
# With real scores, which the pages speak of; without them their populations would be gone from the file.
_SIMULATION = ".venv/bin/python -m bench.coverage --scores ../shared/data/ccrf_scores"
_SIMULATING = (
    "bench/coverage.py",
    *(
        f"src/primad/reproducibility/{one}.py"
        for one in ("intervals", "resampling", "equivalence", "effects", "effect_size", "score_error")
    ),
)


def _span(shares: Sequence[float]) -> str:
    """Return the smallest and the largest of SHARES in percent."""
    low, high = (f"{100 * share:.0f}" for share in (min(shares), max(shares)))
    return low if low == high else f"{low} to {high}"


def covered(*measures: str) -> Reader:
    """Return a reader of how often intervals of MEASURES covered at 50 topics, where not only few topics differ."""

    def read(text: str) -> Values:
        found = json.loads(text)["coverage"]
        if missing := [one for one in measures if one not in found]:
            raise FigureMissing(f"no coverage of {missing[0]}")
        spans = [_span([share for kind, share in found[one]["50"].items() if kind != _FEW]) for one in measures]
        return {"covered": ", ".join(f"{span} %" for span in spans)}

    return read


def _false(text: str) -> Values:
    """Return how often a value at the margin was called equivalent at 50 topics."""
    levels = json.loads(text)["false equivalence"].values()
    return {"rates": _span([tests["studentised"] for level in levels for tests in level["50"].values()])}


def _simulated(name: str, says: str, read: Reader, figure: str, *quotes: Quote) -> Claim:
    """Return a claim about what the simulation of intervals found."""
    return Claim(name, says, _SIMULATION, _SIMULATING, quotes, read, figure, COVERAGE, is_long=True)


def _cell(low: float, high: float) -> str:
    """Return a range as the page writes it."""
    ends = [f"{end:.1f}" if end else "0" for end in dict.fromkeys((low, high))]
    return "\N{EN DASH}".join(ends)


def _simulation(text: str, values: str, n: int) -> Values:
    """Return how often intervals of so many VALUES of a kind covered, each a range over coefficients."""
    table = section(text, _HEADING).partition(f"{values}, 50,000 samples")[2].partition("\n\n")[2].partition("\n\n")[0]
    rows = [[float(cell) for cell in line.strip("| ").split(" | ")] for line in table.splitlines()[2:]]
    columns = [*zip(*(row for row in rows if row[0] == n), strict=True)]
    if not columns:
        raise FigureMissing(f"no {values} of {n}")
    chi, paper, exact, vangel, unbounded = (columns[place] for place in (2, 3, 4, 5, 6))
    both = (*exact, *vangel)
    return {
        name: _cell(min(found), max(found))
        for name, found in (("chi", chi), ("paper", paper), ("cv", both), ("unbounded", unbounded))
    }


_KINDS = {"normal": "normal", "t with 3 degrees of freedom": "heavy-tails", "one in ten five times as wide": "outliers"}
_CELLS = " | {n} | {{chi}} | {{paper}} | {{cv}} | {{unbounded}} |"


def _precise(values: str, n: int) -> Claim:
    """Return the claim about intervals of N values of a kind."""
    return benched(
        "precision",
        f"precision-{_KINDS[values]}-{n}",
        f"Intervals of s and of CV from {n} values ({values}) hold the true value so often, in percent; so "
        f"does that of the paper.",
        lambda text: _simulation(text, values, n),
        "s {chi}, CV {cv}; of the paper {paper}",
        Quote(PRECISION, _CELLS.format(n=n).strip()),
    )


CLAIMS = (
    _simulated(
        "coverage-of-means",
        "Intervals of mean scores over 50 topics hold the true value about as often as they say, 95 %.",
        covered("mean"),
        "{covered}",
        Quote(ASSESSING, "| mean scores | BCa bootstrap over topics | {covered} |"),
        Quote(ASSESSING, "| values | method | covered at 50 topics, where 95 % were meant |"),
        Quote("README.md", "each with an interval whose coverage was measured"),
    ),
    _simulated(
        "coverage-of-agreement",
        "Intervals of the agreement of rankings over 50 topics hold the true value about as often.",
        covered("order"),
        "{covered}",
        Quote(ASSESSING, "| agreement of rankings | gamma pivot, calibrated by resamples | {covered} |"),
    ),
    _simulated(
        "coverage-of-errors",
        "Intervals of RMSE and of nRMSE over 50 topics hold the true value less often for some populations.",
        covered("rmse", "nrmse"),
        "{covered}",
        Quote(ASSESSING, "| RMSE, nRMSE | the same | {covered} |"),
    ),
    _simulated(
        "coverage-of-dri",
        "Intervals of DRI over 50 topics hold the true value about as often as they say.",
        covered("dri"),
        "{covered}",
        Quote(ASSESSING, "| DRI | jackknife with Student's t | {covered} |"),
    ),
    _simulated(
        "coverage-of-er",
        "Intervals of ER over 50 topics hold the true value about as often as they say.",
        covered("er"),
        "{covered}",
        Quote(ASSESSING, "| ER | Fieller, always | {covered} |"),
    ),
    _simulated(
        "coverage-of-d",
        "Intervals of Cohen's d over 50 topics hold the true value about as often as they say.",
        covered("d"),
        "{covered}",
        Quote(ASSESSING, "| d | noncentral t | {covered} |"),
    ),
    _simulated(
        "coverage-of-bca",
        "BCa alone would have covered less for RMSE.",
        covered("rmse, by BCa"),
        "{covered}",
        Quote(ASSESSING, "BCa alone would have covered {covered} for RMSE."),
    ),
    _simulated(
        "false-equivalence",
        "A claim that RMSE or agreement is equivalent is false at the margin itself in so many cases, where "
        "5 % were meant.",
        _false,
        "{rates} %",
        Quote(ASSESSING, "is false at the margin itself in {rates} % of cases at 50 topics where 5 % were meant"),
    ),
    *(_precise(values, n) for values in _KINDS for n in (2, 3, 5, 8)),
    Claim(
        "noise-explained",
        "In published groups the best of all conditions explains most of pure noise, on average.",
        ".venv/bin/python -m evidence.figures noise",
        ("evidence/figures.py", "src/primad/qra/examples"),
        (
            Quote(
                "docs/explanations/causes.md",
                "in the published groups of {fewest:.0f} to {most:.0f} values the best of all conditions explains "
                "{low:.0f} to "
                "{high:.0f} % of pure noise",
            ),
            Quote(
                PRECISION,
                "in the published groups of {fewest:.0f} to {most:.0f} values the best of all conditions explains "
                "{low:.0f} to "
                "{high:.0f} percent of pure noise",
            ),
        ),
        matched(r"^(?P<low>\d+) to (?P<high>\d+) % of pure noise, (?P<fewest>\d+) to (?P<most>\d+) values"),
        "{low:.0f} to {high:.0f} %, {fewest:.0f} to {most:.0f} values",
    ),
    shown_by(
        "precision-intervals-by-tests",
        "The offered intervals of precision cover what they say, and are those of scipy and of brute force.",
        "tests/qra/test_intervals.py",
        "src/primad/qra/intervals.py",
        Quote("README.md", "with intervals that cover what they say"),
        Quote("docs/comparison.md", "and intervals that cover what they say"),
    ),
)
