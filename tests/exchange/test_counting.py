"""What is counted in judgments, topics and runs, also in those that are wrong?"""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from primad.exchange.datasheets.counting import Judgments, Spread, Topics, judgments_in, rankings_in, topics_in
from primad.exchange.thing import File
from tests.exchange.some_things import QRELS, RUN, TOPICS


def judged(data: bytes) -> Judgments:
    """Return what is counted in the judgments DATA."""
    return judgments_in(File.of_bytes(data, "a.qrels", "qrels"))


def asked(text: str) -> Topics:
    """Return what is counted in the topics TEXT."""
    return topics_in(File.of_bytes(text.encode(), "topics.txt", "topics"))


def test_levels_topics_and_documents_are_counted() -> None:
    found = judged(QRELS)

    assert (found.number, dict(found.levels)) == (4, {0: 2, 1: 1, 2: 1})
    assert dict(found.judged) == {"307": 2, "310": 2}
    assert dict(found.relevant) == {"307": 1, "310": 1}
    assert (len(found.documents), found.shared) == (3, 1)
    assert found.without_relevant == []


def test_doubles_contradictions_and_other_lines_are_counted_and_do_no_harm() -> None:
    found = judged(
        b"1 0 a 1\n1 0 a 1\n1 0 b 0\n1 0 b 2\n1 0 b 1\nnot a judgment\n\n1 0 c x\n\xff\xfe 0 d 0\n2 0 a -1\n"
    )

    assert (found.repeated, found.contradicting, found.unreadable) == (1, 1, 2)
    assert dict(found.levels) == {1: 1, 0: 2, -1: 1}
    assert "2" in found.without_relevant


def test_packed_judgments_are_unpacked() -> None:
    assert judged(gzip.compress(QRELS)) == judged(QRELS)


@pytest.mark.parametrize(
    ("text", "form", "texts", "fields"),
    [
        pytest.param(
            TOPICS.decode(),
            "as TREC writes them",
            {"307": "new hydroelectric projects", "310": "radio waves and brain cancer"},
            ("title",),
            id="TREC",
        ),
        pytest.param(
            '<topic number="1"><query>what is it?</query></topic>\n<topic number="2"><query>no</query></topic>',
            "as XML",
            {"1": "what is it?", "2": "no"},
            ("query",),
            id="XML",
        ),
        pytest.param(
            "1\twhat is it?\n2\tno\n", "as a table with tabs", {"1": "what is it?", "2": "no"}, ("text",), id="tabs"
        ),
        pytest.param(
            '{"qid": 1, "query": "what is it?"}\n{"qid": "2", "query": "no"}\n[1]\nbroken\n',
            "as JSON lines",
            {"1": "what is it?", "2": "no"},
            ("query", "qid"),
            id="JSON lines",
        ),
        pytest.param("just some words\n", "", {}, (), id="a form that is not known"),
    ],
)
def test_topics_are_read_in_their_forms(text: str, form: str, texts: dict[str, str], fields: tuple[str, ...]) -> None:
    found = asked(text)

    assert (found.form, found.texts, found.fields) == (form, texts, fields)
    assert (found.lines, found.size) == (len(text.splitlines()), len(text))


def test_topics_with_the_same_identifier_or_the_same_words_are_counted() -> None:
    found = asked("1\twhat is it?\n1\tagain\n2\tWhat  is it?\n3\tno\n")

    assert (len(found.texts), found.repeated, found.same_texts) == (3, 1, 1)


def test_depths_of_a_run_are_counted() -> None:
    found = rankings_in(File.of_bytes(RUN, "a.run", "run"))

    assert found is not None
    assert found.depths == {"307": 2, "310": 1}


def test_a_run_that_cannot_be_read_is_none() -> None:
    assert rankings_in(File.of_bytes(b"307 Q0 d1 1\n", "a.run", "run")) is None


def test_a_spread_is_least_median_and_most_or_one_number() -> None:
    assert str(Spread.of([3, 1000, 4, 5])) == "3 to 1,000, median 4.5"
    assert str(Spread.of([7, 7])) == "7"
    assert Spread.of([]) is None


def test_the_judgments_and_topics_of_core17_are_counted_as_they_are(shared_data: Path) -> None:
    folder = shared_data / "osirrc_core17"
    found = judgments_in(File.of_path(folder / "qrels.core17.txt", "qrels.core17.txt", "qrels"))
    topics = topics_in(File.of_path(folder / "topics.core17.txt", "topics.core17.txt", "topics"))

    # As sort, uniq and awk count them.
    assert (found.number, dict(sorted(found.levels.items()))) == (30_030, {0: 21_028, 1: 5_549, 2: 3_453})
    assert (len(found.judged), Spread.of(found.judged.values())) == (50, Spread(331, 588.5, 965))
    assert set(topics.texts) == set(found.judged)
    assert topics.texts["307"] == "New Hydroelectric Projects"
    assert topics.fields == ("title", "desc", "narr")
