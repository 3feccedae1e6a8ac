"""Is what a track answers the same on both databases, and true?"""

from collections.abc import Callable
from pathlib import Path

import pytest

from primad.errors import PairingError
from primad.track.models import Attempt
from primad.track.track import Track
from tests.track import small


def test_a_whole_track_is_told_in_plain_values(track: Track, files: Path) -> None:
    from primad.track import queries

    address = small.ready(track, files)
    track.start("ann", address)
    track.stop(1, "failed", stage="run", reason="no memory")

    facts = queries.track_facts(track.row)

    assert (facts.slug, facts.phase, facts.next_phase) == ("demo", "replication", "adjudication")
    assert [(one.address, one.state, one.system) for one in facts.submissions] == [
        ("alpha/run1", "in replication", "bundle")
    ]
    assert facts.submissions[0].why == "ann failed (at run); dan has not begun"
    assert [(one.number, one.state, one.why) for one in facts.attempts] == [(1, "failed", "run: no memory")]
    assert {(one.analyst, one.machine) for one in facts.assignments} == {("ann", "laptop"), ("dan", "server")}
    assert [one.command for one in facts.next] == [
        "primad track sheet ann alpha/run1 --lock",
        "primad track replay alpha/run1 --analyst dan",
        "primad track phase adjudication",
    ]


def test_one_thing_is_told_by_its_name(track: Track, files: Path) -> None:
    from primad.track import queries, things

    address = small.ready(track, files)
    track.start("ann", address)

    with track.speaking() as row:
        kinds = {name: things.thing_called(row, name)[0] for name in ("1", "run1", "alpha/run1", "coding", "ann")}
        submission = queries.submission_facts(track.submission(address))
        attempt = queries.attempt_facts(track.folder, track.attempt(1))
        sheet = queries.sheet_facts(track.analyst("ann"), track.submission(address))
        with pytest.raises(PairingError, match="no task, team, analyst, submission or attempt is called 'eve'"):
            things.thing_called(row, "eve")

    assert list(kinds.values()) == ["attempt", "submission", "submission", "task", "analyst"]
    assert submission.outputs[0].scored["f1"] == pytest.approx(0.8)
    assert submission.systems[0].prerequisites == ("python3 >=3.8",)
    assert [one.stage for one in attempt.spans] == ["prerequisites"]
    assert attempt.row.why.startswith("ann is at work on it since ")
    assert [one.key for one in sheet.questions][:3] == ["Q1", "Q2", "Q3"]


@pytest.mark.parametrize(
    ("begin", "assigned"),
    [
        pytest.param(lambda _track, _address: None, (), id="nobody had begun"),
        pytest.param(lambda track, address: track.start("ann", address), ("alpha/run1",), id="an attempt is there"),
        pytest.param(
            lambda track, address: track.fill("ann", address, {"Q1": {"value": "yes"}}),
            ("alpha/run1",),
            id="a sheet is there",
        ),
    ],
)
def test_what_was_withdrawn_is_assigned_only_to_whoever_had_begun_it(
    track: Track, files: Path, begin: Callable[[Track, str], object], assigned: tuple[str, ...]
) -> None:
    from primad.track import queries

    address = small.ready(track, files)
    begin(track, address)
    track.withdraw(address, "the wrong file")

    facts = queries.track_facts(track.row)

    assert {one.slug: one.assigned for one in facts.analysts if one.slug in {"ann", "dan"}} == {
        "ann": assigned,
        "dan": (),
    }


@pytest.mark.parametrize(
    ("phase", "command"),
    [
        pytest.param("replication", "go on: primad track attempt resume 1", id="while systems are run"),
        pytest.param(
            "adjudication", "end it: primad track attempt stop 1 abandoned --because TEXT", id="when no more is run"
        ),
        pytest.param(
            "published",
            "the track is in the phase published; an organiser can reopen it, for a reason: "
            "primad track phase adjudication --because TEXT",
            id="when nothing is ended any more",
        ),
    ],
)
def test_an_attempt_that_rests_is_gone_on_with_only_while_systems_are_run(
    track: Track, files: Path, phase: str, command: str
) -> None:
    address = small.ready(track, files)
    track.start("ann", address)
    track.pause(1)
    small.move_on(track, phase)

    assert track.attempt_facts(1).row.command == command


@pytest.mark.parametrize("phase", ["replication", "adjudication", "published"])
@pytest.mark.parametrize(
    ("state", "command"),
    [
        pytest.param("open", "go on: primad track attempt resume 2", id="never run"),
        pytest.param(
            "stopped",
            "go on: primad track replay --resume 2, or end it: primad track attempt stop 2 abandoned --because TEXT",
            id="stopped",
        ),
    ],
)
def test_a_repeated_attempt_is_gone_on_with_in_each_phase_in_which_attempts_are_repeated(
    track: Track, files: Path, phase: str, state: str, command: str
) -> None:
    small.repeated(track, files, phase)
    Attempt.objects.filter(number=2).update(state=state)

    assert track.attempt_facts(2).row.command == command
