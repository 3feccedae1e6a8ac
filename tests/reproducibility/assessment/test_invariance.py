"""Does anything depend on what must not matter?  The order of lines, topics and files, and the names of documents.

Whole assessments are compared, to the last bit: values, intervals, answers, and the value of each topic.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from primad import assess, read_qrels, read_run
from tests.reproducibility.order.making import DOCUMENTS, TOPICS, Nested, lists, renamed

pytestmark = pytest.mark.slow

MEASURES = ("map", "ndcg", "P_10", "bpref")

Judgments = dict[str, dict[str, int]]
Experiment = tuple[Nested, Nested]

few = settings(max_examples=30)


class Study(NamedTuple):
    """An original, its reproductions by name, and the judgments of all."""

    original: Experiment
    reproductions: dict[str, Experiment]
    qrels: Judgments

    def assessed(self, mixed: int | None = None) -> dict[str, Any]:
        """Return everything that is said of the study; with MIXED the lines of all files stand in another order."""
        original, *others = (
            tuple(read_run(_lines("{0} Q0 {1} 1 {2!r} made-up", run, mixed)) for run in experiment)
            for experiment in (self.original, *self.reproductions.values())
        )
        qrels = read_qrels(_lines("{0} 0 {1} {2}", self.qrels, mixed))
        named = dict(zip(self.reproductions, others, strict=True))
        return said(assess(original, named, qrels, measures=MEASURES).to_dict(per_topic=True))


def said(content: dict[str, Any]) -> dict[str, Any]:
    """Return CONTENT with the reproductions by name, because their order is that of the question."""
    return content | {"reproductions": {one["name"]: one for one in content["reproductions"]}}


def _lines(form: str, nested: Mapping[str, Mapping[str, float]], mixed: int | None) -> bytes:
    """Return the lines of a file as they come, or MIXED."""
    lines = [form.format(topic, *row) for topic, documents in nested.items() for row in documents.items()]
    if mixed is not None:
        random.Random(mixed).shuffle(lines)
    return "".join(f"{line}\n" for line in lines).encode()


@st.composite
def studies(draw: st.DrawFn, *, ties: bool = True) -> Study:
    """Draw a study in which each run has at least one topic that all have, and perhaps others."""
    shared = draw(st.sampled_from(TOPICS))

    def run() -> Nested:
        chosen = {shared, *draw(st.sets(st.sampled_from(TOPICS)))}
        return {topic: draw(lists(ties=ties)) for topic in sorted(chosen)}

    def judged() -> dict[str, int]:
        return draw(st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 2), min_size=1))

    names = draw(st.lists(st.sampled_from("abc"), min_size=1, unique=True))
    reproductions = {name: (run(), run()) for name in names}
    qrels = {topic: judged() for topic in sorted({shared, *draw(st.sets(st.sampled_from(TOPICS)))})}
    return Study((run(), run()), reproductions, qrels)


def with_topics_in(order: Sequence[str], nested: dict[str, Any]) -> dict[str, Any]:
    """Return NESTED with its topics given in that ORDER."""
    return {topic: nested[topic] for topic in order if topic in nested}


def without(measure: str, content: Any) -> Any:
    """Return CONTENT without the values of MEASURE."""
    if isinstance(content, dict):
        return {key: without(measure, value) for key, value in content.items()}
    if isinstance(content, list):
        return [
            without(measure, one) for one in content if not (isinstance(one, dict) and one.get("measure") == measure)
        ]
    return content


@few
@given(studies(), st.integers(0, 1000))
def test_the_order_of_lines_in_files_has_no_effect(study: Study, seed: int) -> None:
    assert study.assessed(mixed=seed) == study.assessed()


@few
@given(studies(), st.permutations(TOPICS))
def test_the_order_of_topics_has_no_effect(study: Study, order: list[str]) -> None:
    def turned(experiment: Experiment) -> Experiment:
        baseline, advanced = (with_topics_in(order, run) for run in experiment)
        return baseline, advanced

    other = Study(
        turned(study.original),
        {name: turned(experiment) for name, experiment in study.reproductions.items()},
        with_topics_in(order, study.qrels),
    )

    assert other.assessed() == study.assessed()


@few
@given(studies(), st.data())
def test_the_order_of_reproductions_has_no_effect(study: Study, data: st.DataObject) -> None:
    order = data.draw(st.permutations(list(study.reproductions)))

    other = study._replace(reproductions={name: study.reproductions[name] for name in order})

    assert other.assessed() == study.assessed()


@few
@given(studies(ties=False), st.permutations(DOCUMENTS))
def test_the_names_of_documents_have_no_effect_but_on_ktu(study: Study, others: list[str]) -> None:
    names = dict(zip(DOCUMENTS, others, strict=True))

    def called(experiment: Experiment) -> Experiment:
        baseline, advanced = (renamed(run, names) for run in experiment)
        return baseline, advanced

    other = Study(
        called(study.original),
        {name: called(experiment) for name, experiment in study.reproductions.items()},
        {topic: {names[document]: level for document, level in found.items()} for topic, found in study.qrels.items()},
    )

    assert without("ktu", other.assessed()) == without("ktu", study.assessed())


def test_the_names_of_documents_decide_ktu() -> None:
    names = {"d1": "c", "d2": "a", "d3": "b", "d5": "e"}
    run, again = {"1": {"d1": 3.0, "d2": 2.0, "d3": 1.0}}, {"1": {"d2": 3.0, "d5": 2.0, "d3": 1.0}}

    found = [
        assess(one, other, {"1": {"d9": 1}}, measures="map").reproductions[0].find("ktu")
        for one, other in ((run, again), (renamed(run, names), renamed(again, names)))
    ]

    assert [value.value for value in found if value] == [0.33333333333333, -1.0]
