"""Does a thing know whose it is, of which day, and what its publisher says of it?"""

from datetime import UTC, datetime

import pytest

from primad.exchange.thing import File, Statement, Thing
from primad.exchange.told import Person
from primad.metadata.reading import from_tree
from tests.exchange.some_things import a_run

ORCID = "0000-0002-0661-7189"


def runs_of(*actors: dict[str, str]) -> Thing:
    """Return runs by ACTORS, whom their records name."""
    records = [from_tree({"actor": actor}) for actor in actors]
    files = [File.of_bytes(b"", f"{number}.run", "run", record=one) for number, one in enumerate(records)]
    return Thing("experiment", "all", "all", files=tuple(files))


def test_a_person_is_an_author_once_by_orcid_or_by_name_and_team() -> None:
    found = runs_of(
        {"name": "Ada", "orcid": ORCID},
        {"name": "A. Lovelace", "orcid": ORCID},
        {"name": "Bob", "team": "one"},
        {"name": "Bob", "team": "two"},
        {"name": "Bob", "team": "one"},
    ).authors

    assert [(one.name, one.team) for one in found] == [("Ada", ""), ("Bob", "one"), ("Bob", "two")]
    assert found[0].address == f"https://orcid.org/{ORCID}"
    assert found[1].address == ""


def test_those_whose_deeds_no_record_tells_are_authors_too() -> None:
    analyst = Person("analyst 2", role="analyst")

    assert Thing("attempt", "a", "a", people=(analyst,)).authors == (analyst,)


def test_authors_that_are_stated_count_in_place_of_those_of_records() -> None:
    stated = (Person("Ada Lovelace", ORCID), Person("Grace Hopper"))

    assert runs_of({"name": "Bob"}).stating(Statement(authors=stated)).authors == stated


def test_a_thing_is_called_and_described_as_its_publisher_says() -> None:
    thing = Thing("run", "bm25", "bm25", "A run.")
    stated = Statement("BM25 on Core17", description="A baseline.")

    told = thing.stating(stated)

    assert (told.title, told.description, told.stated) == ("BM25 on Core17", "A baseline.", stated)
    assert (thing.stating(Statement()).title, thing.stating(Statement()).description) == ("bm25", "A run.")


@pytest.mark.parametrize(
    ("stated", "stops", "expected"),
    [
        pytest.param("2026-01-02", ["2026-11-17T00:10:00+00:00"], "2026-01-02", id="stated"),
        pytest.param("", ["2026-11-16T23:00:00Z", "2026-11-17T00:10:00+00:00", "soon"], "2026-11-17", id="the newest"),
    ],
)
def test_a_thing_is_published_on_the_day_that_is_stated_or_that_of_its_newest_run(
    stated: str, stops: list[str], expected: str
) -> None:
    runs = [a_run(resources={"runtime": {"stop time": stop}}).files[0] for stop in stops]

    assert Thing("experiment", "x", "x", files=tuple(runs), stated=Statement(date=stated)).published_on() == expected


def test_without_any_date_it_is_today() -> None:
    before = datetime.now(UTC).date().isoformat()

    assert before <= Thing("run", "x", "x").published_on() <= datetime.now(UTC).date().isoformat()
