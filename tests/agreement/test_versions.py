"""Version 10 is version 9, which pytrec_eval checks, but for what the guide says: scores, rounding, missing topics."""

from __future__ import annotations

from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from primad import Rules, evaluate
from primad.evaluation import families
from tests.evaluation.made_up import Qrels, Run, experiments

ROUNDED = ("iprec_at_recall", "11pt_avg")
SAME = [name for name, measure in families.items() if name not in ROUNDED and measure.since == 9]
TENTHS = [tenth / 10 for tenth in range(11)]


def shared(experiment: tuple[Qrels, Run]) -> tuple[Qrels, Run]:
    """Return what qrels and run have for the topics of both."""
    qrels, run = experiment
    topics = qrels.keys() & run.keys()
    return {topic: qrels[topic] for topic in topics}, {topic: run[topic] for topic in topics}


@given(experiments(), st.integers(1, 3), st.booleans(), st.none() | st.integers(1, 8))
def test_both_versions_agree_on_every_measure_that_they_round_alike(
    experiment: tuple[Qrels, Run],
    level: int,
    judged_only: bool,  # noqa: FBT001 - hypothesis hands it over in its place
    depth: int | None,
) -> None:
    qrels, run = shared(experiment)
    nine, ten = (
        evaluate(qrels, run, SAME, rules=Rules(compat=version, level=level, judged_only=judged_only, depth=depth))
        for version in (9, 10)
    )

    assert nine.runs[0].to_dict() == ten.runs[0].to_dict()


@given(experiments())
def test_version_10_rounds_a_level_of_recall_to_the_nearest_document(experiment: tuple[Qrels, Run]) -> None:
    qrels, run = shared(experiment)
    ranked = {
        topic: sorted(documents, key=lambda d: (documents[d], d.encode()), reverse=True)
        for topic, documents in run.items()
    }

    scores = dict(evaluate(qrels, run, ["iprec_at_recall"], rules=Rules(compat=10)).runs[0].topic_scores())

    for topic, ranking in ranked.items():
        relevant = [qrels[topic].get(document, 0) >= 1 for document in ranking]
        number = sum(level >= 1 for level in qrels[topic].values())
        precision = [sum(relevant[: rank + 1]) / (rank + 1) for rank in range(len(ranking))]
        for tenth in TENTHS:
            needed = floor(tenth * number + 0.5)
            reached = [p for rank, p in enumerate(precision) if sum(relevant[: rank + 1]) >= needed]
            assert scores[topic][f"iprec_at_recall_{tenth:.2f}"] == pytest.approx(max(reached, default=0.0))
