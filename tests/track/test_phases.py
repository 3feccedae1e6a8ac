"""Does a track allow in each phase what belongs there, and say what to do otherwise?"""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from primad.errors import DataError, UsageError
from primad.track.phases import ALLOWED, PHASES, check_dates, is_reopening, late, next_phase, require


def test_the_phases_of_a_track_follow_each_other() -> None:
    walked = ["set-up"]
    while (following := next_phase(walked[-1])) is not None:
        walked.append(following)

    assert walked == ["set-up", "results", "systems", "assignment", "replication", "adjudication", "published"]


@pytest.mark.parametrize(
    ("verb", "phases"),
    [
        ("submit", {"results"}),
        ("attempt", {"replication"}),
        ("end", {"replication", "adjudication"}),
        ("repeat", {"replication", "adjudication", "published"}),
        ("publish", {"adjudication"}),
    ],
)
def test_a_verb_is_refused_in_every_phase_but_its_own(verb: str, phases: set[str]) -> None:
    allowed = set()
    for phase in PHASES:
        try:
            require(phase, verb)
        except UsageError:
            continue
        allowed.add(phase)

    assert allowed == phases


def test_what_comes_too_early_waits_for_the_organiser_to_move_the_track_on() -> None:
    with pytest.raises(UsageError) as refused:
        require("systems", "attempt")

    assert refused.value.at_terminal == (
        "the track is in the phase systems, but systems are run by analysts in replication; "
        "an organiser can move it on, with: primad track phase replication"
    )


def test_what_comes_too_late_needs_the_phase_reopened() -> None:
    with pytest.raises(UsageError) as refused:
        require("published", "assign")

    assert refused.value.at_terminal == (
        "the track is in the phase published, but systems are assigned to analysts in assignment or replication; "
        "an organiser can reopen it, for a reason, with: primad track phase replication --because TEXT"
    )


@pytest.mark.parametrize("verb", ALLOWED)
def test_every_verb_is_refused_with_words_wherever_it_is_not_allowed(verb: str) -> None:
    for phase in set(PHASES) - set(ALLOWED[verb]):
        with pytest.raises(UsageError, match=f"in the phase {phase}, but .+ in .+; an organiser can"):
            require(phase, verb)


def test_only_a_move_back_reopens() -> None:
    moves = [is_reopening("replication", phase) for phase in PHASES]

    assert moves == [True, True, True, True, False, False, False]


def test_a_phase_that_does_not_exist_is_answered_with_those_that_do() -> None:
    with pytest.raises(UsageError, match=r"expected a phase \(set-up, results, .*found 'replicate'"):
        next_phase("replicate")


@pytest.mark.parametrize(
    ("closes", "now", "is_late"),
    [
        pytest.param("2016-05-01", datetime(2016, 5, 1, 23, 59, tzinfo=UTC), False, id="the last day counts whole"),
        pytest.param("2016-05-01", datetime(2016, 5, 2, tzinfo=UTC), True, id="the day after"),
        pytest.param("2016-05-01T12:00", datetime(2016, 5, 1, 12, 1, tzinfo=UTC), True, id="a minute after"),
        pytest.param(
            "2016-05-01T12:00+02:00", datetime(2016, 5, 1, 10, 0, tzinfo=UTC), False, id="in the zone it names"
        ),
        pytest.param(
            "2016-05-01",
            datetime(2016, 5, 2, 1, 0, tzinfo=timezone(timedelta(hours=2))),
            False,
            id="still the day before in UTC",
        ),
        pytest.param("", datetime(2026, 1, 1, tzinfo=UTC), False, id="without a date nothing is late"),
    ],
)
def test_a_phase_is_late_once_it_has_closed(closes: str, now: datetime, is_late: bool) -> None:  # noqa: FBT001  (pytest)
    assert late({"results": {"closes": closes}}, "results", now) is is_late
    assert late({"results": {"closes": closes}}, "systems", now) is False


def test_dates_come_back_as_they_were_given() -> None:
    dates = {"results": {"opens": "2016-04-01", "closes": "2016-05-01"}, "systems": {"closes": "2016-05-08T12:00Z"}}

    assert check_dates(dates) == dates


@pytest.mark.parametrize(
    ("dates", "said"),
    [
        ({"results": {"closes": "soon"}}, "results: expected closes as a date such as 2016-05-01, found 'soon'"),
        ({"later": {}}, "found 'later'"),
        ({"results": "2016"}, "results: expected opens and closes, found '2016'"),
        ({"results": {"ends": "2016-05-01"}}, "results: expected opens and closes"),
        ({"results": {"opens": "2016-05-02", "closes": "2016-05-01"}}, "results: closes 2016-05-01, before it opens"),
    ],
)
def test_dates_that_cannot_be_meant_are_refused(dates: dict[str, Any], said: str) -> None:
    with pytest.raises(DataError) as refused:
        check_dates(dates)

    assert said in str(refused.value)


def test_all_problems_with_dates_are_said_at_once() -> None:
    with pytest.raises(DataError) as refused:
        check_dates({"results": {"opens": "x", "closes": "y"}, "systems": {"opens": "z"}})

    assert [f"found '{wrong}'" in str(refused.value) for wrong in "xyz"] == [True, True, True]
