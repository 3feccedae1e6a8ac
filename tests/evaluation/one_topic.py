"""One topic, scored: the smallest evaluation there is."""

from collections.abc import Mapping
from typing import Any

from primad import Rules, evaluate


def score(measure: str, judged: Mapping[str, int], ranking: str, **options: Any) -> float | str:
    """Return the score of a RANKING of one-letter documents, best first, by one MEASURE and rules for it."""
    falling = {document: -float(rank) for rank, document in enumerate(ranking)}
    (run,) = evaluate({"1": judged}, {"1": falling}, [measure], rules=Rules(**options))
    ((_, scores),) = run.topic_scores()
    ((_, value),) = scores.items()
    return value
