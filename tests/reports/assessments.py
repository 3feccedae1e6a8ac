"""Assessments made by hand, with numbers that can be checked by eye.

table2             the paper's Table 2: two reproductions of a baseline and an advanced run
baseline_only      one reproduction of one run, identical
other_collection   a reproduction on another collection: what needs pairs of topics is undefined
problem_only       nothing can be said
sweep              a parameter sweep of two lines
hostile            names that try to break out of every format
many               many reproductions
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from primad.reproducibility.answers import Answer, Margin
from primad.reproducibility.assessment.result import (
    Assessment,
    Experiment,
    Of,
    Reproduction,
    Role,
    RunFacts,
    Sweep,
    SweepLine,
    SweepPoint,
    Value,
)
from primad.reproducibility.assessment.settings import Settings
from primad.reproducibility.comparison import Compared, Difference, Type
from primad.reproducibility.intervals import Interval
from primad.reproducibility.registry import Level

SETTINGS = Settings(measures=("map",), margins={})
OTHER_DOCUMENTS = "other documents: order cannot be compared"
RUNS: dict[Role, RunFacts] = {
    "baseline": RunFacts(path="gc/base.run", tag="WCrobust04", topics=2),
    "advanced": RunFacts(path="gc/adv.run", tag="WCrobust0405", topics=2),
}
EVIL = "<script>alert('x')</script>&\"=cmd()$\\frac{1}{2}$%\x1b[2J\u202eevil\udcff"


def interval(low: float | None, high: float | None, **facts: Any) -> Interval:
    """Return a 95 % interval."""
    return Interval(low=low, high=high, method="BCa", **facts)


def arp(value: float, run: Of = "baseline", *, of: str = "map", topics: tuple[float, float] | None = None) -> Value:
    """Return a mean score; of topics 301 and 302."""
    by_topic = dict(zip(("301", "302"), topics or (value - 0.1, value + 0.1), strict=True))
    return Value(measure="arp", level="effectiveness", run=run, of=of, value=value, topics=by_topic)


def ordered(measure: str, run: Of, value: float | None, variant: str = "", undefined: str = "") -> Value:
    """Return a value about the order of documents."""
    return Value(measure=measure, level="document order", run=run, variant=variant, value=value, undefined=undefined)


def scored(measure: str, run: Of, value: float | None, **facts: Any) -> Value:
    """Return a value about scores by map."""
    return Value(measure=measure, level="scores", run=run, of="map", value=value, **facts)


def effect(measure: str, value: float | None, **facts: Any) -> Value:
    """Return a value about the overall effect by map."""
    return Value(measure=measure, level="overall effect", run="both", of="map", value=value, **facts)


def answered(level: Level, answer: Any, run: str = "baseline", **facts: Any) -> Answer:
    """Return an answer with a margin of 0.02."""
    margin = Margin(low=-0.02, high=0.02, reason="a reason")
    given: dict[str, Any] = {"value": 0.01, "topics": 50, "margin": margin, "finding": "the finding", "of": "map"}
    return Answer(level=level, answer=answer, run=run, **(given | facts))


ORIGINAL = Experiment(
    name="GC", runs=RUNS, qrels="core17.qrels", values=(arp(0.3711, topics=(0.3, 0.4422)), arp(0.4278, "advanced"))
)


def bffmsss() -> Reproduction:
    """Return the reproduction of Table 2 that came close, with intervals, answers, costs and what changed."""
    values = (
        replace(arp(0.3612, topics=(0.2, 0.5224)), interval=interval(0.31, 0.41)),
        ordered("rbo_ext", "baseline", 0.5747, "p 0.8, depth 1000"),
        ordered("overlap", "baseline", 0.41),
        scored("rmse", "baseline", 0.0741, interval=interval(0.06, 0.09)),
        scored("p", "baseline", 0.3493, variant="paired t-test"),
        arp(0.4208, "advanced"),
        ordered("rbo_ext", "advanced", 0.6706, "p 0.8, depth 1000"),
        ordered("overlap", "advanced", 0.5),
        scored("rmse", "advanced", 0.0460),
        scored("p", "advanced", 0.2869, variant="paired t-test"),
        effect("er", 1.0514, interval=interval(0.87, 1.26)),
        effect("dri", -0.0123, interval=interval(-0.05, 0.03)),
        Value(measure="wall", level="cost", run="baseline", variant="reproduction / original", value=2.5),
    )
    return Reproduction(
        name="BFFMSSS",
        runs={"baseline": RunFacts(path="b/base.run", tag="b1", topics=2)},
        values=values,
        compared=changed("PRIMAd"),
        collection="the same test collection (the same qrels)",
        answers=(
            answered("effectiveness", "inconclusive", detectable=0.03, p_equivalent=0.2, p_different=0.35),
            answered("overall effect", "equivalent", run="both", detectable=0.2),
            answered("document order", "different", of="", detectable=0.04),
        ),
        agreement={"baseline": {1: 0.2, 10: 0.4, 1000: 0.6}, "advanced": {1: 0.3, 10: 0.5, 1000: 0.7}},
        remarks=("1 of 3 topics only in GC",),
    )


def changed(letters: str, *, value: Any = "Anserini") -> Compared:
    """Return what changed, with one field of the implementation."""
    fields = {"implementation": (Difference("implementation.source.repository", "wumpus", value),)}
    return Compared(
        path="b/base.run", tag="b1", type=Type.parse(letters), changed=fields, only_other=("method.indexing.stemmer",)
    )


def yxl() -> Reproduction:
    """Return the other reproduction of Table 2, of which only some values are known, and no rankings."""
    missing = "no rankings were given"
    values = (
        arp(0.4018),
        ordered("rbo_ext", "baseline", None, undefined=missing),
        scored("rmse", "baseline", 0.1911),
        arp(0.4487, "advanced"),
        ordered("rbo_ext", "advanced", None, undefined=missing),
        scored("rmse", "advanced", 0.2088),
        effect("er", 0.8267, interval=interval(0.5, None)),
        effect("dri", 0.0362),
    )
    return Reproduction(name="YXL", runs=RUNS, values=values)


def table2() -> Assessment:
    """Return two reproductions of a baseline and an advanced run."""
    return Assessment(
        original=ORIGINAL, reproductions=(bffmsss(), yxl()), settings=SETTINGS, remarks=("map: no interval scale",)
    )


def baseline_only() -> Assessment:
    """Return one identical reproduction of a single run."""
    original = Experiment(name="original", runs={"baseline": RUNS["baseline"]}, values=(arp(0.25, topics=(0.2, 0.3)),))
    values = (
        arp(0.25, topics=(0.2, 0.3)),
        ordered("rbo_ext", "baseline", 1.0),
        scored("rmse", "baseline", 0.0),
        effect("er", None, undefined="it needs an advanced run"),
    )
    same = Reproduction(name="again", runs=original.runs, values=values, agreement={"baseline": {1: 1.0, 10: 1.0}})
    return Assessment(original=original, reproductions=(same,), settings=SETTINGS)


def other_collection() -> Assessment:
    """Return a reproduction on another collection."""
    values = (
        arp(0.2),
        ordered("rbo_ext", "baseline", None, undefined=OTHER_DOCUMENTS),
        ordered("tau", "baseline", None, undefined=OTHER_DOCUMENTS),
        scored("rmse", "baseline", None, undefined="other judgments"),
        scored("p", "baseline", 0.01, variant="Welch's t-test"),
        effect("er", -0.5, interval=interval(None, None, note="all but 1 to 2", excluded=(1.0, 2.0))),
        effect("dri", 0.1),
    )
    elsewhere = Reproduction(name="Core18", runs=RUNS, values=values, collection="other documents (other qrels)")
    return Assessment(original=ORIGINAL, reproductions=(elsewhere,), settings=SETTINGS)


def problem_only() -> Assessment:
    """Return an assessment that says nothing."""
    silent = Reproduction(name="broken", problem="broken.run: no such file")
    return Assessment(original=ORIGINAL, reproductions=(silent,), settings=SETTINGS)


def sweep(lines: int = 2) -> Assessment:
    """Return a sweep: map 0.30, 0.34, 0.32 at weights 0.1, 0.6, 0.9, and 0.01 more on each further one of LINES."""
    made = [
        SweepLine(
            name=f"04 → {17 + place}",
            reference="w1",
            points=tuple(
                SweepPoint(
                    parameter=weight,
                    run=f"w{weight}",
                    scores={"map": score + 0.01 * place},
                    rmse={"map": error},
                    rbo_ext=1 - error,
                )
                for weight, score, error in ((0.9, 0.32, 0.12), (0.1, 0.30, 0.0), (0.6, 0.34, 0.07))
            ),
        )
        for place in range(lines)
    ]
    found = Sweep(field="method.retrieval[1].weight", lines=tuple(made))
    return Assessment(original=ORIGINAL, reproductions=(), settings=SETTINGS, sweep=found)


def hostile() -> Assessment:
    """Return an assessment in which every text from outside is hostile."""
    runs: dict[Role, RunFacts] = {role: RunFacts(path=EVIL, tag=EVIL, topics=2) for role in RUNS}
    original = Experiment(name=EVIL, runs=runs, qrels=EVIL, values=tuple(_evil(value) for value in ORIGINAL.values))
    base = bffmsss()
    values = (
        *(_evil(value) for value in base.values),
        scored("nrmse", "baseline", None, undefined=EVIL),
        Value(measure=EVIL, level="scores", run="baseline", of=EVIL, variant=EVIL, value=0.5, note=EVIL),
    )
    one = replace(
        base,
        name=EVIL,
        runs=runs,
        values=values,
        collection=EVIL,
        why=EVIL,
        remarks=(EVIL,),
        compared=changed("PRIMAd", value=[EVIL, {EVIL: EVIL}, None]),
        answers=(answered("effectiveness", "different", of=EVIL, finding=EVIL),),
    )
    silent = Reproduction(name=f"{EVIL} 2", problem=EVIL)
    lines = tuple(replace(line, name=EVIL) for line in (sweep().sweep or Sweep(field="", lines=())).lines)
    return Assessment(
        original=original,
        reproductions=(one, silent),
        settings=replace(SETTINGS, measures=(EVIL,)),
        sweep=Sweep(field=EVIL, lines=lines),
        remarks=(EVIL,),
    )


def _evil(value: Value) -> Value:
    """Return VALUE by a hostile effectiveness measure on hostile topics."""
    topics = {f"{EVIL}{topic}": score for topic, score in value.topics.items()}
    return replace(value, of=EVIL if value.of else "", topics=topics, variant=EVIL)


def many(number: int) -> Assessment:
    """Return NUMBER reproductions, the first as in Table 2, each further one a little worse."""
    made = []
    for place in range(number):
        moved = tuple(
            replace(value, value=value.value + 0.01 * place, interval=None)
            if value.measure in {"er", "dri"} and value.value is not None
            else value
            for value in bffmsss().values
        )
        made.append(replace(bffmsss(), name=f"rpl_{place + 1}", values=moved, remarks=(f"remark {place + 1}",)))
    return Assessment(original=ORIGINAL, reproductions=tuple(made), settings=SETTINGS)
