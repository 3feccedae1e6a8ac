"""What of an attempt is handed to other tools, and what stays in the track?"""

from datetime import datetime
from pathlib import Path

import pytest

from primad.errors import PrimadError
from primad.exchange.told import Used
from primad.track.outputs import NewOutput
from primad.track.replays.wish import Wish
from primad.track.track import Track
from tests.track import small

RUN = b"1 Q0 d1 1 2.0 bm25\n1 Q0 d2 2 1.0 bm25\n"


def replayed(track: Track, files: Path) -> int:
    """Return the number of an attempt that gave what was submitted."""
    address = small.ready(track, files)
    number = track.start("dan", address).number
    track.replay(number, Wish(), lambda _: None)
    return number


def test_an_attempt_is_handed_over_with_the_system_its_output_and_what_was_submitted(track: Track, files: Path) -> None:
    thing = track.handed_over(replayed(track, files))

    contents = {file.path: file.read() for file in thing.files}
    assert contents["replicated/output.tsv"] == contents["submitted/default@test/output.tsv"] == small.OUTPUT
    assert contents["system/1/alpha.tar.gz"] == (files / "alpha.tar.gz").read_bytes()
    assert b"coding 5 documents" in contents["transcript/transcript.txt"]
    assert {file.role for file in thing.files} == {"other", "system", "transcript", "metadata"}
    assert (thing.kind, thing.name, thing.identifier) == ("attempt", "attempt-1", "demo/1")


def test_an_attempt_is_handed_over_with_its_verdict_its_steps_and_its_scores(sqlite_track: Track, files: Path) -> None:
    thing = sqlite_track.handed_over(replayed(sqlite_track, files))

    assert thing.description == "The replicated output is the submitted one, byte for byte (f1 0.8000)."
    assert [(deed.command, deed.status) for deed in thing.deeds][-1] == ("/usr/bin/python3 code.py", 0)
    assert (thing.facts["state"], thing.facts["type"]) == ("succeeded", "?rimAd")  # what the team ran it on is unknown
    scores = {(one.role, one.measurand): one.value for one in thing.material.measurements}
    assert scores["reproduction", "f1"] == scores["original", "f1"] == "0.8"


def test_the_last_command_that_was_run_gave_the_output(sqlite_track: Track, files: Path) -> None:
    thing = sqlite_track.handed_over(replayed(sqlite_track, files))

    *others, last = thing.deeds
    times = [datetime.fromisoformat(time) for deed in thing.deeds for time in (deed.began, deed.ended)]
    assert times == sorted(times)
    assert all(time.tzinfo for time in times)
    output = next(file for file in thing.files if file.path == "replicated/output.tsv")
    assert last.outputs == (Used("output.tsv", output.sha256, len(small.OUTPUT)),)
    assert [deed.outputs for deed in others] == [()] * len(others)


def test_no_command_of_a_replay_that_was_cut_off_gave_the_output_that_was_handed_over_by_hand(
    sqlite_track: Track, files: Path
) -> None:
    track, runs = sqlite_track, ["/usr/bin/python3 code.py"] * 2
    small.fill(track, files)
    address = small.submit(track, files, run=runs)
    track.move_to("assignment")
    track.assign("ann", address)
    track.move_to("replication")
    number = track.start("ann", address).number
    small.cut_off(track, number, after=2)
    track.stop(number, "succeeded", output={"output.tsv": small.OUTPUT})

    thing = track.handed_over(number)

    assert thing.deeds[-1].command == runs[0]
    assert [deed.outputs for deed in thing.deeds] == [()] * len(thing.deeds)
    assert thing.facts["sandbox"] == ""


def test_an_attempt_is_handed_over_without_the_name_of_its_analyst_and_without_the_sheet(
    sqlite_track: Track, files: Path
) -> None:
    thing = sqlite_track.handed_over(replayed(sqlite_track, files))

    (record,) = thing.records()
    told = repr((thing.title, thing.description, thing.facts, record.tree))
    assert record["actor.name"] == "developer 1"
    assert "Dan" not in told
    assert [line.split(",")[0] for line in thing.left_out] == ["the score sheet of the analyst"]


def test_an_output_that_is_a_run_is_handed_over_as_a_run(sqlite_track: Track, files: Path) -> None:
    qrels = files / "test.qrels"
    qrels.write_text("1 0 d1 1\n")
    track = sqlite_track
    track.set_task("ranking", title="Ranking", scorer="trec")
    track.set_data_set("ranking", "test", gold=qrels)
    track.set_team("alpha", title="Alpha")
    track.set_analyst("ann", role="user", title="Ann")
    track.move_to("results")
    track.submit("alpha", "run1", [NewOutput({"bm25.run": RUN})])
    track.submit_bundle("alpha/run1", small.bundle(files))
    track.move_to("assignment")
    track.assign("ann", "alpha/run1")
    track.move_to("replication")
    number = track.start("ann", "alpha/run1").number

    thing = track.handed_over(number)

    assert [(file.path, file.read()) for file in thing.runs] == [("submitted/default@test/bm25.run", RUN)]


def test_an_attempt_that_is_not_there_is_refused(sqlite_track: Track) -> None:
    with pytest.raises(PrimadError, match="7"):
        sqlite_track.handed_over(7)
