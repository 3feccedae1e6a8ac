"""What does a replay on the machine of an analyst send to its site, and what does the site make of it?"""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from primad.store.actors import acting, keeper
from primad.store.blobs import digest_of
from primad.track import filing
from primad.track.models import Attempt
from tests.track import small
from tests.web.api_client import Answer, Asker, upload
from tests.web.small_site import SmallSite

KEY, OTHER = "1" * 32, "2" * 32
STEP = {
    "stage": "run",
    "command": "python3 code.py",
    "started": "2026-05-01T10:00:00+00:00",
    "ended": "2026-05-01T10:00:03+00:00",
    "status": 0,
    "wall": 3.0,
    "user": 1.0,
    "system": 0.5,
    "peak_memory": 1000,
    "network": False,
    "stopped_by": "",
    "remark": "",
}


def told(**more: Any) -> dict[str, Any]:
    """Return what a replay says that left the output which was submitted, but for what is MORE."""
    produced = {"path": "output.tsv", "size": len(small.OUTPUT), "digest": digest_of(small.OUTPUT)}
    return {
        "schema": "primad.replay/1",
        "sandbox": {"rung": "bubblewrap", "engine": "", "held": ["network"], "open": []},
        "steps": [STEP],
        "output": [produced],
        "succeeded": True,
        "stage": None,
        "reason": "",
        "remarks": [],
    } | more


class Replay:
    """A replay of attempt 1 of ann, which calls itself by a key."""

    def __init__(self, site: SmallSite, role: str = "analyst", key: str = KEY) -> None:
        """Begin with an attempt that was begun, and nothing else."""
        with acting(keeper()):
            if not site.track().facts().attempts:
                site.track().start("ann", "alpha/run1")
        self.site, self.asker, self.key = site, Asker(site, role), key

    def post(self, path: str = "", **body: Any) -> Answer:
        """Return the answer to BODY."""
        return self.asker.post(f"/tracks/demo/attempts/1/replay{path}", {"key": self.key} | body)

    def output(self, path: str = "output.tsv", data: bytes = small.OUTPUT) -> Answer:
        """Return the answer to a file of the output."""
        fields = {"key": self.key, "path": path, "output": upload("output", data)}
        return self.asker.send("/tracks/demo/attempts/1/replay/output", fields)

    @property
    def facts(self) -> Any:
        """Return what is known of the attempt."""
        return self.asker.get("/tracks/demo/attempts/1").json


def test_what_is_to_be_run_names_everything_but_the_gold(site: SmallSite) -> None:
    replay = Replay(site)

    found = replay.asker.get("/tracks/demo/attempts/1/replay").json

    assert found["manifest"]["name"] == "dictionary"
    assert {key: found[key] for key in ("submission", "configuration", "bundle", "data_set")} == {
        "submission": "alpha/run1",
        "configuration": "default",
        "bundle": "1/alpha.tar.gz",
        "data_set": "coding/test",
    }
    assert "gold" not in str(found)


def test_a_replay_elsewhere_fills_its_attempt_and_is_judged_here(site: SmallSite) -> None:
    replay = Replay(site)

    assert replay.post().json == {"length": 0}
    assert replay.post("/transcript", offset=0, piece="coding 5 documents\n").json == {"length": 19}
    running = replay.facts
    assert replay.output().status == 200
    ended = replay.post("/end", told=told(), platform={"hardware": {"ram": "8 GB"}})

    assert (running["row"]["state"], running["transcript"]) == ("running", ["coding 5 documents"])
    assert "a machine of ann" in running["row"]["why"]
    assert (ended.status, ended.json["row"]["state"], ended.json["row"]["agreement"]) == (
        200,
        "succeeded",
        "identical bytes",
    )
    attempt = Attempt.objects.get(number=1)
    with acting(keeper()):
        folder = site.track().folder
    assert filing.contents(folder, attempt.output) == {"output.tsv": small.OUTPUT}
    assert filing.contents(folder, attempt.transcript) == {"transcript.txt": b"coding 5 documents\n"}
    assert (attempt.run_seconds, attempt.record) == (3.0, {"platform": {"hardware": {"ram": "8 GB"}}})
    assert not (folder.path / "replays" / str(attempt.pk)).exists()


def test_everything_can_be_sent_twice_and_changes_nothing_the_second_time(site: SmallSite) -> None:
    replay = Replay(site)
    replay.post()
    replay.post("/transcript", offset=0, piece="one\n")

    twice = replay.post("/transcript", offset=0, piece="one\n").json
    overlapping = replay.post("/transcript", offset=0, piece="one\ntwo\n").json
    gap = replay.post("/transcript", offset=100, piece="far behind\n").json
    assert replay.post().json == {"length": 8}
    replay.output()
    replay.output()
    ended = replay.post("/end", told=told()).json
    again = replay.post("/end", told=told())

    assert (twice, overlapping, gap) == ({"length": 4}, {"length": 8}, {"length": 8})
    assert again.status == 200
    assert again.json == ended
    assert ended["transcript"] == ["one", "two"]


def test_who_is_not_heard_of_for_a_minute_has_stopped_and_goes_on_when_they_come_again(site: SmallSite) -> None:
    replay = Replay(site)
    replay.post()
    replay.post("/transcript", offset=0, piece="one\n")
    Attempt.objects.filter(number=1).update(beat_at=datetime.now(UTC) - timedelta(seconds=61))

    silent = replay.facts
    late = replay.post("/transcript", offset=4, piece="two\n")
    back = replay.post()
    goes_on = replay.post("/transcript", offset=4, piece="two\n")

    assert silent["row"]["state"] == "stopped"
    assert "nothing was heard of the replay for a minute" in silent["row"]["why"]
    assert silent["transcript"] == ["one"]
    assert (late.status, "it can begin again" in late.detail) == (422, True)
    assert (back.json, goes_on.json) == ({"length": 4}, {"length": 8})
    assert replay.facts["row"]["state"] == "running"


def test_an_attempt_that_one_replay_runs_is_no_other_s(site: SmallSite) -> None:
    Replay(site).post()
    other = Replay(site, key=OTHER)

    assert (other.post().status, other.post().detail) == (
        422,
        "attempt 1 (ann on alpha/run1) is running, so no replay can be begun on it",
    )
    assert other.post("/beat").status == 422
    assert other.post("/end", told=told()).status == 422
    assert Replay(site, "colleague").post().status == 404
    assert Replay(site, "organiser").post("/beat").status == 403


def test_one_that_goes_on_on_another_machine_begins_its_transcript_anew(site: SmallSite) -> None:
    first = Replay(site)
    first.post()
    first.post("/transcript", offset=0, piece="of the first\n")
    stopped = first.post("/end", stopped="the lid was shut").json

    second = Replay(site, key=OTHER)

    assert (stopped["row"]["state"], "the lid was shut" in stopped["row"]["why"]) == ("stopped", True)
    assert second.post().json == {"length": 0}


@pytest.mark.parametrize(
    ("piece", "detail"),
    [
        pytest.param("\x1b]0;title\x07\n", "characters that steer a terminal", id="a terminal is steered"),
        pytest.param("\u202egnp.exe\n", "characters that steer a terminal", id="writing is turned around"),
    ],
)
def test_a_transcript_that_was_not_made_harmless_is_refused(site: SmallSite, piece: str, detail: str) -> None:
    replay = Replay(site)
    replay.post()

    answer = replay.post("/transcript", offset=0, piece=piece)

    assert (answer.status, detail in answer.detail) == (422, True)
    assert replay.post("/beat").json == {"length": 0}


def test_more_than_the_task_allows_is_not_taken(site: SmallSite) -> None:
    with acting(keeper()):
        task = site.track().task("coding")
        type(task).objects.filter(pk=task.pk).update(limits={"output": 10, "files": 2, "log": 1})
    replay = Replay(site)
    replay.post()

    assert replay.output("a", b"12345").status == 200
    assert replay.output("a", b"1234567890").status == 200  # which replaces the first
    assert replay.output("b", b"1").status == 422
    assert replay.output("a", b"").status == 200
    assert replay.output("b", b"1").status == 200
    assert replay.output("c", b"").status == 422
    full = (1 << 20) + 5
    replay.post("/transcript", offset=0, piece="x" * (1 << 20))
    assert replay.post("/transcript", offset=1 << 20, piece="123456").status == 422
    assert replay.post("/transcript", offset=1 << 20, piece="12345").json == {"length": full}


@pytest.mark.parametrize("path", ["../elsewhere", "/etc/passwd", "a\\b", "x/../../y", "."])
def test_a_path_that_leaves_the_output_is_refused(site: SmallSite, path: str) -> None:
    replay = Replay(site)
    replay.post()

    assert replay.output(path).status == 422


@pytest.mark.parametrize(
    ("ending", "detail"),
    [
        pytest.param({}, "expected what came of the replay", id="nothing"),
        pytest.param({"told": {"schema": "other"}}, "expected a replay by the schema", id="another schema"),
        pytest.param({"told": told(steps=[{}])}, "not whole", id="half a step"),
        pytest.param({"told": told()}, "'output.tsv' was not sent", id="no output"),
        pytest.param({"told": told(output=[{"path": "../x", "size": 1, "digest": "0"}])}, "not whole", id="a way out"),
    ],
)
def test_an_end_that_does_not_fit_is_refused_and_the_attempt_runs_on(
    site: SmallSite, ending: dict[str, Any], detail: str
) -> None:
    replay = Replay(site)
    replay.post()

    answer = replay.post("/end", **ending)

    assert (answer.status, detail in answer.detail) == (422, True)
    assert replay.facts["row"]["state"] == "running"


def test_an_output_that_is_not_what_the_journal_says_is_not_kept(site: SmallSite) -> None:
    replay = Replay(site)
    replay.post()
    replay.output(data=small.WORSE)

    answer = replay.post("/end", told=told())

    assert (answer.status, "other bytes than were collected" in answer.detail) == (422, True)
    assert replay.facts["row"]["state"] == "running"


def test_a_system_that_failed_there_has_failed_here(site: SmallSite) -> None:
    replay = Replay(site)
    replay.post()
    failed = told(output=[], succeeded=False, stage="run", reason="run step 1 of 1 ended with 3")

    ended = replay.post("/end", told=failed).json

    assert (ended["row"]["state"], ended["row"]["stage"]) == ("failed", "run")
    assert "ended with 3" in ended["row"]["why"]
