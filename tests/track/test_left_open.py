"""Can whatever was left open when a track moved on be ended, and what repeats another be gone on with?"""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from primad.errors import UsageError
from primad.store.actors import acting
from primad.track.models import Attempt
from primad.track.track import Track
from tests.track import small
from tests.track.roles import ACTORS

LATER = pytest.mark.parametrize("phase", ["adjudication", "published"])


def minutes(count: float) -> timedelta:
    return timedelta(minutes=count)


def test_an_attempt_that_was_left_open_is_paused_and_ended_in_adjudication(ready_track: Track, files: Path) -> None:
    (files / "mine.tsv").write_bytes(small.OUTPUT)
    now = datetime.now(UTC)
    for analyst in ("ann", "dan"):
        ready_track.start(analyst, "alpha/run1", at=now - minutes(30))
    ready_track.move_to("adjudication")

    ready_track.pause(1, at=now - minutes(20))
    ready_track.stop(1, "abandoned", reason="too late")
    ready_track.stop(2, "succeeded", output=files / "mine.tsv", at=now - minutes(10))

    rows = ready_track.facts().attempts
    assert [one.state for one in rows] == ["abandoned", "succeeded"]
    assert [one.human_minutes for one in rows] == pytest.approx([10.0, 20.0])
    assert ready_track.verdict_facts(2) is not None


def test_nobody_begins_or_goes_on_in_adjudication(ready_track: Track) -> None:
    ready_track.start("ann", "alpha/run1")
    ready_track.move_to("adjudication")

    refused = "in the phase adjudication, but systems are run by analysts in replication"
    with pytest.raises(UsageError, match=refused):
        ready_track.start("dan", "alpha/run1")
    with pytest.raises(UsageError, match=refused):
        ready_track.change_stage(1, "run")
    ready_track.pause(1)
    with pytest.raises(UsageError, match=refused):
        ready_track.resume(1)

    (attempt,) = ready_track.facts().attempts
    assert (attempt.state, attempt.why) == ("open", "it rests")


@pytest.mark.parametrize("state", ["open", "stopped"])
def test_what_was_left_open_is_named_in_adjudication_until_it_has_ended(ready_track: Track, state: str) -> None:
    ready_track.start("ann", "alpha/run1")
    Attempt.objects.update(state=state)
    ready_track.move_to("adjudication")

    before = ready_track.facts().next[0]
    ready_track.stop(1, "abandoned", reason="too late")

    assert (before.who, before.what) == ("analyst ann", "end attempt 1, which cannot go on any more")
    assert before.command == "primad track attempt stop 1 abandoned --because TEXT"
    assert before not in ready_track.facts().next


def test_a_repeated_attempt_goes_on_in_adjudication(ready_track: Track) -> None:
    ready_track.stop(ready_track.start("ann", "alpha/run1").number, "failed", stage="run", reason="it hangs")
    ready_track.move_to("adjudication")
    ready_track.again(1)
    Attempt.objects.filter(number=2).update(state="stopped")

    assert ready_track.facts().next[0].command == "primad track replay --resume 2"


@LATER
def test_a_repeated_attempt_is_worked_on_and_ended_in_each_phase_in_which_one_begins(
    sqlite_track: Track, files: Path, phase: str
) -> None:
    small.repeated(sqlite_track, files, phase)
    (files / "mine.tsv").write_bytes(small.OUTPUT)

    sqlite_track.resume(2)
    sqlite_track.change_stage(2, "run")
    sqlite_track.remark(2, "it runs now")
    sqlite_track.ask(2, "Which locale?")
    sqlite_track.answer(2, "C.UTF-8")
    sqlite_track.pause(2)
    verdict = sqlite_track.stop(2, "succeeded", output=files / "mine.tsv")

    assert verdict is not None
    assert sqlite_track.attempt_facts(2).row.state == "succeeded"


@LATER
def test_a_repeated_attempt_is_abandoned_by_an_organiser_in_each_phase_in_which_one_begins(
    sqlite_track: Track, files: Path, phase: str
) -> None:
    small.repeated(sqlite_track, files, phase)

    with acting(ACTORS["organiser"]):
        sqlite_track.stop(2, "abandoned", reason="nobody runs it")

    assert sqlite_track.attempt_facts(2).row.state == "abandoned"


def test_what_repeats_nothing_is_not_ended_once_the_track_is_published(ready_track: Track) -> None:
    ready_track.start("ann", "alpha/run1")
    small.move_on(ready_track, "published")

    with pytest.raises(UsageError, match="attempts are paused and ended in replication or adjudication"):
        ready_track.stop(1, "abandoned", reason="too late")


@pytest.mark.parametrize(
    ("phase", "command"),
    [
        pytest.param("replication", "go on with: primad track attempt resume 1", id="which can go on"),
        pytest.param("adjudication", "", id="which cannot"),
    ],
)
def test_who_pauses_what_rests_is_told_to_go_on_only_where_that_is_allowed(
    ready_track: Track, phase: str, command: str
) -> None:
    ready_track.pause(ready_track.start("ann", "alpha/run1").number)
    small.move_on(ready_track, phase)

    with pytest.raises(UsageError, match="rests already") as caught:
        ready_track.pause(1)

    assert caught.value.command == command


def test_a_published_track_names_what_was_repeated_and_is_open_and_nothing_else_that_is(
    sqlite_track: Track, files: Path
) -> None:
    small.repeated(sqlite_track, files, "replication")
    sqlite_track.start("dan", "alpha/run1")
    small.move_on(sqlite_track, "published")

    before = [one.command for one in sqlite_track.facts().next]
    sqlite_track.stop(2, "abandoned", reason="nobody runs it")

    assert before == ["primad track attempt stop 2 succeeded --output PATH", "primad track report --out DIR"]
    assert [one.command for one in sqlite_track.facts().next] == ["primad track report --out DIR"]


def test_a_published_track_asks_for_nothing_of_what_was_withdrawn(sqlite_track: Track, files: Path) -> None:
    small.repeated(sqlite_track, files, "adjudication")
    sqlite_track.withdraw("alpha/run1", "wrong")
    sqlite_track.move_to("published")

    assert [one.command for one in sqlite_track.facts().next] == ["primad track report --out DIR"]


def test_what_is_withdrawn_is_still_to_be_ended_in_adjudication(ready_track: Track) -> None:
    ready_track.start("ann", "alpha/run1")
    ready_track.move_to("adjudication")
    ready_track.withdraw("alpha/run1", "wrong")

    ends = [one.what for one in ready_track.facts().next if one.who == "analyst ann"]

    assert ends == ["end attempt 1: alpha/run1 is withdrawn"]
