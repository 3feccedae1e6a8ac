"""Do people of every role come to their end in a real browser, from the first visit to the published report?

One site is told of, from ``primad serve`` in an empty folder on.  Each test tells the part of one role; what must have
happened before is told first, if it was not told yet.
"""

from collections.abc import Iterator

import pytest

from tests.web.browser import browsing, laptop
from tests.web.stories import analyst, organiser, reader, team, user
from tests.web.stories.cast import Story

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser story")]

START = (organiser.begins, organiser.makes_a_track)
TEAM = (*START, organiser.opens_results, team.hands_in)
ANALYST = (
    *TEAM,
    organiser.assigns,
    analyst.begins_an_attempt,
    analyst.asks,
    team.answers,
    analyst.ends_it,
    analyst.loses_the_network,
    analyst.fills_in_the_sheet,
    analyst.another_one,
)
ORGANISER = (*ANALYST, organiser.adjudicates, organiser.publishes)
USER = (*START, user.brings_runs, user.asks_for_scores, user.asks_how_close, user.removes_a_run)
READER = (
    *ORGANISER,
    *USER,
    reader.reads_the_report,
    reader.looks_at_runs,
    reader.opens_the_result,
    reader.measures_precision,
)


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    """Return the story of a site that was just begun."""
    folder = tmp_path_factory.mktemp("laptop")
    with laptop(folder / "here", folder / "home") as here, browsing() as browser:
        yield Story(browser, here)


def test_whoever_starts_the_site_becomes_its_organiser_by_the_link_it_printed(story: Story) -> None:
    story.tell(*START)

    assert story.complaints() == []


def test_a_team_hands_in_results_and_a_system_and_answers_a_question(story: Story) -> None:
    story.tell(*TEAM)

    assert story.complaints() == []


def test_an_analyst_runs_a_system_again_and_loses_nothing_that_was_typed(story: Story) -> None:
    story.tell(*ANALYST)

    assert story.complaints() == []


def test_an_organiser_sees_both_sheets_and_publishes_the_track(story: Story) -> None:
    story.tell(*ORGANISER)

    assert story.complaints() == []


def test_a_user_brings_runs_and_learns_how_close_they_are(story: Story) -> None:
    story.tell(*USER)

    assert story.complaints() == []


def test_a_reader_without_an_account_finds_everything_that_is_published(story: Story) -> None:
    story.tell(*READER)

    assert story.complaints() == []
