"""How fast is primad, and how much memory does it take?  ``make bench`` measures, part by part."""

from __future__ import annotations

from evidence.claim import Claim, Goal, Quote
from evidence.reading import Cell, Reader, Values, cells, matched, section

RESULTS = "bench/RESULTS.md"
COMPARISON = "docs/comparison.md"
SERVER = "docs/guides/server.md"
SCALE = "docs/guides/scale.md"
_COMMON = ("bench/timing.py", "bench/synthetic.py", "bench/files.py", "bench/__main__.py")
# Of runs: what scores other output is loaded when somebody asks for it, and takes no time here.
_EVALUATING = ("src/primad/evaluation", ":(exclude)src/primad/evaluation/scorers")
SUBJECTS = {
    "evaluation": (
        *_COMMON,
        "bench/peers.py",
        "bench/annotated.py",
        "src/primad/trec",
        *_EVALUATING,
        ":(glob)src/primad/cli/*.py",
    ),
    "reproducibility": (
        *_COMMON,
        "bench/peers.py",
        "bench/reproducibility.py",
        "src/primad/trec",
        "src/primad/reproducibility",
    ),
    "precision": ("bench/precision.py", "bench/precision_coverage.py", "src/primad/qra"),
    "archive": (
        *_COMMON,
        ":(glob)bench/archive*.py",
        "src/primad/archive",
        "src/primad/store",
        *_EVALUATING,
    ),
    "site": (":(glob)bench/site*.py", "src/primad/web", "src/primad/store", "src/primad/track", "src/primad/accounts"),
}


def benched(
    part: str, name: str, says: str, read: Reader, figure: str, *quotes: Quote, goal: Goal | None = None
) -> Claim:
    """Return a claim about what PART of the benchmarks writes."""
    command = f'make bench BENCH_ARGS="--part {part}"'
    return Claim(name, says, command, SUBJECTS[part], quotes, read, figure, RESULTS, goal, is_long=True)


_MANY = "20 runs of 250 topics x 1000 documents, 300,000 judgments, all measures"
_LARGE = "One run of 6980 topics x 1000 documents"
_GROWTH = "How the cost grows"
_PAIRS = "One original pair and 10 reproduced pairs of 250 topics x 1000 documents"
_FASTER = "primad is faster by"


def ratio_of(**places: Cell) -> Reader:
    """Return a reader of two places called few and many, and of their ratio."""
    both = cells(**places)

    def read(text: str) -> Values:
        found = both(text)
        return {**found, "ratio": float(found["many"]) / float(found["few"])}

    return read


def _pairs(text: str) -> Values:
    """Return how long assessing ten pairs took, and how many times as long repro_eval."""
    theirs = "repro_eval, one evaluator for all"
    return cells(
        seconds=Cell(_PAIRS, "primad, 58 measures", "seconds"),
        certain=Cell(_PAIRS, "primad, 58 measures, intervals", "seconds"),
        theirs=Cell(_PAIRS, theirs, "seconds"),
        ratio=Cell(_PAIRS, "primad, 58 measures", f"{theirs}:"),
        certain_ratio=Cell(_PAIRS, "primad, 58 measures, intervals", f"{theirs}:"),
    )(text)


def _agreeing(text: str) -> Values:
    """Return how many values primad and repro_eval share."""
    return matched(r"(?P<values>\d+) values that both found agree to (?P<to>\S+);")(section(text, _PAIRS))


CLAIMS = (
    benched(
        "evaluation",
        "faster-than-pytrec-eval",
        "All measures of 20 runs are computed about three times as fast as by pytrec_eval.",
        cells(
            ours=Cell(_MANY, "primad", "seconds"),
            theirs=Cell(_MANY, "pytrec_eval", "seconds"),
            ratio=Cell(_MANY, "pytrec_eval", _FASTER),
        ),
        "{ratio:.1f}x ({ours:.2f} s against {theirs:.2f} s)",
        Quote("README.md", "On many or large runs it is about three times as fast as pytrec_eval"),
        Quote(
            COMPARISON,
            "all measures of 20 runs take {ours:.2f} s where pytrec_eval takes {theirs:.2f} s, {ratio:.1f} times as "
            "long. [[c26]](#claims)",
        ),
        Quote(COMPARISON, "| c26 | 20 runs: {theirs:.2f} s by pytrec_eval against {ours:.2f} s;"),
        Quote(COMPARISON, "All 95 values of trec_eval 9 for 20 runs take {ours:.2f} s;"),
        Quote(SERVER, "on which pytrec_eval needed {theirs:.2f} s for 20 runs of 250 topics"),
        Quote(SCALE, "on which pytrec_eval needed {theirs:.2f} s for 20 runs of 250 topics"),
        goal=Goal("ratio", "x", least=3, why="a quarter of the time is needed to start, as a run of 10 topics shows"),
    ),
    benched(
        "evaluation",
        "faster-on-a-large-run",
        "A run of 6980 topics is evaluated about three times as fast as by pytrec_eval.",
        cells(ratio=Cell(_LARGE, "pytrec_eval", _FASTER), memory=Cell(_LARGE, "primad", "peak MB")),
        "{ratio:.1f}x, {memory:.0f} MB",
        Quote("README.md", "On many or large runs it is about three times as fast as pytrec_eval"),
        goal=Goal("ratio", "x", least=3, why="most of the time is needed to read seven million lines"),
    ),
    benched(
        "evaluation",
        "faster-than-ir-measures",
        "All measures of 20 runs are computed faster than ir_measures computes those that it has.",
        cells(
            theirs=Cell(_MANY, "ir_measures", "seconds"),
            ratio=Cell(_MANY, "ir_measures", _FASTER),
            ours=Cell(_MANY, "primad", "seconds"),
        ),
        "{ratio:.1f}x ({theirs:.2f} s)",
        Quote(
            COMPARISON,
            "ir_measures takes {theirs:.2f} s for the 65 of them that it has, {ratio:.1f} times as long. "
            "[[c33]](#claims)",
        ),
        Quote(
            COMPARISON, "| c33 | 20 runs: {theirs:.2f} s by ir_measures, for 65 of 95 values, against {ours:.2f} s |"
        ),
    ),
    benched(
        "evaluation",
        "a-small-run",
        "A small run takes a quarter to a third of a second; pytrec_eval is faster there.",
        cells(ours=Cell(_GROWTH, "10", "primad s"), theirs=Cell(_GROWTH, "10", "pytrec_eval s")),
        "{ours:.2f} s against {theirs:.2f} s",
        Quote("README.md", "on a small one it takes a quarter to a third of a second to start"),
        Quote(
            COMPARISON,
            "On small runs it is faster: its code in Python (pytrec_eval) needed {theirs:.2f} s for a run of 10 topics "
            "where primad needed {ours:.2f} s. [[c26]](#claims)",
        ),
        Quote(COMPARISON, "a run of 10 topics: {theirs:.2f} s against {ours:.2f} s |"),
    ),
    benched(
        "evaluation",
        "memory-of-many-runs",
        "Memory does not grow with the number of runs that are evaluated.",
        ratio_of(few=Cell(_GROWTH, "20", "primad MB"), many=Cell(_GROWTH, "100", "primad MB")),
        "{few:.0f} MB for 20 runs, {many:.0f} MB for 100",
    ),
    benched(
        "evaluation",
        "help-at-once",
        "`primad --help` answers at once.",
        cells(seconds=Cell("primad --help", "primad", "seconds")),
        "{seconds:.2f} s",
        goal=Goal("seconds", " s", most=0.2),
    ),
    benched(
        "evaluation",
        "recording-costs-little",
        "`primad exec` takes a quarter of a second more than the command alone.",
        cells(seconds=Cell("primad exec: a command that does nothing", "primad", "seconds")),
        "{seconds:.2f} s",
    ),
    benched(
        "reproducibility",
        "faster-than-repro-eval",
        "One original pair and ten reproduced pairs are assessed many times as fast as by repro_eval.",
        _pairs,
        "{ratio:.0f}x, with intervals {certain_ratio:.0f}x ({seconds:.2f} s and {certain:.2f} s against "
        "{theirs:.2f} s)",
        Quote(
            COMPARISON,
            "take {seconds:.2f} s (with intervals {certain:.2f} s) where repro_eval took {theirs:.2f} s, "
            "{ratio:.0f} times "
            "({certain_ratio:.0f} times) as long. [[c18]](#claims)",
        ),
        Quote(COMPARISON, "58 measures: {theirs:.2f} s against {seconds:.2f} s, with intervals {certain:.2f} s |"),
    ),
    benched(
        "reproducibility",
        "the-values-of-repro-eval-meanwhile",
        "The values that primad and repro_eval both compute in that benchmark agree.",
        _agreeing,
        "{values:,.0f} values to {to:.0e}",
    ),
    benched(
        "reproducibility",
        "memory-of-many-reproductions",
        "Memory hardly grows with the number of reproduced pairs.",
        ratio_of(
            few=Cell("How memory grows with the number of reproduced pairs (58 measures)", "10", "peak MB"),
            many=Cell("How memory grows with the number of reproduced pairs (58 measures)", "40", "peak MB"),
        ),
        "{few:.0f} MB for 10 pairs, {many:.0f} MB for 40",
    ),
    benched(
        "precision",
        "many-measurements",
        "100,000 measurements in 10,000 groups are assessed in seconds.",
        cells(seconds=Cell("100,000 measurements with 4 conditions in 10,000 groups, from CSV", "table", "seconds")),
        "{seconds:.2f} s",
    ),
)
