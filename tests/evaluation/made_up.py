"""Made-up qrels and runs for property tests: small, but with every oddity that real ones have."""

from collections.abc import Sequence

from hypothesis import strategies as st

Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]

TOPICS = ("1", "10", "2", "x", "é")
# Prefixes of each other, and such whose order differs by bytes, by code points and by alphabet.
DOCUMENTS = ("d", "d1", "d10", "d2", "D1", "d1é", "z", "é", "ü", "日本", "\U0001f600", "~", "-1", "a" * 40)
# Negative: in the pool, not judged.  Above 9: more than one digit.
LEVELS = (-2, -1, 0, 0, 0, 1, 1, 2, 3, 4, 12)
# Few, so that many are tied, and exact in 32 bits, so that the order is the same in 64.
SCORES = (-2.0, 0.0, 0.5, 1.0, 1.5, 1e10)


def topics_with(values: Sequence[float], size: int) -> st.SearchStrategy[dict[str, float]]:
    """Draw up to SIZE documents of a topic, each with one of VALUES."""
    return st.dictionaries(st.sampled_from(DOCUMENTS), st.sampled_from(values), min_size=1, max_size=size)


@st.composite
def experiments(draw: st.DrawFn, size: int = len(DOCUMENTS), topics: int = 3) -> tuple[Qrels, Run]:
    """Draw qrels and a run with up to SIZE documents a topic that share a topic at least.

    Each topic of the qrels has a document that was judged, relevant or not: pytrec_eval crashes where all are negative.
    """
    shared = draw(st.sampled_from(TOPICS))
    others = st.sets(st.sampled_from(TOPICS), max_size=topics - 1)
    judged, retrieved = ({shared, *draw(others)} for _ in ("qrels", "run"))
    qrels = {topic: {d: int(level) for d, level in draw(topics_with(LEVELS, size)).items()} for topic in sorted(judged)}
    for documents in qrels.values():
        if max(documents.values()) < 0:
            documents[min(documents)] = 0
    return qrels, {topic: draw(topics_with(SCORES, size)) for topic in sorted(retrieved)}
