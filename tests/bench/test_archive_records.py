"""Are made-up records the same for the same seed, accepted by an archive, and as varied as they are said to be?"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.archive_records import Records, annotated
from bench.archive_searching import Answer, Question, ask, questions, tables
from primad import Record
from primad.archive.archive import Archive
from primad.archive.search.facts import facts_of

NUMBER = 2000


@pytest.fixture(scope="module")
def records() -> Records:
    return Records(NUMBER)


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    made = Archive.init(tmp_path / "archive")
    yield made
    made.close()


def some(records: Records) -> list[Record]:
    return [records[number] for number in range(0, NUMBER, 20)]


def test_the_same_seed_gives_the_same_runs_and_another_seed_gives_others(records: Records) -> None:
    again, other = Records(NUMBER), Records(NUMBER, seed=2)

    assert annotated(records[7], records.ranking(7)) == annotated(again[7], again.ranking(7))
    assert records[7] != other[7]
    assert records.ranking(7) != other.ranking(7)


def test_no_two_runs_have_the_same_ranking(records: Records) -> None:
    assert len({records.ranking(number) for number in range(NUMBER)}) == NUMBER


def test_a_record_states_about_forty_facts_and_an_abstract(records: Records) -> None:
    found = [facts_of(record) for record in some(records)]

    assert 35 < min(len(one.facts) for one in found) <= max(len(one.facts) for one in found) < 60
    assert min(sum(len(text.split()) for text in one.texts) for one in found) > 80


def test_few_teams_and_collections_have_most_of_the_runs() -> None:
    many = Records(100_000)

    teams = Counter(publication.team for publication in many.publications)
    collections = Counter(publication.collection.name for publication in many.publications)

    assert 250 < len(teams) <= 300
    assert len(collections) == 40
    assert sum(count for _, count in teams.most_common(30)) > teams.total() / 2
    assert {publication.year for publication in many.publications} <= set(range(1999, 2027))


def test_every_baseline_is_the_tag_of_a_run_on_the_same_collection(records: Records) -> None:
    tags: dict[str, set[str]] = {}
    for number in range(NUMBER):
        tags.setdefault(records.publication_of(number).collection.name, set()).add(records.tag(number))

    for record in some(records):
        (baseline,) = record["research goal.evaluation.baseline"]
        assert baseline in tags[record["data.test collection.name"]]


def test_an_archive_keeps_every_run_and_finds_what_is_asked_for(
    records: Records, archive: Archive, tmp_path: Path
) -> None:
    for number in range(0, NUMBER, 100):
        (tmp_path / f"{number}.run").write_bytes(annotated(records[number], records.ranking(number)))

    added = list(archive.add(sorted(tmp_path.glob("*.run"))))
    (by_tag,) = ask(archive.folder.path, [Question("a tag", f'tag:"{records.tag(100)}"')])

    assert Counter(one.status for one in added) == {"added": 20}
    assert by_tag.total == 1


def test_questions_are_of_all_kinds_in_equal_parts(records: Records) -> None:
    asked = questions(records, 39)

    assert set(Counter(question.kind for question in asked).values()) == {3}
    assert len({question.kind for question in asked}) == 13


def test_a_table_of_times_tells_whether_the_goal_was_met() -> None:
    answers = [Answer("a tag", 0.010, 1)] * 19 + [Answer("a phrase", 0.200, 50)]

    lines = tables({"SQLite": answers})

    assert "| SQLite | 20 | 10.0 | 19.5 | 163.9 | 200.0 |" in lines
    assert "| a phrase | 50 | 200.0 | 200.0 | 200.0 |" in lines
    assert lines[-1] == (
        "The goal of 50 ms at the 95th percentile: SQLite is met (20 ms; the slowest kind is: a phrase)."
    )
