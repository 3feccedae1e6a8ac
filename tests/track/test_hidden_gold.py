"""Does anything that somebody may ask again and again tell them what a hidden gold standard says?"""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from primad.errors import DataError, FileError, FormatError, PairingError, TooBusy, UsageError, WorkError
from primad.store import database, turns
from primad.store.actors import VISITOR, acting, expect
from primad.store.blobs import digest_of
from primad.track import scoring
from primad.track.models import Attempt, DataSet, Submission, Task, Verdict
from primad.track.outputs import NewOutput
from primad.track.services import attempting
from primad.track.track import Track
from tests.track import small
from tests.track.roles import ACTORS, copied, made_once

SECRET = "d5-is-r52"  # noqa: S105 - opens nothing
# Prints a measure, unless the output has the code r10: then it fails as a program does that shows what it read.
FAILING = f'echo "KeyError: {SECRET}" >&2; cat "$gold"/* >&2; exit 3'
SCORER = f'if grep -q r10 "$output"/*; then {FAILING}; fi; printf "f1\\t0.5\\n"'
KEY = "1" * 32  # of a replay elsewhere
TOLD = {
    "schema": "primad.replay/1",
    "sandbox": {"rung": "bubblewrap", "engine": "", "held": [], "open": []},
    "steps": [],
    "output": [{"path": "output.tsv", "size": len(small.WORSE), "digest": digest_of(small.WORSE)}],
    "succeeded": True,
    "stage": None,
    "reason": "",
    "remarks": [],
}
FINE = b"d1\tj11\nd2\tj45\nd3\tr05\nd4\tr50\nd5\tr52\n"


@pytest.fixture(scope="module")
def settled_once(tmp_path_factory: pytest.TempPathFactory, sqlite_tables: Path) -> Path:
    """Return the data folder of a track with everybody in it, which is not to be changed."""
    return made_once(tmp_path_factory.mktemp("settled"), sqlite_tables)


@pytest.fixture
def settled(settled_once: Path, tmp_path: Path) -> Iterator[Track]:
    """Return a track with everybody in it."""
    yield copied(settled_once, tmp_path / "settled")
    database.close()


@pytest.fixture
def by_command(settled: Track) -> Track:
    """Return the track, its outputs scored by a command that tells too much when it fails."""
    Task.objects.update(scorer="command", settings={"command": SCORER, "primary": "f1"}, primary="f1")
    return settled


@pytest.fixture
def _on_a_site() -> Iterator[None]:
    """Let this process be that of a site."""
    expect(VISITOR)
    yield
    expect(None)


def ended(track: Track, output: bytes = small.WORSE) -> int:
    """Let ann begin another attempt at alpha/run1 and end it with OUTPUT, and return its number."""
    with acting(ACTORS["ann"]):
        number = track.start("ann", "alpha/run1").number
        try:
            track.stop(number, "succeeded", output={"output.tsv": output})
        finally:
            if Attempt.objects.get(number=number).state == "open":
                track.stop(number, "abandoned", reason="for a test")
    return number


def begun(track: Track) -> int:
    """Let ann begin another attempt at alpha/run1, and a replay of it elsewhere, and return its number."""
    with acting(ACTORS["ann"]):
        number = track.start("ann", "alpha/run1").number
        track.begin_elsewhere(number, KEY)
    return number


def replayed(track: Track, number: int) -> None:
    """Let a replay elsewhere hand in its output, and end."""
    track.take_output(number, KEY, "output.tsv", small.WORSE)
    track.end_elsewhere(number, KEY, TOLD)


# Results of analysts ---------------------------------------------------------------------------------------------


def test_an_analyst_hands_in_three_results_by_hand_and_no_more(settled: Track) -> None:
    ended(settled)  # the first is that of the settled track
    ended(settled)

    with pytest.raises(UsageError, match="expected at most 3 results of alpha/run1 handed in by hand by one analyst"):
        ended(settled)

    assert Attempt.objects.filter(analyst__slug="ann", state="succeeded").count() == 3


def test_results_are_counted_for_each_submission_and_analyst_alone(settled: Track) -> None:
    ended(settled)
    ended(settled)

    with acting(ACTORS["dan"]):
        other = settled.start("dan", "alpha/run1").number
        settled.stop(other, "succeeded", output={"output.tsv": small.OUTPUT})
    with acting(ACTORS["ann"]):
        elsewhere = settled.start("ann", "beta/run1").number
        settled.stop(elsewhere, "succeeded", output={"output.tsv": small.OUTPUT})

    assert [settled.attempt(one).state for one in (other, elsewhere)] == ["succeeded", "succeeded"]


def test_results_by_a_public_gold_standard_are_not_counted(settled: Track) -> None:
    DataSet.objects.update(public=True)

    numbers = [ended(settled) for _ in range(4)]

    assert [settled.attempt(one).state for one in numbers] == ["succeeded"] * 4


def test_the_keeper_hands_in_as_many_results_as_they_like(settled: Track) -> None:
    for _ in range(4):
        number = settled.start("ann", "alpha/run1").number
        settled.stop(number, "succeeded", output={"output.tsv": small.WORSE})

    assert Attempt.objects.filter(analyst__slug="ann", state="succeeded").count() == 5


def test_replays_elsewhere_have_an_end_too(settled: Track, monkeypatch: pytest.MonkeyPatch) -> None:
    most = attempting.MOST_REPLAYED
    monkeypatch.setattr(attempting, "MOST_REPLAYED", 1)

    with acting(ACTORS["ann"]):
        number = settled.start("ann", "alpha/run1").number
        with pytest.raises(UsageError, match="expected at most 1 results of alpha/run1 replayed elsewhere"):
            settled.begin_elsewhere(number, "0" * 32)

    assert settled.attempt(number).state == "open"
    assert most > attempting.MOST_BY_HAND


def test_replays_that_all_began_before_any_had_ended_are_counted_when_they_end(
    settled: Track, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempting, "MOST_REPLAYED", 3)
    numbers = [begun(settled) for _ in range(4)]

    with acting(ACTORS["ann"]):
        for number in numbers[:2]:  # with the result of the settled track these are three
            replayed(settled, number)
        for number in numbers[2:]:
            with pytest.raises(
                UsageError, match=r"at most 3 results of alpha/run1 replayed elsewhere .* found 3 already"
            ):
                replayed(settled, number)
        with pytest.raises(UsageError, match="at most 3 results of alpha/run1 replayed elsewhere"):
            settled.begin_elsewhere(numbers[2], KEY)
        settled.stop(numbers[2], "abandoned", reason="there are enough")

    states = [settled.attempt(one).state for one in numbers]
    refused = Attempt.objects.filter(number__in=numbers[2:])
    assert states == ["succeeded", "succeeded", "abandoned", "stopped"]
    assert not Verdict.objects.filter(attempt__in=refused).exists()
    assert list(refused.values_list("output", "scored")) == [(None, {}), (None, {})]


def test_a_result_by_hand_counts_as_such_also_where_a_replay_was_stopped_before(settled: Track) -> None:
    numbers = [begun(settled) for _ in range(4)]

    with acting(ACTORS["ann"]):
        for number in numbers:
            settled.end_elsewhere(number, KEY, TOLD, stopped="for a test")
        for number in numbers[:2]:
            settled.stop(number, "succeeded", output={"output.tsv": small.WORSE})
        for number in numbers[2:]:
            with pytest.raises(
                UsageError, match=r"at most 3 results of alpha/run1 handed in by hand .* found 3 already"
            ):
                settled.stop(number, "succeeded", output={"output.tsv": small.WORSE})

    assert [settled.attempt(one).state for one in numbers] == ["succeeded", "succeeded", "stopped", "stopped"]
    assert all(settled.attempt(one).replay for one in numbers)
    assert Verdict.objects.filter(attempt__analyst__slug="ann").count() == 3


def test_a_replay_that_came_to_its_end_is_no_result_by_hand(settled: Track) -> None:
    for _ in range(3):
        number = begun(settled)
        with acting(ACTORS["ann"]):
            replayed(settled, number)

    assert settled.attempt(ended(settled)).state == "succeeded"


# Scorers that fail -----------------------------------------------------------------------------------------------


def test_a_team_does_not_hear_what_a_scorer_said_that_failed(by_command: Track) -> None:
    by_command.move_to("results", "for a test")
    outputs = [NewOutput({"output.tsv": small.OUTPUT})]

    with acting(ACTORS["alpha"]), pytest.raises(DataError) as told:
        by_command.submit("alpha", "run2", outputs)
    with acting(ACTORS["organiser"]), pytest.raises(WorkError, match=SECRET):
        by_command.submit("alpha", "run2", outputs)

    assert str(told.value) == "the scorer of coding failed; tell the organisers"
    assert not Submission.objects.filter(slug="run2").exists()


def test_an_analyst_does_not_hear_what_a_scorer_said_of_the_submitted_output(by_command: Track) -> None:
    with pytest.raises(DataError) as told:
        ended(by_command, FINE)  # that of the team, which has r10, fails

    assert str(told.value) == "the scorer of coding failed; tell the organisers"


def test_what_a_scorer_said_of_an_attempt_is_told_to_organisers_only_and_is_in_no_report(
    by_command: Track, tmp_path: Path
) -> None:
    Task.objects.update(settings={"command": SCORER.replace("r10", "r51"), "primary": "f1"})
    with acting(ACTORS["ann"]):
        number = by_command.start("ann", "alpha/run1").number
        by_command.stop(number, "succeeded", output={"output.tsv": small.WORSE}, unreadable=True)
    with acting(ACTORS["organiser"]):
        office = by_command.verdict_facts(number)
    by_command.move_to("adjudication")
    by_command.move_to("published")
    with acting(ACTORS["ann"]):
        published = by_command.verdict_facts(number)
    (tmp_path / "told").mkdir()
    by_command.write_report(tmp_path / "told/report")
    by_command.export(tmp_path / "told/export")

    told = [one for one in (tmp_path / "told").rglob("*") if one.is_file() and one.name != "task.yaml"]
    written = b"".join(one.read_bytes() for one in told)
    assert Verdict.objects.get(attempt__number=number).agreement == "the scorer failed"
    assert office is not None
    assert SECRET in office.sentence
    assert published is not None
    assert published.sentence == "The scorer failed on the replicated output; organisers see what it said."
    assert SECRET not in str(published)
    assert SECRET.encode() not in written


def test_only_organisers_see_the_command_that_scores(by_command: Track) -> None:
    seen = {}
    for who in ("visitor", "alpha", "ann", "organiser"):
        with acting(ACTORS[who]):
            seen[who] = dict(by_command.task_facts("coding").settings)

    assert {who: sorted(settings) for who, settings in seen.items()} == {
        "visitor": [],
        "alpha": ["primary"],
        "ann": ["primary"],
        "organiser": ["command", "primary"],
    }


# Files of the same name ------------------------------------------------------------------------------------------


def test_what_is_wrong_with_the_gold_standard_stays_hidden_from_a_file_of_its_name(
    settled: Track, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled.move_to("results", "for a test")
    broken = {"gold.tsv": f"{SECRET}\n".encode()}
    monkeypatch.setattr("primad.track.scoring.filing.contents", lambda _folder, files: broken if files else {})

    with acting(ACTORS["alpha"]), pytest.raises(DataError, match="coding/test cannot be read; tell the organisers"):
        settled.submit("alpha", "run2", [NewOutput({"gold.tsv": small.OUTPUT})])


def test_what_is_wrong_with_an_output_is_told_also_where_it_has_the_name_of_the_gold_standard(settled: Track) -> None:
    settled.move_to("results", "for a test")

    with acting(ACTORS["alpha"]), pytest.raises(FormatError, match=r"gold\.tsv:1: expected .* found 'no code'"):
        settled.submit("alpha", "run2", [NewOutput({"gold.tsv": b"no code\n"})])


def test_an_output_of_other_documents_is_refused_without_naming_one_of_the_gold_standard(settled: Track) -> None:
    settled.move_to("results", "for a test")

    with acting(ACTORS["alpha"]), pytest.raises(FileError, match="found only others, such as 'x1'") as told:
        settled.submit("alpha", "run2", [NewOutput({"output.tsv": b"x1\tj11\n"})])

    assert "d1" not in str(told.value)


# Many at once ----------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("_on_a_site")
def test_a_site_scores_two_outputs_at_once_and_lets_two_wait(settled: Track, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "PATIENCE", 0.05)
    entered, leave = threading.Barrier(3), threading.Event()

    def busy() -> None:
        with acting(ACTORS["beta"]), scoring.at_work():
            entered.wait(10)
            leave.wait(10)

    threads = [threading.Thread(target=busy) for _ in range(turns.MOST_AT_ONCE)]
    for one in threads:
        one.start()
    entered.wait(10)
    try:
        with pytest.raises(TooBusy, match="the site is scoring other outputs; try again in a minute") as told:
            ended(settled)
        untouched = Attempt.objects.filter(analyst__slug="ann", state="succeeded").count()
    finally:
        leave.set()
        for one in threads:
            one.join()

    number = ended(settled)
    assert (told.value.seconds, untouched) == (60, 1)
    assert Verdict.objects.filter(attempt__number=number).exists()


@pytest.mark.usefixtures("_on_a_site")
def test_a_command_that_scores_has_two_minutes_on_a_site(settled: Track, monkeypatch: pytest.MonkeyPatch) -> None:
    Task.objects.update(scorer="command", settings={"command": "sleep 30", "primary": "f1"}, primary="f1")
    monkeypatch.setattr(scoring, "MOST_SECONDS", 1)
    settled.row.refresh_from_db()

    with acting(ACTORS["organiser"]), pytest.raises(WorkError, match="took longer than 1 seconds and was stopped"):
        scoring.scored_output(
            settled.folder, settled.task("coding"), DataSet.objects.get(), {"output.tsv": small.OUTPUT}
        )


def test_at_the_command_line_a_command_has_the_time_that_is_set(
    settled: Track, monkeypatch: pytest.MonkeyPatch
) -> None:
    Task.objects.update(scorer="command", settings={"command": "sleep 1.5; echo 'f1\t0.5'", "primary": "f1"})
    monkeypatch.setattr(scoring, "MOST_SECONDS", 1)

    found = scoring.scored_output(
        settled.folder, settled.task("coding"), DataSet.objects.get(), {"output.tsv": small.OUTPUT}
    )

    assert found == {"f1": 0.5}


def test_a_value_that_no_output_can_have_is_remarked_without_a_word_of_the_gold(settled: Track) -> None:
    settled.move_to("results", "one more")

    with acting(ACTORS["alpha"]):
        taken = settled.submit(
            "alpha", "run9", [NewOutput({"output.tsv": small.OUTPUT}, values={"f1": 2, "recall": 0.1})]
        )

    assert taken.remarks == ("default: f1 was stated as 2, but lies between 0 and 1",)


@pytest.mark.parametrize("who", ["alpha", "organiser"])
def test_a_value_of_no_measure_is_remarked_with_the_measure_that_was_meant(settled: Track, who: str) -> None:
    settled.move_to("results", "one more")
    values = {"F1": 0.8, "f1": 0.8, "bleu": 0.1}

    with acting(ACTORS[who]):
        taken = settled.submit("alpha", "run9", [NewOutput({"output.tsv": small.OUTPUT}, values=values)])

    assert taken.remarks == (
        "default: F1 was stated as 0.8, but is no measure of the task, so nobody checks it; did you mean 'f1'?",
        "default: bleu was stated as 0.1, but is no measure of the task, so nobody checks it",
    )


@pytest.mark.parametrize(("measures", "remarked"), [(["f1"], ["F1", "I10"]), ([], [])])
def test_which_measures_a_command_prints_is_told_only_where_the_task_names_them(
    settled: Track, measures: list[str], remarked: list[str]
) -> None:
    settled.move_to("results", "one more")
    command = {"command": "printf 'f1\\t0.5\\nI10\\t0.5\\n'", "primary": "f1", "measures": measures}
    Task.objects.update(scorer="command", settings=command)
    values = {"F1": 0.5, "I10": 0.5, "f1": 0.5}

    with acting(ACTORS["alpha"]):
        taken = settled.submit("alpha", "run9", [NewOutput({"output.tsv": small.OUTPUT}, values=values)])

    assert [one.split()[1] for one in taken.remarks] == remarked


def test_who_sees_no_team_is_not_told_that_there_is_none(settled: Track) -> None:
    with (
        acting(VISITOR),
        pytest.raises(PairingError, match="no team is called 'alpha'; there is none that you may see"),
    ):
        settled.team_facts("alpha")
    with acting(ACTORS["beta"]):
        (task,) = settled.facts().tasks

    assert (task.submissions, task.submission_count) == (("beta/run1",), 2)
